// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small pieces that the panels are put together from.

#include <span>
#include <string_view>

#include "core/form/form_fields.h"
#include "ui/panel_state.h"

namespace throng::studio {

// What is said when the pointer rests on the widget drawn last; on disabled ones too.
void tip(PanelState& panels, const std::string& text);
// Says it; once, when all else is drawn.
void draw_tip(const PanelState& panels);

void heading(const char* text);
void quiet_text(const std::string& text);
// Wrapped, in red; a click copies it.
void problem_text(PanelState& panels, const std::string& text);
void coloured_text(const ImVec4& colour, const std::string& text);

// A button that stands out.
bool main_button(const char* label, ImVec2 size);

// A labelled row of the form. `option` is the command line's name for it: it gives the row its tooltip and its mark.
class FieldRow {
 public:
  FieldRow(PanelState& panels, const char* label, const char* option);
  FieldRow(const FieldRow&) = delete;
  FieldRow& operator=(const FieldRow&) = delete;
  ~FieldRow();

  // For the widget inside: "##--fps".
  const char* id() const { return id_.c_str(); }

 private:
  PanelState& panels_;
  const char* option_;
  std::string id_;
};

bool flag_field(PanelState& panels, const char* label, const char* option, bool& value);
bool text_field(PanelState& panels, const char* label, const char* option, const char* hint, std::string& value);

// A line for a path. While nobody types in it, its end is what is seen: folders are cut from the front.
bool path_input(PanelState& panels, const char* id, const char* hint, std::string& path, ImGuiInputTextFlags flags = 0,
                ImGuiInputTextCallback callback = nullptr, void* user = nullptr);

// How wide a text is with the current font, and a name or path cut to what there is room for.
float text_width(std::string_view text);
std::string fitting_name(const std::string& name, float room);
std::string fitting_path(const std::string& path, float room);
// A sentence loses its end.
std::string fitting_start(const std::string& text, float room);

// One of several that belong together, pressed or not.
bool toggle_button(const char* label, bool on);

// One of a few words, by its number.
bool choice_field(PanelState& panels, const char* label, const char* option, std::size_t& value,
                  std::span<const std::string_view> words);

// A bar that is dragged to divide the room between two panes. `first` is the first one's size along the axis.
inline constexpr float kSplitterThickness = 6.0f;
enum class Divides : std::uint8_t { columns, rows };
void splitter(PanelState& panels, const char* id, Divides divides, float length, float& first, float least, float most);

}  // namespace throng::studio
