// SPDX-License-Identifier: Apache-2.0
#include "throng/clip_facts/root_motion.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

// Between two samples the yaw is looked at this often a second, so that a fast rotation is not taken for one the other
// way; but no more often than kMostLooks.
constexpr double kYawRate = 240.0;
constexpr double kMostLooks = 8.0;

glm::dmat4 model_from_last(const Pose& pose, const std::vector<std::uint32_t>& chain) {
  glm::dmat4 m(1.0);
  for (const std::uint32_t bone : chain) m *= to_matrix(pose.bones[bone]);
  return m;
}

}  // namespace

std::vector<std::uint32_t> chain_to(const Model& model, std::uint32_t bone) {
  std::vector<std::uint32_t> chain{bone};
  while (const auto parent = model.bones()[chain.back()].parent) chain.push_back(*parent);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

Clip only_chain(const Model& model, const Clip& clip, std::uint32_t bone) {
  std::vector<bool> in_chain(model.bones().size());
  for (const std::uint32_t link : chain_to(model, bone)) in_chain[link] = true;
  Clip out;
  out.start = clip.start;
  out.end = clip.end;
  for (const BoneTrack& track : clip.bones) {
    if (in_chain[track.bone]) out.bones.push_back(track);
  }
  return out;
}

RootPath root_path(const Model& model, const Clip& clip, std::uint32_t bone) {
  RootPath path;
  path.bone = bone;
  path.chain = chain_to(model, bone);
  path.start = ground_start(model_from_last(sample(model, clip, clip.start), path.chain));
  return path;
}

GroundMotion ground_of(const Pose& pose, const RootPath& path) {
  return ground_since(path.start, model_from_last(pose, path.chain));
}

void take_off(const Model& model, const GroundMotion& ground, Pose& pose) {
  const glm::dquat back = glm::conjugate(rotation_of(ground));
  for (std::size_t bone = 0; bone < pose.bones.size(); ++bone) {
    if (model.bones()[bone].parent) continue;
    Transform& t = pose.bones[bone];
    t.translation = back * (t.translation - ground.translation);
    t.rotation = back * t.rotation;
  }
}

std::vector<GroundMotion> sample_root(const Model& model, const Clip& clip, const RootPath& path, double seam,
                                      std::span<const double> times) {
  const Clip chain = only_chain(model, clip, path.bone);
  const auto ground_at = [&](double seconds) {
    return ground_of(sample(model, chain, std::min(clip.start + seconds, clip.end)), path);
  };
  std::vector<GroundMotion> samples;
  double yaw = 0.0;
  double from = 0.0;
  for (const double time : times) {
    GroundMotion here;
    const double looks = std::clamp(std::ceil((time - from) * kYawRate - 1e-6), 1.0, kMostLooks);
    for (double look = 1.0; look <= looks; look += 1.0) {
      here = ground_at(glm::mix(from, time, look / looks));
      yaw = nearest_angle(here.yaw, yaw);
    }
    here.yaw = yaw;
    from = time;
    const double past = time - clip.length();
    if (seam > 0.0 && past > 0.0) {
      here = compose(here, interpolate({}, path.over_seam, std::min(1.0, past / seam)));
    }
    samples.push_back(here);
  }
  return samples;
}

}  // namespace throng
