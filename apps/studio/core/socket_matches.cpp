// SPDX-License-Identifier: Apache-2.0
#include "core/socket_matches.h"

#include <regex>

namespace throng::studio {
namespace {

// The standard library's matcher recurses once a character; the bake leaves out longer names too.
constexpr std::size_t kLongestName = 1000;

}  // namespace

Result<std::vector<std::string>> matching_bones(const Model& model, const std::string& expression) {
  std::vector<std::string> names;
  if (expression.empty()) return names;
  try {
    const std::regex pattern(expression, std::regex::ECMAScript);
    for (const Bone& bone : model.bones())
      if (bone.name.size() <= kLongestName && std::regex_match(bone.name, pattern)) names.push_back(bone.name);
  } catch (const std::regex_error& error) {
    return fail("this is no regular expression: {}", error.what());
  }
  return names;
}

}  // namespace throng::studio
