// SPDX-License-Identifier: Apache-2.0
#include "crowd/props.h"

#include <array>
#include <cmath>
#include <numbers>

#include "files.h"
#include "throng/import/import.h"
#include "throng/pose/pose.h"

using namespace throng;

namespace {

struct Ring {
  double height;
  double radius;
  glm::vec3 colour;
};

// A turned shape about the y axis: rings from below, joined by triangles.
PropMesh turned(std::span<const Ring> rings, double metre) {
  constexpr std::uint32_t kSides = 10;
  PropMesh mesh;
  for (std::size_t r = 0; r < rings.size(); ++r) {
    const Ring& below = rings[r == 0 ? 0 : r - 1];
    const Ring& above = rings[std::min(r + 1, rings.size() - 1)];
    const double rise = above.height - below.height;
    const double widening = above.radius - below.radius;
    for (std::uint32_t i = 0; i < kSides; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kSides;
      const glm::dvec3 out(std::cos(angle), 0.0, std::sin(angle));
      mesh.positions.emplace_back(metre * (out * rings[r].radius + glm::dvec3(0.0, rings[r].height, 0.0)));
      mesh.normals.emplace_back(glm::normalize(out * rise + glm::dvec3(0.0, -widening, 0.0)));
      mesh.colours.push_back(rings[r].colour);
    }
  }
  for (std::uint32_t r = 0; r + 1 < rings.size(); ++r)
    for (std::uint32_t i = 0; i < kSides; ++i) {
      const std::uint32_t a = r * kSides + i;
      const std::uint32_t b = r * kSides + (i + 1) % kSides;
      for (const std::uint32_t index : {a, a + kSides, b, b, a + kSides, b + kSides}) mesh.indices.push_back(index);
    }
  return mesh;
}

PropMesh staff(double metre) {
  const glm::vec3 wood(0.23f, 0.11f, 0.045f);
  const glm::vec3 brass(0.72f, 0.46f, 0.12f);
  const std::array<Ring, 10> rings{{{-0.75, 0.0, wood},
                                    {-0.75, 0.016, wood},
                                    {0.8, 0.016, wood},
                                    {0.8, 0.03, brass},
                                    {0.84, 0.045, brass},
                                    {0.9, 0.055, brass},
                                    {0.96, 0.045, brass},
                                    {1.0, 0.02, brass},
                                    {1.08, 0.008, brass},
                                    {1.12, 0.0, brass}}};
  return turned(rings, metre);
}

// All meshes of a model at rest.
PropMesh at_rest(const Model& model) {
  PropMesh prop;
  const Pose pose = rest_pose(model);
  const auto palette = skinning_palette(model, pose);
  for (std::size_t m = 0; m < model.meshes().size(); ++m) {
    const Mesh& mesh = model.meshes()[m];
    const SkinnedVertices skinned = skin_mesh(model, m, pose, palette);
    const auto first = static_cast<std::uint32_t>(prop.positions.size());
    const glm::vec3 colour(model.materials()[mesh.material].base_colour);
    for (std::size_t v = 0; v < skinned.positions.size(); ++v) {
      prop.positions.emplace_back(skinned.positions[v]);
      prop.normals.emplace_back(skinned.normals.empty() ? glm::dvec3(0.0, 1.0, 0.0) : skinned.normals[v]);
      prop.colours.push_back(colour);
    }
    for (const std::uint32_t index : mesh.indices) prop.indices.push_back(first + index);
  }
  return prop;
}

}  // namespace

Result<PropMesh> load_prop(const std::string& name, double metre, const ImportSettings& settings) {
  if (name == "staff") return staff(metre);
  auto imported = import_model(name, settings);
  if (!imported) return fail(with_context("--prop", std::move(imported).error()));
  return at_rest(imported->model);
}

Result<SocketId> find_socket(const Character& model, const std::string& name) {
  if (model.sockets().empty())
    return fail("the asset has no sockets to hang a prop on; bake it with --sockets, for example --sockets hand");
  if (name.empty()) return SocketId(0);
  return model.find_socket(name);
}
