// SPDX-License-Identifier: Apache-2.0
#include "gltf/convert/materials.h"

#include "gltf/convert/images.h"
#include "gltf/data/texture_space.h"
#include "gltf/file/json.h"
#include "gltf/file/uri.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

Wrap wrap_of(int mode) {
  constexpr int kClampToEdge = 33071;
  constexpr int kMirroredRepeat = 33648;
  if (mode == kClampToEdge) return Wrap::clamp;
  if (mode == kMirroredRepeat) return Wrap::mirror;
  return Wrap::repeat;
}

AlphaMode alpha_mode_of(const std::string& mode) {
  if (mode == "MASK") return AlphaMode::mask;
  if (mode == "BLEND") return AlphaMode::blend;
  return AlphaMode::opaque;
}

// What the file says an image is: its mimeType, else the media type of its data URI, else nothing.
std::string declared_type(const Document& document, std::size_t index) {
  const auto& image = collection_of(*document.json, "images")[index];
  if (const auto type = image.find("mimeType"); type != image.end() && type->is_string())
    return type->get<std::string>();
  const auto uri = image.find("uri");
  if (uri == image.end() || !uri->is_string() || !is_data_uri(uri->get_ref<const std::string&>())) return {};
  const auto& text = uri->get_ref<const std::string&>();
  constexpr std::size_t kScheme = 5;  // "data:"
  return text.substr(kScheme, text.find_first_of(";,") - kScheme);
}

// Images by their index in the file: each is tried once, and broken ones noted once.
class Images {
 public:
  explicit Images(Conversion& c) : c_(c), tried_(collection_of(*c.document.json, "images").size()) {}

  Result<void> load() {
    std::vector<FileImage> images = load_images(c_.document);
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      Result<LoadedImage>& image = images[i].loaded;
      tried_[i].same_as = images[i].same_as;
      if (images[i].same_as != i) continue;
      if (!image) {
        if (images[i].at_fault) THRONG_CHECK(c_.mender.pass_on("images[{}] {}", i, image.error().message));
        c_.document.note("images[{}] {}; what uses it goes without", i, image.error().message);
        continue;
      }
      const std::string said = declared_type(c_.document, i);
      if (!said.empty() && said != image->stored_type) {
        THRONG_CHECK(c_.mender.pass_on("images[{}] is said to be {}; it is {}", i, said, image->stored_type));
        c_.document.note("images[{}] is said to be {}; it is {} and read as such", i, said, image->stored_type);
      }
      tried_[i].source = std::move(image->source);
    }
    return {};
  }

  // Where the image is in the model; only images that something shows get there.
  std::optional<std::uint32_t> use(std::size_t index) {
    Tried& tried = tried_[tried_[index].same_as];
    if (!tried.in_model && tried.source) {
      tried.in_model = static_cast<std::uint32_t>(c_.draft.images.size());
      c_.draft.images.push_back(std::move(*tried.source));
      tried.source.reset();
    }
    return tried.in_model;
  }

 private:
  struct Tried {
    std::size_t same_as = 0;
    std::optional<ImageSource> source;
    std::optional<std::uint32_t> in_model;
  };
  Conversion& c_;
  std::vector<Tried> tried_;
};

void set_sampler(const Conversion& c, const source::Texture& texture, Material& material) {
  if (!texture.sampler) return;
  constexpr int kNearest = 9728;
  const auto& sampler = c.document.model.samplers[*texture.sampler];
  material.wrap_u = wrap_of(sampler.wrap_s);
  material.wrap_v = wrap_of(sampler.wrap_t);
  material.nearest_filter = sampler.mag_filter == kNearest;
}

// The first of a texture's pictures that can be read. What is wrong with the others has been noted.
std::optional<std::uint32_t> picture_of(Images& images, const source::Texture& texture) {
  for (const std::size_t source : texture.sources) {
    if (const auto image = images.use(source)) return image;
  }
  return std::nullopt;
}

void set_texture(Conversion& c, Images& images, std::size_t texture_index, Material& material) {
  const auto& texture = c.document.model.textures[texture_index];
  set_sampler(c, texture, material);
  material.base_image = picture_of(images, texture);
  if (!texture.sources.empty()) return;
  c.document.note("textures[{}] has no picture; material '{}' keeps its colour alone", texture_index, material.name);
}

// A mesh keeps one set of texture coordinates for one material: a normal map that lies differently is left out.
void set_normal_map(Conversion& c, Images& images, std::size_t index, Material& material) {
  const auto& source = c.document.model.materials[index];
  const auto& texture = c.document.model.textures[source.normal_texture->texture];
  if (normal_space(c.document, index) != base_colour_space(c.document, index)) {
    c.document.note("material '{}' has a normal map on other texture coordinates than its colour; left out",
                    material.name);
    return;
  }
  if (texture.sources.empty()) {
    c.document.note("textures[{}] has no picture; material '{}' goes without its normal map",
                    source.normal_texture->texture, material.name);
    return;
  }
  if (!source.base_texture) set_sampler(c, texture, material);
  material.normal_image = picture_of(images, texture);
  material.normal_scale = static_cast<float>(source.normal_texture->scale);
}

}  // namespace

Result<void> convert_materials(Conversion& c) {
  const auto images_found = c.document.json->find("images");
  if (images_found != c.document.json->end() && !images_found->is_array()) {
    c.document.note("'images' is not a list of images; ignored");
  }
  Images images(c);
  THRONG_CHECK(images.load());
  for (std::size_t i = 0; i < c.document.model.materials.size(); ++i) {
    const auto& source = c.document.model.materials[i];
    Material material;
    material.name = source.name.empty() ? fmt::format("material {}", i) : source.name;
    material.base_colour = glm::vec4(source.base_colour);
    material.alpha_mode = alpha_mode_of(source.alpha_mode);
    material.alpha_cutoff = static_cast<float>(source.alpha_cutoff);
    material.double_sided = source.double_sided;
    if (source.base_texture) set_texture(c, images, source.base_texture->texture, material);
    if (source.normal_texture) set_normal_map(c, images, i, material);
    c.draft.materials.push_back(std::move(material));
  }
  return {};
}

}  // namespace throng::detail::gltf
