// CrowdRenderer as a program with its own renderer uses it: own command buffers, own targets, own formats.
#include "throng/vulkan/crowd_renderer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "commands.h"
#include "pose_pass.h"
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

  bool poses = true;

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
    if (poses) crowd.record_poses(commands, now);
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
    const SceneSettings settings{.width = kSize, .height = kSize};
    const Camera camera{{0.0, 1.0, 8.0}, {0.0, 1.0, 0.0}, 40.0};
    crowd.record_colour(commands, scene_uniforms(camera, settings, {}), {}, now);
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

class Crowd : public test::OnDevice {};

std::size_t lit_pixels(const std::vector<float>& red) {
  return static_cast<std::size_t>(std::ranges::count_if(red, [](float value) { return value > 0.0f; }));
}

TEST_F(Crowd, DrawsIntoACallersCommandBufferAndFormats) {
  OwnRenderer own(context());
  auto crowd = CrowdRenderer::create(context(), test::card_model({}), OwnRenderer::targets());
  ASSERT_TRUE(crowd) << crowd.error().message;
  EXPECT_EQ(lit_pixels(own.draw(*crowd, 0)), 0u) << "no instances yet";
  ASSERT_TRUE(crowd->set_instances(std::array{test::standing(0)}));
  // 2 m of the 5.82 m that the picture shows at the card's distance.
  const double side = 2.0 / (2.0 * 8.0 * std::tan(glm::radians(20.0))) * kSize;
  EXPECT_NEAR(static_cast<double>(lit_pixels(own.draw(*crowd, 0))), side * side, 2.0 * side);
}

TEST_F(Crowd, MayRecordAsManyPicturesAtOnceAsWereAskedFor) {
  OwnRenderer own(context());
  CrowdTargets targets = OwnRenderer::targets();
  targets.images_in_flight = 3;
  auto crowd = CrowdRenderer::create(context(), test::card_model({}), targets);
  ASSERT_TRUE(crowd && crowd->set_instances(std::array{test::standing(0)}));
  EXPECT_EQ(own.draw(*crowd, 0, 3), own.draw(*crowd, 0, 1));
}

TEST_F(Crowd, KeepsWorkingWhenInstancesComeAndGo) {
  OwnRenderer own(context());
  auto crowd = CrowdRenderer::create(context(), test::card_model({}), OwnRenderer::targets());
  ASSERT_TRUE(crowd);
  const std::vector one{test::standing(0)};
  ASSERT_TRUE(crowd->set_instances(one));
  const auto alone = own.draw(*crowd, 0);
  const std::vector many(5000, test::standing(0));
  ASSERT_TRUE(crowd->set_instances(many));
  EXPECT_EQ(crowd->instance_count(), 5000u);
  EXPECT_EQ(own.draw(*crowd, 0), alone) << "all on one place";
  EXPECT_EQ(crowd->draw_count(), 1u);
  ASSERT_FALSE(crowd->set_instances(std::array{test::standing(7)}));
  EXPECT_EQ(crowd->instance_count(), 5000u) << "a refused crowd leaves the old one";
  ASSERT_TRUE(crowd->set_instances(one));
  EXPECT_EQ(own.draw(*crowd, 0), alone);
}

// The card rises by the same half a metre in each.
TEST_F(Crowd, DrawsTheSameInEveryEncoding) {
  OwnRenderer own(context());
  InstanceRecord rising = test::standing(1);
  rising.phase = {0, 1u << 31};
  std::vector<float> expected;
  for (const Encoding encoding : kEncodings) {
    auto crowd = CrowdRenderer::create(context(), test::card_model({}, encoding), OwnRenderer::targets());
    ASSERT_TRUE(crowd) << name_of(encoding) << ": " << crowd.error().message;
    ASSERT_TRUE(crowd->set_instances(std::array{rising, test::standing(0, {3.0f, 0.0f, 0.0f})}));
    EXPECT_EQ(crowd->needs_poses(), encoding == Encoding::local8);
    const auto red = own.draw(*crowd, 0);
    if (expected.empty()) expected = red;
    EXPECT_GT(lit_pixels(red), 400u);
    std::size_t different = 0;
    for (std::size_t i = 0; i < red.size(); ++i)
      if (std::abs(red[i] - expected[i]) > 0.02f) ++different;
    EXPECT_LE(different, 40u) << name_of(encoding) << ": more than pixels at the edges";
  }
}

TEST_F(Crowd, DrawsNoPosesOfAnotherMoment) {
  OwnRenderer own(context());
  auto crowd = CrowdRenderer::create(context(), test::card_model({}, Encoding::local8), OwnRenderer::targets());
  ASSERT_TRUE(crowd && crowd->set_instances(std::array{test::standing(0)}));
  own.poses = false;
  EXPECT_EQ(lit_pixels(own.draw(*crowd, 0)), 0u) << "none yet";
  own.poses = true;
  const auto posed = own.draw(*crowd, 5);
  EXPECT_GT(lit_pixels(posed), 100u);
  own.poses = false;
  EXPECT_EQ(own.draw(*crowd, 5), posed) << "once is enough";
  EXPECT_EQ(lit_pixels(own.draw(*crowd, 6)), 0u);
  ASSERT_TRUE(crowd->set_instances(std::array{test::standing(0)}));
  EXPECT_EQ(lit_pixels(own.draw(*crowd, 5)), 0u) << "other characters, other poses";
}

// Poses of one picture must not be written over while another is drawn from them: validation would say so.
TEST_F(Crowd, PosesManyMomentsInOneCommandBuffer) {
  OwnRenderer own(context());
  CrowdTargets targets = OwnRenderer::targets();
  targets.images_in_flight = 3;
  auto crowd = CrowdRenderer::create(context(), test::card_model({}, Encoding::local8), targets);
  ASSERT_TRUE(crowd);
  const std::vector many(300, test::standing(1));
  ASSERT_TRUE(crowd->set_instances(many));
  EXPECT_EQ(own.draw(*crowd, 0, 3), own.draw(*crowd, 0, 1));
}

TEST(PoseSlots, NumberOnlyInstancesThatNeedAPose) {
  const std::vector instances{test::standing(0), test::standing(1), test::standing(0), test::standing(1)};
  const PoseSlots slots = assign_pose_slots(instances, {false, true});
  EXPECT_EQ(slots.words, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 3}));
  EXPECT_EQ(slots.posed_count, 2u);
  EXPECT_EQ(slots.instance_count, 4u);
}

TEST_F(Crowd, SeesAllSixtyFourBitsOfTime) {
  OwnRenderer own(context());
  auto crowd = CrowdRenderer::create(context(), test::card_model({}), OwnRenderer::targets());
  ASSERT_TRUE(crowd);
  InstanceRecord rising = test::standing(1);
  rising.start = {0, 5};  // 5 · 2^32 ticks
  rising.rate = {0, 1u << 24};
  ASSERT_TRUE(crowd->set_instances(std::array{rising}));
  const std::uint64_t start = std::uint64_t{5} << 32;
  const auto before = own.draw(*crowd, start);
  EXPECT_NE(own.draw(*crowd, start + 128), before);
  EXPECT_EQ(own.draw(*crowd, start - 1), before) << "not yet";
}

}  // namespace
}  // namespace throng
