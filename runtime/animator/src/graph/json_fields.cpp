// SPDX-License-Identifier: Apache-2.0
#include "graph/json_fields.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::animator {
namespace {

Result<double> read_number(const Json& value, const Place& place, double largest) {
  if (!value.is_number()) return fail_at(place, "it is {}, not a number", value.type_name());
  const double number = value.get<double>();
  if (!std::isfinite(number) || std::abs(number) > largest) return fail_at(place, "{} is too large", number);
  return number;
}

constexpr double kLargestFloat = static_cast<double>(std::numeric_limits<float>::max());

}  // namespace

Result<void> read_object(const Json& value, const Place& place, std::initializer_list<Field> fields) {
  if (!value.is_object()) return fail_at(place, "it is {}, not an object", value.type_name());
  for (const auto& item : value.items()) {
    const std::string& key = item.key();
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& known) { return known.key == key; });
    if (field == fields.end()) {
      std::vector<std::string> known;
      for (const Field& one : fields) known.emplace_back(one.key);
      return fail_at(place, "there is no '{}' here; {}", key, did_you_mean(key, known));
    }
    THRONG_CHECK(field->read(item.value(), place.in(field->key)));
  }
  return {};
}

ReadField into_list(std::function<Result<void>(const Json&, const Place&)> read) {
  return [read = std::move(read)](const Json& value, const Place& place) -> Result<void> {
    if (!value.is_array()) return fail_at(place, "it is {}, not a list", value.type_name());
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Place at{place.parent, place.key, i};
      THRONG_CHECK(read(value[i], at));
    }
    return {};
  };
}

ReadField into(std::string& text) {
  return [&text](const Json& value, const Place& place) -> Result<void> {
    if (!value.is_string()) return fail_at(place, "it is {}, not a text", value.type_name());
    text = value.get<std::string>();
    return {};
  };
}

ReadField into(bool& flag) {
  return [&flag](const Json& value, const Place& place) -> Result<void> {
    if (!value.is_boolean()) return fail_at(place, "it is {}, not true or false", value.type_name());
    flag = value.get<bool>();
    return {};
  };
}

ReadField into(std::optional<bool>& flag) {
  return [&flag](const Json& value, const Place& place) { return into(flag.emplace())(value, place); };
}

ReadField into(double& number) {
  return [&number](const Json& value, const Place& place) -> Result<void> {
    THRONG_TRY(auto read, read_number(value, place, std::numeric_limits<double>::max()));
    number = read;
    return {};
  };
}

ReadField into(float& number) {
  return [&number](const Json& value, const Place& place) -> Result<void> {
    THRONG_TRY(auto read, read_number(value, place, kLargestFloat));
    number = static_cast<float>(read);
    return {};
  };
}

ReadField into(std::optional<float>& number) {
  return [&number](const Json& value, const Place& place) { return into(number.emplace())(value, place); };
}

ReadField into(std::uint32_t& count) {
  return [&count](const Json& value, const Place& place) -> Result<void> {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
      return fail_at(place, "it is not a whole number that is 0 or more");
    }
    count = value.get<std::uint32_t>();
    return {};
  };
}

tl::unexpected<Error> not_one_of(const Json& value, const Place& place, const std::vector<std::string>& words) {
  if (!value.is_string())
    return fail_at(place, "it is {}; it can be '{}'", value.type_name(), fmt::join(words, "', '"));
  return fail_at(place, "'{}' is not known; it can be '{}'", value.get_ref<const std::string&>(),
                 fmt::join(words, "', '"));
}

}  // namespace throng::detail::animator
