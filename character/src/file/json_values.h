// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values as the extension's JSON writes them.

#include <vector>

#include "file/json_text.h"
#include "throng/character/character.h"

namespace throng::detail::character {

template <class Vector>
JsonArray vec3_json(const Vector& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

template <class Vector>
JsonArray vec4_json(const Vector& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z), static_cast<double>(v.w)};
}

inline JsonObject bounds_json(const Bounds& bounds) {
  return {{"min", vec3_json(bounds.min)}, {"max", vec3_json(bounds.max)}};
}

inline JsonObject figures_json(const ErrorFigures& figures) {
  return {{"max", figures.max_mm},
          {"p999", figures.p999_mm},
          {"rms", figures.rms_mm},
          {"normalMaxDegrees", figures.normal_max_degrees}};
}

template <class T, class Convert>
JsonArray list_json(const std::vector<T>& values, const Convert& convert) {
  JsonArray array;
  for (const T& value : values) array.add(convert(value));
  return array;
}

}  // namespace throng::detail::character
