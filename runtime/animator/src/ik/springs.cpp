// SPDX-License-Identifier: Apache-2.0
#include "throng/animator/springs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ik/corrections.h"

namespace throng {

using namespace detail::animator;

namespace {

constexpr double kLongestCall = 1.0;  // seconds
// Collisions are resolved this often, so that a point between two colliders leaves both.
constexpr int kCollisionPasses = 2;

glm::vec3 moved(const glm::mat4& m, const glm::vec3& p) { return {m * glm::vec4(p, 1.0f)}; }

glm::vec3 nearest_on(const glm::vec3& from, const glm::vec3& to, const glm::vec3& p) {
  const glm::vec3 way = to - from;
  const float square = glm::dot(way, way);
  if (!(square > 0.0f)) return from;
  return from + way * glm::clamp(glm::dot(p - from, way) / square, 0.0f, 1.0f);
}

// Where the points are between the last two steps, and how their segments deviate from the pose of that time.
struct Between {
  float t;
  template <class Point>
  glm::vec3 at(const Point& p) const {
    return glm::mix(p.at_before, p.at, t);
  }
  template <class Point>
  glm::vec3 driven(const Point& p) const {
    return glm::mix(p.driven_before, p.driven, t);
  }
};

}  // namespace

Springs::Springs(std::shared_ptr<const SpringSetup> setup)
    : setup_(std::move(setup)), points_(setup_->point_count()), balls_(setup_->settings().colliders.size()) {}

bool Springs::read_pose(const PoseEdit& pose, const glm::mat4& world_from_model) {
  bool finite = true;
  std::size_t next = 0;
  const auto add = [&](const glm::vec3& in_model) {
    const glm::vec3 at = moved(world_from_model, in_model);
    finite = finite && is_finite(at);
    points_[next].animated_before = points_[next].animated;
    points_[next++].animated = at;
  };
  const SpringSettings& settings = setup_->settings();
  for (std::size_t i = 0; i < settings.chains.size(); ++i) {
    for (const std::uint32_t bone : settings.chains[i].bones) add(position_of(pose.models[bone]));
    add(transform_point(pose.models[settings.chains[i].bones.back()], setup_->tips()[i]));
  }
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    const SpringCollider& c = settings.colliders[i];
    balls_[i].from_before = balls_[i].from;
    balls_[i].to_before = balls_[i].to;
    balls_[i].from = moved(world_from_model, transform_point(pose.models[c.bone], c.from));
    balls_[i].to = moved(world_from_model, transform_point(pose.models[c.bone], c.to));
    finite = finite && is_finite(balls_[i].from) && is_finite(balls_[i].to);
  }
  return finite;
}

void Springs::start() {
  for (Point& p : points_) {
    p.animated_before = p.driven_before = p.driven = p.at_before = p.at = p.animated;
    p.velocity = glm::vec3(0.0f);
  }
  for (Ball& b : balls_) {
    b.from_before = b.from;
    b.to_before = b.to;
  }
  spare_ = 0.0;
  started_ = true;
}

bool Springs::jumped(const glm::mat4& world_from_model) const {
  const SpringSettings& s = setup_->settings();
  if (!(s.teleport_distance > 0.0f)) return false;
  if (glm::distance(glm::vec3(world_from_model[3]), glm::vec3(world_from_model_[3])) > s.teleport_distance) return true;
  const glm::quat now = carrying_rotation(to_affine(world_from_model)),
                  before = carrying_rotation(to_affine(world_from_model_));
  return angle_of(now * glm::conjugate(before)) > s.teleport_angle;
}

// Moves all as one rigid piece to where the character is now.
void Springs::carry(const glm::mat4& world_from_model) {
  const glm::mat4 now_from_before = world_from_model * glm::inverse(world_from_model_);
  for (Point& p : points_) {
    for (glm::vec3* at : {&p.animated, &p.driven_before, &p.driven, &p.at_before, &p.at})
      *at = moved(now_from_before, *at);
    p.velocity = glm::mat3(now_from_before) * p.velocity;
  }
  for (Ball& b : balls_) {
    b.from = moved(now_from_before, b.from);
    b.to = moved(now_from_before, b.to);
  }
}

glm::vec3 Springs::push_out(glm::vec3 at, float radius, float now) const {
  for (int pass = 0; pass < kCollisionPasses; ++pass) {
    for (std::size_t i = 0; i < balls_.size(); ++i) {
      const Ball& b = balls_[i];
      const glm::vec3 core = nearest_on(glm::mix(b.from_before, b.from, now), glm::mix(b.to_before, b.to, now), at);
      const float keep = (setup_->settings().colliders[i].radius + radius) * scale_;
      if (glm::distance(core, at) < keep) at = core + keep * unit_or(at - core, {0.0f, 1.0f, 0.0f});
    }
  }
  return at;
}

