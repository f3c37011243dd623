// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which records of an array were written, in order, so that a copy of it elsewhere can be brought up to date.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace throng::detail::playback {

class Journal {
 public:
  // `size`: of the array. Copying all of it is cheaper than following a journal much longer than that.
  void add(std::uint32_t index, std::size_t size) {
    indices_.push_back(index);
    if (indices_.size() <= std::max<std::size_t>(kFewestKept, 2 * size)) return;
    const std::size_t half = indices_.size() / 2;
    indices_.erase(indices_.begin(), indices_.begin() + static_cast<std::ptrdiff_t>(half));
    forgotten_ += half;
  }

  std::uint64_t version() const { return forgotten_ + indices_.size(); }

  std::optional<std::span<const std::uint32_t>> since(std::uint64_t version) const {
    if (version < forgotten_ || version > this->version()) return std::nullopt;
    return std::span(indices_).subspan(static_cast<std::size_t>(version - forgotten_));
  }

 private:
  static constexpr std::size_t kFewestKept = 4096;
  std::vector<std::uint32_t> indices_;
  std::uint64_t forgotten_ = 0;
};

}  // namespace throng::detail::playback
