// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets.h"

#include <imgui_stdlib.h>

#include <algorithm>

#include "core/shortened.h"
#include "throng/bake/options.h"
#include "ui/style.h"

namespace throng::studio {
namespace {

constexpr float kTipWidth = 26.0f;  // letters, about

// All fields begin where the longest label of the options ends.
float label_width() {
  float widest = 0.0f;
  for (const BakeOption& option : bake_options())
    if (!std::holds_alternative<FlagField>(option.field)) widest = std::max(widest, text_width(option.label));
  return widest + 2.0f * ImGui::GetStyle().ItemSpacing.x;
}

}  // namespace

float text_width(std::string_view text) { return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x; }

std::string fitting_name(const std::string& name, float room) { return shortened_name(name, room, text_width); }

std::string fitting_path(const std::string& path, float room) { return shortened_path(path, room, text_width); }

std::string fitting_start(const std::string& text, float room) { return shortened_end(text, room, text_width); }

bool path_input(PanelState& panels, const char* id, const char* hint, std::string& path, ImGuiInputTextFlags flags,
                ImGuiInputTextCallback callback, void* user) {
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID key = ImGui::GetID(id);
  const bool typing = storage.GetBool(key);
  const bool covered = !typing && !path.empty();
  if (covered) ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0.0f, 0.0f, 0.0f, 0.0f));
  const bool entered = ImGui::InputTextWithHint(id, hint, &path, flags, callback, user);
  if (covered) ImGui::PopStyleColor();
  storage.SetBool(key, ImGui::IsItemActive());
  if (!covered) return entered;
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  const float room = ImGui::GetItemRectSize().x - 2.0f * padding.x;
  const std::string shown = fitting_path(path, room);
  const ImVec2 at(ImGui::GetItemRectMin().x + padding.x, ImGui::GetItemRectMin().y + padding.y);
  ImGui::GetWindowDrawList()->AddText(at, ImGui::GetColorU32(ImGuiCol_Text), shown.c_str());
  if (shown != path) tip(panels, path);
  return entered;
}

bool toggle_button(const char* label, bool on) {
  if (on) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_TabActive));
  const bool pressed = ImGui::Button(label);
  if (on) ImGui::PopStyleColor();
  return pressed;
}

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
  ImGui::SameLine(label_width());
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

void splitter(PanelState& panels, const char* id, Divides divides, float length, float& first, float least,
              float most) {
  const bool columns = divides == Divides::columns;
  ImGui::InvisibleButton(id, columns ? ImVec2(kSplitterThickness, length) : ImVec2(length, kSplitterThickness));
  panels.marks.add(id + 2);  // without the "##"
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(columns ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsItemActive()) first += columns ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
  first = std::clamp(first, least, std::max(least, most));
  const ImU32 colour = ImGui::GetColorU32(ImGui::IsItemActive()    ? ImGuiCol_SeparatorActive
                                          : ImGui::IsItemHovered() ? ImGuiCol_SeparatorHovered
                                                                   : ImGuiCol_WindowBg);
  ImDrawList& shapes = *ImGui::GetWindowDrawList();
  const ImVec2 min = ImGui::GetItemRectMin();
  const ImVec2 max = ImGui::GetItemRectMax();
  shapes.AddRectFilled(min, max, colour, 2.0f);
  // Three dots in its middle say that it can be dragged.
  const ImVec2 middle((min.x + max.x) / 2.0f, (min.y + max.y) / 2.0f);
  for (const float away : {-6.0f, 0.0f, 6.0f}) {
    const ImVec2 dot(middle.x + (columns ? 0.0f : away), middle.y + (columns ? away : 0.0f));
    shapes.AddCircleFilled(dot, 1.5f, ImGui::GetColorU32(ImGuiCol_TextDisabled));
  }
}

}  // namespace throng::studio
