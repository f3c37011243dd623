// SPDX-License-Identifier: Apache-2.0
// Files with EXT_meshopt_compression and KHR_meshopt_compression read as if they had never been compressed.

#include <functional>
#include <glm/gtc/quaternion.hpp>

#include "meshopt_streams.h"
#include "shared_files.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

int view_of(const GltfBuilder& b, int accessor) {
  return b.json["accessors"][static_cast<std::size_t>(accessor)]["bufferView"].get<int>();
}

// A fan of triangles with normals, tangents and a clip: what is lossless, and what goes through every filter.
struct FanFile {
  GltfBuilder b;
  std::vector<float> positions;
  std::vector<std::int8_t> normals;
  std::vector<std::int16_t> tangents;
  std::vector<std::uint16_t> indices;
  std::vector<float> translations;
  std::vector<std::int16_t> rotations;
  int position = 0, normal = 0, tangent = 0, index = 0, translation = 0, rotation = 0;
};

constexpr std::size_t kFan = 40;

FanFile fan_file() {
  FanFile f;
  for (std::size_t i = 0; i < kFan; ++i) {
    const double a = 0.13 * static_cast<double>(i);
    const glm::dvec3 n = glm::normalize(glm::dvec3(std::cos(a), std::sin(a), 0.25 * a - 0.5));
    const glm::dvec3 t = glm::normalize(glm::cross(n, glm::dvec3(0, 0, 1)));
    for (int c = 0; c < 3; ++c) {
      f.positions.push_back(static_cast<float>(n[c] * 3.0));
      f.normals.push_back(static_cast<std::int8_t>(std::lround(n[c] * 127.0)));
      f.tangents.push_back(static_cast<std::int16_t>(std::lround(t[c] * 32767.0)));
      f.translations.push_back(static_cast<float>(n[c] * 7.0));
    }
    f.normals.push_back(0);
    f.tangents.push_back(i % 2 == 0 ? std::int16_t{32767} : std::int16_t{-32767});
    const glm::dquat q = glm::angleAxis(a, n);
    for (const double value : {q.x, q.y, q.z, q.w})
      f.rotations.push_back(static_cast<std::int16_t>(std::lround(value * 32767.0)));
    if (i >= 2)
      f.indices.insert(f.indices.end(), {0, static_cast<std::uint16_t>(i - 1), static_cast<std::uint16_t>(i)});
  }
  GltfBuilder& b = f.b;
  f.position = b.floats("VEC3", f.positions);
  const int normals = b.view(f.normals);
  b.json["bufferViews"][static_cast<std::size_t>(normals)]["byteStride"] = 4;
  f.normal = b.append(
      "accessors",
      {{"bufferView", normals}, {"componentType", kI8}, {"count", kFan}, {"type", "VEC3"}, {"normalized", true}});
  f.tangent = b.accessor(f.tangents, "VEC4", kI16, true);
  f.index = b.accessor(f.indices, "SCALAR", kU16);
  std::vector<float> times;
  for (std::size_t i = 0; i < kFan; ++i) times.push_back(0.1f * static_cast<float>(i));
  f.translation = b.floats("VEC3", f.translations);
  f.rotation = b.accessor(f.rotations, "VEC4", kI16, true);
  b.json["extensionsUsed"] = {"KHR_mesh_quantization"};
  b.append("meshes", {{"primitives",
                       {{{"attributes", {{"POSITION", f.position}, {"NORMAL", f.normal}, {"TANGENT", f.tangent}}},
                         {"indices", f.index}}}}});
  b.append("nodes", {{"mesh", 0}});
  b.animate(0, "translation", times, f.translation, "LINEAR");
  b.animate(0, "rotation", times, f.rotation, "LINEAR");
  return f;
}

