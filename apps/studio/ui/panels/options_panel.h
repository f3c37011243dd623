// SPDX-License-Identifier: Apache-2.0
#pragma once
// How to bake: how exact, how the texture is laid out, what else goes into the asset.

#include "core/form/socket_matches.h"
#include "core/latest_answer.h"
#include "throng/bake/options.h"
#include "ui/panel_state.h"

namespace throng::studio {

class OptionsPanel {
 public:
  explicit OptionsPanel(JobRunner& jobs) : bones_(jobs, find_bones) {}

  void draw_quality(PanelState& panels);
  void draw_contents(PanelState& panels);

 private:
  void draw_group(PanelState& panels, OptionGroup group);
  void draw_flags(PanelState& panels, OptionGroup group);
  void draw_matches(PanelState& panels);

  LatestAnswer<SocketQuestion, std::vector<std::string>> bones_;
};

}  // namespace throng::studio
