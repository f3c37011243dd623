// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "bake_phases.h"
#include "command.h"
#include "console.h"
#include "files.h"
#include "film/film.h"
#include "output.h"
#include "progress_line.h"
#include "render/render_stage.h"
#include "render/steady_time.h"
#include "throng/base/try.h"
#include "throng/import/import.h"
#include "throng/playback/clock.h"

using namespace throng;

namespace {

constexpr const char* kRenderFooter = R"(Examples:
  throng render knight.glb -o crowd.png                          a model is baked first, and kept in the cache
  throng render knight.throng.glb mage.throng.glb -o both.png    a crowd of both
  throng render knight.throng.glb -o hero.png --count 1 --view close --clip 'Walk*' --time 0.4
  throng render knight.throng.glb -o film.mp4 --from 0 --to 4 --fps 30
  throng render knight.throng.glb -o walk.gif --transparent --count 1 --view close --to 1
  throng render knight.throng.glb -o 'frames/%04d.png' --from 0 --to 1 --eye 0,2,8 --target 0,1,0
  throng render knight.throng.glb -o walk.png --sheet Walk       every frame of a clip, from the side, numbered
  throng render knight.throng.glb -o staffs.png --prop staff --socket 'hand*.r'   a thing in every hand
  throng render knight.glb -o battle.mp4 --scene battle --to 4   near ones that look, climb and fall, before 10,000 far ones
  throng render knight.throng.glb -o - | display                 a picture for another program
  throng render --list-devices

Up to 39 characters are framed; from 40 on they fill the picture, and from 200 on a procession walks through them. A name with a number in it (as in %04d) makes one picture a moment; .mp4, .webm and .gif go through ffmpeg. With --transparent there is neither ground nor sky: .png, .webm and .gif keep what is behind the characters clear. The same asset, settings and device give the same picture.)";

constexpr double kMostImages = 1e6;

std::string check_size(const std::string& text) {
  unsigned width = 0;
  unsigned height = 0;
  char rest = 0;
  const bool read = std::sscanf(text.c_str(), "%5ux%5u%c", &width, &height, &rest) == 2;
  if (read && width >= 1 && height >= 1 && width <= 16384 && height <= 16384) return "";
  return fmt::format("'{}' is no size such as 1920x1080 (at most 16384x16384)", text);
}

Result<void> print_devices(bool json) {
  THRONG_TRY(const std::vector<DeviceInfo> devices, list_devices());
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : devices) {
    list.push_back({{"index", device.index},
                    {"name", device.name},
                    {"kind", to_string(device.kind)},
                    {"driver", device.driver},
                    {"unusable", device.unusable}});
    if (json) continue;
    fmt::print("{}: {} ({}, {}){}\n", device.index, printable(device.name), to_string(device.kind),
               printable(device.driver), device.unusable.empty() ? "" : ": cannot be used: " + device.unusable);
  }
  if (json) fmt::print("{}\n", to_text(list));
  return {};
}

// What was drawn, and what the CPU spent on each picture before it waited for the GPU.
struct Drawn {
  std::size_t images = 0;
  std::vector<double> submit_seconds = {};
};

std::vector<Phase> phases() {
  std::vector<Phase> out(kReadPhases.begin(), kReadPhases.end());
  out.insert(out.end(), kBakePhases.begin(), kBakePhases.end());
  out.push_back({"crowd", "making the crowd", 5.0});
  out.push_back({"compile", "compiling shaders", 20.0});
  out.push_back({"play", "playing the battle", 20.0});
  out.push_back({"draw", "drawing", 70.0});
  return out;
}

