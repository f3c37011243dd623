// SPDX-License-Identifier: Apache-2.0
#include "motion/bone_stillness.h"

#include <algorithm>
#include <cmath>

#include "motion/skeleton.h"

namespace throng::detail::bake {
namespace {

constexpr double kTurnNoise = 1e-6;   // radians
constexpr double kShiftNoise = 1e-6;  // of the model's size
constexpr double kScaleNoise = 1e-5;  // of the scale

bool turned(const Transform& a, const Transform& b) {
  const glm::dquat same_side = glm::dot(a.rotation, b.rotation) < 0.0 ? -b.rotation : b.rotation;
  return 2.0 * glm::length(a.rotation - same_side) > kTurnNoise;
}

bool shifted(const Transform& a, const Transform& b, double size) {
  return glm::distance(a.translation, b.translation) > kShiftNoise * size;
}

bool grown(const Transform& a, const Transform& b) {
  return glm::distance(a.scale, b.scale) > kScaleNoise * glm::length(a.scale);
}

bool is_even(const glm::dvec3& scale) {
  glm::dmat4 m(1.0);
  for (int i = 0; i < 3; ++i) m[i][i] = scale[i];
  return is_rigid(m);
}

struct Looker {
  const Model& model;
  const ClipPlan& plan;
  const Stillness& still;
  ClipStillness& out;

  void look(double time) {
    const Pose pose = sample_planned(model, plan, time);
    for (std::size_t bone = 0; bone < still.needed.size(); ++bone) {
      if (still.needed[bone] == 0) continue;
      const Transform& now = pose.bones[bone];
      if (turned(still.first[bone], now)) out.turns[bone] = 1;
      if (shifted(still.first[bone], now, still.size)) out.shifts[bone] = 1;
      if (grown(still.first[bone], now)) out.grows[bone] = 1;
      if (!out.uneven[bone] && !is_even(now.scale)) out.uneven[bone] = time;
    }
  }
};

ClipStillness still_in(const Model& model, const ClipPlan& plan, const Stillness& still) {
  const std::size_t bones = still.needed.size();
  ClipStillness out{std::vector<std::optional<double>>(bones), std::vector<std::uint8_t>(bones, 0),
                    std::vector<std::uint8_t>(bones, 0), std::vector<std::uint8_t>(bones, 0)};
  Looker looker{model, plan, still, out};
  for (std::uint32_t frame = 0; frame < plan.frames.frame_count; ++frame) {
    looker.look(plan.source_time(frame, 0.0));
    if (plan.frames.loops || frame + 1 < plan.frames.frame_count) looker.look(plan.source_time(frame, 0.5));
  }
  return out;
}

}  // namespace

Stillness find_stillness(const Model& model, const std::vector<ClipPlan>& plans, const std::vector<Column>& columns,
                         double size, Executor& executor) {
  const std::size_t bones = model.bones().size();
  Stillness still;
  still.size = size;
  still.needed.assign(bones, 0);
  for (const Column& column : columns) still.needed[column.bone] = 1;
  for (std::size_t bone = bones; bone-- > 0;) {
    if (still.needed[bone] != 0 && model.bones()[bone].parent) still.needed[*model.bones()[bone].parent] = 1;
  }
  still.first = sample_planned(model, plans[0], plans[0].source_time(0, 0.0)).bones;
  still.turns.assign(bones, 0);
  still.shifts.assign(bones, 0);
  still.grows.assign(bones, 0);
  still.clips.resize(plans.size());
  executor.run(plans.size(), [&](std::size_t i) { still.clips[i] = still_in(model, plans[i], still); });
  for (const ClipStillness& clip : still.clips) {
    for (std::size_t bone = 0; bone < bones; ++bone) {
      still.turns[bone] |= clip.turns[bone];
      still.shifts[bone] |= clip.shifts[bone];
      still.grows[bone] |= clip.grows[bone];
    }
  }
  return still;
}

BoneMoves moves_of(const Transform& from, const Transform& to, double size) {
  return {turned(from, to), shifted(from, to, size), grown(from, to)};
}

bool has_moved(const Transform& from, const Transform& to, double size) {
  return turned(from, to) || shifted(from, to, size) || grown(from, to);
}

BoneSample moved_link(const LinkSource& source, const Transform& bone) {
  const BoneSample& above = source.above;
  return {above.rotation * bone.rotation, above.position + above.scale * (above.rotation * bone.translation),
          above.scale * ((bone.scale.x + bone.scale.y + bone.scale.z) / 3.0)};
}

}  // namespace throng::detail::bake
