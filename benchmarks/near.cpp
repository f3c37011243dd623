// SPDX-License-Identifier: Apache-2.0
// What skinning characters that the CPU poses costs on the GPU, against writing its output once.
//   bench_near [--gpu] [--json FILE]     --gpu: 1,000 characters of 20,000 vertices, and the variants

#include <array>
#include <cmath>
#include <optional>

#include "measure.h"
#include "pin_drivers.h"
#include "throng/bake/bake.h"
#include "throng/gpu/commands.h"
#include "throng/gpu/device.h"
#include "throng/gpu/resources.h"
#include "throng/pose/pose.h"
#include "throng/renderer/character_renderer.h"
#include "tube.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: a tube of 57 bones whose vertices follow their four or eight nearest, every character in its own pose. Medians of 21 runs after a second of warming up, in turns: the
variants, filling and copying.
  skin         the one dispatch for all characters, between two timestamps on the GPU.
  write        a fill of as many bytes as the dispatch writes, 16 a vertex, between two timestamps in the same run; copy: a copy of them.
  pose, prepare  what the CPU spends on set_pose, a character, and on recording an image of all of them, one core.
  1k_cpu       both, of 1,000 characters of 2,400 vertices: the core's own time, medians of 15 images.
One character's vertices are compared with the reference in double: a fast wrong answer ends the benchmark.)";

constexpr int kRuns = 21;
constexpr int kCpuRuns = 15;

Pose bent(const Model& model, std::uint32_t character) {
  Pose pose = rest_pose(model);
  for (std::size_t i = 1; i < pose.bones.size(); ++i)
    pose.bones[i].rotation = glm::angleAxis(0.05 * std::sin(0.1 * character + 0.3 * static_cast<double>(i)),
                                            glm::normalize(glm::dvec3(1.0, 0.2, 0.4)));
  return pose;
}

std::vector<Affine> affines_of(const Model& model, const Pose& pose) {
  std::vector<Affine> affines;
  for (const glm::dmat4& matrix : model_from_bones(model, pose)) affines.push_back(to_affine(glm::mat4(matrix)));
  return affines;
}

// Two timestamps and what lies between them, in seconds.
class GpuClock {
 public:
  explicit GpuClock(GpuDevice& gpu) : gpu_(gpu) {
    VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = 2;
    bench::require(gpu_.vk().vkCreateQueryPool(gpu_.device(), &info, nullptr, &pool_) == VK_SUCCESS, "no query pool");
  }
  GpuClock(const GpuClock&) = delete;
  GpuClock& operator=(const GpuClock&) = delete;
  ~GpuClock() { gpu_.vk().vkDestroyQueryPool(gpu_.device(), pool_, nullptr); }

  VkQueryPool pool() const { return pool_; }
  void note(VkCommandBuffer commands, std::uint32_t which) const {
    gpu_.vk().vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool_, which);
  }
  double seconds(const std::function<void(VkCommandBuffer)>& record) const {
    const auto done = gpu_.run([&](VkCommandBuffer commands) {
      gpu_.vk().vkCmdResetQueryPool(commands, pool_, 0, 2);
      record(commands);
    });
    bench::require(done.has_value(), "the device failed");
    std::array<std::uint64_t, 2> ticks{};
    gpu_.vk().vkGetQueryPoolResults(gpu_.device(), pool_, 0, 2, sizeof(ticks), ticks.data(), sizeof(ticks[0]),
                                    VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    return static_cast<double>(ticks[1] - ticks[0]) * static_cast<double>(gpu_.limits().timestampPeriod) * 1e-9;
  }

 private:
  GpuDevice& gpu_;
  VkQueryPool pool_ = VK_NULL_HANDLE;
};

// Memory that is filled and copied, as much as a dispatch writes.
class Writes {
 public:
  Writes(GpuDevice& gpu, VkDeviceSize bytes)
      : gpu_(gpu),
        bytes_(bytes),
        from_(bench::require(Buffer::create(gpu, bytes, kUsage, MemoryUse::device))),
        to_(bench::require(Buffer::create(gpu, bytes, kUsage, MemoryUse::device))) {}

  double fill(const GpuClock& clock) const {
    return clock.seconds([&](VkCommandBuffer commands) {
      clock.note(commands, 0);
      gpu_.vk().vkCmdFillBuffer(commands, from_.get(), 0, bytes_, 0x3F800000u);
      clock.note(commands, 1);
    });
  }
  double copy(const GpuClock& clock) const {
    return clock.seconds([&](VkCommandBuffer commands) {
      const VkBufferCopy all{0, 0, bytes_};
      clock.note(commands, 0);
      gpu_.vk().vkCmdCopyBuffer(commands, from_.get(), to_.get(), 1, &all);
      clock.note(commands, 1);
    });
  }

