// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an FBX file is made of, binary or ASCII, of any version: named elements with values and children.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace throng::detail::fbx {

// A bare letter (6100 keys: U, s, n) and a one-byte value are integers; raw bytes are text.
using Value = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;

struct Element {
  std::string name;
  std::vector<Value> values;
  std::vector<Element> children;

  // The first child of that name, or none.
  const Element* child(std::string_view wanted) const;
};

// What they take in memory, lists that grow by doubling and those by name included; numbers of arrays are eight bytes
// each.
inline constexpr std::size_t kBytesOfElement = 2 * sizeof(Element) + 2 * sizeof(std::string_view);
inline constexpr std::size_t kBytesOfValue = 2 * sizeof(Value);
inline constexpr std::size_t kBytesOfArrayValue = 2 * sizeof(double);

// One value of an element that may be missing altogether; nothing where it is of another kind. Numbers convert: a whole
// real is an integer.
std::optional<std::int64_t> integer_at(const Element* element, std::size_t index);
std::optional<double> real_at(const Element* element, std::size_t index);
const std::string* text_at(const Element* element, std::size_t index);

// All numbers of an element: of its array, or of its values one by one, as files before 7000 have them. Values that are
// no numbers end the list.
std::vector<double> reals_of(const Element* element);
// How many numbers that are.
std::size_t number_count(const Element* element);
// Nothing where one of them is not a whole number that fits.
std::optional<std::vector<std::int32_t>> integers_of(const Element* element);
std::optional<std::vector<std::int64_t>> long_integers_of(const Element* element);

}  // namespace throng::detail::fbx
