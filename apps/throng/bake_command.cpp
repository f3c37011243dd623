#include "throng/bake/bake.h"

#include <chrono>
#include <filesystem>
#include <memory>

#include "command.h"
#include "console.h"
#include "files.h"
#include "report.h"
#include "throng/asset/baked_model.h"

using namespace throng;

namespace {

constexpr const char* kFooter = R"(Examples:
  throng bake knight.glb -o knight.throng.glb
  throng bake fox.glb -o fox.throng.glb --fps 60 --json > report.json
  throng bake builtin:mannequin -o mannequin.throng.glb

Reads glTF 2.0 (.gltf, .glb). The report tells how far the baked poses are from the model's own curves, at the frames and between
them, in millimetres on a character 1.8 m tall. The asset is written whole or not at all.)";

// A larger error shows; the user should hear of it even in a script.
constexpr double kLoudErrorMm = 5.0;

struct BakeOptions {
  std::string model;
  std::string output;
  BakeSettings settings;
  unsigned threads = 0;
  bool json = false;
};

std::string default_output(const std::string& model) {
  const std::string stem = model == kMannequin ? "mannequin" : std::filesystem::path(model).stem().string();
  return stem + ".throng.glb";
}

void warn_of_large_error(const BakedModel& baked) {
  if (baked.error.at_frames.max_mm <= kLoudErrorMm) return;
  print_note(fmt::format("WARNING: the bake is off by up to {:.1f} mm at its own frames; see the report",
                         baked.error.at_frames.max_mm));
}

Result<void> run_bake(BakeOptions options) {
  if (options.output.empty()) options.output = default_output(options.model);
  if (std::error_code ignored; std::filesystem::equivalent(options.model, options.output, ignored)) {
    return fail("{}: is the model itself; name another output", options.output);
  }
  auto imported = load_model(options.model);
  if (!imported) return fail(std::move(imported));
  options.settings.notes = imported->notes;
  ThreadExecutor executor(options.threads);
  auto baked = bake(imported->model, options.settings, executor, console_progress());
  if (!baked) return fail(in(options.model, std::move(baked).error()));
  if (auto written = write_asset(*baked, options.output); !written) return written;

  for (const std::string& note : baked->notes) print_note(note);
  warn_of_large_error(*baked);
  if (options.json) {
    nlohmann::ordered_json report = report_json(*baked);
    report["output"] = options.output;
    report["file_bytes"] = std::filesystem::file_size(options.output);
    fmt::print("{}\n", to_text(report));
  } else {
    fmt::print("{}wrote {} ({})\n", report_text(*baked), printable(options.output),
               readable_bytes(std::filesystem::file_size(options.output)));
  }
  return {};
}

}  // namespace

void add_bake_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<BakeOptions>();
  CLI::App& command = *app.add_subcommand("bake", "Bake a model's clips into an animation texture");
  command.footer(kFooter);
  command.add_option("MODEL", options->model, "A glTF or GLB file, or builtin:mannequin")->required();
  command.add_option("-o,--output", options->output, "The asset to write (default: MODEL's name, .throng.glb)");
  command
      .add_option("--fps", options->settings.frame_rate,
                  "Frames a second wanted; each clip takes the nearest that fits it")
      ->check(CLI::Range(1.0, 1000.0))
      ->capture_default_str();
  command.add_option("--atlas-size", options->settings.max_atlas_size, "Largest side of the texture, in texels")
      ->check(CLI::Range(16, 16384))
      ->capture_default_str();
  command.add_flag("--drop-morphs", options->settings.drop_morphs,
                   "Bake without morph targets instead of refusing them");
  command.add_option("--threads", options->threads, "Threads to use (0: one per core); the result is the same for any");
  command.add_flag("--json", options->json, "Print the report as JSON");
  command.callback([options, &action] { action = [options] { return run_bake(*options); }; });
}
