// SPDX-License-Identifier: Apache-2.0
#pragma once
// The slopes that FBX files leave to the reader: automatic tangents, and those of tension, continuity and bias.

#include "fbx/animation/curve.h"

namespace throng::detail::fbx {

enum class Tangent : std::uint8_t { user, automatic, tension_continuity_bias };

// A key as the file describes it. `right` is what belongs to this key, `next_left` to the next key's other side; they
// are slopes where that key's tangent is the user's, else how far it leans to a neighbour, in percent.
struct FileKey {
  double time = 0.0;
  double value = 0.0;
  Segment segment = Segment::linear;
  Tangent tangent = Tangent::automatic;
  bool clamp = false;             // level where a neighbour has the same value
  bool clamp_progressive = true;  // never past a neighbour's value
  bool time_independent = true;   // the slope between the neighbours, wherever the key lies between them
  double right = 0.0;             // tension
  double next_left = 0.0;         // continuity
  double bias = 0.0;
  double weight = kUsualWeight;
  double next_weight = kUsualWeight;
};

// Works out the slopes. Keys must be in order.
KeyCurve solve_tangents(const std::vector<FileKey>& keys);

}  // namespace throng::detail::fbx
