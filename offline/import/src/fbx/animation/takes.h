// SPDX-License-Identifier: Apache-2.0
#pragma once
// The takes of a file: which property of which object moves, and how. One form for all versions.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fbx/animation/curve.h"
#include "fbx/file/document.h"

namespace throng::detail::fbx {

// What of an object moves; everything else that can in FBX is nothing to a crowd.
enum class Moving : std::uint8_t { translation, rotation, scale, percent };

struct ThreeCurves {
  std::array<KeyCurve, 3> curves;                // x, y, z, or one number in the first; empty: does not move
  std::array<std::optional<double>, 3> resting;  // what a component without a curve is

  bool empty() const { return curves[0].empty() && curves[1].empty() && curves[2].empty(); }
};

enum class LayerMode : std::uint8_t { replace, add, multiply };

// A property's curves on one layer, and how they lie over those of the layers below.
struct LayerPart {
  LayerMode mode = LayerMode::replace;
  double weight = 1.0;
  ThreeCurves three;
};

using MovedProperty = std::vector<LayerPart>;

struct Take {
  std::string name;
  std::optional<double> start;  // as declared, in seconds
  std::optional<double> stop;
  std::map<std::pair<ObjectId, Moving>, MovedProperty> moved;

  const MovedProperty* find(ObjectId object, Moving what) const;
};

struct TakeTally {
  std::size_t broken_curves = 0;  // arrays that do not fit together, or values that are not finite
  std::size_t keys_out_of_order = 0;
  std::size_t extrapolated = 0;  // curves that repeat or go on beyond their keys
  std::size_t muted = 0;         // layers
  std::size_t layered = 0;       // takes of several layers
};

// Leaves out what is broken, and notes it.
std::vector<Take> read_takes(Document& document);

// The value at a time, through all layers; `otherwise` where nothing moves it.
glm::dvec3 vector_at(const MovedProperty* property, const glm::dvec3& otherwise, double time);
double number_at(const MovedProperty* property, double otherwise, double time);

}  // namespace throng::detail::fbx
