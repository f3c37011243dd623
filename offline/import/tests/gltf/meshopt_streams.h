// SPDX-License-Identifier: Apache-2.0
#pragma once
// Streams of meshopt compression, made for tests: with meshoptimizer's own encoder, and, for the version of the
// attribute codec that older releases lack, with a plain one of our own that can be told to use every mode there is.

#include <meshoptimizer.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "gltf_builder.h"

namespace throng::test {

using Bytes = std::vector<std::uint8_t>;

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
Bytes encode_attributes(const std::vector<T>& values, std::size_t stride) {
  const std::size_t count = values.size() * sizeof(T) / stride;
  Bytes out(meshopt_encodeVertexBufferBound(count, stride));
  out.resize(meshopt_encodeVertexBuffer(out.data(), out.size(), values.data(), count, stride));
  return out;
}

inline Bytes encode_triangles(const std::vector<std::uint32_t>& indices, std::size_t vertices) {
  meshopt_encodeIndexVersion(1);
  Bytes out(meshopt_encodeIndexBufferBound(indices.size(), vertices));
  out.resize(meshopt_encodeIndexBuffer(out.data(), out.size(), indices.data(), indices.size()));
  return out;
}

inline Bytes encode_indices(const std::vector<std::uint32_t>& indices, std::size_t vertices) {
  meshopt_encodeIndexVersion(1);
  Bytes out(meshopt_encodeIndexSequenceBound(indices.size(), vertices));
  out.resize(meshopt_encodeIndexSequence(out.data(), out.size(), indices.data(), indices.size()));
  return out;
}

// Version 1 of the attribute codec. `channels`: a mode for every four bytes (0, 1, or 2 with a turn in the high half).
// `controls`: what planes use in turn (0: widths 0 1 2 4, 1: widths 1 2 4 8, 2: nothing, 3: whole bytes).
class AttributeEncoderV1 {
 public:
  AttributeEncoderV1(Bytes channels, std::vector<unsigned> controls)
      : channels_(std::move(channels)), controls_(std::move(controls)) {}

  Bytes encode(const Bytes& elements, std::size_t stride) {
    const std::size_t count = elements.size() / stride;
    const std::size_t most = std::min<std::size_t>(8192 / stride & ~std::size_t{15}, 256);
    out_ = {0xA1};
    Bytes last(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(stride));
    for (std::size_t first = 0; first < count; first += most) {
      const std::size_t size = std::min(most, count - first);
      std::vector<Bytes> planes(stride, Bytes(size));
      for (std::size_t e = 0; e < size; ++e) {
        const std::uint8_t* element = elements.data() + (first + e) * stride;
        for (std::size_t c = 0; c < stride; c += 4) take_difference(element, last.data(), c, e, planes);
        std::memcpy(last.data(), element, stride);
      }
      write_block(planes);
    }
    const std::size_t tail = stride + stride / 4;
    if (tail < 24) out_.resize(out_.size() + 24 - tail);
    out_.insert(out_.end(), elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(stride));
    for (std::size_t c = 0; c < stride / 4; ++c) out_.push_back(channels_[c % channels_.size()]);
    return out_;
  }

 private:
  void take_difference(const std::uint8_t* element, const std::uint8_t* last, std::size_t at, std::size_t e,
                       std::vector<Bytes>& planes) const {
    const unsigned mode = channels_[at / 4 % channels_.size()];
    std::uint32_t now = 0, before = 0, stored = 0;
    std::memcpy(&now, element + at, 4);
    std::memcpy(&before, last + at, 4);
    if ((mode & 15) == 2) {
      stored = std::rotl(now ^ before, static_cast<int>(mode >> 4));
    } else {
      const unsigned width = mode == 1 ? 16 : 8;
      const std::uint32_t mask = (1u << width) - 1;
      for (unsigned shift = 0; shift < 32; shift += width) {
        const std::uint32_t delta = ((now >> shift) - (before >> shift)) & mask;
        const bool negative = delta >> (width - 1) != 0;
        stored |= ((negative ? ~(delta << 1) : delta << 1) & mask) << shift;
      }
    }
    for (std::size_t i = 0; i < 4; ++i) planes[at + i][e] = static_cast<std::uint8_t>(stored >> i * 8);
  }

