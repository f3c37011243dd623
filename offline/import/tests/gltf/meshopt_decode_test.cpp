// SPDX-License-Identifier: Apache-2.0
// The streams themselves: everything an encoder may write comes out as it went in; what no encoder writes is refused.

#include "compressed/meshopt_decode.h"

#include "meshopt_streams.h"

namespace throng::test {
namespace {

namespace gltf = detail::gltf;
using gltf::MeshoptFilter;
using gltf::MeshoptMode;
using gltf::MeshoptStream;

MeshoptStream attributes(const Bytes& stream, std::size_t count, std::size_t stride,
                         MeshoptFilter filter = MeshoptFilter::none) {
  return {std::as_bytes(std::span(stream)), count, stride, MeshoptMode::attributes, filter};
}

// Checked and decoded, as a file's streams are; empty where either fails.
Bytes decoded(const MeshoptStream& stream) {
  if (!gltf::check_meshopt(stream)) return {};
  const auto bytes = gltf::decode_meshopt(stream);
  if (!bytes) return {};
  Bytes out(bytes->size());
  std::memcpy(out.data(), bytes->data(), out.size());
  return out;
}

// Elements that wander: some bytes slowly, some wildly, some not at all.
Bytes wandering(std::size_t count, std::size_t stride, std::uint32_t seed) {
  std::mt19937 random(seed);
  Bytes bytes(count * stride);
  for (std::size_t k = 0; k < stride; ++k) {
    const std::uint32_t reach = k % 5 == 4 ? 0 : k % 5 == 3 ? 256 : 1u << k % 5;
    auto value = static_cast<std::uint32_t>(random());
    for (std::size_t e = 0; e < count; ++e) {
      if (reach > 0) value += static_cast<std::uint32_t>(random() % (2 * reach)) - reach / 2;
      if (random() % 40 == 0 && reach > 0) value += 100;
      bytes[e * stride + k] = static_cast<std::uint8_t>(value);
    }
  }
  return bytes;
}

struct Modes {
  Bytes channels;
  std::vector<unsigned> controls;
};

TEST(MeshoptDecode, Version1GivesBackWhatWasPutInWhateverItsModes) {
  const Modes all[] = {{{0}, {0}},       {{0}, {1}},       {{0}, {3}},          {{1}, {0, 1}},
                       {{2}, {1}},       {{0x52}, {0, 3}}, {{0xF2}, {1, 0}},    {{0, 1, 2, 0x72}, {0, 1, 2, 3}},
                       {{1, 0x12}, {2}}, {{0x02}, {3, 2}}, {{0, 0xA2}, {2, 0}}, {{1}, {3, 1, 2, 0, 0}}};
  for (const Modes& modes : all) {
    for (const std::size_t stride : {4u, 8u, 20u, 36u, 256u}) {
      for (const std::size_t count : {1u, 15u, 16u, 17u, 255u, 257u, 700u}) {
        const Bytes elements = wandering(count, stride, static_cast<std::uint32_t>(count + stride));
        const Bytes stream = AttributeEncoderV1(modes.channels, modes.controls).encode(elements, stride);
        ASSERT_EQ(decoded(attributes(stream, count, stride)), elements) << count << " elements of " << stride;
      }
    }
  }
}

TEST(MeshoptDecode, Version1ReadsTheExampleOfTheSpecification) {
  // Sixteen differences of four bits, the fourth and fifth of which are whole bytes behind them.
  const Bytes group = {0x17, 0x5F, 0xF0, 0xBC, 0x77, 0xA9, 0x21, 0x00, 0x34, 0xB5};
  const int expected[] = {-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0};
  Bytes stream = {0xA1, 0b10101000, 0b11};  // plane 0 narrow, the others zeros; four bits wide
  stream.insert(stream.end(), group.begin(), group.end());
  stream.resize(stream.size() + 24);
  const Bytes elements = decoded(attributes(stream, 16, 4));
  ASSERT_EQ(elements.size(), 64u);
  std::uint8_t sum = 0;
  for (std::size_t e = 0; e < 16; ++e) {
    sum = static_cast<std::uint8_t>(sum + expected[e]);
    EXPECT_EQ(elements[e * 4], sum) << e;
    EXPECT_EQ(elements[e * 4 + 1], 0) << e;
  }
}

TEST(MeshoptDecode, TheLibrarysOwnStreamsAreReadInEveryMode) {
  const Bytes elements = wandering(300, 12, 1);
  EXPECT_EQ(decoded(attributes(encode_attributes(elements, 12), 300, 12)), elements);
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < 90; ++i) indices.insert(indices.end(), {i, i + 1, i + 2 + i % 5});
  std::vector<std::uint16_t> narrow(indices.begin(), indices.end());
  for (const std::size_t stride : {2u, 4u}) {
    const Bytes expected = stride == 2 ? bytes_of(narrow) : bytes_of(indices);
    const Bytes sequence = encode_indices(indices, 97);
    EXPECT_EQ(decoded({std::as_bytes(std::span(sequence)), indices.size(), stride, MeshoptMode::indices}), expected);
    // Triangles may come back turned, never changed.
    const Bytes triangles = encode_triangles(indices, 97);
    const Bytes turned = decoded({std::as_bytes(std::span(triangles)), indices.size(), stride, MeshoptMode::triangles});
    ASSERT_EQ(turned.size(), expected.size());
    for (std::size_t t = 0; t < indices.size(); t += 3) {
      std::uint32_t found[3] = {0, 0, 0};
      for (std::size_t i = 0; i < 3; ++i) std::memcpy(found + i, turned.data() + (t + i) * stride, stride);
      const auto first = std::find(found, found + 3, indices[t]) - found;
      ASSERT_LT(first, 3);
      std::rotate(found, found + first, found + 3);
      EXPECT_TRUE(std::equal(found, found + 3, indices.begin() + static_cast<std::ptrdiff_t>(t))) << t;
    }
  }
}

TEST(MeshoptDecode, ColoursComeBackFromLumaAndChroma) {
  // Ten bits, wide: half alpha. Eight bits, narrow: exactly what went in.
  const auto encode = [](int r, int g, int b, int a, int bits) {
    const int co = (r - b) / 2, cg = (2 * g - r - b) / 4, y = (r + 2 * g + b) / 4;
    return std::vector<int>{y, co, cg, a >> 1 | 1 << (bits - 1)};
  };
  const auto wide = encode(1020, 512, 256, 511, 10);
  std::vector<std::uint16_t> shorts(wide.begin(), wide.end());
  const Bytes sixteen = decoded(attributes(encode_attributes(shorts, 8), 1, 8, MeshoptFilter::colour));
  std::uint16_t found[4] = {};
  ASSERT_EQ(sixteen.size(), sizeof(found));
  std::memcpy(found, sixteen.data(), sizeof(found));
  EXPECT_NEAR(found[0], 1020.0 / 1023.0 * 65535.0, 64);
  EXPECT_NEAR(found[1], 512.0 / 1023.0 * 65535.0, 64);
  EXPECT_NEAR(found[2], 256.0 / 1023.0 * 65535.0, 64);
  EXPECT_NEAR(found[3], 511.0 / 1023.0 * 65535.0, 1);
  const auto narrow = encode(200, 100, 40, 255, 8);
  std::vector<std::uint8_t> bytes;
  for (const int value : narrow) bytes.push_back(static_cast<std::uint8_t>(value));
  EXPECT_EQ(decoded(attributes(encode_attributes(bytes, 4), 1, 4, MeshoptFilter::colour)), (Bytes{200, 100, 40, 255}));
  EXPECT_TRUE(decoded(attributes(encode_attributes(Bytes{9, 0, 0, 0}, 4), 1, 4, MeshoptFilter::colour)).empty())
      << "no scale";
}

TEST(MeshoptDecode, AStreamTooShortOrTooLongByAnyNumberOfBytesIsRefused) {
  const Bytes elements = wandering(100, 8, 3);
  const Bytes streams[] = {AttributeEncoderV1({0, 1}, {0, 1, 2, 3}).encode(elements, 8),
                           encode_attributes(elements, 8)};
  for (const Bytes& whole : streams) {
    ASSERT_EQ(decoded(attributes(whole, 100, 8)), elements);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      // A copy of the exact size, so that a read past it is seen.
      const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_TRUE(decoded(attributes(cut, 100, 8)).empty()) << size;
    }
    Bytes more = whole;
    more.insert(more.begin() + 1, 0);
    EXPECT_NE(decoded(attributes(more, 100, 8)), elements);
  }
}

