// SPDX-License-Identifier: Apache-2.0
#pragma once
// The settings of a bake as one table: what each is called, which values it takes and what it is for. The command line,
// the window, bake()'s own checks and docs/baking.md all read it, so that a setting is added by its field and one row.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "throng/bake/bake.h"

namespace throng {

// What kind of value a setting has, and where it is.
struct ChoiceField {  // one of a few words
  std::span<const std::string_view> words;
  std::size_t (*get)(const BakeSettings&);
  void (*set)(BakeSettings&, std::size_t);
};
struct NumberField {  // or the bake's choice
  std::optional<double> BakeSettings::*member;
  double least, most;
};
// A whole number in a range.
struct CountField {
  std::uint32_t BakeSettings::*member;
  std::uint32_t least, most;
};
struct SideField {  // of a texture, or what the other settings make of it
  std::optional<std::uint32_t> BakeSettings::*member;
  std::uint32_t least, most;
};
// A setting that is on or off.
struct FlagField {
  bool BakeSettings::*member;
};
// A setting that is any text.
struct TextField {
  std::string BakeSettings::*member;
  std::string_view example;
};
struct PatternsField {  // of names, with * and ?
  std::vector<std::string> BakeSettings::*member;
};
struct LengthField {  // millimetres above 0, or none
  std::optional<double> BakeSettings::*member;
};
struct EncodingField {  // or the bake's choice
  std::optional<Encoding> BakeSettings::*member;
};
// Every kind there is.
using OptionField = std::variant<ChoiceField, NumberField, CountField, SideField, FlagField, TextField, PatternsField,
                                 LengthField, EncodingField>;

// Under which heading help and the window show it.
enum class OptionGroup : std::uint8_t { clips, quality, texture, content };

// One row of the table: a setting of the bake.
struct BakeOption {
  std::string_view name;     // "fps": --fps on the command line, fps in a script of the window
  std::string_view setting;  // "frame_rate": the field of BakeSettings, by which the library's messages name it
  std::string_view label;    // in the window
  OptionGroup group;
  OptionField field;
  std::string_view help;
  // Whether it matters beside the other settings, and what to say where it does not. Null: always.
  bool (*applies)(const BakeSettings&) = nullptr;
  std::string_view idle = {};
};

std::span<const BakeOption> bake_options();  // the table

// The option of that name; null when there is none.
const BakeOption* find_option(std::string_view name);

// Whether it matters beside the other settings.
inline bool applies(const BakeOption& option, const BakeSettings& settings) {
  return option.applies == nullptr || option.applies(settings);
}

// The value as the command line and set_option() take it; of patterns, the first.
std::string option_text(const BakeOption& option, const BakeSettings& settings);
// Whether the setting has the value it has unless told otherwise.
bool is_default(const BakeOption& option, const BakeSettings& settings);
// Gives the setting the value it has unless told otherwise.
void reset_option(const BakeOption& option, BakeSettings& settings);

// Reads the value from text: a word, a number in range or auto, on or off, a length or off, an encoding's name or auto,
// a side or auto. A pattern is added to those there are. What is refused changes nothing, and the error says what is
// possible.
Result<void> set_option(const BakeOption& option, BakeSettings& settings, const std::string& text);

// The values there are: "1 to 8", "bones, vertices".
std::string option_range(const BakeOption& option);

// Whether every value is one that set_option() would take. The error names the setting, not the option.
Result<void> check_options(const BakeSettings& settings);

// The library's messages name settings in backquotes, as in "`mode` vertices". With the command line's words: "--mode
// vertices".
std::string with_flags(std::string message);

// The rows of a Markdown table: what docs/baking.md says of the options.
std::string options_markdown();

// "0.5mm", "1cm", "0.001m" and "0.5" in millimetres; nothing for what is no length above 0.
std::optional<double> millimetres(const std::string& text);

}  // namespace throng
