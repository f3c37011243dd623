// SPDX-License-Identifier: Apache-2.0
#pragma once
// What must be known of a model to place it among others: how tall it stands and on what, which way it looks, how much
// room it takes in each of its clips, and how far its clips walk. Found from its poses, in its own units.

#include <glm/glm.hpp>
#include <vector>

#include "throng/character/character.h"

// A box on the ground around where a character stands, seen from itself: x to its left, y ahead.
struct Footprint {
  glm::dvec2 least{0.0};
  glm::dvec2 most{0.0};

  glm::dvec2 size() const { return most - least; }
  glm::dvec2 centre() const { return 0.5 * (least + most); }
  void add(const Footprint& other);
  Footprint scaled(double by) const { return {least * by, most * by}; }
};

// How a clip walks.
struct Gait {
  double cycle = 0.0;          // how far one cycle goes; 0: it stays where it is
  glm::dvec2 ahead{0.0, 1.0};  // which way: x and z, unit length
  // The poses go there themselves, and jump back where the clip begins anew.
  bool in_poses = false;
  // Where one cycle's root motion is at even steps, from 0 to `cycle`; empty: it goes evenly.
  std::vector<double> way = {};

  // How far a character that plays it is to be moved after so many cycles, so that its feet do not slide.
  double way_after(double cycles) const;
};

struct ClipMeasures {
  Footprint
      footprint;    // without the outermost hundredth of its surface on each side: neighbours may stand below a spear
  Footprint reach;  // with it
  double lowest = 0.0;  // height of its lowest point, and of its highest
  double highest = 0.0;
  // How far it is lifted while it plays this, so that it is not buried: a loop that goes below the model's own ground
  // and does not walk there. What happens once, as a death, begins on the ground and means it.
  double raised = 0.0;
  Gait gait;
};

struct Stature {
  double height = 0.0;  // as it stands
  double length = 0.0;  // its largest extent over the ground
  double ground = 0.0;  // where the ground is under it: 0, or lower where it reaches below

  // A model's size over a person's: what a metre is in its units.
  double metre() const;
};

struct Measures {
  Stature stature;
  glm::dvec2 forward{0.0, 1.0};     // where it looks: x and z, unit length
  std::vector<ClipMeasures> clips;  // as the model's
};

// Measures the standing pose alone: the first of a clip in which it stands.
Stature stature_of(const throng::Character& model);

Measures measure(const throng::Character& model);

// How far a clip goes in a second.
double speed_of(const Gait& gait, const throng::BakedClip& clip);
