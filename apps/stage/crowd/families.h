// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of a model's clips suit whom, told from their names.

#include <array>
#include <vector>

#include "crowd/scatter.h"
#include "crowd/square.h"
#include "throng/character/character.h"

class ClipFamilies {
 public:
  explicit ClipFamilies(const throng::Character& model);

  // For one who does that. `company`: those who dance or fight together do the same.
  throng::ClipId clip_for(Part part, std::uint32_t company, Scatter& scatter) const;

 private:
  using Clips = std::vector<throng::ClipId>;

  Clips walking_;
  Clips cheering_;
  Clips standing_;
  Clips dancing_;
  Clips fighting_;
};
