// SPDX-License-Identifier: Apache-2.0
#include "gltf/convert/meshes.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>

#include "finite.h"
#include "gltf/convert/copies.h"
#include "gltf/convert/influences.h"
#include "gltf/convert/triangles.h"
#include "gltf/convert/vertices.h"
#include "gltf/data/accessor.h"
#include "gltf/data/instances.h"
#include "kept_influences.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng::detail::gltf {
namespace {

// Where a primitive sits, for names and messages.
struct Place {
  std::size_t node;
  std::size_t mesh;
  std::size_t primitive;
};

// The binding of a bone with that matrix, shared with every earlier one that is the same.
Result<std::uint16_t> find_or_add_binding(Conversion& c, const Binding& binding) {
  constexpr std::size_t kMaxBindings = std::numeric_limits<std::uint16_t>::max();
  auto& bindings = c.draft.bindings;
  for (const std::uint16_t known : c.bindings_of_bone[binding.bone]) {
    if (bindings[known].bone_from_mesh == binding.bone_from_mesh) return known;
  }
  if (bindings.size() >= kMaxBindings) return fail("more than {} joints and rigid parts in use", kMaxBindings);
  const auto index = static_cast<std::uint16_t>(bindings.size());
  bindings.push_back(binding);
  c.bindings_of_bone[binding.bone].push_back(index);
  return index;
}

// model_from_bone at rest; all are worked out where the first is asked for, since bones may hang on one another in a
// row as long as the file.
const glm::dmat4& rest_matrix(Conversion& c, std::uint32_t bone) {
  if (c.rest_matrices.empty()) {
    for (const Bone& one : c.skeleton.bones) {
      const glm::dmat4 local = to_matrix(one.rest);
      c.rest_matrices.push_back(one.parent ? c.rest_matrices[*one.parent] * local : local);
    }
  }
  return c.rest_matrices[bone];
}

// An inverse bind matrix: its last row is what it must be, and without numbers it leaves the mesh where it is at rest.
glm::dmat4 mended_matrix(Conversion& c, std::uint32_t bone, const double* values) {
  glm::dmat4 matrix = glm::make_mat4(values);
  if (!is_finite(matrix)) {
    c.mender.count(Fault::matrix);
    const glm::dmat4& rest = rest_matrix(c, bone);
    return glm::determinant(rest) != 0.0 ? glm::inverse(rest) : glm::dmat4(1.0);
  }
  constexpr double kLastRowTolerance = 1e-5;
  double off = 0.0;
  for (int column = 0; column < 4; ++column) {
    const double expected = column == 3 ? 1.0 : 0.0;
    off = std::max(off, std::abs(matrix[column][3] - expected));
    if (off > kLastRowTolerance) matrix[column][3] = expected;
  }
  if (off > kLastRowTolerance) c.mender.count(Fault::matrix_row);
  return matrix;
}

Result<void> bind_skin(Conversion& c, std::size_t skin_index) {
  auto& bindings = c.bindings_of_skin[skin_index];
  if (!bindings.empty()) return {};
  const auto& skin = c.document.model.skins[skin_index];
  std::vector<double> matrices;
  if (skin.inverse_bind_matrices) {
    THRONG_TRY(auto read, read_raw(c.document, *skin.inverse_bind_matrices));
    matrices = std::move(read);
  }
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    Binding binding;
    binding.bone = c.skeleton.bone_of_node[skin.joints[j]].value();
    if (!matrices.empty()) binding.bone_from_mesh = mended_matrix(c, binding.bone, matrices.data() + j * 16);
    THRONG_TRY(auto index, find_or_add_binding(c, binding));
    bindings.push_back(index);
  }
  return {};
}

Result<void> bind(Conversion& c, const Place& place, const source::Primitive& primitive, Mesh& mesh) {
  const source::Index skin = c.document.model.nodes[place.node].skin;
  const bool has_joints = primitive.attributes.contains("JOINTS_0");
  if (skin && has_joints) {
    THRONG_CHECK(bind_skin(c, *skin));
    return read_influences(c, primitive, c.bindings_of_skin[*skin], mesh);
  }
  if (skin || has_joints) ++c.tally.unskinned;
  THRONG_TRY(auto binding, find_or_add_binding(c, {.bone = c.skeleton.bone_of_node[place.node].value()}));
  mesh.influences.assign(mesh.positions.size(), import::bound_rigidly(binding).strongest);
  return {};
}

// The white material of primitives that name none, made when first needed.
std::uint32_t default_material(ModelDraft& draft, std::size_t material_count) {
  if (draft.materials.size() == material_count) draft.materials.emplace_back().name = "default";
  return static_cast<std::uint32_t>(material_count);
}

std::string mesh_name(const Document& document, const Place& place) {
  const std::string& name = document.model.meshes[place.mesh].name;
  return name.empty() ? node_name(document, place.node) : name;
}

