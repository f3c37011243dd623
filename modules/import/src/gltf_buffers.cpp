// Where the bytes of buffers come from: the BIN chunk, a data URI, or a file beside this one.

#include <algorithm>
#include <cctype>

#include "gltf_container.h"
#include "gltf_document.h"
#include "gltf_json.h"
#include "gltf_uri.h"
#include "throng/base/file.h"

namespace throng::gltf {
namespace {

using Json = nlohmann::json;

bool is_buffer_media_type(std::string type) {
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return type == "application/octet-stream" || type == "application/gltf-buffer";
}

Result<SharedBytes> embedded(std::string_view uri) {
  auto data = decode_data_uri(uri);
  if (!data) return fail(std::move(data));
  if (!is_buffer_media_type(data->media_type)) {
    return fail("its data URI is of type '{}', not application/octet-stream", data->media_type);
  }
  return SharedBytes(std::move(data->bytes));
}

Result<SharedBytes> beside(const Document& document, std::string_view uri) {
  auto file = resolve_uri(document.path.parent_path(), uri);
  if (!file) return fail(std::move(file));
  return map_file(*file);
}

// A compressed view's fallback buffer may have no bytes at all; that is the compression's doing, so say so.
void set_missing(const Json& buffer, BufferSource& source) {
  for (const char* name : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
    if (extension_of(buffer, name) == nullptr) continue;
    source.missing =
        fmt::format("is compressed with {}, which is not supported; export it again without compression", name);
    return;
  }
  source.missing = "has no data: no URI, and no BIN chunk to take it from";
  source.placeholder = true;
}

Result<BufferSource> load_buffer(const Document& document, const Json& buffer, std::size_t index) {
  BufferSource source;
  source.byte_length = buffer["byteLength"].get<std::uint64_t>();
  if (!buffer.contains("uri")) {
    const bool from_chunk = index == 0 && document.binary_chunk;
    if (!from_chunk && index == 0 && document.file.size() >= 4 && sniff(document.file.span()) == Format::glb) {
      return fail("has no URI, but the GLB has no BIN chunk");
    }
    if (from_chunk)
      source.bytes = *document.binary_chunk;
    else
      set_missing(buffer, source);
    return source;
  }
  const auto uri = buffer["uri"].get<std::string>();
  if (!is_data_uri(uri) && has_scheme(uri) && !uri.starts_with(':')) {
    source.missing = fmt::format("is at '{}'; only files beside this one are read", uri.substr(0, 60));
    return source;
  }
  auto bytes = is_data_uri(uri) ? embedded(uri) : beside(document, uri);
  if (!bytes) return fail(std::move(bytes));
  source.bytes = std::move(*bytes);
  return source;
}

}  // namespace

Result<void> load_buffers(Document& document) {
  const Json& buffers = listed(*document.json, "buffers");
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    auto source = load_buffer(document, buffers[i], i);
    if (!source) return fail("buffers[{}]: {}", i, source.error().message);
    if (source->missing.empty() && source->bytes.size() < source->byte_length) {
      return fail("buffers[{}] declares {} bytes but its data has {}", i, source->byte_length, source->bytes.size());
    }
    if (!source->missing.empty()) document.note("buffers[{}] {}", i, source->missing);
    document.buffers.push_back(std::move(*source));
  }
  return {};
}

Result<SharedBytes> view_bytes(const Document& document, std::size_t index) {
  const auto& view = document.model.bufferViews[index];
  const BufferSource& buffer = document.buffers[static_cast<std::size_t>(view.buffer)];
  if (!buffer.missing.empty()) return fail("buffers[{}] {}", view.buffer, buffer.missing);
  auto bytes = slice(buffer.bytes.span(), view.byteOffset, view.byteLength);
  if (!bytes) return fail(std::move(bytes));
  return part_of(buffer.bytes, *bytes);
}

}  // namespace throng::gltf
