// SPDX-License-Identifier: Apache-2.0
// throng-studio: the window that bakes.

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "console.h"
#include "files.h"
#include "throng/base/file.h"
#include "throng/base/try.h"
#include "ui/app.h"

namespace {

using namespace throng;
using namespace throng::studio;

constexpr int kBadInput = 1;
constexpr int kWrongUsage = 2;
constexpr const char* kFooter = R"(Examples:
  throng-studio knight.glb
  throng-studio builtin:mannequin
  throng-studio --script bake-two.txt       do what a script says, for tests and pictures: see docs/studio.md)";

int complain(const std::string& what) {
  fmt::print(stderr, "throng-studio: error: {}\n", printable(what));
  return kBadInput;
}

// Opens the window and runs it to its end. The messages are those of the validation layer.
Result<void> run_window(AppSettings settings, JobRunner& jobs, std::vector<std::string>& messages) {
  std::vector<std::string> of_preview;
  settings.on_validation_message = [&](const std::string& message) { messages.push_back(message); };
  Result<void> done;
  {
    THRONG_TRY(const auto app, App::create(settings, jobs));
    done = app->run();
    of_preview = app->preview_messages();
  }
  messages.insert(messages.end(), of_preview.begin(), of_preview.end());
  return done;
}

int run(const AppSettings& settings) {
  JobRunner jobs;
  std::vector<std::string> messages;
  const auto done = run_window(settings, jobs, messages);
  int code = done ? EXIT_SUCCESS : complain(done.error().message);
  for (const std::string& message : messages) code = complain("validation: " + message);
  if (jobs.running() == 0) return code;
  // Work that was left to itself, such as a bake that was cancelled, writes nothing: the program need not wait for it.
  std::fflush(nullptr);
  std::_Exit(code);
}

int start(int argc, char** argv) {
  CLI::App app("A window that bakes animated models for the GPU, tells how exact they are, and plays them.",
               "throng-studio");
  app.footer(kFooter);
  app.set_version_flag("--version", THRONG_VERSION);
  AppSettings settings;
  std::string script;
  app.add_option("MODEL", settings.model, fmt::format("{}, a baked character, or {}", model_formats(), kMannequin));
  app.add_option("--script", script, "A file of commands to carry out; the program ends with it");
  app.add_option("--device", settings.device, "A Vulkan device, by part of its name (default: the best)");
  app.add_option("--width", settings.width, "Of the window, in pixels")->check(CLI::Range(640, 16384));
  app.add_option("--height", settings.height, "Of the window, in pixels")->check(CLI::Range(480, 16384));
  app.add_flag("--validation", settings.validation,
               "Let the Vulkan validation layers watch; what they say is an error");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? EXIT_SUCCESS : kWrongUsage;
  }
  if (!script.empty()) {
    auto text = read_text_file(script);
    if (!text) return complain(text.error().message);
    settings.script = *std::move(text);
  }
  return run(settings);
}

}  // namespace

int main(int argc, char** argv) {
  // The library does not throw; memory running out does, and so does printing to what cannot be written.
  try {
    return start(argc, argv);
  } catch (const std::exception& error) {
    std::fputs("throng-studio: error: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
    return kBadInput;
  }
}
