// SPDX-License-Identifier: Apache-2.0
#pragma once
// Animation curves as FBX has them: keys of one number over time, joined by steps, lines or Bézier segments.

#include <cstdint>
#include <limits>
#include <vector>

namespace throng::detail::fbx {

enum class Segment : std::uint8_t {
  constant,       // the key's value up to the next key
  constant_next,  // the next key's value from right behind the key
  linear,
  cubic,
};

inline constexpr double kUsualWeight = 1.0 / 3.0;

// A key, and the way from it to the next one. A cubic's handles reach `weight` of the way's time out from its ends.
struct Key {
  double time = 0.0;  // seconds
  double value = 0.0;
  Segment segment = Segment::linear;
  double slope = 0.0;       // at this key, per second
  double next_slope = 0.0;  // at the next
  double weight = kUsualWeight;
  double next_weight = kUsualWeight;
};

// What a curve does before its first key and behind its last.
enum class Beyond : std::uint8_t {
  held,
  repeated,
  mirrored,             // every other time backwards
  repeated_from_there,  // beginning where the time before ended
  straight_on,          // along the slope at the end
};

struct Extrapolation {
  Beyond how = Beyond::held;
  double times = std::numeric_limits<double>::infinity();  // of repetitions; held behind the last
};

struct KeyCurve {
  std::vector<Key> keys;  // times strictly increase
  Extrapolation before = {};
  Extrapolation after = {};

  bool goes_on() const { return before.how != Beyond::held || after.how != Beyond::held; }
  bool empty() const { return keys.empty(); }
};

// Held at both ends: what lies beyond is for unrolled(). The curve must not be empty.
double value_at(const KeyCurve& curve, double time);

}  // namespace throng::detail::fbx