TEST(MeshoptDecode, AnyByteOfAStreamMayBeWrong) {
  const Bytes elements = wandering(100, 8, 4);
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < 30; ++i) indices.insert(indices.end(), {i, i + 1, i + 2});
  const std::pair<Bytes, MeshoptStream> streams[] = {
      {AttributeEncoderV1({0, 0x32}, {0, 1, 2, 3}).encode(elements, 8), {{}, 100, 8, MeshoptMode::attributes}},
      {encode_attributes(elements, 8), {{}, 100, 8, MeshoptMode::attributes, MeshoptFilter::quaternion}},
      {encode_attributes(elements, 8), {{}, 100, 8, MeshoptMode::attributes, MeshoptFilter::octahedral}},
      {encode_attributes(elements, 8), {{}, 100, 8, MeshoptMode::attributes, MeshoptFilter::exponential}},
      {encode_attributes(elements, 8), {{}, 100, 8, MeshoptMode::attributes, MeshoptFilter::colour}},
      {encode_triangles(indices, 32), {{}, 90, 2, MeshoptMode::triangles}},
      {encode_indices(indices, 32), {{}, 90, 4, MeshoptMode::indices}}};
  std::size_t refused = 0;
  for (const auto& [whole, shape] : streams) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        Bytes broken = whole;
        broken[at] = static_cast<std::uint8_t>(broken[at] ^ 1u << bit);
        MeshoptStream stream = shape;
        stream.bytes = std::as_bytes(std::span(broken));
        refused += decoded(stream).empty() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(refused, 100u);
}

