// SPDX-License-Identifier: Apache-2.0
#include "ui/time_line.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "console.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

constexpr float kGrasp = 7.0f;  // pixels around an event that count as on it
constexpr const char* kNewName = "event";

std::string time_text(const Preview& preview) {
  const ShownClip& clip = preview.shown_clip();
  if (!preview.shows_one()) return fmt::format("{:.2f} s", preview.clock.seconds);
  const double frames = clip.length * clip.rate;
  if (!clip.baked || preview.shows() == Shows::source)
    return fmt::format("{:.3f} / {:.3f} s", preview.clock.seconds, clip.length);
  return fmt::format("{:.3f} / {:.3f} s  frame {:.1f} / {:.0f}", preview.clock.seconds, clip.length,
                     preview.clock.seconds * clip.rate, frames);
}

}  // namespace

float TimeLine::Scale::x(double seconds) const {
  return left + width * static_cast<float>(length > 0.0 ? std::clamp(seconds / length, 0.0, 1.0) : 0.0);
}

double TimeLine::Scale::seconds(float x) const {
  return length * static_cast<double>(std::clamp((x - left) / width, 0.0f, 1.0f));
}

float TimeLine::height() { return 1.3f * ImGui::GetFrameHeight(); }

ClipEvents* TimeLine::events(PanelState& panels) {
  if (!panels.studio.model()) return nullptr;
  ClipEvents* found = panels.studio.events().find(panels.preview.shown_clip().name);
  if (found == nullptr || found->clip != clip_) selected_.reset();
  clip_ = found == nullptr ? "" : found->clip;
  if (found != nullptr && selected_ && *selected_ >= found->own.size()) selected_.reset();
  return found;
}

void TimeLine::add_here(PanelState& panels) {
  ClipEvents* clip = events(panels);
  if (clip == nullptr) return;
  add_at(*clip, panels.preview.clock.seconds);
}

void TimeLine::add_at(ClipEvents& clip, double seconds) {
  const auto added = add_event(clip, seconds, kNewName);
  if (!added) return;
  selected_ = *added;
  name_ = kNewName;
  open_name_ = true;
}

void TimeLine::remove_selected(PanelState& panels) {
  ClipEvents* clip = events(panels);
  if (clip == nullptr || !selected_) return;
  remove_event(*clip, *selected_);
  selected_.reset();
}

void TimeLine::draw_event(PanelState& panels, const Scale& scale, const SheetEvent& event, bool fixed, bool selected) {
  ImDrawList& shapes = *ImGui::GetWindowDrawList();
  const float x = scale.x(event.time);
  const float y = scale.top + 7.0f;
  const float size = selected ? 6.5f : 5.0f;
  const ImU32 paint = ImGui::GetColorU32(fixed ? colour::kQuiet : selected ? colour::kAccent : colour::kWarning);
  shapes.AddQuadFilled({x, y - size}, {x + size, y}, {x, y + size}, {x - size, y}, paint);
  shapes.AddLine({x, y}, {x, scale.top + height() - 4.0f}, paint, 1.0f);
  if (!fixed) panels.marks.add("event " + event.name, {x - kGrasp, y - kGrasp}, {x + kGrasp, y + kGrasp});
  const ImVec2 pointer = ImGui::GetMousePos();
  if (std::abs(pointer.x - x) <= kGrasp && std::abs(pointer.y - y) <= 1.5f * kGrasp && !dragging_)
    panels.tip = fmt::format("{} at {:.4g} s{}", printable(event.name), event.time,
                             fixed ? "\nFrom the model's file, or a pattern: not to be edited here."
                                   : "\nDrag moves it, a double click renames it, Delete deletes it.");
}

void TimeLine::draw_line(PanelState& panels, const Scale& scale) {
  ImDrawList& shapes = *ImGui::GetWindowDrawList();
  const float top = scale.top + 0.55f * height();
  const float bottom = scale.top + height() - 4.0f;
  const float right = scale.left + scale.width;
  shapes.AddRectFilled({scale.left, top}, {right, bottom}, ImGui::GetColorU32(ImGuiCol_FrameBg), 3.0f);
  const float now = scale.x(panels.preview.clock.seconds);
  shapes.AddRectFilled({scale.left, top}, {now, bottom}, ImGui::GetColorU32(ImGuiCol_TabActive), 3.0f);
  const ClipEvents* clip = panels.preview.shows_one() ? events(panels) : nullptr;
  if (clip != nullptr) {
    for (const SheetEvent& event : panels.studio.events().fixed_of(panels.preview.shown_clip().source))
      draw_event(panels, scale, event, true, false);
    for (std::size_t i = 0; i < clip->own.size(); ++i) draw_event(panels, scale, clip->own[i], false, selected_ == i);
  }
  shapes.AddRectFilled({now - 2.0f, scale.top + 0.35f * height()}, {now + 2.0f, bottom + 2.0f},
                       ImGui::GetColorU32(ImGuiCol_Text), 2.0f);
}

