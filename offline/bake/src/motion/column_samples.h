// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every column does in one clip, sampled at the frames the clip is planned to have.

#include "motion/columns.h"
#include "motion/rigid.h"

namespace throng::detail::bake {

// Where a clip does what an encoding cannot hold.
struct Misfit {
  std::size_t column = 0;
  std::uint32_t frame = 0;
  std::string what;  // "is mirrored"
};

struct ColumnSamples {
  std::size_t column_count = 0;
  std::uint32_t frame_count = 0;
  std::vector<glm::dmat4> matrices;       // model_from_baked, by frame and column
  std::vector<Rigid> rigid;               // the same; a column's neighbours in one hemisphere. Empty: `misfit` says why
  std::vector<glm::dmat4> halfway;        // as `matrices`, between a frame and the next
  std::vector<std::uint8_t> has_halfway;  // by frame: 0 where nothing follows or the source says nothing
  std::optional<Misfit> misfit;           // the first thing that is not rotation and uniform scale

  std::size_t at(std::uint32_t frame, std::size_t column) const { return frame * column_count + column; }
  bool finite() const;
};

// Fills `rigid`, or `misfit`, from `matrices`.
void fill_rigid(ColumnSamples& samples);

ColumnSamples sample_columns(const Model& model, const ClipPlan& plan, const std::vector<Column>& columns);

}  // namespace throng::detail::bake
