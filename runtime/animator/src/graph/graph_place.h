// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where in a draft something is, written as a JSON pointer only when an error needs it.

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "throng/base/result.h"

namespace throng::detail::animator {

// Refers to its parent: lives on the stack, or at least as long as its children.
struct Place {
  const Place* parent = nullptr;
  std::string_view key = {};
  std::optional<std::size_t> index = std::nullopt;

  Place in(std::string_view child) const { return {this, child, std::nullopt}; }
  Place at(std::string_view list, std::size_t i) const { return {this, list, i}; }

  std::string text() const {
    std::string before = parent == nullptr ? std::string() : parent->text();
    if (key.empty()) return before;
    return index ? fmt::format("{}/{}/{}", before, key, *index) : fmt::format("{}/{}", before, key);
  }
};

[[nodiscard]] inline tl::unexpected<Error> fail_at(const Place& place, Error error) {
  const std::string where = place.text();
  return fail(with_context(where.empty() ? "/" : where, std::move(error)));
}

template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail_at(const Place& place, fmt::format_string<Args...> text, Args&&... args) {
  return fail_at(place, Error{fmt::format(text, std::forward<Args>(args)...)});
}

}  // namespace throng::detail::animator
