// SPDX-License-Identifier: Apache-2.0
// What each GPU pass over far characters takes, alone: between timestamps on the GPU.
//   bench_passes [--small] [--json FILE]

#include <array>
#include <cmath>

#include "measure.h"
#include "pin_drivers.h"
#include "throng/bake/bake.h"
#include "throng/gpu/commands.h"
#include "throng/gpu/device.h"
#include "throng/mannequin/mannequin.h"
#include "throng/playback/crowd.h"
#include "throng/playback/deform.h"
#include "throng/renderer/character_renderer.h"
#include "throng/renderer/crowd_readback.h"
#include "throng/scene/scene_view.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: the built-in mannequin; every character in its own clip, phase and speed. Each pass is timed between two timestamps on the GPU,
8 images to a submission, medians of 21 submissions after three seconds of warming up; what is compared takes turns.
  plan         tick, cull, level of detail and compaction of 10 million characters, a third of them in view.
  pose         palettes of 100,000 characters in localv, all at full detail: one clip, and while all of them cross-fade.
  skin         every vertex of 10,000 characters at full detail, from palettes of the pose pass (localv) and from texels (q16).
Counts are compared with what a plain loop on the CPU finds, and the vertices of some of the characters, read back from the same passes, with the
reference in double: a fast wrong answer ends the benchmark.)";

struct Sizes {
  std::uint32_t planned, posed, skinned;
  int images, runs;
  double settle;
};

struct People {
  std::vector<InstanceRecord> instances;
  std::vector<PlayRecord> plays;
  std::uint32_t side = 0;
};

constexpr Ticks kNow = 100 * kTicksPerSecond;

// A square of people a metre apart. `fade`: every one is halfway from one clip to another.
People make_people(const Character& model, std::uint32_t count, bool fade) {
  Crowd few(model);
  const std::uint32_t kinds = std::min(count, 4096u);
  for (std::uint32_t i = 0; i < kinds; ++i) {
    Spawn spawn;
    const auto clips = static_cast<std::uint32_t>(model.clips().size());
    spawn.play = {.clip = ClipId(i % clips), .speed = 0.8 + 0.001 * (i % 400), .offset = 0.013 * i};
    spawn.look.variation = i;
    const InstanceId id = bench::require(few.add(spawn, 0));
    if (!fade) continue;
    Play next = spawn.play;
    next.clip = ClipId((i + 1) % clips);
    next.fade = 4000.0;
    bench::require(few.play(id, next, kNow - 2000 * kTicksPerSecond).has_value(), "nobody fades");
  }
  People people;
  people.side = static_cast<std::uint32_t>(std::ceil(std::sqrt(count)));
  for (std::uint32_t i = 0; i < count; ++i) {
    people.instances.push_back(few.instances(ModelId(0))[i % kinds]);
    people.plays.push_back(few.plays(ModelId(0))[i % kinds]);
    people.instances.back().position =
        glm::vec3(static_cast<float>(i % people.side), 0.0f, -static_cast<float>(i / people.side));
  }
  return people;
}

CharacterRenderer make_renderer(const Character& model, const People& people, Device& device, Skinning skinning) {
  RendererSettings settings;
  settings.targets.images_in_flight = 16;
  settings.skinning = skinning;
  auto renderer = bench::require(CharacterRenderer::create(device.context(), settings));
  bench::require(renderer.add(model));
  bench::require(renderer.set_instances(ModelId(0), people.instances, people.plays).has_value(), "nobody comes");
  return renderer;
}

RendererImage image_of(const Camera& camera) {
  constexpr std::uint32_t kWidth = 1920, kHeight = 1080;
  RendererImage image;
  image.clip_from_world = scene_uniforms(camera, {.width = kWidth, .height = kHeight}, {}).clip_from_world;
  image.eye = glm::vec3(camera.eye);
  image.pixels = static_cast<float>(kHeight / (2.0 * std::tan(glm::radians(camera.vertical_fov_degrees) / 2.0)));
  image.now = kNow;
  return image;
}

