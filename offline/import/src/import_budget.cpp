// SPDX-License-Identifier: Apache-2.0
#include "import_budget.h"

#include <limits>

#include "throng/base/memory_budget.h"

namespace throng::detail::import {
namespace {

constexpr double kMegabyte = 1024.0 * 1024.0;
// Eight million with the 512 MiB of a small file: some seconds' work.
constexpr std::uint64_t kBytesForStep = 64;

// As large as a number can be where the sum or product is larger.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return b > std::numeric_limits<std::uint64_t>::max() - a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return a > 0 && b > std::numeric_limits<std::uint64_t>::max() / a ? std::numeric_limits<std::uint64_t>::max() : a * b;
}

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / kMegabyte; }

}  // namespace

Budget::Budget(std::uint64_t asked, std::uint64_t file_bytes)
    : asked_(asked), file_bytes_(file_bytes), allowed_(asked > 0 ? asked : usual_memory_budget(file_bytes)) {}

void Budget::add_file(std::uint64_t file_bytes) {
  file_bytes_ += file_bytes;
  if (asked_ == 0) allowed_ = usual_memory_budget(file_bytes_);
}

Result<void> Budget::spend(std::uint64_t bytes, std::uint64_t times, std::string_view on) {
  const std::uint64_t needed = sum(spent_, product(bytes, times));
  if (needed <= allowed_) {
    spent_ = needed;
    return {};
  }
  return fail(
      "would take {:.0f} MiB of memory, with its {}; {:.0f} MiB is what a file of {:.1f} kB may take, unless "
      "the budget is raised",
      megabytes(needed), on, megabytes(allowed_), static_cast<double>(file_bytes_) / 1000.0);
}

Result<void> Budget::look(std::uint64_t steps, std::string_view on) { return look(steps, 1, on); }

Result<void> Budget::look(std::uint64_t steps, std::uint64_t times, std::string_view on) {
  const std::uint64_t needed = sum(looked_, product(steps, times));
  const std::uint64_t most = allowed_ / kBytesForStep;
  if (needed <= most) {
    looked_ = needed;
    return {};
  }
  return fail(
      "would take {} steps to read, with its {}; {} is what a file of {:.1f} kB may take, unless the budget is raised",
      needed, on, most, static_cast<double>(file_bytes_) / 1000.0);
}

Result<void> Budget::lend(std::uint64_t bytes, std::string_view on) {
  const std::uint64_t before = spent_;
  auto lent = spend(bytes, on);
  spent_ = before;
  return lent;
}

}  // namespace throng::detail::import
