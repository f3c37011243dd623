// SPDX-License-Identifier: Apache-2.0
// What a crowd costs: the CPU that drives it, and images per second against the same crowd without animation.
//   bench_crowd [--gpu] [--small] [--json FILE]     --gpu: also what only a GPU can show (millions of characters)

#include <cmath>
#include <thread>

#include "bench_targets.h"
#include "pin_drivers.h"
#include "throng/animator/pose_jobs.h"
#include "throng/bake/bake.h"
#include "throng/gpu/device.h"
#include "throng/mannequin/mannequin.h"
#include "throng/motion/compile_motion.h"
#include "throng/playback/crowd.h"
#include "throng/playback/deform.h"
#include "throng/scene/scene_renderer.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: the built-in mannequin, baked with default settings; every character in its own clip, phase and speed. Times are medians on the
host's clock around a fence, after a second of warming up. What is compared is measured in turns, run by run.
  drive        all the CPU spends on an image, a shadow pass and the picture, before it waits for the GPU: recording and submission. 100,000 against 1,000.
  update       what it spends more when a tenth of 100,000 characters changed since the last image.
  tick         frame, next frame and blend of every character on one core, for those who need them on the CPU.
  traditional  the usual way on one core, with this library's own fast code: the animator samples the clip, poses the skeleton and makes the
               palette, the deformer skins 1,000 vertices (the share of the mannequin's), all in float and several numbers at a time; the
               draw each would take is not counted.
  unanimated   1,000 characters, 1280 × 720, back faces culled, full detail, four bones a vertex, interpolated, in one pass without shadows:
               images per second against the same mesh, triangles, pixels and fragment shader drawn by the same vertex shader with all
               animation compiled out of it, with nothing prepared.
  with levels  the same camera, with culling and levels of detail of 2 pixels of error.
  occlusion    10,000 characters, 0.9 m apart, culling and levels of detail, without shadows: with and without leaving out those behind others,
               from among them at head height and from above.
Each result is checked: frames against the reference, counts against what was asked for, pictures for being covered.)";

struct Cast {
  std::vector<InstanceRecord> instances;
  std::vector<PlayRecord> plays;
};

// A square of people, `step` apart.
Crowd make_crowd(const Character& model, std::uint32_t count, double step = 0.9) {
  Crowd crowd(model);
  crowd.reserve(ModelId(0), count);
  const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(count)));
  for (std::uint32_t i = 0; i < count; ++i) {
    Spawn spawn;
    spawn.placement.position = glm::dvec3(step * (i % side), 0.0, -step * (i / side));
    spawn.play.clip = ClipId(static_cast<std::uint32_t>(i % model.clips().size()));
    spawn.play.speed = 0.8 + 0.001 * (i % 400);
    spawn.play.offset = 0.013 * i;
    spawn.look.variation = i;
    bench::require(crowd.add(spawn, 0));
  }
  return crowd;
}

