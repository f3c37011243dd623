// SPDX-License-Identifier: Apache-2.0
// Pictures against kept ones: tolerant of what differs between drivers (edges, rounding), intolerant of a wrong pose.
// To accept new pictures after looking at them: THRONG_UPDATE_PICTURES=1 ./run test Pictures

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "mannequin_model.h"
#include "paths.h"
#include "pin_drivers.h"
#include "throng/bake/bake.h"
#include "throng/base/file.h"
#include "throng/character/image.h"
#include "throng/playback/crowd.h"
#include "throng/scene/scene_renderer.h"

namespace throng {
namespace {

constexpr std::uint32_t kWidth = 640;
constexpr std::uint32_t kHeight = 360;

// Blocks this wide are averaged before comparing: a driver moves an edge by a fraction of a pixel, a pose moves it by
// pixels.
constexpr std::uint32_t kBlock = 2;
// A block differs when a channel does by more than this, of 255.
constexpr int kBlockTolerance = 20;
// The share of blocks that may differ. Drivers were seen to differ in under 0.05 %; a bone off by 5° in over 0.4 %.
constexpr double kShareTolerance = 0.0015;

std::optional<Device> device_of_all;
std::vector<std::string> said_of_device;  // kept apart from the device, to hold what is said of its end

// An object that was never destroyed is named by the layer when its device goes.
class DeviceEnvironment : public ::testing::Environment {
 public:
  void SetUp() override { test::pin_drivers(); }
  void TearDown() override {
    const std::size_t before = said_of_device.size();
    device_of_all.reset();
    for (std::size_t i = before; i < said_of_device.size(); ++i) ADD_FAILURE() << said_of_device[i];
  }
};

[[maybe_unused]] const ::testing::Environment* const kDeviceEnvironment =
    ::testing::AddGlobalTestEnvironment(new DeviceEnvironment);

Device& shared_device() {
  if (!device_of_all) {
    // A machine without the layer (a GPU lent for an hour) says so in its environment; everywhere else its absence
    // fails the tests.
    DeviceSettings settings;
    settings.validation = std::getenv("THRONG_TEST_WITHOUT_VALIDATION") == nullptr;
    settings.on_validation_message = [](const std::string& message) { said_of_device.push_back(message); };
    device_of_all = Device::create(settings).value();
  }
  return *device_of_all;
}

int block_average(const Image& image, std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
  unsigned sum = 0;
  for (std::uint32_t dy = 0; dy < kBlock; ++dy) {
    for (std::uint32_t dx = 0; dx < kBlock; ++dx) {
      sum += image.rgba[(std::size_t{y + dy} * image.width + x + dx) * 4 + channel];
    }
  }
  return static_cast<int>(sum / (kBlock * kBlock));
}

// The share of blocks that differ; 1 when the sizes do.
double difference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) return 1.0;
  std::size_t blocks = 0;
  std::size_t different = 0;
  for (std::uint32_t y = 0; y + kBlock <= a.height; y += kBlock) {
    for (std::uint32_t x = 0; x + kBlock <= a.width; x += kBlock) {
      int largest = 0;
      for (std::uint32_t c = 0; c < 3; ++c) {
        largest = std::max(largest, std::abs(block_average(a, x, y, c) - block_average(b, x, y, c)));
      }
      ++blocks;
      if (largest > kBlockTolerance) ++different;
    }
  }
  return static_cast<double>(different) / static_cast<double>(blocks);
}

Character bake_model(const Model& model) {
  ThreadExecutor executor;
  return bake(model, {}, executor).value();
}

// The mannequin with one bone turned by `degrees` about its own x axis in every clip.
Model mannequin_with_bone_off(std::string_view bone_name, double degrees) {
  const Model model = test::mannequin_model();
  ModelDraft draft{model.name(),      model.bones(),  model.bindings(), model.meshes(),
                   model.materials(), model.images(), model.clips(),    model.sockets()};
  const glm::dquat off = glm::angleAxis(glm::radians(degrees), glm::dvec3(1, 0, 0));
  for (std::uint32_t bone = 0; bone < draft.bones.size(); ++bone) {
    if (draft.bones[bone].name != bone_name) continue;
    draft.bones[bone].rest.rotation = draft.bones[bone].rest.rotation * off;
    for (Clip& clip : draft.clips) {
      for (BoneTrack& track : clip.bones) {
        if (track.bone != bone) continue;
        for (glm::quat& q : track.rotation.values) q = glm::quat(glm::dquat(q) * off);
      }
    }
  }
  return build_model(std::move(draft)).value();
}

