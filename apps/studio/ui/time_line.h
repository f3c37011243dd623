// SPDX-License-Identifier: Apache-2.0
#pragma once
// The time of the clip that plays, as a line: dragged to go anywhere, with the clip's events on it to be added, moved,
// named and deleted.

#include "ui/panel_state.h"

namespace throng::studio {

class TimeLine {
 public:
  // Draws it as wide as there is room, with the time in words at its end.
  void draw(PanelState& panels);
  // What a button beside it does: an event at the moment that is shown.
  void add_here(PanelState& panels);
  // The Delete key.
  void remove_selected(PanelState& panels);

  static float height();

 private:
  struct Scale {  // of the line in the window
    float left = 0.0f;
    float width = 1.0f;
    float top = 0.0f;
    double length = 1.0;
    float x(double seconds) const;
    double seconds(float x) const;
  };

  ClipEvents* events(PanelState& panels);
  void add_at(ClipEvents& clip, double seconds);
  void follow_pointer(PanelState& panels, const Scale& scale);
  void draw_line(PanelState& panels, const Scale& scale);
  void draw_event(PanelState& panels, const Scale& scale, const SheetEvent& event, bool fixed, bool selected);
  void draw_menu(PanelState& panels);
  void draw_name(PanelState& panels);

  std::string clip_;                     // that the numbers below belong to
  std::optional<std::size_t> selected_;  // of its own events
  bool dragging_ = false;
  double menu_seconds_ = 0.0;  // where the menu was asked for
  bool open_name_ = false;
  std::string name_;
};

}  // namespace throng::studio
