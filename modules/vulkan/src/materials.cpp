#include "materials.h"

#include <algorithm>
#include <map>

#include "upload.h"

namespace throng {
namespace {

VkSamplerAddressMode address_mode(Wrap wrap) {
  switch (wrap) {
    case Wrap::clamp:
      return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    case Wrap::mirror:
      return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    case Wrap::repeat:
      break;
  }
  return VK_SAMPLER_ADDRESS_MODE_REPEAT;
}

Result<Unique<VkSampler>> create_material_sampler(const Gpu& gpu, const Material& material) {
  constexpr float kAnisotropy = 8.0f;
  VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = material.nearest_filter ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
  // Far away even a texture of hard squares must not flicker, so levels are always mixed.
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  info.addressModeU = address_mode(material.wrap_u);
  info.addressModeV = address_mode(material.wrap_v);
  info.addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  info.maxLod = VK_LOD_CLAMP_NONE;
  info.anisotropyEnable = gpu.context().sampler_anisotropy && !material.nearest_filter ? VK_TRUE : VK_FALSE;
  info.maxAnisotropy = std::min(kAnisotropy, gpu.limits().maxSamplerAnisotropy);
  return create_sampler(gpu, info);
}

Result<ImageResource> load_texture(Gpu& gpu, const ImageSource& source) {
  if (source.bytes.span().empty() && !source.uri.empty())
    return fail("image '{}' is linked to '{}' and was not read; read the asset with read_asset", source.name,
                source.uri);
  auto image = decode_image(source.bytes.span());
  if (!image) return fail(in(fmt::format("image '{}'", source.name), std::move(image).error()));
  const std::uint32_t largest = gpu.limits().maxImageDimension2D;
  if (image->width > largest || image->height > largest)
    return fail("image '{}' is {} × {} but this device takes {} at most", source.name, image->width, image->height,
                largest);
  return upload_texture(gpu, *image);
}

}  // namespace

std::vector<BindingSpec> Materials::bindings() {
  return {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_SHADER_STAGE_FRAGMENT_BIT}};
}

Result<Materials> Materials::create(Gpu& gpu, const BakedModel& model) {
  Materials materials;
  auto sets = DescriptorSets::create(gpu, bindings(), static_cast<std::uint32_t>(model.materials.size()));
  if (!sets) return fail(std::move(sets));
  materials.sets_ = std::move(*sets);

  auto white = upload_texture(gpu, Image{1, 1, {255, 255, 255, 255}});
  if (!white) return fail(std::move(white));
  materials.textures_.push_back(std::move(*white));
  std::map<std::uint32_t, std::size_t> texture_of_image;
  for (std::size_t i = 0; i < model.materials.size(); ++i) {
    const Material& material = model.materials[i];
    std::size_t texture = 0;
    if (material.base_image) {
      const auto [known, is_new] = texture_of_image.try_emplace(*material.base_image, materials.textures_.size());
      texture = known->second;
      if (is_new) {
        auto loaded = load_texture(gpu, model.images[*material.base_image]);
        if (!loaded) return fail(in(fmt::format("material '{}'", material.name), std::move(loaded).error()));
        materials.textures_.push_back(std::move(*loaded));
      }
    }
    auto sampler = create_material_sampler(gpu, material);
    if (!sampler) return fail(std::move(sampler));
    materials.samplers_.push_back(std::move(*sampler));
    materials.sets_.write_image(i, 0, materials.textures_[texture].view(), materials.samplers_.back().get());
  }
  return materials;
}

}  // namespace throng
