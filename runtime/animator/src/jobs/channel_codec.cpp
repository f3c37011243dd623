// SPDX-License-Identifier: Apache-2.0
#include "jobs/channel_codec.h"

#include <bit>
#include <cstring>

#include "throng/math/simd/float4.h"
#include "throng/shaders/shared/channels.h"

namespace throng::detail::animator {

using namespace simd;

namespace {

// Up to 31 bits from a bit of a frame on.
std::uint32_t bits_of(FrameWords frame, std::uint32_t bit, std::uint32_t width) {
  const std::uint64_t two = frame[bit / 32] | std::uint64_t{frame[bit / 32 + 1]} << 32;
  return static_cast<std::uint32_t>(two >> bit % 32) & ((1u << width) - 1u);
}

// Takes the components of a channel one after another, in steps.
class Fields {
 public:
  Fields(ChannelWords channel, FrameWords frame)
      : frame_(frame), bit_(gpu::channel_bit(channel[0], channel[1], channel[2])) {}

  float next(std::uint32_t component) {
    const std::uint32_t width = gpu::channel_width(component);
    const std::uint32_t bits = bits_of(frame_, bit_, width);
    bit_ += width;
    return gpu::channel_base(component) + static_cast<float>(bits);
  }

 private:
  FrameWords frame_;
  std::uint32_t bit_;
};

float step_of(std::uint32_t word_4) { return std::bit_cast<float>(word_4 & 0xFFFF0000u); }

Float4 bases_of(Word4 component) {
  constexpr int kAbove = 32 - gpu::kBaseBits;
  return to_floats(std::bit_cast<Int4>(component << kAbove) >> kAbove);
}

// The same word of four channels.
Word4 words_of(ClipWords words, const std::uint16_t* channels, std::size_t word) {
  return Word4{words[channels[0] + word], words[channels[1] + word], words[channels[2] + word],
               words[channels[3] + word]};
}

Float4 fields_of(Word4 component, Word4 bits, Word4 widths, Float4 step, FrameWords frame) {
  Word4 fields{};
  for (int lane = 0; lane < 4; ++lane) fields[lane] = bits_of(frame, bits[lane], widths[lane]);
  return step * (bases_of(component) + to_floats(fields));
}

// gpu::rotation_mean() of each.
Quaternions4 means_of(Word4 word_3, Word4 word_4) {
  const auto component = [](Word4 field) { return (to_floats(field & 0x7FFFu) - 16383.0f) * gpu::kMeanStep; };
  const Float4 a = component(word_3), b = component(word_3 >> 15), c = component(word_4);
  const Float4 rest = square_root(greatest(1.0f - (a * a + b * b + c * c), Float4{}));
  const Word4 left_out = word_3 >> 30;
  return {left_out == 0u ? rest : a, left_out == 0u ? a : (left_out == 1u ? rest : b),
          left_out == 3u ? c : (left_out == 2u ? rest : b), left_out == 3u ? rest : c};
}

Quaternions4 decode_four(ClipWords words, const std::uint16_t* channels, FrameWords frame) {
  const Word4 x = words_of(words, channels, 0), y = words_of(words, channels, 1), z = words_of(words, channels, 2);
  const Word4 word_3 = words_of(words, channels, 3), word_4 = words_of(words, channels, 4);
  const Word4 bits = (x >> 26) | ((y >> 26) << 6) | ((z >> 26) << 12);
  const Word4 x_widths = (x >> 21) & 31u, y_widths = (y >> 21) & 31u, z_widths = (z >> 21) & 31u;
  const Float4 step = std::bit_cast<Float4>(word_4 & 0xFFFF0000u);
  Quaternions4 d{fields_of(x, bits, x_widths, step, frame),
                 fields_of(y, bits + x_widths, y_widths, step, frame),
                 fields_of(z, bits + x_widths + y_widths, z_widths, step, frame),
                 {}};
  d.w = square_root(greatest(1.0f - (d.x * d.x + d.y * d.y + d.z * d.z), Float4{}));
  return means_of(word_3, word_4) * d;
}

// The mean times what is counted from it, summed as several at once sum it.
glm::vec4 product(const gpu::vec4& a, const glm::vec4& b) {
  return {(a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y), (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
          (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x), (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z)};
}

}  // namespace

bool is_moving(ChannelWords channel, SlotKind kind) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t width = gpu::channel_width(channel[i]);
    if (width != 0 && width != gpu::kSameAsX) return true;
  }
  return kind == SlotKind::rotation && (channel[4] & gpu::kFourComponents) != 0 &&
         gpu::channel_width(channel[gpu::kRotationWords]) != 0;
}

