#pragma once
// The baked model playing: one character or a crowd, looked at from any side.

#include "ui/desk.h"

namespace throng::studio {

class PreviewPanel {
 public:
  void draw(Desk& desk);

  // Of the picture in the last image, in the window's units; none when the panel was not in it. Once an image.
  ImVec2 take_size() { return std::exchange(size_, {}); }

 private:
  void draw_picture(Desk& desk, ImVec2 size);
  void draw_controls(Desk& desk);
  void draw_time(Desk& desk);
  void draw_cast(Desk& desk);
  void follow_pointer(Desk& desk, float height);

  ImVec2 size_{};
};

}  // namespace throng::studio