  void write_block(const std::vector<Bytes>& planes) {
    const std::size_t controls_at = out_.size();
    out_.resize(out_.size() + planes.size() / 4);
    for (std::size_t p = 0; p < planes.size(); ++p) {
      unsigned control = controls_[(next_control_++) % controls_.size()];
      const bool zeros =
          std::count(planes[p].begin(), planes[p].end(), 0) == static_cast<std::ptrdiff_t>(planes[p].size());
      if (control == 2 && !zeros) control = 1;
      out_[controls_at + p / 4] |= static_cast<std::uint8_t>(control << p % 4 * 2);
      if (control == 3) out_.insert(out_.end(), planes[p].begin(), planes[p].end());
      if (control < 2) write_plane(planes[p], control);
    }
  }

  void write_plane(Bytes plane, unsigned control) {
    plane.resize((plane.size() + 15) / 16 * 16);
    const std::size_t groups = plane.size() / 16;
    const std::size_t header_at = out_.size();
    out_.resize(out_.size() + (groups + 3) / 4);
    const unsigned widths[2][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}};
    for (std::size_t g = 0; g < groups; ++g) {
      const std::uint8_t* values = plane.data() + g * 16;
      unsigned best = 3;
      for (unsigned w = 0; w < 3; ++w) {
        const unsigned bits = widths[control][w];
        const auto fits = [bits](std::uint8_t v) { return bits == 0 ? v == 0 : v < (1u << bits) - 1; };
        // A few escapes are allowed, so that they are tried too; zero bits have none.
        if (std::count_if(values, values + 16, fits) >= (bits == 0 ? 16 : 12)) {
          best = w;
          break;
        }
      }
      out_[header_at + g / 4] |= static_cast<std::uint8_t>(best << g % 4 * 2);
      write_group(values, widths[control][best]);
    }
  }

  void write_group(const std::uint8_t* values, unsigned bits) {
    if (bits == 0) return;
    if (bits == 8) {
      out_.insert(out_.end(), values, values + 16);
      return;
    }
    const unsigned sentinel = (1u << bits) - 1;
    Bytes packed(16 * bits / 8), escaped;
    for (unsigned i = 0; i < 16; ++i) {
      const bool escape = values[i] >= sentinel;
      if (escape) escaped.push_back(values[i]);
      const unsigned slot = i % (8 / bits);
      const unsigned shift = bits == 1 ? slot : 8 - bits * (slot + 1);
      packed[i * bits / 8] |= static_cast<std::uint8_t>((escape ? sentinel : values[i]) << shift);
    }
    out_.insert(out_.end(), packed.begin(), packed.end());
    out_.insert(out_.end(), escaped.begin(), escaped.end());
  }

  Bytes channels_;
  std::vector<unsigned> controls_;
  std::size_t next_control_ = 0;
  Bytes out_;
};

struct Compression {
  std::string mode = "ATTRIBUTES";
  std::size_t stride = 0;
  std::size_t count = 0;
  std::string filter = "NONE";
};

// Takes the bytes of a view out of the file and puts a stream in their place; the view then lies in buffer 1, which has
// none.
inline void compress_view(GltfBuilder& b, int view, const Bytes& stream, const Compression& how,
                          const std::string& extension) {
  const auto index = static_cast<std::size_t>(view);
  const int compressed = b.view(stream);
  const Json place = b.json["bufferViews"][static_cast<std::size_t>(compressed)];
  b.json["bufferViews"].erase(static_cast<std::size_t>(compressed));
  b.json["buffers"][1] = {{"byteLength", 1 << 20}, {"extensions", {{extension, {{"fallback", true}}}}}};
  Json& json = b.json["bufferViews"][index];
  json["buffer"] = 1;
  json["byteOffset"] = 4096 * index;
  json["extensions"][extension] = {{"buffer", 0},
                                   {"byteOffset", place["byteOffset"]},
                                   {"byteLength", stream.size()},
                                   {"byteStride", how.stride},
                                   {"count", how.count},
                                   {"mode", how.mode}};
  if (how.filter != "NONE") json["extensions"][extension]["filter"] = how.filter;
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {extension, "KHR_mesh_quantization"};
}

}  // namespace throng::test
