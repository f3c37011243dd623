// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which bones and meshes of one model are which of another, by their names alone.

#include <cstdint>
#include <optional>
#include <vector>

#include "throng/model/model.h"

namespace throng {

// For each of one side its partner among the other.
using Partners = std::vector<std::optional<std::uint32_t>>;

// How alike two names must be to count as one.
enum class NameMatching : std::uint8_t {
  names,    // full names first, then, among what is left, names without their namespace
  aliases,  // as `names`, then whatever their case, then by what they mean: "mixamorig:LeftUpLeg" is "thigh_l"
};

// For each bone of `from` its partner in `onto`. Of several bones of one name the first goes with the first, the second
// with the second.
Partners match_bones(const std::vector<Bone>& from, const std::vector<Bone>& onto,
                     NameMatching matching = NameMatching::names);

// For each mesh of `from` the one of `onto` with the same name and as many morph targets; those without any have none.
Partners match_morphs(const std::vector<Mesh>& from, const std::vector<Mesh>& onto);

}  // namespace throng
