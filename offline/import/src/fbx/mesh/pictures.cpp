// SPDX-License-Identifier: Apache-2.0
#include "fbx/mesh/pictures.h"

#include <algorithm>

#include "fbx/file/utf8.h"
#include "gltf/file/uri.h"
#include "pictures/webp.h"
#include "throng/base/own_folder.h"
#include "throng/base/try.h"
#include "throng/character/image.h"

namespace throng::detail::fbx {
namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A PNG says where it ends, within its last chunk; a JPEG ends in a marker, before whatever programs append.
Result<std::string> picture_type(std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  if (text.starts_with("\x89PNG\r\n\x1A\n")) {
    if (text.find("IEND") == std::string_view::npos) return fail("is a PNG that is cut short");
    return "image/png";
  }
  if (text.starts_with("\xFF\xD8\xFF")) {
    if (text.find("\xFF\xD9") == std::string_view::npos) return fail("is a JPEG that is cut short");
    return "image/jpeg";
  }
  if (import::is_webp(bytes)) return "image/webp";
  return fail("is neither PNG, JPEG nor WebP");
}

// In ASCII files, base64 in one or more quotations; in binary ones the bytes themselves.
std::optional<std::vector<std::byte>> content_of(const Object& video) {
  const Element* content = video.element->child("Content");
  if (!content) return std::nullopt;
  std::vector<std::byte> bytes;
  for (const Value& value : content->values) {
    const auto* text = std::get_if<std::string>(&value);
    if (!text || text->empty()) continue;
    const auto raw = std::as_bytes(std::span<const char>(*text));
    const bool picture = bytes.empty() && picture_type(raw).has_value();
    auto decoded = picture ? Result<std::vector<std::byte>>(std::vector<std::byte>(raw.begin(), raw.end()))
                           : gltf::decode_base64(*text);
    if (!decoded) return std::vector<std::byte>(raw.begin(), raw.end());
    bytes.insert(bytes.end(), decoded->begin(), decoded->end());
  }
  return bytes.empty() ? std::nullopt : std::optional(std::move(bytes));
}

std::vector<std::string> file_names(const Object& object) {
  std::vector<std::string> names;
  for (const char* element : {"RelativeFilename", "RelativeFileName", "FileName", "Filename"}) {
    const std::string* text = text_at(object.element->child(element), 0);
    if (!text || text->empty() || text->find('\0') != std::string::npos) continue;
    names.push_back(*text);
    std::replace(names.back().begin(), names.back().end(), '\\', '/');
  }
  return names;
}

bool stays_inside(const std::filesystem::path& path) {
  const auto normal = path.lexically_normal();
  return !normal.empty() && !path.is_absolute() && path.string().find(':') == std::string::npos &&
         *normal.begin() != "..";
}

// Where the file names it, if that is below the model's folder; beside the model; or in the folder that FBX programs
// unpack to. Paths of the artist's own machine lead there too.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& model, const std::string& name) {
  const auto folder = model.parent_path();
  const std::filesystem::path named(name);
  std::vector<std::filesystem::path> places;
  if (stays_inside(named)) places.push_back(named);
  const auto own = named.filename();
  if (!own.empty() && own != ".." && own != ".") {
    places.push_back(own);
    places.push_back(std::filesystem::path(model.stem().string() + ".fbm") / own);
  }
  for (const auto& place : places) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(folder / place, ignored)) return folder / place;
  }
  return std::nullopt;
}

Result<ImageSource> finished(const Conversion& c, const std::string& name, SharedBytes bytes,
                             std::filesystem::path file) {
  THRONG_TRY(auto type, picture_type(bytes.span()));
  if (type == "image/webp") {
    THRONG_TRY(auto png, import::png_from_webp(bytes.span(), c.budget.allowed()));
    type = "image/png";
    bytes = SharedBytes(std::move(png));
    file.clear();  // what lies there is another format, and cannot be linked
  } else {
    THRONG_CHECK(image_size(bytes.span(), c.budget.allowed()));
  }
  return ImageSource{.name = valid_utf8(name),
                     .mime_type = std::move(type),
                     .bytes = std::move(bytes),
                     .file = std::move(file),
                     .uri = {}};
}

bool has_content(const Object& video) {
  const Element* content = video.element->child("Content");
  return content && std::ranges::any_of(content->values, [](const Value& value) {
           const auto* text = std::get_if<std::string>(&value);
           return text && !text->empty();
         });
}

}  // namespace

const Object* picture_inside(const Document& document, const Object& texture) {
  for (const Object* video : document.sources_of(texture.id, Kind::video))
    if (has_content(*video)) return video;
  return nullptr;
}

Result<ImageSource> load_picture(const Conversion& c, const Object& texture) {
  const auto videos = c.document.sources_of(texture.id, Kind::video);
  std::vector<std::string> names = file_names(texture);
  for (const Object* video : videos) {
    const auto more = file_names(*video);
    names.insert(names.end(), more.begin(), more.end());
  }
  const std::string shown = names.empty() ? texture.name : std::filesystem::path(names.front()).filename().string();
  if (const Object* video = picture_inside(c.document, texture)) {
    if (auto bytes = content_of(*video)) return finished(c, shown, SharedBytes(std::move(*bytes)), {});
  }
  for (const std::string& name : names) {
    const auto file = find_file(c.path, name);
    if (!file) continue;
    THRONG_TRY(auto bytes, map_file_in(c.path.parent_path(), *file));
    return finished(c, shown, std::move(bytes), *file);
  }
  if (names.empty()) return fail("names no file");
  return fail("names '{}', which is neither in the file nor beside it", valid_utf8(names.front()));
}

}  // namespace throng::detail::fbx