// The frames of a crowd, and what the usual way on the CPU takes for a character of a thousand vertices.
void measure_on_cpu(const Model& model, const Character& baked, const bench::Options& options, bench::Report& report) {
  constexpr std::uint32_t kCount = 10000;
  const Crowd crowd = make_crowd(baked, kCount);
  const Ticks now = ticks_from_seconds(12.34);
  std::vector<Cursor> cursors(kCount);

  const auto rig = build_rig(bench::require(compile_motion(model)));
  constexpr std::uint32_t kClip = 1;
  constexpr int kPoses = 100;  // that are timed at once: asking for the time takes some
  std::vector<std::uint32_t> rig_cursors(rig->clips()[kClip].cursor_count);
  std::vector<SoaTransform> locals(rig->group_count());
  std::vector<Affine> models(rig->bone_count());
  std::vector<Affine> palette(rig->bound_bones().size());
  float time = 0.0f;
  const auto pose = [&] {
    time = std::fmod(time + 1.0f / 60.0f, rig->clips()[kClip].length);
    const bool ran =
        SampleJob{.rig = *rig, .clip = ClipId(kClip), .time = time, .cursors = rig_cursors, .locals = locals}.run() &&
        LocalToModelJob{.rig = *rig, .locals = locals, .models = models}.run() &&
        PaletteJob{.rig = *rig, .models = models, .palette = palette}.run();
    bench::require(ran, "a job refused its spans");
  };

  const Deformer deformer(baked);
  std::vector<glm::vec3> positions(deformer.vertex_count());
  std::vector<glm::vec3> normals(deformer.vertex_count());
  Ticks later = 0;
  const auto skin = [&] {
    later += kTicksPerSecond / 60;
    const auto done = deformer.run(crowd.plays(ModelId(0))[kClip], later, {.positions = positions, .normals = normals});
    bench::require(done.has_value(), "the deformer refused its arrays");
  };

  const std::array<std::function<double()>, 3> measurements{
      [&] { return bench::seconds_of([&] { crowd.tick(ModelId(0), now, cursors); }) / kCount; },
      [&] {
        return bench::seconds_of([&] {
                 for (int i = 0; i < kPoses; ++i) pose();
               }) /
               kPoses;
      },
      [&] { return bench::seconds_of(skin) * 1000.0 / static_cast<double>(positions.size()); }};
  const auto seconds = bench::medians_in_turn(options.sized(1.0, 0.0), options.sized(201, 2), measurements);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const TrackRecord& track = crowd.plays(ModelId(0))[i].track;
    const gpu::uvec2 moment{static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(now >> 32)};
    const Cursor expected = gpu::cursor_at(clip_record(baked, baked.clips()[track.clip]), gpu::phase_at(track, moment));
    bench::require(cursors[i].frame == expected.frame && cursors[i].blend == expected.blend,
                   "the crowd's frames are not the shader's");
  }
  float height = 0.0f;
  for (const glm::vec3& position : positions) height = std::max(height, position.y);
  bench::require(height > 1.0f && height < 2.5f, "the traditional character is not of a person's height");
  const double tick = seconds[0], traditional = seconds[1] + seconds[2];
  report.add("tick_ns", tick * 1e9, "ns", "a character, on the CPU, one core");
  report.add("traditional_ns", traditional * 1e9, "ns",
             "a character of 1,000 vertices: sampling, posing and skinning in float, one core");
  report.add("ratio_to_traditional", traditional / tick, "×", "traditional over tick, in turns");
}

// Small pictures: what the CPU does for an image does not depend on its size.
SceneRenderer driven_scene(const Character& model, Device& device) {
  SceneSettings settings{.width = 160, .height = 90};
  settings.samples = 1;
  settings.shadow_size = 128;
  settings.contact_size = 0;
  settings.cascades = 1;
  auto scene = bench::require(SceneRenderer::create(device.context(), settings));
  bench::require(scene.add(model));
  return scene;
}

// A crowd in a scene that is driven image by image, a tenth of which moves each time where it is asked to.
class Driven {
 public:
  Driven(const Character& model, Device& device, std::uint32_t count, bool changes)
      : count_(count),
        scene_(driven_scene(model, device)),
        crowd_(make_crowd(model, count - count / 10, 90.0 / std::sqrt(count))) {
    for (std::uint32_t i = 0; i < count / 10; ++i) people_.push_back(bench::require(crowd_.add({}, clock_.now())));
    bench::require(scene_.update(crowd_).has_value(), "the crowd does not come");
    if (!changes) people_.clear();
  }

  // What the CPU spends on an image before it waits.
  double seconds() {
    clock_.advance(1.0 / 60.0);
    const auto begin = std::chrono::steady_clock::now();
    move();
    bench::require(scene_.submit({{45.0, 60.0, 40.0}, {45.0, 0.0, -45.0}, 40.0}, clock_.now()).has_value(),
                   "the picture is not submitted");
    const double driving = bench::seconds_since(begin);
    bench::require(scene_.finish());
    return driving;
  }

  void check() const {
    bench::require(scene_.report().far_characters == count_ && scene_.report().far.in_picture > count_ / 10,
                   "the crowd is not in the picture");
  }

 private:
  void move() {
    for (std::uint32_t i = 0; i < people_.size(); ++i) {
      Placement place;
      place.position = {static_cast<float>(i % 300) * 0.3f, 0.0f, static_cast<float>(clock_.now() % 7)};
      bench::require(crowd_.place(people_[i], place).has_value(), "somebody does not move");
    }
    if (!people_.empty()) bench::require(scene_.update(crowd_).has_value(), "changes are not taken over");
  }