Image draw(const Character& model, const Crowd& crowd, const Camera& camera, double seconds) {
  SceneSettings settings;
  settings.width = kWidth;
  settings.height = kHeight;
  settings.shadow_size = 2048;
  auto scene = SceneRenderer::create(shared_device().context(), settings).value();
  EXPECT_TRUE(scene.add(model));
  EXPECT_TRUE(scene.update(crowd));
  return scene.render(camera, ticks_from_seconds(seconds)).value();
}

Image draw_close_up(const Character& model) {
  Crowd crowd(model);
  EXPECT_TRUE(crowd.add({.play = {.clip = model.find_clip("run").value()}}, 0));
  return draw(model, crowd, {.eye = {1.1, 1.5, 2.0}, .target = {0.0, 1.12, 0.0}, .vertical_fov_degrees = 34.0}, 0.2);
}

Image draw_crowd(const Character& model) {
  Crowd crowd(model);
  for (std::uint32_t i = 0; i < 60; ++i) {
    Placement placement;
    placement.position = {1.1f * static_cast<float>(i % 10) - 5.0f, 0.0f, -1.3f * static_cast<float>(i / 10)};
    const ClipId clip(static_cast<std::uint32_t>(i % model.clips().size()));
    const Tint tint{static_cast<std::uint8_t>(255 - 20 * (i % 5)), static_cast<std::uint8_t>(255 - 25 * (i % 7)), 200,
                    255};
    EXPECT_TRUE(crowd.add(
        {.placement = placement, .play = {.clip = clip, .speed = 1.0, .offset = 0.11 * i}, .look = {.tint = tint}}, 0));
  }
  return draw(model, crowd, {.eye = {2.5, 2.4, 5.5}, .target = {-0.2, 0.7, -2.0}, .vertical_fov_degrees = 40.0}, 1.3);
}

const Character& mannequin() {
  static const Character model = bake_model(test::mannequin_model());
  return model;
}

std::filesystem::path kept_picture(const std::string& name) {
  return test::source_folder() / "tests" / "pictures" / (name + ".png");
}

Image load_kept(const std::string& name) { return decode_image(map_file(kept_picture(name)).value().span()).value(); }

void expect_like_kept(const Image& image, const std::string& name) {
  if (std::getenv("THRONG_UPDATE_PICTURES") != nullptr) {
    ASSERT_TRUE(write_png(image, kept_picture(name)));
  }
  const double share = difference(image, load_kept(name));
  testing::Test::RecordProperty("difference", std::to_string(share));
  if (share <= kShareTolerance) return;
  const auto seen = std::filesystem::temp_directory_path() / ("throng-" + name + "-seen.png");
  EXPECT_TRUE(write_png(image, seen));
  ADD_FAILURE() << 100.0 * share << " % of the picture differ from " << kept_picture(name) << "; what was drawn is "
                << seen;
}

TEST(Pictures, CloseUpLooksAsItDid) { expect_like_kept(draw_close_up(mannequin()), "close_up"); }

TEST(Pictures, CrowdLooksAsItDid) { expect_like_kept(draw_crowd(mannequin()), "crowd"); }

// The comparison itself can fail: one bone off by 5° is seen in both pictures.
TEST(Pictures, CloseUpTellsABoneThatIsOffByFiveDegrees) {
  const Character wrong = bake_model(mannequin_with_bone_off("upper_arm.L", 5.0));
  EXPECT_GT(difference(draw_close_up(wrong), load_kept("close_up")), 2.0 * kShareTolerance);
}

TEST(Pictures, CrowdTellsABoneThatIsOffByFiveDegrees) {
  const Character wrong = bake_model(mannequin_with_bone_off("spine", 5.0));
  EXPECT_GT(difference(draw_crowd(wrong), load_kept("crowd")), 2.0 * kShareTolerance);
}

TEST(Pictures, AreTheSameBytesWhenDrawnTwice) {
  EXPECT_EQ(draw_close_up(mannequin()).rgba, draw_close_up(mannequin()).rgba);
}

TEST(Pictures, LeaveTheValidationLayerSilent) {
  draw_crowd(mannequin());
  const auto messages = shared_device().validation_messages();
  EXPECT_TRUE(messages.empty()) << messages.front();
}

}  // namespace
}  // namespace throng
