// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the characters of a picture stand, what they play, and where the camera is.

#include <cstdint>
#include <optional>
#include <vector>

#include "crowd/framing.h"
#include "crowd/procession.h"
#include "crowd/tints.h"
#include "crowd/troupe.h"
#include "throng/character/character.h"
#include "throng/playback/crowd.h"
#include "throng/scene/camera.h"
#include "throng/scene/scene_look.h"

// A model's size over a person's: what a metre is in its units.
double metre_of(const throng::Character& model);

// How high the ground lies under it: where it stands at 0 or above, 0; where it reaches below, its lowest vertex.
double ground_of(const throng::Character& model);

struct CastSettings {
  std::uint32_t count = 1152;
  std::uint64_t seed = 1;
  std::optional<throng::ClipId> clip = {};  // of one model; nothing: each its own
  Tinting tinting = Tinting::automatic;
};

// A crowd, and how it is looked at.
struct Staged {
  throng::Crowd crowd;
  std::vector<throng::InstanceId> people;  // all of them
  Procession procession;                   // who of them moves with time
  throng::Camera camera;
  throng::SceneLook look;
};

// A few stand in loose rows and look at the camera; from 40 on they fill the picture, and from 200 on they are a square
// (square.h), with a procession where the view shows one. What each plays suits what it does there. Phases, speeds and
// looks differ; no two stand inside one another. One alone stands at the origin and plays from its clip's start at
// speed 1. The same settings give the same crowd on every machine.
throng::Result<Staged> stage_crowd(const Troupe& troupe, const CastSettings& settings, View view, double aspect);

// The same without a picture in mind.
throng::Result<throng::Crowd> cast_crowd(const throng::Character& model, const CastSettings& settings);

// The light: evening for many, even light for everything one wants to look at closely.
throng::SceneLook stage_look(const Troupe& troupe, View view, std::uint32_t count);
