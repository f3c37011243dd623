// SPDX-License-Identifier: Apache-2.0
#include "throng/motion/compile_motion.h"

#include <algorithm>
#include <array>

#include "key_compiler.h"
#include "throng/base/keep.h"
#include "throng/base/try.h"
#include "throng/character/motion_channels.h"
#include "throng/clip_facts/decide.h"
#include "throng/math/bounds.h"
#include "throng/math/ground.h"
#include "throng/math/rotations.h"
#include "throng/pose/pose.h"

namespace throng {
namespace {

using detail::motion::ClipToKey;
using detail::motion::KeyStore;
using detail::motion::KeyTolerances;
using detail::motion::RootEnd;

// The diagonal of the box around bones and vertices at rest, each vertex by its strongest bone.
double size_at_rest(const Model& model) {
  const auto model_from_bone = model_from_bones(model, rest_pose(model));
  Bounds bounds;
  for (const glm::dmat4& m : model_from_bone) bounds.add(glm::dvec3(m[3]));
  std::vector<glm::dmat4> palette;
  for (const Binding& binding : model.bindings())
    palette.push_back(model_from_bone[binding.bone] * binding.bone_from_mesh);
  for (const Mesh& mesh : model.meshes()) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      bounds.add(glm::dvec3(palette[mesh.influences[v].bindings[0]] * glm::dvec4(glm::dvec3(mesh.positions[v]), 1.0)));
    }
  }
  return bounds.diagonal() > 0.0 ? bounds.diagonal() : 1.0;
}

// Seconds that its keys are for.
double played_length(const MotionSource& source) { return std::max({0.0, source.clip->length(), source.facts.length}); }

// Where root motion ends as an animator takes it out: by the root bone alone, with what carries it as in the first
// pose.
std::optional<RootEnd> root_end_of(const Model& model, const MotionSource& source) {
  const ClipFacts& facts = source.facts;
  if (!facts.open() || !facts.root_bone || facts.root_path.empty()) return std::nullopt;
  const GroundMotion& cycle = facts.root_path.back();
  const Pose pose = sample(model, *source.clip, source.clip->start);
  glm::dmat4 model_from_parent(1.0);
  if (const auto parent = model.bones()[*facts.root_bone].parent)
    model_from_parent = model_from_bones(model, pose)[*parent];
  const glm::dquat rotation = rotation_of(glm::dmat3(model_from_parent));
  RootEnd end{*facts.root_bone, pose.bones[*facts.root_bone]};
  Transform& local = end.parent_from_bone;
  const glm::dvec3 first(model_from_parent * glm::dvec4(local.translation, 1.0));
  local.translation = glm::dvec3(glm::inverse(model_from_parent) * glm::dvec4(transform_point(cycle, first), 1.0));
  local.rotation = glm::conjugate(rotation) * rotation_of(cycle) * rotation * local.rotation;
  return end;
}

MotionClip describe(const MotionSource& source) {
  MotionClip out;
  out.name = source.facts.name;
  out.length = static_cast<float>(played_length(source));
  out.loops = source.facts.loops;
  out.events = source.facts.events;
  out.frames = source.frames;
  out.own_frames = source.own_frames;
  out.ground_count = static_cast<std::uint32_t>(source.ground.size());
  out.root_steps = static_cast<std::uint32_t>(source.facts.root_path.size());
  out.in_place = source.in_place;
  // The float may be a little shorter.
  for (ClipEvent& event : out.events) event.time = std::min(event.time, static_cast<double>(out.length));
  return out;
}

void add_ground(const MotionSource& source, KeyStore& keys) {
  for (const auto& [time, place] : source.ground) {
    keys.times.push_back(time < source.facts.length ? static_cast<float>(time)
                                                    : static_cast<float>(played_length(source)));
    for (const double value : {place.translation.x, place.translation.z, place.yaw})
      keys.values.push_back(static_cast<float>(value));
  }
}

void add_root_path(const MotionSource& source, KeyStore& keys) {
  for (const GroundMotion& place : source.facts.root_path)
    for (const double value : {place.translation.x, place.translation.z, place.yaw})
      keys.root_paths.push_back(static_cast<float>(value));
}

// What of the bones the words say in this clip; nothing where they say nothing.
std::vector<BoneChannels> covered_bones(const MotionData& data, const MotionSource& source) {
  if (!source.frames) return {};
  std::vector<BoneChannels> bones = data.channels.bones;
  for (std::size_t bone = 0; source.own_frames && bone < bones.size(); ++bone)
    if (data.own_channels.bones[bone].covered) bones[bone] = data.own_channels.bones[bone];
  return bones;
}

