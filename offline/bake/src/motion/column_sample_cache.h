// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every column does in every clip: kept where that takes little memory, worked out again where not.

#include <atomic>

#include "motion/column_samples.h"

namespace throng::detail::bake {

class ColumnSampleCache {
 public:
  ColumnSampleCache(const Model& model, const std::vector<ClipPlan>& plans, const std::vector<Column>& columns,
                    Executor& executor);

  // Calls use(samples) with the ColumnSamples of a clip. From any thread.
  template <class Use>
  auto with(std::size_t clip, Use&& use) const {
    if (kept_[clip].frame_count > 0) return use(kept_[clip]);
    return use(sample_columns(model_, plans_[clip], columns_));
  }

  std::size_t size() const { return plans_.size(); }
  const ClipPlan& plan(std::size_t clip) const { return plans_[clip]; }

  // From now on only these columns, in this order.
  void keep_columns(const std::vector<std::size_t>& columns);
  // From now on the clip by another plan. It is kept if that takes no more memory than all of them did at first.
  void replan(std::size_t clip, const ClipPlan& plan);
  // What the clip does is not asked for again.
  void forget(std::size_t clip);

 private:
  const Model& model_;
  std::vector<ClipPlan> plans_;
  std::vector<Column> columns_;
  std::vector<ColumnSamples> kept_;  // without frames where not kept
  std::uint64_t most_ = 0;           // bytes, of all that are kept
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace throng::detail::bake
