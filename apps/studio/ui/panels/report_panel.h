// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a bake came to: figures, a row for each clip, notes.

#include "core/report/report_view.h"
#include "ui/panel_state.h"

namespace throng::studio {

class ReportPanel {
 public:
  void draw(PanelState& panels);

 private:
  void follow(const std::shared_ptr<const BakeResult>& result);
  void draw_figures();
  void draw_clips(PanelState& panels);
  void draw_notes(PanelState& panels);

  std::shared_ptr<const BakeResult> shown_;
  std::vector<Figure> figures_;
  std::vector<ClipRow> rows_;
  std::vector<std::string> notes_;
  std::vector<std::string> warnings_;
};

}  // namespace throng::studio