// How many are in a picture: those whose middle is inside by more than `reach`, a length that may be below 0.
std::uint64_t inside(const People& people, const RendererImage& image, float reach) {
  const glm::mat4 rows = glm::transpose(image.clip_from_world);
  std::array<glm::vec4, 5> planes{rows[3] + rows[0], rows[3] - rows[0], rows[3] + rows[1], rows[3] - rows[1], rows[3]};
  for (glm::vec4& plane : planes) plane /= glm::length(glm::vec3(plane));
  std::uint64_t count = 0;
  for (const InstanceRecord& instance : people.instances) {
    const glm::vec4 middle(instance.position + glm::vec3(0.0f, 0.9f, 0.0f), 1.0f);
    bool in = true;
    for (const glm::vec4& plane : planes) in = in && glm::dot(plane, middle) > reach;
    count += in ? 1 : 0;
  }
  return count;
}

// What is timed, and what it took: seconds from mark to mark.
struct Case {
  CharacterRenderer& renderer;
  RendererImage image;
  std::array<double, kFarMarks> seconds{};  // of the pass that ends there
  double sum(FarMark first, FarMark last) const {
    double all = 0.0;
    for (auto i = static_cast<std::size_t>(first); i <= static_cast<std::size_t>(last); ++i) all += seconds[i];
    return all;
  }
};

