// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/part_panel.h"

#include <imgui_stdlib.h>

#include <algorithm>

#include "console.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {

void PartPanel::draw_parts(PanelState& panels) {
  std::vector<PartChoice>& parts = panels.studio.form().parts;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersOuter;
  const auto groups = static_cast<float>(panels.studio.form().settings.groups.size());
  const float below = (1.0f + groups) * ImGui::GetFrameHeightWithSpacing();
  const float height = std::max(ImGui::GetContentRegionAvail().y - below, 4.0f * ImGui::GetFrameHeightWithSpacing());
  if (!ImGui::BeginTable("parts", 3, kFlags, {0.0f, height})) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 2.2f);
  ImGui::TableSetupColumn("group", ImGuiTableColumnFlags_WidthStretch, 1.0f);
  ImGui::TableSetupColumn("triangles", ImGuiTableColumnFlags_WidthFixed, 64.0f * panels.scale);
  const std::vector<std::string>& hidden = panels.preview.hidden;
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    PartChoice& part = parts[i];
    ImGui::PushID(static_cast<int>(i));
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::Checkbox("##baked", &part.baked);
    panels.marks.add("part " + part.name);
    tip(panels, panels.help.of("--without"));
    ImGui::SameLine();
    const std::string name = printable(part.name);
    const std::string group = printable(panels.wardrobe.group_of(i));
    const bool worn = std::ranges::find(hidden, part.name) == hidden.end();
    const std::string shown = fitting_name(name, ImGui::GetContentRegionAvail().x);
    if (!worn) ImGui::PushStyleColor(ImGuiCol_Text, colour::kQuiet);
    if (ImGui::Selectable(fmt::format("{}###name", shown).c_str(), false)) panels.wardrobe.wear(i);
    if (!worn) ImGui::PopStyleColor();
    panels.marks.add("wear " + part.name);
    tip(panels, group.empty() ? name : fmt::format("{}\nOne of '{}': a click shows it worn.", name, group));
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", fitting_name(group, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", grouped(part.triangles).c_str());
    ImGui::PopID();
  }
  ImGui::EndTable();
}

void PartPanel::draw_groups(PanelState& panels) {
  std::vector<std::string>& groups = panels.studio.form().settings.groups;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const bool removed = ImGui::SmallButton("×");
    panels.marks.add(fmt::format("remove-group {}", i));
    ImGui::PopID();
    ImGui::SameLine();
    ImGui::TextUnformatted(fitting_name(printable(groups[i]), ImGui::GetContentRegionAvail().x).c_str());
    if (!removed) continue;
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  const FieldRow row(panels, "Groups of parts", "--group");
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue;
  if (ImGui::InputTextWithHint(row.id(), "shield?=*_Shield*, then Enter", &new_group_, kFlags) && !new_group_.empty())
    groups.push_back(std::exchange(new_group_, ""));
}

void PartPanel::draw(PanelState& panels) {
  std::vector<PartChoice>& parts = panels.studio.form().parts;
  const auto choose_all = [&](bool baked) {
    for (PartChoice& part : parts) part.baked = baked;
  };
  if (ImGui::Button("All")) choose_all(true);
  panels.marks.add("all-parts");
  ImGui::SameLine();
  if (ImGui::Button("None")) choose_all(false);
  panels.marks.add("no-parts");
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const auto chosen = std::ranges::count_if(parts, &PartChoice::baked);
  ImGui::TextDisabled("%s", fmt::format("{} of {}", chosen, parts.size()).c_str());
  draw_parts(panels);
  draw_groups(panels);
}

}  // namespace throng::studio
