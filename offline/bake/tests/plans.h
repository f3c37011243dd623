// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plans of small models, made as the bake makes them.

#include "motion/clip_plan.h"
#include "small_models.h"

namespace throng {
using namespace detail::bake;

struct Planned {
  std::vector<ClipPlan> plans;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  std::string error;  // empty: none

  bool has_note(std::string_view text) const {
    return std::any_of(notes.begin(), notes.end(),
                       [&](const std::string& note) { return note.find(text) != std::string::npos; });
  }
};

inline Planned planned(const Model& model, const BakeSettings& settings = {}) {
  SerialExecutor executor;
  Planned out;
  Remarks remarks;
  auto plans = plan_clips(model, settings, executor, remarks);
  out.notes = std::move(remarks.notes);
  out.warnings = std::move(remarks.warnings);
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

}  // namespace throng