void TimeLine::follow_pointer(PanelState& panels, const Scale& scale) {
  const ImVec2 pointer = ImGui::GetMousePos();
  ClipEvents* clip = panels.preview.shows_one() ? events(panels) : nullptr;
  const auto under_pointer = [&]() -> std::optional<std::size_t> {
    if (clip == nullptr || pointer.y > scale.top + 7.0f + 1.5f * kGrasp) return std::nullopt;
    for (std::size_t i = 0; i < clip->own.size(); ++i)
      if (std::abs(pointer.x - scale.x(clip->own[i].time)) <= kGrasp) return i;
    return std::nullopt;
  };
  if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(1) && clip != nullptr) {
    selected_ = under_pointer();
    menu_seconds_ = scale.seconds(pointer.x);
    ImGui::OpenPopup("event-menu");
  }
  if (ImGui::IsItemActivated()) {
    selected_ = under_pointer();
    dragging_ = selected_.has_value();
  }
  if (!ImGui::IsItemActive()) {
    dragging_ = false;
    return;
  }
  if (selected_ && ImGui::IsMouseDoubleClicked(0) && clip != nullptr) {
    name_ = clip->own[*selected_].name;
    open_name_ = true;
  }
  if (dragging_ && clip != nullptr) {
    if (!ImGui::IsMouseDragging(0, 2.0f)) return;
    if (const auto moved = move_event(*clip, *selected_, scale.seconds(pointer.x))) selected_ = *moved;
    return;
  }
  panels.preview.clock.seconds = scale.seconds(pointer.x);
  panels.preview.clock.playing = false;
}

void TimeLine::draw_menu(PanelState& panels) {
  if (!ImGui::BeginPopup("event-menu")) return;
  ClipEvents* clip = events(panels);
  if (clip == nullptr) {
    ImGui::CloseCurrentPopup();
  } else if (selected_) {
    if (ImGui::MenuItem("Rename")) {
      name_ = clip->own[*selected_].name;
      open_name_ = true;
    }
    if (ImGui::MenuItem("Delete", "Del")) remove_selected(panels);
  } else {
    if (ImGui::MenuItem("Add an event here")) add_at(*clip, menu_seconds_);
    panels.marks.add("add-event-here");
  }
  ImGui::EndPopup();
}

void TimeLine::draw_name(PanelState& panels) {
  constexpr const char* kTitle = "Name of the event";
  const bool opened = std::exchange(open_name_, false);
  if (opened) ImGui::OpenPopup(kTitle);
  if (!ImGui::BeginPopup(kTitle)) return;
  ImGui::TextDisabled("Name of the event");
  if (opened) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(200.0f * panels.scale);
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll;
  const bool entered = ImGui::InputText("##event-name", &name_, kFlags);
  panels.marks.add("event-name");
  ClipEvents* clip = events(panels);
  if (entered && clip != nullptr && selected_ && !name_.empty()) clip->own[*selected_].name = name_;
  if (entered || clip == nullptr || !selected_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void TimeLine::draw(PanelState& panels) {
  Preview& preview = panels.preview;
  const std::string text = time_text(preview);
  const float words = std::max(text_width(text), text_width("0.000 / 0.000 s  frame 00.0 / 00")) + 8.0f;
  const float room = std::max(ImGui::GetContentRegionAvail().x - words - ImGui::GetStyle().ItemSpacing.x, 60.0f);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  // Takes the left button alone: the right one opens the menu, and time stays where it is.
  ImGui::InvisibleButton("##time", {room, height()}, ImGuiButtonFlags_MouseButtonLeft);
  panels.marks.add("time");
  const Scale scale{at.x + 6.0f, room - 12.0f, at.y, preview.shows_one() ? preview.shown_clip().length : 30.0};
  follow_pointer(panels, scale);
  draw_line(panels, scale);
  draw_menu(panels);
  draw_name(panels);
  ImGui::SameLine();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + height() - ImGui::GetTextLineHeight() - 6.0f);
  ImGui::TextUnformatted(text.c_str());
}

}  // namespace throng::studio
