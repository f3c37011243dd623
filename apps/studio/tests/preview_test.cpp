// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/preview/preview_stage.h"
#include "pin_drivers.h"
#include "throng/bake/bake.h"
#include "waiting.h"

namespace throng::studio {
namespace {

constexpr std::uint32_t kWidth = 128, kHeight = 96;

std::shared_ptr<const BakeResult> baked_mannequin() {
  BakeSettings settings;
  settings.clips = {"walk", "wave"};
  settings.levels = 1;
  SerialExecutor executor;
  auto model = bake(test::mannequin(), settings, executor);
  EXPECT_TRUE(model) << model.error().message;
  return std::make_shared<const BakeResult>(
      BakeResult{.model = *std::move(model), .sources = {}, .form = {}, .seconds = 0.0, .from_file = false});
}

bool has_device() {
  const auto devices = list_devices();
  return devices && std::ranges::any_of(*devices, [](const DeviceInfo& device) { return device.unusable.empty(); });
}

class PreviewTest : public ::testing::Test {
 protected:
  void SetUp() override {
    throng::test::pin_drivers();
    if (!has_device()) GTEST_SKIP() << "no Vulkan device here";
  }

  // Until a picture of what is asked for now is there.
  Image picture(Preview& preview, const std::shared_ptr<const BakeResult>& result) {
    EXPECT_TRUE(test::wait_until([&] {
      preview.update(result, 0.0, kWidth, kHeight);
      return preview.is_current() || !preview.frame().error.empty();
    }));
    EXPECT_EQ(preview.frame().error, "");
    return preview.take_image();
  }
};

TEST_F(PreviewTest, DrawsTheClipTheTimeAndTheSideThatAreAskedFor) {
  const auto result = baked_mannequin();
  Preview preview({.device = {}, .validation = true});
  preview.clock.playing = false;
  const Image first = picture(preview, result);
  ASSERT_GT(first.rgba.size(), 0u);
  const auto differs = [&first](const Image& other) { return other.rgba != first.rgba; };
  preview.clock.seconds = 0.5;
  EXPECT_TRUE(differs(picture(preview, result))) << "time";
  preview.choose_clip(1);
  EXPECT_TRUE(differs(picture(preview, result))) << "clip";
  preview.choose_clip(0);
  EXPECT_FALSE(differs(picture(preview, result))) << "the same again";
  preview.orbit.turn({0.3, 0.0});
  EXPECT_TRUE(differs(picture(preview, result))) << "side";
  preview.look_from_start();
  preview.count = 4;
  EXPECT_TRUE(differs(picture(preview, result))) << "crowd";
  preview.worker().stop();
  EXPECT_EQ(preview.worker().validation_messages(), std::vector<std::string>{});
  EXPECT_NE(preview.worker().device_name(), "");
}

TEST_F(PreviewTest, ShowsWhereAClipIsWorst) {
  const auto result = baked_mannequin();
  Preview preview({});
  preview.update(result, 0.0, 0, 0);
  preview.count = 50;
  preview.show_worst(1);
  EXPECT_EQ(preview.clip(), 1u);
  EXPECT_TRUE(preview.shows_one());
  EXPECT_FALSE(preview.clock.playing);
  const BakedClip& clip = result->model.clips()[1];
  EXPECT_NEAR(preview.clock.seconds, clip.error.worst_time - clip.source_start, 1e-9);
}

TEST_F(PreviewTest, GoesOnWithTheSameClipWhenItIsBakedAgain) {
  const auto first = baked_mannequin();
  const auto second = baked_mannequin();
  Preview preview({});
  preview.clock.playing = false;
  preview.update(first, 0.0, 0, 0);
  preview.choose_clip(1, 0.75);
  preview.update(second, 0.0, 0, 0);
  EXPECT_EQ(preview.clip(), 1u);
  EXPECT_DOUBLE_EQ(preview.clock.seconds, 0.75);
  preview.update(nullptr, 0.0, 0, 0);
  EXPECT_FALSE(preview.has_model());
}

TEST_F(PreviewTest, SaysWhyThereIsNoPicture) {
  PreviewWorker worker({.device = "no such device", .validation = false});
  PreviewRequest request;
  const auto result = baked_mannequin();
  request.model = std::shared_ptr<const Character>(result, &result->model);
  request.width = kWidth;
  request.height = kHeight;
  worker.ask(request);
  std::optional<PreviewFrame> frame;
  ASSERT_TRUE(test::wait_until([&] { return (frame = worker.take()).has_value(); }));
  EXPECT_NE(frame->error.find("no such device"), std::string::npos) << frame->error;
}

}  // namespace
}  // namespace throng::studio
