// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small baked models whose every number is known, without the bake.

#include <array>
#include <memory>
#include <random>

#include "built_character.h"
#include "throng/character/character.h"

namespace throng::test {

// Owns what a Character looks into.
struct ModelStorage {
  std::vector<BakedVertex> vertices;
  std::vector<glm::vec4> tangents;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint32_t> words;
  std::vector<glm::vec4> table;
  std::vector<std::uint32_t> channel_words;
  std::vector<std::uint16_t> morph_weights;
  std::vector<MorphedVertex> morphed_vertices;
  std::vector<BakedDelta> deltas;
};

struct ModelShape {
  std::uint32_t bones = 4;
  Layout layout{4, 4};          // narrower than a frame: frames fold into rows; wider: several lie side by side
  std::uint32_t vertices = 12;  // a multiple of 3
  std::vector<std::uint32_t> clip_frames = {8, 5};
  std::vector<bool> clip_loops = {true, false};
  std::vector<Encoding> encodings = {Encoding::q16};  // clips take turns; all of one mode
  bool tangents = false;                              // at rest, or of vertex mode in the frames
  std::uint32_t sockets = 0;                          // of the model, on its bones or among its items
  std::uint32_t links = 7;                            // of local8 or localv
  std::uint32_t layers = 1;                           // clips take turns
  std::uint32_t layer_rows = 0;  // of every layer: clips run on from one to the next, of which there are as many as
                                 // they need; 0: as many as the clips of a layer need
  std::uint32_t morphs = 0;      // targets of bone mode; clips have none to three rows a frame
  unsigned seed = 1;
};

// For tests of encodings that care little for where they lie: a frame takes a few rows. Shaders are compiled for a
// model's layout, bones and encodings, so that tests of one shape share them.
ModelShape folding_shape(std::vector<Encoding> encodings, bool tangents = true);

// Random vertices bound to random bones by up to four weights, random movements in every frame; neighbouring
// quaternions often differ in sign only.
Character random_model(const ModelShape& shape);
CharacterDraft random_draft(const ModelShape& shape);

// An upright square, 2 m wide and high, standing on the ground, facing +Z, moved by one bone that turns about its
// middle: clip 0 stands still, clip 1 rises by 1 m over its two frames and stops there. The same in every encoding.
Character card_model(const Material& material, Encoding encoding = Encoding::q16);
CharacterDraft card_draft(const Material& material, Encoding encoding = Encoding::q16);

// A two-by-two picture as PNG bytes, for their materials.
ImageSource png(const std::array<std::array<std::uint8_t, 4>, 4>& pixels);

struct TestCharacter {
  InstanceRecord instance{};
  PlayRecord play{};
};

// Characters as renderers take them.
struct Cast {
  Cast() = default;
  Cast(std::initializer_list<TestCharacter> characters) {
    for (const TestCharacter& character : characters) add(character);
  }
  void add(const TestCharacter& character) {
    instances.push_back(character.instance);
    plays.push_back(character.play);
  }
  std::size_t size() const { return instances.size(); }
  TestCharacter operator[](std::size_t i) const { return {instances[i], plays[i]}; }

  std::vector<InstanceRecord> instances;
  std::vector<PlayRecord> plays;
};

// One at a place that plays `clip` from its start at no speed.
TestCharacter standing(std::uint32_t clip, const glm::vec3& position = glm::vec3(0.0f));

// A crowd over every clip at many moments; every third in a cross-fade when `fades`.
Cast random_cast(const Character& model, std::size_t count, unsigned seed, bool fades = false);

}  // namespace throng::test
