// SPDX-License-Identifier: Apache-2.0
#include "gltf/file/schema.h"

#include <cmath>
#include <set>

#include "gltf/file/json.h"
#include "gltf/file/schema_tables.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

using Json = nlohmann::json;

class Walker {
 public:
  explicit Walker(Json& document) : document_(document) {
    for (const Json& name : collection_of(document, "extensionsUsed")) {
      if (name.is_string()) declared_.insert(name.get<std::string>());
    }
  }

  Result<void> check_property(Json& owner, const Property& property, const std::string& path) {
    const auto found = owner.find(property.name);
    const std::string here = path.empty() ? std::string(property.name) : fmt::format("{}.{}", path, property.name);
    if (found == owner.end()) {
      if (property.required) return fail("{} is missing", here);
      return {};
    }
    if (!property.needs.empty() && !owner.contains(property.needs)) {
      return fail("{} is given without '{}'", here, property.needs);
    }
    switch (property.shape) {
      case Shape::one:
        return check_value(*found, property, here);
      case Shape::list:
        return check_list(*found, property, here);
      case Shape::map:
        return check_map(*found, property, here);
      case Shape::list_of_maps:
        return check_maps(*found, property, here);
    }
    return {};
  }

  // Extension objects are objects and declared; any glTF object may carry them.
  Result<void> check_extensions(const Json& owner, const std::string& path) {
    const auto extensions = owner.find("extensions");
    if (extensions == owner.end()) return {};
    const std::string here = path.empty() ? "extensions" : path + ".extensions";
    if (!extensions->is_object()) return fail("{} is not an object", here);
    for (const auto& [name, value] : extensions->items()) {
      if (!value.is_object()) return fail("{}.{} is not an object", here, name);
      if (!declared_.contains(name)) return fail("{}.{} is not declared in extensionsUsed", here, name);
    }
    return {};
  }

 private:
  Result<void> check_list(Json& list, const Property& property, const std::string& path) {
    if (!list.is_array()) return fail("{} is not an array", path);
    if (list.empty()) return fail("{} is empty; leave it out instead", path);
    if (property.items != 0 && list.size() != property.items) {
      return fail("{} has {} values; it must have {}", path, list.size(), property.items);
    }
    std::set<Json> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      THRONG_CHECK(check_value(list[i], property, fmt::format("{}[{}]", path, i)));
      if (property.unique && !seen.insert(list[i]).second) return fail("{}[{}] repeats an earlier value", path, i);
    }
    return {};
  }

  Result<void> check_map(Json& map, const Property& property, const std::string& path) {
    if (!map.is_object()) return fail("{} is not an object", path);
    if (map.empty()) return fail("{} is empty", path);
    for (auto& [name, value] : map.items()) {
      THRONG_CHECK(check_value(value, property, fmt::format("{}.{}", path, name)));
    }
    return {};
  }

  Result<void> check_maps(Json& list, const Property& property, const std::string& path) {
    if (!list.is_array()) return fail("{} is not an array", path);
    if (list.empty()) return fail("{} is empty; leave it out instead", path);
    for (std::size_t i = 0; i < list.size(); ++i) {
      THRONG_CHECK(check_map(list[i], property, fmt::format("{}[{}]", path, i)));
    }
    return {};
  }

  Result<void> check_value(Json& value, const Property& property, const std::string& path) {
    switch (property.kind) {
      case Kind::boolean:
        return value.is_boolean() ? Result<void>{} : fail("{} is not true or false", path);
      case Kind::string:
        return value.is_string() ? Result<void>{} : fail("{} is not a string", path);
      case Kind::number:
        return value.is_number() ? check_range(value, property, path) : fail("{} is not a number", path);
      case Kind::integer:
        return check_integer(value, property, path);
      case Kind::index:
        return check_index(value, property, path);
      case Kind::object:
        return check_object(value, property, path);
    }
    return {};
  }

  static Result<void> check_range(const Json& value, const Property& property, const std::string& path) {
    const auto number = value.get<double>();
    if (!std::isfinite(number)) return fail("{} is not finite", path);
    if (number < property.min) return fail("{} is {}; it must be at least {}", path, number, property.min);
    if (number > property.max) return fail("{} is {}; it must be at most {}", path, number, property.max);
    return {};
  }

  static Result<void> check_integer(Json& value, const Property& property, const std::string& path) {
    constexpr double kExact = 9007199254740992.0;  // 2^53: above it a double cannot tell neighbours apart
    if (value.is_number_float()) {
      const auto number = value.get<double>();
      if (std::trunc(number) == number && std::abs(number) <= kExact) value = static_cast<std::int64_t>(number);
    }
    if (!value.is_number_integer()) return fail("{} is not an integer", path);
    THRONG_CHECK(check_range(value, property, path));
    if (property.multiple_of > 1 && value.get<std::int64_t>() % property.multiple_of != 0) {
      return fail("{} is {}, not a multiple of {}", path, value.get<std::int64_t>(), property.multiple_of);
    }
    return {};
  }

  Result<void> check_index(Json& value, const Property& property, const std::string& path) {
    const Property at_least_zero{.name = "", .kind = Kind::integer, .min = 0};
    THRONG_CHECK(check_integer(value, at_least_zero, path));
    const std::size_t count = collection_of(document_, property.collection).size();
    if (value.get<std::uint64_t>() < count) return {};
    return fail("{} names {}[{}], but there are {}", path, property.collection, value.get<std::uint64_t>(), count);
  }

  Result<void> check_object(Json& value, const Property& property, const std::string& path) {
    if (!value.is_object()) return fail("{} is not an object", path);
    if (const auto name = value.find("name"); name != value.end() && !name->is_string()) {
      return fail("{}.name is not a string", path);
    }
    THRONG_CHECK(check_extensions(value, path));
    for (const Property& inner : property.object->properties) {
      THRONG_CHECK(check_property(value, inner, path));
    }
    return {};
  }

  Json& document_;
  std::set<std::string> declared_;
};

}  // namespace

Result<void> check_schema(Json& document) {
  Walker walker(document);
  THRONG_CHECK(walker.check_extensions(document, ""));
  for (const Property& property : root_schema().properties) {
    THRONG_CHECK(walker.check_property(document, property, ""));
  }
  return {};
}

}  // namespace throng::detail::gltf
