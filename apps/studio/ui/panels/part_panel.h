// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which parts of the model are baked, which of them exclude each other, and which the preview wears.

#include "ui/panel_state.h"

namespace throng::studio {

class PartPanel {
 public:
  void draw(PanelState& panels);

 private:
  void draw_parts(PanelState& panels);
  void draw_groups(PanelState& panels);

  std::string new_group_;
};

}  // namespace throng::studio
