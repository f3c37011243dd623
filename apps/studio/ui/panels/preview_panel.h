// SPDX-License-Identifier: Apache-2.0
#pragma once
// The model or its bake playing: one character or a crowd, looked at from any side; its bones, its errors in colours,
// its levels of detail.

#include "core/form/socket_matches.h"
#include "core/latest_answer.h"
#include "core/report/heat_map.h"
#include "ui/panel_state.h"
#include "ui/time_line.h"

namespace throng::studio {

class PreviewPanel {
 public:
  explicit PreviewPanel(JobRunner& jobs) : sockets_(jobs, find_bones), heat_(jobs, find_heat) {}

  void draw(PanelState& panels);
  // The Delete key.
  void remove_selected_event(PanelState& panels) { time_line_.remove_selected(panels); }

  // The picture's size in the last image, in the window's units; none when the panel was not in it. Call once an image.
  ImVec2 take_size() { return std::exchange(size_, {}); }

  bool shows_skeleton = false;
  bool shows_errors = false;

 private:
  // The part of the picture that fills the pane, and where a point of the picture is then.
  struct Pane {
    ImVec2 min, max;
    ImVec2 uv_min{0.0f, 0.0f}, uv_max{1.0f, 1.0f};
    ImVec2 at(const glm::dvec2& uv) const;
  };

  void draw_views(PanelState& panels);
  void draw_levels(PanelState& panels);
  void follow_errors(PanelState& panels);
  void draw_picture(PanelState& panels, ImVec2 size);
  void draw_legend(PanelState& panels, const Pane& pane);
  void draw_names(PanelState& panels, const Pane& pane);
  void draw_skeleton(PanelState& panels, const Pane& pane);
  void draw_controls(PanelState& panels);
  void draw_time(PanelState& panels);
  void draw_cast(PanelState& panels);
  void follow_pointer(PanelState& panels, float height);

  LatestAnswer<SocketQuestion, std::vector<std::string>> sockets_;
  LatestAnswer<HeatQuestion, HeatMap> heat_;
  HeatQuestion painted_;      // that the preview's colours are of
  std::string heat_problem_;  // why there are none
  TimeLine time_line_;
  ImVec2 size_{};
};

}  // namespace throng::studio
