// SPDX-License-Identifier: Apache-2.0
#include "fbx/mesh/meshes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>

#include "faces/polygons.h"
#include "fbx/mesh/materials.h"
#include "fbx/mesh/shapes.h"
#include "fbx/mesh/skins.h"
#include "finite.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng::detail::fbx {
namespace {

// One material's share of a mesh.
struct Part {
  std::int32_t slot = 0;
  std::vector<std::uint32_t> corners;  // three a triangle, by their place in MeshSource::corners
};

// All that can tell two corners apart, as they are stored.
struct Corner {
  std::uint32_t point = 0;
  std::array<float, 3> normal{};
  std::array<float, 2> uv{};
  std::array<float, 4> colour{};

  // Bit by bit: hashing needs it so, and −0 is rare enough to have a vertex of its own.
  using Words = std::array<std::uint32_t, 10>;
  Words words() const { return std::bit_cast<Words>(*this); }
  bool operator==(const Corner& other) const { return words() == other.words(); }
};

struct CornerHash {
  std::size_t operator()(const Corner& corner) const {
    std::uint64_t hash = 0;
    for (const std::uint32_t word : corner.words()) hash = (hash ^ word) * 0x9E3779B97F4A7C15u + (hash >> 29);
    return static_cast<std::size_t>(hash);
  }
};

template <std::size_t N>
void read_corner(const std::optional<MeshLayer>& layer, std::size_t corner, std::uint32_t point,
                 std::array<float, N>& out) {
  if (!layer) return;
  const double* values = layer->at(corner, point);
  for (std::size_t i = 0; i < N; ++i) out[i] = static_cast<float>(values[i]);
}

Corner corner_of(const MeshSource& source, std::size_t index) {
  Corner corner{.point = source.point_of(index)};
  read_corner(source.normals, index, corner.point, corner.normal);
  read_corner(source.uvs, index, corner.point, corner.uv);
  read_corner(source.colours, index, corner.point, corner.colour);
  return corner;
}

// Parts in the order in which polygons first have their materials. Lines, points and what is at no finite place are
// left out.
std::vector<Part> split_by_material(const MeshSource& source, std::size_t& crossed) {
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<Part> parts;
  std::vector<std::size_t> part_of_slot(source.materials.size() + 1, kNone);
  std::vector<glm::dvec3> face;
  std::vector<std::uint32_t> triangles;
  std::size_t first = 0;
  std::size_t polygon = 0;
  for (std::size_t corner = 0; corner < source.corners.size(); ++corner) {
    face.push_back(source.position(source.point_of(corner)));
    if (source.corners[corner] >= 0) continue;
    const bool somewhere = are_finite(face);
    const std::int32_t slot = source.material_slots[polygon++];
    std::size_t& part = part_of_slot[static_cast<std::size_t>(slot)];
    if (part == kNone) {
      part = parts.size();
      parts.push_back({.slot = slot, .corners = {}});
    }
    triangles.clear();
    if (somewhere && !import::triangulate_face(face, triangles)) ++crossed;
    for (const std::uint32_t of_face : triangles)
      parts[part].corners.push_back(static_cast<std::uint32_t>(first + of_face));
    face.clear();
    first = corner + 1;
  }
  return parts;
}

void add_vertex(Conversion& c, const MeshSource& source, const Corner& corner, const import::KeptInfluences& influences,
                Mesh& out) {
  out.positions.emplace_back(source.position(corner.point));
  import::add_influences(influences, out);
  if (source.normals) {
    const glm::vec3 normal(corner.normal[0], corner.normal[1], corner.normal[2]);
    const float length = glm::length(normal);
    const bool none = length <= 1e-6f;
    if (none) ++c.repairs.normals_fixed;
    out.normals.push_back(none ? glm::vec3(0.0f, 1.0f, 0.0f) : normal / length);  // mend_numbers sees to NaN
  }
  // FBX counts v from the bottom, we from the top.
  if (source.uvs) out.uvs.emplace_back(corner.uv[0], 1.0f - corner.uv[1]);
  if (source.colours) out.colours.emplace_back(corner.colour[0], corner.colour[1], corner.colour[2], corner.colour[3]);
}

void add_targets(const Shapes& shapes, const std::vector<std::uint32_t>& points, Mesh& out) {
  std::vector<double> resting;
  for (const ChannelShapes& channel : shapes.source.channels) resting.push_back(channel.resting_percent);
  const auto weights = target_weights(shapes.source, resting);
  out.morph_weights.assign(weights.begin(), weights.end());
  for (const ShapeOffsets& shape : shapes.targets) {
    MorphTarget target{.name = shape.name, .positions = {}, .normals = {}};
    for (const std::uint32_t point : points) {
      target.positions.emplace_back(shape.points[point]);
      if (!shape.normals.empty() && !out.normals.empty()) target.normals.emplace_back(shape.normals[point]);
    }
    out.morph_targets.push_back(std::move(target));
  }
}

// What all parts of a mesh share, by control point.
struct Shared {
  const MeshSource& source;
  std::vector<import::KeptInfluences> influences;
  Shapes shapes;
};

// A vertex for every corner that differs from all before it.
Result<void> add_geometry(Conversion& c, const Shared& shared, const Part& part, Mesh& out) {
  std::unordered_map<Corner, std::uint32_t, CornerHash> known;
  std::vector<std::uint32_t> vertex_points;
  for (const std::uint32_t index : part.corners) {
    const Corner corner = corner_of(shared.source, index);
    const auto [place, is_new] = known.emplace(corner, static_cast<std::uint32_t>(out.positions.size()));
    if (is_new) {
      add_vertex(c, shared.source, corner, shared.influences[corner.point], out);
      vertex_points.push_back(corner.point);
    }
    out.indices.push_back(place->second);
  }
  constexpr std::size_t kBytesOfOffset = 2 * sizeof(glm::vec3);
  THRONG_CHECK(c.budget.spend(kBytesOfOffset * shared.shapes.targets.size(), vertex_points.size(), "blend shapes"));
  add_targets(shared.shapes, vertex_points, out);
  import::mend_numbers(out, c.mender);
  return {};
}

const Object* material_of(const MeshSource& source, std::int32_t slot) {
  const auto index = static_cast<std::size_t>(slot);
  return index < source.materials.size() ? source.materials[index] : nullptr;
}

// What every part takes, whatever its vertices are: its names among it, and the channels that are kept for clips.
std::uint64_t object_bytes(const MeshSource& source, const Node& node, const Shapes& shapes) {
  std::uint64_t bytes = import::kBytesOfMesh + source.geometry->name.size() + node.name.size();
  for (const ShapeOffsets& shape : shapes.targets) bytes += import::kBytesOfTarget + shape.name.size();
  return bytes + shapes.source.channels.size() * (sizeof(ChannelShapes) + 2 * import::kBytesOfBlock);
}

Result<void> add_mesh(Conversion& c, const MeshSource& source, const std::vector<Part>& parts, Materials& materials) {
  THRONG_TRY(auto influences, read_influences(c, source));
  THRONG_TRY(auto shapes, read_shapes(c, source));
  const Shared shared{source, std::move(influences), std::move(shapes)};
  const Node& node = c.rig.scene().nodes[source.node];
  THRONG_CHECK(c.budget.spend(object_bytes(source, node, shared.shapes), parts.size(), "meshes and their names"));
  const Blending blending = blending_of(c.document, *source.geometry);
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    if (parts[p].corners.empty()) {
      c.note("mesh '{}' has no triangles; left out", node.name);
      continue;
    }
    Mesh mesh;
    mesh.name = source.geometry->name.empty() ? node.name : source.geometry->name;
    mesh.part = node.name;
    mesh.node = source.node;
    mesh.primitive = p;
    mesh.material = materials.number_of(material_of(source, parts[p].slot));
    THRONG_CHECK(add_geometry(c, shared, parts[p], mesh));
    import::drop_unused_influences(mesh);
    mesh.skin_method = blending.method;
    if (!blending.is_linear()) c.by_dual_quaternions.push_back(static_cast<std::uint32_t>(c.draft.meshes.size()));
    c.draft.meshes.push_back(std::move(mesh));
    c.morphs.push_back(shared.shapes.source);
  }
  return {};
}

}  // namespace

Result<void> convert_meshes(Conversion& c, const Progress& progress) {
  THRONG_TRY(auto sources, read_mesh_sources(c));
  Materials materials(c);
  std::vector<std::vector<Part>> parts;
  std::size_t crossed = 0;
  // To cut polygons takes about as long as to make vertices of their corners.
  const double steps = 2.0 * static_cast<double>(sources.size());
  for (const MeshSource& source : sources) {
    report(progress, "read", static_cast<double>(parts.size()) / steps);
    parts.push_back(split_by_material(source, crossed));
    for (const Part& part : parts.back()) materials.number_of(material_of(source, part.slot));
  }
  if (c.draft.materials.empty()) c.draft.materials.emplace_back();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    report(progress, "read", 0.5 + static_cast<double>(i) / steps);
    THRONG_CHECK(add_mesh(c, sources[i], parts[i], materials));
  }
  if (crossed > 0)
    c.note("{}", in_number(crossed,
                           "[polygon crosses itself, so that no triangles cover it once; cut as a fan|polygons cross "
                           "themselves, so that no triangles cover them once; cut as fans]"));
  note_repairs(c);
  return {};
}

}  // namespace throng::detail::fbx
