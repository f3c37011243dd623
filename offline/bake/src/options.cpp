// SPDX-License-Identifier: Apache-2.0
#include "throng/bake/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "throng/base/try.h"

namespace throng {
namespace {

// One word for each value of the enumeration, in its order.
template <auto kMember>
constexpr ChoiceField choice(std::span<const std::string_view> words) {
  using Enum = std::remove_cvref_t<decltype(BakeSettings{}.*kMember)>;
  return {words, [](const BakeSettings& settings) { return static_cast<std::size_t>(settings.*kMember); },
          [](BakeSettings& settings, std::size_t word) { settings.*kMember = static_cast<Enum>(word); }};
}

constexpr std::array<std::string_view, 2> kModes{"bones", "vertices"};
constexpr std::array<std::string_view, 3> kShapes{"exact", "power-of-two", "square"};
constexpr std::array<std::string_view, 2> kPackings{"greedy", "tight"};
constexpr std::array<std::string_view, 3> kRootTreatments{"keep", "extract", "strip"};

bool bakes_vertices(const BakeSettings& settings) { return settings.mode == BakeMode::vertices; }
bool bakes_bones(const BakeSettings& settings) { return settings.mode == BakeMode::bones; }

using S = BakeSettings;
using Group = OptionGroup;

// In the order of `throng bake --help`.
constexpr std::array kOptions{
    BakeOption{"clip", "clips", "Clips", Group::clips, PatternsField{&S::clips},
               "Bake only clips of this name or pattern (* and ?); repeatable"},
    BakeOption{"loop", "loops", "Loops", Group::clips, PatternsField{&S::loops},
               "Clips that loop, by name or pattern (default: guessed)"},
    BakeOption{"once", "once", "Once", Group::clips, PatternsField{&S::once}, "Clips that do not loop"},

    BakeOption{"mode", "mode", "Mode", Group::quality, choice<&S::mode>(kModes), "What the texture holds"},
    BakeOption{"encoding", "encoding", "Encoding", Group::quality, EncodingField{&S::encoding},
               "One encoding for every clip (default: each clip's cheapest that keeps the bound)"},
    BakeOption{"fps", "frame_rate", "Frames a second", Group::quality, NumberField{&S::frame_rate, 0.1, 1000.0},
               "Frames a second; each clip takes the nearest that fits its keys (default: as few as keep the bound)"},
    BakeOption{
        "max-error", "max_error_mm", "Error bound", Group::quality, LengthField{&S::max_error_mm},
        "How far a vertex may be off, on a character 1.8 m tall: each clip's cheapest rate and encoding that stay "
        "within are chosen; off: q16 or v8 at 30 frames a second"},

    BakeOption{"atlas-size", "max_atlas_size", "Largest side", Group::texture, SideField{&S::max_atlas_size, 16, 16384},
               "Largest side of the texture, in texels (default: 4096; of square layers 256)"},
    BakeOption{"atlas-shape", "shape", "Layers", Group::texture, choice<&S::shape>(kShapes),
               "Size of the layers: as the data needs, rounded up, or fixed, with clips running on"},
    BakeOption{"pack", "packing", "Packing", Group::texture, choice<&S::packing>(kPackings), "How clips are placed"},

    BakeOption{"only", "only", "Only parts", Group::content, PatternsField{&S::only},
               "Bake only parts of this name or pattern (* and ?); repeatable"},
    BakeOption{"without", "without", "Without parts", Group::content, PatternsField{&S::without},
               "Parts that are left out, by name or pattern; repeatable"},
    BakeOption{"group", "groups", "Groups of parts", Group::content, PatternsField{&S::groups},
               "Parts of which a character wears one: NAME=PATTERN, or NAME?=PATTERN where it may be none; repeatable"},
    BakeOption{"sockets", "sockets", "Sockets", Group::content, TextField{&S::sockets, "e.g. hand.*|head"},
               "Bones that become sockets, as a regular expression"},
    BakeOption{"root-motion", "root_motion", "Root motion", Group::content, choice<&S::root_motion>(kRootTreatments),
               "Motion over the ground: in the poses, stored apart, or dropped"},
    BakeOption{"root-bone", "root_bone", "Root bone", Group::content, TextField{&S::root_bone, "the first that moves"},
               "Whose motion that is (default: the first bone that moves)"},
    BakeOption{"levels", "levels", "Levels", Group::content, CountField{&S::levels, 1, 10},
               "Levels of detail, the full mesh among them"},
    BakeOption{"tangents", "tangents", "Tangents", Group::content, FlagField{&S::tangents},
               "Store tangents; computed where the model has none"},
    BakeOption{"vertex-numbers", "vertex_numbers", "Vertex numbers", Group::content, FlagField{&S::vertex_numbers},
               "Store each vertex's number, for shaders without a vertex id"},
    BakeOption{"merge-vertices", "merge_vertices", "Merge vertices", Group::content, FlagField{&S::merge_vertices},
               "Vertex mode: vertices that always move alike become one", bakes_vertices, "does nothing in bone mode"},
    BakeOption{"drop-morphs", "drop_morphs", "Drop morph targets", Group::content, FlagField{&S::drop_morphs},
               "Bone mode: leave animated morph targets at rest", bakes_bones,
               "does nothing in vertex mode, which bakes them"},
    BakeOption{"near", "near", "Near characters", Group::content, FlagField{&S::near},
               "Keep what near characters need too: the motion and meshes of all bones"},
};

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

constexpr std::string_view kAuto = "auto";
constexpr std::string_view kOff = "off";

std::string joined(std::span<const std::string_view> words, std::string_view between) {
  return fmt::format("{}", fmt::join(words, between));
}

template <class Number>
Result<void> set_number(Number& value, const std::string& text, Number least, Number most) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || !(number >= least && number <= most)) {
    return fail("'{}' is no {}number from {} to {}", text, std::is_integral_v<Number> ? "whole " : "", least, most);
  }
  value = number;
  return {};
}

