// SPDX-License-Identifier: Apache-2.0
#pragma once
// The events of the clip that plays as a list, for exact times and names.

#include "ui/panel_state.h"

namespace throng::studio {

void draw_events(PanelState& panels);

}  // namespace throng::studio
