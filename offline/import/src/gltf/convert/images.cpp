// SPDX-License-Identifier: Apache-2.0
#include "gltf/convert/images.h"

#include <algorithm>
#include <map>

#include "gltf/file/buffers.h"
#include "gltf/file/container.h"
#include "gltf/file/json.h"
#include "gltf/file/uri.h"
#include "import_budget.h"
#include "pictures/webp.h"
#include "throng/base/try.h"
#include "throng/character/image.h"

namespace throng::detail::gltf {
namespace {

constexpr std::string_view kPngStart = "\x89PNG\r\n\x1A\n";
constexpr std::string_view kJpegStart = "\xFF\xD8\xFF";

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint32_t big_endian(std::span<const std::byte> bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  return value;
}

// Chunks (length, type, data, checksum) up to IEND.
bool whole_png(std::span<const std::byte> bytes) {
  constexpr std::size_t kAroundData = 12;
  std::size_t at = 8;
  while (bytes.size() - at >= kAroundData) {
    const std::uint64_t length = big_endian(bytes.subspan(at));
    const std::string_view type = text_of(bytes.subspan(at + 4, 4));
    if (length > bytes.size() - at - kAroundData) return false;
    if (at == 8 && type != "IHDR") return false;
    if (type == "IEND") return true;
    at += kAroundData + length;
  }
  return false;
}

// Marker segments up to the first scan.
bool whole_jpeg(std::span<const std::byte> bytes) {
  const auto at = [&bytes](std::size_t i) { return std::to_integer<std::size_t>(bytes[i]); };
  constexpr std::size_t kStartOfScan = 0xDA;
  std::size_t i = 2;
  while (i + 4 <= bytes.size() && at(i) == 0xFF) {
    const std::size_t marker = at(i + 1);
    const std::size_t length = at(i + 2) << 8 | at(i + 3);
    if (marker == 0xFF) {
      ++i;
      continue;
    }
    if (length < 2 || length > bytes.size() - i - 2) return false;
    if (marker == kStartOfScan) return true;
    i += 2 + length;
  }
  return false;
}

// Pictures that are told apart only to say what they are.
struct Unread {
  std::size_t at;
  std::string_view magic;
  std::string_view name;
};
constexpr Unread kUnread[] = {{0, std::string_view("\xABKTX 20\xBB", 8), "KTX2"},
                              {0, std::string_view("\xABKTX 11\xBB", 8), "KTX"},
                              {0, "sB", "Basis"},
                              {0, "DDS ", "DDS"},
                              {4, "ftypavif", "AVIF"}};

Result<std::string> sniff_image(std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  if (text.starts_with(kPngStart))
    return whole_png(bytes) ? Result<std::string>("image/png") : fail("is a PNG that is cut short or damaged");
  if (text.starts_with(kJpegStart))
    return whole_jpeg(bytes) ? Result<std::string>("image/jpeg") : fail("is a JPEG that is cut short or damaged");
  if (import::is_webp(bytes)) return "image/webp";
  for (const Unread& format : kUnread) {
    if (text.size() > format.at && text.substr(format.at).starts_with(format.magic))
      return fail("is {}, which is not read", format.name);
  }
  return fail("is neither PNG, JPEG nor WebP");
}

// Whether it is one of the formats that glTF itself knows, but not all there.
bool is_damaged(std::span<const std::byte> bytes) {
  if (text_of(bytes).starts_with(kPngStart)) return !whole_png(bytes);
  return text_of(bytes).starts_with(kJpegStart) && !whole_jpeg(bytes);
}

// Where glTF allows a file to lie, and we do not look.
bool lies_elsewhere(const nlohmann::json& image) {
  const auto uri = image.is_object() ? image.find("uri") : image.end();
  if (!image.is_object() || uri == image.end() || !uri->is_string()) return false;
  const auto& text = uri->get_ref<const std::string&>();
  return text.find("://") != std::string::npos || text.starts_with("../") || text.find("/../") != std::string::npos;
}

// glTF allows a buffer without data, for programs that know where to take it from.
bool in_placeholder(const Document& document, const nlohmann::json& image) {
  const auto view = image.is_object() ? image.find("bufferView") : image.end();
  if (!image.is_object() || view == image.end() || !view->is_number_unsigned()) return false;
  const auto index = view->get<std::uint64_t>();
  const auto& views = document.model.buffer_views;
  return index < views.size() && document.buffers[views[index].buffer].placeholder;
}

// The bytes, and the file of their own they lie in, if they do.
struct Found {
  SharedBytes bytes;
  std::filesystem::path file = {};
};

Result<Found> found(Result<SharedBytes> read, std::filesystem::path file = {}) {
  THRONG_TRY(SharedBytes bytes, std::move(read));
  return Found{std::move(bytes), std::move(file)};
}

Result<Found> find_image(const Document& document, const nlohmann::json& image, NamedFiles& files) {
  const auto view = image.find("bufferView");
  if (view != image.end() && view->is_number_integer()) {
    const auto index = view->get<std::uint64_t>();
    if (index >= document.model.buffer_views.size())
      return fail("names bufferViews[{}] of {}", index, document.model.buffer_views.size());
    return found(view_bytes(document, static_cast<std::size_t>(index)));
  }
  const auto uri = image.find("uri");
  if (uri == image.end() || !uri->is_string()) return fail("has neither a URI nor a buffer view");
  const auto& text = uri->get_ref<const std::string&>();
  if (is_data_uri(text)) {
    THRONG_TRY(auto data, decode_data_uri(text));
    return Found{SharedBytes(std::move(data.bytes))};
  }
  THRONG_TRY(auto file, resolve_uri(document.path.parent_path(), text));
  return found(files.map(file), file);
}

// What something shows is paid for: as it is drawn, and while it is decoded.
Result<LoadedImage> load_image(const nlohmann::json& image, std::size_t index, Found source, bool shown,
                               std::uint64_t budget, import::Budget& pictures) {
  THRONG_TRY(auto type, sniff_image(source.bytes.span()));
  THRONG_TRY(const ImageSize size, type == "image/webp" ? import::webp_size(source.bytes.span(), budget)
                                                        : image_size(source.bytes.span(), budget));
  if (shown) {
    THRONG_CHECK(pictures.lend(texture_bytes(size) + decoding_bytes(size), "pictures"));
    THRONG_CHECK(pictures.spend(texture_bytes(size), "pictures"));
  }
  const auto name = image.find("name");
  LoadedImage loaded{
      {.name = name != image.end() && name->is_string() ? name->get<std::string>() : fmt::format("image {}", index),
       .mime_type = type,
       .bytes = std::move(source.bytes),
       .file = std::move(source.file)},
      type};
  if (type != "image/webp" || !shown) return loaded;
  THRONG_TRY(auto png, import::png_from_webp(loaded.source.bytes.span(), budget));
  loaded.source.mime_type = "image/png";
  loaded.source.bytes = SharedBytes(std::move(png));
  loaded.source.file.clear();  // what lies there is another format, and cannot be linked
  return loaded;
}

// Whether a material has a use for each image: as its colour or its normal map.
std::vector<bool> shown_images(const source::Model& model, std::size_t count) {
  std::vector<bool> shown(count);
  const auto show = [&](const std::optional<source::TextureUse>& use) {
    if (!use) return;
    for (const std::size_t image : model.textures[use->texture].sources) shown[image] = true;
  };
  for (const source::Material& material : model.materials) {
    show(material.base_texture);
    show(material.normal_texture);
  }
  return shown;
}

}  // namespace

std::vector<FileImage> load_images(const Document& document) {
  const auto& images = collection_of(*document.json, "images");
  const std::vector<bool> shown = shown_images(document.model, images.size());
  std::map<std::pair<const std::byte*, bool>, std::size_t> first;  // images of the same bytes are one
  NamedFiles files = document.files;
  std::vector<Result<Found>> sources;
  std::vector<FileImage> out(images.size());
  std::uint64_t shown_bytes = 0;  // of files: what renderers go by, too
  for (std::size_t i = 0; i < out.size(); ++i) {
    sources.push_back(images[i].is_object() ? find_image(document, images[i], files) : fail("is not an object"));
    out[i].at_fault = sources[i] ? is_damaged(sources[i]->bytes.span())
                                 : !in_placeholder(document, images[i]) && !lies_elsewhere(images[i]);
    out[i].same_as = sources[i] ? first.try_emplace({sources[i]->bytes.data(), shown[i]}, i).first->second : i;
    if (sources[i] && shown[i] && out[i].same_as == i) shown_bytes += sources[i]->bytes.span().size();
  }
  // Buffer views may overlap, but a byte of a file counts once.
  import::Budget pictures(document.budget, std::min(shown_bytes, files.bytes()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!sources[i])
      out[i].loaded = fail(std::move(sources[i].error()));
    else if (out[i].same_as == i)
      out[i].loaded = load_image(images[i], i, *std::move(sources[i]), shown[i], document.budget, pictures);
  }
  return out;
}

}  // namespace throng::detail::gltf