Result<void> set_chosen_number(const NumberField& field, BakeSettings& settings, const std::string& text) {
  double number = 0.0;
  const bool chosen = text == kAuto;
  if (!chosen) THRONG_CHECK(set_number(number, text, field.least, field.most));
  settings.*field.member = chosen ? std::nullopt : std::optional(number);
  return {};
}

Result<void> set_choice(const ChoiceField& field, BakeSettings& settings, const std::string& text) {
  const auto found = std::find(field.words.begin(), field.words.end(), text);
  if (found == field.words.end()) return fail("'{}' is none of: {}", text, joined(field.words, ", "));
  field.set(settings, static_cast<std::size_t>(found - field.words.begin()));
  return {};
}

std::string encoding_list() {
  std::string names;
  for (const Encoding encoding : kEncodings) names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(encoding));
  return names;
}

Result<void> set_encoding(const EncodingField& field, BakeSettings& settings, const std::string& text) {
  const auto encoding = encoding_named(text);
  if (!encoding && text != kAuto) return fail("'{}' is no encoding; there are: {}", text, encoding_list());
  settings.*field.member = encoding;
  return {};
}

Result<void> set_side(const SideField& field, BakeSettings& settings, const std::string& text) {
  std::optional<std::uint32_t>& side = settings.*field.member;
  if (text == kAuto) {
    side.reset();
    return {};
  }
  std::uint32_t value = 0;
  THRONG_CHECK(set_number(value, text, field.least, field.most));
  side = value;
  return {};
}

Result<void> set_length(const LengthField& field, BakeSettings& settings, const std::string& text) {
  const auto length = millimetres(text);
  if (!length && text != kOff) return fail("'{}' is no length above 0 such as 0.5mm, nor off", text);
  settings.*field.member = length;
  return {};
}

Result<void> set_flag(const FlagField& field, BakeSettings& settings, const std::string& text) {
  if (text != "on" && text != kOff) return fail("'{}' is neither on nor off", text);
  settings.*field.member = text == "on";
  return {};
}

// Enumerations, too, may hold what is none of their values.
Result<void> check_option(const BakeOption& option, const BakeSettings& settings) {
  return std::visit(Match{[&](const ChoiceField& field) -> Result<void> {
                            if (field.get(settings) < field.words.size()) return {};
                            return fail("`{}` is none of: {}", option.setting, joined(field.words, ", "));
                          },
                          [&](const NumberField& field) -> Result<void> {
                            const std::optional<double>& value = settings.*field.member;
                            if (!value || (*value >= field.least && *value <= field.most)) return {};
                            return fail("`{}` is {}; {} are possible", option.setting, *value, option_range(option));
                          },
                          [&](const CountField& field) -> Result<void> {
                            const std::uint32_t value = settings.*field.member;
                            if (value >= field.least && value <= field.most) return {};
                            return fail("`{}` is {}; {} are possible", option.setting, value, option_range(option));
                          },
                          [&](const SideField& field) -> Result<void> {
                            const std::optional<std::uint32_t>& value = settings.*field.member;
                            if (!value || (*value >= field.least && *value <= field.most)) return {};
                            return fail("`{}` is {}; {} are possible", option.setting, *value, option_range(option));
                          },
                          [&](const LengthField& field) -> Result<void> {
                            const std::optional<double>& value = settings.*field.member;
                            if (!value || (*value > 0.0 && std::isfinite(*value))) return {};
                            return fail("`{}` is {}; it must be above 0", option.setting, *value);
                          },
                          [](const auto&) -> Result<void> { return {}; }},
                    option.field);
}

}  // namespace

std::span<const BakeOption> bake_options() { return kOptions; }

const BakeOption* find_option(std::string_view name) {
  const auto found =
      std::find_if(kOptions.begin(), kOptions.end(), [&](const BakeOption& o) { return o.name == name; });
  return found == kOptions.end() ? nullptr : &*found;
}

