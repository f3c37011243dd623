// SPDX-License-Identifier: Apache-2.0
#pragma once
// The foot of the left side: where the asset goes, the buttons, how far the work is, what went wrong.

#include "ui/panel_state.h"

namespace throng::studio {

// How tall it is now, that wide.
float bake_bar_height(const PanelState& panels, float width);

void draw_bake_bar(PanelState& panels);

}  // namespace throng::studio
