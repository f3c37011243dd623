// SPDX-License-Identifier: Apache-2.0
#include "throng/clip_facts/decide.h"

#include <algorithm>
#include <cmath>

#include "close_loop.h"
#include "loop_guess.h"
#include "root_bone.h"
#include "throng/base/try.h"
#include "throng/clip_facts/key_rate.h"

namespace throng {
namespace {

using detail::clip_facts::closed_loop;
using detail::clip_facts::find_root_bone;
using detail::clip_facts::guess_loop;
using detail::clip_facts::LoopGuess;

constexpr double kFlat = 0.1;     // lower than this part of its largest extent, a model is not standing
constexpr double kClosed = 1e-6;  // of the model's height: a loop that ends nearer to its start than this is closed

// The source leaves out the last step of an open loop: it goes on as on both sides of it.
GroundMotion step_over_seam(const Model& model, const Clip& clip, const RootPath& root, double seam) {
  const auto ground_at = [&](double time) { return ground_of(sample(model, clip, time), root); };
  const double step = std::min(seam, clip.length());
  const GroundMotion before = between(ground_at(clip.end - step), ground_at(clip.end));
  const GroundMotion after = ground_at(clip.start + step);
  // Each is a short way, whose yaw may be a circle off.
  return {0.5 * (before.translation + after.translation), 0.5 * (nearest_angle(before.yaw, 0.0) + after.yaw)};
}

std::vector<GroundMotion> sampled_path(const Model& model, const Clip& clip, const RootPath& root,
                                       const ClipFacts& facts, double height) {
  if (!(facts.length > 0.0)) return {};
  const auto steps = static_cast<double>(path_samples(facts.length) - 1);
  std::vector<double> times;
  for (double step = 0.0; step <= steps; step += 1.0) times.push_back(facts.length * (step / steps));
  std::vector<GroundMotion> path = sample_root(model, clip, root, facts.seam, times);
  if (stays(path, root.start.place, height)) path.clear();
  return path;
}

std::vector<ClipEvent> events_of(const Clip& clip, double length) {
  std::vector<ClipEvent> events;
  for (const Event& event : clip.events) {
    events.push_back({std::clamp(event.time - clip.start, 0.0, length), event.name});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const ClipEvent& a, const ClipEvent& b) { return a.time < b.time; });
  return events;
}

LoopGuess guess(const Model& model, const Clip& clip, const std::optional<RootPath>& root, double rate, bool even,
                double height) {
  const auto pose_at = [&](double time) {
    Pose pose = sample(model, clip, time);
    if (root) take_off(model, ground_of(pose, *root), pose);
    return pose;
  };
  return guess_loop(model, clip, pose_at, {rate, even, height});
}

DecidedClip decided(const Model& model, const Clip& clip, std::optional<std::uint32_t> root_bone,
                    const ClipFactsSettings& settings, double height) {
  DecidedClip out;
  if (root_bone) out.root = root_path(model, clip, *root_bone);
  const auto key_rate = key_rate_of(clip);
  const double rate = key_rate.value_or(settings.frame_rate);
  const bool taken_off = out.root && settings.root_motion_taken_off;
  const auto guessed = [&](const std::optional<RootPath>& root) {
    return guess(model, clip, root, rate, key_rate.has_value(), height);
  };
  const LoopGuess guess = guessed(taken_off ? out.root : std::nullopt);
  out.doubt = guess.doubt;
  if (guess.doubt == LoopDoubt::poses_differ && out.root && !taken_off && guessed(out.root).doubt == LoopDoubt::none)
    out.doubt = LoopDoubt::travels;
  ClipFacts& facts = out.facts;
  facts.name = clip.name;
  facts.source_start = clip.start;
  facts.loops = guess.loops;
  facts.seam = guess.open ? 1.0 / rate : 0.0;
  facts.length = clip.length() > 0.0 ? clip.length() + facts.seam : 0.0;
  facts.root_bone = root_bone;
  facts.events = events_of(clip, facts.length);
  if (out.root) {
    if (facts.open()) out.root->over_seam = step_over_seam(model, clip, *out.root, facts.seam);
    facts.root_path = sampled_path(model, clip, *out.root, facts, height);
  }
  if (facts.loops && !facts.open() && guess.gap > kClosed * height) {
    const std::vector<std::uint32_t> root_chain = taken_off ? out.root->chain : std::vector<std::uint32_t>{};
    out.gap = guess.gap;
    out.closed = closed_loop(clip, std::min(1.0 / rate, 0.5 * clip.length()), root_chain);
    // Then the root, too, comes back to where it began.
    if (out.root && !taken_off) facts.root_path = sampled_path(model, *out.closed, *out.root, facts, height);
  }
  return out;
}

}  // namespace

double standing_height(const Model& model) {
  Bounds bounds = pose_bounds(model, rest_pose(model));
  if (bounds.empty()) {
    for (const glm::dmat4& m : model_from_bones(model, rest_pose(model))) bounds.add(glm::dvec3(m[3]));
  }
  const glm::dvec3 size = bounds.size();
  const double largest = std::max({size.x, size.y, size.z});
  const double height = size.y < kFlat * largest ? largest : size.y;
  return height > 0.0 && std::isfinite(height) ? height : 1.0;
}

Result<std::vector<DecidedClip>> decide_clip_facts(const Model& model, std::span<const Clip> clips,
                                                   const ClipFactsSettings& settings, Executor& executor) {
  const double height = standing_height(model);
  THRONG_TRY(const std::optional<std::uint32_t> root, find_root_bone(model, clips, settings.root_bone, height));
  std::vector<DecidedClip> out(clips.size());
  executor.run(clips.size(), [&](std::size_t i) { out[i] = decided(model, clips[i], root, settings, height); });
  return out;
}

}  // namespace throng
