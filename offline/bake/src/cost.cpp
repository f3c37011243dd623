// SPDX-License-Identifier: Apache-2.0
#include "cost.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "levels/level_poses.h"
#include "throng/base/memory_budget.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/model/drawn.h"

namespace throng::detail::bake {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

// Measured on sheets of 10,000 to 260,000 vertices, skeletons of 1 to 250 bones and clips of up to 8,000 s, and rounded
// up. What levels, near characters and the file itself need is in them.
constexpr double kBytesOfVertex = 500.0;
constexpr double kBytesOfIndex = 56.0;
constexpr double kBytesOfLevels = 64.0 * kMebibyte;
constexpr double kBytesOfLevelTriangle = 4000.0;
constexpr double kBytesOfOffset = 220.0;  // of one morph target, for one vertex
constexpr double kBytesOfFrame = 250.0;
constexpr double kBytesOfBoneFrame = 1200.0;
constexpr double kBytesOfVertexFrame = 24.0;  // in a bake of vertices
constexpr double kBytesOfWeight = 64.0;       // of one morph target, at one key or frame

constexpr double kSecondsOfLevelTriangle = 4e-4;
constexpr double kSecondsOfLevelPose = 0.005;
constexpr double kMostSecondsOfLevelPose = 0.02;  // where the poses fold the surface into itself
constexpr double kShareOfLevelPoses = 0.4;        // of the seconds that there are
constexpr auto kMostLevelPoses = static_cast<double>(LevelPoses::kMost);
constexpr double kSecondsOfClip = 2e-3;
constexpr double kSecondsOfFrame = 8e-6;
constexpr double kSecondsOfBoneFrame = 7e-6;
constexpr double kSecondsOfComparedVertex = 0.5e-6;  // at one frame
constexpr double kSecondsOfVertexFrame = 1.2e-6;     // in a bake of vertices
constexpr double kSecondsOfOffset = 0.5e-6;

double bytes_of(const Mesh& mesh) {
  double bytes = 0.0;
  const auto add = [&bytes](const auto& values) { bytes += static_cast<double>(values.size()) * sizeof(values[0]); };
  add(mesh.positions);
  add(mesh.normals);
  add(mesh.tangents);
  add(mesh.uvs);
  add(mesh.colours);
  add(mesh.influences);
  add(mesh.extra_influences);
  add(mesh.indices);
  for (const MorphTarget& target : mesh.morph_targets) {
    add(target.positions);
    add(target.normals);
  }
  return bytes;
}

double bytes_of(const Clip& clip) {
  double bytes = 0.0;
  const auto add = [&bytes](const auto& curve) {
    bytes += static_cast<double>(curve.times.size()) * sizeof(curve.times[0]) +
             static_cast<double>(curve.values.size()) * sizeof(curve.values[0]);
  };
  for (const BoneTrack& track : clip.bones) {
    add(track.translation);
    add(track.rotation);
    add(track.scale);
  }
  for (const MorphTrack& track : clip.morphs) add(track.weights);
  return bytes;
}

struct Counts {
  double vertices = 0.0;
  double indices = 0.0;
  double offsets = 0.0;  // targets times vertices
  double targets = 0.0;
};

Counts count(const Model& model) {
  Counts counts;
  for (const Mesh& mesh : model.meshes()) {
    if (!is_drawn(mesh)) continue;
    const auto vertices = static_cast<double>(mesh.positions.size());
    const auto targets = static_cast<double>(mesh.morph_targets.size());
    counts.vertices += vertices;
    counts.indices += static_cast<double>(mesh.indices.size());
    counts.targets += targets;
    counts.offsets += targets * vertices;
  }
  return counts;
}

double seconds_of(const BakeSettings& settings) { return work_budget(settings.memory_budget, settings.work_seconds); }

}  // namespace

std::size_t affordable_level_poses(const BakeSettings& settings) {
  constexpr double kFewest = 16.0;
  if (settings.memory_budget == 0) return static_cast<std::size_t>(kMostLevelPoses);
  const double poses = kShareOfLevelPoses * seconds_of(settings) / kMostSecondsOfLevelPose;
  return static_cast<std::size_t>(std::clamp(poses, kFewest, kMostLevelPoses));
}

Cost cost_of_vertex_frames(double frames, double vertices) {
  return {frames * vertices * kBytesOfVertexFrame, frames * vertices * kSecondsOfVertexFrame};
}