  std::uint32_t count_;
  Clock clock_;
  SceneRenderer scene_;
  Crowd crowd_;
  std::vector<InstanceId> people_;  // who move
};

void measure_drive(const Character& model, Device& device, const bench::Options& options, bench::Report& report) {
  const std::uint32_t many = options.sized(100000u, 2000u);
  Driven few(model, device, options.sized(1000u, 100u), false);
  Driven alone(model, device, many, false);
  Driven changing(model, device, many, true);
  const std::array<std::function<double()>, 3> measurements{
      [&] { return few.seconds(); }, [&] { return alone.seconds(); }, [&] { return changing.seconds(); }};
  const auto seconds = bench::medians_in_turn(options.sized(1.0, 0.0), options.sized(21, 3), measurements);
  for (const Driven* each : {&few, &alone, &changing}) each->check();
  report.add("drive_1k_us", seconds[0] * 1e6, "µs", "CPU an image");
  report.add("drive_100k_us", seconds[1] * 1e6, "µs", "CPU an image");
  report.add("update_10k_us", (seconds[2] - seconds[1]) * 1e6, "µs",
             "more, when 10,000 of 100,000 changed: calls and upload");
}

CharacterRenderer make_renderer(const Character& model, const Crowd& crowd, Device& device, Skinning skinning) {
  auto renderer = bench::require(
      CharacterRenderer::create(device.context(), {.targets = bench::BenchTargets::targets(), .skinning = skinning}));
  bench::require(renderer.add(model));
  bench::require(renderer.update(crowd).has_value(), "the crowd does not come");
  return renderer;
}

RendererImage full_detail(RendererImage image) {
  image.culling = false;
  image.pixel_error = 0.0f;
  image.speck_pixels = 0.0f;
  return image;
}

bench::BenchTargets::Effort effort_of(const bench::Options& options, int runs) {
  return {.settle = options.sized(1.0, 0.0), .runs = options.sized(runs, 2)};
}

// The size of most pictures; a small run draws a quarter as wide.
bench::BenchTargets make_targets(Device& device, const bench::Options& options) {
  return {device.context(), options.sized(1280u, 320u), options.sized(720u, 180u)};
}

void measure_images(const Character& model, Device& device, const bench::Options& options, bench::Report& report) {
  const std::uint32_t count = options.sized(1000u, 60u);
  const Crowd crowd = make_crowd(model, count, 1.2);
  bench::BenchTargets targets = make_targets(device, options);
  // Head height in front of a square of 38 m, looking along its diagonal: some near, most far, some outside.
  const Camera camera{{-2.0, 1.9, 3.0}, {19.0, 0.9, -19.0}, 40.0};
  const RendererImage image = targets.image_of(camera, 0);
  RendererImage coarser = image;
  coarser.pixel_error = 2.0f;
  CharacterRenderer still = make_renderer(model, crowd, device, Skinning::none);
  CharacterRenderer moving = make_renderer(model, crowd, device, Skinning::automatic);
  CharacterRenderer by_vertex = make_renderer(model, crowd, device, Skinning::vertex);
  CharacterRenderer with_levels = make_renderer(model, crowd, device, Skinning::automatic);
  for (CharacterRenderer* one : {&still, &moving})
    bench::require(targets.covered(*one, camera, full_detail(image)) > 0.05, "the picture shows no crowd");
  std::array cases{bench::BenchTargets::Case{still, camera, full_detail(image), {false, true}},
                   bench::BenchTargets::Case{moving, camera, full_detail(image)},
                   bench::BenchTargets::Case{by_vertex, camera, full_detail(image)},
                   bench::BenchTargets::Case{with_levels, camera, coarser}};
  const std::vector<double> seconds = targets.seconds(cases, effort_of(options, 7));
  bench::require(cases[1].counts.in_picture == count, "not every character was drawn");
  bench::require(targets.covered(with_levels, camera, image) > 0.05, "the picture with levels shows no crowd");
  const CrowdCounts& counts = cases[3].counts;
  report.add("unanimated_ms", seconds[0] * 1e3, "ms", "an image, no animation");
  report.add("animated_ms", seconds[1] * 1e3, "ms", "an image, full detail, skinned in compute");
  report.add("animated_in_vertex_shader_ms", seconds[2] * 1e3, "ms", "an image, full detail, in the vertex shader");
  report.add("with_lod_ms", seconds[3] * 1e3, "ms",
             fmt::format("{} in the picture, {} triangles", counts.in_picture, counts.triangles));
  report.add("ratio_to_unanimated", seconds[0] / seconds[1], "×", "images per second over those without animation");
  report.add("ratio_with_lod", seconds[0] / seconds[3], "×", "the same with culling and levels of detail");
}

