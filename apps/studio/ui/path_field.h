#pragma once
// A line for a path, with what it could become listed beneath while it is being typed.

#include "core/folder_listing.h"
#include "core/lookup.h"
#include "ui/desk.h"

namespace throng::studio {

class PathField {
 public:
  explicit PathField(Workshop& workshop) : listing_(workshop, list) {}

  // Returns whether a file was named: by Enter, or by a click in the list.
  bool draw(Desk& desk, const char* id, const char* hint, std::string& path);
  // The keyboard goes to it with the next image.
  void take_focus() { take_focus_ = true; }

 private:
  static Result<std::vector<Completion>> list(const std::string& typed) { return complete_path(typed); }
  static int on_tab(ImGuiInputTextCallbackData* data);

  // The name that was clicked.
  const Completion* draw_list(Desk& desk, ImVec2 below, float width);

  Lookup<std::string, std::vector<Completion>> listing_;
  bool take_focus_ = false;
  bool list_open_ = false;
  bool list_hovered_ = false;
};

}  // namespace throng::studio
