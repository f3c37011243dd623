// SPDX-License-Identifier: Apache-2.0
#include "levels/pose_choice.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "vertices/vertex_skinner.h"

namespace throng::detail::bake {
namespace {

constexpr double kTimesPerSecond = 30.0;
constexpr std::size_t kMostCandidates = 8192;
constexpr std::size_t kMostBones = 192;        // of which vertices are followed
constexpr std::size_t kMostTargets = 64;       // morph targets, the same
constexpr std::size_t kChancePairs = 64;       // of any two vertices that are followed
constexpr double kOneScale = 1e-3;             // scales and weights that change by less stay as they are
constexpr std::size_t kCandidatesAtOnce = 64;  // one piece of work

// Some vertices, and pairs of them: how far apart those are does not change where a pose only goes or turns elsewhere.
struct Probes {
  BakedMesh mesh;  // origins and their surfaces alone
  std::vector<std::array<std::uint32_t, 2>> pairs;
};

class ProbeChoice {
 public:
  ProbeChoice(const Model& model, const BakedMesh& mesh) : model_(model), mesh_(mesh) {}

  Probes made() {
    pair_on_bones();
    pair_on_targets();
    pair_by_chance();
    // In the order of the mesh, so that vertices of one source lie together.
    std::map<std::uint32_t, std::uint32_t> number;
    for (const auto& pair : pairs_) {
      for (const std::uint32_t v : pair) number.emplace(v, 0);
    }
    Probes out;
    out.mesh.surfaces = mesh_.surfaces;
    for (auto& [vertex, n] : number) {
      n = static_cast<std::uint32_t>(out.mesh.origins.size());
      out.mesh.origins.push_back(mesh_.origins[vertex]);
    }
    for (const auto& pair : pairs_) out.pairs.push_back({number.at(pair[0]), number.at(pair[1])});
    return out;
  }

 private:
  struct OfBone {
    std::uint32_t vertex = 0, other = 0;
    float weight = 0.0f;
    double apart = -1.0;
  };

  // Pairs, for every bone, the vertex that follows it most with the one furthest from that; then one bone's with the
  // next one's.
  void pair_on_bones() {
    std::map<std::uint32_t, OfBone> bones;
    each_influence([&](std::uint32_t v, std::uint32_t bone, float weight) {
      OfBone& most = bones[bone];
      if (weight > most.weight) most = {v, v, weight, -1.0};
    });
    each_influence([&](std::uint32_t v, std::uint32_t bone, float weight) {
      OfBone& most = bones[bone];
      if (weight < 0.5f * most.weight || mesh_.origins[v].mesh != mesh_.origins[most.vertex].mesh) return;
      const double apart = glm::distance(mesh_.origins[v].position, mesh_.origins[most.vertex].position);
      if (apart <= most.apart) return;
      most.other = v;
      most.apart = apart;
    });
    const std::size_t step = 1 + bones.size() / kMostBones;
    std::size_t number = 0;
    std::uint32_t before = 0;
    for (const auto& [bone, most] : bones) {
      if (number++ % step != 0) continue;
      pairs_.push_back({most.vertex, most.other});
      if (number > 1) pairs_.push_back({before, most.vertex});
      before = most.vertex;
    }
  }

  // Pairs, for every morph target, the vertex that it moves most with any others.
  void pair_on_targets() {
    std::size_t targets = 0;
    std::mt19937 random(1);
    for (std::size_t first = 0, end = 0; first < mesh_.origins.size(); first = end) {
      const std::uint32_t source = mesh_.origins[first].mesh;
      while (end < mesh_.origins.size() && mesh_.origins[end].mesh == source) ++end;
      for (const MorphTarget& target : model_.meshes()[source].morph_targets) {
        if (++targets > kMostTargets) return;
        std::size_t most = first;
        const auto moved = [&](std::size_t v) { return glm::length(target.positions[mesh_.origins[v].vertex]); };
        for (std::size_t v = first; v < end && !target.positions.empty(); ++v) {
          if (moved(v) > moved(most)) most = v;
        }
        for (int i = 0; i < 3; ++i) {
          pairs_.push_back(
              {static_cast<std::uint32_t>(most), static_cast<std::uint32_t>(first + random() % (end - first))});
        }
      }
    }
  }

  void pair_by_chance() {
    std::mt19937 random(2);
    const auto any = [&] { return static_cast<std::uint32_t>(random() % mesh_.origins.size()); };
    for (std::size_t i = 0; i < kChancePairs; ++i) {
      const std::uint32_t one = any();
      pairs_.push_back({one, any()});
    }
  }

  template <class F>
  void each_influence(F&& f) const {
    for (std::uint32_t v = 0; v < mesh_.origins.size(); ++v) {
      const VertexOrigin& origin = mesh_.origins[v];
      for_each_influence(model_.meshes()[origin.mesh], origin.vertex,
                         [&](std::uint16_t binding, float weight) { f(v, model_.bindings()[binding].bone, weight); });
    }
  }

