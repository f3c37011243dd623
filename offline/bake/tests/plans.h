#pragma once
// Plans of small models, made as the bake makes them.

#include "motion/clip_plan.h"
#include "small_models.h"

namespace throng {
using namespace detail::bake;

struct Planned {
  std::vector<ClipPlan> plans;
  std::vector<std::string> notes;
  std::string error;  // empty: none

  bool has_note(std::string_view text) const {
    return std::any_of(notes.begin(), notes.end(),
                       [&](const std::string& note) { return note.find(text) != std::string::npos; });
  }
};

inline Planned planned(const Model& model, const BakeSettings& settings = {}) {
  SerialExecutor executor;
  Planned out;
  const double height = pose_bounds(model, rest_pose(model)).size().y;
  auto plans = plan_clips(model, settings, height, executor, out.notes);
  if (plans) out.plans = *std::move(plans);
  if (!plans) out.error = plans.error().message;
  return out;
}

// Every mesh's vertices in a pose, one after the other.
inline std::vector<glm::dvec3> vertices_in(const Model& model, const Pose& pose) {
  const auto palette = skinning_palette(model, pose);
  std::vector<glm::dvec3> out;
  for (std::size_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
    const auto skinned = skin_mesh(model, mesh, pose, palette);
    out.insert(out.end(), skinned.positions.begin(), skinned.positions.end());
  }
  return out;
}

// Keys of one bone's translation, every 1/rate seconds from `start`.
inline BoneTrack moving(std::uint32_t bone, int keys, double rate, double start,
                        const std::function<glm::dvec3(double)>& place_at) {
  BoneTrack track;
  track.bone = bone;
  for (int i = 0; i < keys; ++i) {
    const double time = i / rate;
    track.translation.times.push_back(static_cast<float>(start + time));
    track.translation.values.emplace_back(place_at(time));
  }
  return track;
}

}  // namespace throng