// The same with every view that matters compressed.
GltfBuilder compressed(const FanFile& f, const std::string& extension, bool filtered, bool triangles) {
  GltfBuilder b = f.b;
  const auto put = [&](int accessor, const Bytes& stream, const Compression& how) {
    compress_view(b, view_of(b, accessor), stream, how, extension);
  };
  const std::vector<std::uint32_t> indices(f.indices.begin(), f.indices.end());
  put(f.position, encode_attributes(f.positions, 12), {"ATTRIBUTES", 12, kFan});
  put(f.index, triangles ? encode_triangles(indices, kFan) : encode_indices(indices, kFan),
      {triangles ? "TRIANGLES" : "INDICES", 2, indices.size()});
  if (!filtered) {
    put(f.normal, encode_attributes(f.normals, 4), {"ATTRIBUTES", 4, kFan});
    put(f.tangent, encode_attributes(f.tangents, 8), {"ATTRIBUTES", 8, kFan});
    put(f.translation, encode_attributes(f.translations, 12), {"ATTRIBUTES", 12, kFan});
    put(f.rotation, AttributeEncoderV1({1}, {0, 1, 3}).encode(bytes_of(f.rotations), 8), {"ATTRIBUTES", 8, kFan});
    return b;
  }
  std::vector<float> normals, tangents, rotations;
  for (std::size_t i = 0; i < f.normals.size(); ++i) normals.push_back(static_cast<float>(f.normals[i]) / 127.0f);
  for (const std::int16_t t : f.tangents) tangents.push_back(static_cast<float>(t) / 32767.0f);
  for (const std::int16_t r : f.rotations) rotations.push_back(static_cast<float>(r) / 32767.0f);
  std::vector<std::int8_t> octahedral(f.normals.size());
  meshopt_encodeFilterOct(octahedral.data(), kFan, 4, 8, normals.data());
  std::vector<std::int16_t> wide(f.tangents.size()), quaternions(f.rotations.size());
  meshopt_encodeFilterOct(wide.data(), kFan, 8, 14, tangents.data());
  meshopt_encodeFilterQuat(quaternions.data(), kFan, 8, 14, rotations.data());
  std::vector<float> exponential(f.translations.size());
  meshopt_encodeFilterExp(exponential.data(), kFan, 12, 18, f.translations.data());
  put(f.normal, encode_attributes(octahedral, 4), {"ATTRIBUTES", 4, kFan, "OCTAHEDRAL"});
  put(f.tangent, encode_attributes(wide, 8), {"ATTRIBUTES", 8, kFan, "OCTAHEDRAL"});
  put(f.translation, encode_attributes(exponential, 12), {"ATTRIBUTES", 12, kFan, "EXPONENTIAL"});
  put(f.rotation, encode_attributes(quaternions, 8), {"ATTRIBUTES", 8, kFan, "QUATERNION"});
  return b;
}

double furthest(const std::vector<glm::vec3>& a, const std::vector<glm::vec3>& b) {
  if (a.size() != b.size() || a.empty()) return 1e9;
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, double(glm::length(a[i] - b[i])));
  return most;
}

TEST(GltfMeshopt, EveryModeReadsAsIfUncompressed) {
  const FanFile f = fan_file();
  const auto plain = f.b.import();
  ASSERT_TRUE(plain) << plain.error().message;
  const Mesh& expected = plain->model.meshes()[0];
  for (const char* extension : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
    for (const bool triangles : {false, true}) {
      const auto imported = compressed(f, extension, false, triangles).import();
      ASSERT_TRUE(imported) << imported.error().message;
      EXPECT_TRUE(imported->notes.empty()) << imported->notes[0];
      const Mesh& mesh = imported->model.meshes()[0];
      EXPECT_EQ(mesh.positions, expected.positions);
      EXPECT_EQ(mesh.normals, expected.normals);
      EXPECT_EQ(mesh.tangents, expected.tangents);
      EXPECT_EQ(mesh.indices, expected.indices);
      EXPECT_EQ(imported->model.clips()[0].bones[0].translation.values,
                plain->model.clips()[0].bones[0].translation.values);
      EXPECT_EQ(imported->model.clips()[1].bones[0].rotation.values, plain->model.clips()[1].bones[0].rotation.values);
    }
  }
}