 private:
  static constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;

  GpuDevice& gpu_;
  VkDeviceSize bytes_;
  Buffer from_, to_;
};

void check(CharacterRenderer& renderer, GpuDevice& gpu, const Model& model, SkinMethod method,
           std::span<const CharacterId> ids) {
  const auto which = static_cast<std::uint32_t>(ids.size() / 2);
  bench::require(renderer.request_vertices(ids[which], {ModelId(), 0}));
  bench::require(gpu.run([&](VkCommandBuffer commands) {
                      bench::require(renderer.record_prepare(commands, {.culling = false}).has_value(), "no image");
                    })
                     .has_value(),
                 "the device failed");
  renderer.all_finished();
  const auto read = renderer.poll();
  bench::require(read.size() == 1, "the vertices did not come back");
  const Pose pose = bent(model, which);
  const SkinnedVertices right = skin_mesh(model, 0, pose, skinning_palette(model, pose), method);
  double off = 0.0;
  for (std::size_t v = 0; v < right.positions.size(); ++v)
    off = std::max(off, glm::distance(right.positions[v], glm::dvec3(read[0].positions[v])));
  bench::require(off < 1e-5 * pose_bounds(model, pose).diagonal(), "vertices are not where the reference has them");
}

struct Variant {
  std::string name;
  bench::TubeShape shape;
  SkinMethod method = SkinMethod::linear;
  std::optional<bench::Target> of_four = {};  // of the time that four influences take, on a GPU
};

// Near characters of one tube, each bent in its own way.
struct Tubes {
  Model model;
  CharacterRenderer renderer;
  std::vector<CharacterId> ids = {};
  std::vector<std::vector<Affine>> poses = {};
};

Tubes add_tubes(Device& device, const Variant& variant, std::uint32_t characters) {
  RendererSettings settings;
  settings.targets.images_in_flight = 1;
  Tubes tubes{bench::make_tube(variant.shape), bench::require(CharacterRenderer::create(device.context(), settings))};
  SerialExecutor executor;
  const Character character = bench::require(bake(tubes.model, {.levels = 1}, executor));
  bench::require(tubes.renderer.add(character, {.near_method = variant.method}));
  for (std::uint32_t i = 0; i < characters; ++i) {
    tubes.ids.push_back(bench::require(tubes.renderer.add_near(ModelId())));
    tubes.poses.push_back(affines_of(tubes.model, bent(tubes.model, i)));
  }
  return tubes;
}

void measure(Device& device, std::span<const Variant> variants, std::uint32_t characters, const bench::Options& options,
             bench::Report& report) {
  auto gpu = bench::require(GpuDevice::create(device.context()));
  const GpuClock clock(*gpu);
  std::vector<Tubes> tubes;
  for (const Variant& variant : variants) tubes.push_back(add_tubes(device, variant, characters));
  const std::uint64_t vertices = std::uint64_t{characters} * tubes[0].model.meshes()[0].positions.size();
  const Writes writes(*gpu, vertices * 16);
  std::vector<double> posing;
  std::vector<std::vector<double>> recording(variants.size());
  std::vector<std::function<double()>> measurements;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    posing.push_back(bench::median_seconds(1, 9, [&, v] {
      for (std::uint32_t i = 0; i < characters; ++i)
        bench::require(tubes[v].renderer.set_pose(tubes[v].ids[i], {.model_from_bones = tubes[v].poses[i]}).has_value(),
                       "a pose was refused");
    }));
    check(tubes[v].renderer, *gpu, tubes[v].model, variants[v].method, tubes[v].ids);
    measurements.emplace_back([&, v] {
      return clock.seconds([&](VkCommandBuffer commands) {
        const auto begin = std::chrono::steady_clock::now();
        const RendererImage image{.culling = false, .near_timestamps = clock.pool()};
        bench::require(tubes[v].renderer.record_prepare(commands, image).has_value(), "no image");
        recording[v].push_back(bench::seconds_since(begin));
      });
    });
  }
  measurements.emplace_back([&] { return writes.fill(clock); });
  measurements.emplace_back([&] { return writes.copy(clock); });
  const auto seconds = bench::medians_in_turn(options.sized(1.0, 0.0), options.sized(kRuns, 2), measurements);
  const double fill = seconds[variants.size()], copy = seconds[variants.size() + 1];
  const std::string of = fmt::format("{} × {}", characters, tubes[0].model.meshes()[0].positions.size());
  fmt::print("filling as many bytes as a dispatch writes takes {:.3f} ms, copying them {:.3f}\n", fill * 1e3,
             copy * 1e3);
  for (std::size_t v = 0; v < variants.size(); ++v) {
    bench::require(tubes[v].renderer.near_counts().vertices == vertices, "vertices were left out");
    const std::string& name = variants[v].name;
    report.add(name + "_skin_ms", seconds[v] * 1e3, "ms", of + " vertices, one dispatch");
    report.add(name + "_ratio_to_write", seconds[v] / fill, "×", "skinning against writing its output once");
    report.record(name + "_write_ms", fill * 1e3, "ms");
    report.record(name + "_copy_ms", copy * 1e3, "ms");
    if (v > 0)
      report.add(name + "_ratio_to_linear_4", seconds[v] / seconds[0], "×", "skinning against four influences",
                 gpu->is_software() ? std::nullopt : variants[v].of_four);
    report.add(name + "_rate", static_cast<double>(vertices) / seconds[v] * 1e-9, "G/s", "vertices");
    report.add(name + "_pose_us", posing[v] / characters * 1e6, "µs", "set_pose, a character");
    report.add(name + "_prepare_us", bench::median(std::move(recording[v])) * 1e6, "µs",
               "recording the image, all characters");
  }
}

