// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "throng/base/destination.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

using namespace throng;

namespace {

constexpr std::string_view kStandardOutput = "-";

bool is_stream(const std::string& name) {
  const auto there = find_destination(name);
  return there && there->is_stream;
}

}  // namespace

std::string wrong_ending(const std::string& name, std::span<const std::string_view> endings) {
  const auto has = [&name](std::string_view ending) {
    return name.size() > ending.size() && lower(name).ends_with(ending);
  };
  if (name == kStandardOutput || std::ranges::any_of(endings, has) || is_stream(name)) return "";
  // Output::find() says so, and better.
  if (std::error_code ignored; std::filesystem::is_directory(name, ignored)) return "";
  std::string list;
  for (std::size_t i = 0; i < endings.size(); ++i)
    list += fmt::format("{}{}", i == 0 ? "" : i + 1 == endings.size() ? " or " : ", ", endings[i]);
  if (name.empty()) return fmt::format("'' names no file; give it a name that ends in {}", list);
  return fmt::format("'{}' must end in {}", name, list);
}

Result<Output> Output::find(const std::string& name, Content content, const std::string& first) {
  Output output;
  output.name_ = name;
  output.is_standard_output_ = name == kStandardOutput;
  THRONG_TRY(const Destination there, find_destination(first.empty() ? output.path() : std::filesystem::path(first)));
  output.is_standard_output_ |= there.descriptor == STDOUT_FILENO;
  output.is_stream_ = there.is_stream;
  output.replaces_ = there.exists;
  if (content == Content::binary && output.is_standard_output_ && ::isatty(STDOUT_FILENO) == 1) {
    return fail("{}: standard output is a terminal; send it to a file or a program, as in {} > FILE", name, name);
  }
  return output;
}

std::string replacing(const Output& output) { return output.replaces() ? ", replacing what was there" : ""; }
