// CrowdRenderer as a program with its own renderer uses it: own command buffers, own targets, own formats.
#include "throng/vulkan/crowd_renderer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "commands.h"
#include "resources.h"
#include "scene_view.h"
#include "test_device.h"
#include "test_models.h"

namespace throng {
namespace {

constexpr std::uint32_t kSize = 64;

// A float target without sRGB, one sample, plain depth: unlike everything SceneRenderer does.
class OwnRenderer {
 public:
  explicit OwnRenderer(const VulkanContext& context) : gpu_(Gpu::create(context).value()) {
    ImageShape colour{.format = VK_FORMAT_R32G32B32A32_SFLOAT, .width = kSize, .height = kSize};
    colour.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    colour_ = ImageResource::create(*gpu_, colour).value();
    ImageShape depth{.format = VK_FORMAT_D16_UNORM, .width = kSize, .height = kSize};
    depth.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    depth.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
    depth_ = ImageResource::create(*gpu_, depth).value();
    readback_ =
        Buffer::create(*gpu_, VkDeviceSize{16} * kSize * kSize, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback)
            .value();
  }

  static CrowdTargets targets() {
    CrowdTargets targets;
    targets.colour = VK_FORMAT_R32G32B32A32_SFLOAT;
    targets.depth = VK_FORMAT_D16_UNORM;
    targets.samples = VK_SAMPLE_COUNT_1_BIT;
    return targets;
  }

  // The red of every pixel after drawing the crowd on black without shadow maps; `pictures` of them into one command
  // buffer.
  std::vector<float> draw(CrowdRenderer& crowd, std::uint64_t now, int pictures = 1) {
    const auto done = gpu_->run([&](VkCommandBuffer commands) {
      for (int i = 0; i < pictures; ++i) record(commands, crowd, now);
      copy(commands);
    });
    EXPECT_TRUE(done) << done.error().message;
    std::vector<float> red;
    for (std::size_t i = 0; i < std::size_t{kSize} * kSize; ++i)
      red.push_back(reinterpret_cast<const float*>(readback_.mapped())[i * 4]);
    return red;
  }

 private:
  static VkRenderingAttachmentInfo attachment(VkImageView view) {
    VkRenderingAttachmentInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    info.imageView = view;
    info.imageLayout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
    info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    return info;
  }

