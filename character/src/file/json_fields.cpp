// SPDX-License-Identifier: Apache-2.0
#include "file/json_fields.h"

#include <cmath>
#include <limits>

namespace throng::detail::character {
namespace {

const Json kNothing;

}  // namespace

void JsonFields::refuse(std::string message) {
  if (!error_) error_ = Error{fmt::format("{}: {}", where_, message)};
}

Result<void> JsonFields::result() const {
  if (error_) return fail(*error_);
  return {};
}

const Json* JsonFields::find(const Json& parent, const char* key, const char* kind) {
  if (error_) return nullptr;
  if (const Json* const found = parent.find(key)) return found;
  refuse(fmt::format("'{}' ({}) is missing", key, kind));
  return nullptr;
}

const Json& JsonFields::object(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "an object");
  if (found != nullptr && found->is_object()) return *found;
  refuse(fmt::format("'{}' is not an object", key));
  return kNothing;
}

std::span<const Json> JsonFields::array(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "an array");
  if (found != nullptr && found->is_array()) return found->elements();
  refuse(fmt::format("'{}' is not an array", key));
  return {};
}

const Json& JsonFields::element(const Json& parent, const char* key, std::uint32_t index) {
  const std::span<const Json> elements = array(parent, key);
  if (index < elements.size() && elements[index].is_object()) return elements[index];
  refuse(fmt::format("'{}' has no object {}; there are {} elements", key, index, elements.size()));
  return kNothing;
}

std::uint32_t JsonFields::u32(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "a whole number");
  if (found != nullptr && found->is_whole()) {
    const auto value = found->whole();
    if (value <= std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(value);
  }
  refuse(fmt::format("'{}' is not a whole number from 0 to {}", key, std::numeric_limits<std::uint32_t>::max()));
  return 0;
}

std::uint64_t JsonFields::u64(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "a whole number");
  if (found != nullptr && found->is_whole()) return found->whole();
  refuse(fmt::format("'{}' is not a whole number", key));
  return 0;
}

double JsonFields::number(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "a number");
  if (found != nullptr && found->is_number() && std::isfinite(found->number())) return found->number();
  refuse(fmt::format("'{}' is not a number", key));
  return 0.0;
}

bool JsonFields::boolean(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "true or false");
  if (found != nullptr && found->is_boolean()) return found->boolean();
  refuse(fmt::format("'{}' is neither true nor false", key));
  return false;
}

std::string JsonFields::text(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "a text");
  if (found != nullptr && found->is_text()) return found->text();
  refuse(fmt::format("'{}' is not a text", key));
  return {};
}

template <int N>
glm::dvec4 JsonFields::components(std::span<const Json> values, const char* key) {
  glm::dvec4 out(0.0);
  if (values.size() != N) {
    refuse(fmt::format("'{}' is not an array of {} numbers", key, N));
    return out;
  }
  for (int i = 0; i < N; ++i) {
    const Json& value = values[static_cast<std::size_t>(i)];
    if (!value.is_number() || !std::isfinite(value.number())) {
      refuse(fmt::format("'{}' is not an array of {} numbers", key, N));
      return glm::dvec4(0.0);
    }
    out[i] = value.number();
  }
  return out;
}

glm::dvec3 JsonFields::vec3(const Json& parent, const char* key) {
  return glm::dvec3(components<3>(array(parent, key), key));
}

glm::dvec4 JsonFields::vec4(const Json& parent, const char* key) { return components<4>(array(parent, key), key); }

std::vector<glm::dvec4> JsonFields::vec4_rows(const Json& parent, const char* key) {
  std::vector<glm::dvec4> rows;
  for (const Json& row : array(parent, key)) {
    rows.push_back(components<4>(row.elements(), key));
    if (!ok()) break;
  }
  return rows;
}

Bounds JsonFields::bounds(const Json& parent, const char* key) {
  const Json& box = object(parent, key);
  Bounds out;
  out.min = vec3(box, "min");
  out.max = vec3(box, "max");
  return out;
}

std::uint32_t JsonFields::u32_or(const Json& parent, const char* key, std::uint32_t fallback) {
  return has(parent, key) ? u32(parent, key) : fallback;
}

std::optional<std::uint32_t> JsonFields::u32_if(const Json& parent, const char* key) {
  if (!has(parent, key)) return std::nullopt;
  return u32(parent, key);
}

bool JsonFields::boolean_or(const Json& parent, const char* key, bool fallback) {
  return has(parent, key) ? boolean(parent, key) : fallback;
}

std::string JsonFields::text_or(const Json& parent, const char* key, std::string fallback) {
  return has(parent, key) ? text(parent, key) : std::move(fallback);
}

}  // namespace throng::detail::character
