// SPDX-License-Identifier: Apache-2.0
// Draco streams that lie, end early or are damaged: refused in a line, before anything large is allocated.

#include <algorithm>
#include <functional>
#include <tuple>

#include "compressed/draco_decode.h"
#include "draco_streams.h"
#include "shared_files.h"

namespace throng::test {
namespace {

std::vector<std::uint8_t> changed(std::vector<std::uint8_t> bytes, std::size_t at, std::uint8_t value) {
  bytes[at] = value;
  return bytes;
}

TEST(GltfDracoHostile, HeadersThatGlTFDoesNotKnowAreRefusedByName) {
  const Strip s = make_strip(8);
  const Encoded good = encode(s, draco::MESH_EDGEBREAKER_ENCODING, 14);
  constexpr std::size_t kMajor = 5, kMinor = 6, kType = 7, kMethod = 8;
  const std::tuple<std::size_t, std::uint8_t, const char*> rows[] = {{kMajor, 1, "version 1.2"},
                                                                     {kMinor, 1, "version 2.1"},
                                                                     {kMinor, 9, "version 2.9"},
                                                                     {kType, 0, "no triangles"},
                                                                     {kMethod, 7, "method 7"}};
  for (const auto& [at, value, because] : rows) {
    const auto imported = draco_file(s, {changed(good.bytes, at, value), good.attributes}).import();
    ASSERT_FALSE(imported) << because;
    EXPECT_NE(imported.error().message.find(because), std::string::npos) << imported.error().message;
  }
}

std::vector<std::uint8_t> varint(std::uint32_t value) {
  std::vector<std::uint8_t> bytes;
  for (; value > 127; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 128));
  bytes.push_back(static_cast<std::uint8_t>(value));
  return bytes;
}

// A stream that says it holds so much, and holds nothing.
struct Claim {
  int method;
  std::uint32_t vertices, triangles;
  std::uint8_t tables = 0;
  const char* because;
};

TEST(GltfDracoHostile, ClaimsThatNoStreamOfItsSizeCanKeepAreNotBelieved) {
  for (const Claim& claim :
       {Claim{1, 3, 4000000, 0, "4000000 triangles in 300 bytes"},
        Claim{1, 3, 70000, 255, "with 256 tables, are too many"}, Claim{1, 300, 99, 0, "300 vertices for 99 triangles"},
        Claim{0, 4000000000u, 99, 0, "4000000000 vertices for 99 triangles"},
        Claim{0, 3, 98, 0, "98 triangles where its indices promise 99"}}) {
    std::vector<std::uint8_t> bytes = {'D', 'R', 'A', 'C', 'O', 2, 2, 1, static_cast<std::uint8_t>(claim.method), 0, 0};
    if (claim.method == 1) bytes.push_back(0);
    for (const std::uint32_t count :
         {claim.method == 1 ? claim.vertices : claim.triangles, claim.method == 1 ? claim.triangles : claim.vertices}) {
      const auto encoded = varint(count);
      bytes.insert(bytes.end(), encoded.begin(), encoded.end());
    }
    bytes.push_back(claim.tables);
    bytes.resize(300);
    const auto mesh =
        detail::gltf::DracoMesh::decode(std::as_bytes(std::span(bytes)), claim.triangles == 98 ? 99 : claim.triangles);
    ASSERT_FALSE(mesh) << claim.because;
    EXPECT_NE(mesh.error().message.find(claim.because), std::string::npos) << mesh.error().message;
  }
}

TEST(GltfDracoHostile, AttributesAreWeighedBeforeTheirValuesAreRead) {
  const Strip s = make_strip(8);
  const Encoded good = encode(s, draco::MESH_EDGEBREAKER_ENCODING, 14);
  const auto bytes = std::as_bytes(std::span(good.bytes));
  const std::uint64_t needed = s.vertices() * (12 + 12 + 8 + 8 + 16);
  EXPECT_TRUE(detail::gltf::DracoMesh::decode(bytes, s.indices.size() / 3, {.attribute_bytes = needed}));
  const auto refused = detail::gltf::DracoMesh::decode(bytes, s.indices.size() / 3, {.attribute_bytes = needed - 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "16 vertices of 56 bytes are too many");
}

TEST(GltfDracoHostile, AStreamMayEndAnywhere) {
  const Strip s = make_strip(8);
  const ScratchFolder folder;
  for (const int method : {draco::MESH_SEQUENTIAL_ENCODING, draco::MESH_EDGEBREAKER_ENCODING}) {
    const Encoded whole = encode(s, method, 14);
    for (std::size_t size = 1; size < whole.bytes.size(); ++size) {
      Encoded cut = whole;
      cut.bytes.resize(size);
      const auto file = folder.write("cut.gltf", draco_file(s, cut).gltf());
      for (const bool strict : {false, true}) {
        const auto imported = import_gltf(file, {.strict = strict});
        EXPECT_TRUE(imported || is_one_line(imported.error().message)) << size;
        EXPECT_FALSE(imported && size < whole.bytes.size() / 2) << size;
      }
    }
  }
}

TEST(GltfDracoHostile, AnyByteOfAStreamMayBeWrong) {
  const Strip s = make_strip(8);
  const ScratchFolder folder;
  std::size_t refused = 0;
  for (const int method : {draco::MESH_SEQUENTIAL_ENCODING, draco::MESH_EDGEBREAKER_ENCODING}) {
    const Encoded whole = encode(s, method, 14);
    for (std::size_t at = 0; at < whole.bytes.size(); ++at) {
      for (const int bits : {0xFF, 0x01, 0x40}) {
        const auto value = static_cast<std::uint8_t>(whole.bytes[at] ^ bits);
        const Encoded broken{changed(whole.bytes, at, value), whole.attributes};
        const auto file = folder.write("broken.gltf", draco_file(s, broken).gltf());
        for (const bool strict : {false, true}) {
          const auto imported = import_gltf(file, {.strict = strict});
          if (imported) continue;
          ++refused;
          EXPECT_TRUE(is_one_line(imported.error().message)) << at << ": " << imported.error().message;
        }
      }
    }
  }
  EXPECT_GT(refused, 200u);
}

}  // namespace
}  // namespace throng::test
