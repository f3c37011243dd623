// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "file/extension.h"
#include "file/format.h"
#include "file/glb.h"
#include "file/image_links.h"
#include "file/near_section.h"
#include "throng/base/file.h"
#include "throng/base/try.h"
#include "throng/character/file.h"

namespace throng {

using namespace detail::character;

namespace {

using Json = nlohmann::ordered_json;

// Collects what goes into the BIN chunk, without copying it, and the buffer views that name it.
class Buffer {
 public:
  std::uint32_t add(std::span<const std::byte> bytes, const Json& more = Json::object()) {
    if (const std::size_t part = size_ % format::kAlignment; part != 0) {
      put(std::span(kZeros).first(format::kAlignment - part));
    }
    Json view = {{"buffer", 0}, {"byteOffset", size_}, {"byteLength", bytes.size()}};
    view.update(more);
    views_.push_back(std::move(view));
    put(bytes);
    return static_cast<std::uint32_t>(views_.size() - 1);
  }
  std::optional<std::uint32_t> add_if_any(std::span<const std::byte> bytes) {
    if (bytes.empty()) return std::nullopt;
    return add(bytes);
  }

  std::size_t size() const { return size_; }
  const std::vector<std::span<const std::byte>>& pieces() const { return pieces_; }
  const Json& views() const { return views_; }

 private:
  static constexpr std::array<std::byte, format::kAlignment> kZeros{};

  void put(std::span<const std::byte> bytes) {
    pieces_.push_back(bytes);
    size_ += bytes.size();
  }

