// SPDX-License-Identifier: Apache-2.0
#include "generate.h"

#include "completion.h"
#include "man_page.h"
#include "throng/base/file.h"
#include "throng/base/try.h"

using namespace throng;

Result<void> generate(const ProgramUsage& usage, const std::string& kind, const std::filesystem::path& folder) {
  if (kind == "bash") return write_file(folder / "throng", bash_completion(usage));
  if (kind == "zsh") return write_file(folder / "_throng", zsh_completion(usage));
  if (kind == "fish") return write_file(folder / "throng.fish", fish_completion(usage));
  if (kind != "man") return fail("--generate: '{}' is none of: man, bash, zsh, fish", kind);
  const auto write_page = [&](const CommandUsage& command) {
    return write_file(folder / (man_page_name(command) + ".1"), man_page(usage, command, THRONG_VERSION));
  };
  THRONG_CHECK(write_page(usage.program));
  for (const CommandUsage& command : usage.commands) {
    if (has_man_page(command)) THRONG_CHECK(write_page(command));
  }
  return {};
}
