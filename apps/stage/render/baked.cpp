// SPDX-License-Identifier: Apache-2.0
#include "render/baked.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <nlohmann/json.hpp>

#include "console.h"
#include "crowd/families.h"
#include "files.h"
#include "throng/bake/options.h"
#include "throng/base/bytes.h"
#include "throng/base/file.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/character/file.h"
#include "throng/clip_facts/decide.h"
#include "throng/gpu/device.h"

using namespace throng;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnding = ".throng.glb";
constexpr auto kDraftLives = std::chrono::hours(1);
constexpr double kTravels = 0.3;  // of a model's height: a walk that goes farther leaves its place

// Endings of what models name: buffers and pictures.
constexpr auto kNamed = std::to_array<std::string_view>({".bin", ".png", ".jpg", ".jpeg", ".webp", ".tga", ".bmp",
                                                         ".ktx2", ".dds", ".tif", ".tiff", ".gif", ".psd", ".exr"});

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// "a%20b.png" as it lies on the disk.
std::string unescaped(std::string_view uri) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool escape = uri[i] == '%' && i + 2 < uri.size() && std::isxdigit(static_cast<unsigned char>(uri[i + 1])) &&
                        std::isxdigit(static_cast<unsigned char>(uri[i + 2]));
    if (!escape) {
      text += uri[i];
      continue;
    }
    text += static_cast<char>(std::stoi(std::string(uri.substr(i + 1, 2)), nullptr, 16));
    i += 2;
  }
  return text;
}

// The strings behind "uri" in a glTF file's JSON.
std::vector<std::string> uris_in(std::string_view text) {
  std::vector<std::string> uris;
  constexpr std::string_view kKey = "\"uri\"";
  for (std::size_t at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey, at + 1)) {
    const std::size_t begin = text.find('"', at + kKey.size());
    if (begin == std::string_view::npos || text.substr(begin, 6) == "\"data:") continue;
    std::size_t end = begin + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size()) break;
    const auto parsed = nlohmann::json::parse(text.substr(begin, end + 1 - begin), nullptr, false);
    if (parsed.is_string()) uris.push_back(unescaped(parsed.get<std::string>()));
  }
  return uris;
}

// What looks like the name of a picture in the bytes of any other file.
std::vector<std::string> names_in(std::string_view text) {
  const auto in_name = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '<' && c != '>'; };
  std::vector<std::string> names;
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    const std::string tail = lower(text.substr(dot, 5));
    const auto ending = std::ranges::find_if(kNamed, [&](std::string_view one) { return tail.starts_with(one); });
    if (ending == kNamed.end()) continue;
    std::size_t begin = dot;
    while (begin > 0 && dot - begin < 512 && in_name(text[begin - 1])) --begin;
    std::string name(text.substr(begin, dot + ending->size() - begin));
    std::ranges::replace(name, '\\', '/');
    names.push_back(std::move(name));
  }
  return names;
}

// Everything the character depends on, as one number.
class Key {
 public:
  void add(std::span<const std::byte> bytes) { add(std::to_string(hash64(bytes))); }
  void add(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }
  std::string name() const { return fmt::format("{:016x}", hash64(std::as_bytes(std::span(text_)))); }

 private:
  std::string text_;
};

// This very program: another build may bake otherwise.
std::string program() {
  std::error_code none;
  const fs::path self = fs::read_symlink("/proc/self/exe", none);
  const auto size = fs::file_size(self, none);
  const auto time = fs::last_write_time(self, none);
  return fmt::format("{} {}", size, time.time_since_epoch().count());
}

std::string cache_name(const std::string& file, std::span<const std::byte> bytes, const BakedSettings& baked) {
  const ImportSettings& import = baked.import;
  Key key;
  key.add(baked.program.empty() ? program() : baked.program);
  key.add(fs::path(file).stem().string());  // it is the character's name
  key.add(fmt::format("{} {} {} {}", import.scene, import.influences, import.strict, import.budget));
  const BakeSettings settings;
  for (const BakeOption& option : bake_options()) key.add(option_text(option, settings));
  key.add(bytes);
  for (const fs::path& named : named_files(file, bytes)) {
    key.add(named.filename().string());
    if (const auto content = map_file(named)) key.add(content->span());
  }
  return key.name() + std::string(kEnding);
}

