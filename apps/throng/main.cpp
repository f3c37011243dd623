// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "command.h"
#include "console.h"
#include "generate.h"
#include "help_text.h"
#include "interrupt.h"
#include "version.h"
#include "wrong_usage.h"

namespace {

constexpr const char* kFooter = R"(Examples:
  throng bake knight.glb -o knight.throng.glb          bake every clip, with its error measured
  throng inspect knight.throng.glb                     see what is inside
  throng render knight.throng.glb -o crowd.png         draw 1,152 of them
  throng graph knight.graph.json --model knight.glb    check an animator graph
  throng pose knight.glb --clip Walk --time 0.5 -o pose.obj
  throng web knight.throng.glb -o page.html            play a crowd of it in a browser

`throng help COMMAND` tells more. Exit code 0: done, 1: bad input, 2: wrong usage.)";

// The help of one command, or of all there are.
void print_help(const CLI::App& app, const std::string& name) {
  const ProgramUsage usage = usage_of(app);
  const auto named = std::ranges::find(usage.commands, name, &CommandUsage::name);
  const CommandUsage& command = named == usage.commands.end() ? usage.program : *named;
  fmt::print("{}", help_text(usage, command, Console{}.paint(stdout)));
}

void add_help_command(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App& command = *app.add_subcommand("help", "Show a command's help");
  command.add_option("COMMAND", *name, "The command (default: all there are)");
  command.callback([name, &app, &action] {
    const ProgramUsage usage = usage_of(app);
    const bool there = std::ranges::find(usage.commands, *name, &CommandUsage::name) != usage.commands.end();
    if (!name->empty() && !there) throw CLI::ValidationError(unknown_command(usage, *name));
    action = [name, &app]() -> throng::Result<void> {
      print_help(app, *name);
      return {};
    };
  });
}

int complain(const CLI::App& app, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) {
    print_help(app, parsed.empty() ? "" : parsed.front()->get_name());
    return kSuccess;
  }
  if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) {
    fmt::print("{}\n", error.what());
    return kSuccess;
  }
  print_error({wrong_usage(app, error)});
  return kWrongUsage;
}

int run(int argc, char** argv) {
  CLI::App app("Throng bakes animated models for the GPU and draws crowds of them.", "throng");
  app.footer(kFooter);
  app.set_help_flag("-h,--help", "Show this help and exit");
  app.set_version_flag("--version", version_text(), "Print the version and exit");
  app.require_subcommand(1);
  Action action;
  add_bake_command(app, action);
  add_inspect_command(app, action);
  add_render_command(app, action);
  add_pose_command(app, action);
  add_graph_command(app, action);
  add_web_command(app, action);
  add_help_command(app, action);
  refuse_values_of_flags(app);
  // For the build, which installs what it makes.
  if (argc == 4 && std::string_view(argv[1]) == "--generate") {
    action = [&] { return generate(usage_of(app), argv[2], argv[3]); };
  } else {
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return complain(app, error);
    }
    if (const auto missing = missing_value(app)) {
      print_error({*missing});
      return kWrongUsage;
    }
  }
  if (const auto done = action(); !done) {
    wait_if_ending();
    print_error(done.error());
    return kBadInput;
  }
  return kSuccess;
}

// A result that nobody received is not a success.
int flushed(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fputs("throng: error: standard output cannot be written\n", stderr);
  return code == kSuccess ? kBadInput : code;
}

}  // namespace

int main(int argc, char** argv) {
  leave_nothing_when_told_to_end();
  // The library does not throw; memory running out does, and so does printing to what cannot be written.
  try {
    return flushed(run(argc, argv));
  } catch (const std::exception& error) {
    std::fputs("throng: error: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
    return kBadInput;
  }
}
