// SPDX-License-Identifier: Apache-2.0
#include "loop_guess.h"

#include <algorithm>
#include <cmath>

#include "throng/clip_facts/clip_names.h"

namespace throng::detail::clip_facts {
namespace {

constexpr double kSamePose = 1e-3;         // of the model's height
constexpr double kSamePoseIfTold = 1e-2;   // the same where the clip, or its name, says that it loops
constexpr double kLongestStepBack = 1.5;   // of the longest step at either end
constexpr double kStepBackMismatch = 0.6;  // of the expected step, root mean square
constexpr int kFewestSteps = 4;
constexpr double kBoneReach =
    0.2;  // of the model's height: how far from a bone its vertices may be, where none are known

using Positions = std::vector<glm::dvec3>;

// The positions of every vertex; of the bones and the tips of their axes where the model has no vertices.
Positions positions_of(const Model& model, const Pose& pose, double height) {
  Positions out;
  const auto palette = skinning_palette(model, pose);
  for (std::size_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
    const auto vertices = skin_mesh(model, mesh, pose, palette);
    out.insert(out.end(), vertices.positions.begin(), vertices.positions.end());
  }
  if (!out.empty()) return out;
  for (const glm::dmat4& m : model_from_bones(model, pose)) {
    out.emplace_back(m[3]);
    for (int axis = 0; axis < 3; ++axis) out.emplace_back(glm::dvec3(m[3]) + kBoneReach * height * glm::dvec3(m[axis]));
  }
  return out;
}

double largest_step(const Positions& from, const Positions& to) {
  double largest = 0.0;
  for (std::size_t i = 0; i < from.size(); ++i) largest = std::max(largest, glm::distance(from[i], to[i]));
  return largest;
}

// Four poses around the seam, in the order a loop would play them.
struct Seam {
  Positions before_last, last, first, second;
};

// A loop goes on over its seam about as fast, and the same way, as on both sides of it. A strike or a fall that happens
// to end near its start does not: it begins and ends at rest. Where the last pose is the first, there is no step over
// the seam to compare, only those on both sides with each other.
bool goes_on_over(const Seam& seam, bool closed, double height) {
  const double before = largest_step(seam.before_last, seam.last);
  const double over = closed ? 0.0 : largest_step(seam.last, seam.first);
  const double after = largest_step(seam.first, seam.second);
  if (over > kLongestStepBack * std::max(before, after) || std::min(before, after) < kSamePose * height) return false;
  double mismatch = 0.0;
  double expected = 0.0;
  for (std::size_t i = 0; i < seam.last.size(); ++i) {
    const glm::dvec3 into = seam.last[i] - seam.before_last[i];
    const glm::dvec3 out_of = seam.second[i] - seam.first[i];
    const glm::dvec3 step = 0.5 * (into + out_of);
    const glm::dvec3 difference = closed ? 0.5 * (out_of - into) : (seam.first[i] - seam.last[i]) - step;
    mismatch += glm::dot(difference, difference);
    expected += glm::dot(step, step);
  }
  return mismatch <= kStepBackMismatch * kStepBackMismatch * expected;
}

}  // namespace

LoopGuess guess_loop(const Model& model, const Clip& clip, const std::function<Pose(double)>& pose_at,
                     const LoopScale& scale) {
  if (!(clip.length() > 0.0) || (clip.loops && !*clip.loops)) return {};
  const auto positions_at = [&](double time) { return positions_of(model, pose_at(time), scale.height); };
  Seam seam;
  seam.first = positions_at(clip.start);
  seam.last = positions_at(clip.end);
  const double gap = largest_step(seam.last, seam.first);
  const LoopGuess closed{true, false, gap};
  const LoopGuess open{true, true, gap};
  if (clip.loops) return gap <= kSamePoseIfTold * scale.height ? closed : open;

  const bool closes = gap <= kSamePose * scale.height;
  const NameSays name = name_says(clip.name);
  bool goes_on = false;
  if ((!closes || name == NameSays::once) && scale.evenly_keyed && clip.length() * scale.rate >= kFewestSteps) {
    seam.before_last = positions_at(clip.end - 1.0 / scale.rate);
    seam.second = positions_at(clip.start + 1.0 / scale.rate);
    goes_on = goes_on_over(seam, closes, scale.height);
  }
  if (name == NameSays::once) return {false, false, gap, goes_on ? LoopDoubt::poses_loop : LoopDoubt::none};
  if (closes) return closed;
  if (goes_on) return open;
  if (name != NameSays::loops) return {false, false, gap};
  if (gap <= kSamePoseIfTold * scale.height) return closed;
  return {true, true, gap, LoopDoubt::poses_differ};
}

}  // namespace throng::detail::clip_facts
