// SPDX-License-Identifier: Apache-2.0
#pragma once
// Near characters without a picture: models whose every number is random but known, images that are waited for, and
// the vertices that come back.

#include <gtest/gtest.h>

#include "near_character.h"
#include "throng/gpu/commands.h"
#include "throng/pose/pose.h"
#include "throng/renderer/character_renderer.h"

namespace throng::test {

struct NearShape {
  std::uint32_t bones = 12;
  std::uint32_t vertices = 90;   // a multiple of 3
  std::uint32_t influences = 4;  // of a vertex, at most
  bool all_influences = false;   // every vertex has as many
  std::uint32_t meshes = 1;
  std::uint32_t materials = 1;  // meshes take turns
  std::uint32_t targets = 0;    // morph targets of each mesh
  bool uneven = false;          // bones scale differently along their axes, some mirror
  bool tangents = false;        // and a normal map that reads them
  std::string names = "bone";   // "bone 0", "bone 1", …
  unsigned seed = 1;
};

// A chain of bones, and clouds of triangles that follow random ones of them.
Model random_near_model(const NearShape& shape);

// Somewhere else.
Pose random_pose(const Model& model, unsigned seed, bool uneven = false);

// A square as test::card_model has it: upright, 2 m wide and high, standing on the ground, facing +Z; one bone.
Model card(const Material& material = {});

std::vector<Affine> affines_of(const Model& model, const Pose& pose);
std::vector<float> morphs_of(const Pose& pose);

// What the reference makes of one mesh, placed.
SkinnedVertices expected(const Model& model, std::size_t mesh, const Pose& pose, SkinMethod method,
                         const Placement& placement = {});

struct NearDeviation {
  double position = 0.0;  // of the diagonal
  double degrees = 0.0;
};
NearDeviation deviation(const VertexReadback& found, const SkinnedVertices& right, double diagonal);

class NearStage {
 public:
  explicit NearStage(const VulkanContext& context, const RendererSettings& settings = {})
      : gpu(GpuDevice::create(context).value()), renderer(CharacterRenderer::create(context, settings).value()) {}

  // Adds it; what is refused fails the test.
  ModelId add_model(const Model& model, const ModelSettings& settings = {});
  ModelId add_model(const Character& character, const ModelSettings& settings = {});
  CharacterId add(ModelId model);
  void pose(CharacterId id, const Model& model, const Pose& pose, const Placement& placement = {});

  // Everybody seen, waited for.
  void image(const RendererImage& image = {.culling = false});
  // Draws an image and reads the vertices of one piece in it.
  VertexReadback vertices(CharacterId id, const PieceRef& piece);

  std::shared_ptr<GpuDevice> gpu;
  CharacterRenderer renderer;
};

}  // namespace throng::test
