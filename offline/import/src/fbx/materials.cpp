#include "fbx/materials.h"

#include <assimp/material.h>
#include <assimp/scene.h>

#include <algorithm>

namespace throng::fbx {
namespace {

constexpr const char* kColour = "DiffuseColor";

// Where exporters put a base colour, and the picture of one.
constexpr const char* kColourNames[] = {
    kColour,     "Maya|base_color", "Maya|baseColor", "3dsMax|Parameters|base_color", "3dsMax|main|base_color",
    "base_color"};
constexpr const char* kPictureNames[] = {kColour,
                                         "Maya|TEX_color_map",
                                         "Maya|baseColor",
                                         "3dsMax|Parameters|base_color_map",
                                         "3dsMax|main|basecolor_map",
                                         "base_color"};

// The texture behind a link, or the lowest one of a layered texture.
const Object* texture_of(const Document& document, ObjectId id) {
  const Object* object = document.find(id);
  if (!object) return nullptr;
  if (object->kind == Kind::texture) return object;
  if (object->kind != Kind::layered_texture) return nullptr;
  const auto layers = document.sources_of(id, Kind::texture);
  return layers.empty() ? nullptr : layers.front();
}

const Object* picture_of(const Document& document, const Object& material) {
  for (const char* name : kPictureNames) {
    for (const Link& link : document.sources_of(material.id)) {
      if (link.property != name) continue;
      if (const Object* texture = texture_of(document, link.object)) return texture;
    }
  }
  if (document.version() >= 7000) return nullptr;
  // Before 7000 textures hang on the models that show them.
  for (const Link& model : document.targets_of(material.id)) {
    const auto textures = document.sources_of(model.object, Kind::texture);
    if (!textures.empty()) return textures.front();
  }
  return nullptr;
}

Wrap wrap_of(const Document& document, const Object& texture, const char* property) {
  return document.integer(texture, property, 0) == 1 ? Wrap::clamp : Wrap::repeat;
}

Material read_colour(const aiMaterial& source) {
  Material material;
  aiColor4D colour(1.0f, 1.0f, 1.0f, 1.0f);
  source.Get(AI_MATKEY_COLOR_DIFFUSE, colour);
  float opacity = 1.0f;
  source.Get(AI_MATKEY_OPACITY, opacity);
  const auto usable = [](float value) { return value >= 0.0f && value <= 1.0f ? value : 1.0f; };
  material.base_colour = {usable(colour.r), usable(colour.g), usable(colour.b), usable(opacity)};
  if (material.base_colour.a < 1.0f) material.alpha_mode = AlphaMode::blend;
  return material;
}

// One image, however many materials and textures show it.
std::optional<std::uint32_t> add_picture(Conversion& c, const Object& texture) {
  auto image = load_picture(c, texture);
  if (!image) {
    c.note("texture '{}' {}; left out", texture.name, image.error().message);
    return std::nullopt;
  }
  const auto same = std::find_if(c.draft.images.begin(), c.draft.images.end(), [&](const ImageSource& other) {
    return std::ranges::equal(other.bytes.span(), image->bytes.span());
  });
  if (same != c.draft.images.end()) return static_cast<std::uint32_t>(same - c.draft.images.begin());
  c.draft.images.push_back(std::move(*image));
  return static_cast<std::uint32_t>(c.draft.images.size() - 1);
}

void add_texture(Conversion& c, const Object& source, Material& material) {
  const Object* texture = picture_of(c.document, source);
  if (!texture) return;
  material.base_image = add_picture(c, *texture);
  if (!material.base_image) return;
  material.wrap_u = wrap_of(c.document, *texture, "WrapModeU");
  material.wrap_v = wrap_of(c.document, *texture, "WrapModeV");
  // A picture takes the place of the colour, as in every program that writes FBX.
  material.base_colour = glm::vec4(1.0f, 1.0f, 1.0f, material.base_colour.a);
}

}  // namespace

std::vector<MaterialProperty> material_properties(const Document& document, const Object& material) {
  std::vector<MaterialProperty> properties;
  for (const char* name : kColourNames) {
    const auto colour = document.vector(material, name);
    if (!colour) continue;
    properties.push_back({kColour, {colour->x, colour->y, colour->z}});
    break;
  }
  if (const auto colour = document.vector(material, "TransparentColor")) {
    properties.push_back({"TransparentColor", {colour->x, colour->y, colour->z}});
  }
  for (const char* name : {"DiffuseFactor", "TransparencyFactor", "Opacity"}) {
    if (const auto number = document.real(material, name)) properties.push_back({name, {*number}});
  }
  return properties;
}

void convert_materials(Conversion& c, const AssimpScene& assimp) {
  for (unsigned i = 0; i < assimp.scene().mNumMaterials; ++i) {
    const Object* source = assimp.materials()[i];
    Material material = source ? read_colour(*assimp.scene().mMaterials[i]) : Material{};
    material.name = source ? source->name : "";
    if (source) add_texture(c, *source, material);
    c.draft.materials.push_back(std::move(material));
  }
  if (c.draft.materials.empty()) c.draft.materials.emplace_back();
}

}  // namespace throng::fbx
