// SPDX-License-Identifier: Apache-2.0
#include "throng/bake/bake.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "bake_phases.h"
#include "command.h"
#include "console.h"
#include "files.h"
#include "interrupt.h"
#include "output.h"
#include "progress_line.h"
#include "report.h"
#include "report_text.h"
#include "throng/bake/options.h"
#include "throng/base/try.h"
#include "throng/character/character.h"
#include "throng/character/file.h"
#include "throng/import/add_clips.h"
#include "throng/import/retarget_clips.h"
#include "throng/import/side_file.h"

using namespace throng;

namespace {

constexpr const char* kFooter = R"(Examples:
  throng bake knight.glb -o knight.throng.glb
  throng bake knight.glb --max-error 0.1mm               closer than the 1 mm that every bake keeps
  throng bake arnaud.fbx --clips run.fbx --clip 'run*'   clips from another file, by pattern
  throng bake manny.glb --clips dance.fbx --retarget     … made for other proportions
  throng bake jelly.glb --mode vertices                  what no skeleton can do
  throng bake fox.glb --fps 60 --json > report.json
  throng bake fox.glb -o - | ssh host 'cat > fox.throng.glb'
  throng bake builtin:mannequin -o mannequin.throng.glb
  throng bake knight.glb mage.glb -o baked/              several, each to a file of its own in that folder

Of several models each is baked by itself: one that fails is told and the others go on, and the exit status is that of a failure. With --json their reports are an array, in the order of the models; one that failed has its name and "failed". The report tells how far the baked poses are from the model's own curves, at the frames and between them, in millimetres on a character 1.8 m tall. What the encodings are is in docs/encodings.md. The asset is written whole or not at all.)";

struct BakeOptions {
  std::vector<std::string> models;
  std::string model;   // the one being baked
  std::string output;  // where that goes; of several models, the folder
  std::vector<std::string> clip_files;
  std::string side_file;
  bool retarget = false;
  RetargetSettings retargeting;
  ImportSettings import;
  BakeSettings settings;
  bool link_textures = false;
  unsigned threads = 0;
  bool json = false;
  bool follows = false;  // the report of another model
  Console console;
};

constexpr std::array<std::string_view, 2> kEndings{".throng.glb", ".glb"};

std::vector<Phase> phases() {
  std::vector<Phase> out(kReadPhases.begin(), kReadPhases.end());
  out.insert(out.end(), kBakePhases.begin(), kBakePhases.end());
  out.push_back({"write", "writing", 3.0});
  return out;
}

bool names_folder(const std::string& output) {
  std::error_code ignored;
  return output.ends_with('/') || std::filesystem::is_directory(output, ignored);
}

// Where each model goes: to the one file that was named, or to one of its own name, in the folder that was named or in
// the current one.
Result<std::vector<std::string>> find_outputs(const std::vector<std::string>& models, const std::string& output) {
  if (!output.empty() && !names_folder(output)) {
    if (models.size() > 1)
      return fail("{}: is one file, for {}; name a folder, as in -o baked/", output, counted(models.size(), "model"));
    return std::vector{output};
  }
  std::vector<std::string> outputs;
  for (const std::string& model : models)
    outputs.push_back((std::filesystem::path(output) / default_asset(model)).string());
  return outputs;
}

// Everything the asset is made from: the model, clips from other files, events and loop flags from a side file.
Result<Imported> gather(const BakeOptions& options) {
  const Progress& progress = options.import.progress;
  const auto files = static_cast<double>(1 + options.clip_files.size());
  ImportSettings settings = options.import;
  settings.progress = part_of(progress, 0.0, 1.0 / files);
  auto imported = load_model(options.model, settings);
  if (imported && imported->model.meshes().empty() && !imported->model.clips().empty()) {
    return fail("{}: holds clips and no mesh; name a model and add this with --clips", options.model);
  }
  for (std::size_t i = 0; i < options.clip_files.size() && imported; ++i) {
    const std::string& file = options.clip_files[i];
    const double done = static_cast<double>(1 + i) / files;
    auto from = load_model(file, {.strict = options.import.strict,
                                  .budget = options.import.budget,
                                  .progress = part_of(progress, done, done + 1.0 / files)});
    if (!from) return from;
    imported = options.retarget ? retarget_clips(*std::move(imported), *from, file, options.retargeting)
                                : add_clips(*std::move(imported), *from, file);
  }
  if (imported && !options.side_file.empty()) imported = add_side_file(*std::move(imported), options.side_file);
  return imported;
}

// Refuses an output that is read for every model.
Result<void> check_output(const BakeOptions& options, const std::string& output) {
  std::vector<std::string> inputs = options.clip_files;
  if (!options.side_file.empty()) inputs.push_back(options.side_file);
  const auto is_output = [&output](const std::string& input) {
    std::error_code ignored;
    return std::filesystem::equivalent(input, output, ignored);
  };
  if (std::ranges::any_of(inputs, is_output)) return fail("{}: is read for this bake; name another output", output);
  return {};
}

nlohmann::ordered_json json_report(const BakeOptions& options, const Output& output, const Character& baked) {
  nlohmann::ordered_json report = report_json(baked);
  report["output"] = options.output;
  report["replaced"] = output.replaces();
  report["file_bytes"] = nullptr;
  if (!output.is_stream()) report["file_bytes"] = std::filesystem::file_size(options.output);
  report["peak_memory_bytes"] = peak_memory();
  return report;
}

void print_report(const BakeOptions& options, const Output& output, const Character& baked) {
  std::FILE* const stream = output.report_stream();
  const ReportStyle style{.paint = options.console.paint(stream),
                          .verbose = options.console.verbose,
                          .bound_mm = options.settings.max_error_mm};
  const std::string bytes = output.is_stream() ? "" : readable_bytes(std::filesystem::file_size(options.output)) + ", ";
  fmt::print(stream, "{}{}\n{} {} ({}peak memory {}){}\n", options.follows ? "\n" : "", report_text(baked, style),
             style.paint.heading("wrote"), printable(options.output), bytes, readable_bytes(peak_memory()),
             replacing(output));
  std::fflush(stream);
}

// What was said but cannot matter: better heard now than wondered about later.
void note_idle_options(const BakeOptions& options) {
  const BakeSettings& settings = options.settings;
  if (options.retarget && options.clip_files.empty()) options.console.note("--retarget does nothing without --clips");
  if (!options.retarget && (options.retargeting.align_rests || !options.retargeting.bones.empty())) {
    options.console.note("--align-rests and --retarget-bone do nothing without --retarget");
  }
  for (const BakeOption& option : bake_options()) {
    if (is_default(option, settings) || applies(option, settings)) continue;
    options.console.note(fmt::format("--{} {}", option.name, option.idle));
  }
}

// Bakes options.model to options.output, and tells about it: to `reports` where it is one of several.
Result<void> bake_one(BakeOptions options, nlohmann::ordered_json* reports) {
  THRONG_TRY(const Output output, Output::find(options.output, Content::binary));
  ProgressLine line(phases(), options.console.quiet);
  const Progress progress = line.progress();
  report(progress, "read", 0.0);
  options.import.progress = progress;
  THRONG_TRY(const Imported imported, gather(options));
  if (options.link_textures) {
    if (auto linked = check_links(imported.model.images(), output.path()); !linked) {
      return fail(with_context(options.model, std::move(linked).error()));
    }
  }
  take_from_import(imported, options.settings);
  ThreadExecutor executor(options.threads);
  auto baked = bake(imported.model, options.settings, executor, progress);
  if (!baked) return fail(with_context(options.model, std::move(baked).error()));
  if (options.link_textures) {
    baked = with_linked_images(*baked, output.path());
    if (!baked) return fail(with_context(options.model, std::move(baked).error()));
  }
  report(progress, "write", 0.0);
  THRONG_CHECK(write_character(*baked, output.path()));
  line.finish();
  if (options.json && reports != nullptr) {
    reports->push_back(json_report(options, output, *baked));
  } else if (options.json) {
    fmt::print(output.report_stream(), "{}\n", to_text(json_report(options, output, *baked)));
  } else if (!options.console.quiet) {
    print_report(options, output, *baked);
  }
  std::fflush(output.report_stream());
  // Last, where they are seen: below a report that may be long.
  tell_remarks(*baked, options.console);
  return {};
}

// Each by itself; what fails does not keep the others from being baked.
Result<void> bake_each(const BakeOptions& options, const std::vector<std::string>& outputs) {
  nlohmann::ordered_json reports = nlohmann::ordered_json::array();
  std::size_t failed = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    BakeOptions one = options;
    one.model = options.models[i];
    one.output = outputs[i];
    one.follows = i > failed;
    const auto done = bake_one(std::move(one), &reports);
    if (done) continue;
    wait_if_ending();
    print_error(done.error());
    reports.push_back({{"model", options.models[i]}, {"failed", with_option_names(done.error().message)}});
    ++failed;
  }
  if (options.json) fmt::print("{}\n", to_text(reports));
  if (failed > 0) return fail("{} of {} could not be baked", failed, counted(outputs.size(), "model"));
  return {};
}