void print_report(const RenderOptions& options, const Output& output, const Stage& stage, const Drawn& drawn) {
  std::FILE* const stream = output.report_stream();
  const DrawReport& report = stage.scene.report();
  const std::size_t images = drawn.images;
  const std::optional<double> cpu_us = steady_microseconds(drawn.submit_seconds);
  if (options.json) {
    nlohmann::ordered_json json{{"output", options.output},
                                {"width", options.width},
                                {"height", options.height},
                                {"replaced", output.replaces()},
                                {"images", images},
                                {"device", stage.device.info().name},
                                {"instances", report.far_characters},
                                {"drawn", report.far.in_picture},
                                {"vertices", report.far.vertices},
                                {"triangles", report.far.triangles},
                                {"near", report.near.drawn},
                                {"near_vertices", report.near.vertices},
                                {"dispatches", report.near.dispatches},
                                {"crowd_draws", report.colour_draws},
                                {"shadow_draws", report.shadow_draws},
                                {"warnings", stage.remarks.warnings}};
    if (cpu_us) json["cpu_us_per_image"] = *cpu_us;
    fmt::print(stream, "{}\n", to_text(json));
    return;
  }
  if (options.console.quiet) return;
  fmt::print(stream, "{} on {}: {} in the crowd pass\n", counted(report.far_characters, "character"),
             printable(stage.device.info().name), counted(report.colour_draws, "draw"));
  fmt::print(stream, "{} animated, {}\n", counted(report.far.vertices, "vertex", "vertices"),
             counted(report.far.triangles, "triangle"));
  if (report.near.characters > 0) {
    fmt::print(stream, "{}, posed on the CPU: {} skinned in {}\n", counted(report.near.drawn, "near thing"),
               counted(report.near.vertices, "vertex", "vertices"),
               counted(report.near.dispatches, "dispatch", "dispatches"));
  }
  if (cpu_us)
    fmt::print(stream, "CPU time to drive the crowd: {:.0f} µs an image (nothing per {}character)\n", *cpu_us,
               report.near.characters > 0 ? "far " : "");
  fmt::print(stream, "{} {} ({} × {}{}){}\n", options.console.paint(stream).heading("wrote"), printable(options.output),
             options.width, options.height, images == 1 ? "" : fmt::format(", {} images", images), replacing(output));
}

// `waiting` is told how far a picture is that takes long, `playing` how far that is which comes before it.
Result<Image> picture_at(Stage& stage, double seconds, Drawn& drawn, const Progress& playing,
                         const Progress& waiting = {}) {
  THRONG_CHECK(stage.advance_to(seconds, playing));
  report(waiting, "draw", 0.0);
  const auto begin = std::chrono::steady_clock::now();
  THRONG_CHECK(stage.scene.submit(stage.camera, ticks_from_seconds(seconds), true));
  drawn.submit_seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  for (bool done = !waiting; !done;) {
    THRONG_TRY(done, stage.scene.wait_for(std::chrono::milliseconds(100)));
    report(waiting, "draw", stage.scene.progress());
  }
  THRONG_CHECK(stage.scene.finish());
  ++drawn.images;
  Image picture = stage.scene.picture();
  draw_captions(stage.captions, picture);
  return picture;
}

Result<Drawn> render_still(const RenderOptions& options, const Output& output, Stage& stage) {
  Drawn drawn;
  THRONG_TRY(const Image image, picture_at(stage, options.time, drawn, options.progress, options.progress));
  THRONG_CHECK(write_png(image, output.path()));
  return drawn;
}

Result<Drawn> render_film(const RenderOptions& options, Film& film, Stage& stage) {
  const auto images = static_cast<std::size_t>(std::max(1.0, std::round((options.to - options.from) * options.fps)));
  Drawn drawn;
  for (std::size_t i = 0; i < images; ++i) {
    report(options.progress, "draw", static_cast<double>(i) / static_cast<double>(images));
    const double time = options.from + static_cast<double>(i) / options.fps;
    THRONG_TRY(const Image image, picture_at(stage, time, drawn, options.progress));
    THRONG_CHECK(film.add(image));
  }
  report(options.progress, "draw", 1.0);
  THRONG_CHECK(film.close());
  return drawn;
}

Result<void> run_render(RenderOptions options) {
  if (options.list_devices) return print_devices(options.json);
  std::sscanf(options.size.c_str(), "%5ux%5u", &options.width, &options.height);
  const std::string first = Film::numbered(options.output, 0);
  THRONG_TRY(const Output output, Output::find(options.output, Content::binary, first));
  for (const std::string& model : options.assets) {
    std::error_code ignored;
    if (!output.is_stream() && std::filesystem::equivalent(model, first, ignored))
      return fail("{}: is a model that is drawn; name another output", options.output);
  }
  // Before anything is read or drawn, so that what it refuses is refused at once.
  std::optional<Film> film;
  if (Film::is_film(options.output)) {
    const FilmSettings settings{options.width, options.height, options.fps, options.transparent};
    THRONG_TRY(Film opened, Film::open(output, settings));
    film.emplace(std::move(opened));
  }
  ProgressLine line(phases(), options.console.quiet);
  options.progress = options.import.progress = line.progress();
  THRONG_TRY(Stage stage, set_stage(options));
  THRONG_TRY(const Drawn drawn, film ? render_film(options, *film, stage) : render_still(options, output, stage));
  line.finish();
  // The report has them too, and may be what standard error is for.
  for (const std::string& warning : stage.remarks.warnings)
    if (!options.json) options.console.warning(warning);
  options.console.notes(stage.remarks.notes);
  print_report(options, output, stage, drawn);
  return {};
}

