// SPDX-License-Identifier: Apache-2.0
#include "ui/file_browser.h"

#include <SDL.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "console.h"
#include "core/files/recent_files.h"
#include "files.h"
#include "throng/import/import.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTitle = "Open a model";

std::string size_text(const Completion& entry) { return entry.folder ? "" : readable_bytes(entry.bytes); }

}  // namespace

void FileBrowser::open(const std::string& near) {
  open_ = true;
  recent_ = read_recent_files(recent_files_path());
  std::error_code ignored;
  fs::path folder = near.empty() || near == kMannequin ? fs::path(folder_) : fs::absolute(near, ignored).parent_path();
  if (!fs::is_directory(folder, ignored)) folder = fs::current_path(ignored);
  enter(folder.lexically_normal().string());
}

void FileBrowser::enter(const std::string& folder) {
  folder_ = folder.ends_with('/') ? folder : folder + "/";
  typed_ = folder_;
  selected_.clear();
  filter_.Clear();
}

void FileBrowser::draw_places(PanelState& panels, std::optional<BrowserChoice>& choice) {
  heading("Recent");
  if (recent_.empty()) quiet_text("Nothing was opened yet.");
  for (const std::string& file : recent_) {
    const std::string name = file == kMannequin ? file : fs::path(file).filename().string();
    const std::string shown = fitting_name(printable(name), ImGui::GetContentRegionAvail().x);
    if (ImGui::Selectable(fmt::format("{}##{}", shown, file).c_str())) choice = BrowserChoice{{file}, false};
    panels.marks.add("recent " + name);
    tip(panels, printable(file));
  }
  heading("Places");
  for (const auto& [name, place] : {std::pair{"Working folder", std::string(".")}, std::pair{"Home", with_home("~")},
                                    std::pair{"Files of the system", std::string("/")}}) {
    if (!ImGui::Selectable(name)) continue;
    std::error_code ignored;
    enter(fs::absolute(place, ignored).lexically_normal().string());
  }
  if (ImGui::Selectable(kMannequin)) choice = BrowserChoice{{kMannequin}, false};
}

void FileBrowser::draw_row(PanelState& panels, const Completion& entry, std::optional<BrowserChoice>& choice) {
  const bool chosen = std::ranges::find(selected_, entry.path) != selected_.end();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const std::string name = printable(entry.name) + (entry.folder ? "/" : "");
  const std::string shown = fitting_name(name, ImGui::GetContentRegionAvail().x);
  constexpr ImGuiSelectableFlags kFlags = ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_DontClosePopups |
                                          ImGuiSelectableFlags_AllowDoubleClick;
  const bool clicked = ImGui::Selectable(fmt::format("{}##{}", shown, entry.path).c_str(), chosen, kFlags);
  panels.marks.add("file " + entry.name);
  if (shown != name) tip(panels, name);
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", size_text(entry).c_str());
  if (!clicked) return;
  if (entry.folder) {
    enter(entry.path);
  } else if (ImGui::IsMouseDoubleClicked(0)) {
    choice = BrowserChoice{{entry.path}, false};
  } else if (ImGui::GetIO().KeyCtrl) {
    if (chosen) {
      std::erase(selected_, entry.path);
    } else {
      selected_.push_back(entry.path);
    }
  } else {
    selected_ = {entry.path};
  }
}

void FileBrowser::draw_list(PanelState& panels, std::optional<BrowserChoice>& choice) {
  listing_.ask(folder_);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersOuter;
  const float below = ImGui::GetFrameHeightWithSpacing() + ImGui::GetTextLineHeightWithSpacing();
  if (!ImGui::BeginTable("files", 2, kFlags, {0.0f, ImGui::GetContentRegionAvail().y - below})) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed, 80.0f * panels.scale);
  const auto& answer = listing_.answer();
  if (listing_.is_current(folder_) && answer && *answer) {
    // A click may go elsewhere, which leaves this list as it is until the next image.
    for (const Completion& entry : **answer)
      if (filter_.PassFilter(entry.name.c_str())) draw_row(panels, entry, choice);
  }
  ImGui::EndTable();
}

void FileBrowser::draw_buttons(PanelState& panels, std::optional<BrowserChoice>& choice) {
  quiet_text(fmt::format("Shown: folders, {}. Ctrl+click chooses several.", model_endings()));
  ImGui::BeginDisabled(selected_.size() != 1);
  if (main_button("Open", {110.0f * panels.scale, 0.0f})) choice = BrowserChoice{selected_, false};
  ImGui::EndDisabled();
  panels.marks.add("browser-open");
  ImGui::SameLine();
  ImGui::BeginDisabled(selected_.empty());
  const std::string all = fmt::format("Bake {} as a batch###batch", counted(selected_.size(), "file"));
  if (ImGui::Button(all.c_str())) choice = BrowserChoice{selected_, true};
  ImGui::EndDisabled();
  panels.marks.add("browser-batch");
  tip(panels, "Bakes and writes one after another, all their clips, with the fields as they are now.");
  ImGui::SameLine();
  if (ImGui::Button("Cancel") || ImGui::IsKeyPressed(SDL_SCANCODE_ESCAPE, false)) ImGui::CloseCurrentPopup();
  panels.marks.add("browser-cancel");
}

std::optional<BrowserChoice> FileBrowser::draw(PanelState& panels) {
  if (std::exchange(open_, false)) ImGui::OpenPopup(kTitle);
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowSize({0.7f * window.x, 0.8f * window.y});
  ImGui::SetNextWindowPos({0.15f * window.x, 0.1f * window.y});
  constexpr ImGuiWindowFlags kFlags =
      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize;
  if (!ImGui::BeginPopupModal(kTitle, nullptr, kFlags)) return std::nullopt;
  std::optional<BrowserChoice> choice;
  if (ImGui::BeginChild("places", {0.27f * ImGui::GetContentRegionAvail().x, 0.0f}, true)) draw_places(panels, choice);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginGroup();
  if (ImGui::ArrowButton("##up", ImGuiDir_Up)) enter(fs::path(folder_).parent_path().parent_path().string());
  panels.marks.add("folder-up");
  tip(panels, "The folder around this one");
  ImGui::SameLine();
  const float filter = 150.0f * panels.scale;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - filter - ImGui::GetStyle().ItemSpacing.x);
  if (path_input(panels, "##folder", "a folder", typed_, ImGuiInputTextFlags_EnterReturnsTrue)) {
    std::error_code ignored;
    const std::string path = with_home(typed_);
    if (fs::is_directory(path, ignored)) {
      enter(path);
    } else if (fs::exists(path, ignored)) {
      choice = BrowserChoice{{path}, false};
    }
  }
  panels.marks.add("folder");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(filter);
  if (ImGui::InputTextWithHint("##name", "filter", filter_.InputBuf, IM_ARRAYSIZE(filter_.InputBuf))) filter_.Build();
  panels.marks.add("browser-filter");
  draw_list(panels, choice);
  draw_buttons(panels, choice);
  ImGui::EndGroup();
  if (choice) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return choice;
}

}  // namespace throng::studio
