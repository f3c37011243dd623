// SPDX-License-Identifier: Apache-2.0
#include "ui/bake_bar.h"

#include <imgui_stdlib.h>

#include <array>

#include "console.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

constexpr const char* kActivities[] = {"", "opening", "baking", "writing"};

void draw_progress(PanelState& panels) {
  const Studio& studio = panels.studio;
  const WorkProgress progress = studio.progress();
  const float button = 84.0f * panels.scale;
  const float width = ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x;
  const char* what = kActivities[static_cast<std::size_t>(studio.activity())];
  const std::string text = fmt::format("{} {:.0f} %  {:.1f} s", progress.what.empty() ? what : progress.what,
                                       100.0 * progress.done, studio.seconds_at_it());
  ImGui::ProgressBar(static_cast<float>(progress.done), {width, 0.0f}, text.c_str());
  panels.marks.add("progress");
  ImGui::SameLine();
  ImGui::BeginDisabled(studio.activity() == Activity::saving);
  if (ImGui::Button("Cancel", {button, 0.0f})) panels.studio.cancel();
  ImGui::EndDisabled();
  panels.marks.add("cancel");
  tip(panels, "Throws the result away; nothing is written. Escape");
}

void draw_buttons(PanelState& panels) {
  Studio& studio = panels.studio;
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2.0f;
  ImGui::BeginDisabled(!studio.can_bake());
  if (main_button("Bake", {half, 0.0f})) studio.bake();
  ImGui::EndDisabled();
  panels.marks.add("bake");
  tip(panels, "Bake the chosen clips. Ctrl+B");
  ImGui::SameLine();
  ImGui::BeginDisabled(!studio.can_save());
  if (ImGui::Button("Save", {half, 0.0f})) studio.save();
  ImGui::EndDisabled();
  panels.marks.add("save");
  tip(panels, "Write the asset, whole or not at all, over a file of that name. Ctrl+S");
}

// The line under the buttons: the first of these that there is something to say about.
void draw_outcome(PanelState& panels) {
  const Studio& studio = panels.studio;
  const Problems& problems = studio.problems();
  if (!problems.bake.empty()) {
    problem_text(panels, problems.bake);
    panels.marks.add("bake-problem");
  } else if (!problems.save.empty()) {
    problem_text(panels, problems.save);
    panels.marks.add("save-problem");
  } else if (studio.result_is_old()) {
    coloured_text(colour::kWarning, "The fields have changed since the bake.");
  } else if (!studio.saved_as().empty()) {
    coloured_text(colour::kGood, "Wrote " + printable(studio.saved_as()));
  } else if (studio.can_save()) {
    quiet_text("Baked, not written yet.");
  } else {
    quiet_text(studio.model() ? "Ready to bake." : "");
  }
}

void draw_output(PanelState& panels) {
  Studio& studio = panels.studio;
  const float button = 64.0f * panels.scale;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Asset");
  ImGui::SameLine(56.0f * panels.scale);
  ImGui::SetNextItemWidth(-button - ImGui::GetStyle().ItemSpacing.x);
  ImGui::InputText("##output", &studio.output());
  panels.marks.add("output");
  tip(panels, panels.help.of("--output"));
  ImGui::SameLine();
  const std::string command = command_line(studio.sources(), studio.form(), studio.output());
  if (ImGui::Button("Copy", {button, 0.0f})) ImGui::SetClipboardText(command.c_str());
  panels.marks.add("copy-command");
  tip(panels, "Copy the command that bakes the same:\n" + command);
}

}  // namespace

float bake_bar_height(const PanelState& panels) {
  const float row = ImGui::GetFrameHeightWithSpacing();
  const bool problem = !panels.studio.problems().bake.empty() || !panels.studio.problems().save.empty();
  const float lines = problem ? 4.0f : 1.0f;
  return 2.0f * row + lines * ImGui::GetTextLineHeightWithSpacing() + 2.0f * ImGui::GetStyle().WindowPadding.y;
}

void draw_bake_bar(PanelState& panels) {
  ImGui::BeginDisabled(!panels.studio.model());
  draw_output(panels);
  ImGui::EndDisabled();
  if (panels.studio.activity() == Activity::idle) {
    draw_buttons(panels);
  } else {
    draw_progress(panels);
  }
  draw_outcome(panels);
}

}  // namespace throng::studio