  const Model& model_;
  const BakedMesh& mesh_;
  std::vector<std::array<std::uint32_t, 2>> pairs_;
};

struct Extreme {
  double time = 0.0;
  double change = 0.0;  // between the largest and the least
};

// When values that change are largest and least; a key has so many of them, and tangents beside them in a spline.
template <class T, class Size>
void add_extremes(const Curve<T>& curve, std::size_t values_a_key, Size&& size, std::vector<Extreme>& extremes) {
  if (curve.empty() || values_a_key == 0) return;
  const bool spline = curve.interpolation == Interpolation::cubic_spline;
  const std::size_t stride = values_a_key * (spline ? 3 : 1);
  for (std::size_t i = 0; i < values_a_key; ++i) {
    std::size_t least = 0, most = 0;
    const auto at = [&](std::size_t key) { return size(curve.values[key * stride + (spline ? values_a_key : 0) + i]); };
    for (std::size_t key = 1; key < curve.times.size(); ++key) {
      if (at(key) < at(least)) least = key;
      if (at(key) > at(most)) most = key;
    }
    const double change = static_cast<double>(at(most) - at(least));
    if (change <= kOneScale) continue;
    extremes.push_back({static_cast<double>(curve.times[least]), change});
    extremes.push_back({static_cast<double>(curve.times[most]), change});
  }
}

// One for each time; where they are too many, those that change most.
void take_largest(std::size_t most, std::vector<Extreme>& extremes) {
  std::ranges::sort(extremes, [](const Extreme& a, const Extreme& b) {
    return a.time != b.time ? a.time < b.time : a.change > b.change;
  });
  const auto at_one_time = [](const Extreme& a, const Extreme& b) { return a.time == b.time; };
  extremes.erase(std::unique(extremes.begin(), extremes.end(), at_one_time), extremes.end());
  if (extremes.size() <= most) return;
  std::ranges::stable_sort(extremes, std::greater{}, &Extreme::change);
  extremes.resize(most);
}

std::vector<double> times_of(const ClipPlan& plan, const Model& model, std::size_t most) {
  if (plan.frames.frame_count <= 1) return {plan.clip.start};
  std::vector<double> times;
  const auto all = static_cast<std::size_t>(std::min(1.0 + std::ceil(kTimesPerSecond * plan.clip.length()), 1e9));
  const std::size_t count = std::clamp<std::size_t>(all, 2, std::max<std::size_t>(2, most));
  for (std::size_t i = 0; i < count; ++i) {
    times.push_back(plan.clip.start + plan.clip.length() * static_cast<double>(i) / static_cast<double>(count - 1));
  }
  std::vector<Extreme> extremes;
  for (const BoneTrack& track : plan.clip.bones) {
    add_extremes(
        track.scale, 1,
        [](const glm::vec3& s) {
          return std::max({s.x, s.y, s.z});
        },
        extremes);
  }
  for (const MorphTrack& track : plan.clip.morphs) {
    add_extremes(
        track.weights, model.meshes()[track.mesh].morph_targets.size(), [](float w) { return w; }, extremes);
  }
  std::erase_if(extremes, [&](const Extreme& one) { return one.time < plan.clip.start || one.time > plan.clip.end; });
  take_largest(most, extremes);
  for (const Extreme& one : extremes) times.push_back(one.time);
  return times;
}

class Distances {
 public:
  Distances(std::size_t poses, std::size_t pairs) : pairs_(pairs), values_(poses * pairs) {}

  std::span<float> of(std::size_t pose) { return {values_.data() + pose * pairs_, pairs_}; }

  float unlikeness(std::size_t a, std::size_t b) const {
    const float *const x = values_.data() + a * pairs_, *const y = values_.data() + b * pairs_;
    float sum = 0.0f;
    for (std::size_t i = 0; i < pairs_; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
  }
  float size(std::size_t a) const {
    float sum = 0.0f;
    for (std::size_t i = 0; i < pairs_; ++i) sum += values_[a * pairs_ + i] * values_[a * pairs_ + i];
    return sum;
  }

 private:
  std::size_t pairs_;
  std::vector<float> values_;
};

Distances look_at(const Model& model, const BakedMesh& mesh, const std::vector<ClipPlan>& plans,
                  const std::vector<Moment>& moments, Executor& executor) {
  const Probes probes = ProbeChoice(model, mesh).made();
  const VertexSkinner skinner(model, probes.mesh, {}, false);
  Distances seen(moments.size(), probes.pairs.size());
  executor.run((moments.size() + kCandidatesAtOnce - 1) / kCandidatesAtOnce, [&](std::size_t job) {
    std::vector<Float4> positions;
    for (std::size_t i = job * kCandidatesAtOnce; i < std::min(moments.size(), (job + 1) * kCandidatesAtOnce); ++i) {
      skinner.positions(skinner.pose_at(plans[moments[i].plan], moments[i].time), positions);
      const auto out = seen.of(i);
      for (std::size_t p = 0; p < probes.pairs.size(); ++p) {
        const float apart = glm::distance(three(positions[probes.pairs[p][0]]), three(positions[probes.pairs[p][1]]));
        out[p] = std::isfinite(apart * apart) ? apart : 0.0f;
      }
    }
  });
  return seen;
}

}  // namespace

std::vector<Moment> unlike_moments(const Model& model, const BakedMesh& mesh, const std::vector<ClipPlan>& plans,
                                   std::size_t most, Executor& executor) {
  std::vector<Moment> moments;
  const std::size_t of_each = std::max<std::size_t>(2, kMostCandidates / plans.size());
  for (std::size_t plan = 0; plan < plans.size(); ++plan) {
    for (const double time : times_of(plans[plan], model, of_each)) moments.push_back({plan, time});
  }
  if (moments.size() == 1) return moments;
  const Distances seen = look_at(model, mesh, plans, moments, executor);
  std::vector<float> apart(moments.size());
  for (std::size_t i = 0; i < moments.size(); ++i) apart[i] = seen.size(i);
  std::vector<Moment> chosen;
  while (chosen.size() < std::min(most, moments.size())) {
    const auto next = static_cast<std::size_t>(std::max_element(apart.begin(), apart.end()) - apart.begin());
    if (!chosen.empty() && apart[next] <= 0.0f) break;
    for (std::size_t i = 0; i < moments.size(); ++i) {
      const float now = seen.unlikeness(i, next);
      apart[i] = chosen.empty() ? now : std::min(apart[i], now);
    }
    chosen.push_back(moments[next]);
  }
  return chosen;
}

}  // namespace throng::detail::bake