class Timer {
 public:
  Timer(Device& device, const Sizes& sizes) : gpu_(bench::require(GpuDevice::create(device.context()))), sizes_(sizes) {
    VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = kFarMarks * static_cast<std::uint32_t>(sizes.images);
    bench::require(gpu_->vk().vkCreateQueryPool(gpu_->device(), &info, nullptr, &pool_) == VK_SUCCESS, "no query pool");
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { gpu_->vk().vkDestroyQueryPool(gpu_->device(), pool_, nullptr); }

  void measure(std::span<Case> cases) {
    CommandRecorder commands = bench::require(CommandRecorder::create(*gpu_));
    std::vector<std::array<std::vector<double>, kFarMarks>> taken(cases.size());
    const auto begin = std::chrono::steady_clock::now();
    for (int warm_up = 0; warm_up < 2 || bench::seconds_since(begin) < sizes_.settle; ++warm_up)
      for (Case& each : cases) run(commands, each, nullptr);
    for (int i = 0; i < sizes_.runs; ++i)
      for (std::size_t c = 0; c < cases.size(); ++c) run(commands, cases[c], &taken[c]);
    for (std::size_t c = 0; c < cases.size(); ++c)
      for (std::size_t mark = 0; mark < kFarMarks; ++mark) cases[c].seconds[mark] = bench::median(taken[c][mark]);
  }

 private:
  void run(CommandRecorder& commands, Case& timed, std::array<std::vector<double>, kFarMarks>* taken) {
    bench::require(commands.begin().has_value(), "no commands");
    const std::uint32_t queries = kFarMarks * static_cast<std::uint32_t>(sizes_.images);
    gpu_->vk().vkCmdResetQueryPool(commands.buffer(), pool_, 0, queries);
    timed.image.far_timestamps = pool_;
    for (int i = 0; i < sizes_.images; ++i) {
      timed.image.first_far_timestamp = kFarMarks * static_cast<std::uint32_t>(i);
      bench::require(timed.renderer.record_prepare(commands.buffer(), timed.image).has_value(), "nobody is prepared");
      timed.image.now += kTicksPerSecond / 60;
    }
    bench::require(commands.submit_and_wait().has_value(), "the device failed");
    if (taken == nullptr) return;
    std::vector<std::uint64_t> ticks(queries);
    gpu_->vk().vkGetQueryPoolResults(gpu_->device(), pool_, 0, queries, ticks.size() * 8, ticks.data(), 8,
                                     VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    const double period = 1e-9 * static_cast<double>(gpu_->limits().timestampPeriod);
    // Before the first mark: what an image takes, from its first mark to that of the next.
    for (std::size_t i = 1; i < ticks.size(); ++i)
      (*taken)[i % kFarMarks].push_back(
          period * static_cast<double>(ticks[i] - ticks[i - (i % kFarMarks == 0 ? kFarMarks : 1)]));
  }

  std::shared_ptr<GpuDevice> gpu_;
  Sizes sizes_;
  VkQueryPool pool_ = VK_NULL_HANDLE;
};

// Some of the people, as the passes pose and skin them, against the reference: from the palette in model space, from
// the pool in the world.
// `fading`: whether all of them are in a cross-fade.
void check_sample(const Character& model, const People& people, bool fading, Device& device, Skinning skinning) {
  constexpr std::size_t kSample = 48;
  constexpr double kUlp = 1.1920928955078125e-7;  // 2^-23: of 1
  const SkinSpace space = skinning == Skinning::compute ? SkinSpace::world : SkinSpace::model;
  const std::size_t count = people.instances.size();
  People sample;
  for (std::size_t i = 0; i < std::min(kSample, count); ++i) {
    // From the first to the last, of all clips.
    const std::size_t at = i * (count - 1) / (std::min(kSample, count) - 1);
    sample.instances.push_back(people.instances[at]);
    sample.plays.push_back(people.plays[at]);
  }
  auto readback = bench::require(CrowdReadback::create(device.context(), model, {.skinning = skinning}));
  const SkinnedCrowd crowd = bench::require(readback.skin(sample.instances, sample.plays, kNow, space));
  double off = 0.0, farthest = 0.0;
  for (std::size_t i = 0; i < sample.instances.size(); ++i) {
    const DecodedVertices right = deform(model, sample.plays[i], kNow);
    const glm::dmat4 to_space = space == SkinSpace::world ? world_from_model(sample.instances[i]) : glm::dmat4(1.0);
    farthest = std::max(farthest, glm::length(glm::dvec3(to_space[3])));
    const gpu::Moment& moment = crowd.moments[i];
    const bool fades = moment.previous_clip != gpu::kNoClip && moment.weight > 0.01f && moment.weight < 0.99f;
    bench::require(fades == fading, "others fade than should");
    bench::require(crowd.vertices_per_instance == right.positions.size(), "vertices are missing");
    for (std::size_t v = 0; v < right.positions.size(); ++v) {
      const glm::dvec3 found(crowd.positions[i * right.positions.size() + v]);
      off = std::max(off, glm::distance(found, glm::dvec3(to_space * glm::dvec4(right.positions[v], 1.0))));
    }
  }
  // Of a person 1.8 m tall, and what floats say of a place in the world.
  const double allowed = 2e-5 + 2.0 * kUlp * farthest;
  bench::require(off > 0.0 && off <= allowed,
                 fmt::format("vertices are up to {:.3g} m off, {:g} at most", off, allowed));
  fmt::print("{} of {} characters, {:.2g} m off at most\n", sample.instances.size(), count, off);
}

void measure_plan(const Character& model, Device& device, const Sizes& sizes, bench::Report& report) {
  const People people = make_people(model, sizes.planned, false);
  CharacterRenderer renderer = make_renderer(model, people, device, Skinning::vertex);
  const double side = people.side;
  const RendererImage image = image_of({{0.5 * side, 60.0, -0.1 * side}, {0.5 * side, 0.0, -0.5 * side}, 28.0});
  std::array cases{Case{renderer, image}};
  Timer(device, sizes).measure(cases);
  const CrowdCounts counts = renderer.far_counts();
  bench::require(counts.drawn >= inside(people, image, 0.0f) && counts.drawn <= inside(people, image, -3.0f),
                 "others are in view than should be");
  const double share = 100.0 * static_cast<double>(counts.drawn) / sizes.planned;
  report.add("plan_10m_ms", cases[0].sum(FarMark::culled, FarMark::gathered) * 1e3, "ms",
             fmt::format("tick, cull, level of detail and compaction of {}, {:.0f} % in view", sizes.planned, share));
  report.add("plan_10m_image_ms", cases[0].seconds[0] * 1e3, "ms", "a whole image of that, uploads and read-back too");
  constexpr std::array kSteps{"cull", "plan", "count", "scan", "arrange", "gather"};
  for (std::size_t i = 0; i < kSteps.size(); ++i)
    report.add(fmt::format("plan_10m_{}_ms", kSteps[i]), cases[0].seconds[i + 1] * 1e3, "ms", "of that");
}

RendererImage full_detail(RendererImage image) {
  image.culling = false;
  image.pixel_error = 0.0f;
  image.speck_pixels = 0.0f;
  return image;
}

void measure_poses(const Character& model, Device& device, const Sizes& sizes, bench::Report& report) {
  const People steady = make_people(model, sizes.posed, false), fading = make_people(model, sizes.posed, true);
  CharacterRenderer one = make_renderer(model, steady, device, Skinning::vertex);
  CharacterRenderer two = make_renderer(model, fading, device, Skinning::vertex);
  const RendererImage image = full_detail(image_of({{158.0, 330.0, -157.0}, {158.0, 0.0, -158.0}, 60.0}));
  std::array cases{Case{one, image}, Case{two, image}};
  Timer(device, sizes).measure(cases);
  for (const Case& each : cases)
    bench::require(each.renderer.far_counts().drawn == sizes.posed && each.renderer.far_counts().specks == 0,
                   "somebody has no pose");
  check_sample(model, steady, false, device, Skinning::vertex);
  check_sample(model, fading, true, device, Skinning::vertex);
  const std::string of = fmt::format("{} × {} bones", sizes.posed, model.bones().size());
  report.add("pose_100k_ms", cases[0].seconds[static_cast<std::size_t>(FarMark::posed)] * 1e3, "ms", of + ", one clip");
  report.add("pose_100k_fade_ms", cases[1].seconds[static_cast<std::size_t>(FarMark::posed)] * 1e3, "ms",
             of + ", two clips blended");
}

void measure_skinning(const Character& linked, const Character& texels, Device& device, const Sizes& sizes,
                      bench::Report& report) {
  const People of_linked = make_people(linked, sizes.skinned, false);
  const People of_texels = make_people(texels, sizes.skinned, false);
  CharacterRenderer from_palette = make_renderer(linked, of_linked, device, Skinning::compute);
  CharacterRenderer from_texels = make_renderer(texels, of_texels, device, Skinning::compute);
  const RendererImage image = full_detail(image_of({{50.0, 40.0, 60.0}, {50.0, 0.0, -50.0}, 60.0}));
  std::array cases{Case{from_palette, image}, Case{from_texels, image}};
  Timer(device, sizes).measure(cases);
  check_sample(linked, of_linked, false, device, Skinning::compute);
  check_sample(texels, of_texels, false, device, Skinning::compute);
  constexpr auto kSkinned = static_cast<std::size_t>(FarMark::skinned);
  constexpr std::array kNames{"skin_localv", "skin_q16"};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto vertices = static_cast<double>(cases[i].renderer.far_counts().vertices);
    bench::require(vertices == static_cast<double>(sizes.skinned) * static_cast<double>(linked.vertices().size()),
                   "vertices were left out");
    report.add(fmt::format("{}_gvertices_per_s", kNames[i]), vertices / cases[i].seconds[kSkinned] * 1e-9, "G/s",
               fmt::format("{} × {} vertices in {:.4f} ms, poses in {:.4f} ms", sizes.skinned, linked.vertices().size(),
                           cases[i].seconds[kSkinned] * 1e3, cases[i].seconds[kSkinned - 1] * 1e3));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options = bench::read_options(argc, argv);
  test::pin_drivers();
  Device device = bench::require(Device::create());
  fmt::print("{}\n{}\n\n", kMethod, device.info().name);
  bench::Report report(options);
  const Sizes sizes = options.sized(Sizes{10'000'000, 100'000, 10'000, 8, 21, 3.0}, Sizes{20'000, 500, 50, 2, 2, 0.0});
  ThreadExecutor executor;
  const Model mannequin = make_mannequin();
  const Character linked = bench::require(bake(mannequin, {.encoding = Encoding::localv}, executor));
  const Character texels = bench::require(bake(mannequin, {.encoding = Encoding::q16, .frame_rate = 30.0}, executor));
  measure_poses(linked, device, sizes, report);
  measure_skinning(linked, texels, device, sizes, report);
  measure_plan(texels, device, sizes, report);
  return report.finish();
}
