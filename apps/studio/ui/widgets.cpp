// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets.h"

#include <imgui_stdlib.h>

#include <algorithm>

#include "ui/style.h"

namespace throng::studio {
namespace {

constexpr float kLabelWidth = 118.0f;
constexpr float kTipWidth = 26.0f;  // letters, about

}  // namespace

void tip(PanelState& panels, const std::string& text) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) panels.tip = text;
}

void draw_tip(const PanelState& panels) {
  if (panels.tip.empty()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * kTipWidth);
  ImGui::TextUnformatted(panels.tip.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void heading(const char* text) {
  ImGui::Dummy({0.0f, 2.0f});
  ImGui::TextColored(colour::kAccent, "%s", text);
}

void coloured_text(const ImVec4& colour, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void quiet_text(const std::string& text) { coloured_text(colour::kQuiet, text); }

void problem_text(PanelState& panels, const std::string& text) {
  if (text.empty()) return;
  coloured_text(colour::kProblem, text);
  if (ImGui::IsItemClicked()) ImGui::SetClipboardText(text.c_str());
  tip(panels, "Click to copy.");
}

bool main_button(const char* label, ImVec2 size) {
  const ImVec4 base = colour::kAccent;
  const auto shade = [&base](float light) { return ImVec4(base.x * light, base.y * light, base.z * light, 1.0f); };
  ImGui::PushStyleColor(ImGuiCol_Button, shade(0.8f));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, shade(0.95f));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, shade(1.1f));
  const bool pressed = ImGui::Button(label, size);
  ImGui::PopStyleColor(3);
  return pressed;
}

FieldRow::FieldRow(PanelState& panels, const char* label, const char* option)
    : panels_(panels), option_(option), id_(std::string("##") + option) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  tip(panels, panels.help.of(option));
  ImGui::SameLine(kLabelWidth * panels.scale);
  ImGui::SetNextItemWidth(-FLT_MIN);
}

FieldRow::~FieldRow() {
  tip(panels_, panels_.help.of(option_));
  panels_.marks.add(option_);
}

bool flag_field(PanelState& panels, const char* label, const char* option, bool& value) {
  const bool changed = ImGui::Checkbox(label, &value);
  tip(panels, panels.help.of(option));
  panels.marks.add(option);
  return changed;
}

bool text_field(PanelState& panels, const char* label, const char* option, const char* hint, std::string& value) {
  const FieldRow row(panels, label, option);
  return ImGui::InputTextWithHint(row.id(), hint, &value);
}

bool choice_field(PanelState& panels, const char* label, const char* option, std::size_t& value,
                  std::span<const std::string_view> words) {
  const FieldRow row(panels, label, option);
  bool changed = false;
  if (!ImGui::BeginCombo(row.id(), std::string(words[value]).c_str())) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!ImGui::Selectable(std::string(words[i]).c_str(), i == value)) continue;
    value = i;
    changed = true;
  }
  ImGui::EndCombo();
  return changed;
}

void splitter(const char* id, Divides divides, float length, float& first, float least, float most) {
  const bool columns = divides == Divides::columns;
  ImGui::InvisibleButton(id, columns ? ImVec2(kSplitterThickness, length) : ImVec2(length, kSplitterThickness));
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(columns ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsItemActive()) first += columns ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
  first = std::clamp(first, least, std::max(least, most));
  const ImU32 colour = ImGui::GetColorU32(ImGui::IsItemActive()    ? ImGuiCol_SeparatorActive
                                          : ImGui::IsItemHovered() ? ImGuiCol_SeparatorHovered
                                                                   : ImGuiCol_WindowBg);
  ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), colour, 2.0f);
}

}  // namespace throng::studio
