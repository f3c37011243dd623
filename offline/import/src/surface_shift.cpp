// SPDX-License-Identifier: Apache-2.0
#include "surface_shift.h"

#include <algorithm>

#include "throng/pose/pose.h"

namespace throng::detail::import {
namespace {

constexpr std::size_t kMoments = 48;                         // over all clips
constexpr std::size_t kMostVertices = std::size_t{1} << 23;  // skinned in all: some seconds' work

double farthest(const Blended& right, const Blended& shown, const std::vector<std::uint32_t>& meshes,
                const Pose& right_pose, const Pose& shown_pose) {
  const auto right_palette = skinning_palette(right.model, right_pose);
  const auto shown_palette = skinning_palette(shown.model, shown_pose);
  double most = 0.0;
  for (const std::uint32_t mesh : meshes) {
    const auto a = skin_mesh(right.model, mesh, right_pose, right_palette, right.method).positions;
    const auto b = skin_mesh(shown.model, mesh, shown_pose, shown_palette, shown.method).positions;
    for (std::size_t v = 0; v < std::min(a.size(), b.size()); ++v) most = std::max(most, glm::length(a[v] - b[v]));
  }
  return most;
}

std::size_t vertices_of(const Model& model, const std::vector<std::uint32_t>& meshes) {
  std::size_t vertices = 1;
  for (const std::uint32_t mesh : meshes) vertices += model.meshes()[mesh].positions.size();
  return vertices;
}

}  // namespace

std::string SurfaceShift::text() const {
  const double mm = height > 0.0 ? distance / height * kCharacterMillimetres : 0.0;
  const std::string where = clip.empty() ? std::string() : fmt::format(" (clip '{}' at {:.2f} s)", clip, time);
  return fmt::format("{:.1f} mm on a character 1.8 m tall{}", mm, where);
}

SurfaceShift surface_shift(const Blended& right, const Blended& shown, const std::vector<std::uint32_t>& meshes,
                           const Progress& progress) {
  SurfaceShift shift;
  const Pose rest = rest_pose(shown.model);
  const glm::dvec3 size = pose_bounds(shown.model, rest).size();
  shift.height = size.y > 0.0 ? size.y : std::max(size.x, size.z);
  shift.distance = farthest(right, shown, meshes, rest_pose(right.model), rest);
  const auto& clips = shown.model.clips();
  if (clips.empty()) return shift;
  const std::size_t affordable = kMostVertices / vertices_of(shown.model, meshes);
  const std::size_t all = std::clamp<std::size_t>(affordable, 2, kMoments);
  const std::size_t moments = std::max<std::size_t>(2, all / clips.size());
  const std::size_t looked_at = std::min({clips.size(), right.model.clips().size(), all / moments});
  for (std::size_t look = 0; look < looked_at; ++look) {
    const std::size_t c = look * clips.size() / looked_at;  // where there are too many, some from among all
    for (std::size_t i = 0; i < moments; ++i) {
      report(progress, "surface", static_cast<double>(look * moments + i) / static_cast<double>(looked_at * moments));
      const double time =
          clips[c].start + clips[c].length() * static_cast<double>(i) / static_cast<double>(moments - 1);
      const double off = farthest(right, shown, meshes, sample(right.model, right.model.clips()[c], time),
                                  sample(shown.model, clips[c], time));
      if (off <= shift.distance) continue;
      shift = {.distance = off, .height = shift.height, .clip = clips[c].name, .time = time};
    }
  }
  return shift;
}

}  // namespace throng::detail::import
