// SPDX-License-Identifier: Apache-2.0
#pragma once
// What reading one file may take. Readers say how many bytes they are about to take, before they take them; what is
// freed again on the way counts too, so that the sum is above what is ever held at once. Where things of a file name
// one another many times over they also say how many steps that takes: no bytes tell of them.

#include <cstdint>
#include <string_view>

#include "throng/base/result.h"
#include "throng/model/model.h"

namespace throng::detail::import {

// Every primitive on every node is a mesh of the model: as an object, in a list that grows while the one before is
// held, and its arrays as blocks of their own. Names come to it.
inline constexpr std::uint64_t kBytesOfBlock = 32;
inline constexpr std::uint64_t kBytesOfMesh = 3 * sizeof(Mesh) + 8 * kBytesOfBlock;
inline constexpr std::uint64_t kBytesOfTarget = 3 * sizeof(MorphTarget) + 3 * kBytesOfBlock;

class Budget {
 public:
  // `asked`: ImportSettings::budget. `file_bytes`: what was read from disk, with everything the file names.
  Budget(std::uint64_t asked, std::uint64_t file_bytes);

  // Bytes, so many times over. The error says what is needed so far and what there is;
  // what was refused is not taken.
  Result<void> spend(std::uint64_t bytes, std::uint64_t times, std::string_view on);
  Result<void> spend(std::uint64_t bytes, std::string_view on) { return spend(bytes, 1, on); }
  // Whether there is room for these too, which are given back before any others are taken.
  Result<void> lend(std::uint64_t bytes, std::string_view on);

  // What is done over and over with what the file says once: a step is what takes about half a microsecond. The error
  // says how many it would be so far and how many there are.
  Result<void> look(std::uint64_t steps, std::string_view on);
  Result<void> look(std::uint64_t steps, std::uint64_t times, std::string_view on);

  // More was read from disk than was known at first.
  void add_file(std::uint64_t file_bytes);

  std::uint64_t allowed() const { return allowed_; }
  std::uint64_t left() const { return allowed_ - spent_; }

 private:
  std::uint64_t asked_;
  std::uint64_t file_bytes_;
  std::uint64_t allowed_;
  std::uint64_t spent_ = 0;
  std::uint64_t looked_ = 0;
};

}  // namespace throng::detail::import
