// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vertices on their bones, in float.

#include <array>
#include <span>
#include <vector>

#include "throng/math/simd/float4.h"
#include "throng/playback/deform.h"

namespace throng::detail::playback {

using namespace simd;

// A vertex at rest, ready to be multiplied with columns.
struct RestVertex {
  Float4 position;
  Float4 normal;
  Float4 tangent;
  std::array<float, 4> weights;
  std::array<std::uint16_t, 4> columns;
  std::uint32_t influences = 0;  // how many of them weigh anything; those come first
};

std::vector<RestVertex> rest_vertices(const Character& model);

// What a column does, as the columns of its matrices.
struct FloatColumn {
  std::array<Float4, 4> points;   // the last is added
  std::array<Float4, 3> normals;  // of unit length when the column only rotates
  float side = 1.0f;              // −1: it mirrors
};

struct FloatColumns {
  std::vector<FloatColumn> columns;
  bool affine = false;       // normals must be made unit one by one
  glm::mat3 rotation{1.0f};  // of the character, for directions that no bone rotates
};

// The vertices that morph targets move, with the targets in so far.
void morph(const Character& model, const PlayRecord& play, Ticks now, std::span<RestVertex> vertices);

FloatColumns float_columns(const Character& model, const PlayRecord& play, Ticks now, const InstanceRecord* placed);

void deform_bones(std::span<const RestVertex> vertices, const FloatColumns& columns, const Deformer::Output& out);

}  // namespace throng::detail::playback
