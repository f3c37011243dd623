#pragma once
// Which bones of one model are which of another, by their names alone.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "throng/model/model.h"

namespace throng {

// What is behind the last ':' or '|', where files put the name of a rig.
std::string_view without_namespace(std::string_view name);

// For each bone of `from` its partner in `onto`: full names first, then, among what is left, names without their
// namespace. Of several bones of one name the first goes with the first, the second with the second.
std::vector<std::optional<std::uint32_t>> match_bones(const std::vector<Bone>& from, const std::vector<Bone>& onto);

// For each mesh of `from` the one of `onto` with the same name and as many morph targets; those without any have none.
std::vector<std::optional<std::uint32_t>> match_morphs(const std::vector<Mesh>& from, const std::vector<Mesh>& onto);

// "'hip', 'knee', 'foot' and 12 more"
std::string first_names(const std::vector<std::string>& names);

}  // namespace throng
