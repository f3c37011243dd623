// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a small model needs to be played near, made by hand with something in every field.

#include <bit>
#include <memory>
#include <numeric>

#include "channel_motion.h"
#include "throng/base/keep.h"
#include "throng/character/character.h"
#include "throng/character/codecs/packed_direction.h"
#include "throng/character/motion_channels.h"

namespace throng {

struct SmallNearArrays {
  std::vector<std::uint32_t> lists;
  std::vector<std::uint32_t> own_words;
  ChannelClip own_clip;
  std::vector<float> times, values;
  std::vector<float> root_paths{0.0f, 0.0f, 0.0f, 0.25f, 0.5f, 0.1f, 1.0f, 0.75f, -0.2f};
  std::vector<glm::uvec4> vertices, surfaces, extra;
  std::vector<std::uint32_t> morph_firsts;
  std::vector<gpu::MorphDelta> deltas;
  std::vector<gpu::ChunkRecord> chunks;
  std::vector<std::uint32_t> columns, indices, boxes;
};

inline constexpr std::uint32_t kSmallBones = 5;     // two groups
inline constexpr std::uint32_t kChannelBones = 9;   // of clips in localv: three groups
inline constexpr std::uint32_t kOwnFrames = 4;      // in words of near characters alone
inline constexpr std::uint32_t kSmallBindings = 6;  // the first bone has two

// Four rotations side by side, about x by this angle in the first lane.
inline void add_rotations(std::vector<float>& values, float angle) {
  values.insert(values.end(),
                {std::sin(0.5f * angle), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, std::cos(0.5f * angle), 1, 1, 1});
}
inline void add_vectors(std::vector<float>& values, float all) { values.insert(values.end(), 12, all); }

// A still list (rotation of group 1, translations and scales of both), and one that moves rotation of group 0 and the
// morph target at three times, the last two of which are a jump.
inline void add_small_keys(SmallNearArrays& arrays) {
  arrays.lists = {1, 1, 2, 2, 0, /**/ 1, /**/ 0, 1, /**/ 0, 1, /**/ 3, 1, 0, 0, 1, /**/ 0, /**/ 0, 1};
  arrays.times = {0.0f, 0.0f, 0.3f, 0.3f};
  add_rotations(arrays.values, 0.0f);
  for (const float all : {0.25f, 0.0f, 1.0f, 1.0f}) add_vectors(arrays.values, all);
  for (const float angle : {0.0f, 0.5f, 1.5f}) {
    add_rotations(arrays.values, angle);
    arrays.values.push_back(0.5f * angle);
  }
}

// A clip that stays as it is: all channels in one still list.
inline void add_still_keys(SmallNearArrays& arrays) {
  for (const std::uint32_t word : {1u, 2u, 2u, 2u, 1u, /**/ 0u, 1u, /**/ 0u, 1u, /**/ 0u, 1u, /**/ 0u, 1u})
    arrays.lists.push_back(word);
  arrays.times.push_back(0.0f);
  for (int group = 0; group < 2; ++group) add_rotations(arrays.values, 0.0f);
  for (const float all : {0.25f, 0.0f, 1.0f, 1.0f}) add_vectors(arrays.values, all);
  arrays.values.push_back(0.25f);
}

// A clip in localv: the words say what the first four bones do. The fifth turns, and the target goes with it; the rest
// of its group stands still. The ninth is in words of near characters alone. The ground goes on.
inline void add_channel_keys(SmallNearArrays& arrays, float length) {
  arrays.lists = {1, 0, 1, 1, 0, /**/ 1, /**/ 1, /**/ 2, 1, 0, 0, 1, /**/ 1, /**/ 0, 1};
  arrays.times = {0.0f, 0.0f, length, 0.0f, 0.75f * length, length};
  add_vectors(arrays.values, 0.25f);
  add_vectors(arrays.values, 1.0f);
  for (const float angle : {0.0f, 0.5f}) {
    add_rotations(arrays.values, angle);
    arrays.values.push_back(angle);
  }
  arrays.values.insert(arrays.values.end(), {0.0f, 0.0f, 0.0f, 0.5f, 0.25f, 0.125f, 1.0f, 0.5f, 0.25f});
}

// The ninth bone turns, goes on and grows, in the first, the second and the last of four frames.
inline void add_own_words(SmallNearArrays& arrays) {
  const glm::dvec3 axis(0.0, 0.0, 1.0);
  const std::vector<SlotMotion> slots{
      test::rotation_motion({glm::angleAxis(0.1, axis), glm::angleAxis(0.3, axis), glm::angleAxis(0.2, axis)}, 1e-4),
      test::vector_motion(SlotKind::translation, {{0.1, 0.2, 0.3}, {0.1, 0.25, 0.3}, {0.1, 0.2, 0.4}}, 1e-4),
      test::vector_motion(SlotKind::scale, {{1.0, 1.0, 1.0}, {1.0, 1.5, 1.0}, {1.0, 1.0, 0.5}}, 1e-4)};
  EncodedChannels encoded = encode_channels(slots, std::array{0u, 1u, kOwnFrames - 1u}, kOwnFrames).value();
  arrays.own_clip = encoded.clip;
  arrays.own_words = std::move(encoded.words);
  arrays.own_words.resize(arrays.own_words.size() + kChannelPadding, 0);
}

// The links of a draft in localv as bones: all but the second, which stands still.
inline void make_channel_motion(const SmallNearArrays& arrays, CharacterDraft& draft, MotionData& data) {
  for (std::uint32_t link = 0; link < draft.skeleton.size(); ++link)
    draft.skeleton[link].bone = link == 1 ? std::nullopt : std::optional(link);
  const BoneSample& rest = draft.skeleton[1].rest;
  data.bones[1].still = Transform{rest.position, rest.rotation, glm::dvec3(rest.scale)};
  data.channels = motion_channels(draft, data.bones).value();
  data.clips[0].frames = motion_frames(draft.clips[0]);
  data.clips[0].ground_count = 3;
  data.own_channels.slots = {SlotKind::rotation, SlotKind::translation, SlotKind::scale};
  data.own_channels.bones.resize(kChannelBones);
  data.own_channels.bones.back() = {true, 0, 1, 2, {{0.5, 0.25, 0.125}}};
  data.own_channels.words = arrays.own_words;
  data.clips[0].own_frames = MotionFrames{arrays.own_clip, kOwnFrames};
}

// Its clips are those of the draft; the first of them moves.
inline Motion small_motion(const std::shared_ptr<const SmallNearArrays>& arrays, CharacterDraft& draft) {
  MotionData data;
  for (std::uint32_t bone = 0; bone < (draft.channel_slots.empty() ? kSmallBones : kChannelBones); ++bone) {
    MotionBone made{"bone " + std::to_string(bone), std::nullopt, {}};
    if (bone > 0) made.parent = (bone - 1) / 2;
    made.rest.translation = {0.1 * bone, 1.0 / 3.0, 0.0};
    made.rest.rotation = glm::angleAxis(0.3 * bone, glm::dvec3(0, 0, 1));
    data.bones.push_back(made);
  }
  data.sockets = {{"grip", 4, data.bones[1].rest}};
  data.rest_morphs = {0.25f};
  for (std::uint32_t i = 0; i < kSmallBindings; ++i) data.bindings.push_back({glm::dmat4(1.0 + i), i % kSmallBones});
  data.root_bone = 1;
  for (const BakedClip& clip : draft.clips) {
    MotionClip& made = data.clips.emplace_back();
    made.name = clip.name;
    made.length = static_cast<float>(clip.length);
    made.loops = clip.loops;
    made.events = clip.events;
  }
  data.clips[0].list_count = 1;
  data.clips[0].root_steps = 3;
  data.clips[0].in_place = true;
  if (!draft.channel_slots.empty()) make_channel_motion(*arrays, draft, data);
  data.lists = arrays->lists;
  data.times = arrays->times;
  data.values = arrays->values;
  data.root_paths = arrays->root_paths;
  data.storage = draft.storage;
  keep(data.storage, arrays);
  return build_motion(std::move(data)).value();
}

inline void add_small_mesh(SmallNearArrays& arrays) {
  constexpr std::uint32_t kVertices = 4;
  arrays.morph_firsts = {0};
  for (std::uint32_t v = 0; v < kVertices; ++v) {
    const float x = 0.25f * static_cast<float>(v);
    arrays.vertices.emplace_back(std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(1.0f - x),
                                 std::bit_cast<std::uint32_t>(x * x), packed_direction({0.0f, 0.0f, 1.0f}));
    arrays.vertices.emplace_back(0x03020100u, 400000u | 300000u << 21, 300000u >> 11 | 200000u << 10, gpu::kNoTangent);
    arrays.surfaces.emplace_back(std::bit_cast<std::uint32_t>(x), 0u, 0xFFFFFFFFu, 0u);
    arrays.extra.emplace_back(0x00000504u, 10000u | 5000u << 16, 0u, 0u);
    arrays.deltas.push_back({.position = {0.1f, x, 0.0f}, .target = 0, .normal = {0.0f, 0.1f, 0.0f}, .unused = 0.0f});
    arrays.morph_firsts.push_back(v + 1);
  }
  arrays.columns.resize(kSmallBindings);
  std::iota(arrays.columns.begin(), arrays.columns.end(), 0u);
  gpu::ChunkRecord chunk{};
  chunk.vertex_count = kVertices;
  chunk.column_count = kSmallBindings;
  chunk.flags = gpu::kSkinEight | gpu::kSkinMorphs;
  arrays.chunks = {chunk};
  arrays.indices = {0, 1, 2, 2, 1, 3};
  const FloatBox box{glm::vec3(-1.0f), glm::vec3(2.0f)};
  const std::vector<MorphReach> reaches{{0, box}};
  append_boxes({{{5, box, 3.0f, reaches}}, {{0, {1, 2}, 0.5f, box, reaches}}}, arrays.boxes);
}

// Fills the draft's motion and near_mesh; it must have a material and a clip, and no other in localv.
inline void add_small_near(CharacterDraft& draft) {
  const auto arrays = std::make_shared<SmallNearArrays>();
  if (draft.channel_slots.empty()) {
    add_small_keys(*arrays);
  } else {
    add_channel_keys(*arrays, static_cast<float>(draft.clips[0].length));
    add_own_words(*arrays);
  }
  for (std::size_t clip = 1; clip < draft.clips.size(); ++clip) add_still_keys(*arrays);
  add_small_mesh(*arrays);
  draft.motion = small_motion(arrays, draft);
  NearMeshData data;
  NearPiece piece;
  piece.name = "body";
  piece.part = draft.parts.empty() ? 0 : 1;
  piece.vertex_count = static_cast<std::uint32_t>(arrays->surfaces.size());
  piece.index_count = static_cast<std::uint32_t>(arrays->indices.size());
  piece.chunk_count = 1;
  piece.target_count = 1;
  data.pieces = {piece};
  data.target_names = {"smile"};
  data.vertices = arrays->vertices;
  data.surfaces = arrays->surfaces;
  data.extra_influences = arrays->extra;
  data.morph_firsts = arrays->morph_firsts;
  data.deltas = arrays->deltas;
  data.chunks = arrays->chunks;
  data.columns = arrays->columns;
  data.indices = arrays->indices;
  data.boxes = arrays->boxes;
  data.storage = SharedBytes(arrays, {});
  draft.near_mesh = build_near_mesh(std::move(data), *draft.motion).value();
}

}  // namespace throng