struct Refused {
  const char* because;
  MeshoptStream stream;  // without its bytes
  std::uint8_t header = 0xA0;
};

class MeshoptRefuses : public testing::TestWithParam<Refused> {};

TEST_P(MeshoptRefuses, AStreamThatCannotBe) {
  Bytes bytes(200);
  bytes[0] = GetParam().header;
  MeshoptStream stream = GetParam().stream;
  stream.bytes = std::as_bytes(std::span(bytes));
  const auto ok = gltf::check_meshopt(stream);
  ASSERT_FALSE(ok);
  EXPECT_NE(ok.error().message.find(GetParam().because), std::string::npos) << ok.error().message;
}

constexpr MeshoptMode kAttributes = MeshoptMode::attributes;
INSTANTIATE_TEST_SUITE_P(
    Each, MeshoptRefuses,
    testing::Values(Refused{"no elements", {{}, 0, 4, kAttributes}}, Refused{"stride of 0", {{}, 1, 0, kAttributes}},
                    Refused{"stride of 6", {{}, 1, 6, kAttributes}},
                    Refused{"stride of 260", {{}, 1, 260, kAttributes}},
                    Refused{"stride of 12", {{}, 1, 12, kAttributes, MeshoptFilter::octahedral}},
                    Refused{"stride of 4", {{}, 1, 4, kAttributes, MeshoptFilter::quaternion}},
                    Refused{"stride of 16", {{}, 1, 16, kAttributes, MeshoptFilter::colour}},
                    Refused{"indices are of 8 bytes", {{}, 3, 8, MeshoptMode::indices}, 0xD1},
                    Refused{"indices are of 1 bytes", {{}, 3, 1, MeshoptMode::triangles}, 0xE1},
                    Refused{"whole number of triangles", {{}, 4, 2, MeshoptMode::triangles}, 0xE1},
                    Refused{"filters indices", {{}, 3, 4, MeshoptMode::indices, MeshoptFilter::colour}, 0xD1},
                    Refused{"starts with 0xa0", {{}, 3, 2, MeshoptMode::triangles}, 0xA0},
                    Refused{"starts with 0xe1", {{}, 3, 2, MeshoptMode::indices}, 0xE1},
                    Refused{"starts with 0xd1", {{}, 1, 4, kAttributes}, 0xD1},
                    Refused{"version 2", {{}, 1, 4, kAttributes}, 0xA2},
                    Refused{"version 15", {{}, 3, 4, MeshoptMode::indices}, 0xDF},
                    Refused{"take 998 bytes", {{}, 249003, 4, kAttributes}, 0xA1},
                    Refused{"take 201 bytes", {{}, 552, 2, MeshoptMode::triangles}, 0xE1},
                    Refused{"take 201 bytes", {{}, 196, 2, MeshoptMode::indices}, 0xD0},
                    Refused{"it has 200", {{}, 3000, 4, kAttributes}, 0xA0},
                    Refused{"it has 200", {{}, 2147483647, 256, kAttributes}, 0xA1}));

}  // namespace
}  // namespace throng::test
