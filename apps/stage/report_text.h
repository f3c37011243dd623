// SPDX-License-Identifier: Apache-2.0
#pragma once
// What there is to say about a baked model, for people: a summary, the worst of it first, then tables under headings.

#include <optional>
#include <string>

#include "console.h"
#include "throng/character/character.h"

struct ReportStyle {
  Paint paint;
  bool verbose = false;                 // all clips and names, and why each clip is baked as it is
  std::optional<double> bound_mm = {};  // what the error was to stay within
  bool contents = false;                // events, root motion, materials and sockets too
};

std::string report_text(const throng::Character& model, const ReportStyle& style);

// Says its notes and warnings, and that normals point elsewhere where they do; settings are named as options.
void tell_remarks(const throng::Character& model, const Console& console);

// The larger of a clip's or a character's two errors, at and between frames.
double largest_error(const throng::ErrorFigures& at_frames, const throng::ErrorFigures& between);
