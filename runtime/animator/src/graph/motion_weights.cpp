// SPDX-License-Identifier: Apache-2.0
#include "graph/motion_weights.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng::detail::animator {
namespace {

// How much a turn counts against a change of speed: a half turn is as far as going from standing to twice the mean
// speed, thrice over. The value is that of the literature on gradient bands in polar space.
constexpr double kTurnScale = 2.0;
constexpr double kOnePlace = 1e-18;  // a squared distance below which two places are one

void normalise(std::span<float> weights, std::size_t fallback) {
  double sum = 0.0;
  for (const float weight : weights) sum += static_cast<double>(weight);
  if (!(sum > 1e-12) || !std::isfinite(sum)) {
    std::fill(weights.begin(), weights.end(), 0.0f);
    weights[fallback] = 1.0f;
    return;
  }
  for (float& weight : weights) weight = static_cast<float>(static_cast<double>(weight) / sum);
}

std::size_t nearest(std::span<const TreeChild> children, const glm::dvec2& at) {
  const auto distance = [&](const TreeChild& child) { return glm::length(glm::dvec2(child.at) - at); };
  const auto less = [&](const TreeChild& a, const TreeChild& b) { return distance(a) < distance(b); };
  return static_cast<std::size_t>(std::min_element(children.begin(), children.end(), less) - children.begin());
}

double angle_between(const glm::dvec2& a, const glm::dvec2& b) {
  if (glm::dot(a, a) <= kOnePlace || glm::dot(b, b) <= kOnePlace) return 0.0;
  return std::atan2(a.x * b.y - a.y * b.x, glm::dot(a, b));
}

struct MotionWeigher {
  const StateMotion& motion;
  std::span<const double> parameters;
  std::span<float> leaf_weights;
  std::span<double> group_lengths;

  void weigh_children(const Tree& tree, std::span<float> weights) const {
    const auto value = [&](std::uint32_t parameter) {
      return parameter == kNone ? 0.0f : static_cast<float>(parameters[parameter]);
    };
    const glm::vec2 at(value(tree.x), value(tree.y));
    if (tree.kind == MotionKind::blend_1d) return weigh_1d(tree.children, at.x, weights);
    if (tree.kind == MotionKind::direct) return weigh_direct(tree.children, parameters, weights);
    weigh_2d(tree, at, weights);
  }

  // Sets the weights of all leaves below and returns the seconds a loop of it takes; 0: it has no length.
  double weigh(const TreeChild& node, float weight) const {
    if (node.is_leaf) {
      leaf_weights[node.index] = weight;
      return motion.leaves[node.index].length;
    }
    const Tree& tree = motion.trees[node.index];
    std::array<float, kMaxChildren> weights{};
    weigh_children(tree, std::span(weights).first(tree.children.size()));
    double sum = 0.0, total = 0.0;
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
      const TreeChild& child = tree.children[i];
      const double length = weigh(child, weight * weights[i]) / std::abs(child.time_scale);
      if (child.group != kNone) {
        group_lengths[child.group] = length > 0.0 ? length : 1.0;
      } else if (length > 0.0) {
        sum += static_cast<double>(weights[i]) * length;
        total += static_cast<double>(weights[i]);
      }
    }
    return total > 0.0 ? sum / total : 0.0;
  }
};

}  // namespace

void weigh_1d(std::span<const TreeChild> children, float x, std::span<float> weights) {
  std::fill(weights.begin(), weights.end(), 0.0f);
  const auto beyond = std::upper_bound(children.begin(), children.end(), x,
                                       [](float value, const TreeChild& child) { return value < child.at.x; });
  const auto after = static_cast<std::size_t>(beyond - children.begin());
  std::size_t before = after == 0 ? 0 : after - 1;
  while (before > 0 && children[before - 1].at.x == children[before].at.x) --before;
  if (after == 0 || after == children.size()) {
    weights[before] = 1.0f;
    return;
  }
  const double low = static_cast<double>(children[before].at.x), high = static_cast<double>(children[after].at.x);
  const double share = (static_cast<double>(x) - low) / (high - low);
  weights[before] = static_cast<float>(1.0 - share);
  weights[after] = static_cast<float>(share);
}

// Every pair of children spans a band in which the first one's weight falls from 1 to 0; a child has the least of its
// bands. Element i · n + j leads from child i to child j in the space bands are straight in, over its squared length:
// the product with the way from i to a place is how far across the band the place is. Nothing: the two are at one
// place.
std::vector<glm::dvec2> make_bands(MotionKind kind, std::span<const TreeChild> children) {
  std::vector<glm::dvec2> bands;
  for (const TreeChild& one : children) {
    for (const TreeChild& other : children) {
      const glm::dvec2 from(one.at), to(other.at);
      glm::dvec2 band = to - from, scale(1.0);
      if (kind == MotionKind::directional) {
        // Lengths count by their mean. To and from the origin there is no turn: bands there are rings.
        const bool has_turn = glm::dot(from, from) > kOnePlace && glm::dot(to, to) > kOnePlace;
        scale = {1.0 / std::max(1e-12, 0.5 * (glm::length(from) + glm::length(to))), has_turn ? kTurnScale : 0.0};
        band = scale * glm::dvec2(glm::length(to) - glm::length(from), angle_between(from, to));
      }
      const double squared = glm::dot(band, band);
      bands.push_back(squared > kOnePlace ? scale * band / squared : glm::dvec2(0.0));
    }
  }
  return bands;
}

void weigh_2d(const Tree& tree, const glm::vec2& at, std::span<float> weights) {
  const std::size_t count = tree.children.size();
  const glm::dvec2 place(at);
  const double length = glm::length(place);
  for (std::size_t i = 0; i < count; ++i) {
    const glm::dvec2 from(tree.children[i].at);
    const glm::dvec2 way = tree.kind == MotionKind::directional
                               ? glm::dvec2(length - glm::length(from), angle_between(from, place))
                               : place - from;
    double least = 1.0;
    for (std::size_t j = 0; j < count; ++j) least = std::min(least, 1.0 - glm::dot(way, tree.bands[i * count + j]));
    weights[i] = static_cast<float>(std::max(0.0, least));
  }
  normalise(weights, nearest(tree.children, place));
}

void weigh_direct(std::span<const TreeChild> children, std::span<const double> parameters, std::span<float> weights) {
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::uint32_t parameter = children[i].weight_parameter;
    weights[i] = parameter == kNone ? 0.0f : static_cast<float>(std::max(0.0, parameters[parameter]));
  }
  normalise(weights, 0);
}

void weigh_motion(const StateMotion& motion, std::span<const double> parameters, std::span<float> leaf_weights,
                  std::span<double> group_lengths) {
  const double length = MotionWeigher{motion, parameters, leaf_weights, group_lengths}.weigh(motion.root, 1.0f);
  group_lengths[0] = length > 0.0 ? length : 1.0;
}

}  // namespace throng::detail::animator
