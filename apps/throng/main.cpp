// SPDX-License-Identifier: Apache-2.0
#include "command.h"
#include "console.h"

namespace {

constexpr const char* kFooter = R"(Examples:
  throng bake knight.glb -o knight.throng.glb     bake every clip, with its error measured
  throng inspect knight.throng.glb                see what is inside
  throng render knight.throng.glb -o crowd.png    draw 1,152 of them
  throng graph knight.graph.json --model knight.glb   check an animator graph
  throng pose knight.glb --clip Walk --time 0.5 -o pose.obj

`throng COMMAND --help` tells more. Exit code 0: done, 1: bad input, 2: wrong usage.)";

int run(int argc, char** argv) {
  CLI::App app("Throng bakes animated models for the GPU and draws crowds of them.", "throng");
  app.footer(kFooter);
  app.set_version_flag("--version", THRONG_VERSION);
  app.require_subcommand(1);
  Action action;
  add_bake_command(app, action);
  add_inspect_command(app, action);
  add_render_command(app, action);
  add_pose_command(app, action);
  add_graph_command(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kWrongUsage;
  }
  if (const auto done = action(); !done) {
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
