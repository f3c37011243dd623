#include <algorithm>
#include <cmath>

#include "fbx_convert.h"
#include "fbx_sampling.h"

namespace throng::fbx {
namespace {

// More frames than this, over all bones of a take, and only its keys are kept.
constexpr double kMostSamples = 1 << 25;

// Where a sample is the same as both its neighbours there is nothing to keep.
template <class T>
void add_key(Curve<T>& curve, float time, const T& value) {
  const std::size_t count = curve.values.size();
  if (count >= 2 && curve.values[count - 1] == value && curve.values[count - 2] == value) {
    curve.times.back() = time;
    return;
  }
  curve.times.push_back(time);
  curve.values.push_back(value);
}

// What stays the same is one key, or none where it stays at rest.
template <class T>
void drop_stillness(Curve<T>& curve, const T& rest) {
  const bool still = std::all_of(curve.values.begin(), curve.values.end(),
                                 [&](const T& value) { return value == curve.values.front(); });
  if (curve.empty() || !still) return;
  const std::ptrdiff_t kept = curve.values.front() == rest ? 0 : 1;
  curve.times.erase(curve.times.begin() + kept, curve.times.end());
  curve.values.erase(curve.values.begin() + kept, curve.values.end());
}

struct BoneCurves {
  Curve<glm::vec3> translation;
  Curve<glm::quat> rotation;
  Curve<glm::vec3> scale;
};

void add_transform(BoneCurves& curves, float time, const Transform& transform) {
  add_key(curves.translation, time, glm::vec3(transform.translation));
  add_key(curves.scale, time, glm::vec3(transform.scale));
  glm::quat rotation(transform.rotation);
  if (!curves.rotation.empty() && glm::dot(curves.rotation.values.back(), rotation) < 0.0f) rotation = -rotation;
  add_key(curves.rotation, time, rotation);
}

void add_track(Clip& clip, std::uint32_t bone, BoneCurves curves, const Transform& rest) {
  drop_stillness(curves.translation, glm::vec3(rest.translation));
  drop_stillness(curves.rotation, glm::quat(rest.rotation));
  drop_stillness(curves.scale, glm::vec3(rest.scale));
  if (curves.translation.empty() && curves.rotation.empty() && curves.scale.empty()) return;
  clip.bones.push_back({bone, std::move(curves.translation), std::move(curves.rotation), std::move(curves.scale)});
}

std::vector<Sample> node_samples(const Rig& rig, std::uint32_t node, const Take& take, const Sampling& sampling) {
  auto samples = sample_moments(rig.curves_of(node, take), sampling);
  std::vector<double> turns;
  for (const Sample& sample : samples) {
    const glm::dvec3 angles = values_at(take, rig.scene().nodes[node], sample.moment).angles;
    turns.insert(turns.end(), {angles.x, angles.y, angles.z});
  }
  add_between_turns(samples, turns);
  return samples;
}

void add_node(const Rig& rig, std::uint32_t node, const Take& take, const Sampling& sampling, Clip& clip) {
  const auto samples = node_samples(rig, node, take, sampling);
  const NodeBones bones = rig.bones_of()[node];
  BoneCurves curves;
  BoneCurves whole;
  for (const Sample& sample : samples) {
    const Rig::Placed placed = rig.placed_at(node, take, sample.moment);
    add_transform(curves, sample.time, placed.bone);
    if (bones.split()) add_transform(whole, sample.time, {.scale = placed.whole_scale});
  }
  add_track(clip, bones.bone, std::move(curves), rig.bones()[bones.bone].rest);
  if (bones.split()) add_track(clip, bones.whole, std::move(whole), rig.bones()[bones.whole].rest);
}

std::vector<const KeyCurve*> percent_curves(const MorphSource& source, const Take& take) {
  std::vector<const KeyCurve*> curves;
  for (const ChannelShapes& channel : source.channels) {
    const MovedProperty* moved = take.find(channel.channel, Moving::percent);
    if (!moved) continue;
    for (const LayerPart& part : *moved) {
      if (!part.three.curves[0].empty()) curves.push_back(&part.three.curves[0]);
    }
  }
  return curves;
}

void add_morph(const MorphSource& source, std::uint32_t mesh, const Take& take, const Sampling& sampling, Clip& clip) {
  MorphTrack track{.mesh = mesh, .weights = {}};
  for (const Sample& sample : sample_moments(percent_curves(source, take), sampling)) {
    std::vector<double> percents;
    for (const ChannelShapes& channel : source.channels) {
      const MovedProperty* moved = take.find(channel.channel, Moving::percent);
      percents.push_back(number_at(moved, channel.resting_percent, sample.moment));
    }
    const auto weights = target_weights(source, percents);
    track.weights.times.push_back(sample.time);
    track.weights.values.insert(track.weights.values.end(), weights.begin(), weights.end());
  }
  if (!track.weights.empty()) clip.morphs.push_back(std::move(track));
}

// From the first key of what moves here to the last, within what the take declares.
std::optional<Span> span_of(const Conversion& c, const Take& take) {
  std::vector<const KeyCurve*> curves;
  for (std::uint32_t node = 0; node < c.rig.scene().nodes.size(); ++node) {
    const auto own = c.rig.curves_of(node, take);
    curves.insert(curves.end(), own.begin(), own.end());
  }
  for (const MorphSource& source : c.morphs) {
    const auto own = percent_curves(source, take);
    curves.insert(curves.end(), own.begin(), own.end());
  }
  if (curves.empty()) return std::nullopt;
  Span span{curves.front()->keys.front().time, curves.front()->keys.back().time};
  for (const KeyCurve* curve : curves) {
    span.start = std::min(span.start, curve->keys.front().time);
    span.end = std::max(span.end, curve->keys.back().time);
  }
  if (!take.start || !take.stop || *take.stop <= *take.start) return span;
  const Span within{std::max(span.start, *take.start), std::min(span.end, *take.stop)};
  return within.start <= within.end ? within : span;
}

Sampling sampling_of(Conversion& c, const Take& take, const Span& span) {
  Sampling sampling{.span = span, .shift = std::max(0.0, -span.start), .frame_rate = c.rig.scene().frame_rate};
  const auto nodes = static_cast<double>(c.rig.scene().nodes.size() + c.morphs.size());
  if ((span.end - span.start) * sampling.frame_rate * nodes > kMostSamples) {
    sampling.frame_rate = 0.0;
    c.note("take '{}' lasts {} s: only its keys were read, and joined by straight lines", take.name,
           span.end - span.start);
  }
  if (sampling.shift > 0.0) c.note("take '{}' begins at {} s: moved to 0", take.name, span.start);
  return sampling;
}

void note_stillness(Conversion& c, const Take& take, const Span& span) {
  const double frame = 1.0 / c.rig.scene().frame_rate;
  if (!take.start || !take.stop || *take.stop <= *take.start) return;
  if (*take.start > span.start - frame && *take.stop < span.end + frame) return;
  c.note(
      "take '{}' is declared from {:.3f} to {:.3f} s, its keys are from {:.3f} to {:.3f} s; the clip is as long as "
      "the keys",
      take.name, *take.start, *take.stop, span.start, span.end);
}

}  // namespace

void convert_clips(Conversion& c) {
  for (std::size_t t = 0; t < c.rig.takes().size(); ++t) {
    const Take& take = c.rig.takes()[t];
    const auto span = span_of(c, take);
    if (!span) {
      c.note("take '{}' moves nothing; left out", take.name);
      continue;
    }
    note_stillness(c, take, *span);
    const Sampling sampling = sampling_of(c, take, *span);
    Clip clip{.name = take.name.empty() ? fmt::format("clip {}", t) : take.name,
              .start = span->start + sampling.shift,
              .end = span->end + sampling.shift,
              .loops = {},
              .bones = {},
              .morphs = {},
              .events = {}};
    for (std::uint32_t node = 0; node < c.rig.scene().nodes.size(); ++node) {
      add_node(c.rig, node, take, sampling, clip);
    }
    for (std::uint32_t mesh = 0; mesh < c.morphs.size(); ++mesh) {
      add_morph(c.morphs[mesh], mesh, take, sampling, clip);
    }
    c.draft.clips.push_back(std::move(clip));
  }
}

}  // namespace throng::fbx
