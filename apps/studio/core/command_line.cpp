// The fields of a BakeForm in the words of `throng bake`.

#include <algorithm>
#include <string_view>

#include "core/bake_form.h"

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
  void flag(bool on, std::string_view option) {
    if (on) text_ += fmt::format(" {}", option);
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

void add_atlas(Words& words, const BakeSettings& settings) {
  const BakeSettings usual;
  if (settings.max_atlas_size != usual.max_atlas_size)
    words.add("--atlas-size", fmt::format("{}", settings.max_atlas_size));
  if (settings.shape != usual.shape)
    words.add("--atlas-shape", settings.shape == AtlasShape::square ? "square" : "power-of-two");
  if (settings.packing != usual.packing) words.add("--pack", "tight");
}

void add_content(Words& words, const BakeSettings& settings) {
  const BakeSettings usual;
  if (!settings.sockets.empty()) words.add("--sockets", settings.sockets);
  if (settings.root_motion != usual.root_motion)
    words.add("--root-motion", settings.root_motion == RootTreatment::extract ? "extract" : "strip");
  if (!settings.root_bone.empty()) words.add("--root-bone", settings.root_bone);
  if (settings.levels != usual.levels) words.add("--levels", fmt::format("{}", settings.levels));
  words.flag(settings.tangents, "--tangents");
  words.flag(settings.merge_vertices, "--merge-vertices");
  words.flag(settings.drop_morphs, "--drop-morphs");
}

}  // namespace

std::string command_line(const Sources& sources, const BakeForm& form, const std::string& output) {
  const auto settings = settings_of(form);
  if (!settings) return settings.error().message;
  const BakeSettings usual;
  Words words("throng bake");
  add_sources(words, sources, output);
  for (const std::string& name : settings->clips) words.add("--clip", name);
  for (const std::string& name : settings->loops) words.add("--loop", name);
  for (const std::string& name : settings->once) words.add("--once", name);
  if (settings->mode == BakeMode::vertices) words.add("--mode", "vertices");
  if (settings->encoding) words.add("--encoding", std::string(name_of(*settings->encoding)));
  if (settings->frame_rate != usual.frame_rate) words.add("--fps", fmt::format("{}", settings->frame_rate));
  if (settings->max_error_mm) words.add("--max-error", fmt::format("{}mm", *settings->max_error_mm));
  add_atlas(words, *settings);
  add_content(words, *settings);
  words.flag(form.link_textures, "--link-textures");
  return words.take();
}

}  // namespace throng::studio
