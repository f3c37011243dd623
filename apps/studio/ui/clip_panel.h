#pragma once
// Which clips are baked, and which of them loop.

#include "ui/desk.h"

namespace throng::studio {

class ClipPanel {
 public:
  void draw(Desk& desk);

 private:
  void draw_row(Desk& desk, ClipChoice& clip);

  ImGuiTextFilter filter_;
};

}  // namespace throng::studio
