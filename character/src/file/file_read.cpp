// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "file/extension.h"
#include "file/format.h"
#include "file/glb.h"
#include "file/image_links.h"
#include "file/morph_section.h"
#include "file/near_section.h"
#include "file/read_mesh.h"
#include "throng/base/file.h"
#include "throng/base/keep.h"
#include "throng/base/memory.h"
#include "throng/base/try.h"
#include "throng/character/file.h"

namespace throng {

using namespace detail::character;

namespace {

// A mapping and a vector are aligned well enough; bytes from the middle of something else may not be.
SharedBytes aligned(SharedBytes bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % format::kAlignment == 0) return bytes;
  return SharedBytes(std::vector<std::byte>(bytes.span().begin(), bytes.span().end()));
}

Result<const Json*> find_extension(const Json& root) {
  JsonFields fields(root, "glTF");
  const Json& extension = fields.object(fields.object(root, "extensions"), std::string(format::kExtension).c_str());
  THRONG_CHECK(fields.result());
  return &extension;
}

// What a file says; older ones say nothing of what renderers upload.
struct Decoded {
  CharacterDraft draft;
  std::optional<UploadData> upload;
};

Result<Character> build(Decoded decoded) {
  if (decoded.upload) return build_character(std::move(decoded.draft), *decoded.upload);
  return build_character(std::move(decoded.draft));
}

// The arrays that only the extension names.
Result<void> read_arrays(ReadExtension read, const std::vector<std::span<const std::byte>>& views, Decoded& decoded) {
  CharacterDraft& model = decoded.draft;
  if (read.views.atlas) {
    THRONG_TRY(model.atlas.words, view_as<std::uint32_t>(views, *read.views.atlas));
  }
  if (read.views.channels) {
    THRONG_TRY(model.channel_words, view_as<std::uint32_t>(views, *read.views.channels));
  }
  if (read.views.table) {
    THRONG_TRY(model.table, view_as<glm::vec4>(views, *read.views.table));
  } else if (!read.table.empty()) {
    model.table = keep(model.storage, std::move(read.table));  // of version 1
  }
  if (read.views.skin_vertices) {
    THRONG_TRY(read.upload.skin_vertices, view_as<glm::uvec4>(views, *read.views.skin_vertices));
  }
  if (read.has_upload) decoded.upload = read.upload;
  if (read.views.vertex_parts) {
    THRONG_TRY(model.vertex_parts, view_as<std::uint8_t>(views, *read.views.vertex_parts));
  }
  if (read.views.baked_from_source) {
    THRONG_TRY(model.baked_from_source, view_as<std::uint32_t>(views, *read.views.baked_from_source));
  }
  return {};
}

Result<void> fill(const Json& root, std::span<const std::byte> bin, Decoded& decoded) {
  THRONG_TRY(const Json* extension, find_extension(root));
  THRONG_TRY(const auto views, read_buffer_views(root, bin));
  THRONG_TRY(ReadExtension read, read_extension(*extension, decoded.draft));
  THRONG_CHECK(read_arrays(std::move(read), views, decoded));
  THRONG_CHECK(read_mesh(root, views, decoded.draft));
  if (const Json* morphs = extension->find("morphs")) THRONG_CHECK(read_morphs(*morphs, views, decoded.draft));
  if (const Json* near = extension->find("near")) THRONG_CHECK(read_near(*near, views, decoded.draft));
  return {};
}

Result<Decoded> decode(SharedBytes bytes) {
  Decoded decoded;
  decoded.draft.storage = aligned(std::move(bytes));
  THRONG_TRY(const auto parts, open_glb(decoded.draft.storage.span()));
  THRONG_TRY(const auto root, parse_json(parts.json));
  THRONG_CHECK(fill(root, parts.bin, decoded));
  return decoded;
}

Result<Character> read_linked(SharedBytes bytes, const std::filesystem::path& folder) {
  THRONG_TRY(Decoded decoded, decode(std::move(bytes)));
  THRONG_CHECK(load_links(decoded.draft, folder));
  return build(std::move(decoded));
}

}  // namespace

Result<Character> decode_character(SharedBytes bytes) {
  return within_memory("asset", [&]() -> Result<Character> {
    THRONG_TRY(Decoded decoded, decode(std::move(bytes)));
    return build(std::move(decoded));
  });
}

Result<Character> read_character(const std::filesystem::path& path) {
  return within_memory(path.native(), [&]() -> Result<Character> {
    THRONG_TRY(SharedBytes bytes, map_file(path));
    auto character = read_linked(std::move(bytes), path.parent_path());
    if (!character) return fail(with_context(path.string(), character.error()));
    return character;
  });
}

bool looks_like_character(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const auto magic = reader.u32();
  if (!magic || *magic != format::kMagic) return false;
  if (!reader.u32() || !reader.u32()) return false;
  const auto json_length = reader.u32();
  const auto json_type = reader.u32();
  if (!json_length || !json_type || *json_type != format::kChunkJson) return false;
  const auto json = reader.take(std::min<std::size_t>(*json_length, reader.remaining()));
  const std::string_view text(reinterpret_cast<const char*>(json->data()), json->size());
  return text.find(fmt::format("\"{}\"", format::kExtension)) != std::string_view::npos;
}

}  // namespace throng
