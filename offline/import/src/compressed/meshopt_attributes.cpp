// SPDX-License-Identifier: Apache-2.0
#include "compressed/meshopt_attributes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace throng::detail::gltf {
namespace {

using Byte = std::uint8_t;

// What a block does with the plane of one byte of its elements.
enum class Control : Byte { narrow, wide, zeros, literal };
// How the differences of four neighbouring bytes are meant.
enum class Channel : Byte { bytes, shorts, xors };

class Input {
 public:
  explicit Input(std::span<const std::byte> bytes) : bytes_(bytes) {}

  // The next `count` bytes, or null where there are fewer.
  const Byte* take(std::size_t count) {
    if (bytes_.size() < count) return nullptr;
    const auto* start = reinterpret_cast<const Byte*>(bytes_.data());
    bytes_ = bytes_.subspan(count);
    return start;
  }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
};

// One group of differences of `bits` each. One with all its bits set stands for a whole byte behind the group.
bool read_group(Input& in, unsigned bits, Byte* out) {
  if (bits == 0) {
    std::memset(out, 0, kMeshoptGroup);
    return true;
  }
  const Byte* packed = in.take(kMeshoptGroup * bits / 8);
  if (packed == nullptr) return false;
  if (bits == 8) {
    std::memcpy(out, packed, kMeshoptGroup);
    return true;
  }
  const unsigned sentinel = (1u << bits) - 1;
  const unsigned per_byte = 8 / bits;
  for (unsigned i = 0; i < kMeshoptGroup; ++i) {
    const unsigned slot = i % per_byte;
    const unsigned shift = bits == 1 ? slot : 8 - bits * (slot + 1);  // single bits alone start at the low end
    const auto value = static_cast<Byte>(packed[i / per_byte] >> shift & sentinel);
    const Byte* whole = value == sentinel ? in.take(1) : &value;
    if (whole == nullptr) return false;
    out[i] = *whole;
  }
  return true;
}

// The differences of one plane. `out` has room for whole groups.
bool read_plane(Input& in, Control control, std::size_t elements, Byte* out) {
  if (control == Control::zeros) {
    std::memset(out, 0, elements);
    return true;
  }
  if (control == Control::literal) {
    const Byte* bytes = in.take(elements);
    if (bytes != nullptr) std::memcpy(out, bytes, elements);
    return bytes != nullptr;
  }
  constexpr std::array<unsigned, 5> kWidths = {0, 1, 2, 4, 8};
  const std::size_t groups = (elements + kMeshoptGroup - 1) / kMeshoptGroup;
  const Byte* header = in.take((groups + 3) / 4);
  if (header == nullptr) return false;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t width = (header[g / 4] >> g % 4 * 2 & 3u) + (control == Control::wide ? 1u : 0u);
    if (!read_group(in, kWidths[width], out + g * kMeshoptGroup)) return false;
  }
  return true;
}

// A difference is stored doubled, or one less than doubled and turned over where it is negative.
template <class T>
T unzigzag(T value) {
  return static_cast<T>((value & 1) != 0 ? ~(value >> 1) : value >> 1);
}

// Adds the differences of four planes up, from `last` on, which ends as the block's last element.
class Accumulator {
 public:
  Accumulator(Byte mode, Byte* last) : channel_(static_cast<Channel>(mode & 0x0F)), turn_(mode >> 4), last_(last) {}

  static bool valid(Byte mode) {
    const auto channel = static_cast<Channel>(mode & 0x0F);
    return channel == Channel::xors || (mode >> 4 == 0 && (channel == Channel::bytes || channel == Channel::shorts));
  }

  // `planes`: the differences of the first byte; those of the next lie `pitch` behind.
  void add(const Byte* planes, std::size_t pitch) {
    if (channel_ == Channel::xors) return add_xor(planes, pitch);
    for (std::size_t i = 0; i < 4; i += channel_ == Channel::shorts ? 2 : 1) {
      if (channel_ == Channel::shorts)
        add_short(planes + i * pitch, pitch, last_ + i);
      else
        last_[i] = static_cast<Byte>(last_[i] + unzigzag(planes[i * pitch]));
    }
  }

 private:
  static void add_short(const Byte* planes, std::size_t pitch, Byte* last) {
    const auto delta = unzigzag(static_cast<std::uint16_t>(planes[0] | planes[pitch] << 8));
    const auto sum = static_cast<std::uint16_t>((last[0] | last[1] << 8) + delta);
    last[0] = static_cast<Byte>(sum & 0xFF);
    last[1] = static_cast<Byte>(sum >> 8);
  }
  void add_xor(const Byte* planes, std::size_t pitch) {
    std::uint32_t delta = 0;
    for (std::size_t i = 0; i < 4; ++i) delta |= std::uint32_t{planes[i * pitch]} << i * 8;
    delta = std::rotr(delta, turn_);
    for (std::size_t i = 0; i < 4; ++i) last_[i] = static_cast<Byte>(last_[i] ^ (delta >> i * 8 & 0xFF));
  }

  Channel channel_;
  int turn_;
  Byte* last_;
};

struct Block {
  std::size_t elements;
  std::size_t stride;
  std::size_t pitch;  // from plane to plane
  std::vector<Byte>& planes;
};

bool read_block(Input& in, const Block& block) {
  const Byte* controls = in.take(block.stride / 4);
  if (controls == nullptr) return false;
  for (std::size_t plane = 0; plane < block.stride; ++plane) {
    const auto control = static_cast<Control>(controls[plane / 4] >> plane % 4 * 2 & 3);
    if (!read_plane(in, control, block.elements, block.planes.data() + plane * block.pitch)) return false;
  }
  return true;
}

void write_block(const Block& block, const Byte* modes, Byte* last, std::byte* out) {
  for (std::size_t at = 0; at < block.stride; at += 4) {
    Accumulator sum(modes[at / 4], last + at);
    for (std::size_t e = 0; e < block.elements; ++e) {
      sum.add(block.planes.data() + at * block.pitch + e, block.pitch);
      std::memcpy(out + e * block.stride + at, last + at, 4);
    }
  }
}

}  // namespace

bool decode_attributes_v1(const MeshoptStream& stream, std::span<std::byte> out) {
  const std::size_t stride = stream.stride;
  const std::size_t tail = stride + stride / 4;
  if (stream.bytes.size() < 1 + meshopt_tail_size(stride, 1)) return false;
  const auto* end = reinterpret_cast<const Byte*>(stream.bytes.data()) + stream.bytes.size();
  std::array<Byte, 256> last{};
  std::memcpy(last.data(), end - tail, stride);
  const Byte* modes = end - stride / 4;
  for (std::size_t i = 0; i < stride / 4; ++i) {
    if (!Accumulator::valid(modes[i])) return false;
  }
  const std::size_t most = meshopt_block_elements(stride);
  std::vector<Byte> planes(most * stride);
  Input in(stream.bytes.subspan(1, stream.bytes.size() - 1 - meshopt_tail_size(stride, 1)));
  for (std::size_t first = 0; first < stream.count; first += most) {
    const Block block{std::min(most, stream.count - first), stride, most, planes};
    if (!read_block(in, block)) return false;
    write_block(block, modes, last.data(), out.data() + first * stride);
  }
  return in.left() == 0;
}

}  // namespace throng::detail::gltf
