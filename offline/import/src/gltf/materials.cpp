#include <algorithm>

#include "gltf/convert.h"
#include "gltf/json.h"
#include "gltf/texture_space.h"
#include "gltf/uri.h"

namespace throng::gltf {
namespace {

Wrap wrap_of(int mode) {
  if (mode == TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE) return Wrap::clamp;
  if (mode == TINYGLTF_TEXTURE_WRAP_MIRRORED_REPEAT) return Wrap::mirror;
  return Wrap::repeat;
}

AlphaMode alpha_mode_of(const std::string& mode) {
  if (mode == "MASK") return AlphaMode::mask;
  if (mode == "BLEND") return AlphaMode::blend;
  return AlphaMode::opaque;
}

// What the file says an image is: its mimeType, else the media type of its data URI, else nothing.
std::string declared_type(const Document& document, std::size_t index) {
  const auto& image = listed(*document.json, "images")[index];
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
  explicit Images(Conversion& c) : c_(c), tried_(listed(*c.document.json, "images").size()) {
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      auto image = load_image(c.document, i);
      if (!image) {
        c.document.note("images[{}] {}; what uses it goes without", i, image.error().message);
        continue;
      }
      const std::string said = declared_type(c.document, i);
      if (!said.empty() && said != image->mime_type) {
        c.document.note("images[{}] is said to be {}; it is {} and read as such", i, said, image->mime_type);
      }
      tried_[i].source = std::move(*image);
    }
  }

  // Where the image is in the model; only images that something shows get there.
  std::optional<std::uint32_t> use(std::size_t index) {
    Tried& tried = tried_[index];
    if (!tried.in_model && tried.source) {
      tried.in_model = static_cast<std::uint32_t>(c_.draft.images.size());
      c_.draft.images.push_back(std::move(*tried.source));
      tried.source.reset();
    }
    return tried.in_model;
  }

 private:
  struct Tried {
    std::optional<ImageSource> source;
    std::optional<std::uint32_t> in_model;
  };
  Conversion& c_;
  std::vector<Tried> tried_;
};

void set_sampler(const Conversion& c, const tinygltf::Texture& texture, Material& material) {
  if (texture.sampler < 0) return;
  const auto& sampler = c.document.model.samplers[static_cast<std::size_t>(texture.sampler)];
  material.wrap_u = wrap_of(sampler.wrapS);
  material.wrap_v = wrap_of(sampler.wrapT);
  material.nearest_filter = sampler.magFilter == TINYGLTF_TEXTURE_FILTER_NEAREST;
}

void set_texture(Conversion& c, Images& images, int texture_index, Material& material) {
  const auto& texture = c.document.model.textures[static_cast<std::size_t>(texture_index)];
  set_sampler(c, texture, material);
  if (texture.source >= 0) {
    material.base_image = images.use(static_cast<std::size_t>(texture.source));
    return;
  }
  c.document.note("textures[{}] has no PNG or JPEG source; material '{}' keeps its colour alone", texture_index,
                  material.name);
}

// A mesh keeps one set of texture coordinates for one material: a normal map that lies differently is left out.
void set_normal_map(Conversion& c, Images& images, std::size_t index, Material& material) {
  const auto& source = c.document.model.materials[index];
  const auto& texture = c.document.model.textures[static_cast<std::size_t>(source.normalTexture.index)];
  if (normal_space(c.document, index) != base_colour_space(c.document, static_cast<int>(index))) {
    c.document.note("material '{}' has a normal map on other texture coordinates than its colour; left out",
                    material.name);
    return;
  }
  if (texture.source < 0) {
    c.document.note("textures[{}] has no PNG or JPEG source; material '{}' goes without its normal map",
                    source.normalTexture.index, material.name);
    return;
  }
  if (source.pbrMetallicRoughness.baseColorTexture.index < 0) set_sampler(c, texture, material);
  material.normal_image = images.use(static_cast<std::size_t>(texture.source));
  material.normal_scale = static_cast<float>(source.normalTexture.scale);
}

// The older way to give a material its colours. Files that use it often have no other, and would come out white.
void note_specular_glossiness(Document& document) {
  constexpr const char* kName = "KHR_materials_pbrSpecularGlossiness";
  const auto& materials = listed(*document.json, "materials");
  const auto count = std::count_if(materials.begin(), materials.end(),
                                   [](const auto& m) { return extension_of(m, kName) != nullptr; });
  if (count == 0) return;
  document.note(
      "the colours that {} materials have in {} are not read; what pbrMetallicRoughness says counts, else white", count,
      kName);
}

}  // namespace

void convert_materials(Conversion& c) {
  note_specular_glossiness(c.document);
  if (c.document.json->contains("images") && listed(*c.document.json, "images").empty()) {
    c.document.note("'images' is not a list of images; ignored");
  }
  Images images(c);
  for (std::size_t i = 0; i < c.document.model.materials.size(); ++i) {
    const auto& source = c.document.model.materials[i];
    const auto& pbr = source.pbrMetallicRoughness;
    Material material;
    material.name = source.name.empty() ? fmt::format("material {}", i) : source.name;
    for (int channel = 0; channel < 4; ++channel) {
      material.base_colour[channel] = static_cast<float>(pbr.baseColorFactor[static_cast<std::size_t>(channel)]);
    }
    material.alpha_mode = alpha_mode_of(source.alphaMode);
    material.alpha_cutoff = static_cast<float>(source.alphaCutoff);
    material.double_sided = source.doubleSided;
    if (pbr.baseColorTexture.index >= 0) set_texture(c, images, pbr.baseColorTexture.index, material);
    if (source.normalTexture.index >= 0) set_normal_map(c, images, i, material);
    c.draft.materials.push_back(std::move(material));
  }
}

}  // namespace throng::gltf
