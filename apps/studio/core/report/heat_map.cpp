// SPDX-License-Identifier: Apache-2.0
#include "core/report/heat_map.h"

#include <algorithm>
#include <cmath>

#include "preview/ground.h"
#include "throng/base/try.h"
#include "throng/character/decode.h"
#include "throng/pose/pose.h"

namespace throng::studio {
namespace {

constexpr std::uint32_t kStepsAFrame = 8;     // as the bake's own measurement
constexpr std::uint32_t kMostMoments = 1024;  // of a clip; longer ones are looked at less closely

// A mesh of the source and where its vertices begin among all of the bake's, in the source's order.
struct ComparedMesh {
  std::size_t mesh = 0;
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
};

Result<std::vector<ComparedMesh>> compared_meshes(const Model& source, const Character& baked) {
  std::vector<ComparedMesh> compared;
  for (const BakedSource& from : baked.sources()) {
    const auto found = std::ranges::find_if(source.meshes(), [&](const Mesh& mesh) {
      return mesh.node == from.node && mesh.primitive == from.primitive && mesh.positions.size() == from.vertex_count;
    });
    if (found == source.meshes().end()) return fail("the bake is not of the model that is open");
    compared.push_back(
        {static_cast<std::size_t>(found - source.meshes().begin()), from.first_vertex, from.vertex_count});
  }
  return compared;
}

std::uint32_t baked_vertex(const Character& baked, std::uint32_t source_vertex) {
  return baked.baked_from_source().empty() ? source_vertex : baked.baked_from_source()[source_vertex];
}

}  // namespace

Result<HeatMap> find_heat(const HeatQuestion& question) {
  const Character& baked = question.result->model;
  const Model& source = question.source->model;
  const BakedClip& clip = baked.clips()[question.clip];
  if (question.result->form.settings.root_motion == RootTreatment::strip)
    return fail("root motion was dropped: there is nothing to compare with");
  const auto named = std::ranges::find(source.clips(), clip.name, &Clip::name);
  if (named == source.clips().end()) return fail("the model has no clip '{}'", clip.name);
  THRONG_TRY(const std::vector<ComparedMesh> meshes, compared_meshes(source, baked));

  HeatMap heat;
  heat.errors_mm.assign(baked.vertices().size(), 0.0f);
  // What leads from the last key of an open loop back to its first pose has no curve in the source.
  const double end = std::min(clip.length, named->end - clip.source_start);
  const std::uint32_t steps = std::clamp(kMostMoments / std::max(clip.frame_count, 1u), 1u, kStepsAFrame);
  const double step = clip.frame_count > 1 ? 1.0 / (clip.rate() * steps) : clip.length + 1.0;
  for (std::uint32_t moment = 0; moment * step <= end; ++moment) {
    const double seconds = moment * step;
    const ExactCursor at = cursor_at_time(clip, seconds);
    const DecodedVertices played = decode_pose(baked, clip, at.cursor, at.blend);
    const Pose pose = sample(source, *named, clip.source_start + seconds);
    const auto palette = skinning_palette(source, pose);
    const GroundMotion model_from_ground = inverse(ground_at(clip, seconds));
    for (const ComparedMesh& mesh : meshes) {
      const SkinnedVertices wanted = skin_mesh(source, mesh.mesh, pose, palette);
      for (std::uint32_t i = 0; i < mesh.vertex_count; ++i) {
        const std::uint32_t vertex = baked_vertex(baked, mesh.first_vertex + i);
        const glm::dvec3 there = transform_point(model_from_ground, wanted.positions[i]);
        const double off = glm::length(played.positions[vertex] - there) * baked.error().mm_per_unit;
        heat.errors_mm[vertex] = std::max(heat.errors_mm[vertex], static_cast<float>(off));
        if (off <= heat.worst_mm) continue;
        heat.worst_mm = off;
        heat.worst_vertex = vertex;
        heat.worst_seconds = seconds;
      }
    }
  }
  return heat;
}

}  // namespace throng::studio
