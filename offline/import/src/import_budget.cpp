// SPDX-License-Identifier: Apache-2.0
#include "import_budget.h"

#include <limits>

#include "throng/base/memory_budget.h"

namespace throng::detail::import {
namespace {

constexpr double kMegabyte = 1024.0 * 1024.0;

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / kMegabyte; }

}  // namespace

Budget::Budget(std::uint64_t asked, std::uint64_t file_bytes)
    : asked_(asked), file_bytes_(file_bytes), allowed_(asked > 0 ? asked : usual_memory_budget(file_bytes)) {}

void Budget::add_file(std::uint64_t file_bytes) {
  file_bytes_ += file_bytes;
  if (asked_ == 0) allowed_ = usual_memory_budget(file_bytes_);
}

Result<void> Budget::spend(std::uint64_t bytes, std::uint64_t times, std::string_view on) {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t more = bytes > 0 && times > kAll / bytes ? kAll : bytes * times;
  const std::uint64_t needed = more > kAll - spent_ ? kAll : spent_ + more;
  if (needed <= allowed_) {
    spent_ = needed;
    return {};
  }
  return fail(
      "would take {:.0f} MiB of memory, with its {}; {:.0f} MiB is what a file of {:.1f} kB may take, unless "
      "the budget is raised",
      megabytes(needed), on, megabytes(allowed_), static_cast<double>(file_bytes_) / 1000.0);
}

Result<void> Budget::lend(std::uint64_t bytes, std::string_view on) {
  const std::uint64_t before = spent_;
  auto lent = spend(bytes, on);
  spent_ = before;
  return lent;
}

}  // namespace throng::detail::import
