// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "command.h"
#include "console.h"
#include "crowd/render_stage.h"
#include "files.h"
#include "film.h"
#include "throng/base/try.h"
#include "throng/import/import.h"
#include "throng/playback/clock.h"

using namespace throng;

namespace {

constexpr const char* kRenderFooter = R"(Examples:
  throng render knight.glb -o crowd.png                          a model is baked first, and kept in the cache
  throng render knight.throng.glb mage.throng.glb -o both.png    a crowd of both
  throng render knight.throng.glb -o hero.png --count 1 --view close --clip Walk --time 0.4 --size 1200x1200
  throng render knight.throng.glb -o film.mp4 --from 0 --to 4 --fps 30
  throng render knight.throng.glb -o 'frames/%04d.png' --from 0 --to 1 --eye 0,2,8 --target 0,1,0
  throng render knight.throng.glb -o walk.png --sheet Walk       every frame of a clip, from the side, numbered
  throng render knight.throng.glb -o staffs.png --prop staff --socket handslot.r   a thing in every hand
  throng render knight.glb -o battle.mp4 --scene battle --to 4   near ones that look, climb and fall, before 10,000 far ones
  throng render --list-devices

Up to 39 characters are framed; from 40 on they fill the picture, and from 200 on a procession walks through them. A
name with a number in it (as in %04d) makes one picture a moment; .mp4 goes through ffmpeg. The same asset, settings and
device give the same picture.)";

constexpr double kMostImages = 1e6;

std::string check_size(const std::string& text) {
  unsigned width = 0;
  unsigned height = 0;
  char rest = 0;
  const bool read = std::sscanf(text.c_str(), "%5ux%5u%c", &width, &height, &rest) == 2;
  if (read && width >= 1 && height >= 1 && width <= 16384 && height <= 16384) return "";
  return text + " is not a size; write for example 1920x1080 (at most 16384x16384)";
}

Result<void> print_devices(bool json) {
  auto devices = list_devices();
  if (!devices) return fail(std::move(devices));
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : *devices) {
    list.push_back({{"index", device.index},
                    {"name", device.name},
                    {"kind", to_string(device.kind)},
                    {"driver", device.driver},
                    {"unusable", device.unusable}});
    if (json) continue;
    fmt::print("{}: {} ({}, {}){}\n", device.index, device.name, to_string(device.kind), device.driver,
               device.unusable.empty() ? "" : ": cannot be used: " + device.unusable);
  }
  if (json) fmt::print("{}\n", to_text(list));
  return {};
}

// What was drawn, and what the CPU spent on each picture before it waited for the GPU.
struct Drawn {
  std::size_t images = 0;
  std::vector<double> submit_seconds = {};
};

// Once the first pictures have filled buffers and caches; none where there are too few to tell.
std::optional<double> steady_microseconds(std::vector<double> seconds) {
  constexpr std::size_t kWarmUp = 4;
  constexpr std::size_t kFewest = 8;
  if (seconds.size() < kWarmUp + kFewest) return std::nullopt;
  seconds.erase(seconds.begin(), seconds.begin() + kWarmUp);
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle * 1e6;
}

void print_report(const RenderOptions& options, const Stage& stage, const Drawn& drawn) {
  const DrawReport& report = stage.scene.report();
  const std::size_t images = drawn.images;
  const std::optional<double> cpu_us = steady_microseconds(drawn.submit_seconds);
  if (options.json) {
    nlohmann::ordered_json json{{"output", options.output},
                                {"width", options.width},
                                {"height", options.height},
                                {"images", images},
                                {"device", stage.device.info().name},
                                {"instances", report.far_characters},
                                {"drawn", report.far.in_picture},
                                {"vertices", report.far.vertices},
                                {"triangles", report.far.triangles},
                                {"skinned", report.near.drawn},
                                {"skinned_vertices", report.near.vertices},
                                {"dispatches", report.near.dispatches},
                                {"crowd_draws", report.colour_draws},
                                {"shadow_draws", report.shadow_draws}};
    if (cpu_us) json["cpu_us_per_image"] = *cpu_us;
    fmt::print("{}\n", to_text(json));
    return;
  }
  fmt::print("{} characters on {}: {} draws in the crowd pass, {} vertices animated, {} triangles\n",
             grouped(report.far_characters), stage.device.info().name, report.colour_draws,
             grouped(report.far.vertices), grouped(report.far.triangles));
  if (report.near.characters > 0) {
    fmt::print("{} near things, posed on the CPU: {} vertices skinned in {} dispatch\n", report.near.drawn,
               grouped(report.near.vertices), report.near.dispatches);
  }
  if (cpu_us)
    fmt::print("CPU time to drive the crowd: {:.0f} µs an image (nothing per {}character)\n", *cpu_us,
               report.near.characters > 0 ? "far " : "");
  fmt::print("wrote {} ({} × {}{})\n", printable(options.output), options.width, options.height,
             images == 1 ? "" : fmt::format(", {} images", images));
}

