// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the surfaces look: colours, pictures, transparency.

#include "core/report/report_view.h"
#include "ui/panel_state.h"

namespace throng::studio {

class MaterialPanel {
 public:
  void draw(PanelState& panels);

 private:
  void follow(const Studio& studio);

  std::shared_ptr<const void> shown_;  // the model or the bake that the rows are of
  std::vector<MaterialRow> rows_;
};

}  // namespace throng::studio
