// SPDX-License-Identifier: Apache-2.0
#include "fbx/mesh/materials.h"

#include <algorithm>

#include "fbx/mesh/pictures.h"
#include "throng/base/try.h"
#include "throng/character/image.h"

namespace throng::detail::fbx {
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

glm::vec3 colour_of(const Document& document, const Object& material) {
  for (const char* name : kColourNames) {
    const auto colour = document.vector(material, name);
    if (!colour) continue;
    const auto factor = static_cast<float>(document.real(material, "DiffuseFactor").value_or(1.0));
    return glm::vec3(*colour) * factor;
  }
  return glm::vec3(1.0f);
}

// Programs disagree on what TransparencyFactor means: Maya always writes 1, Blender writes one minus the opacity. Both
// also write the older Opacity, which is plain; without it, transparency is the mean of the colour times its factor, as
// the FBX SDK has it.
float opacity_of(const Document& document, const Object& material) {
  if (const auto opacity = document.real(material, "Opacity")) return static_cast<float>(*opacity);
  const auto transparent = document.vector(material, "TransparentColor");
  if (!transparent) return 1.0f;
  const auto factor = static_cast<float>(document.real(material, "TransparencyFactor").value_or(1.0));
  const glm::vec3 through = glm::vec3(*transparent) * factor;
  return 1.0f - (through.r + through.g + through.b) / 3.0f;
}

Material read_colour(const Document& document, const Object& source) {
  Material material;
  const auto usable = [](float value) { return value >= 0.0f && value <= 1.0f ? value : 1.0f; };
  const glm::vec3 colour = colour_of(document, source);
  material.base_colour = {usable(colour.r), usable(colour.g), usable(colour.b), usable(opacity_of(document, source))};
  if (material.base_colour.a < 1.0f) material.alpha_mode = AlphaMode::blend;
  return material;
}

// Pays for a picture as it is drawn, and borrows what decoding it takes.
Result<void> pay_for(const ImageSource& image, import::Budget& budget) {
  if (!image.file.empty()) budget.add_file(image.bytes.span().size());
  THRONG_TRY(const ImageSize size, image_size(image.bytes.span(), budget.allowed()));
  THRONG_CHECK(budget.lend(texture_bytes(size) + decoding_bytes(size), "pictures"));
  return budget.spend(texture_bytes(size), "pictures");
}

// One image, however many materials and textures show it.
std::optional<std::uint32_t> read_picture(Conversion& c, const Object& texture) {
  auto image = load_picture(c, texture);
  if (!image) {
    c.note("texture '{}' {}; left out", texture.name, image.error().message);
    return std::nullopt;
  }
  const auto same = std::find_if(c.draft.images.begin(), c.draft.images.end(), [&](const ImageSource& other) {
    return std::ranges::equal(other.bytes.span(), image->bytes.span());
  });
  if (same != c.draft.images.end()) return static_cast<std::uint32_t>(same - c.draft.images.begin());
  if (auto paid = pay_for(*image, c.budget); !paid) {
    c.note("texture '{}' {}; left out", texture.name, paid.error().message);
    return std::nullopt;
  }
  c.draft.images.push_back(std::move(*image));
  return static_cast<std::uint32_t>(c.draft.images.size() - 1);
}

}  // namespace

// A picture inside the file is read once, however many textures name it.
std::optional<std::uint32_t> Materials::picture_number(const Object& texture) {
  const Object* inside = picture_inside(c_.document, texture);
  const Object* holder = inside ? inside : &texture;
  const auto known = pictures_.find(holder);
  if (known != pictures_.end()) return known->second;
  return pictures_.emplace(holder, read_picture(c_, texture)).first->second;
}

void Materials::add_texture(const Object& source, Material& material) {
  Conversion& c = c_;
  const Object* texture = picture_of(c.document, source);
  if (!texture) return;
  material.base_image = picture_number(*texture);
  if (!material.base_image) return;
  material.wrap_u = wrap_of(c.document, *texture, "WrapModeU");
  material.wrap_v = wrap_of(c.document, *texture, "WrapModeV");
  // A picture takes the place of the colour, as in every program that writes FBX.
  material.base_colour = glm::vec4(1.0f, 1.0f, 1.0f, material.base_colour.a);
}

std::uint32_t Materials::number_of(const Object* source) {
  const auto [place, is_new] = numbers_.emplace(source, static_cast<std::uint32_t>(c_.draft.materials.size()));
  if (!is_new) return place->second;
  Material material;
  if (source != nullptr) {
    material = read_colour(c_.document, *source);
    material.name = source->name;
    add_texture(*source, material);
  }
  c_.draft.materials.push_back(std::move(material));
  return place->second;
}

}  // namespace throng::detail::fbx
