// SPDX-License-Identifier: Apache-2.0
#pragma once
// A line for a path, with what it could become listed beneath while it is being typed.

#include "core/files/folder_listing.h"
#include "core/latest_answer.h"
#include "ui/panel_state.h"

namespace throng::studio {

class PathField {
 public:
  explicit PathField(JobRunner& jobs) : listing_(jobs, list) {}

  // Returns whether a file was named: by Enter, or by a click in the list.
  bool draw(PanelState& panels, const char* id, const char* hint, std::string& path);

 private:
  static Result<std::vector<Completion>> list(const std::string& typed) { return complete_path(typed); }
  static int on_tab(ImGuiInputTextCallbackData* data);

  // The name that was clicked.
  const Completion* draw_list(PanelState& panels, ImVec2 below, float width);

  LatestAnswer<std::string, std::vector<Completion>> listing_;
  bool take_focus_ = false;  // with the next image
  bool list_open_ = false;
  bool list_hovered_ = false;
};

}  // namespace throng::studio
