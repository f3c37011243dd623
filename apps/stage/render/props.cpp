// SPDX-License-Identifier: Apache-2.0
#include "render/props.h"

#include "crowd/staff.h"
#include "throng/import/import.h"
#include "throng/pose/pose.h"

using namespace throng;

namespace {

// Joins all meshes of a model at rest.
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
  if (name == "staff") return make_staff(metre);
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
