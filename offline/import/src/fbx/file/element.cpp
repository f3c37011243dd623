// SPDX-License-Identifier: Apache-2.0
#include "fbx/file/element.h"

#include <cmath>
#include <limits>

namespace throng::detail::fbx {
namespace {

constexpr double kWholeLimit = 9007199254740992.0;  // 2^53: beyond it a real no longer counts by ones

std::optional<std::int64_t> as_integer(double value) {
  if (!(std::abs(value) <= kWholeLimit) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::optional<std::int64_t> as_integer(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* real = std::get_if<double>(&value)) return as_integer(*real);
  return std::nullopt;
}

std::optional<double> as_real(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

const Value* value_at(const Element* element, std::size_t index) {
  return element && index < element->values.size() ? &element->values[index] : nullptr;
}

}  // namespace

const Element* Element::child(std::string_view wanted) const {
  for (const Element& element : children) {
    if (element.name == wanted) return &element;
  }
  return nullptr;
}

std::optional<std::int64_t> integer_at(const Element* element, std::size_t index) {
  const Value* value = value_at(element, index);
  return value ? as_integer(*value) : std::nullopt;
}

std::optional<double> real_at(const Element* element, std::size_t index) {
  const Value* value = value_at(element, index);
  return value ? as_real(*value) : std::nullopt;
}

const std::string* text_at(const Element* element, std::size_t index) {
  const Value* value = value_at(element, index);
  return value ? std::get_if<std::string>(value) : nullptr;
}

std::vector<double> reals_of(const Element* element) {
  const Value* first = value_at(element, 0);
  if (!first) return {};
  if (const auto* reals = std::get_if<std::vector<double>>(first)) return *reals;
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(first)) return {whole->begin(), whole->end()};
  std::vector<double> numbers;
  for (const Value& value : element->values) {
    const auto number = as_real(value);
    if (!number) break;
    numbers.push_back(*number);
  }
  return numbers;
}

std::size_t number_count(const Element* element) {
  const Value* first = value_at(element, 0);
  if (!first) return 0;
  if (const auto* reals = std::get_if<std::vector<double>>(first)) return reals->size();
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(first)) return whole->size();
  return element->values.size();
}

std::optional<std::vector<std::int64_t>> long_integers_of(const Element* element) {
  const Value* first = value_at(element, 0);
  if (!first) return std::vector<std::int64_t>{};
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(first)) return *whole;
  std::vector<std::int64_t> numbers;
  for (const double real : reals_of(element)) {
    const auto whole = as_integer(real);
    if (!whole) return std::nullopt;
    numbers.push_back(*whole);
  }
  return numbers;
}

std::optional<std::vector<std::int32_t>> integers_of(const Element* element) {
  const auto numbers = long_integers_of(element);
  if (!numbers) return std::nullopt;
  std::vector<std::int32_t> small;
  small.reserve(numbers->size());
  for (const std::int64_t number : *numbers) {
    if (number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::int32_t>::max()) {
      return std::nullopt;
    }
    small.push_back(static_cast<std::int32_t>(number));
  }
  return small;
}

}  // namespace throng::detail::fbx