Result<Image> picture_at(Stage& stage, double seconds, Drawn& drawn) {
  THRONG_CHECK(stage.advance_to(seconds));
  const auto begin = std::chrono::steady_clock::now();
  THRONG_CHECK(stage.scene.submit(stage.camera, ticks_from_seconds(seconds), true));
  drawn.submit_seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  THRONG_CHECK(stage.scene.finish());
  ++drawn.images;
  Image picture = stage.scene.picture();
  draw_captions(stage.captions, picture);
  return picture;
}

Result<Drawn> render_still(const RenderOptions& options, Stage& stage) {
  Drawn drawn;
  auto image = picture_at(stage, options.time, drawn);
  if (!image) return fail(std::move(image));
  if (auto written = write_png(*image, options.output); !written) return fail(std::move(written));
  return drawn;
}

Result<Drawn> render_film(const RenderOptions& options, Stage& stage) {
  auto film = Film::open(options.output, options.width, options.height, options.fps);
  if (!film) return fail(std::move(film));
  const auto images = static_cast<std::size_t>(std::max(1.0, std::round((options.to - options.from) * options.fps)));
  const Progress progress = console_progress();
  Drawn drawn;
  for (std::size_t i = 0; i < images; ++i) {
    report(progress, "drawing", static_cast<double>(i) / static_cast<double>(images));
    const double time = options.from + static_cast<double>(i) / options.fps;
    auto image = picture_at(stage, time, drawn);
    if (!image) return fail(std::move(image));
    if (auto added = film->add(*image); !added) return fail(std::move(added));
  }
  report(progress, "drawing", 1.0);
  if (auto closed = film->close(); !closed) return fail(std::move(closed));
  return drawn;
}

Result<void> run_render(RenderOptions options) {
  if (options.list_devices) return print_devices(options.json);
  std::sscanf(options.size.c_str(), "%5ux%5u", &options.width, &options.height);
  auto stage = set_stage(options);
  if (!stage) return fail(std::move(stage));
  for (const std::string& note : stage->notes) print_note(note);
  auto drawn = Film::is_film(options.output) ? render_film(options, *stage) : render_still(options, *stage);
  if (!drawn) return fail(std::move(drawn));
  print_report(options, *stage, *drawn);
  return {};
}

std::string check_output(const std::string& output) {
  return output.ends_with(".png") || output.ends_with(".mp4") ? "" : output + " must end in .png or .mp4";
}

void add_camera_options(CLI::App& command, RenderOptions& options) {
  const auto choose_view = [&options](const std::string& name) {
    options.view = name == "close" ? View::close : name == "above" ? View::above : View::crowd;
  };
  command.add_option_function<std::string>("--view", choose_view, "Where the camera stands (default: crowd)")
      ->check(CLI::IsMember({"crowd", "close", "above"}));
  for (const auto& [name, value, text] : {std::tuple{"--eye", &options.eye, "The camera's place, as X,Y,Z"},
                                          std::tuple{"--target", &options.target, "What it looks at, as X,Y,Z"}}) {
    command.add_option(name, *value, text)->delimiter(',')->expected(3)->check(finite_number);
  }
  command.add_option("--fov", options.fov, "Vertical field of view, degrees")->check(CLI::Range(1.0, 170.0));
}

void add_time_options(CLI::App& command, RenderOptions& options) {
  command.add_option("--time", options.time, "Seconds, for a still")->check(moment)->capture_default_str();
  command.add_option("--from", options.from, "First second of a film")->check(moment)->capture_default_str();
  command.add_option("--to", options.to, "Last second of a film")->check(moment)->capture_default_str();
  command.add_option("--fps", options.fps, "Images a second of a film")
      ->check(CLI::Range(1.0, 1000.0))
      ->capture_default_str();
}

