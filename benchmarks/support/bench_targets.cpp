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
      pyramid_(make_pyramid(context, width, height)) {}

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

std::vector<double> BenchTargets::seconds(std::span<Case> cases, const Effort& effort) {
  CommandRecorder commands = require(CommandRecorder::create(*gpu_));
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
    measurements.emplace_back([this, &commands, &timed] {
      const double seconds = seconds_of([&] {
        require(commands.begin().has_value(), "no commands");
        for (int i = 0; i < timed.repeats; ++i) {
          record(commands.buffer(), timed.crowd, timed.camera, timed.image, timed.passes);
          timed.image.now += kTicksPerSecond / 60;
        }
        require(commands.submit_and_wait().has_value(), "the image was not drawn");
      });
      timed.counts = timed.crowd.far_counts();
      return seconds / timed.repeats;
    });
  }
  return medians_in_turn(effort.settle, effort.runs, measurements);
}

double BenchTargets::covered(CharacterRenderer& crowd, const Camera& camera, RendererImage image) {
  const auto drawn = gpu_->run([&](VkCommandBuffer commands) {
    record(commands, crowd, camera, image, {});
    images_.read_back(commands, images_.colour(), readback_);
  });
  require(drawn.has_value(), "the picture was not drawn");
  std::size_t lit = 0;
  const std::size_t pixels = std::size_t{images_.size().width} * images_.size().height;
  for (std::size_t i = 0; i < pixels; ++i)
    lit += readback_.mapped()[i * 4] != std::byte{0} || readback_.mapped()[i * 4 + 2] != std::byte{0} ? 1 : 0;
  return static_cast<double>(lit) / static_cast<double>(pixels);
}

}  // namespace throng::bench
