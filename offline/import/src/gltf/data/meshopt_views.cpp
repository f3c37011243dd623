// SPDX-License-Identifier: Apache-2.0
#include "gltf/data/meshopt_views.h"

#include <array>
#include <utility>

#include "compressed/meshopt_decode.h"
#include "gltf/file/extensions.h"
#include "gltf/file/json.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

using Json = nlohmann::json;

template <class T, std::size_t N>
Result<T> named(const std::array<std::pair<std::string_view, T>, N>& names, const Json& owner, const char* property) {
  const auto text = owner.value(property, std::string("NONE"));
  for (const auto& [name, value] : names) {
    if (name == text) return value;
  }
  return fail("its {} '{}' is not known", property, text);
}

constexpr std::array<std::pair<std::string_view, MeshoptMode>, 3> kModes = {{{"ATTRIBUTES", MeshoptMode::attributes},
                                                                             {"TRIANGLES", MeshoptMode::triangles},
                                                                             {"INDICES", MeshoptMode::indices}}};
constexpr std::array<std::pair<std::string_view, MeshoptFilter>, 5> kFilters = {
    {{"NONE", MeshoptFilter::none},
     {"OCTAHEDRAL", MeshoptFilter::octahedral},
     {"QUATERNION", MeshoptFilter::quaternion},
     {"EXPONENTIAL", MeshoptFilter::exponential},
     {"COLOR", MeshoptFilter::colour}}};

Result<std::span<const std::byte>> compressed_bytes(const Document& document, const Json& extension) {
  const auto index = extension["buffer"].get<std::size_t>();
  const BufferSource& buffer = document.buffers[index];
  if (!buffer.missing.empty()) return fail("its buffers[{}] {}", index, buffer.missing);
  const auto offset = extension.value("byteOffset", std::uint64_t{0});
  const auto length = extension["byteLength"].get<std::uint64_t>();
  auto bytes = slice(buffer.bytes.span(), offset, length);
  if (!bytes || offset + length > buffer.byte_length) {
    return fail("its compressed bytes (offset {}, length {}) do not fit buffers[{}] of {} bytes", offset, length, index,
                buffer.byte_length);
  }
  return bytes;
}

Result<MeshoptStream> read_stream(const Document& document, std::size_t view_index, const Json& extension) {
  const auto& view = document.model.buffer_views[view_index];
  MeshoptStream stream;
  stream.count = extension["count"].get<std::size_t>();
  stream.stride = extension["byteStride"].get<std::size_t>();
  if (view.byte_stride != 0 && view.byte_stride != stream.stride)
    return fail("its byteStride {} is not the {} of its stream", view.byte_stride, stream.stride);
  if (view.byte_length > stream.decoded_size()) {
    return fail("its {} bytes are more than the {} elements of {} bytes in its stream", view.byte_length, stream.count,
                stream.stride);
  }
  THRONG_TRY(auto mode, named(kModes, extension, "mode"));
  THRONG_TRY(auto filter, named(kFilters, extension, "filter"));
  THRONG_TRY(auto bytes, compressed_bytes(document, extension));
  stream.mode = mode;
  stream.filter = filter;
  stream.bytes = bytes;
  THRONG_CHECK(check_meshopt(stream));
  return stream;
}

// The extension that compresses a view; null for one that is not compressed.
Result<const char*> extension_name(const Json& view) {
  const bool khr = extension_of(view, kKhrMeshopt) != nullptr;
  const bool ext = extension_of(view, kExtMeshopt) != nullptr;
  if (khr && ext) return fail("is compressed with both {} and {}", kExtMeshopt, kKhrMeshopt);
  return khr ? kKhrMeshopt : ext ? kExtMeshopt : nullptr;
}

struct CompressedView {
  std::size_t index;
  const char* extension;
  Result<MeshoptStream> stream;
};

Result<std::vector<CompressedView>> compressed_views(const Document& document) {
  const Json& views = collection_of(*document.json, "bufferViews");
  std::vector<CompressedView> found;
  for (std::size_t i = 0; i < views.size(); ++i) {
    auto name = extension_name(views[i]);
    if (!name) return fail("bufferViews[{}] {}", i, name.error().message);
    if (*name != nullptr) found.push_back({i, *name, read_stream(document, i, *extension_of(views[i], *name))});
  }
  return found;
}

// Before anything is decoded: a small file may name the same stream many times over.
Result<void> pay_for(const std::vector<CompressedView>& views, import::Budget& budget) {
  for (const CompressedView& view : views) {
    if (view.stream) THRONG_CHECK(budget.spend(view.stream->stride, view.stream->count, "compressed buffer views"));
  }
  return {};
}

Result<void> decode_view(Document& document, CompressedView& view) {
  if (!view.stream) return fail(std::move(view.stream));
  THRONG_TRY(auto bytes, decode_meshopt(*view.stream));
  bytes.resize(document.model.buffer_views[view.index].byte_length);
  document.decoded_views[view.index] = {SharedBytes(std::move(bytes)), view.stream->filter != MeshoptFilter::none};
  return {};
}

bool has_own_bytes(const Document& document, std::size_t view) {
  return document.buffers[document.model.buffer_views[view].buffer].missing.empty();
}

}  // namespace

Result<void> decompress_views(Document& document, import::Budget& budget) {
  THRONG_TRY(auto views, compressed_views(document));
  THRONG_CHECK(pay_for(views, budget));
  for (CompressedView& view : views) {
    auto ok = decode_view(document, view);
    if (ok) continue;
    const std::string& why = ok.error().message;
    if (!has_own_bytes(document, view.index)) return fail("bufferViews[{}] ({}): {}", view.index, view.extension, why);
    document.note("bufferViews[{}] ({}): {}; its uncompressed bytes are read", view.index, view.extension, why);
  }
  return {};
}

}  // namespace throng::detail::gltf
