// SPDX-License-Identifier: Apache-2.0
#include "gltf/convert/clips.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "gltf/convert/clip_extras.h"
#include "gltf/convert/single_weights.h"
#include "gltf/data/accessor.h"
#include "gltf/data/formats.h"
#include "gltf/file/json.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

Result<Interpolation> interpolation_of(const source::KeySampler& sampler, Mender& mender) {
  if (sampler.interpolation == "STEP") return Interpolation::step;
  if (sampler.interpolation == "CUBICSPLINE") return Interpolation::cubic_spline;
  if (sampler.interpolation != "LINEAR" && !sampler.interpolation.empty()) {
    THRONG_CHECK(mender.forgive(Fault::interpolation, "its interpolation '{}' is none of LINEAR, STEP and CUBICSPLINE",
                                sampler.interpolation));
  }
  return Interpolation::linear;
}

struct Keys {
  Interpolation interpolation;
  std::vector<float> times;
  std::vector<float> values;
};

// Whether a key is all numbers, and a rotation has a length. `values`: all that belong to the key.
bool is_sound(float time, std::span<const float> values, bool rotation, bool cubic) {
  const auto number = [](float value) { return std::isfinite(value); };
  if (!number(time) || !std::all_of(values.begin(), values.end(), number)) return false;
  if (!rotation) return true;
  const std::span<const float> q = values.subspan(cubic ? 4 : 0, 4);
  return std::any_of(q.begin(), q.end(), [](float value) { return value != 0.0f; });
}

// One key of a spline is a pose, which needs no tangents.
void make_step(Keys& keys) {
  const std::size_t width = keys.values.size() / 3;
  keys.interpolation = Interpolation::step;
  keys.values = {keys.values.begin() + static_cast<std::ptrdiff_t>(width),
                 keys.values.begin() + static_cast<std::ptrdiff_t>(2 * width)};
}

// Also those at the time of the key before, which is kept: no time shows the other.
void drop_unsound_keys(Keys& keys, bool rotation, Mender& mender) {
  const bool cubic = keys.interpolation == Interpolation::cubic_spline;
  const std::size_t width = keys.values.size() / std::max<std::size_t>(1, keys.times.size());
  std::size_t kept = 0;
  for (std::size_t k = 0; k < keys.times.size(); ++k) {
    if (!is_sound(keys.times[k], std::span(keys.values).subspan(k * width, width), rotation, cubic)) continue;
    if (kept > 0 && keys.times[k] == keys.times[kept - 1]) continue;
    keys.times[kept] = keys.times[k];
    std::copy_n(keys.values.begin() + static_cast<std::ptrdiff_t>(k * width), width,
                keys.values.begin() + static_cast<std::ptrdiff_t>(kept * width));
    ++kept;
  }
  mender.count(Fault::key, keys.times.size() - kept);
  keys.times.resize(kept);
  keys.values.resize(kept * width);
  if (cubic && kept == 1) make_step(keys);
}

Result<Keys> read_keys(const Conversion& c, const source::KeySampler& sampler, bool rotation) {
  THRONG_TRY(auto times, read_floats(c.document, sampler.input));
  THRONG_TRY(auto values, read_floats(c.document, sampler.output));
  THRONG_TRY(const Interpolation interpolation, interpolation_of(sampler, c.mender));
  Keys keys{interpolation, std::move(times), std::move(values)};
  drop_unsound_keys(keys, rotation, c.mender);
  return keys;
}

Curve<glm::vec3> vector_curve(Keys keys) {
  Curve<glm::vec3> curve{keys.interpolation, std::move(keys.times), {}};
  for (std::size_t i = 0; i + 2 < keys.values.size(); i += 3) {
    curve.values.emplace_back(keys.values[i], keys.values[i + 1], keys.values[i + 2]);
  }
  return curve;
}

// Keys that storage has bent away from unit length are straightened; exact ones, and tangents, stay as they are.
Curve<glm::quat> rotation_curve(Keys keys, ClipTally& tally) {
  constexpr double kExact = 1e-4;
  Curve<glm::quat> curve{keys.interpolation, std::move(keys.times), {}};
  const bool cubic = keys.interpolation == Interpolation::cubic_spline;
  for (std::size_t i = 0; i + 3 < keys.values.size(); i += 4) {
    const float* v = keys.values.data() + i;
    glm::quat rotation(v[3], v[0], v[1], v[2]);
    const bool tangent = cubic && i / 4 % 3 != 1;
    if (!tangent && std::abs(glm::length(glm::dquat(rotation)) - 1.0) > kExact) {
      rotation = glm::quat(glm::normalize(glm::dquat(rotation)));
      ++tally.rotations;
    }
    curve.values.push_back(rotation);
  }
  return curve;
}

BoneTrack& track_of(Clip& clip, std::vector<std::optional<std::size_t>>& tracks, std::uint32_t bone) {
  if (!tracks[bone]) {
    tracks[bone] = clip.bones.size();
    clip.bones.push_back({.bone = bone, .translation = {}, .rotation = {}, .scale = {}});
  }
  return clip.bones[*tracks[bone]];
}

Curve<float> weight_curve(Keys keys) { return {keys.interpolation, std::move(keys.times), std::move(keys.values)}; }

void add_morphs(const Conversion& c, std::size_t node, const Curve<float>& weights, Clip& clip) {
  for (const std::uint32_t mesh : c.meshes_of_node[node]) {
    if (!c.draft.meshes[mesh].morph_targets.empty()) clip.morphs.push_back({mesh, weights});
  }
}

