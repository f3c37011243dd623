// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/options_panel.h"

#include <imgui_stdlib.h>

#include <algorithm>

#include "console.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

void draw_choice(PanelState& panels, const char* label, const char* flag, const ChoiceField& field,
                 BakeSettings& settings) {
  std::size_t value = field.get(settings);
  if (choice_field(panels, label, flag, value, field.words)) field.set(settings, value);
}

void draw_number(PanelState& panels, const char* label, const char* flag, const NumberField& field,
                 BakeSettings& settings) {
  std::optional<double>& value = settings.*field.member;
  bool named = value.has_value();
  {
    const FieldRow row(panels, label, flag);
    if (ImGui::Checkbox(row.id(), &named)) value = named ? std::optional(kUsualFrameRate) : std::nullopt;
  }
  ImGui::SameLine();
  ImGui::BeginDisabled(!named);
  ImGui::SetNextItemWidth(-FLT_MIN);
  double shown = value.value_or(kUsualFrameRate);
  ImGui::InputDouble(fmt::format("##{}", flag).c_str(), &shown, 1.0, 10.0, named ? "%g" : "as needed");
  if (named) value = std::clamp(shown, field.least, field.most);
  ImGui::EndDisabled();
}

void draw_count(PanelState& panels, const char* label, const char* flag, const CountField& field,
                BakeSettings& settings) {
  const FieldRow row(panels, label, flag);
  std::uint32_t& value = settings.*field.member;
  const std::uint32_t step = 1;
  ImGui::InputScalar(row.id(), ImGuiDataType_U32, &value, &step);
  value = std::clamp(value, field.least, field.most);
}

void draw_side(PanelState& panels, const char* label, const char* flag, const SideField& field,
               BakeSettings& settings) {
  const FieldRow row(panels, label, flag);
  std::optional<std::uint32_t>& value = settings.*field.member;
  constexpr std::uint32_t kSmallestOffered = 256;
  if (!ImGui::BeginCombo(row.id(), value ? fmt::format("{}", *value).c_str() : "default")) return;
  if (ImGui::Selectable("default", !value)) value.reset();
  for (std::uint32_t size = kSmallestOffered; size <= field.most; size *= 2)
    if (ImGui::Selectable(fmt::format("{}", size).c_str(), value == size)) value = size;
  ImGui::EndCombo();
}

void draw_encoding(PanelState& panels, const char* label, const char* flag, BakeForm& form) {
  const FieldRow row(panels, label, flag);
  std::optional<Encoding>& field = encoding_field(form);
  const BakeMode mode = form.settings.mode;
  const std::string usual = form.bounded ? "the cheapest" : mode == BakeMode::bones ? "default (q16)" : "default (v8)";
  const std::string shown = field ? std::string(name_of(*field)) : usual;
  if (!ImGui::BeginCombo(row.id(), shown.c_str())) return;
  if (ImGui::Selectable(usual.c_str(), !field)) field.reset();
  for (const Encoding encoding : encodings_of(mode))
    if (ImGui::Selectable(std::string(name_of(encoding)).c_str(), field == encoding)) field = encoding;
  ImGui::EndCombo();
}

void draw_error_bound(PanelState& panels, const char* label, const char* flag, BakeForm& form) {
  {
    const FieldRow row(panels, label, flag);
    ImGui::Checkbox(row.id(), &form.bounded);
  }
  ImGui::SameLine();
  ImGui::BeginDisabled(!form.bounded);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::InputDouble("##bound", &form.max_error_mm, 0.0, 0.0, "%g mm");
  form.max_error_mm = std::clamp(form.max_error_mm, 1e-4, 1e4);
  ImGui::EndDisabled();
  tip(panels, panels.help.of(flag) + ". Measured on a character 1.8 m tall.");
}

// A row of the table as the widget that its kind of value takes.
void draw_option(PanelState& panels, const BakeOption& option) {
  BakeForm& form = panels.studio.form();
  const std::string flag = fmt::format("--{}", option.name);
  const std::string label(option.label);
  if (const auto* choice = std::get_if<ChoiceField>(&option.field))
    draw_choice(panels, label.c_str(), flag.c_str(), *choice, form.settings);
  if (const auto* number = std::get_if<NumberField>(&option.field))
    draw_number(panels, label.c_str(), flag.c_str(), *number, form.settings);
  if (const auto* count = std::get_if<CountField>(&option.field))
    draw_count(panels, label.c_str(), flag.c_str(), *count, form.settings);
  if (const auto* side = std::get_if<SideField>(&option.field))
    draw_side(panels, label.c_str(), flag.c_str(), *side, form.settings);
  if (const auto* text = std::get_if<TextField>(&option.field))
    text_field(panels, label.c_str(), flag.c_str(), std::string(text->example).c_str(), form.settings.*text->member);
  if (std::holds_alternative<EncodingField>(option.field)) draw_encoding(panels, label.c_str(), flag.c_str(), form);
  if (std::holds_alternative<LengthField>(option.field)) draw_error_bound(panels, label.c_str(), flag.c_str(), form);
}

}  // namespace

void OptionsPanel::draw_group(PanelState& panels, OptionGroup group) {
  for (const BakeOption& option : bake_options()) {
    if (option.group != group || !applies(option, panels.studio.form().settings)) continue;
    if (std::holds_alternative<FlagField>(option.field)) continue;  // they come last, in two columns
    draw_option(panels, option);
    if (option.name == "sockets") draw_matches(panels);
  }
}

void OptionsPanel::draw_flags(PanelState& panels, OptionGroup group) {
  BakeForm& form = panels.studio.form();
  if (!ImGui::BeginTable("flags", 2, ImGuiTableFlags_SizingStretchSame)) return;
  for (const BakeOption& option : bake_options()) {
    const auto* flag = std::get_if<FlagField>(&option.field);
    if (option.group != group || flag == nullptr || !applies(option, form.settings)) continue;
    ImGui::TableNextColumn();
    flag_field(panels, std::string(option.label).c_str(), fmt::format("--{}", option.name).c_str(),
               form.settings.*flag->member);
  }
  ImGui::TableNextColumn();
  flag_field(panels, "Link textures", "--link-textures", form.link_textures);
  ImGui::EndTable();
}

void OptionsPanel::draw_matches(PanelState& panels) {
  const std::string& sockets = panels.studio.form().settings.sockets;
  if (sockets.empty() || !panels.studio.model()) return;
  const SocketQuestion question{panels.studio.model(), sockets};
  bones_.ask(question);
  if (!bones_.is_current(question)) {
    quiet_text("looking …");
    return;
  }
  const auto& answer = *bones_.answer();
  if (!answer) {
    problem_text(panels, answer.error().message);
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
  panels.marks.add("socket-matches");
}

void OptionsPanel::draw_quality(PanelState& panels) {
  draw_group(panels, OptionGroup::quality);
  heading("Texture");
  draw_group(panels, OptionGroup::texture);
}

void OptionsPanel::draw_contents(PanelState& panels) {
  draw_group(panels, OptionGroup::content);
  draw_flags(panels, OptionGroup::content);
}

}  // namespace throng::studio