void measure_pictures(const Character& model, Device& device, const bench::Options& options, bench::Report& report) {
  const Crowd crowd = make_crowd(model, options.sized(1000u, 60u), 1.2);
  const auto make_scene = [&](float sun_softness) {
    SceneSettings settings{.width = options.sized(1280u, 320u), .height = options.sized(720u, 180u)};
    settings.look.sun_softness = sun_softness;
    auto scene = bench::require(SceneRenderer::create(device.context(), settings));
    bench::require(scene.add(model));
    bench::require(scene.update(crowd).has_value(), "the crowd does not come");
    return scene;
  };
  SceneRenderer soft = make_scene(SceneLook{}.sun_softness), firm = make_scene(0.0f);
  Clock clock;
  const auto draw = [&](SceneRenderer& scene) {
    clock.advance(1.0 / 60.0);
    return bench::seconds_of([&] {
      bench::require(scene.draw({{-2.0, 1.9, 3.0}, {19.0, 0.9, -19.0}, 40.0}, clock.now()));
    });
  };
  const std::array<std::function<double()>, 2> scenes{[&] { return draw(soft); }, [&] { return draw(firm); }};
  const std::vector<double> seconds = bench::medians_in_turn(options.sized(1.0, 0.0), options.sized(15, 2), scenes);
  report.add("images_per_second_1k", 1.0 / seconds[0], "1/s", "a whole scene: ground, sky, cascades, 4× MSAA");
  report.add("soft_shadows_ms", (seconds[0] - seconds[1]) * 1e3, "ms",
             "of such an image, over shadows with hard edges");
}

// Where those in front hide those behind, and where they do not: what a depth pyramid saves, and what it costs.
void measure_occlusion(const Character& model, Device& device, const bench::Options& options, bench::Report& report) {
  const std::uint32_t count = options.sized(10'000u, 1'000u);
  const Crowd crowd = make_crowd(model, count, 90.0 / std::sqrt(count));
  CharacterRenderer renderer = make_renderer(model, crowd, device, Skinning::automatic);
  CharacterRenderer hiding = make_renderer(model, crowd, device, Skinning::automatic);
  bench::BenchTargets targets = make_targets(device, options);
  struct Place {
    const char* name;
    Camera camera;
  };
  const Place among{"", {{45.45, 1.7, -20.25}, {60.0, 1.2, -60.0}, 50.0}};
  const Place above{"_from_above", {{45.0, 60.0, 30.0}, {45.0, 0.0, -45.0}, 50.0}};
  for (const Place& place : {among, above}) {
    const RendererImage image = targets.image_of(place.camera, 0);
    std::array cases{bench::BenchTargets::Case{renderer, place.camera, image},
                     bench::BenchTargets::Case{hiding, place.camera, image, {.hide = true}}};
    const std::vector<double> seconds = targets.seconds(cases, effort_of(options, 9));
    const CrowdCounts& all = cases[0].counts;
    const CrowdCounts& counts = cases[1].counts;
    bench::require(all.in_picture > count / 10 && all.hidden == 0, "the crowd is not in the picture");
    bench::require(counts.in_picture + counts.hidden == all.in_picture, "somebody is neither drawn nor hidden");
    const auto row = [&](const char* name) { return fmt::format("{}{}", name, place.name); };
    report.add(row("without_occlusion_ms"), seconds[0] * 1e3, "ms",
               fmt::format("an image, {} in the picture, {} triangles", all.in_picture, all.triangles));
    report.add(row("with_occlusion_ms"), seconds[1] * 1e3, "ms",
               fmt::format("an image, {} in the picture, {} triangles", counts.in_picture, counts.triangles));
    report.add(row("hidden"), static_cast<double>(counts.hidden), "characters", "in view, but behind others");
  }
}

