// What a crowd costs: CPU time per instance, and images per second, for 1,000 and 10,000 mannequins.

#include <thread>

#include "measure.h"
#include "throng/animator/animator.h"
#include "throng/bake/bake.h"
#include "throng/import/import.h"
#include "throng/playback/crowd.h"
#include "throng/vulkan/device.h"
#include "throng/vulkan/scene_renderer.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: the built-in mannequin, baked with default settings; every instance in its own clip, phase and speed, four influences a vertex,
interpolated, 1280 × 720, 4× MSAA, animated shadow maps. Times are medians after warming up (the first image compiles), on the host's clock
around a fence. `drive` is what the CPU spends on an image before it hands it to the GPU: nothing in it grows with the count.
`tick` finds frame, next frame and blend of every instance on one core, for those who need them on the CPU. `traditional` is the animator's
way: sample the curves, pose the skeleton, skin every vertex, in double precision, on one core. Each result is checked.)";

Crowd make_crowd(const BakedModel& model, std::uint32_t count) {
  Crowd crowd(model);
  for (std::uint32_t i = 0; i < count; ++i) {
    Placement placement;
    placement.position = {0.9f * static_cast<float>(i % 100), 0.0f, -0.9f * static_cast<float>(i / 100)};
    const auto clip = static_cast<std::uint32_t>(i % model.clips.size());
    bench::require(crowd.add(placement, {.clip = clip, .speed = 0.8 + 0.001 * (i % 400), .offset = 0.013 * i}, {}, 0));
  }
  return crowd;
}

// The sum of frames that single tickers find.
std::uint64_t frames_by_ticker(const BakedModel& model, std::uint32_t count, Ticks now) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const ClipTiming timing = clip_timing(model.clips[i % model.clips.size()]);
    Ticker ticker(timing, 0.8 + 0.001 * (i % 400), 0.013 * i);
    ticker.advance(now);
    sum += ticker.cursor().frame;
  }
  return sum;
}

double measure_tick(const BakedModel& model, bench::Report& report) {
  constexpr std::uint32_t kCount = 10000;
  const Crowd crowd = make_crowd(model, kCount);
  const Ticks now = ticks_from_seconds(12.34);
  std::uint64_t sum = 0;
  const double seconds = bench::median_seconds(5, 51, [&] {
    sum = 0;
    for (std::uint32_t i = 0; i < kCount; ++i) sum += crowd.cursor(i, now).frame;
  });
  bench::require(sum == frames_by_ticker(model, kCount, now), "the crowd's frames are not the tickers'");
  const double nanoseconds = seconds / kCount * 1e9;
  report.add("tick_ns", nanoseconds, "ns", "an instance, on the CPU, one core");
  return nanoseconds;
}

double measure_traditional(const Model& model, bench::Report& report) {
  Animator animator(model);
  bench::require(animator.play({.clip = 1}).has_value(), "clip 1 does not play");
  double height = 0.0;
  const double seconds = bench::median_seconds(3, 21, [&] {
    animator.advance(1.0 / 60.0);
    height = 0.0;
    const auto palette = skinning_palette(model, animator.pose());
    for (std::size_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
      for (const glm::dvec3& p : skin_mesh(model, mesh, animator.pose(), palette).positions)
        height = std::max(height, p.y);
    }
  });
  bench::require(height > 1.0 && height < 2.5, "the traditional character is not of a person's height");
  report.add("traditional_ns", seconds * 1e9, "ns", "an instance: animator and skinning on the CPU, one core");
  return seconds * 1e9;
}

// A picture with nothing in it would be fast: the share of pixels that are not those of the empty scene.
double crowd_share(SceneRenderer& scene, const Camera& camera, Ticks now, std::span<const InstanceRecord> instances) {
  const Image crowded = bench::require(scene.render(camera, now));
  bench::require(scene.set_instances(0, {}).has_value(), "the crowd does not leave");
  const Image empty = bench::require(scene.render(camera, now));
  bench::require(scene.set_instances(0, instances).has_value(), "the crowd does not come back");
  std::size_t different = 0;
  for (std::size_t i = 0; i < empty.rgba.size(); i += 4) {
    different += std::abs(crowded.rgba[i] - empty.rgba[i]) > 16 ? 1 : 0;
  }
  return static_cast<double>(different) / static_cast<double>(empty.rgba.size() / 4);
}

void measure_images(const BakedModel& model, Device& device, std::uint32_t count, bench::Report& report) {
  const Crowd crowd = make_crowd(model, count);
  auto scene = bench::require(SceneRenderer::create(device.context(), {.width = 1280, .height = 720}));
  bench::require(scene.add_crowd(model, crowd.records()));
  const Camera camera = frame_bounds(scene.bounds(), 1280.0 / 720.0, 20.0, 25.0);
  Clock clock;
  constexpr int kWarmUp = 2;
  constexpr int kRuns = 9;
  std::vector<double> recording;
  const double whole = bench::median_seconds(kWarmUp, kRuns, [&] {
    clock.advance(1.0 / 60.0);
    recording.push_back(bench::require(scene.draw(camera, clock.now())).record_seconds);
  });
  std::nth_element(recording.begin() + kWarmUp, recording.begin() + kWarmUp + kRuns / 2, recording.end());
  const double drive = recording[kWarmUp + kRuns / 2];
  bench::require(scene.report().instances == count, "not every instance was drawn");
  bench::require(crowd_share(scene, camera, clock.now(), crowd.records()) > 0.02, "the picture shows no crowd");

  const std::string size = count == 1000 ? "1k" : "10k";
  report.add("images_per_second_" + size, 1.0 / whole, "1/s",
             fmt::format("{} characters on {}", count, device.info().name));
  report.add("drive_" + size + "_us", drive * 1e6, "µs", "CPU an image");
  report.add("drive_" + size + "_ns_each", drive / count * 1e9, "ns", "… an instance");
}

}  // namespace

int main(int argc, char** argv) {
  const Model model = make_mannequin();
  ThreadExecutor executor;
  const BakedModel baked = bench::require(bake(model, {}, executor));
  Device device = bench::require(Device::create());
  fmt::print("{}\n{} vertices, {} bones, {} clips; {} cores; {}\n\n", kMethod, baked.vertices.size(),
             baked.bones.size(), baked.clips.size(), std::thread::hardware_concurrency(), device.info().name);
  bench::Report report;
  const double tick = measure_tick(baked, report);
  const double traditional = measure_traditional(model, report);
  report.add("ratio_to_traditional", traditional / tick, "×", "traditional over tick, same run");
  measure_images(baked, device, 1000, report);
  measure_images(baked, device, 10000, report);
  return report.finish(argc, argv);
}
