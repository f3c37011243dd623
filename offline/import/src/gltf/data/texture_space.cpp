// SPDX-License-Identifier: Apache-2.0
#include "gltf/data/texture_space.h"

#include <cmath>

#include "gltf/file/extensions.h"
#include "gltf/file/json.h"

namespace throng::detail::gltf {
namespace {

using Json = nlohmann::json;

// Extensions are not in the schema tables, so anything but what is expected reads as the default.
double number_or(const Json& owner, const char* name, double fallback) {
  const auto found = owner.find(name);
  const double value = found != owner.end() && found->is_number() ? found->get<double>() : fallback;
  return std::isfinite(value) ? value : fallback;
}

glm::dvec2 pair_or(const Json& owner, const char* name, const glm::dvec2& fallback) {
  const auto found = owner.find(name);
  if (found == owner.end() || !found->is_array() || found->size() != 2) return fallback;
  if (!(*found)[0].is_number() || !(*found)[1].is_number()) return fallback;
  return {(*found)[0].get<double>(), (*found)[1].get<double>()};
}

// `info`: the reference to a texture.
TextureSpace space_of(const Json& info, int set_of_reference) {
  TextureSpace space;
  space.set = set_of_reference;
  const Json* transform = extension_of(info, "KHR_texture_transform");
  if (transform == nullptr) return space;
  const auto set = transform->find("texCoord");
  if (set != transform->end() && set->is_number_unsigned() && set->get<std::uint64_t>() < 1000)
    space.set = set->get<int>();
  const glm::dvec2 scale = pair_or(*transform, "scale", glm::dvec2(1.0));
  const double angle = number_or(*transform, "rotation", 0.0);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  // The axes of texture space point right and down, so a turn counter-clockwise there looks clockwise on paper.
  space.linear = glm::dmat2(glm::dvec2(c, -s) * scale.x, glm::dvec2(s, c) * scale.y);
  space.offset = pair_or(*transform, "offset", glm::dvec2(0.0));
  return space;
}

}  // namespace

TextureSpace base_colour_space(const Document& document, source::Index material) {
  if (!material) return {};
  const auto& texture = document.model.materials[*material].base_texture;
  if (!texture) return {};
  const Json& json = collection_of(*document.json, "materials")[*material];
  const bool older = document.model.materials[*material].specular_glossiness;
  return space_of(older ? (*extension_of(json, kSpecularGlossiness))["diffuseTexture"]
                        : json["pbrMetallicRoughness"]["baseColorTexture"],
                  texture->texcoord);
}

TextureSpace normal_space(const Document& document, std::size_t material) {
  return space_of(collection_of(*document.json, "materials")[material]["normalTexture"],
                  document.model.materials[material].normal_texture->texcoord);
}

}  // namespace throng::detail::gltf