// What 1,000 characters ask of the CPU in an image: posing them all and recording what skins and draws them.
// `target`: of both together, in milliseconds.
void measure_cpu(Device& device, const Variant& variant, std::uint32_t characters, std::optional<bench::Target> target,
                 bench::Report& report) {
  auto gpu = bench::require(GpuDevice::create(device.context()));
  Tubes tubes = add_tubes(device, variant, characters);
  CharacterRenderer& renderer = tubes.renderer;
  const std::vector<float> weights(variant.shape.targets, 0.5f);
  std::vector<double> posing, preparing;
  for (int run = 0; run < kCpuRuns; ++run) {
    const double begin = bench::thread_seconds();
    for (std::uint32_t i = 0; i < characters; ++i)
      bench::require(
          renderer.set_pose(tubes.ids[i], {.model_from_bones = tubes.poses[i], .morph_weights = weights}).has_value(),
          "a pose was refused");
    posing.push_back(bench::thread_seconds() - begin);
    const auto done = gpu->run([&](VkCommandBuffer commands) {
      const double before = bench::thread_seconds();
      bench::require(renderer.record_prepare(commands, {.culling = false}).has_value(), "no image");
      preparing.push_back(bench::thread_seconds() - before);
    });
    bench::require(done.has_value(), "the device failed");
  }
  check(renderer, *gpu, tubes.model, variant.method, tubes.ids);
  const double pose = bench::median(std::move(posing)), prepare = bench::median(std::move(preparing));
  const std::string what =
      fmt::format("{} characters: set_pose {:.3f}, record_prepare {:.3f}", characters, pose * 1e3, prepare * 1e3);
  report.add(variant.name + "_1k_cpu_ms", (pose + prepare) * 1e3, "ms", what, target);
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options = bench::read_options(argc, argv);
  fmt::print("{}\n\n", kMethod);
  bench::Report report(options);
  test::pin_drivers();
  Device device = bench::require(Device::create({.cache_folder = default_cache_folder()}));
  fmt::print("{}\n\n", device.info().name);
  const std::uint32_t characters = options.gpu ? 1000 : options.sized(32u, 4u);
  const std::uint32_t vertices = options.gpu ? 20000 : options.sized(4000u, 400u);
  const std::array variants{
      Variant{"linear_4", {.vertices = vertices}},
      Variant{"linear_8", {.vertices = vertices, .influences = 8}, SkinMethod::linear, bench::at_most(1.3)},
      Variant{"dual_4", {.vertices = vertices}, SkinMethod::dual_quaternion, bench::at_most(1.5)},
      Variant{"morphs", {.vertices = vertices, .targets = 10}, SkinMethod::linear, bench::at_most(1.4)}};
  measure(device, variants, characters, options, report);
  const std::uint32_t many = options.sized(1000u, 4u);
  const std::uint32_t rings = options.sized(2400u, 400u);
  measure_cpu(device, {"linear_4", {.vertices = rings}}, many, bench::at_most(1.0), report);
  measure_cpu(device, {"dual_4", {.vertices = rings}, SkinMethod::dual_quaternion}, many, std::nullopt, report);
  measure_cpu(device, {"morphs", {.vertices = rings, .targets = 10}}, many, bench::at_most(2.0), report);
  return report.finish();
}
