// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "file/extension.h"
#include "file/format.h"
#include "file/glb.h"
#include "file/image_links.h"
#include "file/json_values.h"
#include "file/morph_section.h"
#include "file/near_section.h"
#include "throng/base/draft_file.h"
#include "throng/base/memory.h"
#include "throng/base/try.h"
#include "throng/character/file.h"

namespace throng {

using namespace detail::character;

namespace {

// Collects what goes into the BIN chunk, without copying it, and the buffer views that name it.
class Buffer {
 public:
  std::uint32_t add(std::span<const std::byte> bytes, std::initializer_list<JsonField> more = {}) {
    if (const std::size_t part = size_ % format::kAlignment; part != 0) {
      put(std::span(kZeros).first(format::kAlignment - part));
    }
    JsonObject view = {{"buffer", 0}, {"byteOffset", size_}, {"byteLength", bytes.size()}};
    for (const JsonField& field : more) view.add(field.key, field.value);
    views_.add(view);
    put(bytes);
    return static_cast<std::uint32_t>(views_.size() - 1);
  }
  std::optional<std::uint32_t> add_if_any(std::span<const std::byte> bytes) {
    if (bytes.empty()) return std::nullopt;
    return add(bytes);
  }

  std::size_t size() const { return size_; }
  const std::vector<std::span<const std::byte>>& pieces() const { return pieces_; }
  const JsonArray& views() const { return views_; }

 private:
  static constexpr std::array<std::byte, format::kAlignment> kZeros{};

  void put(std::span<const std::byte> bytes) {
    pieces_.push_back(bytes);
    size_ += bytes.size();
  }

