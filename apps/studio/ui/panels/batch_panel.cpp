// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/batch_panel.h"

#include <algorithm>
#include <filesystem>

#include "console.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

ImVec4 colour_of(BatchItem::State state) {
  if (state == BatchItem::State::failed) return colour::kProblem;
  if (state == BatchItem::State::doubtful) return colour::kWarning;
  return state == BatchItem::State::written ? colour::kGood : colour::kQuiet;
}

std::string state_text(const BatchItem& item, const Batch& batch) {
  if (item.state == BatchItem::State::waiting) return "waiting";
  if (item.state == BatchItem::State::baking)
    return fmt::format("{} {:.0f} %", batch.progress().what, 100.0 * batch.progress().done);
  return printable(item.says);
}

}  // namespace

void draw_batch(PanelState& panels) {
  Batch& batch = panels.batch;
  if (!batch.problem().empty()) {
    problem_text(panels, printable(batch.problem()));
    panels.marks.add("batch-problem");
  }
  if (batch.items().empty()) return;
  const auto done = std::ranges::count_if(batch.items(), [](const BatchItem& item) {
    return item.state != BatchItem::State::waiting && item.state != BatchItem::State::baking;
  });
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fmt::format("{} of {} done", done, batch.items().size()).c_str());
  panels.marks.add("batch-state");
  if (batch.running()) {
    ImGui::SameLine();
    if (ImGui::Button("Stop after this one")) batch.stop();
    panels.marks.add("stop-batch");
  }
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersOuter | ImGuiTableFlags_Resizable |
                                     ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("batch", 3, kFlags)) return;
  ImGui::TableSetupColumn("Model", ImGuiTableColumnFlags_WidthStretch, 1.0f);
  ImGui::TableSetupColumn("Asset", ImGuiTableColumnFlags_WidthStretch, 1.0f);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.6f);
  for (const BatchItem& item : batch.items()) {
    ImGui::TableNextRow();
    for (const std::string* path : {&item.model, &item.output}) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(fitting_path(printable(*path), ImGui::GetContentRegionAvail().x).c_str());
      tip(panels, printable(*path));
    }
    ImGui::TableNextColumn();
    const std::string text = state_text(item, batch);
    const std::string shown = fitting_start(text, ImGui::GetContentRegionAvail().x);
    ImGui::TextColored(colour_of(item.state), "%s", shown.c_str());
    if (shown != text) tip(panels, text);
    panels.marks.add("batch " + std::filesystem::path(item.model).filename().string());
  }
  ImGui::EndTable();
}

}  // namespace throng::studio
