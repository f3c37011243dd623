// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `throng render` was asked for, and the stage that is set for it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "battle/battle.h"
#include "console.h"
#include "crowd/staging.h"
#include "render/letters.h"
#include "throng/base/progress.h"
#include "throng/character/character.h"
#include "throng/gpu/device.h"
#include "throng/import/imported.h"
#include "throng/playback/crowd.h"
#include "throng/scene/scene_renderer.h"

struct RenderOptions {
  std::vector<std::string> assets;  // baked characters or models
  bool cache = true;                // keep what is baked for a picture
  unsigned threads = 0;             // to bake and to draw with; 0: one per core
  std::string output;
  std::string size = "1920x1080";
  CastSettings cast;
  std::optional<std::string> clip;
  bool sheet = false;
  bool battle = false;
  double time = 2.0;
  double from = 0.0;
  double to = 4.0;
  double fps = 30.0;
  View view = View::crowd;
  std::vector<double> eye;
  std::vector<double> target;
  double fov = 0.0;
  std::string prop;
  throng::ImportSettings import;  // for models, and for the prop
  std::string socket;
  throng::Skinning skinning = throng::Skinning::automatic;
  std::optional<throng::Shading> shading;  // none: full, but plain for films where there is no GPU
  bool full_detail = false;
  std::uint32_t vertex_budget = 0;
  std::uint32_t samples = 4;  // a pixel: 1, 2, 4 or 8
  std::string device;
  bool list_devices = false;
  bool json = false;
  bool transparent = false;  // no ground and no sky
  Console console;
  throng::Progress progress;  // of reading, making the crowd, compiling
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

// What is to be said of the characters of a picture.
struct Remarks {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

// Everything a picture needs.
struct Stage {
  throng::Device device;
  throng::Crowd crowd;
  throng::SceneRenderer scene;
  throng::Camera camera;
  std::optional<Battle> battle = {};   // what happens on it, if anything does that time alone does not bring
  Procession procession = {};          // who of the crowd goes somewhere
  std::vector<Caption> captions = {};  // written on every picture
  Remarks remarks = {};                // what is to be said of it, once

  // Lets what moves be where it is at that second.
  throng::Result<void> advance_to(double seconds, const throng::Progress& progress = {});
};

throng::Result<Stage> set_stage(RenderOptions& options);
