// SPDX-License-Identifier: Apache-2.0
#include "fbx/mesh/mesh_source.h"

#include <algorithm>

#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng::detail::fbx {
namespace {

// What a control point and a polygon's corner take on the way to vertices and indices: lists of the file's numbers,
// influences, the table that finds equal corners, and the mesh itself. A face of a million corners takes some seconds
// to cut, and more are not to be had in 512 MiB.
constexpr std::size_t kBytesOfPoint = 224;
constexpr std::size_t kBytesOfCorner = 512;

struct LayerNames {
  const char* element;
  const char* values;
  const char* indices;
  std::size_t width;
};

constexpr LayerNames kNormals{"LayerElementNormal", "Normals", "NormalsIndex", 3};
constexpr LayerNames kUvs{"LayerElementUV", "UV", "UVIndex", 2};
constexpr LayerNames kColours{"LayerElementColor", "Colors", "ColorIndex", 4};

std::string text_or_empty(const Element* element) {
  const std::string* text = text_at(element, 0);
  return text ? *text : std::string();
}

// Exporters spell it in four ways.
bool is_by_point(const std::string& mapping) {
  return mapping == "ByVertice" || mapping == "ByVertex" || mapping == "ByControlPoint" || mapping == "ByVertices";
}

bool all_below(const std::vector<std::int32_t>& indices, std::size_t limit) {
  return std::all_of(indices.begin(), indices.end(),
                     [&](std::int32_t index) { return index >= 0 && static_cast<std::size_t>(index) < limit; });
}

// −1 says that a corner has none.
void point_missing_at_zero(MeshLayer& layer) {
  auto& indices = *layer.indices;
  if (std::find(indices.begin(), indices.end(), -1) == indices.end()) return;
  const auto zero = static_cast<std::int32_t>(layer.values.size() / layer.width);
  layer.values.resize(layer.values.size() + layer.width);
  std::replace(indices.begin(), indices.end(), -1, zero);
}

std::optional<MeshLayer> checked_layer(const Element& element, const LayerNames& names, const MeshSource& mesh) {
  const std::string mapping = text_or_empty(element.child("MappingInformationType"));
  MeshLayer layer{.by_point = is_by_point(mapping),
                  .width = names.width,
                  .values = reals_of(element.child(names.values)),
                  .indices = {}};
  if (!layer.by_point && mapping != "ByPolygonVertex") return std::nullopt;
  if (layer.values.size() % names.width != 0) return std::nullopt;
  const std::size_t count = layer.by_point ? mesh.point_count() : mesh.corners.size();
  const Element* list = element.child(names.indices);
  const std::string reference = text_or_empty(element.child("ReferenceInformationType"));
  const auto values = [&] { return layer.values.size() / names.width; };
  if (!list || reference == "Direct") return values() == count ? std::optional(std::move(layer)) : std::nullopt;
  layer.indices = integers_of(list);
  if (layer.indices) point_missing_at_zero(layer);
  if (!layer.indices || layer.indices->size() != count || !all_below(*layer.indices, values())) return std::nullopt;
  return layer;
}

// The first of its kind; the others of a mesh are nothing a base colour uses.
Result<std::optional<MeshLayer>> read_layer(Conversion& c, const LayerNames& names, const MeshSource& mesh) {
  const Element* element = mesh.geometry->element->child(names.element);
  if (!element) return std::nullopt;
  // Every node that shows the geometry has a copy, and there may be far more values than corners.
  THRONG_CHECK(c.budget.spend(sizeof(double), number_count(element->child(names.values)), names.values));
  THRONG_CHECK(c.budget.spend(sizeof(std::int32_t), number_count(element->child(names.indices)), names.values));
  auto layer = checked_layer(*element, names, mesh);
  const std::string& name = c.rig.scene().nodes[mesh.node].name;
  if (!layer) {
    c.note("mesh '{}': its {} do not fit its polygons; left out", name, names.values);
  } else if (!are_finite(layer->values)) {
    THRONG_CHECK(c.mender.pass_on("mesh '{}' has {} that are not finite", name, names.values));
  }
  return layer;
}

// Whatever uses a point that is nowhere will be left out.
Result<void> count_points_nowhere(const std::string& name, const MeshSource& mesh, import::Mender& mender) {
  for (std::size_t i = 0; i < mesh.point_count(); ++i) {
    if (is_finite(mesh.position(i))) continue;
    THRONG_CHECK(mender.forgive(import::Fault::vertex, "mesh '{}' has a position that is not finite", name));
  }
  return {};
}

// Before any of it is copied, for every node that shows it.
Result<void> pay_for(const Document& document, const Object& object, import::Budget& budget) {
  const Element& geometry = *object.element;
  constexpr std::uint64_t kSteps = 8;
  std::uint64_t links = document.sources_of(object.id).size();
  for (const Kind kind : {Kind::skin, Kind::blend_shape}) {
    for (const Object* deformer : document.sources_of(object.id, kind)) {
      links += document.sources_of(deformer->id).size();
      THRONG_CHECK(budget.spend(sizeof(double), number_count(deformer->element->child("BlendWeights")), "skins"));
    }
  }
  THRONG_CHECK(budget.look(kSteps + links, "geometries"));
  THRONG_CHECK(budget.spend(kBytesOfPoint, number_count(geometry.child("Vertices")) / 3, "vertices"));
  return budget.spend(kBytesOfCorner, number_count(geometry.child("PolygonVertexIndex")), "polygons");
}

Result<void> read_polygons(const std::string& name, MeshSource& mesh, import::Mender& mender) {
  mesh.points = reals_of(mesh.geometry->element->child("Vertices"));
  auto corners = integers_of(mesh.geometry->element->child("PolygonVertexIndex"));
  if (!corners || mesh.points.size() % 3 != 0)
    return fail("mesh '{}' has vertices or indices that are no numbers", name);
  THRONG_CHECK(count_points_nowhere(name, mesh, mender));
  mesh.corners = std::move(*corners);
  if (!mesh.corners.empty() && mesh.corners.back() >= 0) mesh.corners.back() = -1 - mesh.corners.back();
  for (const std::int32_t corner : mesh.corners) {
    const auto point = static_cast<std::size_t>(corner < 0 ? -1 - static_cast<std::int64_t>(corner) : corner);
    if (point >= mesh.point_count()) {
      return fail("mesh '{}' has a polygon that names vertex {} of {}", name, point, mesh.point_count());
    }
  }
  return {};
}

std::size_t polygon_count(const MeshSource& mesh) {
  return static_cast<std::size_t>(
      std::count_if(mesh.corners.begin(), mesh.corners.end(), [](std::int32_t corner) { return corner < 0; }));
}

// A material that hangs on a node twice has two slots, and is one.
std::vector<std::int32_t> read_materials(const Conversion& c, MeshSource& mesh) {
  std::vector<std::int32_t> place_of_slot;
  for (const Link& link : c.document.sources_of(c.rig.scene().nodes[mesh.node].id)) {
    const Object* material = c.document.find(link.object);
    if (!link.property.empty() || material->kind != Kind::material) continue;
    const auto known = std::find(mesh.materials.begin(), mesh.materials.end(), material);
    place_of_slot.push_back(static_cast<std::int32_t>(known - mesh.materials.begin()));
    if (known == mesh.materials.end()) mesh.materials.push_back(material);
  }
  return place_of_slot;
}

Result<void> read_material_slots(const std::vector<std::int32_t>& place_of_slot, MeshSource& mesh,
                                 import::Budget& budget) {
  const std::size_t polygons = polygon_count(mesh);
  const auto none = static_cast<std::int32_t>(mesh.materials.size());
  mesh.material_slots.assign(polygons, 0);
  const Element* element = mesh.geometry->element->child("LayerElementMaterial");
  const Element* list = element ? element->child("Materials") : nullptr;
  THRONG_CHECK(budget.spend(sizeof(std::int32_t), number_count(list), "materials"));
  const auto slots = list ? integers_of(list) : std::nullopt;
  const bool all_same = element && text_or_empty(element->child("MappingInformationType")) == "AllSame";
  for (std::size_t i = 0; slots && !slots->empty() && i < polygons; ++i) {
    mesh.material_slots[i] = all_same ? slots->front() : i < slots->size() ? (*slots)[i] : -1;
  }
  for (std::int32_t& slot : mesh.material_slots) {
    const auto index = static_cast<std::size_t>(slot);
    slot = slot >= 0 && index < place_of_slot.size() ? place_of_slot[index] : none;
  }
  return {};
}

Result<MeshSource> read_mesh(Conversion& c, std::uint32_t node, const Object& geometry) {
  MeshSource mesh;
  mesh.node = node;
  mesh.geometry = &geometry;
  const std::string& name = c.rig.scene().nodes[node].name;
  THRONG_CHECK(pay_for(c.document, geometry, c.budget));
  THRONG_CHECK(read_polygons(name, mesh, c.mender));
  THRONG_CHECK(read_material_slots(read_materials(c, mesh), mesh, c.budget));
  THRONG_TRY(mesh.normals, read_layer(c, kNormals, mesh));
  THRONG_TRY(mesh.uvs, read_layer(c, kUvs, mesh));
  THRONG_TRY(mesh.colours, read_layer(c, kColours, mesh));
  return mesh;
}

}  // namespace

Result<std::vector<MeshSource>> read_mesh_sources(Conversion& c) {
  std::vector<MeshSource> meshes;
  std::size_t hidden = 0;
  std::size_t others = 0;
  const auto& nodes = c.rig.scene().nodes;
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    others += c.document.sources_of(nodes[node].id, Kind::other_geometry).size();
    for (const Object* geometry : c.document.sources_of(nodes[node].id, Kind::geometry)) {
      if (!c.rig.is_shown(node)) {
        ++hidden;
        continue;
      }
      THRONG_TRY(MeshSource mesh, read_mesh(c, node, *geometry));
      if (!mesh.corners.empty()) meshes.push_back(std::move(mesh));
    }
  }
  if (hidden > 0)
    c.note("{}", in_number(hidden, "[mesh on a node that is|meshes on nodes that are] not visible left out"));
  if (others > 0)
    c.note(
        "{}",
        in_number(
            others,
            "[curve, NURBS or other surface that is|curves, NURBS or other surfaces that are] no polygons left out"));
  return meshes;
}

}  // namespace throng::detail::fbx
