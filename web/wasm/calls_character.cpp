// SPDX-License-Identifier: Apache-2.0
// Characters: reading them, what they are, and what a GPU takes of them.
#include <cstdlib>
#include <cstring>

#include "calls.h"
#include "facts.h"
#include "handles.h"
#include "throng/character/file.h"

namespace throng::web {
namespace {

// The arrays by the numbers that throng.js has for them.
enum class Array : std::uint32_t { vertices, tangents, vertex_parts, indices, atlas };
enum class Texture : std::uint32_t { clips, table, channels, skeleton, morphs };

// Words as a texture has them: whole rows of so many texels, zeros behind the last.
std::vector<std::uint32_t> in_rows(std::span<const std::byte> bytes, std::uint32_t width, std::uint32_t texel_words) {
  const std::size_t row = std::size_t{width} * texel_words;
  const std::size_t rows = (bytes.size() / 4 + row - 1) / row;
  std::vector<std::uint32_t> words(rows * row, 0);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

void answer_texels(CharacterHandle& handle, std::vector<std::uint32_t> words, std::uint32_t width,
                   std::uint32_t texel_words) {
  handle.words = std::move(words);
  answer_array(std::span<const std::uint32_t>(handle.words));
  const std::size_t row = std::size_t{width} * texel_words;
  answer({static_cast<double>(width), static_cast<double>(handle.words.size() / row), static_cast<double>(texel_words)},
         2);
}

void answer_texels(CharacterHandle& handle, Texels texels) {
  answer_texels(handle, std::move(texels.words), texels.width, texels.texel_words);
}

void answer_clips(CharacterHandle& handle) {
  constexpr std::uint32_t kWidth = 4;  // a clip a row
  std::vector<ClipRecord> records;
  for (const BakedClip& clip : handle.character.clips()) records.push_back(clip_record(handle.character, clip));
  answer_texels(handle, in_rows(std::as_bytes(std::span(records)), kWidth, 4), kWidth, 4);
}

}  // namespace
}  // namespace throng::web

using namespace throng;
using namespace throng::web;

THRONG_CALL(throng_looks_like_character) bool throng_looks_like_character(const std::byte* bytes, std::size_t size) {
  return looks_like_character({bytes, size});
}

// Takes over `bytes`, which throng_allocate() gave, whatever becomes of it.
THRONG_CALL(throng_read) CharacterHandle* throng_read(std::byte* bytes, std::size_t size) {
  const std::shared_ptr<const void> owner(bytes, [](void* memory) { std::free(memory); });
  auto character = decode_character(SharedBytes(owner, {bytes, size}));
  return went_well(character) ? new CharacterHandle(*std::move(character)) : nullptr;
}

THRONG_CALL(throng_free_character) void throng_free_character(CharacterHandle* handle) { delete handle; }

// As JSON, told.
THRONG_CALL(throng_facts) void throng_facts(const CharacterHandle& handle) { tell(facts_of(handle.character)); }

// Of the atlas width, height, layers and words of a texel besides: numbers 2 to 5; of vertices their stride: number 2.
THRONG_CALL(throng_array) void throng_array(const CharacterHandle& handle, std::uint32_t which) {
  const Character& model = handle.character;
  switch (static_cast<Array>(which)) {
    case Array::vertices:
      answer_bytes(model.vertices().bytes());
      return answer({static_cast<double>(model.vertices().stride())}, 2);
    case Array::tangents:
      return answer_array(model.tangents());
    case Array::vertex_parts:
      return answer_array(model.vertex_parts());
    case Array::indices:
      return answer_array(model.indices());
    case Array::atlas:
      answer_array(model.atlas().words);
      const Layout& layout = model.atlas().layout;
      return answer({static_cast<double>(layout.width), static_cast<double>(model.atlas().height),
                     static_cast<double>(model.atlas().layer_count), static_cast<double>(layout.texel_words)},
                    2);
  }
}

// Width, height and words of a texel besides: numbers 2 to 4.
THRONG_CALL(throng_texture) void throng_texture(CharacterHandle& handle, std::uint32_t which) {
  const Character& model = handle.character;
  switch (static_cast<Texture>(which)) {
    case Texture::clips:
      return answer_clips(handle);
    case Texture::table:
      return answer_texels(handle, in_rows(std::as_bytes(model.table()), gpu::kTexelsInRow, 4), gpu::kTexelsInRow, 4);
    case Texture::channels:
      return answer_texels(handle, channel_texels(model));
    case Texture::skeleton:
      return answer_texels(handle, skeleton_texels(model));
    case Texture::morphs:
      const std::vector<std::uint32_t> words = morph_words(model.draft());
      return answer_texels(handle, in_rows(as_bytes(words), gpu::kTexelsInRow, 1), gpu::kTexelsInRow, 1);
  }
}

// The picture as the file has it. No bytes: it is linked, not inside, or there is no such picture.
THRONG_CALL(throng_image) void throng_image(const CharacterHandle& handle, std::uint32_t number) {
  const std::vector<ImageSource>& images = handle.character.images();
  answer_bytes(number < images.size() ? images[number].bytes.span() : std::span<const std::byte>());
}