Result<void> run_bake(BakeOptions options) {
  THRONG_TRY(const std::vector<std::string> outputs, find_outputs(options.models, options.output));
  // All of them before any work is done.
  THRONG_CHECK(check_outputs(options.models, outputs));
  for (const std::string& output : outputs) {
    THRONG_CHECK(check_output(options, output));
    THRONG_CHECK(Output::find(output, Content::binary));
  }
  note_idle_options(options);
  if (outputs.size() > 1) return bake_each(options, outputs);
  options.model = options.models.front();
  options.output = outputs.front();
  return bake_one(std::move(options), nullptr);
}

// What is written for a value in help: the words there are, or what it is.
struct ValueName {
  std::string operator()(const ChoiceField& field) const { return fmt::format("{}", fmt::join(field.words, "|")); }
  std::string operator()(const NumberField&) const { return "NUMBER"; }
  std::string operator()(const CountField&) const { return "NUMBER"; }
  std::string operator()(const PatternsField&) const { return "PATTERN"; }
  std::string operator()(const LengthField&) const { return "LENGTH"; }
  std::string operator()(const EncodingField&) const {
    std::string names;
    for (const Encoding encoding : kEncodings) names += fmt::format("{}|", name_of(encoding));
    return names + "auto";
  }
  std::string operator()(const SideField&) const { return "TEXELS"; }
  std::string operator()(const auto&) const { return "TEXT"; }
};

