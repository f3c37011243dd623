// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small rig and graphs written as JSON, for tests of the animator.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "throng/animator/animator.h"
#include "throng/animator/graph_json.h"
#include "throng/model/model.h"

namespace throng::stage {

// root → spine → arm → hand. What clips do:
//   idle  1 s, loops   spine at x = 0; events "breathe" at 0.25
//   walk  1 s, loops   spine at x = 1, root goes 2 along +Z; events "left" at 0, "right" at 0.5, "wrap" at its end
//   run   0.5 s, loops spine at x = 2, root goes 3 along +Z; event "step" at 0.25
//   turn  1 s, loops   root turns a quarter about +Y and goes 1 along +Z on the way
//   jump  1 s, once    spine from x = 0 to 8; events "off" at 0.2, "land" at 1 (its end)
//   wave  2 s, loops   arm at y = 4, hand at y = 1
//   nod   1 s, loops   spine from x = 3 to x = 5 and back (first pose 3)
//   pose  no length    spine at x = −5
const Model& model();
std::shared_ptr<const Rig> rig();

// The graph in JSON, quotes as ' for the reader's sake.
Result<std::shared_ptr<const AnimatorGraph>> try_graph(std::string_view json);
std::shared_ptr<const AnimatorGraph> graph(std::string_view json);
// One layer "base" of these states (a JSON list) with the parameters speed, aim (float), count (int), on (bool), go,
// stop (triggers).
std::string base_layer(std::string_view states, std::string_view more = "");

// Where a layer is: "a", on the way "a>b", from a frozen pose "a~b".
std::string place(const Animator& animator, std::uint32_t layer = 0);
// Sets parameters: "speed=2 on=1 count=3 go! stop?" (! sets a trigger, ? resets it).
void set(Animator& animator, std::string_view parameters);

glm::vec3 local_position(const Animator& animator, std::string_view bone);
// Names of the events of the last update, in order: "left right"; of enters and exits: "+a -b".
std::string told(const Animator& animator, bool events = true, bool changes = false);

}  // namespace throng::stage
