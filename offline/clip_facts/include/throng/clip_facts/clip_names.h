// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a clip's name says of it: people call what goes on and on "walk", "idle" or "swim", and what happens once
// "attack", "death" or "jump".

#include <cstdint>
#include <string_view>

namespace throng {

// What a name says about looping.
enum class NameSays : std::uint8_t { nothing, loops, once };

// Words are told apart by capitals, digits and signs: "CharacterArmature|Run_Gun", "sprintForward", "WALK-01". A word
// such as "loop" or "start" decides wherever it stands; else the last word that says anything does: "Jump_Idle" goes
// on, "Idle_HitReact" happens once. English, German, French, Spanish, Japanese and Chinese asset habits are known.
NameSays name_says(std::string_view clip_name);

}  // namespace throng
