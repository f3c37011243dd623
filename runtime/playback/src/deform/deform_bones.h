// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vertices on their bones, in float.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "deform/deform_kernels.h"
#include "throng/playback/deform.h"

namespace throng::detail::playback {

using kernels::Column;
using kernels::RestVertex;

// A mesh at rest. Vertices that follow as many columns lie together, those of one column first, so that a loop over
// them asks no vertex how many it follows. Each of these runs is filled up with its last vertex to a multiple of four.
struct RestMesh {
  struct Run {
    std::size_t first = 0;
    std::size_t count = 0;   // of the mesh
    std::size_t filled = 0;  // with the repeated ones
  };

  explicit RestMesh(const Character& model);
  RestMesh() = default;

  // The vertices with the model's morph targets in so far.
  std::vector<RestVertex> morphed(const Character& model, const PlayRecord& play, Ticks now) const;

  std::vector<RestVertex> vertices;
  std::array<Run, 4> runs{};          // by the number of columns less one
  std::vector<float> tangents;        // four for each of `vertices`, the last is 0; empty: the model has none
  std::vector<float> sides;           // of the tangents, by the number of the vertex
  std::vector<std::uint32_t> places;  // among `vertices`, by the number of the vertex; empty: nothing morphs
};

struct MovedColumns {
  std::vector<Column> columns;       // with their normals where they are not even
  std::vector<float> sides;          // −1: the column mirrors; empty: not asked for
  bool affine = false;               // directions must be made unit column by column
  std::optional<double> even_scale;  // of all: none is affine, and all scale alike
  glm::mat3 rotation{1.0f};          // of the character, for directions that no bone rotates
};

// `tangents`: whether those are wanted, too.
MovedColumns moved_columns(const Character& model, const PlayRecord& play, Ticks now, const InstanceRecord* placed,
                           bool tangents);

// `vertices` are the mesh's, or what morphed() makes of them.
void deform_bones(const RestMesh& mesh, std::span<const RestVertex> vertices, const MovedColumns& columns,
                  const Deformer::Output& out);

}  // namespace throng::detail::playback
