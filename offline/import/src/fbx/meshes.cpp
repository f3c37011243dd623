// Triangles from assimp, bindings and shapes from the file, vertices where they differ.

#include <assimp/mesh.h>
#include <assimp/scene.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "fbx/materials.h"
#include "fbx/shapes.h"
#include "fbx/skins.h"

namespace throng::fbx {
namespace {

// All that can tell two corners apart, bit by bit.
struct Corner {
  std::uint32_t point = 0;
  std::array<std::uint32_t, 9> bits{};  // normal, texture coordinates, colour

  bool operator==(const Corner&) const = default;
};

struct CornerHash {
  std::size_t operator()(const Corner& corner) const {
    std::uint64_t hash = corner.point;
    for (const std::uint32_t word : corner.bits) hash = (hash ^ word) * 0x9E3779B97F4A7C15u + (hash >> 29);
    return static_cast<std::size_t>(hash);
  }
};

Corner corner_of(const aiMesh& mesh, unsigned vertex, std::uint32_t point) {
  Corner corner{.point = point, .bits = {}};
  std::size_t next = 0;
  const auto add = [&](float value) { corner.bits[next++] = std::bit_cast<std::uint32_t>(value); };
  if (mesh.HasNormals()) {
    for (unsigned i = 0; i < 3; ++i) add(mesh.mNormals[vertex][i]);
  }
  if (mesh.HasTextureCoords(0)) {
    for (unsigned i = 0; i < 2; ++i) add(mesh.mTextureCoords[0][vertex][i]);
  }
  if (mesh.HasVertexColors(0)) {
    for (unsigned i = 0; i < 4; ++i) add(mesh.mColors[0][vertex][i]);
  }
  return corner;
}

// Control points of the corners of one material, in the file's order, which assimp keeps.
std::vector<std::uint32_t> points_of_slot(const MeshSource& source, std::int32_t slot) {
  std::vector<std::uint32_t> points;
  std::size_t polygon = 0;
  for (const std::int32_t corner : source.corners) {
    if (source.material_slots[polygon] == slot) {
      points.push_back(static_cast<std::uint32_t>(corner < 0 ? -1 - corner : corner));
    }
    if (corner < 0) ++polygon;
  }
  return points;
}

std::int32_t slot_of(const MeshSource& source, const Object* material) {
  const auto found = std::find(source.materials.begin(), source.materials.end(), material);
  return static_cast<std::int32_t>(found - source.materials.begin());
}

// That assimp kept corners and their order is all that joins its triangles with our bindings.
bool same_points(const aiMesh& mesh, const MeshSource& source, const std::vector<std::uint32_t>& points) {
  if (mesh.mNumVertices != points.size()) return false;
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    for (unsigned i = 0; i < 3; ++i) {
      if (mesh.mVertices[v][i] != static_cast<float>(source.points[points[v] * 3 + i])) return false;
    }
  }
  return true;
}

struct Part {
  const MeshSource& source;
  const aiMesh& mesh;
  const std::vector<KeptInfluences>& influences;
  const Shapes& shapes;
};

void add_vertex(Conversion& c, const Part& part, unsigned vertex, std::uint32_t point, Mesh& out) {
  const aiMesh& mesh = part.mesh;
  out.positions.emplace_back(mesh.mVertices[vertex].x, mesh.mVertices[vertex].y, mesh.mVertices[vertex].z);
  add_influences(part.influences[point], out);
  if (mesh.HasNormals()) {
    const aiVector3D& n = mesh.mNormals[vertex];
    const glm::vec3 normal(n.x, n.y, n.z);
    const float length = glm::length(normal);
    const bool usable = std::isfinite(length) && length > 1e-6f;
    if (!usable) ++c.repairs.normals_fixed;
    out.normals.push_back(usable ? normal / length : glm::vec3(0.0f, 1.0f, 0.0f));
  }
  // FBX counts v from the bottom, we from the top.
  if (mesh.HasTextureCoords(0)) {
    out.uvs.emplace_back(mesh.mTextureCoords[0][vertex].x, 1.0f - mesh.mTextureCoords[0][vertex].y);
  }
  if (mesh.HasVertexColors(0)) {
    const aiColor4D& colour = mesh.mColors[0][vertex];
    out.colours.emplace_back(colour.r, colour.g, colour.b, colour.a);
  }
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

// A vertex for every corner that differs from all before it; lines and points are left out.
void add_geometry(Conversion& c, const Part& part, const std::vector<std::uint32_t>& points, Mesh& out) {
  std::unordered_map<Corner, std::uint32_t, CornerHash> known;
  std::vector<std::uint32_t> vertex_points;
  for (unsigned f = 0; f < part.mesh.mNumFaces; ++f) {
    const aiFace& face = part.mesh.mFaces[f];
    if (face.mNumIndices != 3) continue;
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned corner = face.mIndices[i];
      const auto index = static_cast<std::uint32_t>(out.positions.size());
      const auto [place, is_new] = known.emplace(corner_of(part.mesh, corner, points[corner]), index);
      if (is_new) {
        add_vertex(c, part, corner, points[corner], out);
        vertex_points.push_back(points[corner]);
      }
      out.indices.push_back(place->second);
    }
  }
  add_targets(part.shapes, vertex_points, out);
}

Result<void> add_part(Conversion& c, const AssimpScene& assimp, const Part& part, std::uint32_t primitive) {
  const Node& node = c.rig.scene().nodes[part.source.node];
  const Object* material = assimp.materials()[part.mesh.mMaterialIndex];
  const auto points = points_of_slot(part.source, slot_of(part.source, material));
  if (!same_points(part.mesh, part.source, points)) {
    return fail("mesh '{}': assimp's vertices are not the file's", node.name);
  }
  Mesh mesh;
  mesh.name = part.source.geometry->name.empty() ? node.name : part.source.geometry->name;
  mesh.node = part.source.node;
  mesh.primitive = primitive;
  mesh.material = part.mesh.mMaterialIndex;
  add_geometry(c, part, points, mesh);
  drop_unused_influences(mesh);
  if (mesh.indices.empty()) {
    c.note("mesh '{}' has no triangles; left out", node.name);
    return {};
  }
  c.draft.meshes.push_back(std::move(mesh));
  c.morphs.push_back(part.shapes.source);
  return {};
}

Result<void> add_mesh(Conversion& c, const AssimpScene& assimp, const MeshSource& source, const aiNode& node) {
  auto influences = read_influences(c, source);
  if (!influences) return fail(std::move(influences));
  const Shapes shapes = read_shapes(c, source);
  for (unsigned m = 0; m < node.mNumMeshes; ++m) {
    const aiMesh& mesh = *assimp.scene().mMeshes[node.mMeshes[m]];
    if (auto ok = add_part(c, assimp, {source, mesh, *influences, shapes}, m); !ok) return ok;
  }
  return {};
}

}  // namespace

Result<void> convert_meshes(Conversion& c) {
  auto sources = read_mesh_sources(c);
  if (!sources) return fail(std::move(sources));
  if (sources->empty()) {
    c.draft.materials.emplace_back();
    return {};
  }
  auto assimp = AssimpScene::from(c, *sources);
  if (!assimp) return fail(std::move(assimp));
  convert_materials(c, *assimp);
  const aiNode& root = *assimp->scene().mRootNode;
  for (unsigned i = 0; i < root.mNumChildren; ++i) {
    const std::string_view name = root.mChildren[i]->mName.C_Str();
    std::size_t index = sources->size();
    std::from_chars(name.data(), name.data() + name.size(), index);
    if (index >= sources->size()) return fail("assimp made a node '{}' that was not there", name);
    if (auto ok = add_mesh(c, *assimp, (*sources)[index], *root.mChildren[i]); !ok) return ok;
  }
  note_repairs(c);
  return {};
}

}  // namespace throng::fbx
