// SPDX-License-Identifier: Apache-2.0
#include "ui/path_field.h"

#include <algorithm>

#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

constexpr std::size_t kLinesShown = 12;

// How far all completions agree.
std::string common_start(const std::vector<Completion>& all) {
  if (all.empty()) return "";
  std::string start = all.front().path;
  for (const Completion& one : all) {
    const auto differ = std::ranges::mismatch(start, one.path);
    start.erase(differ.in1, start.end());
  }
  return start;
}

}  // namespace

// Tab writes as much as is certain, or the only name there is.
int PathField::on_tab(ImGuiInputTextCallbackData* data) {
  const auto* field = static_cast<const PathField*>(data->UserData);
  const std::string typed(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  const auto& answer = field->listing_.answer();
  if (!answer || !*answer || !field->listing_.is_current(typed)) return 0;
  const std::string start = common_start(**answer);
  if (start.size() <= typed.size()) return 0;
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, start.c_str());
  return 0;
}

const Completion* PathField::draw_list(PanelState& panels, ImVec2 below, float width) {
  const auto& answer = listing_.answer();
  list_hovered_ = false;
  if (!answer || !*answer || (*answer)->empty()) return nullptr;
  const std::vector<Completion>& names = **answer;
  const float lines = static_cast<float>(std::min(names.size(), kLinesShown));
  ImGui::SetNextWindowPos(below);
  ImGui::SetNextWindowSize({width, lines * ImGui::GetTextLineHeightWithSpacing() + 16.0f});
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                                      ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_Tooltip;
  const Completion* clicked = nullptr;
  if (ImGui::Begin("##completions", nullptr, kFlags)) {
    for (const Completion& one : names) {
      if (ImGui::Selectable(fmt::format("{}{}##{}", one.name, one.folder ? "/" : "", one.path).c_str())) clicked = &one;
      panels.marks.add("completion " + one.name);
    }
    list_hovered_ = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  }
  ImGui::End();
  return clicked;
}

bool PathField::draw(PanelState& panels, const char* id, const char* hint, std::string& path) {
  listing_.ask(path);
  if (std::exchange(take_focus_, false)) ImGui::SetKeyboardFocusHere();
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion;
  bool named = path_input(panels, id, hint, path, kFlags, on_tab, this);
  panels.marks.add(id + 2);  // without the "##"
  const ImVec2 below(ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + 2.0f);
  list_open_ = ImGui::IsItemActive() || (list_open_ && list_hovered_);
  if (!list_open_) return named;
  const Completion* clicked = draw_list(panels, below, ImGui::GetItemRectSize().x);
  if (clicked == nullptr) return named;
  path = clicked->path;
  named = !clicked->folder;
  list_open_ = clicked->folder;
  take_focus_ = clicked->folder;
  return named;
}

}  // namespace throng::studio
