// SPDX-License-Identifier: Apache-2.0
#pragma once
// The edges of what a view shows, and characters placed so that no more than their outermost vertex is past one. Made
// from angles and lengths, not from matrices: the planes that culling takes out of a matrix are what is tested.

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <string>
#include <vector>

#include "throng/math/bounds.h"

namespace throng::test {

// A plane that bounds a view, and a point on it in the middle of what the view shows of it.
struct Edge {
  std::string name;
  glm::dvec3 inwards{0.0};  // unit length
  glm::dvec3 point{0.0};
};

struct EdgedView {
  glm::mat4 clip_from_world{1.0f};
  std::vector<Edge> edges;
};

// Along `forward`, with the world's up or, looking along that, another.
struct ViewAxes {
  glm::dvec3 right, up, forward;

  explicit ViewAxes(const glm::dvec3& along) : forward(glm::normalize(along)) {
    right = glm::normalize(glm::cross(forward, std::abs(forward.y) > 0.99 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0)));
    up = glm::cross(right, forward);
  }
};

// An eye's. Behind it nothing is seen; how far it sees has no end.
inline EdgedView eye_view(const glm::dvec3& eye, const glm::dvec3& along, double fov_degrees, double aspect) {
  constexpr double kNear = 1e-3;
  constexpr double kAway = 6.0;  // where on the sides, from the eye
  const ViewAxes axes(along);
  const double up_angle = glm::radians(fov_degrees) / 2.0;
  const double side_angle = std::atan(std::tan(up_angle) * aspect);
  EdgedView view;
  view.clip_from_world = glm::mat4(glm::perspectiveRH_ZO(2.0 * up_angle, aspect, kNear, 100.0) *
                                   glm::lookAtRH(eye, eye + axes.forward, axes.up));
  const auto side = [&](const char* name, const glm::dvec3& out, double angle) {
    const glm::dvec3 within = std::cos(angle) * axes.forward + std::sin(angle) * out;
    view.edges.push_back({name, std::sin(angle) * axes.forward - std::cos(angle) * out, eye + kAway * within});
  };
  side("left", -axes.right, side_angle);
  side("right", axes.right, side_angle);
  side("top", axes.up, up_angle);
  side("bottom", -axes.up, up_angle);
  view.edges.push_back({"front", axes.forward, eye + kNear * axes.forward});
  return view;
}

// Without perspective, as suns have it: a box.
inline EdgedView flat_view(const glm::dvec3& from, const glm::dvec3& along, const glm::dvec3& half) {
  const ViewAxes axes(along);
  EdgedView view;
  view.clip_from_world = glm::mat4(glm::orthoRH_ZO(-half.x, half.x, -half.y, half.y, 0.0, 2.0 * half.z) *
                                   glm::lookAtRH(from, from + axes.forward, axes.up));
  const glm::dvec3 middle = from + half.z * axes.forward;
  const auto side = [&](const char* name, const glm::dvec3& out, double away) {
    view.edges.push_back({name, -out, middle + away * out});
  };
  side("left", -axes.right, half.x);
  side("right", axes.right, half.x);
  side("top", axes.up, half.y);
  side("bottom", -axes.up, half.y);
  side("front", -axes.forward, half.z);
  side("back", axes.forward, half.z);
  return view;
}

// How far points reach along a direction.
inline double reach_along(const std::vector<glm::dvec3>& points, const glm::dvec3& direction) {
  double most = -1e300;
  for (const glm::dvec3& point : points) most = std::max(most, glm::dot(point, direction));
  return most;
}

inline glm::dvec3 outermost(const std::vector<glm::dvec3>& points, const glm::dvec3& direction) {
  return *std::ranges::max_element(points, {}, [&](const glm::dvec3& p) { return glm::dot(p, direction); });
}

// How far a box reaches along a direction.
inline double reach_along(const Bounds& box, const glm::dvec3& direction) {
  return glm::dot(box.centre(), direction) + glm::dot(glm::abs(direction), 0.5 * box.size());
}

// A rotation that makes one unit vector face along another, rolled about that.
inline glm::dquat facing(const glm::dvec3& from, const glm::dvec3& to, double roll) {
  const glm::dvec3 halfway = from + to;
  // Opposite ways: half a turn about anything across.
  const bool opposite = glm::dot(halfway, halfway) < 1e-12;
  const glm::dvec3 across = opposite ? ViewAxes(from).right : glm::cross(from, glm::normalize(halfway));
  const double cosine = opposite ? 0.0 : glm::dot(from, glm::normalize(halfway));
  return glm::normalize(glm::angleAxis(roll, to) * glm::dquat(cosine, across.x, across.y, across.z));
}

}  // namespace throng::test
