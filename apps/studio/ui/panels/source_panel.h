// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which model, and what is added to it.

#include <utility>

#include "ui/path_field.h"

namespace throng::studio {

class SourcePanel {
 public:
  explicit SourcePanel(JobRunner& jobs) : model_(jobs), clips_(jobs) {}

  void draw(PanelState& panels);
  // Files dropped on the window, or found in the browser.
  void open(PanelState& panels, const std::string& model);
  // Whether the browser was asked for since the last call.
  bool take_browse() { return std::exchange(browse_, false); }

 private:
  void draw_summary(PanelState& panels);
  void draw_additions(PanelState& panels);
  void reopen(PanelState& panels);

  Sources edited_;
  Sources shown_;  // that `edited_` was taken from
  std::string clip_file_;
  bool browse_ = false;
  PathField model_;
  PathField clips_;
};

}  // namespace throng::studio
