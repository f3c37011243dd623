// SPDX-License-Identifier: Apache-2.0
#include "motion/column_samples.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::bake {
namespace {

// Neighbours in one hemisphere; at scale 0 the rotation there was before, or will be.
void make_continuous(ColumnSamples& samples, std::size_t column) {
  const auto frame_at = [&](std::uint32_t frame) -> Rigid& { return samples.rigid[samples.at(frame, column)]; };
  std::uint32_t first = 0;
  while (first < samples.frame_count && !(frame_at(first).scale > 0.0)) ++first;
  if (first == samples.frame_count) return;
  glm::dquat last = frame_at(first).rotation;
  if (last.w < 0.0) last = -last;
  for (std::uint32_t frame = 0; frame < samples.frame_count; ++frame) {
    Rigid& rigid = frame_at(frame);
    if (!(rigid.scale > 0.0)) rigid.rotation = last;
    if (glm::dot(rigid.rotation, last) < 0.0) rigid.rotation = -rigid.rotation;
    last = rigid.rotation;
  }
}

}  // namespace

bool ColumnSamples::finite() const {
  return std::all_of(matrices.begin(), matrices.end(), [](const glm::dmat4& m) {
    return std::isfinite(glm::dot(m[0], m[0]) + glm::dot(m[1], m[1]) + glm::dot(m[2], m[2]) + glm::dot(m[3], m[3]));
  });
}

void fill_rigid(ColumnSamples& samples) {
  samples.rigid.clear();
  samples.misfit.reset();
  samples.rigid.reserve(samples.matrices.size());
  for (std::uint32_t frame = 0; frame < samples.frame_count; ++frame) {
    for (std::size_t column = 0; column < samples.column_count; ++column) {
      const auto rigid = to_rigid(samples.matrices[samples.at(frame, column)]);
      if (!rigid) {
        samples.misfit = Misfit{column, frame, rigid.error().message};
        samples.rigid.clear();
        return;
      }
      samples.rigid.push_back(*rigid);
    }
  }
  for (std::size_t column = 0; column < samples.column_count; ++column) make_continuous(samples, column);
}

ColumnSamples sample_columns(const Model& model, const ClipPlan& plan, const std::vector<Column>& columns) {
  ColumnSamples samples;
  samples.column_count = columns.size();
  samples.frame_count = plan.frames.frame_count;
  samples.matrices.reserve(columns.size() * samples.frame_count);
  samples.halfway.resize(columns.size() * samples.frame_count);
  samples.has_halfway.assign(samples.frame_count, 0);
  for (std::uint32_t frame = 0; frame < samples.frame_count; ++frame) {
    const auto bones = bones_at(model, plan, plan.source_time(frame, 0.0));
    for (const Column& column : columns) samples.matrices.push_back(bones[column.bone] * column.bone_from_baked);
    const bool leads_on = plan.frames.loops || frame + 1 < samples.frame_count;
    const double time = leads_on ? plan.source_time(frame, 0.5) : 0.0;
    if (!leads_on || !plan.has_source(time)) continue;
    samples.has_halfway[frame] = 1;
    const auto between = bones_at(model, plan, time);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      samples.halfway[samples.at(frame, i)] = between[columns[i].bone] * columns[i].bone_from_baked;
    }
  }
  fill_rigid(samples);
  return samples;
}

}  // namespace throng::detail::bake
