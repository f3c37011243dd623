// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collects squared distances: their maximum, mean and 99.9th percentile, the last to within half a percent.

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace throng::detail::bake {

class ErrorTally {
 public:
  void add(double squared, std::uint32_t times = 1) {
    add_to_bin(squared, times);
    add_totals(times, squared * times, squared);
  }

  // The same in two steps, for loops that sum up by themselves.
  void add_to_bin(double squared, std::uint32_t times) { bins_[bin_of(squared)] += times; }
  void add_totals(std::uint64_t count, double sum, double max) {
    count_ += count;
    sum_ += sum;
    if (max > max_) max_ = max;
  }

  // The same with nothing of empty bins, for those who keep many tallies.
  struct Packed {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> bins;
    std::uint64_t count = 0;
    double sum = 0.0;
    double max = 0.0;
  };
  Packed packed() const;
  void add_all_but_sum(const Packed& other);

  void add(const ErrorTally& other);
  // The same without the mean, which depends on the order of summing: for tallies that come in any order.
  void add_all_but_sum(const ErrorTally& other);
  void add_sum(double squares) { sum_ += squares; }

  std::uint64_t count() const { return count_; }
  double sum() const { return sum_; }
  double max() const;  // distances, not squared
  double rms() const;
  double p999() const;

 private:
  // Bins are 64 to an octave of the squared distance: the exponent and six bits of a double's fraction.
  static constexpr int kFractionBits = 6;
  static constexpr int kShift = 52 - kFractionBits;
  static constexpr std::uint64_t kFirst = std::uint64_t{1023 - 120} << kFractionBits;  // 2^-120: below it all is 0
  static constexpr std::uint64_t kBins = std::uint64_t{200} << kFractionBits;          // up to 2^80

  static std::size_t bin_of(double squared) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(squared) >> kShift;
    if (bits < kFirst) return 0;
    return bits - kFirst < kBins ? bits - kFirst : kBins - 1;
  }

  std::vector<std::uint64_t> bins_ = std::vector<std::uint64_t>(kBins, 0);
  std::uint64_t count_ = 0;
  double sum_ = 0.0;
  double max_ = 0.0;
};

}  // namespace throng::detail::bake
