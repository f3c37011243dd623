#include "motion_weights.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng {
namespace {

// How much a turn counts against a change of speed: a half turn is as far as going from standing to twice the mean
// speed, thrice over. The value is that of the literature on gradient bands in polar space.
constexpr double kTurnScale = 2.0;

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

// Every pair of children spans a band in which the first one's weight falls from 1 to 0; a child has the least of its
// bands. `offset(i, j)`: from child i to child j, in the space bands are straight in, and `to(i, j)`: from i to the
// place asked for.
template <class Offset, class To>
void weigh_bands(std::size_t count, std::span<float> weights, const Offset& offset, const To& to) {
  for (std::size_t i = 0; i < count; ++i) {
    double least = 1.0;
    for (std::size_t j = 0; j < count && least > 0.0; ++j) {
      if (i == j) continue;
      const glm::dvec2 band = offset(i, j);
      const double squared = glm::dot(band, band);
      if (squared <= 1e-18) continue;
      least = std::min(least, 1.0 - glm::dot(to(i, j), band) / squared);
    }
    weights[i] = static_cast<float>(std::clamp(least, 0.0, 1.0));
  }
}

double angle_between(const glm::dvec2& a, const glm::dvec2& b) {
  if (glm::dot(a, a) <= 1e-18 || glm::dot(b, b) <= 1e-18) return 0.0;
  return std::atan2(a.x * b.y - a.y * b.x, glm::dot(a, b));
}

struct MotionWeigher {
  const Motion& motion;
  std::span<const double> parameters;
  std::span<float> leaf_weights;
  std::span<double> group_lengths;

  void weigh_children(const Tree& tree, std::span<float> weights) const {
    const auto value = [&](std::uint32_t parameter) {
      return parameter == kNone ? 0.0f : static_cast<float>(parameters[parameter]);
    };
    const glm::vec2 at(value(tree.x), value(tree.y));
    if (tree.kind == MotionKind::blend_1d) return weigh_1d(tree.children, at.x, weights);
    if (tree.kind == MotionKind::cartesian) return weigh_cartesian(tree.children, at, weights);
    if (tree.kind == MotionKind::directional) return weigh_directional(tree.children, at, weights);
    weigh_direct(tree.children, parameters, weights);
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

void weigh_cartesian(std::span<const TreeChild> children, const glm::vec2& at, std::span<float> weights) {
  const glm::dvec2 place(at);
  weigh_bands(
      children.size(), weights,
      [&](std::size_t i, std::size_t j) { return glm::dvec2(children[j].at) - glm::dvec2(children[i].at); },
      [&](std::size_t i, std::size_t) { return place - glm::dvec2(children[i].at); });
  normalise(weights, nearest(children, place));
}

void weigh_directional(std::span<const TreeChild> children, const glm::vec2& at, std::span<float> weights) {
  const glm::dvec2 place(at);
  const auto mean = [&](std::size_t i, std::size_t j) {
    return std::max(1e-12, 0.5 * (glm::length(glm::dvec2(children[i].at)) + glm::length(glm::dvec2(children[j].at))));
  };
  const auto polar = [&](std::size_t i, std::size_t j, const glm::dvec2& to) {
    const glm::dvec2 from(children[i].at);
    const glm::dvec2 other(children[j].at);
    // To and from the origin there is no turn: bands there are rings.
    const bool has_turn = glm::dot(from, from) > 1e-18 && glm::dot(other, other) > 1e-18;
    return glm::dvec2((glm::length(to) - glm::length(from)) / mean(i, j),
                      has_turn ? kTurnScale * angle_between(from, to) : 0.0);
  };
  weigh_bands(
      children.size(), weights, [&](std::size_t i, std::size_t j) { return polar(i, j, glm::dvec2(children[j].at)); },
      [&](std::size_t i, std::size_t j) { return polar(i, j, place); });
  normalise(weights, nearest(children, place));
}

void weigh_direct(std::span<const TreeChild> children, std::span<const double> parameters, std::span<float> weights) {
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::uint32_t parameter = children[i].weight_parameter;
    weights[i] = parameter == kNone ? 0.0f : static_cast<float>(std::max(0.0, parameters[parameter]));
  }
  normalise(weights, 0);
}

void weigh_motion(const Motion& motion, std::span<const double> parameters, std::span<float> leaf_weights,
                  std::span<double> group_lengths) {
  const double length = MotionWeigher{motion, parameters, leaf_weights, group_lengths}.weigh(motion.root, 1.0f);
  group_lengths[0] = length > 0.0 ? length : 1.0;
}

}  // namespace throng
