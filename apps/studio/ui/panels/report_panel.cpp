// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/report_panel.h"

#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

struct Column {
  const char* name;
  float weight;
  const char* tip;
};

constexpr Column kColumns[] = {
    {"Clip", 2.2f, "A click plays it"},
    {"Frames", 0.7f, "Baked samples"},
    {"Rate", 0.6f, "Frames a second"},
    {"Seconds", 0.8f, "Of one cycle when it loops"},
    {"Loop", 0.6f, ""},
    {"Encoding", 1.1f, "How its values are written"},
    {"Memory", 1.0f, "In the texture"},
    {"At frames", 1.0f, "Largest error at the frames, in millimetres on a character 1.8 m tall"},
    {"Between", 1.0f, "Largest error between frames, in millimetres on a character 1.8 m tall"},
    {"Worst", 2.4f, "The bone and the time of the largest error; a click shows it"},
};

void cell(const std::string& text) {
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(text.c_str());
}

void cell(const ImVec4& colour, const std::string& text) {
  ImGui::TableNextColumn();
  ImGui::TextColored(colour, "%s", text.c_str());
}

void draw_headers(PanelState& panels) {
  for (const Column& column : kColumns)
    ImGui::TableSetupColumn(column.name, ImGuiTableColumnFlags_WidthStretch, column.weight);
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (const Column& column : kColumns) {
    ImGui::TableNextColumn();
    ImGui::TableHeader(column.name);
    tip(panels, column.tip);
  }
}

}  // namespace

void ReportPanel::follow(const std::shared_ptr<const BakeResult>& result) {
  if (result == shown_) return;
  shown_ = result;
  if (!shown_) return;
  figures_ = figures(shown_->model);
  if (!shown_->from_file) figures_.push_back({"Baked in", fmt::format("{:.2f} s", shown_->seconds)});
  rows_ = clip_rows(shown_->model);
  notes_ = notes(shown_->model);
  warnings_ = warnings(shown_->model);
}

void ReportPanel::draw_figures() {
  if (!ImGui::BeginTable("figures", 2, ImGuiTableFlags_SizingFixedFit)) return;
  for (const Figure& figure : figures_) {
    ImGui::TableNextRow();
    cell(colour::kQuiet, figure.name);
    cell(figure.value);
  }
  ImGui::EndTable();
}

void ReportPanel::draw_clips(PanelState& panels) {
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersOuter |
                                     ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_Resizable |
                                     ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("report", IM_ARRAYSIZE(kColumns), kFlags)) return;
  draw_headers(panels);
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    const ClipRow& row = rows_[i];
    ImGui::PushID(static_cast<int>(i));
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const std::string shown = fitting_name(row.name, ImGui::GetContentRegionAvail().x);
    if (ImGui::Selectable(fmt::format("{}###name", shown).c_str(), panels.preview.plays_baked(i)))
      panels.preview.choose_baked(i);
    panels.marks.add("report " + row.name);
    tip(panels, shown == row.name ? row.choice : row.name + "\n" + row.choice);
    cell(row.frames);
    cell(row.rate);
    cell(row.length);
    cell(row.loops);
    cell(row.encoding);
    tip(panels, row.choice);
    cell(row.bytes);
    cell(colour::of(row.at_grade), row.at_frames);
    cell(colour::of(row.between_grade), row.between);
    ImGui::TableNextColumn();
    if (ImGui::Selectable(fmt::format("{}###worst", row.worst).c_str())) panels.preview.show_worst(i);
    panels.marks.add("worst " + row.name);
    ImGui::PopID();
  }
  ImGui::EndTable();
}

void ReportPanel::draw_notes(PanelState& panels) {
  if (notes_.empty()) return;
  const std::string title = fmt::format("{} {}###notes", notes_.size(), notes_.size() == 1 ? "note" : "notes");
  if (!ImGui::TreeNodeEx(title.c_str(), ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_DefaultOpen)) return;
  for (const std::string& note : notes_) quiet_text(note);
  ImGui::TreePop();
  panels.marks.add("notes");
}

void ReportPanel::draw(PanelState& panels) {
  follow(panels.studio.result());
  if (!shown_) {
    quiet_text("The report of a bake: frames, memory and errors, clip by clip.");
    return;
  }
  // A line each, so that the clips stay in sight; all of it beside the pointer.
  for (const std::string& warning : warnings_) {
    const std::string shown = fitting_start(warning, ImGui::GetContentRegionAvail().x);
    ImGui::TextColored(colour::kProblem, "%s", shown.c_str());
    panels.marks.add("warning");
    if (ImGui::IsItemClicked()) ImGui::SetClipboardText(warning.c_str());
    tip(panels, warning + "\nA click copies this.");
  }
  draw_clips(panels);
  draw_figures();
  draw_notes(panels);
}

}  // namespace throng::studio
