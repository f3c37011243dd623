// SPDX-License-Identifier: Apache-2.0
#include "measure/error_tally.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::bake {

void ErrorTally::add(const ErrorTally& other) {
  add_all_but_sum(other);
  add_sum(other.sum_);
}

void ErrorTally::add_all_but_sum(const ErrorTally& other) {
  for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

ErrorTally::Packed ErrorTally::packed() const {
  Packed out{{}, count_, sum_, max_};
  for (std::uint32_t i = 0; i < bins_.size(); ++i) {
    if (bins_[i] > 0) out.bins.emplace_back(i, bins_[i]);
  }
  return out;
}

void ErrorTally::add_all_but_sum(const Packed& other) {
  for (const auto& [bin, times] : other.bins) bins_[bin] += times;
  count_ += other.count;
  max_ = std::max(max_, other.max);
}

double ErrorTally::max() const { return std::sqrt(max_); }

double ErrorTally::rms() const { return count_ == 0 ? 0.0 : std::sqrt(sum_ / static_cast<double>(count_)); }

double ErrorTally::p999() const {
  const std::uint64_t rank = count_ - count_ / 1000;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    seen += bins_[i];
    if (seen < rank || bins_[i] == 0) continue;
    if (i == 0) return 0.0;
    const double low = std::bit_cast<double>((kFirst + i) << kShift);
    const double high = std::bit_cast<double>((kFirst + i + 1) << kShift);
    return std::min(std::sqrt(0.5 * (low + high)), max());
  }
  return 0.0;
}

}  // namespace throng::detail::bake
