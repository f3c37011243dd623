// SPDX-License-Identifier: Apache-2.0
#include "source_check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "throng/pose/pose.h"

namespace throng::test {
namespace {

// Seconds from the clip's first frame that a cursor stands for.
double seconds_at(const BakedClip& clip, const Cursor& cursor) {
  const double frame = cursor.frame - clip.first_frame + double{cursor.blend};
  const double intervals = clip.loops ? clip.frame_count : clip.frame_count - 1.0;
  return intervals == 0.0 ? 0.0 : frame / intervals * clip.length;
}

// How far from the source the bake says a vertex may be, and a little for the GPU's floats.
struct Allowed {
  double distance = 0.0;
  double degrees = 0.0;
};

Allowed allowed_at(const Character& baked, const Cursor& cursor) {
  const ErrorFigures& frames = baked.error().at_frames;
  const ErrorFigures& between = baked.error().between;
  Allowed allowed;
  const double off_mm = cursor.blend == 0.0f ? frames.max_mm : std::max(frames.max_mm, between.max_mm);
  allowed.distance = off_mm / baked.error().mm_per_unit + 1e-4 * baked.bounds().diagonal();
  // Between frames normals were measured half-way only, so the worst may be a little worse.
  allowed.degrees =
      0.1 + (cursor.blend == 0.0f ? frames.normal_max_degrees
                                  : 1.25 * std::max(frames.normal_max_degrees, between.normal_max_degrees));
  return allowed;
}

// A vertex of the source, and the one of the bake it became.
struct VertexPair {
  std::size_t mesh = 0;
  std::size_t in_mesh = 0;
  std::size_t baked = 0;
};

std::vector<VertexPair> vertex_pairs(const Model& model, const Character& baked) {
  std::vector<VertexPair> pairs;
  for (const BakedSource& source : baked.sources())
    for (std::size_t m = 0; m < model.meshes().size(); ++m) {
      const Mesh& mesh = model.meshes()[m];
      if (mesh.node != source.node || mesh.primitive != source.primitive) continue;
      EXPECT_EQ(mesh.positions.size(), source.vertex_count);
      for (std::size_t v = 0; v < source.vertex_count; ++v) {
        const std::size_t number = source.first_vertex + v;
        pairs.push_back({m, v, baked.baked_from_source().empty() ? number : baked.baked_from_source()[number]});
      }
    }
  return pairs;
}

const Clip& source_clip(const Model& model, const BakedClip& clip) {
  const auto found = std::ranges::find(model.clips(), clip.name, &Clip::name);
  EXPECT_NE(found, model.clips().end()) << clip.name;
  return *found;
}

}  // namespace

Cast every_clip(const Character& model, std::uint32_t moments) {
  Cast instances;
  for (std::uint32_t clip = 0; clip < model.clips().size(); ++clip) {
    TestCharacter instance = standing(clip);
    for (std::uint32_t i = 0; i < moments; ++i) {
      const auto turn = static_cast<std::uint32_t>((std::uint64_t{i} << 32) / moments);
      instance.play.track.phase = {0x9E3779B9u * i, turn + (i * 7919u) % 65536u};
      instances.add(instance);
    }
    instance.play.track.phase = {0xFFFFFFFFu, 0xFFFFFFFFu};
    if (!model.clips()[clip].loops) instances.add(instance);
  }
  return instances;
}

Compared compare_with_source(const Model& model, const Character& baked, const Cast& instances,
                             const SkinnedCrowd& crowd) {
  Compared compared;
  const std::vector<VertexPair> pairs = vertex_pairs(model, baked);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const BakedClip& clip = baked.clips()[instances.plays[i].track.clip];
    const double time = clip.source_start + seconds_at(clip, crowd.moments[i].cursor);
    const Pose pose = sample(model, source_clip(model, clip), time);
    const auto palette = skinning_palette(model, pose);
    std::vector<SkinnedVertices> exact;
    for (std::size_t m = 0; m < model.meshes().size(); ++m) exact.push_back(skin_mesh(model, m, pose, palette));
    const Allowed allowed = allowed_at(baked, crowd.moments[i].cursor);
    for (const VertexPair& pair : pairs) {
      const std::size_t at = i * crowd.vertices_per_instance + pair.baked;
      const SkinnedVertices& mesh = exact[pair.mesh];
      ++compared.positions;
      EXPECT_LE(glm::distance(glm::dvec3(crowd.positions[at]), mesh.positions[pair.in_mesh]), allowed.distance)
          << "clip " << clip.name << ", instance " << i << ", vertex " << pair.baked;
      if (!mesh.normals.empty()) {
        ++compared.normals;
        EXPECT_LE(degrees_between(crowd.normals[at], mesh.normals[pair.in_mesh]), allowed.degrees)
            << "clip " << clip.name << ", instance " << i << ", vertex " << pair.baked;
      }
      if (::testing::Test::HasFailure()) return compared;
    }
  }
  return compared;
}

}  // namespace throng::test
