// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/event_panel.h"

#include <imgui_stdlib.h>

#include "console.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

void draw_own(PanelState& panels, ClipEvents& clip) {
  for (std::size_t i = 0; i < clip.own.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    double time = clip.own[i].time;
    ImGui::SetNextItemWidth(-FLT_MIN);
    constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue;
    const bool moved = ImGui::InputDouble("##time", &time, 0.0, 0.0, "%.4g s", kFlags);
    panels.marks.add("event-time " + clip.own[i].name);
    ImGui::TableNextColumn();
    ImGui::SetNextItemWidth(-FLT_MIN);
    std::string name = clip.own[i].name;
    if (ImGui::InputText("##name", &name) && !name.empty()) clip.own[i].name = name;
    ImGui::TableNextColumn();
    if (ImGui::SmallButton("Show")) {
      panels.preview.clock.seconds = clip.own[i].time;
      panels.preview.clock.playing = false;
    }
    ImGui::SameLine();
    const bool removed = ImGui::SmallButton("Delete");
    panels.marks.add("delete-event " + clip.own[i].name);
    ImGui::PopID();
    if (removed) return remove_event(clip, i);
    if (moved) {
      static_cast<void>(move_event(clip, i, time));  // what is no time leaves it where it is
      return;
    }
  }
}

}  // namespace

void draw_events(PanelState& panels) {
  if (!panels.studio.model() || !panels.preview.has_model()) {
    quiet_text("Events of the clip that plays are listed here when a model is open.");
    return;
  }
  ClipEvents* clip = panels.studio.events().find(panels.preview.shown_clip().name);
  if (clip == nullptr) {
    quiet_text("This clip has no time to put events on.");
    return;
  }
  const auto fixed = panels.studio.events().fixed_of(panels.preview.shown_clip().source);
  const std::string file = panels.studio.side_file();
  quiet_text(fmt::format("{}: {}, and {} from the model's file. {}", printable(clip->clip),
                         counted(clip->own.size(), "event"), fixed.size(),
                         file.empty() ? "'+ Event' under the picture adds one."
                                      : "Saving the asset writes them to " + printable(file) + "."));
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersOuter;
  if (!ImGui::BeginTable("events", 3, kFlags)) return;
  ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed, 90.0f * panels.scale);
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, 120.0f * panels.scale);
  for (const SheetEvent& event : fixed) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%.4g s", event.time);
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", printable(event.name).c_str());
  }
  draw_own(panels, *clip);
  ImGui::EndTable();
}

}  // namespace throng::studio
