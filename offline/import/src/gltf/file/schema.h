// SPDX-License-Identifier: Apache-2.0
#pragma once
// The shape of a glTF document as tables: which properties an object has, of what type, in what range, naming what. One
// walker checks a document against them, so that everything behind it may trust types, required properties and indices.

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/result.h"

namespace throng::detail::gltf {

enum class Kind : std::uint8_t { boolean, integer, number, string, object, index };

// How values of a kind are arranged under a property. Lists and maps are never empty.
enum class Shape : std::uint8_t { one, list, map, list_of_maps };

struct Schema;

struct Property {
  std::string_view name;
  Kind kind = Kind::object;
  Shape shape = Shape::one;
  bool required = false;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::size_t items = 0;  // of a list: exactly so many; 0: any number
  bool unique = false;    // of a list: no value twice
  unsigned multiple_of = 1;
  const Schema* object = nullptr;    // of objects: what they look like
  std::string_view collection = {};  // of indices: the top-level array they point into
  std::string_view needs = {};       // a property that must be there when this one is
};

struct Schema {
  std::span<const Property> properties;
};

// Checks the whole document. Integers written as 4.0 become 4, so that readers behind this need not care.
Result<void> check_schema(nlohmann::json& document);

}  // namespace throng::detail::gltf
