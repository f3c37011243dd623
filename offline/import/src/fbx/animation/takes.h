// SPDX-License-Identifier: Apache-2.0
#pragma once
// The takes of a file: which property of which object moves, and how. One form for all versions.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fbx/animation/curve.h"
#include "fbx/file/document.h"
#include "import_budget.h"
#include "mender.h"

namespace throng::detail::fbx {

// What of an object moves; everything else that can in FBX is nothing to a crowd.
enum class Moving : std::uint8_t { translation, rotation, scale, percent, rotation_before, visibility };

struct ThreeCurves {
  std::array<KeyCurve, 3> curves;                // x, y, z, or one number in the first; empty: does not move
  std::array<std::optional<double>, 3> resting;  // what a component without a curve is

  // Whether there is nothing to say: no curve, and no number in the place of one.
  bool empty() const {
    for (std::size_t c = 0; c < 3; ++c) {
      if (!curves[c].empty() || resting[c]) return false;
    }
    return true;
  }
};

enum class LayerMode : std::uint8_t { replace, add, multiply };

// How much of a layer counts; shared by all that lies on it.
struct LayerWeight {
  double resting = 1.0;
  std::shared_ptr<const KeyCurve> curve = nullptr;  // in percent; none: it rests

  double at(double time) const;
};

// A property's curves on one layer, and how they lie over those of the layers below.
struct LayerPart {
  LayerMode mode = LayerMode::replace;
  LayerWeight weight = {};
  ThreeCurves three = {};
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
  std::size_t held = 0;     // curves that go on beyond their keys for a time that the take does not tell
  std::size_t muted = 0;    // layers
  std::size_t layered = 0;  // takes of several layers
};

// What reading curves needs to know, and where it counts.
struct CurveReading {
  const Document& document;
  import::Mender& mender;
  import::Budget& budget;
  TakeTally tally = {};
};

// Leaves out what is broken, and notes it.
Result<std::vector<Take>> read_takes(Document& document, import::Mender& mender, import::Budget& budget);

// The value at a time, through all layers; `otherwise` where nothing moves it.
glm::dvec3 vector_at(const MovedProperty* property, const glm::dvec3& otherwise, double time);
double number_at(const MovedProperty* property, double otherwise, double time);

}  // namespace throng::detail::fbx
