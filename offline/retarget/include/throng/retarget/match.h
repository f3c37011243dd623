#pragma once
// Which bones and meshes of one model are which of another, by their names alone.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/text.h"
#include "throng/model/model.h"

namespace throng {

// For each of one side its partner among the other.
using Partners = std::vector<std::optional<std::uint32_t>>;

enum class NameMatching : std::uint8_t {
  names,    // full names first, then, among what is left, names without their namespace
  aliases,  // …, then whatever their case, then by what they mean: "mixamorig:LeftUpLeg" is "thigh_l"
};

// For each bone of `from` its partner in `onto`. Of several bones of one name the first goes with the first, the second
// with the second.
Partners match_bones(const std::vector<Bone>& from, const std::vector<Bone>& onto,
                     NameMatching matching = NameMatching::names);

// For each mesh of `from` the one of `onto` with the same name and as many morph targets; those without any have none.
Partners match_morphs(const std::vector<Mesh>& from, const std::vector<Mesh>& onto);

// The part of a body a name means, as NameMatching::aliases compares it: lower case, without namespaces, separators and
// the prefixes of common rigs, the side behind a dot. "mixamorig:LeftUpLeg", "thigh_l" and "Bip01 L Thigh" are
// "upperleg.l"; what is not in the table of parts is kept as it is written.
std::string meant_bone(std::string_view name);

// "'hip', 'knee', 'foot' and 12 more"
std::string first_names(const std::vector<std::string>& names);

}  // namespace throng
