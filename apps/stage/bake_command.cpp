// SPDX-License-Identifier: Apache-2.0
#include "throng/bake/bake.h"

#include <filesystem>
#include <memory>

#include "command.h"
#include "console.h"
#include "files.h"
#include "report.h"
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
  throng bake knight.glb --max-error 0.1mm                 closer than the 1 mm that every bake keeps
  throng bake arnaud.fbx --clips run.fbx --clip 'run*'     clips from another file, chosen by pattern
  throng bake manny.glb --clips dance.fbx --retarget       … made for a skeleton of other proportions
  throng bake jelly.glb --mode vertices                    what no skeleton can do
  throng bake fox.glb --fps 60 --json > report.json
  throng bake builtin:mannequin -o mannequin.throng.glb

The report tells how far the baked poses are from the model's own curves, at the frames and between
them, in millimetres on a character 1.8 m tall. Encodings of bones: q16 x16 q12 q8 rows local8 half-quaternion half-rows; of vertices: v8
half-vertex rgbm; see docs/encodings.md. The asset is written whole or not at all.)";

struct BakeOptions {
  std::string model;
  std::string output;
  std::vector<std::string> clip_files;
  std::string side_file;
  bool retarget = false;
  RetargetSettings retargeting;
  ImportSettings import;
  BakeSettings settings;
  bool link_textures = false;
  unsigned threads = 0;
  bool json = false;
};

std::string default_output(const std::string& model) {
  const std::string stem = model == kMannequin ? "mannequin" : std::filesystem::path(model).stem().string();
  return stem + ".throng.glb";
}

// Everything the asset is made from: the model, clips from other files, events and loop flags from a side file.
Result<Imported> gather(const BakeOptions& options) {
  auto imported = load_model(options.model, options.import);
  if (imported && imported->model.meshes().empty() && !imported->model.clips().empty()) {
    return fail("{}: holds clips and no mesh; name a model and add this with --clips", options.model);
  }
  for (const std::string& file : options.clip_files) {
    if (!imported) break;
    auto from = load_model(file, {.strict = options.import.strict, .budget = options.import.budget});
    if (!from) return from;
    imported = options.retarget ? retarget_clips(*std::move(imported), *from, file, options.retargeting)
                                : add_clips(*std::move(imported), *from, file);
  }
  if (imported && !options.side_file.empty()) imported = add_side_file(*std::move(imported), options.side_file);
  return imported;
}

Result<void> check_output(const BakeOptions& options) {
  std::vector<std::string> inputs = options.clip_files;
  inputs.push_back(options.model);
  if (!options.side_file.empty()) inputs.push_back(options.side_file);
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(input, options.output, ignored)) continue;
    if (input == options.model) return fail("{}: is the model itself; name another output", options.output);
    return fail("{}: is read for this bake; name another output", options.output);
  }
  return {};
}

void print_report(const BakeOptions& options, const Character& baked) {
  const std::uintmax_t file_bytes = std::filesystem::file_size(options.output);
  if (!options.json) {
    fmt::print("{}wrote {} ({}; peak memory {})\n", report_text(baked), printable(options.output),
               readable_bytes(file_bytes), readable_bytes(peak_memory()));
    return;
  }
  nlohmann::ordered_json report = report_json(baked);
  report["output"] = options.output;
  report["file_bytes"] = file_bytes;
  report["peak_memory_bytes"] = peak_memory();
  fmt::print("{}\n", to_text(report));
}

// What was said but cannot matter: better heard now than wondered about later.
void note_idle_options(const BakeOptions& options) {
  const BakeSettings& settings = options.settings;
  if (options.retarget && options.clip_files.empty()) print_note("--retarget does nothing without --clips");
  if (!options.retarget && (options.retargeting.align_rests || !options.retargeting.bones.empty())) {
    print_note("--align-rests and --retarget-bone do nothing without --retarget");
  }
  for (const BakeOption& option : bake_options()) {
    if (is_default(option, settings) || applies(option, settings)) continue;
    print_note(fmt::format("--{} {}", option.name, option.idle));
  }
}

Result<void> run_bake(BakeOptions options) {
  if (options.output.empty()) options.output = default_output(options.model);
  THRONG_CHECK(check_output(options));
  note_idle_options(options);
  THRONG_TRY(const Imported imported, gather(options));
  if (options.link_textures) {
    if (auto linked = check_links(imported.model.images(), options.output); !linked) {
      return fail(with_context(options.model, std::move(linked).error()));
    }
  }
  options.settings.notes = imported.notes;
  options.settings.repairs = imported.repairs;
  options.settings.groups.insert(options.settings.groups.end(), imported.groups.begin(), imported.groups.end());
  ThreadExecutor executor(options.threads);
  auto baked = bake(imported.model, options.settings, executor, console_progress());
  if (!baked) return fail(with_context(options.model, Error{with_flags(baked.error().message)}));
  if (options.link_textures) {
    baked = with_linked_images(*baked, options.output);
    if (!baked) return fail(with_context(options.model, std::move(baked).error()));
  }
  THRONG_CHECK(write_character(*baked, options.output));
  for (const std::string& note : baked->notes()) print_note(with_flags(note));
  for (const std::string& warning : baked->warnings()) print_warning(with_flags(warning));
  print_report(options, *baked);
  return {};
}

