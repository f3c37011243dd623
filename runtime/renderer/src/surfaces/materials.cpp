// SPDX-License-Identifier: Apache-2.0
#include "surfaces/materials.h"

#include <algorithm>
#include <map>

#include "throng/base/memory_budget.h"
#include "throng/base/try.h"
#include "throng/character/image.h"
#include "throng/gpu/upload.h"

namespace throng::detail::renderer {
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

// Mesa's software driver visits every texel of the box around an anisotropic footprint. Where a triangle is seen
// edge-on, or its texture repeats a thousand times, that box has no end, and neither has the picture.
bool samples_anisotropically(const GpuDevice& gpu, const Material& material) {
  return gpu.context().sampler_anisotropy && !gpu.is_software() && !material.nearest_filter;
}

Result<VkOwned<VkSampler>> create_material_sampler(const GpuDevice& gpu, const Material& material) {
  constexpr float kAnisotropy = 8.0f;
  VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = material.nearest_filter ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
  // Far away even a texture of hard squares must not flicker, so levels are always mixed.
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  info.addressModeU = address_mode(material.wrap_u);
  info.addressModeV = address_mode(material.wrap_v);
  info.addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  info.maxLod = VK_LOD_CLAMP_NONE;
  info.anisotropyEnable = samples_anisotropically(gpu, material) ? VK_TRUE : VK_FALSE;
  info.maxAnisotropy = std::min(kAnisotropy, gpu.limits().maxSamplerAnisotropy);
  return create_sampler(gpu, info);
}

// Checks the size of all pictures together, before any is decoded.
Result<void> check_pictures(std::span<const ImageSource> images, std::uint64_t allowed) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  std::uint64_t drawn = 0;
  std::uint64_t largest = 0;
  for (const ImageSource& image : images) {
    const auto size = image_size(image.bytes.span(), allowed);
    if (!size) continue;  // whoever decodes it says why
    drawn += texture_bytes(*size);
    largest = std::max(largest, decoding_bytes(*size));
  }
  if (drawn + largest <= allowed) return {};
  return fail("{} pictures take {} MiB to draw; at most {} MiB is what they may take, unless the budget is raised",
              images.size(), (drawn + largest) / kMebibyte, allowed / kMebibyte);
}

std::uint64_t picture_budget(std::span<const ImageSource> images, std::uint64_t asked) {
  std::uint64_t bytes = 0;
  for (const ImageSource& image : images) bytes += image.bytes.span().size();
  return asked > 0 ? asked : usual_memory_budget(bytes);
}

Result<ImageResource> load_texture(GpuDevice& gpu, const ImageSource& source, VkFormat format, std::uint64_t budget) {
  if (source.bytes.span().empty() && !source.uri.empty())
    return fail("image '{}' is linked to '{}' and was not read; read the asset with read_character", source.name,
                source.uri);
  auto image = decode_image(source.bytes.span(), budget);
  if (!image) return fail(with_context(fmt::format("image '{}'", source.name), std::move(image).error()));
  const std::uint32_t largest = gpu.limits().maxImageDimension2D;
  if (image->width > largest || image->height > largest)
    return fail("image '{}' is {} × {} but this device takes {} at most", source.name, image->width, image->height,
                largest);
  return upload_texture(gpu, *image, format);
}

}  // namespace

std::vector<BindingSpec> Materials::bindings() {
  const BindingSpec texture{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_SHADER_STAGE_FRAGMENT_BIT};
  return {texture, texture};  // base colour, normals
}

// Each image once for each way it is read; none is white.
class Materials::Textures {
 public:
  Textures(GpuDevice& gpu, std::span<const ImageSource> images, std::uint64_t budget, std::vector<ImageResource>& into)
      : gpu_(gpu), images_(images), budget_(budget), into_(into) {}

  Result<VkImageView> use(std::optional<std::uint32_t> image, VkFormat format) {
    const auto [known, is_new] = places_.try_emplace({image, format}, into_.size());
    if (is_new) {
      THRONG_TRY(auto loaded, image ? load_texture(gpu_, images_[*image], format, budget_)
                                    : upload_texture(gpu_, Image{1, 1, {255, 255, 255, 255}}, format));
      into_.push_back(std::move(loaded));
    }
    return into_[known->second].view();
  }

 private:
  GpuDevice& gpu_;
  std::span<const ImageSource> images_;
  std::uint64_t budget_;
  std::vector<ImageResource>& into_;
  std::map<std::pair<std::optional<std::uint32_t>, VkFormat>, std::size_t> places_;
};

Result<void> Materials::add(GpuDevice& gpu, const Material& material, std::size_t index, Textures& textures) {
  THRONG_TRY(const auto base, textures.use(material.base_image, VK_FORMAT_R8G8B8A8_SRGB));
  THRONG_TRY(const auto normals, textures.use(material.normal_image, VK_FORMAT_R8G8B8A8_UNORM));
  THRONG_TRY(auto sampler, create_material_sampler(gpu, material));
  samplers_.push_back(std::move(sampler));
  sets_.write_image(index, 0, base, samplers_.back().get());
  sets_.write_image(index, 1, normals, samplers_.back().get());
  return {};
}

Result<Materials> Materials::create(GpuDevice& gpu, std::span<const Material> materials,
                                    std::span<const ImageSource> images, std::uint64_t asked) {
  const std::uint64_t budget = picture_budget(images, asked);
  THRONG_CHECK(check_pictures(images, budget));
  Materials made;
  THRONG_TRY(made.sets_, DescriptorSets::create(gpu, bindings(), static_cast<std::uint32_t>(materials.size())));
  Textures textures(gpu, images, budget, made.textures_);
  for (std::size_t i = 0; i < materials.size(); ++i)
    if (auto added = made.add(gpu, materials[i], i, textures); !added)
      return fail(with_context(fmt::format("material '{}'", materials[i].name), std::move(added).error()));
  return made;
}

}  // namespace throng::detail::renderer
