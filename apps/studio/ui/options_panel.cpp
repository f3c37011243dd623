#include "ui/options_panel.h"

#include <imgui_stdlib.h>

#include <algorithm>

#include "console.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

void number_field(Desk& desk, const char* label, const char* option, std::uint32_t& value, std::uint32_t least,
                  std::uint32_t most) {
  const FieldRow row(desk, label, option);
  const std::uint32_t step = 1;
  ImGui::InputScalar(row.id(), ImGuiDataType_U32, &value, &step);
  value = std::clamp(value, least, most);
}

void encoding_choice(Desk& desk, BakeForm& form) {
  const FieldRow row(desk, "Encoding", "--encoding");
  std::optional<Encoding>& field = encoding_field(form);
  const std::string usual = form.bounded                   ? "the cheapest"
                            : form.mode == BakeMode::bones ? "default (q16)"
                                                           : "default (v8)";
  const std::string shown = field ? std::string(name_of(*field)) : usual;
  if (!ImGui::BeginCombo(row.id(), shown.c_str())) return;
  if (ImGui::Selectable(usual.c_str(), !field)) field.reset();
  for (const Encoding encoding : encodings_of(form.mode))
    if (ImGui::Selectable(std::string(name_of(encoding)).c_str(), field == encoding)) field = encoding;
  ImGui::EndCombo();
}

void error_bound(Desk& desk, BakeForm& form) {
  {
    const FieldRow row(desk, "Error bound", "--max-error");
    ImGui::Checkbox(row.id(), &form.bounded);
  }
  ImGui::SameLine();
  ImGui::BeginDisabled(!form.bounded);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::InputDouble("##bound", &form.max_error_mm, 0.0, 0.0, "%g mm");
  form.max_error_mm = std::clamp(form.max_error_mm, 1e-4, 1e4);
  ImGui::EndDisabled();
  tip(desk, desk.help.of("--max-error") + ". Measured on a character 1.8 m tall.");
}

}  // namespace

void OptionsPanel::draw_quality(Desk& desk) {
  BakeForm& form = desk.studio.form();
  heading("Quality");
  choice_field(desk, "Mode", "--mode", form.mode, {BakeMode::bones, BakeMode::vertices});
  encoding_choice(desk, form);
  error_bound(desk, form);
  const FieldRow row(desk, form.bounded ? "Rate to start at" : "Frames a second", "--fps");
  ImGui::InputDouble(row.id(), &form.frame_rate, 1.0, 10.0, "%g");
  form.frame_rate = std::clamp(form.frame_rate, 1.0, 1000.0);
}

void OptionsPanel::draw_texture(Desk& desk) {
  BakeForm& form = desk.studio.form();
  if (!ImGui::TreeNodeEx("Texture", ImGuiTreeNodeFlags_SpanAvailWidth)) return;
  {
    const FieldRow row(desk, "Largest side", "--atlas-size");
    if (ImGui::BeginCombo(row.id(), fmt::format("{}", form.atlas_size).c_str())) {
      for (std::uint32_t size = 256; size <= 16384; size *= 2)
        if (ImGui::Selectable(fmt::format("{}", size).c_str(), size == form.atlas_size)) form.atlas_size = size;
      ImGui::EndCombo();
    }
  }
  choice_field(desk, "Layers", "--atlas-shape", form.shape,
               {AtlasShape::exact, AtlasShape::power_of_two, AtlasShape::square});
  choice_field(desk, "Packing", "--pack", form.packing, {Packing::greedy, Packing::tight});
  ImGui::TreePop();
}

void OptionsPanel::draw_matches(Desk& desk) {
  const BakeForm& form = desk.studio.form();
  if (form.sockets.empty() || !desk.studio.model()) return;
  const SocketQuestion question{desk.studio.model(), form.sockets};
  bones_.ask(question);
  if (!bones_.is_current(question)) {
    quiet_text("looking …");
    return;
  }
  const auto& answer = *bones_.answer();
  if (!answer) {
    problem_text(desk, answer.error().message);
  } else if (answer->empty()) {
    coloured_text(colour::kWarning, "No bone has such a name.");
  } else {
    constexpr std::size_t kMostNamed = 12;
    std::string names;
    for (std::size_t i = 0; i < std::min(answer->size(), kMostNamed); ++i)
      names += (i == 0 ? "" : ", ") + printable((*answer)[i]);
    if (answer->size() > kMostNamed) names += fmt::format(" and {} more", answer->size() - kMostNamed);
    coloured_text(
        colour::kGood,
        fmt::format("{}: {}", answer->size() == 1 ? "1 bone" : fmt::format("{} bones", answer->size()), names));
  }
  desk.marks.add("socket-matches");
}

void OptionsPanel::draw_content(Desk& desk) {
  BakeForm& form = desk.studio.form();
  heading("Contents");
  text_field(desk, "Sockets", "--sockets", "e.g. hand.*|head", form.sockets);
  draw_matches(desk);
  choice_field(desk, "Root motion", "--root-motion", form.root_motion,
               {RootTreatment::keep, RootTreatment::extract, RootTreatment::strip});
  if (form.root_motion != RootTreatment::keep)
    text_field(desk, "Root bone", "--root-bone", "the first that moves", form.root_bone);
  number_field(desk, "Levels", "--levels", form.levels, 1, 8);
  flag_field(desk, "Tangents", "--tangents", form.tangents);
  ImGui::SameLine();
  flag_field(desk, "Link textures", "--link-textures", form.link_textures);
  if (form.mode == BakeMode::vertices) {
    flag_field(desk, "Merge vertices", "--merge-vertices", form.merge_vertices);
  } else {
    flag_field(desk, "Drop morph targets", "--drop-morphs", form.drop_morphs);
  }
}

void OptionsPanel::draw(Desk& desk) {
  draw_quality(desk);
  draw_content(desk);
  draw_texture(desk);
}

}  // namespace throng::studio
