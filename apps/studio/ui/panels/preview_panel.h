// SPDX-License-Identifier: Apache-2.0
#pragma once
// The baked model playing: one character or a crowd, looked at from any side.

#include "ui/panel_state.h"

namespace throng::studio {

class PreviewPanel {
 public:
  void draw(PanelState& panels);

  // Of the picture in the last image, in the window's units; none when the panel was not in it. Once an image.
  ImVec2 take_size() { return std::exchange(size_, {}); }

 private:
  void draw_picture(PanelState& panels, ImVec2 size);
  void draw_controls(PanelState& panels);
  void draw_time(PanelState& panels);
  void draw_cast(PanelState& panels);
  void follow_pointer(PanelState& panels, float height);

  ImVec2 size_{};
};

}  // namespace throng::studio
