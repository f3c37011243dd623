// SPDX-License-Identifier: Apache-2.0
#include "file/read_mesh.h"

#include <memory>

#include "file/format.h"
#include "file/image_links.h"
#include "file/json_fields.h"
#include "throng/base/try.h"

namespace throng::detail::character {
namespace {

using Views = std::vector<std::span<const std::byte>>;

struct Accessor {
  std::uint32_t view = 0;
  std::uint32_t offset = 0;
  std::uint32_t count = 0;
};

// The accessor when it is of the kind the format prescribes.
Accessor read_accessor(JsonFields& fields, std::uint32_t index, const format::Attribute& expected) {
  const Json& json = fields.element(fields.root(), "accessors", index);
  const bool fits =
      fields.u32(json, "componentType") == expected.component_type && fields.text(json, "type") == expected.type &&
      fields.boolean_or(json, "normalized", false) == expected.normalised && !JsonFields::has(json, "sparse");
  if (!fits) fields.refuse(fmt::format("accessor {} is not what {} must be", index, expected.semantic));
  return {fields.u32(json, "bufferView"), fields.u32_or(json, "byteOffset", 0), fields.u32(json, "count")};
}

// How vertices lie: whole, or surfaces alone.
struct VertexKind {
  std::span<const format::Attribute> attributes;
  std::size_t stride = 0;
};
constexpr VertexKind kWhole{format::kAttributes, sizeof(BakedVertex)};
constexpr VertexKind kSurfaces{format::kSurfaceAttributes, sizeof(SurfaceVertex)};

// The view that all attributes of a primitive share; they must lie in it as the vertex does.
std::uint32_t read_vertex_view(JsonFields& fields, const Json& primitive, const VertexKind& kind,
                               std::uint32_t& vertex_count) {
  const Json& attributes = fields.object(primitive, "attributes");
  std::optional<Accessor> first;
  for (const format::Attribute& attribute : kind.attributes) {
    const std::uint32_t index = fields.u32(attributes, std::string(attribute.semantic).c_str());
    const Accessor accessor = read_accessor(fields, index, attribute);
    if (!first) first = accessor;
    if (accessor.view != first->view || accessor.count != first->count || accessor.offset != attribute.offset) {
      fields.refuse(fmt::format("{} does not lie beside POSITION as the format prescribes", attribute.semantic));
    }
  }
  const Json& view = fields.element(fields.root(), "bufferViews", first->view);
  if (fields.u32(view, "byteStride") != kind.stride)
    fields.refuse(fmt::format("the vertices are not {} bytes apart", kind.stride));
  vertex_count = first->count;
  return first->view;
}

struct MeshViews {
  std::uint32_t vertices = 0;
  std::uint32_t vertex_count = 0;
  bool surfaces = false;  // they are nothing else
  std::uint32_t indices = 0;
  std::optional<std::uint32_t> tangents = {};
  std::optional<std::uint32_t> vertex_numbers = {};

