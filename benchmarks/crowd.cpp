// What a crowd costs: the CPU that drives it, and images per second against the same crowd without animation.
//   bench_crowd [--gpu] [--json FILE]     --gpu: also what only a GPU can show (millions of characters)

#include <cmath>
#include <cstring>
#include <thread>

#include "arena.h"
#include "throng/bake/bake.h"
#include "throng/gpu/device.h"
#include "throng/mannequin/mannequin.h"
#include "throng/playback/crowd.h"
#include "throng/pose/pose.h"
#include "throng/scene/scene_renderer.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: the built-in mannequin, baked with default settings; every character in its own clip, phase and speed. Times are medians after
warming up (the first image compiles), on the host's clock around a fence.
  drive        all the CPU spends on an image, a shadow pass and the picture, before it waits for the GPU: recording and submission. 100,000 against 1,000.
  update       … when a tenth of 100,000 characters changed since the last image, more than without changes.
  tick         frame, next frame and blend of every character on one core, for those who need them on the CPU.
  traditional  the plain way: sample the curves, pose the skeleton, skin 1,000 vertices (of the mannequin's, the share of them) on one core,
               in double precision; the draw each would take is not counted.
  unanimated   1,000 characters, 1280 × 720, back faces culled, full detail, four bones a vertex, interpolated, in one pass without shadows:
               images per second against the same mesh, triangles, pixels and fragment shader drawn by the same vertex shader with all
               animation compiled out of it, with nothing prepared.
  with levels  … with culling and levels of detail of 2 pixels of error, the same camera.
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
  crowd.reserve(0, count);
  const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(count)));
  for (std::uint32_t i = 0; i < count; ++i) {
    Spawn spawn;
    spawn.placement.position = glm::dvec3(step * (i % side), 0.0, -step * (i / side));
    spawn.play.clip = static_cast<std::uint32_t>(i % model.clips.size());
    spawn.play.speed = 0.8 + 0.001 * (i % 400);
    spawn.play.offset = 0.013 * i;
    spawn.look.variation = i;
    bench::require(crowd.add(spawn, 0));
  }
  return crowd;
}

double measure_tick(const Character& model, bench::Report& report) {
  constexpr std::uint32_t kCount = 10000;
  const Crowd crowd = make_crowd(model, kCount);
  const Ticks now = ticks_from_seconds(12.34);
  std::vector<Cursor> cursors(kCount);
  const double seconds = bench::median_seconds(20, 201, [&] { crowd.tick(0, now, cursors); });
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const TrackRecord& track = crowd.plays(0)[i].track;
    const gpu::uvec2 moment{static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(now >> 32)};
    const Cursor expected = gpu::cursor_at(clip_record(model, model.clips[track.clip]), gpu::phase_at(track, moment));
    bench::require(cursors[i].frame == expected.frame && cursors[i].blend == expected.blend,
                   "the crowd's frames are not the shader's");
  }
  const double nanoseconds = seconds / kCount * 1e9;
  report.add("tick_ns", nanoseconds, "ns", "a character, on the CPU, one core");
  return nanoseconds;
}

// What the plain way on the CPU takes for a character of a thousand vertices.
double measure_traditional(const Model& model, bench::Report& report) {
  const Clip& clip = model.clips().at(1);
  Pose pose;
  std::vector<glm::dmat4> palette;
  double time = 0.0;
  const double posing = bench::median_seconds(20, 201, [&] {
    time = std::fmod(time + 1.0 / 60.0, clip.length());
    pose = sample(model, clip, clip.start + time);
    palette = skinning_palette(model, pose);
  });
  double height = 0.0;
  std::size_t vertices = 0;
  const double skinning = bench::median_seconds(3, 21, [&] {
    height = 0.0;
    vertices = 0;
    for (std::size_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
      const SkinnedVertices skinned = skin_mesh(model, mesh, pose, palette);
      vertices += skinned.positions.size();
      for (const glm::dvec3& p : skinned.positions) height = std::max(height, p.y);
    }
  });
  bench::require(height > 1.0 && height < 2.5, "the traditional character is not of a person's height");
  const double nanoseconds = (posing + skinning * 1000.0 / static_cast<double>(vertices)) * 1e9;
  report.add("traditional_ns", nanoseconds, "ns",
             "a character of 1,000 vertices: sampling and skinning in double, one core");
  return nanoseconds;
}