namespace {

Cost cost_of(const Model& model, const BakeSettings& settings, const std::vector<const Clip*>& clips) {
  const bool vertex_mode = settings.mode == BakeMode::vertices;
  const Counts counts = count(model);
  Cost cost;
  for (const Mesh& mesh : model.meshes()) cost.bytes += bytes_of(mesh);
  for (const Clip& clip : model.clips()) cost.bytes += bytes_of(clip);
  if (!settings.only.empty() || !settings.without.empty()) cost.bytes *= 2.0;  // what remains is a model of its own
  double frames = 0.0;
  double weights = 0.0;
  for (const Clip* clip : clips) {
    const double here = clip->length() * settings.frame_rate.value_or(kUsualFrameRate) + 1.0;
    frames += here;
    cost.bytes += 2.0 * bytes_of(*clip);  // selected, and planned
    if (clip->morphs.empty()) continue;
    double keys = here;
    for (const MorphTrack& track : clip->morphs) keys += static_cast<double>(track.weights.times.size());
    weights += counts.targets * keys;
  }
  const auto bones = static_cast<double>(model.bones().size());
  cost.bytes += counts.vertices * kBytesOfVertex + counts.indices * kBytesOfIndex;
  cost.bytes += counts.offsets * kBytesOfOffset + weights * kBytesOfWeight;
  cost.bytes += frames * kBytesOfFrame + frames * bones * kBytesOfBoneFrame;
  cost.seconds += static_cast<double>(clips.size()) * kSecondsOfClip;
  cost.seconds += frames * kSecondsOfFrame + frames * bones * kSecondsOfBoneFrame;
  cost.seconds += frames * counts.vertices * (vertex_mode ? kSecondsOfVertexFrame : kSecondsOfComparedVertex);
  cost.seconds += counts.offsets * kSecondsOfOffset;
  if (vertex_mode) cost.bytes += frames * counts.vertices * kBytesOfVertexFrame;
  if (settings.levels > 1) {
    cost.bytes += kBytesOfLevels + counts.indices / 3.0 * kBytesOfLevelTriangle;
    cost.seconds += counts.indices / 3.0 * kSecondsOfLevelTriangle;
    cost.seconds += std::min(frames, static_cast<double>(affordable_level_poses(settings))) * kSecondsOfLevelPose;
  }
  return cost;
}

}  // namespace

Cost cost_of(const Model& model, const BakeSettings& settings, std::span<const SelectedClip> clips) {
  std::vector<const Clip*> all;
  for (const SelectedClip& one : clips) all.push_back(&one.clip);
  return cost_of(model, settings, all);
}

Cost left_for_search(const Model& model, const BakeSettings& settings, std::span<const ClipPlan> plans) {
  constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  if (settings.memory_budget == 0) return {kNoEnd, kNoEnd};
  std::vector<const Clip*> clips;
  for (const ClipPlan& plan : plans) clips.push_back(&plan.clip);
  BakeSettings plain = settings;
  plain.levels = 1;  // they are made before, and what that took is given back
  const auto budget = static_cast<double>(settings.memory_budget);
  return {std::max(0.0, budget - cost_of(model, plain, clips).bytes),
          std::max(0.0, seconds_of(settings) - cost_of(model, settings, clips).seconds)};
}

namespace {

bool fits(const Cost& cost, const BakeSettings& settings) {
  return cost.bytes <= static_cast<double>(settings.memory_budget) && cost.seconds <= seconds_of(settings);
}

}  // namespace

Result<std::uint32_t> affordable_levels(const Model& model, const BakeSettings& settings,
                                        std::vector<std::string>& warnings) {
  const std::uint64_t budget = settings.memory_budget;
  if (budget == 0 || settings.levels <= 1) return settings.levels;
  THRONG_TRY(const std::vector<SelectedClip> clips, selected_clips(model, settings));
  const Cost all = cost_of(model, settings, clips);
  if (fits(all, settings)) return settings.levels;
  BakeSettings plain = settings;
  plain.levels = 1;
  const Cost without = cost_of(model, plain, clips);
  if (!fits(without, settings)) return 1;  // check_cost refuses it, and says what would do
  warnings.push_back(fmt::format(
      "no levels of detail: to make them would take about {:.0f} MiB of memory and {:.1f} s more, and {:.0f} MiB and "
      "{:.1f} s are what its file may take, unless the budget is raised",
      (all.bytes - without.bytes) / kMebibyte, all.seconds - without.seconds, static_cast<double>(budget) / kMebibyte,
      seconds_of(settings)));
  return 1;
}

void note_cut_short(std::size_t clips, const BakeSettings& settings, std::vector<std::string>& notes) {
  if (clips == 0) return;
  notes.push_back(fmt::format(
      "the search for rate and encoding was cut short for {}: {:.0f} MiB and {:.1f} s are what its file may take, "
      "unless the budget is raised",
      counted(clips, "clip"), static_cast<double>(settings.memory_budget) / kMebibyte, seconds_of(settings)));
}

Result<void> check_cost(const Model& model, const BakeSettings& settings, std::span<const SelectedClip> clips) {
  if (settings.memory_budget == 0) return {};
  const Cost cost = cost_of(model, settings, clips);
  if (fits(cost, settings)) return {};
  return fail(
      "model '{}' would take about {:.0f} MiB of memory and {:.1f} s to bake{}; {:.0f} MiB and {:.1f} s are what its "
      "file may take, unless the budget is raised; fewer clips or parts take less",
      model.name(), std::ceil(cost.bytes / kMebibyte), cost.seconds,
      settings.levels > 1 ? "" : ", without levels of detail", static_cast<double>(settings.memory_budget) / kMebibyte,
      seconds_of(settings));
}

}  // namespace throng::detail::bake