  std::vector<std::span<const std::byte>> pieces_;
  std::size_t size_ = 0;
  Json views_ = Json::array();
};

Json accessor_json(const format::Attribute& attribute, std::uint32_t view, std::size_t count) {
  Json accessor = {{"bufferView", view},
                   {"byteOffset", attribute.offset},
                   {"componentType", attribute.component_type},
                   {"count", count},
                   {"type", attribute.type}};
  if (attribute.normalised) accessor["normalized"] = true;
  return accessor;
}

Json vertex_accessors(const CharacterDraft& model, std::uint32_t view) {
  glm::vec3 min = model.vertices[0].position;
  glm::vec3 max = min;
  for (const BakedVertex& vertex : model.vertices) {
    min = glm::min(min, vertex.position);
    max = glm::max(max, vertex.position);
  }
  Json accessors = Json::array();
  for (const format::Attribute& attribute : format::kAttributes) {
    Json accessor = accessor_json(attribute, view, model.vertices.size());
    if (attribute.semantic == "POSITION") {
      accessor["min"] = {min.x, min.y, min.z};
      accessor["max"] = {max.x, max.y, max.z};
    }
    accessors.push_back(std::move(accessor));
  }
  return accessors;
}

// The numbers of the vertices' accessors.
Json attributes_json(bool tangents) {
  Json attributes = Json::object();
  for (std::size_t i = 0; i < format::kAttributes.size(); ++i) {
    attributes[std::string(format::kAttributes[i].semantic)] = i;
  }
  if (tangents) attributes[std::string(format::kTangent.semantic)] = format::kAttributes.size();
  return attributes;
}

Json primitive_json(const BakedPart& part, const Json& attributes, std::size_t index_accessor) {
  return {{"attributes", attributes},
          {"indices", index_accessor},
          {"material", part.material},
          {"mode", format::kTriangles}};
}

// The mesh, its accessors and its buffer views.
void add_mesh(const CharacterDraft& model, Buffer& buffer, Json& root) {
  const std::uint32_t vertex_view = buffer.add(std::as_bytes(model.vertices),
                                               {{"byteStride", sizeof(BakedVertex)}, {"target", format::kArrayBuffer}});
  const std::uint32_t index_view = buffer.add(std::as_bytes(model.indices), {{"target", format::kElementArrayBuffer}});
  Json accessors = vertex_accessors(model, vertex_view);
  if (!model.tangents.empty()) {
    const std::uint32_t view = buffer.add(std::as_bytes(model.tangents), {{"target", format::kArrayBuffer}});
    accessors.push_back(accessor_json(format::kTangent, view, model.tangents.size()));
  }
  const Json attributes = attributes_json(!model.tangents.empty());
  Json primitives = Json::array();
  for (const BakedPart& part : model.parts) {
    primitives.push_back(primitive_json(part, attributes, accessors.size()));
    accessors.push_back({{"bufferView", index_view},
                         {"byteOffset", std::size_t{part.first_index} * sizeof(std::uint32_t)},
                         {"componentType", static_cast<std::uint32_t>(format::kUnsignedInt)},
                         {"count", part.index_count},
                         {"type", "SCALAR"}});
  }
  root["scene"] = 0;
  root["scenes"] = Json::array({{{"nodes", {0}}}});
  root["nodes"] = Json::array({{{"name", model.name}, {"mesh", 0}}});
  root["meshes"] = Json::array({{{"name", model.name}, {"primitives", std::move(primitives)}}});
  root["accessors"] = std::move(accessors);
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

Json sampler_json(const Material& material) {
  const bool nearest = material.nearest_filter;
  return {{"magFilter", nearest ? format::kNearest : format::kLinear},
          {"minFilter", nearest ? format::kNearestMipmapNearest : format::kLinearMipmapLinear},
          {"wrapS", wrap_number(material.wrap_u)},
          {"wrapT", wrap_number(material.wrap_v)}};
}

Json material_json(const Material& material, std::optional<std::size_t> texture,
                   std::optional<std::size_t> normal_texture) {
  const glm::vec4& c = material.base_colour;
  Json surface = {{"baseColorFactor", {c.r, c.g, c.b, c.a}}};
  if (texture) surface["baseColorTexture"] = {{"index", *texture}};
  surface["metallicFactor"] = 0.0;
  surface["roughnessFactor"] = 1.0;
  Json out = {{"name", material.name}, {"pbrMetallicRoughness", std::move(surface)}};
  if (normal_texture) out["normalTexture"] = {{"index", *normal_texture}, {"scale", material.normal_scale}};
  if (material.alpha_mode == AlphaMode::mask) out["alphaMode"] = "MASK";
  if (material.alpha_mode == AlphaMode::mask) out["alphaCutoff"] = material.alpha_cutoff;
  if (material.alpha_mode == AlphaMode::blend) out["alphaMode"] = "BLEND";
  if (material.double_sided) out["doubleSided"] = true;
  return out;
}

// Materials, one sampler for each that has pictures, and a texture for each picture it has. glTF has no empty lists, so
// none are written.
void add_materials(const CharacterDraft& model, Buffer& buffer, Json& root) {
  Json materials = Json::array();
  Json textures = Json::array();
  Json samplers = Json::array();
  for (const Material& material : model.materials) {
    const auto add_texture = [&](std::optional<std::uint32_t> image) -> std::optional<std::size_t> {
      if (!image) return std::nullopt;
      textures.push_back({{"sampler", samplers.size()}, {"source", *image}});
      return textures.size() - 1;
    };
    const auto base = add_texture(material.base_image);
    const auto normals = add_texture(material.normal_image);
    materials.push_back(material_json(material, base, normals));
    if (base || normals) samplers.push_back(sampler_json(material));
  }
  Json images = Json::array();
  for (const ImageSource& image : model.images) {
    Json json = {{"name", image.name}, {"mimeType", image.mime_type}};
    if (image.uri.empty()) {
      json["bufferView"] = buffer.add(image.bytes.span());
    } else {
      json["uri"] = uri_of(image.uri);
    }
    images.push_back(std::move(json));
  }
  root["materials"] = std::move(materials);
  if (!textures.empty()) root["textures"] = std::move(textures);
  if (!samplers.empty()) root["samplers"] = std::move(samplers);
  if (!images.empty()) root["images"] = std::move(images);
}

// The views in it look into the model's arrays.
Result<GlbPieces> make_asset(const Character& character) {
  const CharacterDraft& model = character.draft();
  Buffer buffer;
  ExtensionViews views;
  views.atlas = buffer.add(std::as_bytes(model.atlas.words));
  views.table = buffer.add_if_any(std::as_bytes(model.table));
  views.baked_from_source = buffer.add_if_any(std::as_bytes(model.baked_from_source));
  views.skin_vertices = buffer.add(std::as_bytes(character.upload().skin_vertices));
  Json root;
  root["asset"] = {{"version", "2.0"}, {"generator", "Throng"}};
  root["extensionsUsed"] = {format::kExtension};
  // First, so that the hash is near the file's start and no name can hold what looks like its marker before it.
  Json& extension = root["extensions"][std::string(format::kExtension)];
  extension = extension_json(character, views);
  Json near =
      near_json(character.draft(), [&buffer](std::span<const std::byte> bytes) { return buffer.add_if_any(bytes); });
  if (!near.is_null()) extension["near"] = std::move(near);
  add_mesh(model, buffer, root);
  add_materials(model, buffer, root);
  root["bufferViews"] = buffer.views();
  root["buffers"] = Json::array({{{"byteLength", buffer.size()}}});
  // Names that are not UTF-8 get replacement characters instead of an exception.
  return make_glb(root.dump(-1, ' ', false, Json::error_handler_t::replace), buffer.pieces());
}

}  // namespace

Result<std::vector<std::byte>> encode_character(const Character& model) {
  THRONG_TRY(const GlbPieces pieces, make_asset(model));
  return joined(pieces);
}

// Piece by piece, so that the arrays are in memory once.
Result<void> write_character(const Character& model, const std::filesystem::path& path) {
  const auto pieces = make_asset(model);
  if (!pieces) return fail(with_context(path.string(), pieces.error()));
  THRONG_TRY(DraftFile file, DraftFile::beside(path));
  for (const auto& piece : pieces->all()) THRONG_CHECK(file.write(piece));
  return file.keep();
}

}  // namespace throng
