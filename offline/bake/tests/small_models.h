// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bakes of models small enough to know by heart.

#include <gtest/gtest.h>

#include "bar_model.h"
#include "throng/bake/bake.h"
#include "throng/character/decode.h"
#include "throng/pose/pose.h"

namespace throng {

// Most tests are about other things than the error bound and levels of detail, which take most of a bake: where they
// leave them as they usually are, there are none.
inline BakeSettings plain(BakeSettings settings) {
  if (settings.max_error_mm == BakeSettings().max_error_mm) settings.max_error_mm.reset();
  if (settings.levels == BakeSettings().levels) settings.levels = 1;
  return settings;
}

inline Character baked(const Model& model, const BakeSettings& settings = {}) {
  SerialExecutor executor;
  auto out = bake(model, plain(settings), executor);
  EXPECT_TRUE(out.has_value()) << out.error().message;
  return std::move(out).value();
}

// With the bound as it is set.
inline Character bounded(const Model& model, const BakeSettings& settings = {}) {
  SerialExecutor executor;
  auto out = bake(model, settings, executor);
  EXPECT_TRUE(out.has_value()) << out.error().message;
  return std::move(out).value();
}

inline bool warns(const Character& character, std::string_view text) {
  return std::ranges::any_of(character.warnings(),
                             [&](const std::string& warning) { return warning.find(text) != std::string::npos; });
}

inline std::string refusal(const Model& model, const BakeSettings& settings = {}) {
  SerialExecutor executor;
  auto out = bake(model, plain(settings), executor);
  return out ? "" : out.error().message;
}

// The source's vertices, every mesh, in the order of Character::sources; the baked model's are reordered.
inline SkinnedVertices in_source_order(const Model& model, const Character& baked, const Pose& pose) {
  const auto palette = skinning_palette(model, pose);
  SkinnedVertices out;
  for (const BakedSource& source : baked.sources()) {
    for (std::size_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
      const Mesh& m = model.meshes()[mesh];
      if (m.node != source.node || m.primitive != source.primitive || m.positions.size() != source.vertex_count)
        continue;
      const auto skinned = skin_mesh(model, mesh, pose, palette);
      out.positions.insert(out.positions.end(), skinned.positions.begin(), skinned.positions.end());
      out.normals.insert(out.normals.end(), skinned.normals.begin(), skinned.normals.end());
      break;
    }
  }
  return out;
}

// The source's vertices in the order the baked model has them. None is merged in bone mode.
inline SkinnedVertices source_vertices(const Model& model, const Character& baked, const Pose& pose) {
  SkinnedVertices in_order = in_source_order(model, baked, pose);
  if (baked.baked_from_source().empty()) return in_order;
  SkinnedVertices out = in_order;
  EXPECT_EQ(baked.baked_from_source().size(), out.positions.size());
  for (std::size_t i = 0; i < out.positions.size(); ++i) {
    out.positions[baked.baked_from_source()[i]] = in_order.positions[i];
    if (i < in_order.normals.size()) out.normals[baked.baked_from_source()[i]] = in_order.normals[i];
  }
  return out;
}

// The baked vertex that a source vertex became.
inline BakedVertex baked_vertex(const Character& baked, std::size_t source) {
  return baked.vertices()[baked.baked_from_source().empty() ? source : baked.baked_from_source()[source]];
}

// The largest distance between decoded and source vertices at `seconds` from the clip's start, in model units.
inline double error_at(const Model& model, const Character& baked, std::size_t clip, double seconds) {
  const BakedClip& c = baked.clips()[clip];
  const ExactCursor at = cursor_at_time(c, seconds);
  const auto decoded = decode_pose(baked, c, at.cursor, at.blend);
  const auto truth = source_vertices(model, baked, sample(model, model.clips()[clip], c.source_start + seconds));
  EXPECT_EQ(decoded.positions.size(), truth.positions.size());
  double worst = 0.0;
  for (std::size_t v = 0; v < truth.positions.size(); ++v) {
    worst = std::max(worst, glm::distance(decoded.positions[v], truth.positions[v]));
  }
  return worst;
}

}  // namespace throng