  friend bool operator==(const MeshViews&, const MeshViews&) = default;
};

// Lies alone in its view when it is there.
std::optional<std::uint32_t> read_own_view(JsonFields& fields, const Json& primitive,
                                           const format::Attribute& attribute, std::uint32_t vertices) {
  const auto index = fields.u32_if(fields.object(primitive, "attributes"), std::string(attribute.semantic).c_str());
  if (!index) return std::nullopt;
  const Accessor accessor = read_accessor(fields, *index, attribute);
  if (accessor.offset != 0 || accessor.count != vertices)
    fields.refuse(fmt::format("{} is not one a vertex in a view of its own", attribute.semantic));
  return accessor.view;
}

BakedDraw read_primitive(JsonFields& fields, const Json& primitive, BakeMode mode, MeshViews& views) {
  constexpr format::Attribute kIndices{"an index", 0, format::kUnsignedInt, "SCALAR", false};
  // Vertex mode had whole ones before version 3.2.
  views.surfaces = mode == BakeMode::vertices && !JsonFields::has(fields.object(primitive, "attributes"), "_BONES");
  views.vertices = read_vertex_view(fields, primitive, views.surfaces ? kSurfaces : kWhole, views.vertex_count);
  views.tangents = read_own_view(fields, primitive, format::kTangent, views.vertex_count);
  views.vertex_numbers = read_own_view(fields, primitive, format::kVertexNumber, views.vertex_count);
  const Accessor indices = read_accessor(fields, fields.u32(primitive, "indices"), kIndices);
  if (fields.u32_or(primitive, "mode", format::kTriangles) != format::kTriangles) {
    fields.refuse("a primitive is not of triangles");
  }
  if (indices.offset % sizeof(std::uint32_t) != 0) fields.refuse("the indices are not aligned");
  views.indices = indices.view;
  return {fields.u32(primitive, "material"), indices.offset / std::uint32_t{sizeof(std::uint32_t)}, indices.count};
}

MeshViews read_primitives(JsonFields& fields, BakeMode mode, std::vector<BakedDraw>& draws) {
  const Json& node = fields.element(fields.root(), "nodes", 0);
  const Json& mesh = fields.element(fields.root(), "meshes", fields.u32(node, "mesh"));
  MeshViews all;
  for (const Json& primitive : fields.array(mesh, "primitives")) {
    MeshViews views;
    draws.push_back(read_primitive(fields, primitive, mode, views));
    if (draws.size() == 1) all = views;
    if (views != all) fields.refuse("its primitives do not share one vertex and one index buffer");
    if (!fields.ok()) break;
  }
  return all;
}

Wrap read_wrap(JsonFields& fields, const Json& sampler, const char* key) {
  switch (fields.u32_or(sampler, key, format::kRepeat)) {
    case format::kRepeat:
      return Wrap::repeat;
    case format::kClampToEdge:
      return Wrap::clamp;
    case format::kMirroredRepeat:
      return Wrap::mirror;
    default:
      fields.refuse(fmt::format("'{}' is no way to wrap a texture", key));
      return Wrap::repeat;
  }
}

// Its image. Its sampler is the material's: all textures of one have the same.
std::uint32_t read_texture(JsonFields& fields, const Json& reference, Material& material) {
  const Json& texture = fields.element(fields.root(), "textures", fields.u32(reference, "index"));
  const Json& sampler = fields.element(fields.root(), "samplers", fields.u32(texture, "sampler"));
  material.wrap_u = read_wrap(fields, sampler, "wrapS");
  material.wrap_v = read_wrap(fields, sampler, "wrapT");
  material.nearest_filter = fields.u32_or(sampler, "magFilter", format::kLinear) == format::kNearest;
  return fields.u32(texture, "source");
}

Material read_material(JsonFields& fields, const Json& json) {
  Material material;
  material.name = fields.text(json, "name");
  const Json& surface = fields.object(json, "pbrMetallicRoughness");
  material.base_colour = glm::vec4(fields.vec4(surface, "baseColorFactor"));
  if (JsonFields::has(surface, "baseColorTexture"))
    material.base_image = read_texture(fields, fields.object(surface, "baseColorTexture"), material);
  if (JsonFields::has(json, "normalTexture")) {
    const Json& normals = fields.object(json, "normalTexture");
    material.normal_image = read_texture(fields, normals, material);
    if (JsonFields::has(normals, "scale")) material.normal_scale = static_cast<float>(fields.number(normals, "scale"));
  }
  const std::string mode = fields.text_or(json, "alphaMode", "OPAQUE");
  if (mode == "MASK") {
    material.alpha_mode = AlphaMode::mask;
    material.alpha_cutoff = static_cast<float>(fields.number(json, "alphaCutoff"));
  } else if (mode == "BLEND") {
    material.alpha_mode = AlphaMode::blend;
  } else if (mode != "OPAQUE") {
    fields.refuse(fmt::format("'{}' is no alpha mode", mode));
  }
  material.double_sided = fields.boolean_or(json, "doubleSided", false);
  return material;
}

// Embedded or, by a path from the asset's folder, linked; then its bytes are left for those who know the folder.
ImageSource read_image(JsonFields& fields, const Json& json, const Views& views,
                       const std::shared_ptr<const SharedBytes>& owner) {
  ImageSource image;
  image.name = fields.text(json, "name");
  image.mime_type = fields.text(json, "mimeType");
  if (JsonFields::has(json, "uri")) {
    auto path = path_of_uri(fields.text(json, "uri"));
    if (!path) fields.refuse(path.error().message);
    if (JsonFields::has(json, "bufferView")) fields.refuse("an image is both embedded and linked");
    image.uri = path.value_or("");
    return image;
  }
  const std::uint32_t view = fields.u32(json, "bufferView");
  if (view >= views.size()) fields.refuse(fmt::format("an image names buffer view {} of {}", view, views.size()));
  if (fields.ok()) image.bytes = SharedBytes(owner, views[view]);
  return image;
}

void read_images(JsonFields& fields, const Views& views, CharacterDraft& model) {
  if (!JsonFields::has(fields.root(), "images")) return;
  const auto owner = std::make_shared<const SharedBytes>(model.storage);
  for (const Json& json : fields.array(fields.root(), "images")) {
    model.images.push_back(read_image(fields, json, views, owner));
    if (!fields.ok()) return;
  }
}

}  // namespace

Result<Views> read_buffer_views(const Json& root, std::span<const std::byte> bin) {
  JsonFields fields(root, "glTF");
  const std::uint32_t length = fields.u32(fields.element(root, "buffers", 0), "byteLength");
  if (length > bin.size()) fields.refuse(fmt::format("the buffer of {} bytes is longer than the BIN chunk", length));
  Views views;
  for (const Json& json : fields.array(root, "bufferViews")) {
    if (fields.u32(json, "buffer") != 0) fields.refuse("a buffer view names a buffer other than 0");
    auto bytes = slice(bin, fields.u32_or(json, "byteOffset", 0), fields.u32(json, "byteLength"));
    if (!bytes) fields.refuse(fmt::format("buffer view {}: {}", views.size(), bytes.error().message));
    if (!fields.ok()) break;
    views.push_back(*bytes);
  }
  THRONG_CHECK(fields.result());
  return views;
}

Result<void> read_mesh(const Json& root, const Views& views, CharacterDraft& model) {
  JsonFields fields(root, "glTF");
  const MeshViews used = read_primitives(fields, model.mode, model.draws);
  for (const Json& json : fields.array(root, "materials")) {
    model.materials.push_back(read_material(fields, json));
    if (!fields.ok()) break;
  }
  read_images(fields, views, model);
  THRONG_CHECK(fields.result());
  if (used.surfaces) {
    THRONG_TRY(model.vertices, view_as<SurfaceVertex>(views, used.vertices));
  } else {
    THRONG_TRY(model.vertices, view_as<BakedVertex>(views, used.vertices));
  }
  if (model.vertices.size() != used.vertex_count) {
    return fail("{} vertices where {} are announced", model.vertices.size(), used.vertex_count);
  }
  THRONG_TRY(model.indices, view_as<std::uint32_t>(views, used.indices));
  if (used.tangents) {
    THRONG_TRY(model.tangents, view_as<glm::vec4>(views, *used.tangents));
  }
  if (used.vertex_numbers) {
    THRONG_TRY(model.vertex_numbers, view_as<float>(views, *used.vertex_numbers));
  }
  return {};
}

}  // namespace throng::detail::character
