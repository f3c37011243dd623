// SPDX-License-Identifier: Apache-2.0
#include "deform/deform_items.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "state.h"
#include "time_record.h"

namespace throng::detail::playback {
namespace {

// `count` bits of four words from bit `first` on, as UNORM and SNORM.
Word4 field(Word4 words, int first, int count) {
  return (words >> static_cast<std::uint32_t>(first)) & ((1u << count) - 1u);
}
Float4 unorm(Word4 bits, int count) { return to_floats(bits) * splat(1.0f / static_cast<float>((1u << count) - 1u)); }
Float4 snorm(Word4 words, int first, int count) {
  const Int4 high = std::bit_cast<Int4>(words << static_cast<std::uint32_t>(32 - count - first));
  const Float4 value = to_floats(high >> (32 - count));
  return greatest(value * splat(1.0f / static_cast<float>((1u << (count - 1)) - 1u)), splat(-1.0f));
}

// The lower or upper half of each word as a half float. Those of an asset are finite, so scaling a float's exponent is
// all there is to it.
Float4 half(Word4 words, int first) {
  const Word4 bits = field(words, first, 16);
  const Float4 value = std::bit_cast<Float4>((bits & 0x7FFFu) << 13u) * splat(5.192296858534828e33f);  // 2^112
  return std::bit_cast<Float4>(std::bit_cast<Word4>(value) | (bits & 0x8000u) << 16u);
}

Vectors4 unit(const Vectors4& v) { return unit_or(v, v); }

Vectors4 octahedral(Float4 u, Float4 v) {
  const Float4 z = 1.0f - absolute(u) - absolute(v);
  const Float4 zero = splat(0.0f);
  const Float4 folded_u = u < zero ? absolute(v) - 1.0f : 1.0f - absolute(v);
  const Float4 folded_v = v < zero ? absolute(u) - 1.0f : 1.0f - absolute(u);
  return unit({z < zero ? folded_u : u, z < zero ? folded_v : v, z});
}

Vectors4 rgbm(Word4 word, int m_bits) {
  const Float4 m = to_floats(field(word, 24, m_bits)) * splat(1.0f / static_cast<float>(255u * ((1u << m_bits) - 1u)));
  return {to_floats(field(word, 0, 8)) * m, to_floats(field(word, 8, 8)) * m, to_floats(field(word, 16, 8)) * m};
}

Vectors4 rgbm_direction(Word4 word, int m_bits) {
  const Vectors4 v = rgbm(word, m_bits);
  return {v.x * 2.0f - 1.0f, v.y * 2.0f - 1.0f, v.z * 2.0f - 1.0f};
}

Vectors4 in_box(const Vectors4& part, const glm::vec3& min, const glm::vec3& size) {
  return {part.x * size.x + min.x, part.y * size.y + min.y, part.z * size.z + min.z};
}

Float4 side_bit(Word4 word) { return (word >> 31u) != 0u ? splat(-1.0f) : splat(1.0f); }

Items4 mixed_items(const Items4& from, const Items4& to, float blend, bool tangents) {
  const Float4 b = splat(blend);
  Items4 items{mixed(from.position, to.position, b), unit_or(mixed(from.normal, to.normal, b), from.normal),
               from.tangent, from.side};
  if (tangents) items.tangent = unit_or(mixed(from.tangent, to.tangent, b), from.tangent);
  return items;
}

}  // namespace

ItemFrames::Pair ItemFrames::pair_of(const Character& model, const TrackRecord& track, Ticks now) {
  const BakedClip& clip = model.clips()[track.clip];
  const Cursor cursor = cursor_of(time_record(clip), track, now);
  const FrameLayout frames = frame_layout(model, clip);
  return {clip.encoding,
          glm::vec3(clip.range.pivot_min),
          glm::vec3(clip.range.pivot_size),
          model.atlas().frame(frames, clip.layer, cursor.frame).data(),
          model.atlas().frame(frames, clip.layer, cursor.next).data(),
          cursor.blend};
}

ItemFrames::ItemFrames(const Character& model, const PlayRecord& play, Ticks now)
    : current_(pair_of(model, play.track, now)),
      weight_(gpu::fade_weight(play, split(now))),
      tangents_(model.tangents_animated()),
      count_(model.vertices().size()) {
  if (weight_ < 1.0f) previous_ = pair_of(model, play.previous, now);
}

Items4 ItemFrames::decode(const Pair& pair, const std::uint32_t* frame, std::size_t first) const {
  const std::size_t stride = words_per_item(pair.encoding, tangents_);
  std::array<const std::uint32_t*, 4> at{};
  for (std::size_t i = 0; i < 4; ++i) at[i] = frame + std::min(first + i, count_ - 1) * stride;
  const auto word = [&](std::size_t w) { return Word4{at[0][w], at[1][w], at[2][w], at[3][w]}; };
  Items4 items{};
  if (pair.encoding == Encoding::half_vertex) {
    items.position = {half(word(0), 0), half(word(0), 16), half(word(1), 0)};
    items.normal = {half(word(2), 0), half(word(2), 16), half(word(3), 0)};
    if (tangents_) items.tangent = {half(word(4), 0), half(word(4), 16), half(word(5), 0)};
    if (tangents_) items.side = half(word(5), 16) < splat(0.0f) ? splat(-1.0f) : splat(1.0f);
    return items;
  }
  if (tangents_) items.side = side_bit(word(2));
  if (pair.encoding == Encoding::rgbm) {
    items.position = in_box(rgbm(word(0), 8), pair.box_min, pair.box_size);
    items.normal = rgbm_direction(word(1), 8);
    if (tangents_) items.tangent = rgbm_direction(word(2), 7);
    return items;
  }
  const Word4 a = word(0);
  const Word4 b = word(1);
  const Vectors4 part{unorm(field(a, 0, 14), 14), unorm(field(b, 0, 14), 14), unorm(a >> 25u | (b >> 25u) << 7u, 14)};
  items.position = in_box(part, pair.box_min, pair.box_size);
  items.normal = octahedral(snorm(a, 14, 11), snorm(b, 14, 11));
  if (tangents_) items.tangent = octahedral(snorm(word(2), 0, 15), snorm(word(2), 15, 15));
  return items;
}

Items4 ItemFrames::items_of(const Pair& pair, std::size_t first) const {
  return mixed_items(decode(pair, pair.from, first), decode(pair, pair.to, first), pair.blend, tangents_);
}

Items4 ItemFrames::items(std::size_t first) const {
  const Items4 current = items_of(current_, first);
  return weight_ < 1.0f ? mixed_items(items_of(previous_, first), current, weight_, tangents_) : current;
}

void deform_items(const Character& model, const PlayRecord& play, Ticks now, const InstanceRecord* placed,
                  const Deformer::Output& out) {
  if (model.vertices().empty()) return;
  const ItemFrames frames(model, play, now);
  const glm::mat4 matrix = placed != nullptr ? glm::mat4(world_from_model(*placed)) : glm::mat4(1.0f);
  const glm::mat3 rotation = placed != nullptr ? glm::mat3(matrix) / std::abs(placed->scale) : glm::mat3(1.0f);
  for (std::size_t first = 0; first < model.vertices().size(); first += 4) {
    const Items4 items = frames.items(first);
    const auto vector = [](const Vectors4& v, std::size_t i) { return glm::vec3(v.x[i], v.y[i], v.z[i]); };
    for (std::size_t i = 0; i < std::min<std::size_t>(4, model.vertices().size() - first); ++i) {
      const std::size_t v = first + i;
      if (!out.positions.empty()) out.positions[v] = glm::vec3(matrix * glm::vec4(vector(items.position, i), 1.0f));
      if (!out.normals.empty()) out.normals[v] = rotation * vector(items.normal, i);
      if (out.tangents.empty()) continue;
      const glm::vec4 tangent =
          model.tangents_animated() ? glm::vec4(vector(items.tangent, i), items.side[i]) : model.tangents()[v];
      out.tangents[v] = glm::vec4(rotation * glm::vec3(tangent), tangent.w);
    }
  }
}

}  // namespace throng::detail::playback