void Springs::simulate_chain(const SpringChain& chain, std::span<Point> points, float now) {
  const float h = static_cast<float>(setup_->settings().step);
  const float slow = 1.0f / (1.0f + h * chain.damping + h * h * chain.stiffness);
  const glm::vec3 pull = chain.gravity * setup_->settings().gravity;
  for (Point& p : points) {
    p.driven_before = p.driven;
    p.driven = glm::mix(p.animated_before, p.animated, now);
    p.at_before = p.at;
  }
  points[0].at = points[0].driven;
  glm::quat total = kNoRotation;
  for (std::size_t i = 1; i < points.size(); ++i) {
    Point& p = points[i];
    const Point& root = points[i - 1];
    const glm::vec3 segment = p.driven - root.driven;
    const float length = glm::length(segment);
    const glm::vec3 carried = total * unit_or(segment, {0.0f, 1.0f, 0.0f});
    const glm::vec3 glued = p.at + (1.0f - chain.inertia) * (p.driven - p.driven_before);
    // Implicit in spring and damping: stable however stiff.
    p.velocity = slow * (p.velocity + h * (chain.stiffness * (root.at + length * carried - glued) + pull));
    glm::vec3 way = unit_or(glued + h * p.velocity - root.at, carried);
    way = within_cone(way, carried, chain.limit);
    if (!balls_.empty()) way = unit_or(push_out(root.at + length * way, chain.radius, now) - root.at, way);
    p.at = root.at + length * way;
    p.velocity = (p.at - glued) / h;
    total = glm::normalize(shortest_arc(carried, way) * total);
  }
}

std::uint32_t Springs::simulate(double dt) {
  const double h = setup_->settings().step;
  std::uint32_t steps = 0;
  // Steps end within this call; the first may have begun in the last.
  for (double end = h - spare_; end <= dt; end += h, ++steps) {
    const float now = dt > 0.0 ? static_cast<float>(end / dt) : 1.0f;
    std::size_t first = 0;
    for (const SpringChain& chain : setup_->settings().chains) {
      const std::size_t count = chain.bones.size() + 1;
      simulate_chain(chain, std::span(points_).subspan(first, count), now);
      first += count;
    }
  }
  spare_ = std::clamp(spare_ + dt - static_cast<double>(steps) * h, 0.0, h);
  return steps;
}

void Springs::turn_chain(const SpringChain& chain, std::span<const Point> points, const PoseEdit& pose,
                         const glm::mat3& model_from_world, float weight) const {
  const Between between{static_cast<float>(spare_ / setup_->settings().step)};
  std::array<Correction, kMaxChainBones> corrections{};
  glm::quat total = kNoRotation;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    corrections[i].bone = chain.bones[i];
    const auto in_model = [&](const glm::vec3& from, const glm::vec3& to) {
      return unit_or(model_from_world * (to - from), glm::vec3(0.0f));
    };
    const glm::vec3 driven = in_model(between.driven(points[i]), between.driven(points[i + 1]));
    const glm::vec3 at = in_model(between.at(points[i]), between.at(points[i + 1]));
    const glm::vec3 animated = in_model(points[i].animated, points[i + 1].animated);
    if (driven == glm::vec3(0.0f) || at == glm::vec3(0.0f) || animated == glm::vec3(0.0f)) continue;
    // What the simulation, a moment behind, deviates from its own pose, the pose of now deviates too.
    const glm::vec3 way = unit_or(shortest_arc(driven, at) * animated, animated);
    const glm::vec3 carried = unit_or(total * animated, animated);
    const glm::quat next = glm::normalize(shortest_arc(carried, way) * total);
    corrections[i].by = glm::normalize(glm::conjugate(total) * next);
    total = next;
  }
  apply_corrections(pose, {corrections.data(), points.size() - 1}, weight);
}

SpringReport Springs::step(const PoseEdit& pose, const glm::mat4& world_from_model, double dt, float weight) {
  if (!pose.fits() || &pose.rig != &setup_->rig()) return {.fault = IkFault::spans};
  if (!is_finite(world_from_model) || !is_finite(weight)) return {.fault = IkFault::not_finite};
  const float volume = std::abs(glm::determinant(glm::mat3(world_from_model)));
  if (!(volume > 1e-30f)) return {.fault = IkFault::no_length};
  scale_ = std::cbrt(volume);

  SpringReport report;
  report.teleported = started_ && jumped(world_from_model);
  if (report.teleported) carry(world_from_model);
  if (!read_pose(pose, world_from_model)) {
    reset();
    return {.fault = IkFault::not_finite};
  }
  if (!started_) start();
  world_from_model_ = world_from_model;
  report.steps = simulate(dt > 0.0 ? std::min(dt, kLongestCall) : 0.0);

  const glm::mat3 model_from_world = glm::inverse(glm::mat3(world_from_model));
  std::size_t first = 0;
  for (const SpringChain& chain : setup_->settings().chains) {
    const std::size_t count = chain.bones.size() + 1;
    turn_chain(chain, std::span(points_).subspan(first, count), pose, model_from_world, std::clamp(weight, 0.0f, 1.0f));
    first += count;
  }
  return report;
}

}  // namespace throng
