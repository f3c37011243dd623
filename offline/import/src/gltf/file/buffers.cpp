// SPDX-License-Identifier: Apache-2.0
#include "gltf/file/buffers.h"

#include "gltf/file/container.h"
#include "gltf/file/extensions.h"
#include "gltf/file/json.h"
#include "gltf/file/uri.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

using Json = nlohmann::json;

bool is_buffer_media_type(std::string_view written) {
  const std::string type = lower(written);
  return type == "application/octet-stream" || type == "application/gltf-buffer";
}

Result<SharedBytes> embedded(std::string_view uri, Mender& mender) {
  THRONG_TRY(auto data, decode_data_uri(uri));
  if (!is_buffer_media_type(data.media_type)) {
    THRONG_CHECK(mender.forgive(Fault::media_type, "its data URI is of type '{}', not application/octet-stream",
                                data.media_type));
  }
  return SharedBytes(std::move(data.bytes));
}

Result<SharedBytes> beside(Document& document, std::string_view uri) {
  THRONG_TRY(auto file, resolve_uri(document.path.parent_path(), uri));
  return document.files.map(file);
}

bool is_fallback(const Json& buffer) {
  for (const char* name : {kExtMeshopt, kKhrMeshopt}) {
    const Json* extension = extension_of(buffer, name);
    if (extension != nullptr && extension->value("fallback", false)) return true;
  }
  return false;
}

void set_missing(BufferSource& source) {
  source.missing = source.fallback ? "is the fallback of compressed data and has no bytes of its own"
                                   : "has no data: no URI, and no BIN chunk to take it from";
  source.placeholder = !source.fallback;
}

Result<BufferSource> load_buffer(Document& document, const Json& buffer, std::size_t index, Mender& mender) {
  BufferSource source;
  source.byte_length = buffer["byteLength"].get<std::uint64_t>();
  source.fallback = is_fallback(buffer);
  if (!buffer.contains("uri")) {
    const bool from_chunk = index == 0 && document.binary_chunk;
    if (!from_chunk && index == 0 && document.file.size() >= 4 && sniff(document.file.span()) == Format::glb) {
      return fail("has no URI, but the GLB has no BIN chunk");
    }
    if (from_chunk)
      source.bytes = *document.binary_chunk;
    else
      set_missing(source);
    return source;
  }
  const auto uri = buffer["uri"].get<std::string>();
  if (!is_data_uri(uri) && has_scheme(uri) && !uri.starts_with(':')) {
    source.missing = fmt::format("is at '{}'; only files beside this one are read", uri.substr(0, 60));
    return source;
  }
  auto bytes = is_data_uri(uri) ? embedded(uri, mender) : beside(document, uri);
  if (!bytes && source.fallback) {
    source.missing = bytes.error().message;
    return source;
  }
  if (!bytes) return fail(std::move(bytes));
  source.bytes = std::move(*bytes);
  return source;
}

}  // namespace

Result<void> load_buffers(Document& document, Mender& mender) {
  const Json& buffers = collection_of(*document.json, "buffers");
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    auto source = load_buffer(document, buffers[i], i, mender);
    if (!source) return fail("buffers[{}]: {}", i, source.error().message);
    if (source->missing.empty() && source->bytes.size() < source->byte_length) {
      return fail("buffers[{}] declares {} bytes but its data has {}", i, source->byte_length, source->bytes.size());
    }
    if (!source->missing.empty() && !source->fallback) document.note("buffers[{}] {}", i, source->missing);
    document.buffers.push_back(std::move(*source));
  }
  return {};
}

Result<SharedBytes> view_bytes(const Document& document, std::size_t index) {
  const auto& view = document.model.buffer_views[index];
  if (const auto decoded = document.decoded_views.find(index); decoded != document.decoded_views.end())
    return decoded->second.bytes;
  const BufferSource& buffer = document.buffers[view.buffer];
  if (!buffer.missing.empty()) return fail("buffers[{}] {}", view.buffer, buffer.missing);
  THRONG_TRY(auto bytes, slice(buffer.bytes.span(), view.byte_offset, view.byte_length));
  return part_of(buffer.bytes, bytes);
}

}  // namespace throng::detail::gltf
