// SPDX-License-Identifier: Apache-2.0
#include "body.h"

#include <array>
#include <map>

#include "shape.h"
#include "surface.h"
#include "weights.h"

namespace throng::detail::mannequin {
namespace {

constexpr std::size_t kHalfVertices = 1195;
enum MaterialId : std::uint32_t { kShell, kTrim };

// Relative to the material's base colour, linear. The accent belongs to the shell, whose base is light enough to carry
// it.
struct Look {
  MaterialId material;
  glm::vec3 colour;
};
Look look_of(std::int32_t panel) {
  if (panel < 0) return {kShell, glm::vec3(1.0f)};
  switch (panel_kind(panel)) {
    case Panel::joint:
      return {kTrim, glm::vec3(0.75f)};
    case Panel::visor:
      return {kTrim, glm::vec3(0.18f, 0.22f, 0.30f)};
    case Panel::accent:
      return {kShell, glm::vec3(1.0f, 0.36f, 0.06f)};
    case Panel::shell:
      break;
  }
  return {kShell, glm::vec3(1.0f)};
}

std::vector<Material> make_materials() {
  Material shell, trim;
  shell.name = "shell";
  shell.base_colour = {0.80f, 0.79f, 0.77f, 1.0f};
  trim.name = "trim";
  trim.base_colour = {0.075f, 0.080f, 0.090f, 1.0f};
  return {shell, trim};
}

class MeshBuilder {
 public:
  MeshBuilder(const Surface& surface) : surface_(surface), meshes_(2) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      meshes_[i].name = i == kShell ? "shell" : "trim";
      meshes_[i].primitive = i;
      meshes_[i].material = i;
    }
  }

  std::vector<Mesh> build() {
    for (const Triangle& t : surface_.triangles) {
      const Look look = look_of(t.panel);
      for (const std::uint32_t v : t.v) meshes_[look.material].indices.push_back(vertex(v, t.panel, look));
    }
    return std::move(meshes_);
  }

 private:
  // Vertices on an outline exist once for each look, so colours do not bleed across it.
  std::uint32_t vertex(std::uint32_t v, std::int32_t panel, const Look& look) {
    Mesh& mesh = meshes_[look.material];
    const auto kind = panel < 0 ? Panel::shell : panel_kind(panel);
    const auto [entry, fresh] = made_.try_emplace({v, kind}, static_cast<std::uint32_t>(mesh.positions.size()));
    if (fresh) {
      const glm::dvec3& p = surface_.positions[v];
      const glm::dvec3 normal = body_normal(p);
      const auto shade = static_cast<float>(0.50 + 0.50 * openness(p, normal));
      mesh.positions.push_back(glm::vec3(p));
      mesh.normals.push_back(glm::vec3(normal));
      mesh.colours.push_back(glm::vec4(look.colour * shade, 1.0f));
      mesh.influences.push_back(skin_weights(p));
    }
    return entry->second;
  }

  const Surface& surface_;
  std::vector<Mesh> meshes_;
  std::map<std::pair<std::uint32_t, Panel>, std::uint32_t> made_;
};

}  // namespace

Body make_body() {
  Surface half = polygonise_half_body();
  cut_along_panels(half);
  thin_out(half, kHalfVertices);
  const Surface whole = mirror(half);
  return {MeshBuilder(whole).build(), make_materials()};
}

}  // namespace throng::detail::mannequin
