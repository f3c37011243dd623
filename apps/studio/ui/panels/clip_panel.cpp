// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/clip_panel.h"

#include <algorithm>

#include "console.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

constexpr std::size_t kManyClips = 9;  // that are worth a filter
constexpr LoopChoice kLoopChoices[] = {LoopChoice::source, LoopChoice::loops, LoopChoice::once};

const char* loop_label(LoopChoice loop) {
  constexpr const char* kLabels[] = {"auto", "loop", "once"};
  return kLabels[static_cast<std::size_t>(loop)];
}

}  // namespace

void ClipPanel::draw_row(PanelState& panels, ClipChoice& clip) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::Checkbox("##baked", &clip.baked);
  panels.marks.add("clip " + clip.name);
  tip(panels, panels.help.of("--clip"));
  ImGui::SameLine();
  const std::string name = printable(clip.name);
  const std::string shown = fitting_name(name, ImGui::GetContentRegionAvail().x);
  const bool plays = panels.preview.has_model() && panels.preview.shown_clip().name == clip.name;
  if (ImGui::Selectable(fmt::format("{}###name", shown).c_str(), plays)) panels.preview.choose_named(clip.name);
  panels.marks.add("play " + clip.name);
  tip(panels, shown == name ? "A click plays it." : name + "\nA click plays it.");
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%.2f s", clip.length);
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ImGui::BeginCombo("##loop", loop_label(clip.loop), ImGuiComboFlags_NoArrowButton)) {
    for (const LoopChoice choice : kLoopChoices)
      if (ImGui::Selectable(loop_label(choice), choice == clip.loop)) clip.loop = choice;
    ImGui::EndCombo();
  }
  tip(panels, "loop: " + panels.help.of("--loop") + "\nonce: " + panels.help.of("--once"));
}

void ClipPanel::draw(PanelState& panels) {
  std::vector<ClipChoice>& clips = panels.studio.form().clips;
  if (clips.empty()) {
    quiet_text("The model has no clips: its rest pose is baked as one of one frame.");
    return;
  }
  const auto chosen = std::ranges::count_if(clips, &ClipChoice::baked);
  const auto choose_all = [&](bool baked) {
    for (ClipChoice& clip : clips)
      if (filter_.PassFilter(clip.name.c_str())) clip.baked = baked;
  };
  if (ImGui::Button("All")) choose_all(true);
  panels.marks.add("all-clips");
  ImGui::SameLine();
  if (ImGui::Button("None")) choose_all(false);
  panels.marks.add("no-clips");
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", fmt::format("{} of {}", chosen, clips.size()).c_str());
  if (clips.size() > kManyClips) {
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (ImGui::InputTextWithHint("##filter", "filter", filter_.InputBuf, IM_ARRAYSIZE(filter_.InputBuf)))
      filter_.Build();
    panels.marks.add("filter");
    tip(panels, "Shows clips whose name has this in it. All and None work on those.");
  }

  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersOuter;
  if (!ImGui::BeginTable("clips", 3, kFlags, ImGui::GetContentRegionAvail())) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("length", ImGuiTableColumnFlags_WidthFixed, 50.0f * panels.scale);
  ImGui::TableSetupColumn("loop", ImGuiTableColumnFlags_WidthFixed, 48.0f * panels.scale);
  for (std::size_t i = 0; i < clips.size(); ++i) {
    if (!filter_.PassFilter(clips[i].name.c_str())) continue;
    ImGui::PushID(static_cast<int>(i));
    draw_row(panels, clips[i]);
    ImGui::PopID();
  }
  ImGui::EndTable();
}

}  // namespace throng::studio