  std::vector<std::span<const std::byte>> pieces_;
  std::size_t size_ = 0;
  JsonArray views_;
};

JsonObject accessor_json(const format::Attribute& attribute, std::uint32_t view, std::size_t count) {
  JsonObject accessor = {{"bufferView", view},
                         {"byteOffset", attribute.offset},
                         {"componentType", attribute.component_type},
                         {"count", count},
                         {"type", attribute.type}};
  if (attribute.normalised) accessor.add("normalized", true);
  return accessor;
}

std::span<const format::Attribute> attributes_of(const MeshVertices& vertices) {
  if (vertices.whole().empty()) return format::kSurfaceAttributes;
  return format::kAttributes;
}

JsonArray vertex_accessors(const CharacterDraft& model, std::uint32_t view) {
  glm::vec3 min = model.vertices[0].position;
  glm::vec3 max = min;
  for (const BakedVertex& vertex : model.vertices) {
    min = glm::min(min, vertex.position);
    max = glm::max(max, vertex.position);
  }
  JsonArray accessors;
  for (const format::Attribute& attribute : attributes_of(model.vertices)) {
    JsonObject accessor = accessor_json(attribute, view, model.vertices.size());
    if (attribute.semantic == "POSITION") {
      accessor.add("min", vec3_json(min));
      accessor.add("max", vec3_json(max));
    }
    accessors.add(accessor);
  }
  return accessors;
}

JsonObject primitive_json(const BakedDraw& draw, const JsonObject& attributes, std::size_t index_accessor) {
  return {{"attributes", attributes},
          {"indices", index_accessor},
          {"material", draw.material},
          {"mode", format::kTriangles}};
}

// The mesh, its accessors and its buffer views.
void add_mesh(const CharacterDraft& model, Buffer& buffer, JsonObject& root) {
  const std::uint32_t vertex_view =
      buffer.add(model.vertices.bytes(), {{"byteStride", model.vertices.stride()}, {"target", format::kArrayBuffer}});
  const std::uint32_t index_view = buffer.add(std::as_bytes(model.indices), {{"target", format::kElementArrayBuffer}});
  JsonArray accessors = vertex_accessors(model, vertex_view);
  JsonObject attributes;
  std::size_t number = 0;
  for (const format::Attribute& attribute : attributes_of(model.vertices)) attributes.add(attribute.semantic, number++);
  const auto add_own = [&](const format::Attribute& attribute, std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    attributes.add(attribute.semantic, accessors.size());
    accessors.add(
        accessor_json(attribute, buffer.add(bytes, {{"target", format::kArrayBuffer}}), model.vertices.size()));
  };
  add_own(format::kTangent, std::as_bytes(model.tangents));
  add_own(format::kVertexNumber, std::as_bytes(model.vertex_numbers));
  JsonArray primitives;
  for (const BakedDraw& draw : model.draws) {
    primitives.add(primitive_json(draw, attributes, accessors.size()));
    accessors.add(JsonObject{{"bufferView", index_view},
                             {"byteOffset", std::size_t{draw.first_index} * sizeof(std::uint32_t)},
                             {"componentType", static_cast<std::uint32_t>(format::kUnsignedInt)},
                             {"count", draw.index_count},
                             {"type", "SCALAR"}});
  }
  root.add("scene", 0);
  root.add("scenes", JsonArray{JsonObject{{"nodes", JsonArray{0}}}});
  root.add("nodes", JsonArray{JsonObject{{"name", model.name}, {"mesh", 0}}});
  root.add("meshes", JsonArray{JsonObject{{"name", model.name}, {"primitives", primitives}}});
  root.add("accessors", accessors);
}

std::uint32_t wrap_number(Wrap wrap) {
  switch (wrap) {
    case Wrap::clamp:
      return format::kClampToEdge;
    case Wrap::mirror:
      return format::kMirroredRepeat;
    case Wrap::repeat:
      break;
  }
  return format::kRepeat;
}

JsonObject sampler_json(const Material& material) {
  const bool nearest = material.nearest_filter;
  return {{"magFilter", nearest ? format::kNearest : format::kLinear},
          {"minFilter", nearest ? format::kNearestMipmapNearest : format::kLinearMipmapLinear},
          {"wrapS", wrap_number(material.wrap_u)},
          {"wrapT", wrap_number(material.wrap_v)}};
}

JsonObject material_json(const Material& material, std::optional<std::size_t> texture,
                         std::optional<std::size_t> normal_texture) {
  JsonObject surface = {{"baseColorFactor", vec4_json(material.base_colour)}};
  if (texture) surface.add("baseColorTexture", JsonObject{{"index", *texture}});
  surface.add("metallicFactor", 0.0);
  surface.add("roughnessFactor", 1.0);
  JsonObject out = {{"name", material.name}, {"pbrMetallicRoughness", surface}};
  if (normal_texture) {
    const double scale = static_cast<double>(material.normal_scale);
    out.add("normalTexture", JsonObject{{"index", *normal_texture}, {"scale", scale}});
  }
  if (material.alpha_mode == AlphaMode::mask) out.add("alphaMode", "MASK");
  if (material.alpha_mode == AlphaMode::mask) out.add("alphaCutoff", static_cast<double>(material.alpha_cutoff));
  if (material.alpha_mode == AlphaMode::blend) out.add("alphaMode", "BLEND");
  if (material.double_sided) out.add("doubleSided", true);
  return out;
}

// Materials, one sampler for each that has pictures, and a texture for each picture it has. glTF has no empty lists, so
// none are written.
void add_materials(const CharacterDraft& model, Buffer& buffer, JsonObject& root) {
  JsonArray materials;
  JsonArray textures;
  JsonArray samplers;
  for (const Material& material : model.materials) {
    const auto add_texture = [&](std::optional<std::uint32_t> image) -> std::optional<std::size_t> {
      if (!image) return std::nullopt;
      textures.add(JsonObject{{"sampler", samplers.size()}, {"source", *image}});
      return textures.size() - 1;
    };
    const auto base = add_texture(material.base_image);
    const auto normals = add_texture(material.normal_image);
    materials.add(material_json(material, base, normals));
    if (base || normals) samplers.add(sampler_json(material));
  }
  JsonArray images;
  for (const ImageSource& image : model.images) {
    JsonObject json = {{"name", image.name}, {"mimeType", image.mime_type}};
    if (image.uri.empty()) {
      json.add("bufferView", buffer.add(image.bytes.span()));
    } else {
      json.add("uri", uri_of(image.uri));
    }
    images.add(json);
  }
  root.add("materials", materials);
  if (textures.size() > 0) root.add("textures", textures);
  if (samplers.size() > 0) root.add("samplers", samplers);
  if (images.size() > 0) root.add("images", images);
}

// The views in it look into the model's arrays.
Result<GlbPieces> make_asset(const Character& character) {
  const CharacterDraft& model = character.draft();
  Buffer buffer;
  ExtensionViews views;
  views.atlas = buffer.add_if_any(std::as_bytes(model.atlas.words));
  views.channels = buffer.add_if_any(std::as_bytes(model.channel_words));
  views.table = buffer.add_if_any(std::as_bytes(model.table));
  views.baked_from_source = buffer.add_if_any(std::as_bytes(model.baked_from_source));
  views.vertex_parts = buffer.add_if_any(std::as_bytes(model.vertex_parts));
  views.skin_vertices = buffer.add_if_any(std::as_bytes(character.upload().skin_vertices));
  JsonObject extension = extension_json(character, views);
  const AddView add_view = [&buffer](std::span<const std::byte> bytes) { return buffer.add_if_any(bytes); };
  if (const auto morphs = morphs_json(model.morphs, add_view)) extension.add("morphs", *morphs);
  if (const auto near = near_json(model, add_view)) extension.add("near", *near);
  JsonObject root = {{"asset", JsonObject{{"version", "2.0"}, {"generator", "Throng"}}},
                     {"extensionsUsed", JsonArray{format::kExtension}},
                     // Before the rest, so that the hash is near the file's start and no name can hold what looks like
                     // its marker before it.
                     {"extensions", JsonObject{{format::kExtension, extension}}}};
  add_mesh(model, buffer, root);
  add_materials(model, buffer, root);
  root.add("bufferViews", buffer.views());
  root.add("buffers", JsonArray{JsonObject{{"byteLength", buffer.size()}}});
  return make_glb(root.text(), buffer.pieces());
}

}  // namespace

Result<std::vector<std::byte>> encode_character(const Character& model) {
  return within_memory(model.name(), [&]() -> Result<std::vector<std::byte>> {
    THRONG_TRY(const GlbPieces pieces, make_asset(model));
    return joined(pieces);
  });
}

// Piece by piece, so that the arrays are in memory once.
Result<void> write_character(const Character& model, const std::filesystem::path& path) {
  return within_memory(path.native(), [&]() -> Result<void> {
    const auto pieces = make_asset(model);
    if (!pieces) return fail(with_context(path.string(), pieces.error()));
    THRONG_TRY(DraftFile file, DraftFile::beside(path));
    for (const auto& piece : pieces->all()) THRONG_CHECK(file.write(piece));
    return file.keep();
  });
}

}  // namespace throng
