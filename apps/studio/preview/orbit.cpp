// SPDX-License-Identifier: Apache-2.0
#include "preview/orbit.h"

#include <algorithm>
#include <cmath>

namespace throng::studio {
namespace {

constexpr double kTurn = 240.0;  // degrees a drag over the picture's whole height turns by
constexpr double kLowest = -2.0, kHighest = 88.0;
constexpr double kNearest = 0.05, kFarthest = 6.0;
constexpr double kNotch = 0.88;
constexpr double kFov = 30.0;

double wrapped(double seconds, double length) {
  const double rest = std::fmod(seconds, length);
  return rest < 0.0 ? rest + length : rest;
}

}  // namespace

void Orbit::turn(const glm::dvec2& by) {
  yaw_degrees = std::remainder(yaw_degrees - kTurn * by.x, 360.0);
  pitch_degrees = std::clamp(pitch_degrees + kTurn * by.y, kLowest, kHighest);
}

void Orbit::shift(const glm::dvec2& by) { pan += glm::dvec2(-by.x, by.y); }

void Orbit::approach(double notches) { zoom = std::clamp(zoom * std::pow(kNotch, notches), kNearest, kFarthest); }

Camera Orbit::camera(const Bounds& bounds, double aspect) const {
  Camera camera = frame_bounds(bounds, aspect, yaw_degrees, pitch_degrees, kFov);
  const glm::dvec3 away = (camera.eye - camera.target) * zoom;
  const glm::dvec3 right = glm::normalize(glm::cross(glm::dvec3(0.0, 1.0, 0.0), away));
  const glm::dvec3 up = glm::normalize(glm::cross(away, right));
  const double height = 2.0 * glm::length(away) * std::tan(glm::radians(kFov) / 2.0);
  camera.target += (right * pan.x + up * pan.y) * height;
  camera.eye = camera.target + away;
  return camera;
}

std::optional<glm::dvec2> projected(const Camera& camera, double aspect, const glm::dvec3& point) {
  const glm::dvec3 ahead = glm::normalize(camera.target - camera.eye);
  const glm::dvec3 right = glm::normalize(glm::cross(ahead, glm::dvec3(0.0, 1.0, 0.0)));
  const glm::dvec3 up = glm::cross(right, ahead);
  const glm::dvec3 seen = point - camera.eye;
  const double depth = glm::dot(seen, ahead);
  if (!(depth > 0.0)) return std::nullopt;
  const double half = std::tan(glm::radians(camera.vertical_fov_degrees) / 2.0) * depth;
  return glm::dvec2(0.5 + 0.5 * glm::dot(seen, right) / (half * aspect), 0.5 - 0.5 * glm::dot(seen, up) / half);
}

void PreviewClock::advance(double dt, double length) {
  if (!playing) return;
  seconds += dt * speed;
  if (length > 0.0) seconds = wrapped(seconds, length);
}

void PreviewClock::step(int frames, double rate, double length) {
  playing = false;
  if (rate <= 0.0 || length <= 0.0) return;
  // A hair towards the frame asked for, so that standing on one never counts as being just before or after it.
  constexpr double kHair = 1e-6;
  const double at = seconds * rate;
  const double frame = frames > 0 ? std::floor(at + kHair) + frames : std::ceil(at - kHair) + frames;
  seconds = wrapped(frame / rate, length);
}

}  // namespace throng::studio