std::string check_output(const std::string& output) {
  const std::string first = Film::numbered(output, 0);
  if (Film::numbered(first, 0) != first)
    return fmt::format("'{}' has room for more than one number; pictures are counted by one, as in %04d.png", output);
  std::vector<std::string_view> endings{".png"};
  for (const FilmFormat& format : film_formats()) endings.push_back(format.ending);
  return wrong_ending(output, endings);
}

void add_camera_options(CLI::App& command, RenderOptions& options) {
  add_choice(
      command, "--view", {"crowd", "close", "above"},
      [&options](std::size_t view) {
        options.view = std::array{View::crowd, View::close, View::above}[view];
      },
      "Where the camera stands (default: crowd)");
  for (const auto& [name, value, text] : {std::tuple{"--eye", &options.eye, "The camera's place"},
                                          std::tuple{"--target", &options.target, "What it looks at"}}) {
    command.add_option(name, *value, text)->delimiter(',')->expected(3)->check(finite_number)->option_text("X,Y,Z");
  }
  command.add_option("--fov", options.fov, "Vertical field of view, degrees")->check(number_between(1.0, 170.0));
}

void add_time_options(CLI::App& command, RenderOptions& options) {
  command.add_option("--time", options.time, "Seconds, for a still")->check(moment)->capture_default_str();
  command.add_option("--from", options.from, "First second of a film")->check(moment)->capture_default_str();
  command.add_option("--to", options.to, "Last second of a film")->check(moment)->capture_default_str();
  command.add_option("--fps", options.fps, "Images a second of a film")
      ->check(number_between(1.0, 1000.0))
      ->capture_default_str();
}

void add_detail_options(CLI::App& command, RenderOptions& options) {
  CLI::Option* prop =
      command.add_option("--prop", options.prop, "A thing that everybody carries: staff, or a model file");
  command.add_option("--socket", options.socket, "Where they carry it (default: the asset's first socket)")
      ->needs(prop);
  add_choice(
      command, "--skinning", {"auto", "compute", "vertex"},
      [&options](std::size_t where) {
        options.skinning = std::array{Skinning::automatic, Skinning::compute, Skinning::vertex}[where];
      },
      "Where vertices are animated (default: auto)");
  add_choice(
      command, "--shading", {"full", "plain"},
      [&options](std::size_t how) {
        options.shading = std::array{Shading::full, Shading::plain}[how];
      },
      "How light is worked out: plain has no highlights, and hard shadows, for a quicker picture (default: full; plain "
      "for films where there is no GPU)");
  add_choice(
      command, "--tint", {"auto", "none", "gentle", "strong"},
      [&options](std::size_t how) {
        options.cast.tinting = std::array{Tinting::automatic, Tinting::none, Tinting::gentle, Tinting::strong}[how];
      },
      "How much colours differ (default: none; strong for the mannequin)");
  add_choice(
      command, "--samples", {"1", "2", "4", "8"}, [&options](std::size_t word) { options.samples = 1u << word; },
      "Samples a pixel: more for smoother edges, 1 for the quickest picture (default: 4)");
  command.add_flag("--full-detail", options.full_detail, "No levels of detail, no specks");
  command
      .add_option("--vertex-budget", options.vertex_budget,
                  "Vertices that may be animated; what is far away gets coarser until they do (default: no limit)")
      ->check(whole_number());
}

void add_reading_options(CLI::App& command, RenderOptions& options) {
  command.add_flag("!--no-cache", options.cache, "Bake a model anew, and keep nothing");
  add_threads_option(command, options.threads,
                     "Threads to bake with, and to draw with where there is no GPU (0: one per core)");
  add_import_options(command, options.import);
}

std::string default_output(const RenderOptions& options) {
  return options.battle ? "battle.png" : options.sheet ? "sheet.png" : "crowd.png";
}

