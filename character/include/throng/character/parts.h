// SPDX-License-Identifier: Apache-2.0
#pragma once
// Named pieces of a character's mesh that an instance may wear or not: a helmet, a sword, one of four shields.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "throng/character/ids.h"
#include "throng/math/bounds.h"

namespace throng {

inline constexpr std::size_t kMostParts = 64;  // parts that a character has, at most: one a bit of a mask

// A part of the mesh, by name.
struct BakedPart {
  std::string name;
  Bounds bounds;  // where it is in any pose of any clip, model space
};

// Parts of which an instance usually wears one: the first, unless it is told otherwise.
struct PartGroup {
  std::string name;
  bool optional = false;  // one, or none
  std::vector<PartId> parts;
  // So many at the end are worn only where they are asked for: no outfit that is picked by a seed has them.
  std::uint32_t only_asked = 0;
};

// Which parts an instance wears: all but those that were taken off.
class PartMask {
 public:
  constexpr PartMask() = default;
  explicit constexpr PartMask(std::uint64_t hidden) : hidden_(hidden) {}  // all but those whose bit is set in `hidden`

  // Parts past the last that is possible are always worn.
  constexpr bool has(PartId part) const { return (hidden_ & bit(part)) == 0; }
  constexpr void put_on(PartId part) { hidden_ &= ~bit(part); }   // wears the part from now on
  constexpr void take_off(PartId part) { hidden_ |= bit(part); }  // wears the part no longer
  // A bit for each part that is not worn.
  constexpr std::uint64_t hidden() const { return hidden_; }

  friend constexpr bool operator==(const PartMask&, const PartMask&) = default;

 private:
  static constexpr std::uint64_t bit(PartId part) {
    return part.value < kMostParts ? std::uint64_t{1} << part.value : 0;
  }

  std::uint64_t hidden_ = 0;
};

// All that is in no group, and the first of every group.
PartMask usual_parts(const std::vector<PartGroup>& groups);

// All that is in no group, and of every group one of those that are not only for the asking, or, where that is
// possible, none: the same for the same seed.
PartMask dressed_parts(const std::vector<PartGroup>& groups, std::uint64_t seed);

}  // namespace throng
