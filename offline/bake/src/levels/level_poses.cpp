// SPDX-License-Identifier: Apache-2.0
#include "levels/level_poses.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::bake {
namespace {

constexpr double kLeastPoses = 48.0;  // the same of models of very many vertices
constexpr double kMostPlaced = 8e6;   // vertices times poses: with more of them there are fewer poses
constexpr float kOutOfRange = 1e18f;  // its square is still a number

std::vector<ClipPlan> plans_or_rest(const std::vector<ClipPlan>& plans) {
  return plans.empty() ? std::vector<ClipPlan>(1) : plans;
}

}  // namespace

LevelPoses::LevelPoses(const Model& model, const BakedMesh& mesh, const std::vector<ClipPlan>& plans,
                       Executor& executor, std::size_t most)
    : plans_(plans_or_rest(plans)), skinner_(model, mesh, {}, false) {
  const double room = kMostPlaced / static_cast<double>(std::max<std::size_t>(1, mesh.vertices.size()));
  const auto count = static_cast<std::size_t>(std::clamp(room, kLeastPoses, static_cast<double>(kMost)));
  moments_ = unlike_moments(model, mesh, plans_, std::min(count, most), executor);
}

SkinPose LevelPoses::skinned(std::size_t pose) const {
  return skinner_.pose_at(plans_[moments_[pose].plan], moments_[pose].time);
}

void LevelPoses::place(std::size_t pose, std::vector<Float4>& positions) const { place(skinned(pose), positions); }

void LevelPoses::place(const SkinPose& pose, std::vector<Float4>& positions) const {
  skinner_.positions(pose, positions);
  for (Float4& p : positions) p = absolute(p) < kOutOfRange ? p : splat(0.0f);
}

std::vector<FewerBones> LevelPoses::fewer_bones(Executor& executor) const {
  constexpr std::size_t kJobs = 8;
  std::vector<std::vector<std::array<float, 3>>> furthest(kJobs);  // squared
  executor.run(kJobs, [&](std::size_t job) {
    furthest[job].resize(vertex_count());
    for (std::size_t pose = job; pose < count(); pose += kJobs) {
      skinner_.raise_fewer_bones(skinner_.pose_at(plans_[moments_[pose].plan], moments_[pose].time), furthest[job]);
    }
  });
  std::vector<FewerBones> out(vertex_count());
  for (std::size_t v = 0; v < out.size(); ++v) {
    for (std::size_t n = 0; n < out[v].size(); ++n) {
      float most = 0.0f;
      for (const auto& some : furthest) most = std::max(most, std::min(some[v][n], kOutOfRange));
      out[v][n] = std::sqrt(static_cast<double>(most));
    }
  }
  return out;
}

std::vector<Float4> LevelPoses::placed(std::size_t pose) const {
  std::vector<Float4> positions;
  place(pose, positions);
  return positions;
}

}  // namespace throng::detail::bake
