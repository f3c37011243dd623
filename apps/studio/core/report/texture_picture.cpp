// SPDX-License-Identifier: Apache-2.0
#include "core/report/texture_picture.h"

#include <algorithm>
#include <array>
#include <glm/gtc/packing.hpp>

namespace throng::studio {
namespace {

constexpr std::uint32_t kLargestSide = 2048;
constexpr std::array<std::uint8_t, 4> kUnused{24, 25, 28, 255};

// Half floats of any size, squeezed: 0 is middle grey, ±1 are three quarters of the way to black and white.
std::uint8_t shade_of_half(std::uint32_t bits) {
  const float value = glm::unpackHalf1x16(static_cast<std::uint16_t>(bits));
  const float squeezed = value / (1.0f + std::abs(value) / 3.0f) / 3.0f;  // −1 to 1
  return static_cast<std::uint8_t>(std::clamp(127.5f + 127.5f * squeezed, 0.0f, 255.0f));
}

// The high byte of a 16-bit field; signed ones with 0 in the middle.
std::uint8_t shade_of_field(std::uint32_t bits, bool is_signed) {
  return static_cast<std::uint8_t>((bits >> 8 & 0xFFu) ^ (is_signed ? 0x80u : 0u));
}

std::array<std::uint8_t, 4> colour_of(Encoding encoding, std::span<const std::uint32_t> words) {
  if (words.size() == 1) {  // RGBA8
    return {static_cast<std::uint8_t>(words[0]), static_cast<std::uint8_t>(words[0] >> 8),
            static_cast<std::uint8_t>(words[0] >> 16), 255};
  }
  const std::array<std::uint32_t, 3> fields{words[0] & 0xFFFFu, words[0] >> 16, words[1] & 0xFFFFu};
  const bool is_signed = info_of(encoding).signed_fields;
  std::array<std::uint8_t, 4> colour{0, 0, 0, 255};
  for (std::size_t i = 0; i < fields.size(); ++i)
    colour[i] = is_half(encoding) ? shade_of_half(fields[i]) : shade_of_field(fields[i], is_signed);
  return colour;
}

// The encoding each row of a layer is written in, and how many of its texels are used.
struct Row {
  std::optional<Encoding> encoding;
  std::uint32_t used = 0;
};

std::vector<Row> rows_of_layer(const Character& model, std::uint32_t layer) {
  std::vector<Row> rows(model.atlas().height);
  for (const BakedClip& clip : model.clips()) {
    const FrameLayout frames = frame_layout(model, clip);
    const RowRange range = rows_of_clip(model, clip, layer);
    const std::uint32_t used =
        frames.rows_per_frame > 1 ? model.atlas().layout.width : frames.frames_per_row * frames.texels_per_frame;
    for (std::uint32_t row = range.first; row < std::min(range.end, model.atlas().height); ++row)
      rows[row] = {clip.encoding, used};
  }
  return rows;
}

std::string item_name(const Character& model, const BakedClip& clip, std::uint32_t texel_in_frame) {
  const std::uint32_t word = texel_in_frame * model.atlas().layout.texel_words;
  if (word < header_words(clip.encoding)) return "the frame's origin";
  const std::uint32_t item =
      (word - header_words(clip.encoding)) / words_per_item(clip.encoding, model.tangents_animated());
  if (item >= item_count(model, clip.encoding)) return "unused";
  if (info_of(clip.encoding).kind == ItemKind::slot) {
    const std::uint32_t rotations = rotation_slots(model);
    return item < rotations ? fmt::format("rotation {}", item) : fmt::format("translation {}", item - rotations);
  }
  if (model.mode() == BakeMode::bones) return fmt::format("bone '{}'", model.bones()[item].name);
  if (item < model.vertices().size()) return fmt::format("vertex {}", item);
  return fmt::format("socket '{}'", model.sockets()[(item - model.vertices().size()) / 2].name);
}

}  // namespace

RowRange rows_of_clip(const Character& model, const BakedClip& clip, std::uint32_t layer) {
  if (is_channel_encoding(clip.encoding)) return {};
  const FrameLayout frames = frame_layout(model, clip);
  const std::uint32_t height = model.atlas().height;
  const LayerFrame first = layer_frame(frames, height, clip.layer, clip.first_frame);
  const LayerFrame last = layer_frame(frames, height, clip.layer, clip.first_frame + clip.frame_count - 1);
  if (layer < first.layer || layer > last.layer) return {};
  const Layout& layout = model.atlas().layout;
  const std::uint32_t first_frame = layer == first.layer ? first.frame : 0;
  const std::uint32_t last_frame = layer == last.layer ? last.frame : frames_per_layer(frames, height) - 1;
  return {texel_of(layout, frames, first_frame, 0).y,
          texel_of(layout, frames, last_frame, frames.texels_per_frame - 1).y + 1};
}

TexturePicture texture_picture(const Character& model, std::uint32_t layer) {
  const Atlas& atlas = model.atlas();
  TexturePicture picture;
  const std::uint32_t side = std::max({atlas.layout.width, atlas.height, 1u});
  picture.step = ceil_divide(side, kLargestSide);
  Image& image = picture.image;
  image.width = ceil_divide(atlas.layout.width, picture.step);
  image.height = ceil_divide(atlas.height, picture.step);
  image.rgba.reserve(std::size_t{4} * image.width * image.height);
  const std::vector<Row> rows = rows_of_layer(model, layer);
  const std::size_t texel_words = atlas.layout.texel_words;
  for (std::uint32_t y = 0; y < atlas.height; y += picture.step) {
    const std::size_t first = (std::size_t{layer} * atlas.height + y) * atlas.layout.width;
    for (std::uint32_t x = 0; x < atlas.layout.width; x += picture.step) {
      const bool used = rows[y].encoding && x < rows[y].used;
      const auto colour =
          used ? colour_of(*rows[y].encoding, atlas.words.subspan((first + x) * texel_words, texel_words)) : kUnused;
      image.rgba.insert(image.rgba.end(), colour.begin(), colour.end());
    }
  }
  return picture;
}

std::optional<TexelOwner> owner_of_texel(const Character& model, std::uint32_t layer, TexelCoordinate at) {
  const Layout& layout = model.atlas().layout;
  if (at.x >= layout.width || at.y >= model.atlas().height) return std::nullopt;
  for (std::uint32_t i = 0; i < model.clips().size(); ++i) {
    const BakedClip& clip = model.clips()[i];
    const FrameLayout frames = frame_layout(model, clip);
    if (clip.layer > layer || is_channel_encoding(clip.encoding)) continue;
    const bool folded = frames.rows_per_frame > 1;
    const std::uint32_t in_row = folded ? 0 : at.x / frames.texels_per_frame;
    if (in_row >= frames.frames_per_row) continue;
    const std::uint32_t in_layer = folded ? at.y / frames.rows_per_frame : at.y * frames.frames_per_row + in_row;
    const std::uint32_t each = frames_per_layer(frames, model.atlas().height);
    if (in_layer >= each) continue;
    const std::uint32_t frame = (layer - clip.layer) * each + in_layer;
    const std::uint32_t texel =
        folded ? at.y % frames.rows_per_frame * layout.width + at.x : at.x - in_row * frames.texels_per_frame;
    if (frame < clip.first_frame || frame - clip.first_frame >= clip.frame_count) continue;
    if (texel >= frames.texels_per_frame) continue;
    return TexelOwner{i, frame - clip.first_frame, item_name(model, clip, texel)};
  }
  return std::nullopt;
}

}  // namespace throng::studio
