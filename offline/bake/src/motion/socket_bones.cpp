// SPDX-License-Identifier: Apache-2.0
#include "throng/bake/socket_bones.h"

#include <regex>

namespace throng {
namespace {

// The library's matcher goes one call deeper with every character.
constexpr std::size_t kLongestName = 1000;

}  // namespace

Result<std::vector<std::uint32_t>> socket_bones(const Model& model, const std::string& expression) {
  std::vector<std::uint32_t> matching;
  try {
    const std::regex pattern(expression, std::regex::ECMAScript);
    for (std::uint32_t bone = 0; bone < model.bones().size(); ++bone) {
      const std::string& name = model.bones()[bone].name;
      if (name.size() <= kLongestName && std::regex_match(name, pattern)) matching.push_back(bone);
    }
  } catch (const std::regex_error& error) {
    return fail("sockets '{}': this is no regular expression (ECMAScript) that can be followed: {}", expression,
                error.what());
  }
  return matching;
}

}  // namespace throng
