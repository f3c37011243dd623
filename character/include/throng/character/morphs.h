// SPDX-License-Identifier: Apache-2.0
#pragma once
// Morph targets of a character in bone mode: how far each is in at the frames of every clip, and what it adds to the
// vertices it moves, before bones move them. Only targets that a clip moves are here; what is constant at rest is in
// the mesh.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "throng/character/clip.h"

namespace throng {

// One weight curve, and what its integers are measured in. Targets of several meshes that always move together are one.
struct BakedTarget {
  std::string name;
  float weight_min = 0.0f;  // a weight is weight_min + weight_step · u16: how far it is in, beyond rest
  float weight_step = 0.0f;
  float position_step = 0.0f;  // of BakedDelta::position, in the mesh's space
  float normal_step = 0.0f;    // of BakedDelta::normal
};

// What a weight of one adds to a vertex, in steps of its target. As it lies in the file.
struct BakedDelta {
  std::array<std::int16_t, 3> position{};
  std::array<std::int16_t, 3> normal{};  // added to the unit normal; the sum is made unit length again by skinning
  std::uint16_t target = 0;
  std::uint16_t unused = 0;
};
static_assert(sizeof(BakedDelta) == 16 && std::is_trivially_copyable_v<BakedDelta>);

// A vertex that targets move. Its deltas follow those of the vertex before it.
struct MorphedVertex {
  std::uint32_t vertex = 0;
  std::uint32_t delta_count = 0;
};
static_assert(sizeof(MorphedVertex) == 8 && std::is_trivially_copyable_v<MorphedVertex>);

// Which targets there are, their weights at the frames, and what they move.
struct BakedMorphs {
  std::vector<BakedTarget> targets;              // none: the character has no morph targets, and the rest is empty
  std::span<const std::uint16_t> weights;        // rows of one a target: see morph_place()
  std::span<const MorphedVertex> vertices = {};  // ascending
  std::span<const BakedDelta> deltas = {};

  bool empty() const { return targets.empty(); }  // whether the character has no morph targets
  // What they take in memory.
  std::size_t bytes() const { return weights.size_bytes() + vertices.size_bytes() + deltas.size_bytes(); }
};

// How many rows of weights a clip has: morph_steps from each frame to the next, so that a face may move faster than
// bones need frames; or one for all of it.
std::uint64_t morph_rows(const BakedClip& clip);

// The two rows that a cursor is between. `blend`: the cursor's, as exact as it is known.
struct MorphPlace {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  double blend = 0.0;
};
// The rows of weights that lie before and behind that moment, and how far between.
MorphPlace morph_place(const BakedClip& clip, const Cursor& cursor, double blend);

struct CharacterDraft;

// How far every target is in, beyond rest.
std::vector<double> morph_weights(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor,
                                  double blend);

// The mesh with its targets in so far, before bones move it. Normals have a direction but no certain length.
struct MorphedMesh {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;
};
// The mesh at rest with the targets added, each by its weight.
MorphedMesh morphed_mesh(const CharacterDraft& model, std::span<const double> weights);

// What shaders read (throng/shaders/sampling/morphs.glsl): all of the above as words. None where there are no morph
// targets.
std::vector<std::uint32_t> morph_words(const CharacterDraft& model);

}  // namespace throng
