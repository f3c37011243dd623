#pragma once
// Which model, and what is added to it.

#include "ui/path_field.h"

namespace throng::studio {

class SourcePanel {
 public:
  explicit SourcePanel(Workshop& workshop) : model_(workshop), clips_(workshop) {}

  void draw(Desk& desk);
  // Files let go over the window, and Ctrl+O.
  void open(Desk& desk, const std::string& model);
  void take_focus() { model_.take_focus(); }

 private:
  void draw_summary(Desk& desk);
  void draw_additions(Desk& desk);
  void reopen(Desk& desk);

  Sources edited_;
  Sources shown_;  // that `edited_` was taken from
  std::string clip_file_;
  PathField model_;
  PathField clips_;
};

}  // namespace throng::studio