  void record(VkCommandBuffer commands, CrowdRenderer& crowd, std::uint64_t now) {
    const SceneSettings settings{.width = kSize, .height = kSize};
    const Camera camera{{0.0, 1.0, 8.0}, {0.0, 1.0, 0.0}, 40.0};
    const gpu::SceneUniforms uniforms = scene_uniforms(camera, settings, {});
    CrowdImage image;
    image.now = now;
    image.clip_from_world = uniforms.clip_from_world;
    image.eye = glm::vec3(camera.eye);
    image.pixels = kSize / (2.0f * std::tan(glm::radians(20.0f)));
    image.speck_pixels = 0.0f;
    const auto prepared = crowd.record_prepare(commands, image);
    EXPECT_TRUE(prepared) << prepared.error().message;
    const Scope all{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
    LayoutChange change{colour_.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL};
    image_barrier(*gpu_, commands, change, all, all);
    change.image = depth_.get();
    change.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
    image_barrier(*gpu_, commands, change, all, all);

    const VkRenderingAttachmentInfo colour = attachment(colour_.view());
    const VkRenderingAttachmentInfo depth = attachment(depth_.view());
    VkRenderingInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea = {{0, 0}, {kSize, kSize}};
    info.layerCount = 1;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &colour;
    info.pDepthAttachment = &depth;
    gpu_->vk().vkCmdBeginRendering(commands, &info);
    const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    gpu_->vk().vkCmdSetViewport(commands, 0, 1, &viewport);
    gpu_->vk().vkCmdSetScissor(commands, 0, 1, &info.renderArea);
    crowd.record_colour(commands, uniforms, {});
    gpu_->vk().vkCmdEndRendering(commands);
  }

  void copy(VkCommandBuffer commands) {
    image_barrier(*gpu_, commands,
                  {colour_.get(), VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
                  {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT},
                  {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT});
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {kSize, kSize, 1};
    gpu_->vk().vkCmdCopyImageToBuffer(commands, colour_.get(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, readback_.get(), 1,
                                      &region);
    memory_barrier(*gpu_, commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
  }

  std::shared_ptr<Gpu> gpu_;
  ImageResource colour_;
  ImageResource depth_;
  Buffer readback_;
};

class CrowdOnGpu : public test::OnDevice {
 protected:
  CrowdRenderer make(const BakedModel& model, const CrowdSettings& settings = {.targets = OwnRenderer::targets()}) {
    auto crowd = CrowdRenderer::create(context(), settings);
    EXPECT_TRUE(crowd) << crowd.error().message;
    const auto added = crowd->add_model(model);
    EXPECT_TRUE(added) << added.error().message;
    return std::move(*crowd);
  }
};

Result<void> set(CrowdRenderer& crowd, const test::Cast& cast) {
  return crowd.set_instances(0, cast.instances, cast.plays);
}

std::size_t lit_pixels(const std::vector<float>& red) {
  return static_cast<std::size_t>(std::ranges::count_if(red, [](float value) { return value > 0.0f; }));
}

TEST_F(CrowdOnGpu, DrawsIntoACallersCommandBufferAndFormats) {
  OwnRenderer own(context());
  CrowdRenderer crowd = make(test::card_model({}));
  EXPECT_EQ(lit_pixels(own.draw(crowd, 0)), 0u) << "no instances yet";
  ASSERT_TRUE(set(crowd, {test::standing(0)}));
  // 2 m of the 5.82 m that the picture shows at the card's distance.
  const double side = 2.0 / (2.0 * 8.0 * std::tan(glm::radians(20.0))) * kSize;
  EXPECT_NEAR(static_cast<double>(lit_pixels(own.draw(crowd, 0))), side * side, 2.0 * side);
}

TEST_F(CrowdOnGpu, MayRecordAsManyPicturesAtOnceAsWereAskedFor) {
  OwnRenderer own(context());
  CrowdSettings settings{.targets = OwnRenderer::targets()};
  settings.targets.images_in_flight = 3;
  CrowdRenderer crowd = make(test::card_model({}), settings);
  ASSERT_TRUE(set(crowd, {test::standing(0)}));
  EXPECT_EQ(own.draw(crowd, 0, 3), own.draw(crowd, 0, 1));
}

TEST_F(CrowdOnGpu, KeepsWorkingWhenInstancesComeAndGo) {
  OwnRenderer own(context());
  CrowdRenderer crowd = make(test::card_model({}));
  ASSERT_TRUE(set(crowd, {test::standing(0)}));
  const auto alone = own.draw(crowd, 0);
  test::Cast many;
  for (int i = 0; i < 5000; ++i) many.add(test::standing(0));
  ASSERT_TRUE(set(crowd, many));
  EXPECT_EQ(crowd.instance_count(), 5000u);
  EXPECT_EQ(own.draw(crowd, 0), alone) << "all on one place";
  EXPECT_EQ(crowd.counts().in_picture, 5000u);
  ASSERT_FALSE(set(crowd, {test::standing(7)}));
  EXPECT_EQ(crowd.instance_count(), 5000u) << "a refused crowd leaves the old one";
  ASSERT_TRUE(set(crowd, {test::standing(0)}));
  EXPECT_EQ(own.draw(crowd, 0), alone);
}

// The card rises by the same half a metre in each, whoever moves its vertices.
TEST_F(CrowdOnGpu, DrawsTheSameInEveryEncodingAndEitherWayToSkin) {
  OwnRenderer own(context());
  test::Character rising = test::standing(1);
  rising.play.track.phase = {0, 1u << 31};
  std::vector<float> expected;
  for (const Skinning skinning : {Skinning::vertex, Skinning::compute})
    for (const Encoding encoding : kEncodings) {
      CrowdRenderer crowd =
          make(test::card_model({}, encoding), {.targets = OwnRenderer::targets(), .skinning = skinning});
      ASSERT_TRUE(set(crowd, {rising, test::standing(0, {3.0f, 0.0f, 0.0f})}));
      EXPECT_EQ(crowd.skinning(), skinning);
      const auto red = own.draw(crowd, 0);
      if (expected.empty()) expected = red;
      EXPECT_GT(lit_pixels(red), 400u);
      std::size_t different = 0;
      for (std::size_t i = 0; i < red.size(); ++i)
        if (std::abs(red[i] - expected[i]) > 0.02f) ++different;
      EXPECT_LE(different, 40u) << name_of(encoding) << ": more than pixels at the edges";
    }
}

// Poses of one picture must not be written over while another is drawn from them: validation would say so.
TEST_F(CrowdOnGpu, PosesManyMomentsInOneCommandBuffer) {
  OwnRenderer own(context());
  CrowdSettings settings{.targets = OwnRenderer::targets()};
  settings.targets.images_in_flight = 3;
  CrowdRenderer crowd = make(test::card_model({}, Encoding::local8), settings);
  test::Cast many;
  for (int i = 0; i < 300; ++i) many.add(test::standing(1));
  ASSERT_TRUE(set(crowd, many));
  EXPECT_EQ(own.draw(crowd, 0, 3), own.draw(crowd, 0, 1));
}

TEST_F(CrowdOnGpu, SeesAllSixtyFourBitsOfTime) {
  OwnRenderer own(context());
  CrowdRenderer crowd = make(test::card_model({}));
  test::Character rising = test::standing(1);
  rising.play.track.start = {0, 5};  // 5 · 2^32 ticks
  rising.play.track.rate = {0, 1u << 24};
  ASSERT_TRUE(set(crowd, {rising}));
  const std::uint64_t start = std::uint64_t{5} << 32;
  const auto before = own.draw(crowd, start);
  EXPECT_NE(own.draw(crowd, start + 128), before);
  EXPECT_EQ(own.draw(crowd, start - 1), before) << "not yet";
}

}  // namespace
}  // namespace throng
