// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reading JSON objects field by field: every key is known or an error, every value of its type or an error, and errors
// say where.

#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph_place.h"

namespace throng::detail::animator {

using Json = nlohmann::json;
using ReadField = std::function<Result<void>(const Json& value, const Place& place)>;
struct Field {
  std::string_view key;
  ReadField read;
};

Result<void> read_object(const Json& value, const Place& place, std::initializer_list<Field> fields);
// Calls read for every element.
ReadField into_list(std::function<Result<void>(const Json& value, const Place& place)> read);

ReadField into(std::string& text);
ReadField into(bool& flag);
ReadField into(std::optional<bool>& flag);
ReadField into(double& number);
ReadField into(float& number);
ReadField into(std::optional<float>& number);
ReadField into(std::uint32_t& count);

// One of the words; the index is the value of the enumeration.
template <class Enum>
ReadField into(Enum& chosen, std::span<const std::string_view> words);

tl::unexpected<Error> not_one_of(const Json& value, const Place& place, const std::vector<std::string>& words);

template <class Enum>
ReadField into(Enum& chosen, std::span<const std::string_view> words) {
  return [&chosen, words = std::vector<std::string>(words.begin(), words.end())](const Json& value,
                                                                                 const Place& place) -> Result<void> {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (value.is_string() && value.get_ref<const std::string&>() == words[i]) {
        chosen = static_cast<Enum>(i);
        return {};
      }
    }
    return not_one_of(value, place, words);
  };
}

}  // namespace throng::detail::animator
