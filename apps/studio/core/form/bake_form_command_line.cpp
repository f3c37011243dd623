// SPDX-License-Identifier: Apache-2.0
// The fields of a BakeForm in the words of `throng bake`.

#include <string_view>

#include "core/form/bake_form.h"
#include "throng/bake/options.h"

namespace throng::studio {
namespace {

constexpr std::string_view kNeedsNoQuotes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_not_of(kNeedsNoQuotes) == std::string::npos) return word;
  std::string text(1, '\'');
  for (const char c : word) {
    if (c == '\'') text += "'\\'";
    text += c;
  }
  text += '\'';
  return text;
}

class Words {
 public:
  explicit Words(std::string start) : text_(std::move(start)) {}

  void add(const std::string& word) { text_ += fmt::format(" {}", quoted(word)); }
  // With '=' so that a value that begins with '-' is not taken for an option.
  void add(std::string_view option, const std::string& value) {
    text_ += fmt::format(" {}{}{}", option, value.starts_with('-') ? "=" : " ", quoted(value));
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_sources(Words& words, const Sources& sources, const std::string& output) {
  words.add(sources.model);
  words.add("-o", output);
  for (const std::string& file : sources.clip_files) words.add("--clips", file);
  if (!sources.side_file.empty()) words.add("--events", sources.side_file);
  if (!sources.scene.empty()) words.add("--scene", sources.scene);
}

void add_option(Words& words, const BakeOption& option, const BakeSettings& settings) {
  if (is_default(option, settings)) return;
  const std::string flag = fmt::format("--{}", option.name);
  if (const auto* patterns = std::get_if<PatternsField>(&option.field)) {
    for (const std::string& pattern : settings.*patterns->member) words.add(flag, pattern);
  } else if (const auto* on = std::get_if<FlagField>(&option.field)) {
    words.add(settings.*on->member ? flag : fmt::format("--no-{}", option.name));
  } else {
    words.add(flag, option_text(option, settings));
  }
}

}  // namespace

std::string command_line(const Sources& sources, const BakeForm& form, const std::string& output) {
  const auto settings = settings_of(form);
  if (!settings) return settings.error().message;
  Words words("throng bake");
  add_sources(words, sources, output);
  for (const BakeOption& option : bake_options()) add_option(words, option, *settings);
  if (form.link_textures) words.add("--link-textures");
  return words.take();
}

}  // namespace throng::studio