// Small pictures: what the CPU does for an image does not depend on its size.
SceneRenderer small_scene(const Character& model, Device& device) {
  SceneSettings settings{.width = 160, .height = 90};
  settings.samples = 1;
  settings.shadow_size = 128;
  settings.contact_size = 0;
  settings.cascades = 1;
  auto scene = bench::require(SceneRenderer::create(device.context(), settings));
  bench::require(scene.add_model(model));
  return scene;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double drive_seconds(SceneRenderer& scene, Clock& clock, int runs, const std::function<void()>& before_each) {
  const Camera camera{{45.0, 60.0, 40.0}, {45.0, 0.0, -45.0}, 40.0};
  std::vector<double> seconds;
  for (int i = 0; i < runs + 2; ++i) {
    clock.advance(1.0 / 60.0);
    const auto begin = std::chrono::steady_clock::now();
    before_each();
    const double extra = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double recording = bench::require(scene.draw(camera, clock.now())).record_seconds;
    if (i >= 2) seconds.push_back(extra + recording);
  }
  return median(seconds);
}

void measure_drive(const Character& model, Device& device, bench::Report& report) {
  double alone = 0.0;
  for (const std::uint32_t count : {1000u, 100000u}) {
    SceneRenderer scene = small_scene(model, device);
    Crowd crowd = make_crowd(model, count, 90.0 / std::sqrt(count));
    bench::require(scene.update(crowd).has_value(), "the crowd does not come");
    Clock clock;
    alone = drive_seconds(scene, clock, 21, [] {});
    bench::require(scene.report().instances == count && scene.report().counts.in_picture > count / 10,
                   "the crowd is not in the picture");
    report.add(count == 1000 ? "drive_1k_us" : "drive_100k_us", alone * 1e6, "µs", "CPU an image");
    if (count == 1000) continue;
    std::vector<InstanceId> people;
    for (std::uint32_t i = 0; i < count / 10; ++i) people.push_back(bench::require(crowd.add({}, clock.now())));
    bench::require(scene.update(crowd).has_value(), "more do not come");
    const double changing = drive_seconds(scene, clock, 9, [&] {
      for (std::uint32_t i = 0; i < people.size(); ++i) {
        Placement place;
        place.position = {static_cast<float>(i % 300) * 0.3f, 0.0f, static_cast<float>(clock.now() % 7)};
        bench::require(crowd.place(people[i], place).has_value(), "somebody does not move");
      }
      bench::require(scene.update(crowd).has_value(), "changes are not taken over");
    });
    report.add("update_10k_us", (changing - alone) * 1e6, "µs",
               "more, when 10,000 of 100,000 changed: calls and upload");
  }
}

CrowdRenderer make_renderer(const Character& model, const Crowd& crowd, Device& device, Skinning skinning) {
  auto renderer = bench::require(
      CrowdRenderer::create(device.context(), {.targets = bench::Arena::targets(), .skinning = skinning}));
  bench::require(renderer.add_model(model));
  bench::require(renderer.update(crowd).has_value(), "the crowd does not come");
  return renderer;
}

CrowdImage full_detail(CrowdImage image) {
  image.culling = false;
  image.pixel_error = 0.0f;
  image.speck_pixels = 0.0f;
  return image;
}

void measure_images(const Character& model, Device& device, bench::Report& report) {
  constexpr std::uint32_t kCount = 1000;
  const Crowd crowd = make_crowd(model, kCount, 1.2);
  bench::Arena arena(device.context(), 1280, 720);
  // Head height in front of a square of 38 m, looking along its diagonal: some near, most far, some outside.
  const Camera camera{{-2.0, 1.9, 3.0}, {19.0, 0.9, -19.0}, 40.0};
  const CrowdImage image = arena.image_of(camera, 0);
  CrowdRenderer still = make_renderer(model, crowd, device, Skinning::none);
  CrowdRenderer moving = make_renderer(model, crowd, device, Skinning::automatic);
  CrowdRenderer by_vertex = make_renderer(model, crowd, device, Skinning::vertex);
  bench::require(arena.covered(still, camera, full_detail(image)) > 0.05, "the picture shows no crowd");
  bench::require(arena.covered(moving, camera, full_detail(image)) > 0.05, "the picture shows no crowd");
  constexpr int kRuns = 7;
  const double plain = arena.seconds(still, camera, full_detail(image), {false, true}, 1, kRuns);
  const double animated = arena.seconds(moving, camera, full_detail(image), {}, 1, kRuns);
  bench::require(moving.counts().in_picture == kCount, "not every character was drawn");
  const double in_vertex = arena.seconds(by_vertex, camera, full_detail(image), {}, 1, kRuns);
  CrowdImage coarser = image;
  coarser.pixel_error = 2.0f;
  const double with_levels = arena.seconds(moving, camera, coarser, {}, 1, kRuns);
  const CrowdCounts counts = moving.counts();
  bench::require(arena.covered(moving, camera, image) > 0.05, "the picture with levels shows no crowd");
  report.add("unanimated_ms", plain * 1e3, "ms", "an image, no animation");
  report.add("animated_ms", animated * 1e3, "ms", "an image, full detail, skinned in compute");
  report.add("animated_in_vertex_shader_ms", in_vertex * 1e3, "ms", "… in the vertex shader");
  report.add("with_lod_ms", with_levels * 1e3, "ms",
             fmt::format("{} in the picture, {} triangles", counts.in_picture, counts.triangles));
  report.add("ratio_to_unanimated", plain / animated, "×", "images per second over those without animation");
  report.add("ratio_with_lod", plain / with_levels, "×", "… with culling and levels of detail");
}

void measure_pictures(const Character& model, Device& device, bench::Report& report) {
  const Crowd crowd = make_crowd(model, 1000, 1.2);
  auto scene = bench::require(SceneRenderer::create(device.context(), {.width = 1280, .height = 720}));
  bench::require(scene.add_model(model));
  bench::require(scene.update(crowd).has_value(), "the crowd does not come");
  Clock clock;
  const double seconds = bench::median_seconds(2, 5, [&] {
    clock.advance(1.0 / 60.0);
    bench::require(scene.draw({{-2.0, 1.9, 3.0}, {19.0, 0.9, -19.0}, 40.0}, clock.now()));
  });
  report.add("images_per_second_1k", 1.0 / seconds, "1/s", "a whole scene: ground, sky, cascades, 4× MSAA");
}

// Where those in front hide those behind, and where they do not: what a depth pyramid saves, and what it costs.
void measure_occlusion(const Character& model, Device& device, bench::Report& report) {
  const Crowd crowd = make_crowd(model, 10'000, 0.9);
  CrowdRenderer renderer = make_renderer(model, crowd, device, Skinning::automatic);
  bench::Arena arena(device.context(), 1280, 720);
  struct Place {
    const char* name;
    Camera camera;
  };
  const Place among{"", {{45.45, 1.7, -20.25}, {60.0, 1.2, -60.0}, 50.0}};
  const Place above{"_from_above", {{45.0, 60.0, 30.0}, {45.0, 0.0, -45.0}, 50.0}};
  for (const Place& place : {among, above}) {
    const CrowdImage image = arena.image_of(place.camera, 0);
    constexpr int kRuns = 9;
    const double without = arena.seconds(renderer, place.camera, image, {}, 1, kRuns);
    const CrowdCounts all = renderer.counts();
    const double with = arena.seconds(renderer, place.camera, image, {.hide = true}, 1, kRuns);
    const CrowdCounts counts = renderer.counts();
    bench::require(all.in_picture > 1000 && all.hidden == 0, "the crowd is not in the picture");
    bench::require(counts.in_picture + counts.hidden == all.in_picture, "somebody is neither drawn nor hidden");
    const auto row = [&](const char* name) { return fmt::format("{}{}", name, place.name); };
    report.add(row("without_occlusion_ms"), without * 1e3, "ms",
               fmt::format("an image, {} in the picture, {} triangles", all.in_picture, all.triangles));
    report.add(row("with_occlusion_ms"), with * 1e3, "ms",
               fmt::format("… {} in the picture, {} triangles", counts.in_picture, counts.triangles));
    report.add(row("hidden"), static_cast<double>(counts.hidden), "characters", "… in view, but behind others");
  }
}

// All of one kind, without the handles of a Crowd: tens of millions of them are only records.
Cast make_cast(const Character& model, std::uint32_t count, double step) {
  const Crowd few = make_crowd(model, 4096, step);
  Cast cast;
  const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(count)));
  for (std::uint32_t i = 0; i < count; ++i) {
    cast.instances.push_back(few.instances(0)[i % 4096]);
    cast.plays.push_back(few.plays(0)[i % 4096]);
    cast.instances.back().position = glm::dvec3(step * (i % side), 0.0, -step * (i / side));
  }
  return cast;
}

