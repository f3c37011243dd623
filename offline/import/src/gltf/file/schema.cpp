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
  Walker(Json& document, Mender& mender) : document_(document), mender_(mender) {
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
      // What is kept is told of by whoever reads it.
      if (property.kept) {
        THRONG_CHECK(mender_.pass_on("{} is given without '{}'", here, property.needs));
      } else {
        THRONG_CHECK(mender_.forgive(Fault::property, "{} is given without '{}'", here, property.needs));
        owner.erase(found);
        return {};
      }
    }
    if (is_empty_list(*found, property)) {
      const std::string_view instead = property.required ? "" : "; leave it out instead";
      THRONG_CHECK(mender_.forgive(Fault::empty_list, "{} is empty{}", here, instead));
      if (!property.required) owner.erase(found);
      return {};
    }
    auto ok = check_shape(*found, property, here);
    if (ok || property.dispensable == Fault::none) return ok;
    THRONG_CHECK(mender_.forgive(property.dispensable, std::move(ok).error()));
    owner.erase(property.name);
    return {};
  }

  // Extension objects are objects and declared; any glTF object may carry them.
  Result<void> check_extensions(Json& owner, const std::string& path) {
    const auto extensions = owner.find("extensions");
    if (extensions == owner.end()) return {};
    const std::string here = path.empty() ? "extensions" : path + ".extensions";
    if (!extensions->is_object()) {
      THRONG_CHECK(mender_.forgive(Fault::property, "{} is not an object", here));
      owner.erase(extensions);
      return {};
    }
    std::vector<std::string> wrong;
    for (const auto& [name, value] : extensions->items()) {
      if (!value.is_object()) {
        THRONG_CHECK(mender_.forgive(Fault::property, "{}.{} is not an object", here, name));
        wrong.push_back(name);
      } else if (!declared_.contains(name)) {
        THRONG_CHECK(
            mender_.forgive(Fault::undeclared_extension, "{}.{} is not declared in extensionsUsed", here, name));
      }
    }
    for (const std::string& name : wrong) extensions->erase(name);
    return {};
  }

 private:
  // One that can be mended: a list that may be left out, or is known to be harmless.
  static bool is_empty_list(const Json& list, const Property& property) {
    const bool is_list = property.shape == Shape::list || property.shape == Shape::list_of_maps;
    return is_list && list.is_array() && list.empty() && (!property.required || property.may_be_empty);
  }

  Result<void> check_shape(Json& value, const Property& property, const std::string& path) {
    switch (property.shape) {
      case Shape::one:
        return check_value(value, property, path);
      case Shape::list:
        return check_list(value, property, path);
      case Shape::map:
        return check_map(value, property, path);
      case Shape::list_of_maps:
        return check_maps(value, property, path);
    }
    return {};
  }

  Result<void> check_list(Json& list, const Property& property, const std::string& path) {
    if (!list.is_array()) return fail("{} is not an array", path);
    if (list.empty()) return fail("{} is empty; leave it out instead", path);
    if (property.items != 0 && list.size() != property.items) {
      return fail("{} has {} values; it must have {}", path, list.size(), property.items);
    }
    std::set<Json> seen;
    Json kept = Json::array();
    for (std::size_t i = 0; i < list.size(); ++i) {
      THRONG_CHECK(check_value(list[i], property, fmt::format("{}[{}]", path, i)));
      if (!property.unique) continue;
      const bool is_new = seen.insert(list[i]).second;
      if (!is_new) {
        THRONG_CHECK(mender_.forgive(Fault::repeated, "{}[{}] repeats an earlier value", path, i));
      }
      if (is_new || property.kept) kept.push_back(list[i]);
    }
    if (property.unique && kept.size() != list.size()) list = std::move(kept);
    return {};
  }

  Result<void> check_map(Json& map, const Property& property, const std::string& path) {
    if (!map.is_object()) return fail("{} is not an object", path);
    if (map.empty() && property.may_be_empty) return mender_.pass_on("{} is empty", path);
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
      // A morph target that moves nothing has its place among the weights all the same.
      auto ok = list[i].is_object() && list[i].empty() ? mender_.forgive(Fault::empty_list, "{}[{}] is empty", path, i)
                                                       : check_map(list[i], property, fmt::format("{}[{}]", path, i));
      if (!ok) return ok;
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

  Result<void> check_range(const Json& value, const Property& property, const std::string& path) {
    const auto number = value.get<double>();
    if (!std::isfinite(number)) return fail("{} is not finite", path);
    if (number < property.min)
      return loosely(number, property, fail("{} is {}; it must be at least {}", path, number, property.min));
    if (number > property.max)
      return loosely(number, property, fail("{} is {}; it must be at most {}", path, number, property.max));
    return {};
  }

  Result<void> check_integer(Json& value, const Property& property, const std::string& path) {
    constexpr double kExact = 9007199254740992.0;  // 2^53: above it a double cannot tell neighbours apart
    if (value.is_number_float()) {
      const auto number = value.get<double>();
      if (std::trunc(number) == number && std::abs(number) <= kExact) value = static_cast<std::int64_t>(number);
    }
    if (!value.is_number_integer()) return fail("{} is not an integer", path);
    THRONG_CHECK(check_range(value, property, path));
    if (property.multiple_of > 1 && value.get<std::int64_t>() % property.multiple_of != 0) {
      return loosely(value.get<double>(), property,
                     fail("{} is {}, not a multiple of {}", path, value.get<std::int64_t>(), property.multiple_of));
    }
    return {};
  }

  // A number out of its range, where the table lets it stay.
  Result<void> loosely(double number, const Property& property, Result<void> refusal) {
    constexpr double kMaxInt = std::numeric_limits<std::int32_t>::max();
    if (property.loose_range == Fault::none || number < 0.0 || number > kMaxInt) return refusal;
    return mender_.forgive(property.loose_range, std::move(refusal).error());
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
      THRONG_CHECK(mender_.forgive(Fault::property, "{}.name is not a string", path));
      value.erase(name);
    }
    THRONG_CHECK(check_extensions(value, path));
    for (const Property& inner : property.object->properties) {
      THRONG_CHECK(check_property(value, inner, path));
    }
    return {};
  }

  Json& document_;
  Mender& mender_;
  std::set<std::string> declared_;
};

}  // namespace

Result<void> check_schema(Json& document, Mender& mender) {
  Walker walker(document, mender);
  THRONG_CHECK(walker.check_extensions(document, ""));
  for (const Property& property : root_schema().properties) {
    THRONG_CHECK(walker.check_property(document, property, ""));
  }
  return {};
}

}  // namespace throng::detail::gltf
