// SPDX-License-Identifier: Apache-2.0
#include "skinning_check.h"
#include "throng/character/decode.h"

namespace throng::test {
namespace {

glm::uvec2 split(std::uint64_t value) {
  return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
}

}  // namespace

Cursor cpu_cursor(const Character& model, const TrackRecord& track, std::uint64_t now) {
  const ClipRecord clip = clip_record(model, model.clips()[track.clip]);
  return gpu::cursor_at(clip, gpu::phase_at(track, split(now)));
}

double degrees_between(const glm::dvec3& a, const glm::dvec3& b) {
  return glm::degrees(std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)));
}

Deviation deviation_from_decoded(const Character& model, const Cast& cast, const SkinnedCrowd& crowd) {
  Deviation worst;
  for (std::size_t i = 0; i < cast.size(); ++i) {
    const Cursor& cursor = crowd.moments[i].cursor;
    const auto exact = decode_pose(model, model.clips()[cast.plays[i].track.clip], cursor, double{cursor.blend});
    for (std::size_t v = 0; v < crowd.vertices_per_instance; ++v) {
      const std::size_t at = i * crowd.vertices_per_instance + v;
      worst.position = std::max(worst.position, glm::distance(glm::dvec3(crowd.positions[at]), exact.positions[v]));
      worst.normal_degrees = std::max(worst.normal_degrees, degrees_between(crowd.normals[at], exact.normals[v]));
    }
  }
  return worst;
}

}  // namespace throng::test
