// SPDX-License-Identifier: Apache-2.0
#pragma once
// A window in the window to find models with: folders, the files that can be read, and those that were opened last.

#include <filesystem>

#include "core/files/folder_listing.h"
#include "core/latest_answer.h"
#include "ui/panel_state.h"

namespace throng::studio {

// What was chosen: one file to open, or several to be baked one after another.
struct BrowserChoice {
  std::vector<std::string> files;
  bool batch = false;
};

class FileBrowser {
 public:
  explicit FileBrowser(JobRunner& jobs) : listing_(jobs, list) {}

  // Shows it with the next image, in the folder of `near`, or in the one it was left in.
  void open(const std::string& near);
  // What was chosen with this image, if anything was.
  std::optional<BrowserChoice> draw(PanelState& panels);

 private:
  static Result<std::vector<Completion>> list(const std::string& folder) { return list_folder(folder); }

  void enter(const std::string& folder);
  void draw_places(PanelState& panels, std::optional<BrowserChoice>& choice);
  void draw_list(PanelState& panels, std::optional<BrowserChoice>& choice);
  void draw_row(PanelState& panels, const Completion& entry, std::optional<BrowserChoice>& choice);
  void draw_buttons(PanelState& panels, std::optional<BrowserChoice>& choice);

  LatestAnswer<std::string, std::vector<Completion>> listing_;
  bool open_ = false;
  std::string folder_;
  std::string typed_;  // the path's line
  std::vector<std::string> recent_;
  std::vector<std::string> selected_;
  ImGuiTextFilter filter_;
};

}  // namespace throng::studio
