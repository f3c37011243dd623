// SPDX-License-Identifier: Apache-2.0
#include "file/json_fields.h"

#include <cmath>
#include <limits>
#include <set>

#include "file/format.h"

namespace throng::detail::character {
namespace {

using Json = nlohmann::json;

const Json kNothing = nullptr;

// Watches a parse go by, since the tree it leaves no longer shows either fault.
struct ParseWatch {
  std::vector<std::set<std::string>> keys;  // of the objects that are open, by depth
  bool too_deep = false;
  std::string duplicate;

  bool operator()(int depth, Json::parse_event_t event, Json& value) {
    if (depth > format::kMaxJsonDepth) too_deep = true;
    if (too_deep) return false;
    if (keys.size() < static_cast<std::size_t>(depth) + 2) keys.resize(static_cast<std::size_t>(depth) + 2);
    if (event == Json::parse_event_t::object_start) keys[static_cast<std::size_t>(depth) + 1].clear();
    if (event == Json::parse_event_t::key) {
      const auto& key = value.get_ref<const std::string&>();
      if (!keys[static_cast<std::size_t>(depth)].insert(key).second) duplicate = key;
    }
    return true;
  }
};

}  // namespace

Result<Json> parse_json(std::string_view text) {
  ParseWatch watch;
  Json json = Json::parse(
      text, [&watch](int depth, Json::parse_event_t event, Json& value) { return watch(depth, event, value); }, false);
  if (watch.too_deep) return fail("its JSON is nested deeper than {} levels", format::kMaxJsonDepth);
  if (json.is_discarded()) return fail("its JSON is not valid");
  if (!watch.duplicate.empty()) return fail("its JSON names '{}' twice in one object", watch.duplicate);
  if (!json.is_object()) return fail("its JSON is not an object");
  return json;
}

void JsonFields::refuse(std::string message) {
  if (!error_) error_ = Error{fmt::format("{}: {}", where_, message)};
}

Result<void> JsonFields::result() const {
  if (error_) return fail(*error_);
  return {};
}

const Json* JsonFields::find(const Json& parent, const char* key, const char* kind) {
  if (error_) return nullptr;
  if (has(parent, key)) return &parent.at(key);
  refuse(fmt::format("'{}' ({}) is missing", key, kind));
  return nullptr;
}

const Json& JsonFields::object(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "an object");
  if (found != nullptr && found->is_object()) return *found;
  refuse(fmt::format("'{}' is not an object", key));
  return kNothing;
}

const Json& JsonFields::array(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "an array");
  if (found != nullptr && found->is_array()) return *found;
  refuse(fmt::format("'{}' is not an array", key));
  return kNothing;
}

const Json& JsonFields::element(const Json& parent, const char* key, std::uint32_t index) {
  const Json& elements = array(parent, key);
  if (index < elements.size() && elements[index].is_object()) return elements[index];
  refuse(fmt::format("'{}' has no object {}; there are {} elements", key, index, elements.size()));
  return kNothing;
}

std::uint32_t JsonFields::u32(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "a whole number");
  if (found != nullptr && found->is_number_unsigned()) {
    const auto value = found->get<std::uint64_t>();
    if (value <= std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(value);
  }
  refuse(fmt::format("'{}' is not a whole number from 0 to {}", key, std::numeric_limits<std::uint32_t>::max()));
  return 0;
}

std::uint64_t JsonFields::u64(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "a whole number");
  if (found != nullptr && found->is_number_unsigned()) return found->get<std::uint64_t>();
  refuse(fmt::format("'{}' is not a whole number", key));
  return 0;
}

double JsonFields::number(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "a number");
  if (found != nullptr && found->is_number() && std::isfinite(found->get<double>())) return found->get<double>();
  refuse(fmt::format("'{}' is not a number", key));
  return 0.0;
}

bool JsonFields::boolean(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "true or false");
  if (found != nullptr && found->is_boolean()) return found->get<bool>();
  refuse(fmt::format("'{}' is neither true nor false", key));
  return false;
}

std::string JsonFields::text(const Json& parent, const char* key) {
  const Json* const found = find(parent, key, "a text");
  if (found != nullptr && found->is_string()) return found->get<std::string>();
  refuse(fmt::format("'{}' is not a text", key));
  return {};
}

template <int N>
glm::dvec4 JsonFields::components(const Json& values, const char* key) {
  glm::dvec4 out(0.0);
  if (!values.is_array() || values.size() != N) {
    refuse(fmt::format("'{}' is not an array of {} numbers", key, N));
    return out;
  }
  for (int i = 0; i < N; ++i) {
    const Json& value = values[static_cast<std::size_t>(i)];
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      refuse(fmt::format("'{}' is not an array of {} numbers", key, N));
      return glm::dvec4(0.0);
    }
    out[i] = value.get<double>();
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
    rows.push_back(components<4>(row, key));
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
