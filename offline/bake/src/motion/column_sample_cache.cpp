// SPDX-License-Identifier: Apache-2.0
#include "motion/column_sample_cache.h"

#include <algorithm>

namespace throng::detail::bake {
namespace {

constexpr std::uint64_t kMostKept = std::uint64_t{256} << 20;   // bytes
constexpr std::uint64_t kAlwaysKept = std::uint64_t{16} << 20;  // bytes, whatever there was at first

std::uint64_t bytes_of(const ClipPlan& plan, std::size_t columns) {
  constexpr std::uint64_t kPerSample = 2 * sizeof(glm::dmat4) + sizeof(Rigid);
  return kPerSample * columns * plan.frames.frame_count;
}

std::vector<glm::dmat4> chosen(const std::vector<glm::dmat4>& from, std::size_t width,
                               const std::vector<std::size_t>& columns) {
  std::vector<glm::dmat4> out;
  for (std::size_t first = 0; first < from.size(); first += width) {
    for (const std::size_t column : columns) out.push_back(from[first + column]);
  }
  return out;
}

}  // namespace

ColumnSampleCache::ColumnSampleCache(const Model& model, const std::vector<ClipPlan>& plans,
                                     const std::vector<Column>& columns, Executor& executor)
    : model_(model), plans_(plans), columns_(columns), kept_(plans.size()) {
  std::vector<std::size_t> keep;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    bytes += bytes_of(plans[i], columns.size());
    if (bytes > kMostKept) continue;
    keep.push_back(i);
    bytes_ += bytes_of(plans[i], columns.size());
  }
  most_ = std::max<std::uint64_t>(bytes_, kAlwaysKept);
  executor.run(keep.size(), [&](std::size_t i) { kept_[keep[i]] = sample_columns(model, plans[keep[i]], columns); });
}

void ColumnSampleCache::keep_columns(const std::vector<std::size_t>& columns) {
  std::vector<Column> fewer;
  bytes_ = 0;
  for (const std::size_t column : columns) fewer.push_back(columns_[column]);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    ColumnSamples& samples = kept_[i];
    if (samples.frame_count == 0) continue;
    samples.matrices = chosen(samples.matrices, samples.column_count, columns);
    samples.halfway = chosen(samples.halfway, samples.column_count, columns);
    samples.column_count = columns.size();
    fill_rigid(samples);
    bytes_ += bytes_of(plans_[i], columns.size());
  }
  columns_ = std::move(fewer);
}

void ColumnSampleCache::replan(std::size_t clip, const ClipPlan& plan) {
  if (kept_[clip].frame_count > 0) {
    forget(clip);
    const std::uint64_t bytes = bytes_of(plan, columns_.size());
    if ((bytes_ += bytes) <= most_) {
      kept_[clip] = sample_columns(model_, plan, columns_);
    } else {
      bytes_ -= bytes;
    }
  }
  plans_[clip] = plan;
}

void ColumnSampleCache::forget(std::size_t clip) {
  if (kept_[clip].frame_count > 0) bytes_ -= bytes_of(plans_[clip], columns_.size());
  kept_[clip] = {};
}

}  // namespace throng::detail::bake
