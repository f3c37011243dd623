// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "bake_phases.h"
#include "command.h"
#include "console.h"
#include "files.h"
#include "output.h"
#include "page.h"
#include "progress_line.h"
#include "render/baked.h"
#include "report_text.h"
#include "throng/base/file.h"
#include "throng/base/try.h"
#include "throng/character/file.h"

using namespace throng;

namespace {

constexpr std::array<std::string_view, 2> kEndings{".html", ".htm"};

constexpr const char* kWebFooter = R"(Examples:
  throng web knight.throng.glb -o page.html
  throng web knight.glb mage.glb -o page.html        models are baked on the way; several make one crowd
  throng web builtin:mannequin -o - > page.html

The page opens by double click, asks nobody for anything, and plays in every browser with WebGL 2. What is behind its address says how it begins: page.html#count=5000&clip=Walk&time=2&paused=1.)";

struct WebOptions {
  std::vector<std::string> assets;
  std::string output = "crowd.html";
  bool cache = true;
  unsigned threads = 0;
  ImportSettings import;
  bool json = false;
  Console console;
};

std::vector<Phase> phases() {
  std::vector<Phase> out(kReadPhases.begin(), kReadPhases.end());
  out.insert(out.end(), kBakePhases.begin(), kBakePhases.end());
  out.push_back({"page", "writing the page", 2.0});
  return out;
}

// What a page plays: pictures inside, since there are no files beside it, and nothing for near characters, which it has
// none of.
Result<Character> for_a_page(const Character& character) {
  CharacterDraft draft = character.draft();
  for (ImageSource& image : draft.images) image.uri.clear();
  draft.motion.reset();
  draft.near_mesh.reset();
  return build_character(std::move(draft), character.upload());
}

Result<Embedded> embed(const std::string& file, const WebOptions& options, std::vector<std::string>& said) {
  THRONG_TRY(const Character character, load_baked(file, {.import = options.import,
                                                          .cache = options.cache,
                                                          .said = &said,
                                                          .progress = options.import.progress,
                                                          .threads = options.threads}));
  for (const std::string& warning : character.warnings()) options.console.warning(with_bake_flags(warning));
  report(options.import.progress, "page", 0.0);
  THRONG_TRY(const Character inside, for_a_page(character));
  THRONG_TRY(std::vector<std::byte> bytes, encode_character(inside));
  // Without its folders: the page is for others, whom they do not concern.
  return Embedded{std::filesystem::path(file).filename().string(), std::move(bytes)};
}

Result<void> run_web(WebOptions options) {
  if (page_template().empty())
    return fail("web: this throng was built without its page; build it with -DTHRONG_WEB=ON");
  THRONG_TRY(const Output output, Output::find(options.output, Content::text));
  for (const std::string& asset : options.assets) {
    std::error_code ignored;
    if (!output.is_stream() && std::filesystem::equivalent(asset, options.output, ignored))
      return fail("{}: is what the page would play; name another output", options.output);
  }
  ProgressLine line(phases(), options.console.quiet);
  options.import.progress = line.progress();
  std::vector<Embedded> characters;
  std::vector<std::string> said;
  for (const std::string& asset : options.assets) {
    THRONG_TRY(Embedded character, embed(asset, options, said));
    characters.push_back(std::move(character));
  }
  const std::string page = page_with(page_template(), characters);
  THRONG_CHECK(write_file(output.path(), page));
  line.finish();
  options.console.notes(said);
  if (options.json) {
    const nlohmann::ordered_json json{{"output", options.output},
                                      {"characters", characters.size()},
                                      {"bytes", page.size()},
                                      {"replaced", output.replaces()}};
    fmt::print(output.report_stream(), "{}\n", to_text(json));
  } else if (!options.console.quiet) {
    std::FILE* const stream = output.report_stream();
    fmt::print(stream, "{} {} ({}, {}){}\n", options.console.paint(stream).heading("wrote"), printable(options.output),
               counted(characters.size(), "character"), readable_bytes(page.size()), replacing(output));
  }
  return {};
}

}  // namespace

void add_web_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<WebOptions>();
  CLI::App& command = *app.add_subcommand("web", "Write a page that plays a crowd in a browser, all in one file");
  command.footer(kWebFooter);
  const CLI::Option* models =
      command
          .add_option("MODEL", options->assets,
                      fmt::format("Baked characters (.throng.glb) or models ({}, or {}), one or several",
                                  model_formats(), kMannequin))
          ->required();
  command
      .add_option("-o,--output", options->output,
                  "The .html to write, or - for standard output (default: crowd.html, in this folder)")
      ->check([](const std::string& file) { return wrong_ending(file, kEndings); })
      ->option_text("FILE");
  command.add_flag("!--no-cache", options->cache, "Bake a model anew, and keep nothing");
  add_threads_option(command, options->threads, "Threads to bake with (0: one per core)");
  add_import_options(command, options->import);
  command.add_flag("--json", options->json, "Print the report as JSON")->group("Output");
  add_console_options(command, options->console);
  command.callback([options, models, &command, &action] {
    action = [options, models, &command]() -> Result<void> {
      THRONG_CHECK(check_no_value_among(command, *models));
      return run_web(*options);
    };
  });
}
