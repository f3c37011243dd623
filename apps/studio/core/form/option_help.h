// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an option of `throng bake` is for, in the command line's own words, so that the window cannot say otherwise.

#include <map>
#include <string>
#include <string_view>

namespace throng::studio {

class OptionHelp {
 public:
  OptionHelp();

  // "--fps" → "Frames a second wanted; …"; empty for what is no option.
  const std::string& of(std::string_view option) const;

 private:
  std::map<std::string, std::string, std::less<>> words_;
};

}  // namespace throng::studio
