#include "gltf_convert.h"
#include "gltf_json.h"

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

// Images by their index in the file: each is tried once, and broken ones noted once.
class Images {
 public:
  explicit Images(Conversion& c) : c_(c), tried_(listed(*c.document.json, "images").size()) {
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      auto image = load_image(c.document, i);
      if (image)
        tried_[i].source = std::move(*image);
      else
        c.document.note("images[{}] {}; what uses it goes without", i, image.error().message);
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

void set_texture(Conversion& c, Images& images, int texture_index, Material& material) {
  const auto& texture = c.document.model.textures[static_cast<std::size_t>(texture_index)];
  if (texture.sampler >= 0) {
    const auto& sampler = c.document.model.samplers[static_cast<std::size_t>(texture.sampler)];
    material.wrap_u = wrap_of(sampler.wrapS);
    material.wrap_v = wrap_of(sampler.wrapT);
    material.nearest_filter = sampler.magFilter == TINYGLTF_TEXTURE_FILTER_NEAREST;
  }
  if (texture.source >= 0) {
    material.base_image = images.use(static_cast<std::size_t>(texture.source));
    return;
  }
  c.document.note("textures[{}] has no PNG or JPEG source; material '{}' keeps its colour alone", texture_index,
                  material.name);
}

bool transforms_texture(const nlohmann::json& material) {
  const nlohmann::json::json_pointer where("/pbrMetallicRoughness/baseColorTexture");
  return material.contains(where) && extension_of(material[where], "KHR_texture_transform") != nullptr;
}

}  // namespace

void convert_materials(Conversion& c) {
  Images images(c);
  const auto& json = listed(*c.document.json, "materials");
  std::size_t transformed = 0;
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
    if (transforms_texture(json[i])) ++transformed;
    c.draft.materials.push_back(std::move(material));
  }
  if (transformed > 0)
    c.document.note("{} materials move their texture (KHR_texture_transform), which is not supported", transformed);
}

}  // namespace throng::gltf
