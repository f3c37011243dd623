// SPDX-License-Identifier: Apache-2.0
#include "levels/level_poses.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::bake {
namespace {

constexpr double kMostTimes = 64.0;  // of one clip
constexpr double kTimesPerSecond = 30.0;
constexpr double kMostPlaced = 8e6;   // vertices times poses: with more of them there are fewer times a clip
constexpr float kOutOfRange = 1e18f;  // its square is still a number

double times_of(const ClipPlan& plan, double most) {
  if (plan.frames.frame_count <= 1) return 1.0;
  return std::clamp(1.0 + std::ceil(kTimesPerSecond * plan.clip.length()), 2.0, most);
}

std::vector<ClipPlan> plans_or_rest(const std::vector<ClipPlan>& plans) {
  return plans.empty() ? std::vector<ClipPlan>(1) : plans;
}

}  // namespace

LevelPoses::LevelPoses(const Model& model, const BakedMesh& mesh, const std::vector<ClipPlan>& plans)
    : plans_(plans_or_rest(plans)), skinner_(model, mesh, {}, false) {
  const double all = static_cast<double>(plans_.size()) * static_cast<double>(mesh.vertices.size());
  const double most = std::clamp(std::floor(kMostPlaced / all), 2.0, kMostTimes);
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const auto times = static_cast<int>(times_of(plans_[i], most));
    for (int t = 0; t < times; ++t) {
      const double way = times > 1 ? static_cast<double>(t) / (times - 1) : 0.0;
      moments_.push_back({i, plans_[i].clip.start + way * plans_[i].clip.length()});
    }
  }
}

void LevelPoses::place(std::size_t pose, std::vector<Float4>& positions) const {
  positions.resize(skinner_.vertex_count());
  const SkinPose skin = skinner_.pose_at(plans_[moments_[pose].plan], moments_[pose].time);
  SkinnedBlock out;
  for (const SkinBlock& block : skinner_.blocks()) {
    skinner_.positions(skin, block, out);
    for (std::uint32_t i = 0; i < block.count; ++i) {
      const Float4 p = out.positions[i];
      positions[block.first + i] = absolute(p) < kOutOfRange ? p : splat(0.0f);
    }
  }
}

std::vector<Float4> LevelPoses::placed(std::size_t pose) const {
  std::vector<Float4> positions;
  place(pose, positions);
  return positions;
}

}  // namespace throng::detail::bake
