// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the characters of a picture stand, what they play, and where the camera is.

#include <cstdint>
#include <optional>
#include <string>

#include "throng/character/character.h"
#include "throng/playback/crowd.h"
#include "throng/scene/scene_renderer.h"

// A model's height over a person's: what a metre is in its units.
double metre_of(const throng::Character& model);

// How high the ground lies under it: where it stands at 0 or above, 0; where it reaches below, its lowest vertex.
double ground_of(const throng::Character& model);

struct CastSettings {
  std::uint32_t count = 1152;
  std::uint64_t seed = 1;
  std::optional<throng::ClipId> clip;  // nothing: each its own
};

// A few stand in loose rows behind z = 0, facing +Z, each in its own clip; from 200 on they fill a square (square.h),
// and what each plays suits what it does there. Phases, speeds and tints differ; no two stand inside one another. One
// alone stands at the origin and plays from its clip's start at speed 1. The same settings give the same crowd on every
// machine.
throng::Result<throng::Crowd> cast_crowd(const throng::Character& model, const CastSettings& settings);

// Every frame of a clip, side by side in rows, the first at the back on the left: a picture to check a bake by.
throng::Result<throng::Crowd> cast_sheet(const throng::Character& model, throng::ClipId clip);

enum class View : std::uint8_t { crowd, close, above, sheet };

throng::Camera stage_camera(const throng::Character& model, const throng::Bounds& crowd, View view, double aspect);

// The light: evening for a crowd on a square, even light for everything one wants to look at closely.
throng::SceneLook stage_look(const throng::Character& model, View view, std::uint32_t count);
