// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads fields of JSON objects that may be anything at all. The first field that is missing or of the wrong kind is
// remembered and every later read returns an empty value, so a caller reads what it wants and asks once, at the end,
// whether it was all there.

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "file/json.h"
#include "throng/base/result.h"
#include "throng/math/bounds.h"
#include "throng/math/transform.h"

namespace throng::detail::character {

class JsonFields {
 public:
  // `where` is what messages call the root object.
  JsonFields(const Json& root, std::string where) : where_(std::move(where)), root_(&root) {}

  // These read members of the root and of objects below it. `object` must be one that this reader gave.
  const Json& root() const { return *root_; }
  const Json& object(const Json& parent, const char* key);
  std::span<const Json> array(const Json& parent, const char* key);
  // The element of an array, for index numbers read from the file.
  const Json& element(const Json& parent, const char* key, std::uint32_t index);

  std::uint32_t u32(const Json& parent, const char* key);
  std::uint64_t u64(const Json& parent, const char* key);
  double number(const Json& parent, const char* key);
  bool boolean(const Json& parent, const char* key);
  std::string text(const Json& parent, const char* key);
  glm::dvec3 vec3(const Json& parent, const char* key);
  glm::dvec4 vec4(const Json& parent, const char* key);
  Bounds bounds(const Json& parent, const char* key);
  // An array of arrays of four numbers.
  std::vector<glm::dvec4> vec4_rows(const Json& parent, const char* key);

  // `fallback`, or nothing, when there is no such field; a field of the wrong kind is an error all the same.
  std::uint32_t u32_or(const Json& parent, const char* key, std::uint32_t fallback);
  std::optional<std::uint32_t> u32_if(const Json& parent, const char* key);
  bool boolean_or(const Json& parent, const char* key, bool fallback);
  std::string text_or(const Json& parent, const char* key, std::string fallback);
  static bool has(const Json& parent, const char* key) { return parent.find(key) != nullptr; }

  bool ok() const { return !error_; }
  // The first error, or nothing.
  Result<void> result() const;
  // Remembers an error of the caller's own, unless there was one before.
  void refuse(std::string message);

 private:
  const Json* find(const Json& parent, const char* key, const char* kind);
  template <int N>
  glm::dvec4 components(std::span<const Json> values, const char* key);

  std::string where_;
  const Json* root_;
  std::optional<Error> error_;
};

}  // namespace throng::detail::character
