// SPDX-License-Identifier: Apache-2.0
#include "ui/bake_bar.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "console.h"
#include "core/files/folder_listing.h"
#include "core/form/fixes.h"
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

std::vector<Fix> fixes_of(const Studio& studio) {
  if (!studio.problems().bake.empty()) return bake_fixes(studio.problems().bake, studio.form());
  return save_fixes(studio.problems().save, studio.form(), studio.output());
}

// A button for each thing that can be done about what went wrong; then it is tried again.
void draw_fixes(PanelState& panels) {
  Studio& studio = panels.studio;
  const bool of_bake = !studio.problems().bake.empty();
  for (const Fix& fix : fixes_of(studio)) {
    const bool pressed = ImGui::Button(fix.label.c_str());
    panels.marks.add("fix " + fix.label);
    tip(panels, of_bake ? "Sets the fields so, and bakes again." : "Does so, and saves again.");
    if (!pressed) continue;
    studio.form() = fix.form;
    std::error_code refused;  // saving says it in words
    if (fix.kind == FixKind::make_folder) std::filesystem::create_directories(fix.folder, refused);
    if (of_bake) {
      studio.bake();
    } else {
      studio.save();
    }
    return;
  }
}

// The line under the buttons: the first of these that there is something to say about.
void draw_outcome(PanelState& panels) {
  const Studio& studio = panels.studio;
  const Problems& problems = studio.problems();
  if (!problems.bake.empty()) {
    problem_text(panels, problems.bake);
    panels.marks.add("bake-problem");
    draw_fixes(panels);
  } else if (!problems.save.empty()) {
    problem_text(panels, problems.save);
    panels.marks.add("save-problem");
    draw_fixes(panels);
  } else if (studio.result_is_old()) {
    coloured_text(colour::kWarning, "The fields have changed since the bake.");
  } else if (!studio.saved_as().empty()) {
    const std::string verb = studio.save_replaced() ? "Replaced " : "Wrote ";
    const std::string file = printable(studio.saved_as());
    const float room = ImGui::GetContentRegionAvail().x - text_width(verb);
    ImGui::TextColored(colour::kGood, "%s%s", verb.c_str(), fitting_path(file, room).c_str());
    tip(panels, verb + file);
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
  path_input(panels, "##output", "knight.throng.glb", studio.output());
  panels.marks.add("output");
  std::error_code ignored;
  const std::filesystem::path place = std::filesystem::absolute(with_home(studio.output()), ignored);
  tip(panels, fmt::format("{}\n{}", panels.help.of("--output"), printable(place.string())));
  ImGui::SameLine();
  const std::string command = studio.command();
  if (ImGui::Button("Copy", {button, 0.0f})) ImGui::SetClipboardText(command.c_str());
  panels.marks.add("copy-command");
  tip(panels, "Copy the command that bakes the same:\n" + command);
}

}  // namespace

float bake_bar_height(const PanelState& panels, float width) {
  const float row = ImGui::GetFrameHeightWithSpacing();
  const Problems& problems = panels.studio.problems();
  const std::string& problem = problems.bake.empty() ? problems.save : problems.bake;
  const float wrap = width - 2.0f * ImGui::GetStyle().WindowPadding.x;
  float text = ImGui::GetTextLineHeightWithSpacing();
  if (!problem.empty()) {
    text = std::min(ImGui::CalcTextSize(problem.c_str(), nullptr, false, wrap).y, 8.0f * ImGui::GetTextLineHeight()) +
           ImGui::GetStyle().ItemSpacing.y;
    text += static_cast<float>(fixes_of(panels.studio).size()) * row;
  }
  return 2.0f * row + text + 2.0f * ImGui::GetStyle().WindowPadding.y;
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
