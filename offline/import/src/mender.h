// SPDX-License-Identifier: Apache-2.0
#pragma once
// The one place that decides between refusing a fault and mending it. Readers report every fault that has one sensible
// meaning, with the words that refuse it; under ImportSettings::strict these come back as an error, otherwise the fault
// is counted and the reader goes on. What has no sensible meaning is no matter for a Mender: it fails.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "throng/base/result.h"
#include "throng/character/repairs.h"

namespace throng::detail::import {

// Each has a row in the table of mender.cpp, with the note that tells of it.
enum class Fault : std::uint8_t {
  none,  // for tables: no fault at all
  byte_order_mark,
  chunk_length,
  media_type,
  empty_list,
  property,
  look,
  repeated,
  undeclared_extension,
  normalised_floats,
  bounds,
  draco_counts,
  stride,
  shared_view,
  alignment,
  attribute_name,
  attribute_sets,
  no_texcoords,
  no_base_attribute,
  colour_range,
  negative_weight,
  normal_length,
  tangent_length,
  tangent_side,
  node_rotation,
  interpolation,
  short_spline,
  animated_matrix,
  weights_without_targets,
  weight_count,
  key,
  joints_apart,
  joints_outside,
  matrix_row,
  matrix,
  vertex,
  normal,
  tangent,
  attribute_value,
  instance,
  no_number,
  value_type,
  values_end,
  end_offset,
  array,
  count_,
};

class Mender {
 public:
  explicit Mender(bool strict) : strict_(strict) {}

  bool is_strict() const { return strict_; }

  // A fault that is passed over or mended: counted, or refused with these words.
  template <class... Args>
  Result<void> forgive(Fault fault, fmt::format_string<Args...> refusal, Args&&... args) {
    if (strict_) return fail(refusal, std::forward<Args>(args)...);
    count(fault);
    return {};
  }
  Result<void> forgive(Fault fault, Error refusal) {
    if (strict_) return fail(std::move(refusal));
    count(fault);
    return {};
  }

  // A fault that is mended elsewhere, by whoever reads the thing and counts what became of it.
  template <class... Args>
  Result<void> pass_on(fmt::format_string<Args...> refusal, Args&&... args) const {
    if (strict_) return fail(refusal, std::forward<Args>(args)...);
    return {};
  }

  void count(Fault fault, std::uint64_t times = 1) { counts_[static_cast<std::size_t>(fault)] += times; }

  // One note for each kind of fault, and its count among the repairs.
  void tell(std::vector<std::string>& notes, Repairs& repairs) const;

 private:
  bool strict_;
  std::array<std::uint64_t, static_cast<std::size_t>(Fault::count_)> counts_{};
};

}  // namespace throng::detail::import