// One block for all of them, floats behind words. Those of far characters stay where they are.
void keep(const KeyStore& keys, const MotionWords& words, MotionData& data) {
  const std::array parts{as_bytes(keys.lists), as_bytes(keys.times), as_bytes(keys.values), as_bytes(keys.root_paths),
                         as_bytes(words.own_words)};
  std::vector<std::byte> bytes;
  std::size_t size = 0;
  for (const auto& part : parts) size += part.size();
  bytes.reserve(size);
  for (const auto& part : parts) bytes.insert(bytes.end(), part.begin(), part.end());
  data.storage = SharedBytes(std::move(bytes));
  const std::byte* const at = data.storage.data();
  data.lists = {reinterpret_cast<const std::uint32_t*>(at), keys.lists.size()};
  data.times = {reinterpret_cast<const float*>(at + parts[0].size()), keys.times.size()};
  const std::byte* const values = at + parts[0].size() + parts[1].size();
  data.values = {reinterpret_cast<const float*>(values), keys.values.size()};
  data.root_paths = {reinterpret_cast<const float*>(values + parts[2].size()), keys.root_paths.size()};
  data.own_channels.words = {reinterpret_cast<const std::uint32_t*>(values + parts[2].size() + parts[3].size()),
                             words.own_words.size()};
  if (words.character != nullptr) throng::keep(data.storage, words.character->storage);
}

Result<void> check(const Model& model, const MotionSettings& settings) {
  if (model.bones().empty()) return fail("model '{}' has no bones: there is nothing to animate", model.name());
  if (!(settings.angle_tolerance > 0.0f) || !(settings.distance_tolerance > 0.0f)) {
    return fail("model '{}': the tolerances {} rad and {} must both be above 0", model.name(), settings.angle_tolerance,
                settings.distance_tolerance);
  }
  return {};
}

}  // namespace

Result<Motion> compile_motion(const Model& model, std::span<const MotionSource> clips, const MotionSettings& settings,
                              const MotionWords& words) {
  THRONG_CHECK(check(model, settings));
  MotionData data;
  for (const Bone& bone : model.bones()) data.bones.push_back({bone.name, bone.parent, bone.rest});
  if (words.character != nullptr) {
    for (std::size_t bone = 0; bone < words.still.size(); ++bone) data.bones[bone].still = words.still[bone];
    THRONG_TRY(data.channels, motion_channels(*words.character, data.bones));
    data.own_channels = words.own;
  }
  for (const Socket& socket : model.sockets())
    data.sockets.push_back({socket.name, socket.bone, socket.bone_from_socket});
  for (const Binding& binding : model.bindings()) data.bindings.push_back({binding.bone_from_mesh, binding.bone});
  for (const Mesh& mesh : model.meshes()) {
    data.rest_morphs.insert(data.rest_morphs.end(), mesh.morph_weights.begin(), mesh.morph_weights.end());
  }
  const KeyTolerances tolerances{settings.angle_tolerance, settings.distance_tolerance * size_at_rest(model),
                                 settings.distance_tolerance};
  for (const MotionSource& source : clips) {
    if (source.facts.root_bone) data.root_bone = source.facts.root_bone;
  }
  KeyStore keys;
  for (const MotionSource& source : clips) {
    report(settings.progress, "motion", static_cast<double>(data.clips.size()) / static_cast<double>(clips.size()));
    data.clips.push_back(describe(source));
    const ClipToKey clip{*source.clip, played_length(source), root_end_of(model, source), covered_bones(data, source)};
    data.clips.back().list_count = compile_keys(model, clip, tolerances, keys);
    add_ground(source, keys);
    add_root_path(source, keys);
  }
  keep(keys, words, data);
  auto motion = build_motion(std::move(data));
  if (!motion) return fail(with_context(fmt::format("model '{}'", model.name()), std::move(motion).error()));
  return motion;
}

Result<Motion> compile_motion(const Model& model, const MotionSettings& settings) {
  THRONG_CHECK(check(model, settings));
  SerialExecutor executor;
  THRONG_TRY(const auto decided, decide_clip_facts(model, model.clips(), {.root_bone = settings.root_bone}, executor));
  std::vector<MotionSource> clips;
  for (std::size_t i = 0; i < decided.size(); ++i) {
    clips.push_back({decided[i].closed ? &*decided[i].closed : &model.clips()[i], decided[i].facts});
  }
  return compile_motion(model, clips, settings);
}

}  // namespace throng
