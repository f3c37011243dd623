// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far a batch is, and what became of each of its models.

#include "ui/panel_state.h"

namespace throng::studio {

void draw_batch(PanelState& panels);

}  // namespace throng::studio
