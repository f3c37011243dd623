// SPDX-License-Identifier: Apache-2.0
// The same crowd drawn by this library and by OGRE, in turns, where there is no GPU.
//   bench_peers [--small] [--json FILE]     needs a display: ./run bench peers brings its own

#include <array>
#include <filesystem>
#include <thread>

#include "bench_targets.h"
#include "models.h"
#include "ogre_crowd.h"
#include "pin_drivers.h"
#include "throng/bake/bake.h"
#include "throng/gpu/device.h"
#include "throng/playback/crowd.h"
#include "tube.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: 1,000 characters, 1280 × 720, one pass, no shadows, one sample a pixel: the same mesh, poses and camera in both. A turn is one image of each,
1/60 s after the last; medians of 21 turns. OGRE 1.12 draws them with HWInstancingVTF, four weights, lambert. Ours:
  lambert   full detail, plain shading: lambert, fog and tone curve. Both leave out who is outside of the view.
  full      the same with full shading.
  levels    lambert with levels of detail of one pixel.
Silhouettes are compared first: where they differ, different things are drawn, and the benchmark ends.)";

constexpr Camera kCamera{{-2.0, 1.9, 3.0}, {19.0, 0.9, -19.0}, 40.0};

// Of those that either covers, how many pixels one alone does.
double differing(const Image& a, const Image& b) {
  std::size_t either = 0, one = 0;
  for (std::size_t i = 3; i < a.rgba.size(); i += 4) {
    either += a.rgba[i] > 0 || b.rgba[i] > 0 ? 1 : 0;
    one += (a.rgba[i] > 0) != (b.rgba[i] > 0) ? 1 : 0;
  }
  return static_cast<double>(one) / static_cast<double>(std::max<std::size_t>(either, 1));
}

Image side_by_side(std::span<const Image> images) {
  Image wide{0, images[0].height, {}};
  for (const Image& image : images) wide.width += image.width;
  for (std::uint32_t y = 0; y < wide.height; ++y)
    for (const Image& image : images) {
      const auto row = image.rgba.begin() + static_cast<std::ptrdiff_t>(std::size_t{4} * y * image.width);
      wide.rgba.insert(wide.rgba.end(), row, row + std::ptrdiff_t{4} * image.width);
    }
  for (std::size_t i = 3; i < wide.rgba.size(); i += 4) wide.rgba[i] = 255;
  return wide;
}

// The characters of the comparison, for both.
std::vector<bench::Stander> stand(std::uint32_t count, double length) {
  std::vector<bench::Stander> standers;
  const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(count)));
  for (std::uint32_t i = 0; i < count; ++i)
    standers.push_back({glm::dvec3(1.2 * (i % side), 0.0, -1.2 * (i / side)), std::fmod(0.013 * i, length)});
  return standers;
}

Crowd crowd_of(const Character& character, std::span<const bench::Stander> standers) {
  Crowd crowd(character);
  for (const bench::Stander& stander : standers) {
    Spawn spawn;
    spawn.placement.position = stander.position;
    spawn.play = {.clip = ClipId(0), .offset = stander.offset, .mode = PlayMode::loop};
    bench::require(crowd.add(spawn, 0));
  }
  return crowd;
}

