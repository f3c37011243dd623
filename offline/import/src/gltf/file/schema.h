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

#include "mender.h"
#include "throng/base/result.h"

namespace throng::detail::gltf {

using import::Fault;
using import::Mender;

enum class Kind : std::uint8_t { boolean, integer, number, string, object, index };

// How values of a kind are arranged under a property. Lists and maps are never empty, unless may_be_empty says so.
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
  // How faults are mended, where they are:
  Fault dispensable = Fault::none;  // a property that is wrong is left out, counted as this
  Fault loose_range = Fault::none;  // a number out of range stays, counted as this, from 0 to 2^31 - 1
  bool may_be_empty = false;        // a list or map that is required stays when it is empty
  bool kept = false;                // a value that is there twice stays, and so does a property without what it needs
};

struct Schema {
  std::span<const Property> properties;
};

// Checks the whole document. Integers written as 4.0 become 4, so that readers behind this need not care, and what is
// mended by leaving it out is taken out.
Result<void> check_schema(nlohmann::json& document, Mender& mender);

}  // namespace throng::detail::gltf
