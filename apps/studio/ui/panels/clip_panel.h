// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which clips are baked, and which of them loop.

#include "ui/panel_state.h"

namespace throng::studio {

class ClipPanel {
 public:
  void draw(PanelState& panels);

 private:
  void draw_row(PanelState& panels, ClipChoice& clip);

  ImGuiTextFilter filter_;
};

}  // namespace throng::studio
