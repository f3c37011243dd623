// SPDX-License-Identifier: Apache-2.0
#pragma once
// A model of one bone and two clips of one frame each, whose poses are known by heart: for tests of cross-fades.

#include <vector>

#include "built_character.h"
#include "throng/character/character.h"
#include "throng/playback/crowd.h"

namespace throng {

struct Pose1 {
  Encoding encoding = Encoding::q16;
  glm::dvec3 pivot{0.0};
  BoneSample sample;  // where the pivot goes
};

// What the model's views look into.
struct PosesStorage {
  std::vector<BakedVertex> vertices;
  std::vector<std::uint32_t> indices;
  std::vector<glm::vec4> table;
  std::vector<std::uint32_t> words;
};

inline void encode_pose(const Pose1& pose, const ClipRange& range, std::span<std::uint32_t> words) {
  if (pose.encoding == Encoding::rows || pose.encoding == Encoding::half_rows) {
    const glm::dmat3 linear = glm::mat3_cast(pose.sample.rotation) * pose.sample.scale;
    encode_affine(pose.encoding, {linear, pose.sample.position}, range, words);
  } else {
    encode_bone(pose.encoding, pose.sample, range, words);
  }
}

// The storage must outlive the model.
inline Character two_poses(const Pose1& first, const Pose1& second, PosesStorage& storage) {
  CharacterDraft model;
  model.name = "two poses";
  model.bones.resize(1);
  model.bounds = {glm::dvec3(-8.0), glm::dvec3(8.0)};
  model.atlas.layout = {8, 2};
  model.atlas.height = 2;
  model.atlas.layer_count = 1;
  storage.words.assign(2 * 8 * 2, 0);
  for (const Pose1* pose : {&first, &second}) {
    BakedClip clip;
    clip.name = pose == &first ? "first" : "second";
    clip.length = 1.0;
    clip.frame_count = 1;
    clip.loops = true;
    clip.encoding = pose->encoding;
    clip.range = {glm::dvec3(-8.0), glm::dvec3(16.0), 4.0};
    clip.first_table_row = static_cast<std::uint32_t>(model.clips.size());
    storage.table.emplace_back(glm::vec3(pose->pivot), 0.0f);
    const std::uint32_t row = clip.first_table_row;
    const FrameLayout frames = frame_layout(model.atlas.layout, words_per_frame(clip.encoding, 1, false));
    clip.first_frame = frame_of_row(frames, row);
    encode_pose(*pose, clip.range, std::span(storage.words).subspan(row * 16, words_per_item(clip.encoding, false)));
    clip.bounds = model.bounds;
    model.clips.push_back(clip);
  }
  BakedVertex vertex{};
  vertex.position = {2.0f, 1.0f, 0.5f};
  vertex.normal = {1.0f, 0.0f, 0.0f};
  vertex.weights = {65535, 0, 0, 0};
  storage.vertices = {vertex};
  storage.indices = {0, 0, 0};
  model.vertices = storage.vertices;
  model.sources = {{.vertex_count = 1}};
  model.indices = storage.indices;
  model.draws = {{0, 0, 3}};
  model.materials.resize(1);
  model.table = storage.table;
  model.atlas.words = storage.words;
  model.sockets.push_back({"hand", 0, {{2.0, 1.0, 0.5}, {1.0, 0.0, 0.0, 0.0}, glm::dvec3(0.5)}});
  return test::built(std::move(model));
}

// A play half-way, by weight, from the first clip to the second.
inline PlayRecord half_way(const Character& model, Ticks now) {
  Crowd crowd(model);
  const InstanceId id = crowd.add({}, 0).value();
  (void)crowd.play(id, {.clip = ClipId(1), .fade = 1.0}, now - kTicksPerSecond / 2);
  return crowd.plays(ModelId(0))[0];
}

}  // namespace throng
