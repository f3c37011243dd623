#pragma once
// The foot of the left side: where the asset goes, the buttons, how far the work is, what went wrong.

#include "ui/desk.h"

namespace throng::studio {

// How tall it is now.
float bake_bar_height(const Desk& desk);

void draw_bake_bar(Desk& desk);

}  // namespace throng::studio
