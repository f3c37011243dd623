// SPDX-License-Identifier: Apache-2.0
#pragma once
// What colours the characters of a picture wear. Skin and fur are left alone unless somebody asks: what a texture or a
// material paints is the artist's; only the mannequin is made to be dressed in colours.

#include <cstdint>

#include "crowd/scatter.h"
#include "crowd/square.h"
#include "throng/character/character.h"
#include "throng/playback/play.h"

enum class Tinting : std::uint8_t { automatic, none, gentle, strong };

// What is meant where nobody said it.
Tinting tinting_for(const throng::Character& model, Tinting asked);

// None: exactly as it was made. Gentle: a little lighter or darker, warmer or colder than the next. Strong: dyed, as
// what they do in the picture suggests; a texture's own colours only lean that way.
throng::Look look_of(const throng::Character& model, Tinting tinting, const Person& person, std::uint32_t number,
                     Scatter& scatter);