void add_single_weights(const Conversion& c, std::size_t node, const std::vector<SingleWeight>& singles, Clip& clip) {
  for (const std::uint32_t mesh : c.meshes_of_node[node]) {
    const Mesh& moved = c.draft.meshes[mesh];
    if (!moved.morph_targets.empty()) clip.morphs.push_back({mesh, joined_weights(moved.morph_weights, singles)});
  }
}

// Keys that exist, or the reason they should and do not. All-zero keys have no order, so they count as none.
Result<bool> has_keys(const Document& document, const source::KeySampler& sampler) {
  for (const std::size_t index : {sampler.input, sampler.output}) {
    const Backing backing = backing_of(document, index);
    if (backing == Backing::bytes) continue;
    if (backing != Backing::missing) return false;
    THRONG_CHECK(read_floats(document, index));
  }
  return true;
}

struct ClipDraft {
  Clip clip;
  std::vector<std::optional<std::size_t>> tracks;            // per bone, where its track is
  std::map<std::size_t, std::vector<SingleWeight>> singles;  // by node
};

Result<void> add_channel(const Conversion& c, const source::Channel& channel, const source::KeySampler& sampler,
                         ClipDraft& draft, ClipTally& tally) {
  const auto bone = c.skeleton.bone_of_node[channel.node];
  if (key_value_formats(channel.path).empty()) return ++tally.unknown_paths, Result<void>{};
  if (!bone) return ++tally.outside_scene, Result<void>{};
  THRONG_TRY(auto keys, read_keys(c, sampler, channel.path == "rotation"));
  if (keys.times.empty()) return ++tally.without_data, Result<void>{};
  if (channel.target) {
    draft.singles[channel.node].push_back({*channel.target, weight_curve(std::move(keys))});
    return {};
  }
  if (channel.path == "weights") {
    add_morphs(c, channel.node, weight_curve(std::move(keys)), draft.clip);
    return {};
  }
  BoneTrack& track = track_of(draft.clip, draft.tracks, *bone);
  if (channel.path == "translation") {
    track.translation = vector_curve(std::move(keys));
  } else if (channel.path == "scale") {
    track.scale = vector_curve(std::move(keys));
  } else if (channel.path == "rotation") {
    track.rotation = rotation_curve(std::move(keys), tally);
  }
  return {};
}

// Widens the span of the clip to that from the first key of any channel to the last.
Result<void> widen_span(const Document& document, const source::KeySampler& sampler, bool& first, Clip& clip) {
  THRONG_TRY(auto times, read_floats(document, sampler.input));
  std::erase_if(times, [](float time) { return !std::isfinite(time); });
  if (times.empty()) return {};
  const double start = times.front();
  const double end = times.back();
  clip.start = first ? start : std::min(clip.start, start);
  clip.end = first ? end : std::max(clip.end, end);
  first = false;
  return {};
}

Result<Clip> convert_clip(const Conversion& c, const source::Animation& animation, ClipTally& tally) {
  ClipDraft draft;
  draft.tracks.resize(c.skeleton.bones.size());
  bool first = true;
  for (const auto& channel : animation.channels) {
    const auto& sampler = animation.samplers[channel.sampler];
    THRONG_TRY(auto there, has_keys(c.document, sampler));
    if (!there) {
      ++tally.without_data;
      continue;
    }
    THRONG_CHECK(widen_span(c.document, sampler, first, draft.clip));
    THRONG_CHECK(add_channel(c, channel, sampler, draft, tally));
  }
  for (const auto& [node, singles] : draft.singles) add_single_weights(c, node, singles, draft.clip);
  return std::move(draft.clip);
}

void note_clips(Document& d, const ClipTally& tally) {
  const std::pair<std::uint64_t, std::string_view> told[] = {
      {d.model.channels_without_node, "animation [channel|channels] without a node left out"},
      {tally.outside_scene, "animation [channel of a node|channels of nodes] outside the scene left out"},
      {tally.without_data, "animation [channel|channels] without data left out"},
      {tally.unknown_paths, "animation [channel of an unknown path|channels of unknown paths] left out"},
      {tally.rotations, "rotation [key was|keys were] not of unit length; normalised"},
      {tally.events_outside, "[event outside its|events outside their] clip's time left out"},
  };
  for (const auto& [count, sentence] : told)
    if (count > 0) d.note("{}", in_number(count, sentence));
  if (tally.events_not_understood > 0)
    d.note("{} in extras left out; an event is {{\"time\": seconds, \"name\": text}}",
           counted(tally.events_not_understood, "event"));
  if (tally.loops_not_understood > 0)
    d.note("{} 'loops' in extras left out; it is true or false", tally.loops_not_understood);
}

}  // namespace

Result<void> convert_clips(Conversion& c, const Progress& progress) {
  ClipTally tally;
  const auto& json = collection_of(*c.document.json, "animations");
  for (std::size_t a = 0; a < c.document.model.animations.size(); ++a) {
    const auto& animation = c.document.model.animations[a];
    report(progress, "read", static_cast<double>(a) / static_cast<double>(c.document.model.animations.size()));
    if (json[a]["channels"].empty()) continue;  // told of as an empty list
    auto clip = convert_clip(c, animation, tally);
    if (!clip) return fail("animations[{}]: {}", a, clip.error().message);
    clip->name = animation.name.empty() ? fmt::format("clip {}", a) : animation.name;
    read_clip_extras(json[a], *clip, tally);
    c.draft.clips.push_back(std::move(*clip));
  }
  c.tally.repairs.quaternions_fixed = tally.rotations;
  note_clips(c.document, tally);
  return {};
}

}  // namespace throng::detail::gltf
