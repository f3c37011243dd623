// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/material_panel.h"

#include "ui/widgets.h"

namespace throng::studio {

void MaterialPanel::follow(const Studio& studio) {
  std::shared_ptr<const void> of = studio.model();
  if (!of) of = studio.result();
  if (of == shown_) return;
  shown_ = of;
  rows_.clear();
  if (studio.model()) {
    rows_ = material_rows(studio.model()->model.materials(), studio.model()->model.images());
  } else if (studio.result()) {
    rows_ = material_rows(studio.result()->model.materials(), studio.result()->model.images());
  }
}

void MaterialPanel::draw(PanelState& panels) {
  follow(panels.studio);
  if (rows_.empty()) {
    quiet_text("The materials of a model are listed here when one is open.");
    return;
  }
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersOuter |
                                     ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_Resizable |
                                     ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("materials", 5, kFlags)) return;
  ImGui::TableSetupColumn("Colour", ImGuiTableColumnFlags_WidthFixed, 50.0f * panels.scale);
  for (const char* name : {"Material", "Texture", "Normal map", "Surface"})
    ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableHeadersRow();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const MaterialRow& row = rows_[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const ImVec4 colour(row.colour.r, row.colour.g, row.colour.b, row.colour.a);
    ImGui::ColorButton(fmt::format("##colour{}", i).c_str(), colour, ImGuiColorEditFlags_NoTooltip,
                       {36.0f * panels.scale, ImGui::GetTextLineHeight()});
    for (const std::string* text : {&row.name, &row.texture, &row.normals, &row.surface}) {
      ImGui::TableNextColumn();
      const std::string shown = fitting_name(*text, ImGui::GetContentRegionAvail().x);
      ImGui::TextUnformatted(shown.c_str());
      if (shown != *text) tip(panels, *text);
    }
    panels.marks.add("material " + row.name);
  }
  ImGui::EndTable();
}

}  // namespace throng::studio
