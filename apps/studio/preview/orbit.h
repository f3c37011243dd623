// SPDX-License-Identifier: Apache-2.0
#pragma once
// A camera that goes around what it looks at, and a clock that runs, stops and is dragged: the preview's two handles.

#include <optional>

#include "throng/scene/scene_renderer.h"

namespace throng::studio {

struct Orbit {
  double yaw_degrees = 28.0;
  double pitch_degrees = 10.0;
  double zoom = 1.0;    // distance over the one from which all is seen
  glm::dvec2 pan{0.0};  // of the target: right and up, in parts of the picture's height at its distance

  friend bool operator==(const Orbit&, const Orbit&) = default;

  // Turns by fractions of the picture's height; the picture follows the pointer. Never under the ground, never over the
  // top.
  void turn(const glm::dvec2& by);
  void shift(const glm::dvec2& by);
  // One notch of a mouse wheel is 1; up comes nearer.
  void approach(double notches);

  Camera camera(const Bounds& bounds, double aspect) const;
};

// Where a point is in a camera's picture: 0, 0 is its upper left corner, 1, 1 its lower right one. Nothing: it is
// behind the camera.
std::optional<glm::dvec2> projected(const Camera& camera, double aspect, const glm::dvec3& point);

struct PreviewClock {
  bool playing = true;
  double speed = 1.0;
  double seconds = 0.0;

  // `length`: of the clip, round which time goes; 0 for time that has no end.
  void advance(double dt, double length);
  // Goes to the next (or an earlier) frame of a clip, and stops there.
  void step(int frames, double rate, double length);
};

}  // namespace throng::studio
