// SPDX-License-Identifier: Apache-2.0
#include "compressed/meshopt_decode.h"

#include <meshoptimizer.h>

#include <algorithm>

#include "compressed/meshopt_attributes.h"
#include "compressed/meshopt_colours.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

constexpr std::size_t kMaxStride = 256;
constexpr unsigned kAttributes = 0xA0, kTriangles = 0xE0, kIndices = 0xD0;  // header byte, less the version
constexpr std::size_t kTrianglesTail = 16;
constexpr std::size_t kIndicesTail = 4;

unsigned header_of(const MeshoptStream& stream) { return std::to_integer<unsigned>(stream.bytes.front()); }

unsigned version_of(const MeshoptStream& stream) { return header_of(stream) & 0x0Fu; }

Result<void> check_header(const MeshoptStream& stream) {
  const unsigned expected = stream.mode == MeshoptMode::attributes  ? kAttributes
                            : stream.mode == MeshoptMode::triangles ? kTriangles
                                                                    : kIndices;
  if ((header_of(stream) & 0xF0u) != expected) {
    return fail("its stream starts with {:#04x}, not with {:#04x} as its mode wants", header_of(stream), expected);
  }
  constexpr unsigned kNewest = 1;
  if (version_of(stream) > kNewest) {
    return fail("its stream is of version {}; versions 0 and 1 are supported, so compress it anew", version_of(stream));
  }
  return {};
}

bool suits(MeshoptFilter filter, std::size_t stride) {
  switch (filter) {
    case MeshoptFilter::octahedral:
    case MeshoptFilter::colour:
      return stride == 4 || stride == 8;
    case MeshoptFilter::quaternion:
      return stride == 8;
    default:
      return true;  // every stride of attributes is a multiple of four
  }
}

Result<void> check_shape(const MeshoptStream& stream) {
  if (stream.mode == MeshoptMode::attributes) {
    if (stream.stride == 0 || stream.stride % 4 != 0 || stream.stride > kMaxStride)
      return fail("its stride of {} is no multiple of four up to {}", stream.stride, kMaxStride);
    if (!suits(stream.filter, stream.stride)) return fail("its filter does not go with a stride of {}", stream.stride);
    return {};
  }
  if (stream.stride != 2 && stream.stride != 4) return fail("its indices are of {} bytes, not 2 or 4", stream.stride);
  if (stream.filter != MeshoptFilter::none) return fail("it filters indices");
  if (stream.mode == MeshoptMode::triangles && stream.count % 3 != 0)
    return fail("its {} indices are no whole number of triangles", stream.count);
  return {};
}

// The least bytes of attributes: what blocks cost when every delta in them is zero.
std::uint64_t least_attribute_bytes(std::uint64_t count, std::size_t stride, unsigned version) {
  const std::size_t block = meshopt_block_elements(stride);
  const std::uint64_t blocks = (count + block - 1) / block;
  const std::uint64_t whole_blocks = count / block;
  const auto header = [](std::uint64_t elements) {
    const std::uint64_t groups = (elements + kMeshoptGroup - 1) / kMeshoptGroup;
    return (groups + 3) / 4;  // two bits a group
  };
  const std::uint64_t control =
      version == 0 ? stride * (whole_blocks * header(block) + header(count % block)) : blocks * (stride / 4);
  return 1 + control + meshopt_tail_size(stride, version);
}

std::uint64_t least_bytes(const MeshoptStream& stream) {
  if (stream.mode == MeshoptMode::triangles) return 1 + stream.count / 3 + kTrianglesTail;
  if (stream.mode == MeshoptMode::indices) return 1 + stream.count + kIndicesTail;
  return least_attribute_bytes(stream.count, stream.stride, version_of(stream));
}

// meshoptimizer's own verdict: 0, or a negative code.
int decode_stream(const MeshoptStream& stream, std::span<std::byte> out) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(stream.bytes.data());
  const std::size_t size = stream.bytes.size();
  switch (stream.mode) {
    case MeshoptMode::triangles:
      return meshopt_decodeIndexBuffer(out.data(), stream.count, stream.stride, bytes, size);
    case MeshoptMode::indices:
      return meshopt_decodeIndexSequence(out.data(), stream.count, stream.stride, bytes, size);
    case MeshoptMode::attributes:
      break;
  }
  if (version_of(stream) == 1) return decode_attributes_v1(stream, out) ? 0 : -1;
  return meshopt_decodeVertexBuffer(out.data(), stream.count, stream.stride, bytes, size);
}

bool unfilter(const MeshoptStream& stream, std::span<std::byte> elements) {
  switch (stream.filter) {
    case MeshoptFilter::octahedral:
      meshopt_decodeFilterOct(elements.data(), stream.count, stream.stride);
      return true;
    case MeshoptFilter::quaternion:
      meshopt_decodeFilterQuat(elements.data(), stream.count, stream.stride);
      return true;
    case MeshoptFilter::exponential:
      meshopt_decodeFilterExp(elements.data(), stream.count, stream.stride);
      return true;
    case MeshoptFilter::colour:
      return decode_colours(elements, stream.stride);
    case MeshoptFilter::none:
      break;
  }
  return true;
}

}  // namespace

std::size_t meshopt_block_elements(std::size_t stride) {
  constexpr std::size_t kBlockBytes = 8192;
  constexpr std::size_t kBlockElements = 256;
  return std::min(kBlockBytes / stride / kMeshoptGroup * kMeshoptGroup, kBlockElements);
}

std::size_t meshopt_tail_size(std::size_t stride, unsigned version) {
  return version == 0 ? std::max<std::size_t>(stride, 32) : std::max<std::size_t>(stride + stride / 4, 24);
}

Result<void> check_meshopt(const MeshoptStream& stream) {
  if (stream.bytes.empty() || stream.count == 0) return fail("it has no elements");
  THRONG_CHECK(check_shape(stream));
  THRONG_CHECK(check_header(stream));
  const std::uint64_t least = least_bytes(stream);
  if (stream.bytes.size() >= least) return {};
  return fail("its {} elements of {} bytes take {} bytes compressed or more; it has {}", stream.count, stream.stride,
              least, stream.bytes.size());
}

Result<std::vector<std::byte>> decode_meshopt(const MeshoptStream& stream) {
  std::vector<std::byte> elements(stream.decoded_size());
  if (decode_stream(stream, elements) != 0) return fail("its stream is damaged");
  if (!unfilter(stream, elements)) return fail("its filtered values are damaged");
  return elements;
}

}  // namespace throng::detail::gltf
