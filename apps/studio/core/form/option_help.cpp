// SPDX-License-Identifier: Apache-2.0
#include "core/form/option_help.h"

#include "command.h"

namespace throng::studio {

OptionHelp::OptionHelp() {
  CLI::App app;
  Action never_run;
  add_bake_command(app, never_run);
  for (const CLI::Option* option : app.get_subcommand("bake")->get_options())
    words_.emplace(option->get_name(), option->get_description());
}

const std::string& OptionHelp::of(std::string_view option) const {
  static const std::string nothing;
  const auto found = words_.find(option);
  return found == words_.end() ? nothing : found->second;
}

}  // namespace throng::studio