Result<Character> bake_now(const std::string& file, const BakedSettings& settings) {
  THRONG_TRY(Imported imported, load_model(file, settings.import));
  if (imported.model.meshes().empty() && !imported.model.clips().empty())
    return fail("{}: holds clips and no mesh; bake it onto a model: throng bake MODEL --clips {}", file, file);
  BakeSettings bake_settings = picture_bake(imported.model);
  take_from_import(imported, bake_settings);
  ThreadExecutor executor(settings.threads);
  auto baked = bake(imported.model, bake_settings, executor, settings.progress);
  if (!baked)
    return fail(with_context(file, Error{with_flags(baked.error().message) + "; throng bake knows more options"}));
  if (settings.said != nullptr)
    for (const std::string& note : baked->notes()) settings.said->push_back(with_bake_flags(note));
  return baked;
}

void keep(const Character& character, const fs::path& path, std::uint64_t most) {
  std::error_code none;
  fs::create_directories(path.parent_path(), none);
  if (write_character(character, path)) sweep_cache(path.parent_path(), most);
}

}  // namespace

BakeSettings picture_bake(const Model& model) {
  BakeSettings settings;
  std::vector<Clip> walks;
  std::ranges::copy_if(model.clips(), std::back_inserter(walks),
                       [](const Clip& clip) { return names_a_walk(clip.name); });
  SerialExecutor executor;
  const auto facts = decide_clip_facts(model, walks, {}, executor);
  if (!facts) return settings;
  const double least = kTravels * standing_height(model);
  for (const DecidedClip& clip : *facts) {
    const glm::dvec3 gone = clip.facts.root_at(clip.facts.length).translation;
    if (glm::length(glm::dvec2(gone.x, gone.z)) > least) settings.root_motion = RootTreatment::extract;
  }
  return settings;
}

std::string with_bake_flags(std::string message) {
  for (const BakeOption& option : bake_options()) {
    const std::string setting = fmt::format("`{}`", option.setting);
    const std::string flag = fmt::format("throng bake --{}", option.name);
    for (std::size_t at = message.find(setting); at != std::string::npos;
         at = message.find(setting, at + flag.size())) {
      message.replace(at, setting.size(), flag);
    }
  }
  return message;
}

std::vector<fs::path> named_files(const fs::path& model, std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  const bool gltf = text.starts_with("glTF") || text.substr(0, 4096).find('{') < 16;
  std::vector<std::string> names = gltf ? uris_in(text) : names_in(text);
  std::vector<fs::path> files;
  const fs::path folder = model.parent_path();
  for (const std::string& name : names) {
    const fs::path named(name);
    files.push_back(folder / named);
    if (gltf) continue;
    files.push_back(folder / named.filename());
    files.push_back(folder / (model.stem().string() + ".fbm") / named.filename());
  }
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

void sweep_cache(const fs::path& folder, std::uint64_t most) {
  struct Kept {
    fs::file_time_type used;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<Kept> all;
  std::uint64_t bytes = 0;
  std::error_code none;
  const auto now = fs::file_time_type::clock::now();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    const auto used = entry.last_write_time(none);
    if (!entry.path().string().ends_with(kEnding)) {
      if (now - used > kDraftLives) fs::remove(entry.path(), none);
      continue;
    }
    all.push_back({used, entry.file_size(none), entry.path()});
    bytes += all.back().bytes;
  }
  std::ranges::sort(all, {}, &Kept::used);
  for (const Kept& kept : all) {
    if (bytes <= most) return;
    fs::remove(kept.path, none);
    bytes -= kept.bytes;
  }
}

Result<Character> load_baked(const std::string& file, const BakedSettings& settings) {
  SharedBytes bytes;
  THRONG_CHECK(check_builtin(file));
  if (file != kMannequin) {
    THRONG_TRY(bytes, map_file(file));
    if (looks_like_character(bytes.span())) return read_character(file);
  }
  const fs::path folder = settings.folder.empty() ? default_cache_folder() : settings.folder;
  if (!settings.cache || folder.empty()) return bake_now(file, settings);
  const fs::path path = folder / "baked" / cache_name(file, bytes.span(), settings);
  std::error_code none;
  if (auto kept = read_character(path)) {
    fs::last_write_time(path, fs::file_time_type::clock::now(), none);
    return kept;
  }
  THRONG_TRY(Character baked, bake_now(file, settings));
  keep(baked, path, settings.most_bytes);
  return baked;
}
