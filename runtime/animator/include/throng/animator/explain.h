// SPDX-License-Identifier: Apache-2.0
#pragma once
// Why a character does what it does: what a layer plays, and for every way out of it whether it was taken or what kept
// it.

#include <string>
#include <vector>

#include "throng/animator/animator.h"

namespace throng {

// A clip that plays, with its name.
struct ExplainedClip {
  std::string name;
  PlayingClip playing;
};

// What became of a transition in the last update.
enum class Verdict : std::uint8_t { fired, ready, waiting, not_allowed };

// A way out of the state, and what kept it from being taken.
struct ExplainedTransition {
  std::string from;  // a state's path, or "any"
  std::string to;    // a state's path
  Verdict verdict = Verdict::waiting;
  // What kept it, each with the value it has: "speed > 2: it is 1.5", "exit time 0.9: it is at 0.42". Empty: nothing
  // did.
  std::vector<std::string> reasons;
};

// What a layer is at, what it plays, and every way out of it.
struct Explanation {
  std::string layer;
  std::string state;  // path
  std::string next;   // path; empty: no transition under way
  LayerState at;
  std::vector<ExplainedClip> clips;
  std::vector<ExplainedTransition> transitions;  // in the order they are tried
  bool held_back = false;                        // more happened in one step than an animator does; the rest waits

  std::string text() const;  // the same in lines for people
};

}  // namespace throng
