// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/source_panel.h"

#include <imgui_stdlib.h>

#include "console.h"
#include "files.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

std::string summary_of(const Model& model) {
  std::size_t vertices = 0;
  for (const Mesh& mesh : model.meshes()) vertices += mesh.positions.size();
  return fmt::format("{}, {}, {}, {}", counted(model.clips().size(), "clip"), counted(model.bones().size(), "bone"),
                     counted(model.meshes().size(), "mesh", "meshes"), counted(vertices, "vertex", "vertices"));
}

}  // namespace

void SourcePanel::open(PanelState& panels, const std::string& model) {
  edited_ = {.model = model, .clip_files = {}, .side_file = {}, .scene = {}};
  panels.studio.open(edited_);
}

// The same model with other additions keeps what was chosen; another file starts anew.
void SourcePanel::reopen(PanelState& panels) {
  if (edited_.model != shown_.model) {
    open(panels, edited_.model);
  } else {
    panels.studio.open(edited_);
  }
}

void SourcePanel::draw_summary(PanelState& panels) {
  const Studio& studio = panels.studio;
  problem_text(panels, studio.problems().open);
  if (!studio.problems().open.empty()) panels.marks.add("open-problem");
  if (studio.model()) {
    const Imported& imported = *studio.model();
    const std::string summary = summary_of(imported.model);
    ImGui::TextColored(colour::kQuiet, "%s", fitting_name(summary, ImGui::GetContentRegionAvail().x).c_str());
    tip(panels, summary);
    std::vector<std::string> remarks = imported.warnings;
    remarks.insert(remarks.end(), imported.notes.begin(), imported.notes.end());
    if (remarks.empty()) return;
    coloured_text(colour::kWarning,
                  fmt::format("{} from the import: point here to read them", counted(remarks.size(), "note")));
    std::string all;
    for (const std::string& remark : remarks) all += fmt::format("{}\n", printable(remark));
    tip(panels, all);
  } else if (studio.result()) {
    quiet_text("A baked asset: it can be looked at. To bake again, open the model it was made from.");
  } else if (studio.problems().open.empty()) {
    quiet_text(
        fmt::format("Browse, type a path, drop a {} file on this window, or open {}.", model_endings(), kMannequin));
  }
}

void SourcePanel::draw_additions(PanelState& panels) {
  if (!ImGui::TreeNodeEx("More sources", ImGuiTreeNodeFlags_SpanAvailWidth)) return;
  bool changed = false;
  for (std::size_t i = 0; i < edited_.clip_files.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const bool removed = ImGui::SmallButton("×");
    ImGui::PopID();
    ImGui::SameLine();
    ImGui::TextUnformatted(fitting_path(edited_.clip_files[i], ImGui::GetContentRegionAvail().x).c_str());
    tip(panels, edited_.clip_files[i]);
    if (!removed) continue;
    edited_.clip_files.erase(edited_.clip_files.begin() + static_cast<std::ptrdiff_t>(i));
    changed = true;
    break;
  }
  {
    const FieldRow row(panels, "Clips from", "--clips");
    if (clips_.draw(panels, row.id(), "another file for the same skeleton", clip_file_) && !clip_file_.empty()) {
      edited_.clip_files.push_back(clip_file_);
      clip_file_.clear();
      changed = true;
    }
  }
  text_field(panels, "Events", "--events", "a JSON file", edited_.side_file);
  changed |= ImGui::IsItemDeactivatedAfterEdit();
  text_field(panels, "Scene", "--scene", "the file's own", edited_.scene);
  changed |= ImGui::IsItemDeactivatedAfterEdit();
  ImGui::TreePop();
  if (changed) reopen(panels);
}

void SourcePanel::draw(PanelState& panels) {
  if (shown_ != panels.studio.sources()) edited_ = shown_ = panels.studio.sources();
  const float button = 78.0f * panels.scale;
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(colour::kAccent, "Model");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-button - ImGui::GetStyle().ItemSpacing.x);
  const bool named = model_.draw(panels, "##model", "a model file", edited_.model);
  ImGui::SameLine();
  if (ImGui::Button("Browse …", {button, 0.0f})) browse_ = true;
  panels.marks.add("browse");
  tip(panels, "Find a model, or several for a batch. Ctrl+O");
  if (named) reopen(panels);
  draw_summary(panels);
  if (panels.studio.model()) draw_additions(panels);
}

}  // namespace throng::studio
