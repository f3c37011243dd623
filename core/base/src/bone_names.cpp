// SPDX-License-Identifier: Apache-2.0
#include "throng/base/bone_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "throng/base/text.h"

namespace throng {
namespace {

bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// "LeftUpLeg_01" is left, up, leg, 1: cut at separators, before capitals behind small letters, and around numbers.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  char before = ' ';
  for (const char c : name) {
    const bool starts = !is_alnum(before) || (is_upper(c) && is_lower(before)) || is_digit(c) != is_digit(before);
    if (is_alnum(c)) {
      if (starts) words.emplace_back();
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    before = c;
  }
  for (std::string& word : words) {
    const std::size_t first = std::min(word.find_first_not_of('0'), word.size() - 1);
    if (is_digit(word[0])) word.erase(0, first);
  }
  return words;
}

// What rigs put before every bone. A number may follow: "Bip01", "mixamorig1".
void drop_rig_prefix(std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 5> kPrefixes = {"mixamorig", "bip", "def", "valvebiped", "cc"};
  while (words.size() > 1 && std::find(kPrefixes.begin(), kPrefixes.end(), words[0]) != kPrefixes.end()) {
    const std::ptrdiff_t count = is_digit(words[1][0]) ? 2 : 1;
    if (static_cast<std::size_t>(count) == words.size()) return;  // "Bip01" is a bone of its own
    words.erase(words.begin(), words.begin() + count);
  }
}

std::string take_side(std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size() && words.size() > 1; ++i) {
    const bool left = words[i] == "l" || words[i] == "left";
    if (!left && words[i] != "r" && words[i] != "right") continue;
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    return left ? ".l" : ".r";
  }
  // "Lefthand", with no capital to cut at.
  for (const auto& [side, mark] : {std::pair("left", ".l"), std::pair("right", ".r")}) {
    const std::size_t length = std::string_view(side).size();
    if (words.empty() || !words[0].starts_with(side) || words[0].size() == length) continue;
    words[0].erase(0, length);
    return mark;
  }
  return "";
}

std::string_view part_of_body(std::string_view written) {
  struct Alias {
    std::string_view written, meant;
  };
  constexpr std::array<Alias, 20> kAliases = {
      {{"hip", "hips"},          {"pelvis", "hips"},      {"upleg", "upperleg"},      {"thigh", "upperleg"},
       {"leg", "lowerleg"},      {"calf", "lowerleg"},    {"shin", "lowerleg"},       {"ankle", "foot"},
       {"toebase", "toes"},      {"toe", "toes"},         {"toe0", "toes"},           {"ball", "toes"},
       {"clavicle", "shoulder"}, {"collar", "shoulder"},  {"collarbone", "shoulder"}, {"arm", "upperarm"},
       {"uparm", "upperarm"},    {"forearm", "lowerarm"}, {"lowarm", "lowerarm"},     {"neck1", "neck"}}};
  const auto found =
      std::find_if(kAliases.begin(), kAliases.end(), [&](const Alias& a) { return a.written == written; });
  return found == kAliases.end() ? written : found->meant;
}

}  // namespace

std::string meant_bone(std::string_view name) {
  std::vector<std::string> words = words_of(without_namespace(name));
  drop_rig_prefix(words);
  const std::string side = take_side(words);
  std::string written;
  for (const std::string& word : words) written += word;
  return written.empty() ? std::string() : std::string(part_of_body(written)) + side;
}

}  // namespace throng