const char* heading_of(OptionGroup group) {
  switch (group) {
    case OptionGroup::clips:
      return "Clips";
    case OptionGroup::quality:
      return "Quality";
    case OptionGroup::texture:
      return "The texture";
    case OptionGroup::content:
      break;
  }
  return "What is baked";
}

// A row of the table as an option of the command line, read and refused as set_option() does.
CLI::Option* add_row(CLI::App& command, const BakeOption& option, BakeSettings& settings) {
  const std::string name = fmt::format("--{}", option.name);
  const std::string help(option.help);
  if (const auto* flag = std::get_if<FlagField>(&option.field)) {
    // What is on unless told otherwise is turned off by --no-near and the like.
    bool& value = settings.*flag->member;
    return command.add_flag(value ? fmt::format("--{0},!--no-{0}", option.name) : name, value, help);
  }
  const std::string value_name = std::visit(ValueName{}, option.field);
  if (const auto* patterns = std::get_if<PatternsField>(&option.field)) {
    return command.add_option(name, settings.*patterns->member, help)->allow_extra_args(false)->option_text(value_name);
  }
  CLI::Option* added = command.add_option_function<std::string>(
      name, [&](const std::string& text) { static_cast<void>(set_option(option, settings, text)); }, help);
  added->check([&option](const std::string& text) {
    BakeSettings tried;
    const auto done = set_option(option, tried, text);
    return done ? std::string() : done.error().message;
  });
  return added->option_text(value_name)->default_str(option_text(option, settings));
}

// The option for the models.
const CLI::Option* add_sources(CLI::App& command, BakeOptions& options) {
  const CLI::Option* models =
      command
          .add_option("MODEL", options.models, fmt::format("{}, or {}; one or several", model_formats(), kMannequin))
          ->required();
  command
      .add_option("-o,--output", options.output,
                  "The asset to write, - for standard output, or a folder, as in baked/ (default: MODEL's name, "
                  ".throng.glb, in this folder)")
      ->check([](const std::string& name) { return name.ends_with('/') ? "" : wrong_ending(name, kEndings); })
      ->option_text("FILE");
  command.add_option("--clips", options.clip_files, "A file whose clips are added, matched by bone name")
      ->allow_extra_args(false)
      ->option_text("FILE");
  command.add_flag("--retarget", options.retarget, "Fit those clips to the model's own proportions and bone axes");
  command
      .add_option_function<std::vector<std::string>>(
          "--retarget-bone",
          [&options](const std::vector<std::string>& pairs) {
            for (const std::string& pair : pairs) {
              const std::size_t middle = pair.find('=');
              options.retargeting.bones.emplace_back(pair.substr(0, middle), pair.substr(middle + 1));
            }
          },
          "A bone of the clips and the model's that it is, where names do not tell")
      ->allow_extra_args(false)
      ->check([](const std::string& pair) {
        return pair.find('=') == std::string::npos ? fmt::format("'{}' is no pair such as Hips=pelvis", pair)
                                                   : std::string();
      })
      ->option_text("THEIRS=OURS");
  command.add_flag("--align-rests", options.retargeting.align_rests,
                   "Retarget from a rest pose whose limbs point elsewhere (T-pose, A-pose)");
  command.add_option("--events", options.side_file, "JSON with events and loop flags by clip: see docs/baking.md")
      ->option_text("FILE");
  command.add_option("--scene", options.import.scene, "The scene of a glTF file, by name (default: the file's)")
      ->option_text("NAME");
  add_import_options(command, options.import);
  add_influences_option(command, options.import);
  return models;
}

}  // namespace

void add_bake_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<BakeOptions>();
  CLI::App& command = *app.add_subcommand("bake", "Bake a model and its clips into one file for the GPU");
  command.footer(kFooter);
  const CLI::Option* models = add_sources(command, *options);
  for (const BakeOption& option : bake_options())
    add_row(command, option, options->settings)->group(heading_of(option.group));
  command.add_flag("--link-textures", options->link_textures,
                   "Name the model's picture files instead of embedding them");
  add_threads_option(command, options->threads, "Threads to use (0: one per core); the result is the same for any");
  command.add_flag("--json", options->json, "Print the report as JSON")->group("Output");
  add_console_options(command, options->console);
  command.callback([options, models, &command, &action] {
    action = [options, models, &command]() -> Result<void> {
      THRONG_CHECK(check_no_value_among(command, *models));
      return run_bake(*options);
    };
  });
}
