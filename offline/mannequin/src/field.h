// SPDX-License-Identifier: Apache-2.0
#pragma once
// Distance functions the mannequin is modelled with: lofts, cones and ellipsoids that melt into each other.

#include <glm/glm.hpp>
#include <vector>

namespace throng::detail::mannequin {

// The smaller of two distances, rounded where they are nearer than `k` to each other.
double smooth_min(double a, double b, double k);
double smooth_max(double a, double b, double k);

double cone_distance(const glm::dvec3& p, const glm::dvec3& a, const glm::dvec3& b, double radius_a, double radius_b);
double ellipsoid_distance(const glm::dvec3& p, const glm::dvec3& centre, const glm::dvec3& radii);

// A body with an elliptic cross-section at each place along an axis. Front and back may differ, so a calf or a chest
// needs no further primitive.
class Loft {
 public:
  struct Section {
    double at;     // along the axis, metres
    double width;  // half, to either side
    double front;  // depth towards `forward`
    double back;
  };
  Loft(const glm::dvec3& origin, const glm::dvec3& axis, const glm::dvec3& forward, std::vector<Section> sections);
  double distance(const glm::dvec3& p) const;

 private:
  Section at(double t) const;
  glm::dvec3 origin_, axis_, side_, forward_;
  std::vector<Section> sections_;
};

}  // namespace throng::detail::mannequin