// Whether any of what the primitive needs lies in a buffer that the file leaves open.
bool is_placeholder(const Document& document, const Place& place, const source::Primitive& primitive) {
  const auto open = [&document](source::Index accessor) {
    return accessor && backing_of(document, *accessor) == Backing::placeholder;
  };
  const auto any_open = [&open](const source::Attributes& attributes) {
    return std::any_of(attributes.begin(), attributes.end(), [&open](const auto& entry) { return open(entry.second); });
  };
  const source::Index skin = document.model.nodes[place.node].skin;
  return open(primitive.indices) || any_open(primitive.attributes) ||
         std::any_of(primitive.targets.begin(), primitive.targets.end(), any_open) ||
         (skin && open(document.model.skins[*skin].inverse_bind_matrices));
}

Result<void> convert_primitive(Conversion& c, const Place& place) {
  const auto& primitive = c.document.model.meshes[place.mesh].primitives[place.primitive];
  if (primitive.mode < kTriangles) {
    ++c.tally.points_and_lines;
    return {};
  }
  if (is_placeholder(c.document, place, primitive)) {
    ++c.tally.without_data;
    return {};
  }
  if (!primitive.attributes.contains("POSITION")) {
    ++c.tally.without_position;
    return {};
  }
  Mesh mesh;
  mesh.name = mesh_name(c.document, place);
  mesh.part = node_name(c.document, place.node);
  mesh.node = static_cast<std::uint32_t>(place.node);
  mesh.primitive = static_cast<std::uint32_t>(place.primitive);
  mesh.material = primitive.material ? static_cast<std::uint32_t>(*primitive.material)
                                     : default_material(c.draft, c.document.model.materials.size());
  THRONG_CHECK(read_vertices(c, primitive, mesh));
  THRONG_CHECK(read_morphs(c.document, place.node, primitive, mesh));
  THRONG_CHECK(bind(c, place, primitive, mesh));
  THRONG_TRY(auto triangles, read_triangles(c.document, primitive, mesh.positions.size(), c.tally));
  mesh.indices = std::move(triangles);
  import::mend_numbers(mesh, c.mender);
  const auto& node = c.document.model.nodes[place.node];
  if (node.instances && node.skin) ++c.tally.skinned_instances;
  if (node.instances && !node.skin) {
    THRONG_TRY(const auto places, read_instances(c.document, node, c.mender));
    if (places.empty()) return {};
    make_copies(mesh, places);
  }
  c.meshes_of_node[place.node].push_back(static_cast<std::uint32_t>(c.draft.meshes.size()));
  c.draft.meshes.push_back(std::move(mesh));
  return {};
}

void note_tally(Conversion& c) {
  Document& d = c.document;
  const MeshTally& tally = c.tally;
  for (const std::string& note :
       import::notes_of(tally.repairs, c.most_influences, "the first joint of [its|their] skin"))
    d.note("{}", note);
  const std::pair<std::uint64_t, std::string_view> told[] = {
      {tally.zero_tangents, "[tangent has|tangents have] no length; made to lie across the normal"},
      {tally.tangents_alone, "[primitive has|primitives have] tangents but no normals; left out"},
      {tally.points_and_lines, "[primitive|primitives] of points or lines left out"},
      {tally.skinned_instances, "[primitive with a skin has|primitives with a skin have] instances; shown once"},
      {tally.hidden, "[mesh on a node that is|meshes on nodes that are] not visible left out"},
      {tally.without_data, "[primitive|primitives] whose buffer has no data left out"},
      {tally.without_position, "[primitive|primitives] without positions left out"},
      {tally.spare_indices, "[index|indices] after the last whole triangle left out"},
      {tally.unskinned,
       "[primitive has|primitives have] joints or a skin but not both; moved by [its|their] node alone"},
  };
  for (const auto& [count, sentence] : told)
    if (count > 0) d.note("{}", in_number(count, sentence));
}

}  // namespace

Result<void> convert_meshes(Conversion& c, const Progress& progress) {
  const auto& model = c.document.model;
  c.meshes_of_node.resize(model.nodes.size());
  c.bindings_of_bone.resize(c.skeleton.bones.size());
  c.bindings_of_skin.resize(model.skins.size());
  for (std::size_t node = 0; node < model.nodes.size(); ++node) {
    if (!model.nodes[node].mesh) continue;
    if (c.skeleton.bone_of_node[node] && c.skeleton.hidden[node]) ++c.tally.hidden;
    if (!c.skeleton.drawn[node]) continue;
    const std::size_t mesh = *model.nodes[node].mesh;
    report(progress, "read", static_cast<double>(node) / static_cast<double>(model.nodes.size()));
    for (std::size_t p = 0; p < model.meshes[mesh].primitives.size(); ++p) {
      if (auto ok = convert_primitive(c, {node, mesh, p}); !ok) {
        return fail("meshes[{}].primitives[{}] on nodes[{}]: {}", mesh, p, node, ok.error().message);
      }
    }
  }
  import::finish_repairs(c.tally.repairs);
  note_tally(c);
  return {};
}

}  // namespace throng::detail::gltf
