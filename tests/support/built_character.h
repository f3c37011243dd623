// SPDX-License-Identifier: Apache-2.0
#pragma once
// Characters for tests: drafts that must pass the check, and those of which a test says only what it cares about.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "throng/character/character.h"

namespace throng::test {

// The draft must be whole; what it looks into must outlive the character unless the draft's storage keeps it.
inline Character built(CharacterDraft draft) {
  auto character = build_character(std::move(draft));
  EXPECT_TRUE(character.has_value()) << character.error().message;
  return std::move(character).value();
}

// A character of these q16 clips: one bone that never moves carries one triangle. Whatever else the draft says is kept;
// its mesh, atlas and table are replaced.
inline Character built_from_clips(CharacterDraft draft) {
  struct Arrays {
    std::vector<BakedVertex> vertices = std::vector<BakedVertex>(3);
    std::vector<std::uint32_t> indices{0, 1, 2};
    std::vector<glm::vec4> table{glm::vec4(0.0f)};
    std::vector<std::uint32_t> words;
  };
  constexpr std::uint32_t kWidth = 256;
  const auto arrays = std::make_shared<Arrays>();
  for (std::size_t i = 0; i < 3; ++i) {
    arrays->vertices[i] = {};
    arrays->vertices[i].position[static_cast<glm::length_t>(i)] = 1.0f;
    arrays->vertices[i].normal = {0.0f, 0.0f, 1.0f};
    arrays->vertices[i].weights = {65535, 0, 0, 0};
  }
  if (draft.bones.empty()) draft.bones.resize(1);
  if (draft.materials.empty()) draft.materials.resize(1);
  if (draft.bounds.empty()) draft.bounds = {glm::dvec3(-1.0), glm::dvec3(1.0)};
  std::uint32_t frames = 1;
  for (BakedClip& clip : draft.clips) {
    clip.frame_count = std::max(clip.frame_count, 1u);
    if (clip.bounds.empty()) clip.bounds = draft.bounds;
    frames = std::max(frames, clip.first_frame + clip.frame_count);
  }
  draft.draws = {{0, 0, 3}};
  draft.vertices = arrays->vertices;
  draft.sources = {{.vertex_count = 3}};
  draft.baked_from_source = {};
  draft.indices = arrays->indices;
  draft.table = arrays->table;
  draft.atlas.layout = {kWidth, words_per_item(Encoding::q16, false)};
  draft.atlas.height = ceil_divide(frames, kWidth);
  draft.atlas.layer_count = 1;
  arrays->words.resize(std::size_t{kWidth} * draft.atlas.height * draft.atlas.layout.texel_words);
  for (std::size_t first = 0; first < arrays->words.size(); first += 4) {
    encode_bone(Encoding::q16, {}, {glm::dvec3(0.0), glm::dvec3(0.0), 1.0}, std::span(arrays->words).subspan(first, 4));
  }
  draft.atlas.words = arrays->words;
  draft.storage = SharedBytes(arrays, {});
  return built(std::move(draft));
}

}  // namespace throng::test
