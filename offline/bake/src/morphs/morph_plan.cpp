// SPDX-License-Identifier: Apache-2.0
#include "morphs/morph_plan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "throng/base/text.h"
#include "throng/model/drawn.h"

namespace throng::detail::bake {
namespace {

// For how much bones scale what targets add: poses of every clip at even steps, and at keys of scale.
constexpr int kPosesPerClip = 9;
constexpr std::size_t kMostScaleKeys = 256;  // of a clip that are looked at, spread evenly over them
constexpr double kStill = 1e-7;              // weights that differ by less are one

std::vector<MovingTarget> every_target(const Model& model) {
  std::vector<MovingTarget> targets;
  for (std::uint32_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
    if (!is_drawn(model.meshes()[mesh])) continue;
    const auto count = static_cast<std::uint32_t>(model.meshes()[mesh].morph_targets.size());
    for (std::uint32_t target = 0; target < count; ++target) targets.push_back({mesh, target, {}});
  }
  return targets;
}

// The keys of its weights, its ends, and half-way between two of all these. A spline may swing out anywhere between two
// keys, and be back half-way: it is looked at in eighths, which sees all but a fiftieth of how far it goes.
std::vector<double> survey_times(const Clip& clip) {
  std::vector<double> times{clip.start, clip.end};
  int parts = 2;
  for (const MorphTrack& track : clip.morphs) {
    if (track.weights.interpolation == Interpolation::cubic_spline) parts = 8;
    for (const float time : track.weights.times) {
      const double t = static_cast<double>(time);
      if (t > clip.start && t < clip.end) times.push_back(t);
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const std::size_t keys = times.size();
  for (std::size_t i = 1; i < keys; ++i) {
    for (int part = 1; part < parts; ++part) times.push_back(glm::mix(times[i - 1], times[i], double(part) / parts));
  }
  return times;
}

// How far every target is in, over all clips.
struct Survey {
  std::vector<std::vector<double>> weights;  // by target
  std::vector<std::size_t> ends;             // by clip: where its weights end

  Survey(const Model& model, const std::vector<ClipPlan>& plans, const std::vector<MovingTarget>& targets)
      : weights(targets.size()) {
    for (const ClipPlan& plan : plans) {
      const ClipPlan alone = weights_alone(plan);
      const std::vector<double> times =
          plan.clip.morphs.empty() ? std::vector<double>{plan.clip.start} : survey_times(plan.clip);
      for (const double time : times) {
        const Pose pose = sample(model, alone.clip, time);
        for (std::size_t i = 0; i < targets.size(); ++i) weights[i].push_back(weight_in(model, pose, targets[i]));
      }
      ends.push_back((ends.empty() ? 0 : ends.back()) + times.size());
    }
  }

  double amplitude(std::size_t target) const {
    double most = 0.0;
    for (const double weight : weights[target]) most = std::max(most, std::abs(weight));
    return most;
  }

  bool moves(std::size_t target, std::size_t clip) const {
    const auto at = [&](std::size_t i) { return weights[target].begin() + static_cast<std::ptrdiff_t>(i); };
    const auto [low, high] = std::minmax_element(at(clip == 0 ? 0 : ends[clip - 1]), at(ends[clip]));
    return *high - *low > kStill;
  }
};

// The most that a matrix makes any vector longer: the root of the largest eigenvalue of its square. Columns alone may
// all be shorter, where a scale lies across the axes.
double largest_stretch(const glm::dmat3& m) {
  const glm::dmat3 square = glm::transpose(m) * m;
  const double mean = (square[0][0] + square[1][1] + square[2][2]) / 3.0;
  const glm::dmat3 apart = square - glm::dmat3(mean);
  double sum = 0.0;
  for (int c = 0; c < 3; ++c) sum += glm::dot(apart[c], apart[c]);
  const double spread = std::sqrt(sum / 6.0);
  if (!(spread > 0.0)) return std::sqrt(mean);
  const double angle = std::acos(std::clamp(0.5 * glm::determinant(apart / spread), -1.0, 1.0)) / 3.0;
  return std::sqrt(mean + 2.0 * spread * std::cos(angle));
}

// How large a track's largest key is, and when it is.
std::pair<float, double> largest_scale(const Curve<glm::vec3>& scale) {
  const bool spline = scale.interpolation == Interpolation::cubic_spline;
  std::pair<float, double> most{-1.0f, 0.0};
  for (std::size_t key = 0; key < scale.times.size(); ++key) {
    const glm::vec3 value = glm::abs(scale.values[spline ? 3 * key + 1 : key]);
    const float size = std::max({value.x, value.y, value.z});
    if (size > most.first) most = {size, static_cast<double>(scale.times[key])};
  }
  return most;
}

// Scales are largest at their keys, or between two where a spline swings out. Where keys are too many, those stay at
// which some track is largest, as far as there is room.
std::vector<double> scale_times(const Clip& clip) {
  std::vector<double> keys;
  std::vector<std::pair<float, double>> largest;  // of every track, with its time
  bool swings = false;
  for (const BoneTrack& track : clip.bones) {
    swings = swings || track.scale.interpolation == Interpolation::cubic_spline;
    for (const float time : track.scale.times) keys.push_back(std::clamp<double>(time, clip.start, clip.end));
    if (!track.scale.times.empty()) largest.push_back(largest_scale(track.scale));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const std::size_t count = keys.size();
  for (std::size_t i = 1; swings && i < count; ++i) keys.push_back(0.5 * (keys[i - 1] + keys[i]));
  std::vector<double> times;
  const std::size_t taken = std::min(keys.size(), kMostScaleKeys);
  for (std::size_t i = 0; i < taken; ++i) times.push_back(keys[i * keys.size() / taken]);
  std::ranges::stable_sort(largest, std::greater{}, &std::pair<float, double>::first);
  largest.resize(std::min(largest.size(), kMostScaleKeys));
  for (const auto& [size, time] : largest) times.push_back(std::clamp(time, clip.start, clip.end));
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  for (int i = 0; i < kPosesPerClip; ++i) times.push_back(clip.start + clip.length() * i / (kPosesPerClip - 1));
  return times;
}

std::vector<double> binding_scales(const Model& model, const std::vector<ClipPlan>& plans) {
  std::vector<double> scales(model.bindings().size(), 0.0);
  for (const ClipPlan& plan : plans) {
    for (const double time : scale_times(plan.clip)) {
      const std::vector<glm::dmat4> palette = palette_at(model, plan, time);
      for (std::size_t b = 0; b < scales.size(); ++b)
        scales[b] = std::max(scales[b], largest_stretch(glm::dmat3(palette[b])));
    }
  }
  return scales;
}

double reach_of(const Model& model, const MovingTarget& moving, const MorphPlan& plan) {
  const Mesh& mesh = model.meshes()[moving.mesh];
  const std::vector<glm::vec3>& offsets = mesh.morph_targets[moving.target].positions;
  double reach = 0.0;
  for (std::size_t v = 0; v < offsets.size(); ++v) {
    if (offsets[v] == glm::vec3(0.0f)) continue;
    reach = std::max(reach, plan.scale_at(mesh, v) * glm::length(glm::dvec3(offsets[v])));
  }
  return reach;
}

// Targets of one mesh that are one channel add up.
void find_channel_reaches(const Model& model, MorphPlan& plan) {
  std::vector<glm::dvec3> sums(plan.channels.size());
  for (std::uint32_t m = 0; m < model.meshes().size(); ++m) {
    const Mesh& mesh = model.meshes()[m];
    std::vector<MovingTarget> here;
    std::ranges::copy_if(plan.moving, std::back_inserter(here), [&](const MovingTarget& moving) {
      return moving.mesh == m && moving.channel && !mesh.morph_targets[moving.target].positions.empty();
    });
    for (std::size_t v = 0; !here.empty() && v < mesh.positions.size(); ++v) {
      for (const MovingTarget& moving : here) sums[*moving.channel] = glm::dvec3(0.0);
      for (const MovingTarget& moving : here)
        sums[*moving.channel] += glm::dvec3(mesh.morph_targets[moving.target].positions[v]);
      const double scale = plan.scale_at(mesh, v);
      for (const MovingTarget& moving : here) {
        double& reach = plan.channels[*moving.channel].reach;
        reach = std::max(reach, scale * glm::length(sums[*moving.channel]));
      }
    }
  }
}

double turn_of(const Model& model, const MovingTarget& moving) {
  const Mesh& mesh = model.meshes()[moving.mesh];
  if (mesh.normals.empty()) return 0.0;
  double turn = 0.0;
  for (const glm::vec3& offset : mesh.morph_targets[moving.target].normals) {
    turn = std::max(turn, glm::length(glm::dvec3(offset)));
  }
  return turn;
}

// Leaves out the targets that do least, as long as all of them together do not show.
std::vector<bool> kept_targets(const std::vector<double>& moved, const std::vector<double>& turned, double bound) {
  std::vector<std::size_t> order(moved.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return moved[i]; });
  std::vector<bool> kept(moved.size(), true);
  double left_out = 0.0;
  for (const std::size_t i : order) {
    if (left_out + moved[i] > kDroppedShare * bound) break;
    if (turned[i] > kUnseenTurn) continue;
    kept[i] = false;
    left_out += moved[i];
  }
  return kept;
}

void note_targets(const MorphPlan& plan, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (const MorphChannel& channel : plan.channels) names.push_back(channel.name);
  if (!names.empty()) {
    notes.push_back(fmt::format("{} with the bones: {}", in_number(names.size(), "morph [target moves|targets move]"),
                                listed(names)));
  }
  const auto dropped = std::ranges::count_if(plan.moving, [](const MovingTarget& t) { return !t.channel; });
  if (dropped > 0) {
    notes.push_back(in_number(static_cast<std::uint64_t>(dropped),
                              "morph [target is|targets are] moved so little that [it is|they are] left at rest"));
  }
}

}  // namespace

double MorphPlan::scale_at(const Mesh& mesh, std::size_t vertex) const {
  double scale = 0.0;
  for_each_influence(mesh, vertex,
                     [&](std::uint16_t binding, float) { scale = std::max(scale, binding_scales[binding]); });
  return scale;
}

ClipPlan weights_alone(const ClipPlan& plan) {
  ClipPlan alone = plan;
  alone.clip.bones.clear();
  alone.root.reset();
  return alone;
}

double weight_in(const Model& model, const Pose& pose, const MovingTarget& target) {
  return pose.morph_weights[target.mesh][target.target] -
         static_cast<double>(model.meshes()[target.mesh].morph_weights[target.target]);
}

MorphPlan plan_morphs(const Model& model, const std::vector<ClipPlan>& plans, double bound,
                      std::vector<std::string>& notes) {
  MorphPlan out;
  out.bound = bound;
  out.clip_moves.assign(plans.size(), 0);
  if (std::ranges::all_of(plans, [](const ClipPlan& plan) { return plan.clip.morphs.empty(); })) return out;
  const std::vector<MovingTarget> targets = every_target(model);
  const Survey survey(model, plans, targets);
  out.binding_scales = binding_scales(model, plans);
  std::vector<std::size_t> numbers;  // of those that move
  std::vector<double> moved, turned;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double amplitude = survey.amplitude(i);
    if (!(amplitude > kStill)) continue;
    numbers.push_back(i);
    moved.push_back(amplitude * reach_of(model, targets[i], out));
    turned.push_back(amplitude * turn_of(model, targets[i]));
  }
  const std::vector<bool> kept = kept_targets(moved, turned, bound);
  std::map<std::vector<double>, std::uint32_t> channels;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::size_t i = numbers[k];
    MovingTarget moving = targets[i];
    if (kept[k]) {
      const auto number = static_cast<std::uint32_t>(out.channels.size());
      const auto [channel, is_new] = channels.try_emplace(survey.weights[i], number);
      const std::string& name = model.meshes()[moving.mesh].morph_targets[moving.target].name;
      if (is_new) out.channels.push_back({name, survey.amplitude(i), 0.0});
      moving.channel = channel->second;
      for (std::size_t clip = 0; clip < plans.size(); ++clip) {
        if (survey.moves(i, clip)) out.clip_moves[clip] = 1;
      }
    }
    out.moving.push_back(moving);
  }
  find_channel_reaches(model, out);
  note_targets(out, notes);
  return out;
}

}  // namespace throng::detail::bake
