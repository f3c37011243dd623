// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every frame of a clip side by side, seen from the side, each with its number and time: a picture to check a bake by.

#include <cstdint>
#include <string>
#include <vector>

#include "crowd/staging.h"
#include "crowd/troupe.h"
#include "render/letters.h"

// How the frames are laid out: rows of cells of one size, the first on the upper left.
struct SheetPlan {
  std::uint32_t step = 1;  // every how many frames one is shown
  std::uint32_t shown = 0;
  std::uint32_t columns = 1;
  std::uint32_t rows = 1;
  double pixels = 1.0;      // a unit of the figures' measures
  double cell_width = 0.0;  // pixels
  double cell_height = 0.0;
  double left = 0.0;  // of the first cell
  double top = 0.0;
  std::uint32_t dot = 1;  // of labels
};

// For figures of that width and height, in any unit. All frames are shown where they can be read, else every second,
// third and so on.
SheetPlan plan_sheet(std::uint32_t frames, double wide, double tall, std::uint32_t width, std::uint32_t height);

struct Sheet {
  Staged staged;
  std::vector<Caption> captions;
  std::string note;  // which frames were left out; empty: none
};

// The troupe has one model, and the sheet is of that.
throng::Result<Sheet> stage_sheet(const Troupe& troupe, throng::ClipId clip, std::uint32_t width, std::uint32_t height);
