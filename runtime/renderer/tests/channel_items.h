// SPDX-License-Identifier: Apache-2.0
#pragma once
// A clip of two frames in localv made of six words: the twin of channel_item.glsl.

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include "dice.h"
#include "throng/character/channels.h"
#include "throng/character/codecs/bone_codecs.h"
#include "throng/shaders/shared/channels.h"

namespace throng::test {

// Random words of six become those of a channel that a bake may write: widths up to 22 bits, and components small
// enough that a rotation's w is far from 0, where its root would magnify every rounding. Where w is stored, it and y
// are large enough for a rotation that has a length.
inline void make_channel_item(std::span<std::uint32_t> words, Dice& dice) {
  const bool four = (words[4] & gpu::kFourComponents) != 0;
  const std::uint32_t widest = dice.below(four ? gpu::kBaseBits - 1 : gpu::kMostWidth + 1);
  // Some take all the bits they may, and begin with the last bit of a word: they end in the fourth.
  const bool longest = dice.below(8) == 0;
  const std::uint32_t most = 1u << std::min(widest, gpu::kBaseBits - 2);
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint32_t base = dice.below(most) - most / 2;
    if (four && i == 1) base = most;
    // The channel begins within the first two words of a frame.
    const std::uint32_t width = longest ? widest : dice.below(widest + 1);
    const std::uint32_t bit = longest ? 31u + 32u * dice.below(2) : dice.below(64);
    words[i] = (base & 0x1FFFFFu) | width << gpu::kBaseBits | (i == 0 ? bit << 26 : 0u);
  }
  const auto step = static_cast<float>(0.25 * std::pow(2.0, -static_cast<double>(widest)) * dice.between(0.5, 1.0));
  // A bake leaves out the largest component of a mean; here it is at least a half, since it is a root, too.
  const auto part_of_mean = [&dice] { return 16383u - 11583u + dice.below(2 * 11583u + 1); };
  words[3] = (words[3] & 0xC0000000u) | part_of_mean() | part_of_mean() << 15;
  words[4] = part_of_mean() | (words[4] & gpu::kFourComponents) | (std::bit_cast<std::uint32_t>(step) & 0xFFFF0000u);
}

inline std::uint32_t channel_word(std::span<const std::uint32_t> item, std::uint32_t word) {
  if (word == 0) return 0x00070001u;
  if (word <= 5) return item[word - 1];
  if (word == 6) return item[1] & 0x3FFFFFFu;
  if (word <= 9) return item[word - 7];
  if (word == 10) return item[4] & 0xFFFF0000u;
  const std::uint32_t mixed = item[5] * 1664525u + word * 1013904223u;
  return mixed ^ (mixed >> 15);
}

inline BoneSample channel_item(std::span<const std::uint32_t> item) {
  std::vector<std::uint32_t> words(40);
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = channel_word(item, i);
  const ChannelReader reader(words, {.frames = 11, .frame_words = 8, .stored_frames = 2});
  const ChannelFrames frames = reader.frames_at(0, 1, (item[5] & 0xFFFFFFu) * std::pow(2.0, -24.0));
  return {reader.rotation(0, frames).value(), reader.vector(1, frames).value(), 1.0};
}

}  // namespace throng::test