CrowdRenderer make_renderer(const Character& model, const Cast& cast, Device& device, Skinning skinning) {
  CrowdRenderer renderer = make_renderer(model, Crowd(model), device, skinning);
  bench::require(renderer.set_instances(0, cast.instances, cast.plays).has_value(), "the cast does not come");
  return renderer;
}

void measure_gpu(const Character& model, Device& device, bench::Report& report) {
  bench::Arena arena(device.context(), 1920, 1080);
  constexpr int kRuns = 21;
  {
    const double side = std::sqrt(10e6);
    const Cast cast = make_cast(model, 10'000'000, 1.0);
    CrowdRenderer crowd = make_renderer(model, cast, device, Skinning::vertex);
    const Camera camera{{0.5 * side, 60.0, -0.1 * side}, {0.5 * side, 0.0, -0.5 * side}, 28.0};
    const CrowdImage image = arena.image_of(camera, 0);
    const double seconds = arena.seconds(crowd, camera, image, {true, false}, 20, kRuns);
    const double share = static_cast<double>(crowd.counts().drawn) / 10e6;
    report.add(
        "plan_10m_ms", seconds * 1e3, "ms",
        fmt::format("tick, cull, level of detail and compaction of 10 million, {:.0f} % in view", share * 100.0));
  }
  {
    const Cast cast = make_cast(model, 10'000, 1.0);
    const Camera camera{{50.0, 40.0, 60.0}, {50.0, 0.0, -50.0}, 60.0};
    const CrowdImage image = full_detail(arena.image_of(camera, 0));
    CrowdRenderer still = make_renderer(model, cast, device, Skinning::none);
    CrowdRenderer moving = make_renderer(model, cast, device, Skinning::compute);
    CrowdRenderer by_vertex = make_renderer(model, cast, device, Skinning::vertex);
    const double planned = arena.seconds(by_vertex, camera, image, {true, false}, 20, kRuns);
    const double skinned = arena.seconds(moving, camera, image, {true, false}, 20, kRuns);
    const double vertices = 10'000.0 * static_cast<double>(model.vertices.size());
    report.add("skin_gvertices_per_s", vertices / (skinned - planned) * 1e-9, "G/s",
               fmt::format("10,000 × {} vertices, {} bones, four a vertex", model.vertices.size(), model.bones.size()));
    const double plain = arena.seconds(still, camera, image, {false, true}, 4, kRuns);
    const double animated = arena.seconds(moving, camera, image, {}, 4, kRuns);
    const double in_vertex = arena.seconds(by_vertex, camera, image, {}, 4, kRuns);
    report.add("draw_10k_still_ms", plain * 1e3, "ms", "10,000, nothing animated, nothing prepared");
    report.add("draw_10k_ms", animated * 1e3, "ms", "… animated in compute");
    report.add("draw_10k_vertex_ms", in_vertex * 1e3, "ms", "… in the vertex shader");
    report.add("draw_10k_ratio", animated / plain, "×", "animated over still");
  }
  const Cast million = make_cast(model, 1'000'000, 1.0);
  CrowdRenderer crowd = make_renderer(model, million, device, Skinning::compute);
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
    CrowdImage image = arena.image_of(camera, 0);
    image.pixel_error = 2.0f;
    image.speck_pixels = 10.0f;
    const double seconds = arena.seconds(crowd, camera, image, {}, 2, 7);
    if (seconds > worst) seen = crowd.counts();
    worst = std::max(worst, seconds);
    sum += seconds;
  }
  report.add("million_worst_ms", worst * 1e3, "ms",
             fmt::format("a million at 1920 × 1080, 2 pixels of error, specks up to 10: slowest of {} places on a "
                         "flight: {} in the picture, {} specks, {} triangles",
                         kStops, seen.in_picture, seen.specks, seen.triangles));
  report.add("million_mean_ms", sum / kStops * 1e3, "ms", "… mean");
}

}  // namespace

int main(int argc, char** argv) {
  const bool on_gpu = argc > 1 && std::strcmp(argv[1], "--gpu") == 0;
  const Model model = make_mannequin();
  ThreadExecutor executor;
  const Character baked = bench::require(bake(model, {}, executor));
  Device device = bench::require(Device::create());
  fmt::print("{}\n{} vertices, {} bones, {} clips; {} cores; {}\n\n", kMethod, baked.vertices.size(),
             baked.bones.size(), baked.clips.size(), std::thread::hardware_concurrency(), device.info().name);
  bench::Report report;
  const double tick = measure_tick(baked, report);
  const double traditional = measure_traditional(model, report);
  report.add("ratio_to_traditional", traditional / tick, "×", "traditional over tick, same run");
  measure_drive(baked, device, report);
  measure_images(baked, device, report);
  measure_pictures(baked, device, report);
  measure_occlusion(baked, device, report);
  if (on_gpu) measure_gpu(baked, device, report);
  return report.finish(argc, argv);
}