TEST(GltfMeshopt, EveryFilterGivesBackWhatItWasGivenWithinItsBits) {
  const FanFile f = fan_file();
  const auto plain = f.b.import();
  ASSERT_TRUE(plain) << plain.error().message;
  const auto imported = compressed(f, "EXT_meshopt_compression", true, true).import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Mesh& mesh = imported->model.meshes()[0];
  const Mesh& expected = plain->model.meshes()[0];
  EXPECT_EQ(mesh.positions, expected.positions);
  EXPECT_LE(furthest(mesh.normals, expected.normals), 4.0 / 127.0);
  for (std::size_t i = 0; i < kFan; ++i) {
    EXPECT_LE(glm::length(glm::vec3(mesh.tangents[i]) - glm::vec3(expected.tangents[i])), 4.0f / 8191.0f);
    EXPECT_EQ(mesh.tangents[i].w, expected.tangents[i].w);
    const glm::quat a = imported->model.clips()[1].bones[0].rotation.values[i];
    const glm::quat b = plain->model.clips()[1].bones[0].rotation.values[i];
    EXPECT_GE(std::abs(glm::dot(glm::normalize(a), glm::normalize(b))), 1.0f - 1e-6f);
  }
  // 18 bits of the largest of three, which is below 8.
  EXPECT_LE(furthest(imported->model.clips()[0].bones[0].translation.values,
                     plain->model.clips()[0].bones[0].translation.values),
            2.0 * 8.0 / (1 << 17));
}

TEST(GltfMeshopt, AStreamThatIsDamagedFallsBackOnTheUncompressedBytesIfThereAreAny) {
  const FanFile f = fan_file();
  GltfBuilder b = compressed(f, "EXT_meshopt_compression", false, true);
  auto& view = b.json["bufferViews"][static_cast<std::size_t>(view_of(b, f.position))];
  view["extensions"]["EXT_meshopt_compression"]["byteLength"] = 60;
  const auto refused = b.import();
  ASSERT_FALSE(refused);
  view["buffer"] = 0;
  view["byteOffset"] = f.b.json["bufferViews"][static_cast<std::size_t>(view_of(b, f.position))]["byteOffset"];
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(mentions(imported->notes, "its uncompressed bytes are read"));
  EXPECT_EQ(furthest(imported->model.meshes()[0].positions, f.b.import()->model.meshes()[0].positions), 0.0);
}

TEST(GltfMeshopt, AFallbackBufferIsNotMissed) {
  GltfBuilder b = compressed(fan_file(), "KHR_meshopt_compression", false, true);
  b.json["buffers"][1]["uri"] = "not there.bin";
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->notes.empty()) << imported->notes[0];
}

struct Broken {
  const char* because;
  std::function<void(Json& view, Json& extension, Json& file)> break_it;
};

class GltfMeshoptRefuses : public testing::TestWithParam<Broken> {};