void compare(const std::string& name, const Model& model, Device& device, const bench::Options& options,
             bench::Report& report) {
  ThreadExecutor executor;
  const Character character = bench::require(bake(model, {}, executor));
  const double length = model.clips()[0].length();
  const std::vector<bench::Stander> standers = stand(options.sized(1000u, 60u), length);
  const Crowd crowd = crowd_of(character, standers);
  const std::uint32_t width = options.sized(1280u, 320u), height = options.sized(720u, 180u);
  bench::BenchTargets targets(device.context(), width, height);
  const auto renderer = [&](Shading shading) {
    auto made = bench::require(
        CharacterRenderer::create(device.context(), {.targets = bench::BenchTargets::targets(), .shading = shading}));
    bench::require(made.add(character));
    bench::require(made.update(crowd).has_value(), "the crowd does not come");
    return made;
  };
  CharacterRenderer lambert = renderer(Shading::plain), full = renderer(Shading::full);
  CharacterRenderer coarser = renderer(Shading::plain);
  bench::OgreCrowd ogre({model, length, standers, kCamera, width, height});

  const RendererImage levels = targets.image_of(kCamera, 0);
  RendererImage all = levels;
  all.pixel_error = all.speck_pixels = 0.0f;
  ogre.draw(0.0);
  const std::array pictures{ogre.picture(), targets.picture(lambert, kCamera, all), targets.picture(full, kCamera, all),
                            targets.picture(coarser, kCamera, levels)};
  const std::string file = fmt::format("out/peers_{}.png", name);
  std::filesystem::create_directories("out");
  bench::require(write_png(side_by_side(pictures), file).has_value(), "the pictures are not written");
  const double share = differing(pictures[0], pictures[1]);
  bench::require(share < 0.03, fmt::format("{:.1f} % of the silhouettes differ: see {}", 100.0 * share, file));

  std::array cases{bench::BenchTargets::Case{lambert, kCamera, all}, bench::BenchTargets::Case{full, kCamera, all},
                   bench::BenchTargets::Case{coarser, kCamera, levels}};
  double time = 0.0;
  const std::array<std::function<double()>, 4> turns{
      [&] { return bench::seconds_of([&] { ogre.draw(time += 1.0 / 60.0); }); },
      [&] { return targets.image_seconds(cases[0]); }, [&] { return targets.image_seconds(cases[1]); },
      [&] { return targets.image_seconds(cases[2]); }};
  const std::vector<double> seconds = bench::medians_in_turn(0.0, options.sized(21, 2), turns);
  const auto add = [&](const char* what, double value, const char* unit, const std::string& text) {
    report.add(fmt::format("{}_{}", name, what), value, unit, text);
  };
  add("ogre_ms", seconds[0] * 1e3, "ms", fmt::format("OGRE; {}: OGRE, lambert, full, levels", file));
  add("lambert_ms", seconds[1] * 1e3, "ms", fmt::format("{} vertices a character", character.vertices().size()));
  add("full_ms", seconds[2] * 1e3, "ms", fmt::format("{} triangles", cases[1].counts.triangles));
  add("levels_ms", seconds[3] * 1e3, "ms", fmt::format("{} triangles", cases[2].counts.triangles));
  add("lambert_over_ogre", seconds[0] / seconds[1], "×", "images a second over OGRE's; 1.1 are to reach");
  add("levels_over_ogre", seconds[0] / seconds[3], "×", "the same with levels of detail; 4");
  add("full_ratio_to_lambert", seconds[2] / seconds[1], "×", "full shading over lambert; at most 1.5");
}

// With its first clip alone.
Model first_clip_of(const Model& model) {
  ModelDraft draft = model.draft();
  bench::require(draft.meshes.size() == 1 && !draft.clips.empty(), "OGRE's crowd is of one mesh, which moves");
  draft.clips.resize(1);
  return bench::require(build_model(std::move(draft)));
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options = bench::read_options(argc, argv);
  test::pin_drivers();
  Device device = bench::require(Device::create());
  fmt::print("{}\n{} cores; {}\n\n", kMethod, std::thread::hardware_concurrency(), device.info().name);
  bench::Report report(options);
  compare("tube", bench::make_tube({.vertices = 1024, .sways = true}), device, options, report);
  if (options.small) return report.finish();
  const auto man = bench::shared_model("khronos/CesiumMan/CesiumMan.glb");
  if (man) compare("cesium_man", first_clip_of(bench::require(import_gltf(*man)).model), device, options, report);
  if (!man) fmt::print("CesiumMan is left out: it is not in {}\n", test::shared_folder().string());
  return report.finish();
}