// Options that the picture asked for would leave unused.
void check_needed(const CLI::App& command, const RenderOptions& options) {
  const auto refuse = [&command](std::initializer_list<const char*> names, const char* why) {
    for (const char* name : names)
      if (command.get_option(name)->count() > 0) throw CLI::ValidationError(name, why);
  };
  if (options.sheet) {
    if (Film::is_film(options.output)) throw CLI::ValidationError("--sheet", "makes one picture; name a .png");
    refuse({"--view", "--count", "--time"}, "says nothing of a --sheet");
  }
  if (Film::is_film(options.output))
    refuse({"--time"}, "is of a still; a film has --from and --to");
  else
    refuse({"--from", "--to", "--fps"}, "is of a film; name one, such as film.mp4, or take --time");
}

// It has its own cast.
void check_battle(RenderOptions& options, bool any_count) {
  const bool cast = options.clip || !options.prop.empty() || !options.socket.empty();
  if (cast) throw CLI::ValidationError("--scene battle", "takes no --clip, --sheet, --prop or --socket");
  constexpr double kLongest = 3600.0;
  if (std::max(options.time, options.to) > kLongest)
    throw CLI::ValidationError(
        "--scene battle", fmt::format("is played from its beginning; --time and --to may be {} at most", kLongest));
  if (any_count) options.cast.count = 10000;
}

}  // namespace

void add_render_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App& command =
      *app.add_subcommand("render", "Draw a crowd of a model, or of several, to a picture, pictures or a film");
  command.footer(kRenderFooter);
  CLI::Option* list =
      command.add_flag("--list-devices", options->list_devices, "List the Vulkan devices of this machine");
  const CLI::Option* models = command.add_option(
      "MODEL", options->assets,
      fmt::format("Baked characters (.throng.glb) or models ({}, or {}), one or several", model_formats(), kMannequin));
  CLI::Option* output =
      command.add_option("-o,--output", options->output,
                         "A .png (or - for standard output), several as in %04d.png, or a film: .mp4, .webm or .gif "
                         "(default: crowd.png, battle.png or sheet.png, in this folder)");
  output->check(check_output)->option_text("FILE");
  command.add_flag("--transparent", options->transparent,
                   "Neither ground nor sky, and nothing behind the characters; not for .mp4");
  command.add_option("--size", options->size, "Pixels")->check(check_size)->option_text("WxH")->capture_default_str();
  CLI::Option* count = command.add_option("--count", options->cast.count, "Characters (default: 1152; battle: 10000)");
  count->check(whole_number(1, 1000000));
  command.add_option("--seed", options->cast.seed, "Another number, another crowd")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  CLI::Option* clip = command.add_option("--clip", options->clip, "The clip all of them play (default: each its own)")
                          ->option_text("PATTERN");
  command
      .add_option_function<std::string>(
          "--sheet",
          [options](const std::string& name) {
            options->clip = name;
            options->sheet = true;
            options->view = View::sheet;
          },
          "Instead of a crowd: every frame of this clip, from the side, numbered")
      ->option_text("PATTERN")
      ->excludes(clip);
  add_choice(
      command, "--scene", {"crowd", "battle"}, [options](std::size_t scene) { options->battle = scene == 1; },
      "crowd: of MODEL; battle: of MODEL, or the built-in mannequin, some of them near (default: crowd)");
  add_time_options(command, *options);
  add_camera_options(command, *options);
  add_detail_options(command, *options);
  add_reading_options(command, *options);
  command.add_option("--device", options->device, "A Vulkan device, by number or part of its name (default: the best)");
  command.add_flag("--json", options->json, "Print the report as JSON")->group("Output");
  add_console_options(command, options->console);
  command.callback([options, models, list, output, count, &command, &action] {
    if (list->count() == 0 && !options->battle && options->assets.empty()) throw CLI::RequiredError("MODEL");
    if (options->sheet && options->assets.size() > 1)
      throw CLI::ValidationError("--sheet", "shows one model at a time");
    if (options->battle) check_battle(*options, count->count() == 0);
    if (output->count() == 0) options->output = default_output(*options);
    if (list->count() == 0) check_needed(command, *options);
    if (options->to < options->from) throw CLI::ValidationError("--to", "must not be before --from");
    if ((options->to - options->from) * options->fps > kMostImages) {
      throw CLI::ValidationError("--to", "makes a film of more than a million images");
    }
    action = [options, models, &command]() -> Result<void> {
      THRONG_CHECK(check_no_value_among(command, *models));
      return run_render(*options);
    };
  });
}