std::string option_text(const BakeOption& option, const BakeSettings& settings) {
  return std::visit(Match{[&](const ChoiceField& field) { return std::string(field.words[field.get(settings)]); },
                          [&](const NumberField& field) {
                            const std::optional<double>& number = settings.*field.member;
                            return number ? fmt::format("{}", *number) : std::string(kAuto);
                          },
                          [&](const CountField& field) { return fmt::format("{}", settings.*field.member); },
                          [&](const SideField& field) {
                            const std::optional<std::uint32_t>& side = settings.*field.member;
                            return side ? fmt::format("{}", *side) : std::string(kAuto);
                          },
                          [&](const FlagField& field) { return std::string(settings.*field.member ? "on" : kOff); },
                          [&](const TextField& field) { return settings.*field.member; },
                          [&](const PatternsField& field) {
                            return (settings.*field.member).empty() ? std::string() : (settings.*field.member)[0];
                          },
                          [&](const LengthField& field) {
                            const std::optional<double>& length = settings.*field.member;
                            return length ? fmt::format("{}mm", *length) : std::string(kOff);
                          },
                          [&](const EncodingField& field) {
                            const std::optional<Encoding>& encoding = settings.*field.member;
                            return std::string(encoding ? name_of(*encoding) : kAuto);
                          }},
                    option.field);
}

bool is_default(const BakeOption& option, const BakeSettings& settings) {
  static const BakeSettings usual;
  return std::visit(Match{[&](const ChoiceField& field) { return field.get(settings) == field.get(usual); },
                          [&](const auto& field) { return settings.*field.member == usual.*field.member; }},
                    option.field);
}

void reset_option(const BakeOption& option, BakeSettings& settings) {
  static const BakeSettings usual;
  std::visit(Match{[&](const ChoiceField& field) { field.set(settings, field.get(usual)); },
                   [&](const auto& field) { settings.*field.member = usual.*field.member; }},
             option.field);
}

Result<void> set_option(const BakeOption& option, BakeSettings& settings, const std::string& text) {
  return std::visit(
      Match{[&](const ChoiceField& field) { return set_choice(field, settings, text); },
            [&](const NumberField& field) { return set_chosen_number(field, settings, text); },
            [&](const CountField& field) { return set_number(settings.*field.member, text, field.least, field.most); },
            [&](const SideField& field) { return set_side(field, settings, text); },
            [&](const FlagField& field) { return set_flag(field, settings, text); },
            [&](const TextField& field) {
              settings.*field.member = text;
              return Result<void>();
            },
            [&](const PatternsField& field) {
              (settings.*field.member).push_back(text);
              return Result<void>();
            },
            [&](const LengthField& field) { return set_length(field, settings, text); },
            [&](const EncodingField& field) { return set_encoding(field, settings, text); }},
      option.field);
}

std::string option_range(const BakeOption& option) {
  return std::visit(Match{[](const ChoiceField& field) { return joined(field.words, ", "); },
                          [](const NumberField& field) { return fmt::format("{} to {}", field.least, field.most); },
                          [](const CountField& field) { return fmt::format("{} to {}", field.least, field.most); },
                          [](const SideField& field) { return fmt::format("{} to {}", field.least, field.most); },
                          [](const FlagField&) { return std::string("on, off"); },
                          [](const TextField&) { return std::string("text"); },
                          [](const PatternsField&) { return std::string("patterns"); },
                          [](const LengthField&) { return std::string("above 0"); },
                          [](const EncodingField&) { return std::string("an encoding"); }},
                    option.field);
}

Result<void> check_options(const BakeSettings& settings) {
  for (const BakeOption& option : kOptions) THRONG_CHECK(check_option(option, settings));
  return {};
}

std::string with_flags(std::string message) {
  for (const BakeOption& option : kOptions) {
    const std::string setting = fmt::format("`{}`", option.setting);
    const std::string flag = fmt::format("--{}", option.name);
    for (std::size_t at = message.find(setting); at != std::string::npos;
         at = message.find(setting, at + flag.size())) {
      message.replace(at, setting.size(), flag);
    }
  }
  return message;
}

std::string options_markdown() {
  std::string text;
  for (const BakeOption& option : kOptions) {
    const BakeSettings usual;
    const std::string value = option_text(option, usual);
    text += fmt::format("| `--{}` | `{}` | {}{} | {} |\n", option.name, option.setting, option_range(option),
                        value.empty() ? "" : fmt::format("; {}", value), option.help);
  }
  return text;
}

std::optional<double> millimetres(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error != std::errc() || !std::isfinite(value) || value <= 0.0) return std::nullopt;
  if (unit.empty() || unit == "mm") return value;
  if (unit == "cm") return value * 10.0;
  if (unit == "m") return value * 1000.0;
  return std::nullopt;
}

}  // namespace throng