// A cast of one kind, without the handles of a Crowd: tens of millions of them are only records.
Cast make_cast(const Character& model, std::uint32_t count, double step) {
  const Crowd few = make_crowd(model, 4096, step);
  Cast cast;
  const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(count)));
  for (std::uint32_t i = 0; i < count; ++i) {
    cast.instances.push_back(few.instances(ModelId(0))[i % 4096]);
    cast.plays.push_back(few.plays(ModelId(0))[i % 4096]);
    cast.instances.back().position = glm::dvec3(step * (i % side), 0.0, -step * (i / side));
  }
  return cast;
}

CharacterRenderer make_renderer(const Character& model, const Cast& cast, Device& device, Skinning skinning) {
  CharacterRenderer renderer = make_renderer(model, Crowd(model), device, skinning);
  const auto done = renderer.set_instances(ModelId(0), cast.instances, cast.plays);
  bench::require(done.has_value(), done ? "" : done.error().message);
  return renderer;
}

// What the pose pass takes over what planning takes alone, which is all that a model in q16 needs.
void measure_poses(const Character& model, const Character& linked, Device& device, bench::BenchTargets& targets,
                   const bench::BenchTargets::Effort& effort, bench::Report& report) {
  const Cast cast = make_cast(model, 100'000, 1.0);
  const Camera camera{{158.0, 330.0, -157.0}, {158.0, 0.0, -158.0}, 60.0};
  const RendererImage image = full_detail(targets.image_of(camera, 0));
  CharacterRenderer plain = make_renderer(model, cast, device, Skinning::vertex);
  CharacterRenderer posed = make_renderer(linked, cast, device, Skinning::vertex);
  std::array cases{bench::BenchTargets::Case{plain, camera, image, {true, false}, 20},
                   bench::BenchTargets::Case{posed, camera, image, {true, false}, 20}};
  const std::vector<double> seconds = targets.seconds(cases, effort);
  for (const auto& one : cases)
    bench::require(one.counts.drawn == 100'000 && one.counts.specks == 0, "somebody has no pose");
  report.add("pose_100k_ms", (seconds[1] - seconds[0]) * 1e3, "ms",
             fmt::format("the pose pass: 100,000 × {} bones of {}, one clip", linked.bones().size(),
                         name_of(linked.clips()[0].encoding)));
}

void measure_gpu(const Character& model, const Character& linked, Device& device, bench::Report& report) {
  bench::BenchTargets targets(device.context(), 1920, 1080);
  const bench::BenchTargets::Effort effort{.settle = 1.0, .runs = 21};
  measure_poses(model, linked, device, targets, effort, report);
  {
    const double side = std::sqrt(10e6);
    const Cast cast = make_cast(model, 10'000'000, 1.0);
    CharacterRenderer crowd = make_renderer(model, cast, device, Skinning::vertex);
    const Camera camera{{0.5 * side, 60.0, -0.1 * side}, {0.5 * side, 0.0, -0.5 * side}, 28.0};
    const RendererImage image = targets.image_of(camera, 0);
    bench::BenchTargets::Case planning{crowd, camera, image, {true, false}, 20};
    const double seconds = targets.seconds(planning, effort);
    const double share = static_cast<double>(planning.counts.drawn) / 10e6;
    report.add(
        "plan_10m_ms", seconds * 1e3, "ms",
        fmt::format("tick, cull, level of detail and compaction of 10 million, {:.0f} % in view", share * 100.0));
  }
  {
    const Cast cast = make_cast(model, 10'000, 1.0);
    const Camera camera{{50.0, 40.0, 60.0}, {50.0, 0.0, -50.0}, 60.0};
    const RendererImage image = full_detail(targets.image_of(camera, 0));
    CharacterRenderer still = make_renderer(model, cast, device, Skinning::none);
    CharacterRenderer moving = make_renderer(model, cast, device, Skinning::compute);
    CharacterRenderer by_vertex = make_renderer(model, cast, device, Skinning::vertex);
    std::array preparing{bench::BenchTargets::Case{by_vertex, camera, image, {true, false}, 20},
                         bench::BenchTargets::Case{moving, camera, image, {true, false}, 20}};
    const std::vector<double> prepared = targets.seconds(preparing, effort);
    const double planned = prepared[0];
    const double skinned = prepared[1];
    const double vertices = 10'000.0 * static_cast<double>(model.vertices().size());
    report.add(
        "skin_gvertices_per_s", vertices / (skinned - planned) * 1e-9, "G/s",
        fmt::format("10,000 × {} vertices, {} bones, four a vertex", model.vertices().size(), model.bones().size()));
    std::array drawing{bench::BenchTargets::Case{still, camera, image, {false, true}, 4},
                       bench::BenchTargets::Case{moving, camera, image, {}, 4},
                       bench::BenchTargets::Case{by_vertex, camera, image, {}, 4}};
    const std::vector<double> drawn = targets.seconds(drawing, effort);
    report.add("draw_10k_still_ms", drawn[0] * 1e3, "ms", "10,000, nothing animated, nothing prepared");
    report.add("draw_10k_ms", drawn[1] * 1e3, "ms", "10,000, animated in compute");
    report.add("draw_10k_vertex_ms", drawn[2] * 1e3, "ms", "10,000, animated in the vertex shader");
    report.add("draw_10k_ratio", drawn[1] / drawn[0], "×", "animated over still");
  }
  const Cast million = make_cast(model, 1'000'000, 1.0);
  CharacterRenderer crowd = make_renderer(model, million, device, Skinning::compute);
  double worst = 0.0;
  double sum = 0.0;
  constexpr int kStops = 12;
  CrowdCounts seen;
  for (int i = 0; i < kStops; ++i) {
    const double along = 1000.0 * i / (kStops - 1);
    const double high = 3.0 + 40.0 * std::abs(std::sin(0.5 * i));
    const double turn = 0.5 * i;
    const glm::dvec3 eye(200.0 + 0.6 * along, high, -100.0 - 0.7 * along);
    const Camera camera{eye, eye + glm::dvec3(std::sin(turn), -0.1, -std::cos(turn)), 40.0};
    RendererImage image = targets.image_of(camera, 0);
    image.pixel_error = 2.0f;
    image.speck_pixels = 10.0f;
    bench::BenchTargets::Case stop{crowd, camera, image, {}, 2};
    const double seconds = targets.seconds(stop, {.settle = 0.2, .runs = 7});
    if (seconds > worst) seen = stop.counts;
    worst = std::max(worst, seconds);
    sum += seconds;
  }
  report.add("million_worst_ms", worst * 1e3, "ms",
             fmt::format("a million at 1920 × 1080, 2 pixels of error, specks up to 10: slowest of {} places on a "
                         "flight: {} in the picture, {} specks, {} triangles",
                         kStops, seen.in_picture, seen.specks, seen.triangles));
  report.add("million_mean_ms", sum / kStops * 1e3, "ms", "the mean of those places");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options = bench::read_options(argc, argv);
  const Model model = make_mannequin();
  ThreadExecutor executor;
  const Character baked = bench::require(bake(model, {}, executor));
  test::pin_drivers();
  Device device = bench::require(Device::create());
  fmt::print("{}\n{} vertices, {} bones, {} clips; {} cores; {}\n\n", kMethod, baked.vertices().size(),
             baked.bones().size(), baked.clips().size(), std::thread::hardware_concurrency(), device.info().name);
  bench::Report report(options);
  measure_on_cpu(model, baked, options, report);
  measure_drive(baked, device, options, report);
  measure_images(baked, device, options, report);
  measure_pictures(baked, device, options, report);
  measure_occlusion(baked, device, options, report);
  // local8 keeps a pose for every character, and those of ten million are more than a buffer that can be bound.
  if (options.gpu)
    measure_gpu(bench::require(bake(model, {.encoding = Encoding::q16, .frame_rate = 30.0}, executor)),
                bench::require(bake(model, {.encoding = Encoding::localv}, executor)), device, report);
  return report.finish();
}
