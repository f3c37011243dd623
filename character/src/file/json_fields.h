// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads fields of JSON objects that may be anything at all. The first field that is missing or of the wrong kind is
// remembered and every later read returns an empty value, so a caller reads what it wants and asks once, at the end,
// whether it was all there.

#include <cstdint>
#include <glm/glm.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "throng/base/result.h"
#include "throng/math/bounds.h"
#include "throng/math/transform.h"

namespace throng::detail::character {

// Parses without exceptions; refuses what is nested deeper than the format allows and objects that name a key twice.
Result<nlohmann::json> parse_json(std::string_view text);

class JsonFields {
 public:
  // `where` is what messages call the root object.
  JsonFields(const nlohmann::json& root, std::string where) : where_(std::move(where)), root_(&root) {}

  // Of the root, and of objects found below it. `object` must be one that this reader gave.
  const nlohmann::json& root() const { return *root_; }
  const nlohmann::json& object(const nlohmann::json& parent, const char* key);
  const nlohmann::json& array(const nlohmann::json& parent, const char* key);
  // The element of an array, for index numbers read from the file.
  const nlohmann::json& element(const nlohmann::json& parent, const char* key, std::uint32_t index);

  std::uint32_t u32(const nlohmann::json& parent, const char* key);
  std::uint64_t u64(const nlohmann::json& parent, const char* key);
  double number(const nlohmann::json& parent, const char* key);
  bool boolean(const nlohmann::json& parent, const char* key);
  std::string text(const nlohmann::json& parent, const char* key);
  glm::dvec3 vec3(const nlohmann::json& parent, const char* key);
  glm::dvec4 vec4(const nlohmann::json& parent, const char* key);
  Bounds bounds(const nlohmann::json& parent, const char* key);
  // An array of arrays of four numbers.
  std::vector<glm::dvec4> vec4_rows(const nlohmann::json& parent, const char* key);

  // `fallback`, or nothing, when there is no such field; a field of the wrong kind is an error all the same.
  std::uint32_t u32_or(const nlohmann::json& parent, const char* key, std::uint32_t fallback);
  std::optional<std::uint32_t> u32_if(const nlohmann::json& parent, const char* key);
  bool boolean_or(const nlohmann::json& parent, const char* key, bool fallback);
  std::string text_or(const nlohmann::json& parent, const char* key, std::string fallback);
  static bool has(const nlohmann::json& parent, const char* key) { return parent.is_object() && parent.contains(key); }

  bool ok() const { return !error_; }
  // The first error, or nothing.
  Result<void> result() const;
  // Remembers an error of the caller's own, unless there was one before.
  void refuse(std::string message);

 private:
  const nlohmann::json* find(const nlohmann::json& parent, const char* key, const char* kind);
  template <int N>
  glm::dvec4 components(const nlohmann::json& values, const char* key);

  std::string where_;
  const nlohmann::json* root_;
  std::optional<Error> error_;
};

}  // namespace throng::detail::character
