// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of a model's clips suit whom, told from their names.

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "crowd/scatter.h"
#include "crowd/square.h"
#include "throng/character/character.h"

class ClipFamilies {
 public:
  explicit ClipFamilies(const throng::Character& model);

  // A clip for one who does that. `company`: those who dance or fight together do the same.
  throng::ClipId clip_for(Part part, std::uint32_t company, Scatter& scatter) const;

  // A clip for one who is looked at: it stands, or walks, or does what else is peaceful.
  throng::ClipId calm() const { return calm_; }

  using Clips = std::vector<throng::ClipId>;
  const Clips& walking() const { return walking_; }
  const Clips& standing() const { return standing_; }
  const Clips& cheering() const { return cheering_; }
  const Clips& fighting() const { return fighting_; }  // guards and strikes; dances where there are none

 private:
  Clips walking_;
  Clips cheering_;
  Clips standing_;
  Clips dancing_;
  Clips fighting_;
  throng::ClipId calm_;
};

// Whether one of the words begins a word of the name, or, from four letters on, is anywhere in it. Names are split at
// what is no letter and where capitals begin: "CharacterArmature|HitReact" holds "hit", "White" does not.
bool names_any(std::string_view name, std::span<const std::string_view> words);
inline bool names_any(std::string_view name, std::initializer_list<std::string_view> words) {
  return names_any(name, std::span(words.begin(), words.size()));
}

// Whether the name is one of a clip that goes somewhere, forwards.
bool names_a_walk(std::string_view name);
