// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every panel of the window works on.

#include <imgui.h>

#include <map>
#include <optional>
#include <string>

#include "core/batch.h"
#include "core/form/option_help.h"
#include "core/preview/preview.h"
#include "core/preview/wardrobe.h"
#include "core/studio.h"

namespace throng::studio {

// Where the widgets of the last image are, by name, so that scripts and tests can put the pointer on them.
class Marks {
 public:
  struct Box {
    ImVec2 min;
    ImVec2 max;
  };

  void clear() { boxes_.clear(); }
  void add(const std::string& name, ImVec2 min, ImVec2 max) { boxes_[name] = {min, max}; }
  // The widget that was drawn last.
  void add(const std::string& name) { boxes_[name] = {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}; }
  std::optional<Box> find(const std::string& name) const {
    const auto found = boxes_.find(name);
    return found == boxes_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, Box> boxes_;
};

struct PanelState {
  JobRunner& jobs;
  Studio& studio;
  Preview& preview;
  Wardrobe& wardrobe;
  Batch& batch;
  const OptionHelp& help;
  Marks& marks;
  float scale = 1.0f;
  std::string tip = {};  // what is said beside the pointer with this image
};

}  // namespace throng::studio
