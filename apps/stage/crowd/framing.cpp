// SPDX-License-Identifier: Apache-2.0
#include "crowd/framing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "throng/math/basis.h"

using namespace throng;

namespace {

constexpr double kPerson = 1.8;    // metres
constexpr double kHeadroom = 0.7;  // of what a subject leaves free of the picture's height: the rest is below it

double tangent(double degrees) { return std::tan(glm::radians(degrees)); }

// From which distances, along one axis of the picture, all of a subject is seen.
struct Slot {
  double low, high;  // what the two edges of the picture leave free, at depth 0
  double to_low, to_high;

  // The greatest depth of the eye: nearer it loses one end.
  double depth() const { return (low - high) / (to_low + to_high); }
  // Where the eye is at that depth, so much of what is left over being at the low end.
  double place(double z, double at_low) const { return glm::mix(high + to_high * z, low - to_low * z, 1.0 - at_low); }
};

}  // namespace

Camera fit_camera(std::span<const Bounds> boxes, double aspect, double yaw_degrees, double pitch_degrees,
                  double fov_degrees, const Margins& margins) {
  const double yaw = glm::radians(yaw_degrees), pitch = glm::radians(pitch_degrees);
  const glm::dvec3 away(std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch));
  const Basis basis = basis_along(-away);  // y points down
  const double half = tangent(0.5 * fov_degrees);
  const double side = half * aspect * (1.0 - 2.0 * margins.side);
  Slot across{1e300, -1e300, side, side};
  Slot down{1e300, -1e300, half * (1.0 - 2.0 * margins.top), half * (1.0 - 2.0 * margins.bottom)};
  double nearest = 1e300;
  for (const Bounds& box : boxes)
    for (const glm::dvec3& corner : corners(box)) {
      const glm::dvec3 p = in_basis(basis, corner);
      across.low = std::min(across.low, p.x + across.to_low * p.z);
      across.high = std::max(across.high, p.x - across.to_high * p.z);
      down.low = std::min(down.low, p.y + down.to_low * p.z);
      down.high = std::max(down.high, p.y - down.to_high * p.z);
      nearest = std::min(nearest, p.z);
    }
  const double z = std::min(across.depth(), down.depth());
  const glm::dvec3 eye = basis.x * across.place(z, 0.5) + basis.y * down.place(z, kHeadroom) + basis.z * z;
  return {eye, eye + basis.z * std::max(nearest - z, 1e-3), fov_degrees};
}

double seen_of_all(std::span<const Bounds> boxes, const Camera& camera, double aspect) {
  constexpr int kRows = 54;
  constexpr double kBody = 0.7;  // of a box's width
  const int columns = static_cast<int>(kRows * aspect);
  const Basis basis = basis_along(camera.target - camera.eye);
  const double half = tangent(0.5 * camera.vertical_fov_degrees);
  struct Seen {
    double distance = 1e300;
    glm::dvec2 low{1e300}, high{-1e300};  // in cells
  };
  std::vector<Seen> all;
  for (const Bounds& box : boxes) {
    Seen& seen = all.emplace_back();
    for (const glm::dvec3& corner : corners(box)) {
      const glm::dvec3 p = in_basis(basis, corner - camera.eye);
      const glm::dvec2 at = 0.5 * kRows * (glm::dvec2(p) / (std::max(p.z, 1e-6) * half) + glm::dvec2(aspect, 1.0));
      seen.low = glm::min(seen.low, at);
      seen.high = glm::max(seen.high, at);
      seen.distance = std::min(seen.distance, p.z);
    }
    const double narrower = 0.5 * (1.0 - kBody) * (seen.high.x - seen.low.x);
    seen.low.x += narrower;
    seen.high.x -= narrower;
  }
  std::ranges::sort(all, {}, &Seen::distance);
  std::vector<bool> taken(static_cast<std::size_t>(kRows * columns), false);
  double sum = 0.0;
  for (const Seen& seen : all) {
    int cells = 0;
    for (int y = std::max(0, static_cast<int>(seen.low.y)); y < std::min(kRows, static_cast<int>(seen.high.y) + 1); ++y)
      for (int x = std::max(0, static_cast<int>(seen.low.x)); x < std::min(columns, static_cast<int>(seen.high.x) + 1);
           ++x) {
        const auto cell = static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(x);
        if (taken[cell]) continue;
        taken[cell] = true;
        ++cells;
      }
    sum += std::sqrt(cells);
  }
  return sum;
}

