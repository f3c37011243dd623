#include "motion.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

// Neighbours in one hemisphere; at scale 0 the rotation there was before, or will be.
void make_continuous(ClipMotion& motion, std::size_t column) {
  const auto frame_at = [&](std::uint32_t frame) -> Rigid& { return motion.rigid[motion.at(frame, column)]; };
  std::uint32_t first = 0;
  while (first < motion.frame_count && !(frame_at(first).scale > 0.0)) ++first;
  if (first == motion.frame_count) return;
  glm::dquat last = frame_at(first).rotation;
  if (last.w < 0.0) last = -last;
  for (std::uint32_t frame = 0; frame < motion.frame_count; ++frame) {
    Rigid& rigid = frame_at(frame);
    if (!(rigid.scale > 0.0)) rigid.rotation = last;
    if (glm::dot(rigid.rotation, last) < 0.0) rigid.rotation = -rigid.rotation;
    last = rigid.rotation;
  }
}

}  // namespace

bool ClipMotion::finite() const {
  return std::all_of(matrices.begin(), matrices.end(), [](const glm::dmat4& m) {
    return std::isfinite(glm::dot(m[0], m[0]) + glm::dot(m[1], m[1]) + glm::dot(m[2], m[2]) + glm::dot(m[3], m[3]));
  });
}

void fill_rigid(ClipMotion& motion) {
  motion.rigid.clear();
  motion.misfit.reset();
  motion.rigid.reserve(motion.matrices.size());
  for (std::uint32_t frame = 0; frame < motion.frame_count; ++frame) {
    for (std::size_t column = 0; column < motion.column_count; ++column) {
      const auto rigid = to_rigid(motion.matrices[motion.at(frame, column)]);
      if (!rigid) {
        motion.misfit = Misfit{column, frame, rigid.error().message};
        motion.rigid.clear();
        return;
      }
      motion.rigid.push_back(*rigid);
    }
  }
  for (std::size_t column = 0; column < motion.column_count; ++column) make_continuous(motion, column);
}

ClipMotion move_columns(const Model& model, const ClipPlan& plan, const std::vector<Column>& columns) {
  ClipMotion motion;
  motion.column_count = columns.size();
  motion.frame_count = plan.frames.frame_count;
  motion.matrices.reserve(columns.size() * motion.frame_count);
  motion.halfway.resize(columns.size() * motion.frame_count);
  motion.has_halfway.assign(motion.frame_count, 0);
  for (std::uint32_t frame = 0; frame < motion.frame_count; ++frame) {
    const auto bones = bones_at(model, plan, plan.source_time(frame, 0.0));
    for (const Column& column : columns) motion.matrices.push_back(bones[column.bone] * column.bone_from_baked);
    const bool leads_on = plan.frames.loops || frame + 1 < motion.frame_count;
    const double time = leads_on ? plan.source_time(frame, 0.5) : 0.0;
    if (!leads_on || !plan.has_source(time)) continue;
    motion.has_halfway[frame] = 1;
    const auto between = bones_at(model, plan, time);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      motion.halfway[motion.at(frame, i)] = between[columns[i].bone] * columns[i].bone_from_baked;
    }
  }
  fill_rigid(motion);
  return motion;
}

}  // namespace throng