glm::vec4 decode_rotation(ChannelWords channel, FrameWords frame) {
  Fields fields(channel, frame);
  const float step = step_of(channel[4]);
  const float x = step * fields.next(channel[0]);
  const float y = step * fields.next(channel[1]);
  const float z = step * fields.next(channel[2]);
  const float square = 1.0f - (x * x + y * y + z * z);
  const float w = (channel[4] & gpu::kFourComponents) != 0 ? step * fields.next(channel[gpu::kRotationWords])
                                                           : std::sqrt(square > 0.0f ? square : 0.0f);
  return product(gpu::rotation_mean(channel[3], channel[4]), {x, y, z, w});
}

glm::vec3 decode_vector(ChannelWords channel, FrameWords frame) {
  Fields fields(channel, frame);
  const float step = std::bit_cast<float>(channel[3]);
  glm::vec3 out(step * fields.next(channel[0]));
  for (int i = 1; i < 3; ++i) {
    const std::uint32_t component = channel[i];
    if (gpu::channel_width(component) != gpu::kSameAsX) out[i] = step * fields.next(component);
  }
  return out;
}

void set_lane(RotationLanes& lanes, std::size_t lane, ClipWords words, std::uint16_t channel) {
  // Lanes without a channel are read with the others, so that they must lead to one.
  if (lanes.present == 0) lanes.channels.fill(channel);
  lanes.channels[lane] = channel;
  const auto bit = static_cast<std::uint8_t>(1u << lane);
  lanes.present |= bit;
  if ((words[channel + 4u] & gpu::kFourComponents) != 0) lanes.fourths |= bit;
}

void decode_rotations_narrow(ClipWords words, const RotationLanes& lanes, FrameWords frame, float* out) {
  for (std::size_t first = 0; first < 8; first += 4) {
    const Quaternions4 four = decode_four(words, lanes.channels.data() + first, frame);
    const Word4 bits = Word4{1, 2, 4, 8} & static_cast<std::uint32_t>(lanes.present >> first);
    float* to = out + first;
    for (const Float4 component : {four.x, four.y, four.z, four.w}) {
      store(to, bits != 0u ? component : load(to));
      to += 8;
    }
  }
  decode_fourths(words, lanes, frame, out);
}

void decode_fourths(ClipWords words, const RotationLanes& lanes, FrameWords frame, float* out) {
  for (std::size_t lane = 0; lanes.fourths >> lane != 0; ++lane) {
    if ((lanes.fourths >> lane & 1) == 0) continue;
    const glm::vec4 q = decode_rotation(words + lanes.channels[lane], frame);
    for (int i = 0; i < 4; ++i) std::memcpy(out + 8 * static_cast<std::size_t>(i) + lane, &q[i], sizeof q[i]);
  }
}

void decode_vectors_narrow(ClipWords words, std::span<const VectorLane> lanes, FrameWords frame, float* out) {
  for (const VectorLane& lane : lanes) {
    const glm::vec3 v = decode_vector(words + lane.channel, frame);
    for (int axis = 0; axis < 3; ++axis)
      std::memcpy(out + lane.to + 4 * static_cast<std::size_t>(axis), &v[axis], sizeof v[axis]);
  }
}

}  // namespace throng::detail::animator
