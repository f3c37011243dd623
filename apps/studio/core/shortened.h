// SPDX-License-Identifier: Apache-2.0
#pragma once
// Text that is too long for its place, cut where it tells least.

#include <functional>
#include <string>
#include <string_view>

namespace throng::studio {

// How much room a text takes.
using TextWidth = std::function<float(std::string_view)>;

// "/home/me/models/characters/knight.glb" → "…/characters/knight.glb": whole folders go from the front, then the name
// itself loses its middle.
std::string shortened_path(const std::string& path, float room, const TextWidth& width);

// "Armature|Running_Strafe_Left_With_Sword" → "Armature|Run…_With_Sword": names differ at their ends. UTF-8 stays
// UTF-8.
std::string shortened_name(const std::string& name, float room, const TextWidth& width);

// "18 clips are off by more than 1 mm: …": what is first is what matters.
std::string shortened_end(const std::string& text, float room, const TextWidth& width);

}  // namespace throng::studio
