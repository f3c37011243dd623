// SPDX-License-Identifier: Apache-2.0
#include "bench_targets.h"

namespace throng::bench {
namespace {

DepthPyramid make_pyramid(const VulkanContext& context, std::uint32_t width, std::uint32_t height) {
  DepthPyramidSettings settings{.width = width, .height = height, .depth = BenchTargets::targets().depth};
  settings.images_in_flight = BenchTargets::targets().images_in_flight;
  return require(DepthPyramid::create(context, settings));
}

}  // namespace

BenchTargets::BenchTargets(const VulkanContext& context, std::uint32_t width, std::uint32_t height)
    : gpu_(require(GpuDevice::create(context))),
      images_(require(test::TargetImages::create(gpu_, targets(), {width, height}))),
      readback_(require(Buffer::create(*gpu_, VkDeviceSize{4} * width * height, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                       MemoryUse::readback))),
      pyramid_(make_pyramid(context, width, height)),
      commands_(require(CommandRecorder::create(*gpu_))) {}

RendererTargets BenchTargets::targets() {
  RendererTargets targets;
  targets.samples = VK_SAMPLE_COUNT_1_BIT;
  targets.images_in_flight = 64;  // all that are recorded into one command buffer
  return targets;
}

RendererImage BenchTargets::image_of(const Camera& camera, Ticks now) const {
  RendererImage image = test::image_of(camera, images_.size());
  image.now = now;
  return image;
}

void BenchTargets::record(VkCommandBuffer commands, CharacterRenderer& crowd, const Camera& camera, RendererImage image,
                          Passes passes) {
  if (passes.hide) image.occluders = pyramid_.occluders();
  if (passes.prepare) require(crowd.record_prepare(commands, image).has_value(), "the crowd is not prepared");
  if (!passes.draw) return;
  images_.render(commands, [&] { crowd.record_colour(commands, test::uniforms_of(camera, images_.size()), {}); });
  if (!passes.hide) return;
  images_.keep_depth(commands);
  pyramid_.record(commands, images_.depth().view(), image.clip_from_world);
}

double BenchTargets::image_seconds(Case& one) {
  const double seconds = seconds_of([&] {
    require(commands_.begin().has_value(), "no commands");
    for (int i = 0; i < one.repeats; ++i) {
      record(commands_.buffer(), one.crowd, one.camera, one.image, one.passes);
      one.image.now += kTicksPerSecond / 60;
    }
    require(commands_.submit_and_wait().has_value(), "the image was not drawn");
  });
  one.counts = one.crowd.far_counts();
  return seconds / one.repeats;
}

std::vector<double> BenchTargets::seconds(std::span<Case> cases, const Effort& effort) {
  pyramid_.forget();  // it may be of another camera
  std::vector<std::function<double()>> measurements;
  for (Case& timed : cases) {
    // Where nothing is prepared, what was prepared before is drawn.
    if (!timed.passes.prepare)
      require(gpu_->run([&](VkCommandBuffer into) {
                    record(into, timed.crowd, timed.camera, timed.image, {true, false});
                  })
                  .has_value(),
              "the crowd is not prepared");
    measurements.emplace_back([this, &timed] { return image_seconds(timed); });
  }
  return medians_in_turn(effort.settle, effort.runs, measurements);
}

Image BenchTargets::picture(CharacterRenderer& crowd, const Camera& camera, RendererImage image) {
  const auto drawn = gpu_->run([&](VkCommandBuffer commands) {
    record(commands, crowd, camera, image, {});
    images_.read_back(commands, images_.colour(), readback_);
  });
  require(drawn.has_value(), "the picture was not drawn");
  Image picture{images_.size().width, images_.size().height, {}};
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(readback_.mapped());
  picture.rgba.assign(bytes, bytes + readback_.size());
  return picture;
}

double BenchTargets::covered(CharacterRenderer& crowd, const Camera& camera, RendererImage image) {
  const Image drawn = picture(crowd, camera, image);
  std::size_t lit = 0;
  for (std::size_t i = 0; i < drawn.rgba.size(); i += 4) lit += drawn.rgba[i] != 0 || drawn.rgba[i + 2] != 0 ? 1 : 0;
  return static_cast<double>(lit) / static_cast<double>(drawn.rgba.size() / 4);
}

}  // namespace throng::bench
