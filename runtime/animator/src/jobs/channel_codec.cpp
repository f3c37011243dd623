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

Word4 load_words(const std::uint32_t* from) {
  Word4 v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

Float4 fields_of(Word4 component, Word4 bits, Word4 widths, Float4 step, FrameWords frame) {
  Word4 fields{};
  for (int lane = 0; lane < 4; ++lane) fields[lane] = bits_of(frame, bits[lane], widths[lane]);
  return step * (bases_of(component) + to_floats(fields));
}

Quaternions4 decode_four(const RotationLanes& lanes, std::size_t first, FrameWords frame) {
  const Word4 x = load_words(lanes.components[0] + first), y = load_words(lanes.components[1] + first),
              z = load_words(lanes.components[2] + first);
  const Word4 bits = (x >> 26) | ((y >> 26) << 6) | ((z >> 26) << 12);
  const Word4 x_widths = (x >> 21) & 31u, y_widths = (y >> 21) & 31u, z_widths = (z >> 21) & 31u;
  const Float4 step = load(lanes.step + first);
  Quaternions4 d{fields_of(x, bits, x_widths, step, frame),
                 fields_of(y, bits + x_widths, y_widths, step, frame),
                 fields_of(z, bits + x_widths + y_widths, z_widths, step, frame),
                 {}};
  d.w = square_root(greatest(splat(1.0f) - (d.x * d.x + d.y * d.y + d.z * d.z), Float4{}));
  const Quaternions4 mean{load(lanes.mean[0] + first), load(lanes.mean[1] + first), load(lanes.mean[2] + first),
                          load(lanes.mean[3] + first)};
  return mean * d;
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

void set_lane(RotationLanes& lanes, std::size_t lane, ChannelWords channel) {
  for (std::size_t i = 0; i < 3; ++i) lanes.components[i][lane] = channel[i];
  lanes.step[lane] = step_of(channel[4]);
  const gpu::vec4 mean = gpu::rotation_mean(channel[3], channel[4]);
  for (int i = 0; i < 4; ++i) lanes.mean[i][lane] = mean[i];
}

void set_lane(RotationLanes& lanes, std::size_t lane, const glm::vec4& still) {
  for (std::size_t i = 0; i < 3; ++i) lanes.components[i][lane] = 0;
  lanes.step[lane] = 0.0f;
  for (int i = 0; i < 4; ++i) lanes.mean[i][lane] = still[i];
}

void decode_rotations_narrow(const RotationLanes& lanes, FrameWords frame, float* out) {
  for (std::size_t first = 0; first < 8; first += 4) {
    const Quaternions4 four = decode_four(lanes, first, frame);
    store(out + first, four.x);
    store(out + 8 + first, four.y);
    store(out + 16 + first, four.z);
    store(out + 24 + first, four.w);
  }
}

}  // namespace throng::detail::animator