// "bones*|vertices": the words there are, the one that holds unless told otherwise marked.
std::string choice_text(const ChoiceField& field, const BakeSettings& settings) {
  std::string text;
  for (std::size_t i = 0; i < field.words.size(); ++i) {
    text += fmt::format("{}{}{}", i == 0 ? "" : "|", field.words[i], i == field.get(settings) ? "*" : "");
  }
  return text;
}

// Adds an option whose text set_option() reads.
CLI::Option* add_read(CLI::App& command, const BakeOption& option, BakeSettings& settings) {
  const auto read = [&option](BakeSettings& into, const std::string& text) {
    const auto done = set_option(option, into, text);
    return done ? std::string() : done.error().message;
  };
  return command
      .add_option_function<std::string>(
          fmt::format("--{}", option.name),
          [read, &settings](const std::string& text) { static_cast<void>(read(settings, text)); },
          std::string(option.help))
      ->check([read](const std::string& text) {
        BakeSettings tried;
        return read(tried, text);
      });
}

// A row of the table as an option of the command line.
class AddOption {
 public:
  AddOption(CLI::App& command, const BakeOption& option, BakeSettings& settings)
      : command_(command), option_(option), settings_(settings) {}

  void operator()(const ChoiceField& field) {
    add_read(command_, option_, settings_)->option_text(choice_text(field, settings_));
  }
  void operator()(const NumberField&) { add_read(command_, option_, settings_)->option_text("NUMBER"); }
  void operator()(const CountField& field) {
    bound(field)->check(CLI::Range(field.least, field.most))->capture_default_str();
  }
  void operator()(const FlagField& field) {
    // What is on unless told otherwise is turned off by --no-near and the like.
    const bool on = settings_.*field.member;
    command_.add_flag(on ? fmt::format("--{0},!--no-{0}", option_.name) : flag(), settings_.*field.member,
                      std::string(option_.help));
  }
  void operator()(const TextField& field) { bound(field); }
  void operator()(const PatternsField& field) { bound(field)->allow_extra_args(false); }
  void operator()(const LengthField&) { add_read(command_, option_, settings_)->option_text("LENGTH"); }
  void operator()(const EncodingField&) { add_read(command_, option_, settings_); }

 private:
  std::string flag() const { return fmt::format("--{}", option_.name); }
  template <class Field>
  CLI::Option* bound(const Field& field) {
    return command_.add_option(flag(), settings_.*field.member, std::string(option_.help));
  }

  CLI::App& command_;
  const BakeOption& option_;
  BakeSettings& settings_;
};

void add_sources(CLI::App& command, BakeOptions& options) {
  command.add_option("MODEL", options.model, fmt::format("{}, or {}", model_formats(), kMannequin))->required();
  command.add_option("-o,--output", options.output, "The asset to write (default: MODEL's name, .throng.glb)");
  command.add_option("--clips", options.clip_files, "Files whose clips are added, matched by bone name")
      ->allow_extra_args(false);
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
          "A bone of the clips and the model's that it is, where names do not tell; repeatable")
      ->allow_extra_args(false)
      ->check([](const std::string& pair) {
        return pair.find('=') == std::string::npos ? pair + " is no pair such as Hips=pelvis" : std::string();
      })
      ->option_text("THEIRS=OURS");
  command.add_flag("--align-rests", options.retargeting.align_rests,
                   "Retarget from a rest pose whose limbs point elsewhere (T-pose, A-pose)");
  command.add_option("--events", options.side_file, "JSON with events and loop flags by clip: see docs/baking.md");
  command.add_option("--scene", options.import.scene, "The scene of a glTF file, by name (default: the file's)");
  add_import_options(command, options.import);
  add_influences_option(command, options.import);
}

}  // namespace

void add_bake_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<BakeOptions>();
  CLI::App& command = *app.add_subcommand("bake", "Bake a model's clips into an animation texture");
  command.footer(kFooter);
  add_sources(command, *options);
  for (const BakeOption& option : bake_options()) {
    std::visit(AddOption(command, option, options->settings), option.field);
  }
  command.add_flag("--link-textures", options->link_textures,
                   "Name the model's picture files instead of embedding them");
  command.add_option("--threads", options->threads, "Threads to use (0: one per core); the result is the same for any");
  command.add_flag("--json", options->json, "Print the report as JSON");
  command.callback([options, &action] { action = [options] { return run_bake(*options); }; });
}