TEST_P(GltfMeshoptRefuses, AViewThatBreaksARule) {
  const FanFile f = fan_file();
  GltfBuilder b = compressed(f, "EXT_meshopt_compression", false, true);
  Json& view = b.json["bufferViews"][static_cast<std::size_t>(view_of(b, f.position))];
  GetParam().break_it(view, view["extensions"]["EXT_meshopt_compression"], b.json);
  const auto imported = b.import();
  ASSERT_FALSE(imported);
  EXPECT_TRUE(is_one_line(imported.error().message)) << imported.error().message;
  EXPECT_NE(imported.error().message.find(GetParam().because), std::string::npos) << imported.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Each, GltfMeshoptRefuses,
    testing::Values(
        Broken{"mode is missing", [](Json&, Json& e, Json&) { e.erase("mode"); }},
        Broken{"count is missing", [](Json&, Json& e, Json&) { e.erase("count"); }},
        Broken{"byteStride is missing", [](Json&, Json& e, Json&) { e.erase("byteStride"); }},
        Broken{"buffer is missing", [](Json&, Json& e, Json&) { e.erase("buffer"); }},
        Broken{"names buffers[7]", [](Json&, Json& e, Json&) { e["buffer"] = 7; }},
        Broken{"mode 'POINTS'", [](Json&, Json& e, Json&) { e["mode"] = "POINTS"; }},
        Broken{"filter 'BLUR'", [](Json&, Json& e, Json&) { e["filter"] = "BLUR"; }},
        Broken{"count is 0", [](Json&, Json& e, Json&) { e["count"] = 0; }},
        Broken{"count is not an integer", [](Json&, Json& e, Json&) { e["count"] = "all"; }},
        Broken{"byteStride is 260", [](Json&, Json& e, Json&) { e["byteStride"] = 260; }},
        Broken{"stride of 18", [](Json&, Json& e, Json&) { e["byteStride"] = 18; }},
        Broken{"filter does not go", [](Json&, Json& e, Json&) { e["filter"] = "OCTAHEDRAL"; }},
        Broken{"starts with 0xa0", [](Json&, Json& e, Json&) { e["mode"] = "INDICES", e["byteStride"] = 4, e["count"] = 120; }},
        Broken{"more than the 20 elements", [](Json&, Json& e, Json&) { e["count"] = 20; }},
        Broken{"is not the 16", [](Json& v, Json& e, Json&) { v["byteStride"] = 12, e["byteStride"] = 16; }},
        Broken{"bytes compressed or more", [](Json&, Json& e, Json&) { e["count"] = 200000; }},
        Broken{"bytes compressed or more", [](Json&, Json& e, Json&) { e["byteLength"] = 20; }},
        Broken{"stream is damaged", [](Json&, Json& e, Json&) { e["byteLength"] = e["byteLength"].get<int>() - 1; }},
        Broken{"do not fit buffers[0]", [](Json&, Json& e, Json&) { e["byteOffset"] = 1 << 24; }},
        Broken{"do not fit buffers[0]", [](Json&, Json& e, Json&) { e["byteLength"] = std::uint64_t{1} << 53; }},
        Broken{"has no bytes of its own", [](Json&, Json& e, Json&) { e["buffer"] = 1; }},
        Broken{"with both", [](Json& v, Json& e, Json& f) {
                 v["extensions"]["KHR_meshopt_compression"] = Json(e);
                 f["extensionsUsed"].push_back("KHR_meshopt_compression");
               }},
        Broken{"fallback is not true or false", [](Json&, Json&, Json& f) {
                 f["buffers"][1]["extensions"]["EXT_meshopt_compression"]["fallback"] = 1;
               }},
        Broken{"does not fit buffers[1]", [](Json& v, Json&, Json&) { v["byteOffset"] = (1 << 20) - 4; }}));

TEST(GltfMeshoptHostile, StreamsNamedOverAndOverAreBoundedBeforeAnythingIsDecoded) {
  GltfBuilder b;
  constexpr std::size_t kCount = 1 << 18;
  // Blocks of zeros cost next to nothing: a 128th of what they become.
  Bytes stream(1 + kCount / 32 * 64 + 320, 0xAA);
  stream[0] = 0xA1;
  const int view = b.view(Bytes(4));
  compress_view(b, view, stream, {"ATTRIBUTES", 256, kCount}, "KHR_meshopt_compression");
  b.json["bufferViews"][0]["byteLength"] = kCount * 256;
  b.json["buffers"][1]["byteLength"] = std::uint64_t{1} << 40;
  for (int i = 0; i < 8; ++i) b.append("bufferViews", Json(b.json["bufferViews"][0]));
  const auto imported = b.import();
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("with its compressed buffer views; "), std::string::npos)
      << imported.error().message;
}

TEST(GltfMeshoptHostile, AFileMayBeWrongAnywhereInItsStreams) {
  const std::string whole = compressed(fan_file(), "EXT_meshopt_compression", true, true).glb();
  const ScratchFolder folder;
  ASSERT_TRUE(import_gltf(folder.write("whole.glb", whole)));
  const std::size_t binary = whole.find(std::string("BIN\0", 4));
  std::size_t refused = 0;
  for (std::size_t at = binary + 4; at < whole.size(); at += 9) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ (at % 2 == 0 ? 0x80 : 0x11));
    const auto imported = import_gltf(folder.write("broken.glb", broken));
    if (imported) continue;
    ++refused;
    EXPECT_TRUE(is_one_line(imported.error().message)) << at << ": " << imported.error().message;
  }
  EXPECT_GT(refused, 20u);
}

}  // namespace
}  // namespace throng::test