void add_detail_options(CLI::App& command, RenderOptions& options) {
  command.add_option("--prop", options.prop, "A thing that everybody carries: staff, or a model file");
  add_import_options(command, options.import);
  command.add_option("--socket", options.socket, "Where they carry it (default: the asset's first socket)");
  const auto choose_skinning = [&options](const std::string& name) {
    options.skinning = name == "vertex"    ? Skinning::vertex
                       : name == "compute" ? Skinning::compute
                                           : Skinning::automatic;
  };
  command
      .add_option_function<std::string>("--skinning", choose_skinning, "Where vertices are animated (default: auto)")
      ->check(CLI::IsMember({"auto", "compute", "vertex"}));
  const auto choose_tinting = [&options](const std::string& name) {
    options.cast.tinting = name == "none"     ? Tinting::none
                           : name == "gentle" ? Tinting::gentle
                           : name == "strong" ? Tinting::strong
                                              : Tinting::automatic;
  };
  command
      .add_option_function<std::string>(
          "--tint", choose_tinting,
          "How much colours differ: none, gentle, strong (default: gentle; strong for the "
          "mannequin)")
      ->check(CLI::IsMember({"auto", "none", "gentle", "strong"}));
  command.add_flag("!--no-cache", options.cache, "Bake a model anew, and keep nothing");
  command.add_flag("--full-detail", options.full_detail, "No levels of detail, no specks");
  command.add_option("--vertex-budget", options.vertex_budget,
                     "Vertices that may be animated; what is far away gets coarser until they do (default: no limit)");
}

// It has its own cast.
void check_battle(RenderOptions& options, bool any_count) {
  const bool cast = options.clip || !options.prop.empty() || !options.socket.empty();
  if (cast) throw CLI::ValidationError("--scene battle", "takes no --clip, --sheet, --prop or --socket");
  if (any_count) options.cast.count = 10000;
}

}  // namespace

void add_render_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App& command =
      *app.add_subcommand("render", "Draw a crowd of a model, or of several, to a picture, pictures or a film");
  command.footer(kRenderFooter);
  CLI::Option* list =
      command.add_flag("--list-devices", options->list_devices, "Tell the Vulkan devices of this machine");
  command.add_option(
      "MODEL", options->assets,
      fmt::format("Baked characters (.throng.glb) or models ({}, or {}), one or several", model_formats(), kMannequin));
  CLI::Option* output =
      command.add_option("-o,--output", options->output, "A .png, a pattern such as %04d.png, or an .mp4");
  output->check(check_output);
  command.add_option("--size", options->size, "Pixels, as 1920x1080")->check(check_size)->capture_default_str();
  CLI::Option* count = command.add_option("--count", options->cast.count, "Characters (default: 1152; battle: 10000)");
  count->check(CLI::Range(1, 1000000));
  command.add_option("--seed", options->cast.seed, "Another number, another crowd")->capture_default_str();
  CLI::Option* clip = command.add_option("--clip", options->clip, "The clip all of them play (default: each its own)");
  command
      .add_option_function<std::string>(
          "--sheet",
          [options](const std::string& name) {
            options->clip = name;
            options->sheet = true;
            options->view = View::sheet;
          },
          "Instead of a crowd: every frame of this clip, side by side")
      ->excludes(clip);
  command
      .add_option_function<std::string>(
          "--scene", [options](const std::string& name) { options->battle = name == "battle"; },
          "crowd: of MODEL; battle: of MODEL, or the built-in mannequin, some of them near (default: crowd)")
      ->check(CLI::IsMember({"crowd", "battle"}));
  add_time_options(command, *options);
  add_camera_options(command, *options);
  add_detail_options(command, *options);
  command.add_option("--device", options->device, "A Vulkan device, by number or part of its name (default: the best)");
  command.add_flag("--json", options->json, "Print the report as JSON");
  command.callback([options, list, output, count, &action] {
    if (list->count() == 0 && !options->battle && options->assets.empty()) throw CLI::RequiredError("MODEL");
    if (options->sheet && options->assets.size() > 1)
      throw CLI::ValidationError("--sheet", "shows one model at a time");
    if (options->battle) check_battle(*options, count->count() == 0);
    if (list->count() == 0 && output->count() == 0) throw CLI::RequiredError("--output");
    if (options->to < options->from) throw CLI::ValidationError("--to", "must not be before --from");
    if ((options->to - options->from) * options->fps > kMostImages) {
      throw CLI::ValidationError("--to", "makes a film of more than a million images");
    }
    action = [options] { return run_render(*options); };
  });
}