Angle angle_for(View view, std::uint32_t count) {
  const double more = std::log2(std::max(count, 1u));  // 0 for one, 5.3 for forty
  if (view == View::above) return {20.0, 40.0, 26.0, {0.08, 0.1, 0.1}};
  if (view == View::close) return {count == 1 ? 22.0 : 10.0, 4.0, 26.0, {0.05, 0.09, 0.06}};
  return {count == 1 ? 20.0 : 12.0, 3.5 + 1.8 * more, 28.0, {0.05, 0.1, 0.08}};
}

Composition compose(View view, std::uint32_t count, double density, double aspect) {
  const double people = count;
  const double ground = people / density;  // square metres
  double fov = 24.0, sky = 0.14, height = 1.55, front = 0.0;
  double fill = 1.06;  // of what the camera sees: people stand a little beyond the picture's edges
  if (view == View::crowd) {
    // A long lens, the higher the more there are: the near ones to look at, and the way through all of them to the
    // horizon.
    height = 2.7 * std::pow(people / kEnoughToFill, 0.185);
    front = people < kEnoughForASquare ? 1.04 : 0.88;  // of where the picture begins: the first of many are cut by it
    if (people < kEnoughForASquare) fill = 0.94;
  } else if (view == View::close) {
    fov = 26.0;
    sky = 0.4;
    front = 1.0;
  }
  const double half = tangent(0.5 * fov);
  double pitch = std::atan((1.0 - 2.0 * sky) * half);
  Composition composition;
  double away = 0.0;  // of the eye from the front, over the ground
  if (view == View::above) {
    fov = 28.0;
    pitch = glm::radians(48.0);
    fill = 0.93;
    const double edge = 0.5 * glm::radians(fov) * 0.93;
    // Ground between the lower and the upper edge, from one metre up: as wide as the picture is at its distance.
    const double near = 1.0 / std::tan(pitch + edge), far = 1.0 / std::tan(pitch - edge);
    const double side = tangent(0.5 * fov) * aspect * fill;
    const auto upto = [&](double r) { return side * (r * r * std::cos(pitch) + 2.0 * r * std::sin(pitch)); };
    // The heads of the last row are in the picture too: from low down that takes ground away.
    double back = far;
    for (int round = 0; round < 30; ++round) {
      height = std::sqrt(ground / (upto(back) - upto(near)));
      back = std::max(far * (1.0 - kPerson / std::max(height, 2.0 * kPerson)), glm::mix(near, far, 0.3));
    }
    away = near * height;
  } else if (view == View::close) {
    // Four fifths of the picture are a person's height.
    away = kPerson / (2.0 * 0.8 * half);
  } else {
    away = front * height / std::tan(pitch + 0.5 * glm::radians(fov));
  }
  const double side = tangent(0.5 * fov) * aspect * fill;
  composition.region.front_half = side * (away * std::cos(pitch) + height * std::sin(pitch));
  composition.region.opening = side * std::cos(pitch);
  composition.camera.eye = {0.0, height, away};
  composition.camera.target =
      composition.camera.eye + glm::dvec3(0.0, -std::sin(pitch), -std::cos(pitch)) * (2.0 * away);
  composition.camera.vertical_fov_degrees = fov;
  // Where a head is below the picture.
  if (view == View::crowd)
    composition.near = std::max(away - (height - kPerson) / std::tan(pitch + 0.5 * glm::radians(fov)), 0.0) + 0.6;
  return composition;
}
