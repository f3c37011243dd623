// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values as the extension's JSON writes them.

#include <nlohmann/json.hpp>
#include <vector>

#include "throng/character/character.h"

namespace throng::detail::character {

template <class Vector>
nlohmann::ordered_json vec3_json(const Vector& v) {
  return nlohmann::ordered_json::array({static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)});
}

inline nlohmann::ordered_json quaternion_json(const glm::dquat& q) {
  return nlohmann::ordered_json::array({q.x, q.y, q.z, q.w});
}

inline nlohmann::ordered_json bounds_json(const Bounds& bounds) {
  return {{"min", vec3_json(bounds.min)}, {"max", vec3_json(bounds.max)}};
}

inline nlohmann::ordered_json figures_json(const ErrorFigures& figures) {
  return {{"max", figures.max_mm},
          {"p999", figures.p999_mm},
          {"rms", figures.rms_mm},
          {"normalMaxDegrees", figures.normal_max_degrees}};
}

template <class T, class Convert>
nlohmann::ordered_json list_json(const std::vector<T>& values, const Convert& convert) {
  auto array = nlohmann::ordered_json::array();
  for (const T& value : values) array.push_back(convert(value));
  return array;
}

}  // namespace throng::detail::character
