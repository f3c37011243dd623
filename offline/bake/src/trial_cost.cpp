// SPDX-License-Identifier: Apache-2.0
#include "trial_cost.h"

#include <algorithm>
#include <cmath>

#include "bones/channel_motion.h"

namespace throng::detail::bake {
namespace {

// Seconds of one core, measured on chains of 30 to 200 bones and sheets of 400 to 20,000 vertices, and rounded up.
constexpr double kSecondsOfSampledBone = 8e-8;
constexpr double kSecondsOfLink = 2e-8;             // at one look
constexpr double kSecondsOfPoint = 3e-9;            // at one look
constexpr double kSecondsOfRoundedLink = 1.3e-7;    // at one frame
constexpr double kSecondsOfColumn = 5e-7;           // encoded, at one frame
constexpr double kSecondsOfComparedPoint = 1.2e-8;  // at one look

constexpr double kBytesOfLinkFrame = 360.0;    // of two roundings and what they round
constexpr double kBytesOfColumnFrame = 850.0;  // of two rates' samples and one's words

double key_count(const Clip& clip) {
  std::size_t keys = 0;
  for (const BoneTrack& track : clip.bones)
    keys += track.translation.times.size() + track.rotation.times.size() + track.scale.times.size();
  return static_cast<double>(keys);
}

// The moments at which keys lie are looked at, too; those of several bones are mostly the same.
double corners_of(const ClipPlan& plan) {
  std::size_t most = 0;
  for (const BoneTrack& track : plan.clip.bones)
    most = std::max({most, track.translation.times.size(), track.rotation.times.size(), track.scale.times.size()});
  return std::min(key_count(plan.clip), 4.0 * static_cast<double>(most));
}

// Of a frame and seven moments after it, and of keys.
double measured_looks(const ClipPlan& plan, const FramePlan& frames) {
  return static_cast<double>(kLooksPerInterval) * frames.frame_count + corners_of(plan);
}

double measuring(const BoneBakeInputs& bake, const ClipPlan& plan, const FramePlan& frames) {
  return measured_looks(plan, frames) * (static_cast<double>(bake.points.all.size()) * kSecondsOfComparedPoint +
                                         static_cast<double>(bake.source.bones().size()) * kSecondsOfSampledBone);
}

}  // namespace

TrialCost channel_trial(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                        const FramePlan& frames) {
  const auto links = static_cast<double>(bake.skeleton->links.size());
  const auto points = static_cast<double>(extremes.all.size());
  const auto count = static_cast<double>(frames.frame_count);
  const double looks = count * ChannelMotion::even_looks(frames) + corners_of(plan);
  TrialCost cost;
  cost.bytes = std::min(looks * ChannelMotion::bytes_of_look(bake, extremes), ChannelMotion::kMostLookBytes) +
               count * links * kBytesOfLinkFrame;
  cost.making = looks * (static_cast<double>(bake.source.bones().size()) + links) * kSecondsOfSampledBone;
  cost.rounding = count * links * kSecondsOfRoundedLink;
  cost.looking = looks * (links * kSecondsOfLink + points * kSecondsOfPoint);
  cost.measuring = measuring(bake, plan, frames);
  return cost;
}

TrialCost column_trial(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                       const FramePlan& frames) {
  const auto columns = static_cast<double>(bake.columns.all.size());
  const auto points = static_cast<double>(extremes.all.size());
  const auto count = static_cast<double>(frames.frame_count);
  const auto bones = static_cast<double>(bake.source.bones().size());
  TrialCost cost;
  cost.bytes = count * columns * kBytesOfColumnFrame;
  cost.making = 2.0 * count * (bones + columns) * kSecondsOfSampledBone;
  cost.rounding = count * columns * kSecondsOfColumn;
  cost.looking =
      0.5 * measured_looks(plan, frames) * (points * kSecondsOfComparedPoint + bones * kSecondsOfSampledBone);
  cost.measuring = measuring(bake, plan, frames);
  return cost;
}

}  // namespace throng::detail::bake
