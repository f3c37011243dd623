// SPDX-License-Identifier: Apache-2.0
#pragma once
// A JSON document as it was read: immutable, and made for files that may be anything at all. Parsing takes time and
// memory in proportion to the text, whatever it holds; a value takes 16 bytes; freeing a document allocates nothing, so
// it can be freed when memory has run out.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "throng/base/result.h"

namespace throng::detail::character {

class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;  // sorted by key, each key once

  Json() = default;  // null
  Json(Json&&) noexcept;
  Json& operator=(Json&&) noexcept;
  ~Json();

  bool is_boolean() const { return std::holds_alternative<bool>(value_); }
  bool is_whole() const { return std::holds_alternative<std::uint64_t>(value_); }  // written without sign and fraction
  bool is_number() const { return is_whole() || std::holds_alternative<double>(value_); }
  bool is_text() const { return std::holds_alternative<std::unique_ptr<std::string>>(value_); }
  bool is_array() const { return std::holds_alternative<std::unique_ptr<Array>>(value_); }
  bool is_object() const { return std::holds_alternative<std::unique_ptr<Object>>(value_); }

  // The value, which must be of that kind.
  bool boolean() const { return std::get<bool>(value_); }
  std::uint64_t whole() const { return std::get<std::uint64_t>(value_); }
  double number() const;
  const std::string& text() const { return *std::get<std::unique_ptr<std::string>>(value_); }

  // The elements of an array; empty for any other value.
  std::span<const Json> elements() const;
  // The member of that name; null if there is none or this is no object.
  const Json* find(std::string_view key) const;

 private:
  friend class JsonBuilder;
  using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::unique_ptr<std::string>,
                             std::unique_ptr<Array>, std::unique_ptr<Object>>;
  explicit Json(Value value);

  Value value_;
};

struct Json::Member {
  std::string key;
  Json value;
};

// Refuses what is not an object, is nested deeper than the format allows, or names a key twice in one object.
Result<Json> parse_json(std::string_view text);

}  // namespace throng::detail::character
