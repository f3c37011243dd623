// SPDX-License-Identifier: Apache-2.0
#include "core/form/socket_matches.h"

#include <string_view>

#include "throng/bake/socket_bones.h"
#include "throng/base/try.h"

namespace throng::studio {
namespace {

// The bone's name as an expression that means it alone.
std::string literal(const std::string& name) {
  constexpr std::string_view kSpecial = R"(\^$.|?*+()[]{})";
  std::string text;
  for (const char c : name) {
    if (kSpecial.find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

// What stands between the bars that are in no bracket of any kind.
std::vector<std::string> alternatives(const std::string& expression) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool in_class = false;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '\\' && i + 1 < expression.size()) {
      parts.back() += c;
      parts.back() += expression[++i];
      continue;
    }
    if (c == '|' && depth == 0 && !in_class) {
      parts.emplace_back();
      continue;
    }
    if (c == '[') in_class = true;
    if (c == ']') in_class = false;
    if (c == '(' && !in_class) ++depth;
    if (c == ')' && !in_class) --depth;
    parts.back() += c;
  }
  return parts;
}

}  // namespace

std::string with_bone_toggled(const std::string& expression, const std::string& bone) {
  std::vector<std::string> parts = expression.empty() ? std::vector<std::string>{} : alternatives(expression);
  const std::string name = literal(bone);
  if (std::erase(parts, name) == 0) parts.push_back(name);
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "|") + part;
  return text;
}

Result<std::vector<std::string>> matching_bones(const Model& model, const std::string& expression) {
  std::vector<std::string> names;
  if (expression.empty()) return names;
  THRONG_TRY(const std::vector<std::uint32_t> bones, socket_bones(model, expression));
  for (const std::uint32_t bone : bones) names.push_back(model.bones()[bone].name);
  return names;
}

}  // namespace throng::studio
