#include "ui/bake_bar.h"

#include <imgui_stdlib.h>

#include <array>

#include "console.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

constexpr const char* kActivities[] = {"", "opening", "baking", "writing"};

void draw_progress(Desk& desk) {
  const Studio& studio = desk.studio;
  const WorkProgress progress = studio.progress();
  const float button = 84.0f * desk.scale;
  const float width = ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x;
  const char* what = kActivities[static_cast<std::size_t>(studio.activity())];
  const std::string text = fmt::format("{} {:.0f} %  {:.1f} s", progress.what.empty() ? what : progress.what,
                                       100.0 * progress.done, studio.seconds_at_it());
  ImGui::ProgressBar(static_cast<float>(progress.done), {width, 0.0f}, text.c_str());
  desk.marks.add("progress");
  ImGui::SameLine();
  ImGui::BeginDisabled(studio.activity() == Activity::saving);
  if (ImGui::Button("Cancel", {button, 0.0f})) desk.studio.cancel();
  ImGui::EndDisabled();
  desk.marks.add("cancel");
  tip(desk, "Throws the result away; nothing is written. Escape");
}

void draw_buttons(Desk& desk) {
  Studio& studio = desk.studio;
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2.0f;
  ImGui::BeginDisabled(!studio.can_bake());
  if (main_button("Bake", {half, 0.0f})) studio.bake();
  ImGui::EndDisabled();
  desk.marks.add("bake");
  tip(desk, "Bake the chosen clips. Ctrl+B");
  ImGui::SameLine();
  ImGui::BeginDisabled(!studio.can_save());
  if (ImGui::Button("Save", {half, 0.0f})) studio.save();
  ImGui::EndDisabled();
  desk.marks.add("save");
  tip(desk, "Write the asset, whole or not at all, over a file of that name. Ctrl+S");
}

// The line under the buttons: the first of these that there is something to say about.
void draw_outcome(Desk& desk) {
  const Studio& studio = desk.studio;
  const Problems& problems = studio.problems();
  if (!problems.bake.empty()) {
    problem_text(desk, problems.bake);
    desk.marks.add("bake-problem");
  } else if (!problems.save.empty()) {
    problem_text(desk, problems.save);
    desk.marks.add("save-problem");
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

void draw_output(Desk& desk) {
  Studio& studio = desk.studio;
  const float button = 64.0f * desk.scale;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Asset");
  ImGui::SameLine(56.0f * desk.scale);
  ImGui::SetNextItemWidth(-button - ImGui::GetStyle().ItemSpacing.x);
  ImGui::InputText("##output", &studio.output());
  desk.marks.add("output");
  tip(desk, desk.help.of("--output"));
  ImGui::SameLine();
  const std::string command = command_line(studio.sources(), studio.form(), studio.output());
  if (ImGui::Button("Copy", {button, 0.0f})) ImGui::SetClipboardText(command.c_str());
  desk.marks.add("copy-command");
  tip(desk, "Copy the command that bakes the same:\n" + command);
}

}  // namespace

float bake_bar_height(const Desk& desk) {
  const float row = ImGui::GetFrameHeightWithSpacing();
  const bool problem = !desk.studio.problems().bake.empty() || !desk.studio.problems().save.empty();
  const float lines = problem ? 4.0f : 1.0f;
  return 2.0f * row + lines * ImGui::GetTextLineHeightWithSpacing() + 2.0f * ImGui::GetStyle().WindowPadding.y;
}

void draw_bake_bar(Desk& desk) {
  ImGui::BeginDisabled(!desk.studio.model());
  draw_output(desk);
  ImGui::EndDisabled();
  if (desk.studio.activity() == Activity::idle) {
    draw_buttons(desk);
  } else {
    draw_progress(desk);
  }
  draw_outcome(desk);
}

}  // namespace throng::studio
