// SPDX-License-Identifier: Apache-2.0
// Materials, their images and where those may come from.

#include <webp/encode.h>

#include <tuple>

#include "gltf_builder.h"
#include "throng/character/image.h"

namespace throng::test {
namespace {

// The smallest thing that is a PNG by its structure: IHDR and IEND.
std::string tiny_png(char pages = '\0') {
  std::string header("\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0", 29);
  header[18] = header[22] = pages;  // each 256 pixels more, both ways
  return header + "\x90\x77\x53\xDE" + std::string("\0\0\0\0IEND", 8) + "\xAE\x42\x60\x82";
}

GltfBuilder textured_file(const Json& image) {
  GltfBuilder b = triangle_file();
  auto& primitive = b.json["meshes"][0]["primitives"][0];
  primitive["attributes"]["TEXCOORD_0"] = b.floats("VEC2", {0, 0, 1, 0, 0, 1});
  primitive["attributes"]["TEXCOORD_1"] = b.floats("VEC2", {0.5f, 0, 1, 0.5f, 0, 0.25f});
  primitive["material"] = 0;
  b.json["images"] = Json::array({image});  // {image} alone is image itself to clang
  b.json["samplers"] = {{{"wrapS", 33071}, {"wrapT", 33648}, {"magFilter", 9728}}};
  b.json["textures"] = {{{"source", 0}, {"sampler", 0}}};
  b.json["materials"] = {
      {{"name", "skin"},
       {"alphaMode", "MASK"},
       {"alphaCutoff", 0.25},
       {"doubleSided", true},
       {"pbrMetallicRoughness", {{"baseColorFactor", {0.5, 0.25, 1, 1}}, {"baseColorTexture", {{"index", 0}}}}}}};
  return b;
}

TEST(GltfMaterial, ItsFactorTextureSamplerAndAlphaAreRead) {
  const GltfBuilder b = textured_file({{"name", "face"}, {"uri", "data:image/png;base64," + base64(tiny_png())}});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Material& material = imported->model.materials()[0];
  EXPECT_EQ(material.name, "skin");
  EXPECT_EQ(material.base_colour, glm::vec4(0.5f, 0.25f, 1, 1));
  EXPECT_EQ(material.wrap_u, Wrap::clamp);
  EXPECT_EQ(material.wrap_v, Wrap::mirror);
  EXPECT_TRUE(material.nearest_filter);
  EXPECT_EQ(material.alpha_mode, AlphaMode::mask);
  EXPECT_FLOAT_EQ(material.alpha_cutoff, 0.25f);
  EXPECT_TRUE(material.double_sided);
  ASSERT_TRUE(material.base_image);
  const ImageSource& image = imported->model.images()[*material.base_image];
  EXPECT_EQ(image.name, "face");
  EXPECT_EQ(image.mime_type, "image/png");
  const std::string png = tiny_png();
  ASSERT_EQ(image.bytes.size(), png.size());
  EXPECT_EQ(std::memcmp(image.bytes.data(), png.data(), png.size()), 0);
  EXPECT_TRUE(imported->notes.empty()) << imported->notes[0];
}

GltfBuilder bumpy_file() {
  GltfBuilder b = textured_file({{"name", "face"}, {"uri", "data:image/png;base64," + base64(tiny_png())}});
  b.json["images"].push_back({{"name", "bumps"}, {"uri", "data:image/png;base64," + base64(tiny_png())}});
  b.json["textures"].push_back({{"source", 1}, {"sampler", 0}});
  b.json["materials"][0]["normalTexture"] = {{"index", 1}, {"scale", 0.5}};
  return b;
}

TEST(GltfMaterial, ItsNormalMapIsReadWithItsScale) {
  const auto imported = bumpy_file().import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Material& material = imported->model.materials()[0];
  ASSERT_TRUE(material.normal_image);
  EXPECT_EQ(imported->model.images()[*material.normal_image].name, "bumps");
  EXPECT_EQ(imported->model.images()[*material.base_image].name, "face");
  EXPECT_EQ(material.normal_scale, 0.5f);
  EXPECT_TRUE(imported->notes.empty()) << imported->notes[0];
}

TEST(GltfMaterial, ANormalMapAloneBringsItsSampler) {
  GltfBuilder b = bumpy_file();
  b.json["materials"][0]["pbrMetallicRoughness"].erase("baseColorTexture");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Material& material = imported->model.materials()[0];
  EXPECT_FALSE(material.base_image);
  ASSERT_TRUE(material.normal_image);
  EXPECT_EQ(material.wrap_u, Wrap::clamp);
}

TEST(GltfMaterial, ANormalMapOnOtherCoordinatesIsLeftOutAndNoted) {
  GltfBuilder b = bumpy_file();
  b.json["materials"][0]["normalTexture"]["texCoord"] = 1;
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_FALSE(imported->model.materials()[0].normal_image);
  ASSERT_EQ(imported->notes.size(), 1u);
  EXPECT_NE(imported->notes[0].find("normal map on other texture coordinates"), std::string::npos);
}

TEST(GltfMaterial, ImagesOfTheSameBytesAreOne) {
  GltfBuilder b = bumpy_file();
  const std::string png = tiny_png();
  const auto view = b.view(std::vector<char>(png.begin(), png.end()));
  for (auto& image : b.json["images"]) image = {{"mimeType", "image/png"}, {"bufferView", view}};
  const auto imported = import_gltf(ScratchFolder().write("built.glb", b.glb()));
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.images().size(), 1u);
  EXPECT_EQ(imported->model.materials()[0].base_image, 0u);
  EXPECT_EQ(imported->model.materials()[0].normal_image, 0u);
}

// Each takes 89 MB as a texture, and 201 MB more while it is decoded, in a few bytes of file. One that nothing shows
// takes nothing.
TEST(GltfMaterial, ImagesAreAddedUpAndThoseTooManyAreLeftOut) {
  GltfBuilder b = textured_file(Json::object());
  b.json["images"] = Json::array();
  b.json["textures"] = Json::array();
  for (int i = 0; i < 9; ++i) {
    b.json["images"].push_back({{"uri", "data:image/png;base64," + base64(tiny_png(16))}});
    b.json["textures"].push_back({{"source", i}});
    Json material = b.json["materials"][0];
    material["pbrMetallicRoughness"]["baseColorTexture"]["index"] = i;
    b.json["materials"].push_back(material);
  }
  b.json["materials"].erase(0);
  b.json["materials"][0] = Json::object();
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.images().size(), 3u);
  ASSERT_EQ(imported->notes.size(), 5u);
  EXPECT_TRUE(imported->notes[0].starts_with("images[4] would take ")) << imported->notes[0];
  EXPECT_NE(imported->notes[0].find("with its pictures; 512 MiB is what a file of"), std::string::npos);
  EXPECT_NE(imported->notes[0].find("; what uses it goes without"), std::string::npos);
  const auto more = b.import({.budget = std::uint64_t{1} << 30});
  ASSERT_TRUE(more) << more.error().message;
  EXPECT_EQ(more->model.images().size(), 8u);
}

// Pictures one behind the other, each in a view that goes on to the end of the buffer: half a megabyte vouches for
// eight megabytes of views no more than for itself.
TEST(GltfMaterial, BytesThatSeveralImagesShareVouchForMemoryOnce) {
  GltfBuilder b = textured_file(Json::object());
  b.json["images"] = Json::array();
  b.json["textures"] = Json::array();
  b.json["materials"] = Json::array();
  const std::string png = tiny_png(16);
  std::vector<char> bytes;
  for (int i = 0; i < 16; ++i) bytes.insert(bytes.end(), png.begin(), png.end());
  bytes.resize(std::size_t{1} << 19);
  const Json whole = b.json["bufferViews"][static_cast<std::size_t>(b.view(bytes))];
  for (std::size_t i = 0; i < 16; ++i) {
    const int view = b.append("bufferViews", {{"buffer", 0},
                                              {"byteOffset", whole["byteOffset"].get<std::size_t>() + i * png.size()},
                                              {"byteLength", bytes.size() - i * png.size()}});
    b.json["images"].push_back({{"mimeType", "image/png"}, {"bufferView", view}});
    b.json["textures"].push_back({{"source", i}});
    b.append("materials", {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", i}}}}}});
  }
  const auto imported = import_gltf(ScratchFolder().write("built.glb", b.glb()));
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.images().size(), 3u);
}

TEST(GltfMaterial, AnImageBesideTheFileIsOneUnderAllItsNames) {
  GltfBuilder b = bumpy_file();
  b.json["images"][0] = {{"uri", "face.png"}};
  b.json["images"][1] = {{"uri", "textures/../link.png"}};
  const ScratchFolder folder;
  folder.write("face.png", tiny_png());
  std::filesystem::create_directories(folder.path() / "textures");
  std::filesystem::create_symlink("face.png", folder.path() / "link.png");
  const auto imported = import_gltf(folder.write("model.gltf", b.gltf()));
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.images().size(), 1u);
}

TEST(GltfMaterial, AnImageInABufferViewOutlivesTheImport) {
  GltfBuilder b = textured_file(Json::object());
  const std::string png = tiny_png();
  b.json["images"][0] = {{"mimeType", "image/png"}, {"bufferView", b.view(std::vector<char>(png.begin(), png.end()))}};
  const auto imported = import_gltf(ScratchFolder().write("built.glb", b.glb()));
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.images().size(), 1u);
  EXPECT_EQ(std::memcmp(imported->model.images()[0].bytes.data(), png.data(), png.size()), 0);
}

TEST(GltfMaterial, AnImageBesideTheFileIsFoundByItsPercentEncodedName) {
  const GltfBuilder b = textured_file({{"uri", "textures/my%20face.png"}});
  const ScratchFolder folder;
  folder.write("textures/my face.png", tiny_png());
  const auto imported = import_gltf(folder.write("model.gltf", b.gltf()));
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->model.materials()[0].base_image);
}

TEST(GltfMaterial, AMissingOrBrokenImageIsANoteAndTheFactorStays) {
  const std::string cut = tiny_png().substr(0, 30);
  for (const std::string& uri :
       {std::string("missing.png"), std::string("../outside.png"), std::string("file:///etc/hostname"),
        "data:image/png;base64," + base64(cut), std::string("data:image/gif;base64,R0lGODlh")}) {
    const auto imported = textured_file({{"uri", uri}}).import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_FALSE(imported->model.materials()[0].base_image) << uri;
    EXPECT_EQ(imported->model.materials()[0].base_colour.x, 0.5f);
    EXPECT_TRUE(imported->model.images().empty());
    EXPECT_TRUE(mentions(imported->notes, "images[0]")) << uri;
  }
}

TEST(GltfMaterial, APrimitiveWithoutOneGetsAWhiteDefault) {
  GltfBuilder b = textured_file({{"uri", "missing.png"}});
  b.json["meshes"][0]["primitives"].push_back(triangle(b));
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.materials().size(), 2u);
  EXPECT_EQ(imported->model.meshes()[0].material, 0u);
  EXPECT_EQ(imported->model.meshes()[1].material, 1u);
  EXPECT_EQ(imported->model.materials()[1].base_colour, glm::vec4(1));
}

TEST(GltfMaterial, TextureCoordinatesAreOfTheSetTheTextureNames) {
  GltfBuilder b = textured_file({{"uri", "missing.png"}});
  b.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["texCoord"] = 1;
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].uvs[1], glm::vec2(1, 0.5f));
}

TEST(GltfMaterial, ATextureTransformIsAppliedToTheCoordinates) {
  GltfBuilder b = textured_file({{"uri", "missing.png"}});
  b.json["extensionsUsed"] = {"KHR_texture_transform"};
  auto& texture = b.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
  texture["extensions"]["KHR_texture_transform"] = {{"offset", {0.25, 0.5}}, {"scale", {2, 4}}, {"texCoord", 1}};
  const auto scaled = b.import();
  ASSERT_TRUE(scaled) << scaled.error().message;
  EXPECT_EQ(scaled->model.meshes()[0].uvs[1], glm::vec2(2.25f, 2.5f));
  // A quarter turn of texture space, whose second axis points down.
  texture["extensions"]["KHR_texture_transform"] = {{"rotation", 1.5707963267948966}};
  const auto turned = b.import();
  ASSERT_TRUE(turned) << turned.error().message;
  EXPECT_NEAR(turned->model.meshes()[0].uvs[1].x, 0.0f, 1e-6f);
  EXPECT_NEAR(turned->model.meshes()[0].uvs[1].y, -1.0f, 1e-6f);
}

TEST(GltfExtensions, ARequiredExtensionThatIsNotKnownIsRefusedByName) {
  GltfBuilder b = triangle_file();
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"EXT_something_else"};
  const auto imported = b.import();
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("EXT_something_else"), std::string::npos) << imported.error().message;
  b.json.erase("extensionsRequired");
  const auto optional = b.import();
  ASSERT_TRUE(optional) << optional.error().message;
  EXPECT_TRUE(mentions(optional->notes, "EXT_something_else"));
}

TEST(GltfExtensions, ThoseThatOnlyChangeLooksMayBeRequired) {
  for (const char* name : {"KHR_texture_transform", "KHR_lights_punctual", "KHR_texture_basisu", "EXT_texture_webp",
                           "EXT_texture_avif", "MSFT_texture_dds", "KHR_node_visibility", "EXT_lights_image_based",
                           "KHR_xmp_json_ld", "KHR_xmp", "KHR_materials_clearcoat", "THRONG_animation_textures"}) {
    GltfBuilder b = triangle_file();
    b.json["extensionsUsed"] = b.json["extensionsRequired"] = {name};
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_TRUE(imported->notes.empty()) << name;
  }
}

TEST(GltfMaterial, ColoursInSpecularGlossinessAreReadBeforeTheOthers) {
  constexpr const char* kName = "KHR_materials_pbrSpecularGlossiness";
  GltfBuilder b = textured_file({{"uri", "data:image/png;base64," + base64(tiny_png())}});
  b.json["materials"][0]["pbrMetallicRoughness"].erase("baseColorTexture");
  b.json["materials"][0]["extensions"][kName] = {
      {"diffuseFactor", {1, 0, 0, 0.5}},
      {"diffuseTexture",
       {{"index", 0}, {"texCoord", 1}, {"extensions", {{"KHR_texture_transform", {{"offset", {2, 0}}}}}}}}};
  b.json["materials"].push_back({{"extensions", {{kName, Json::object()}}}});
  b.json["extensionsUsed"] = {kName, "KHR_texture_transform"};
  b.json["extensionsRequired"] = {kName};
  const auto imported = b.import({.strict = true});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->notes.empty()) << imported->notes[0];
  EXPECT_EQ(imported->model.materials()[0].base_colour, glm::vec4(1, 0, 0, 0.5f));
  EXPECT_TRUE(imported->model.materials()[0].base_image);
  EXPECT_EQ(imported->model.meshes()[0].uvs[1], glm::vec2(3, 0.5f)) << "set 1, moved by its transform";
  EXPECT_EQ(imported->model.materials()[1].base_colour, glm::vec4(1.0f));
}

// Red, half-seen green, blue, white.
const std::vector<std::uint8_t> kPixels = {255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 255, 255, 255, 255, 255};

std::string webp(const std::vector<std::uint8_t>& rgba, int width, int height) {
  std::uint8_t* encoded = nullptr;
  const std::size_t size = WebPEncodeLosslessRGBA(rgba.data(), width, height, width * 4, &encoded);
  std::string bytes(reinterpret_cast<const char*>(encoded), size);
  WebPFree(encoded);
  return bytes;
}

TEST(GltfMaterial, WebPIsReadAndBecomesPng) {
  GltfBuilder b = textured_file({{"uri", "data:image/webp;base64," + base64(webp(kPixels, 2, 2))}});
  b.json["textures"][0] = {{"sampler", 0}, {"extensions", {{"EXT_texture_webp", {{"source", 0}}}}}};
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"EXT_texture_webp"};
  const auto imported = b.import({.strict = true});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->notes.empty()) << imported->notes[0];
  ASSERT_TRUE(imported->model.materials()[0].base_image);
  const ImageSource& image = imported->model.images()[0];
  EXPECT_EQ(image.mime_type, "image/png");
  const auto decoded = decode_image(image.bytes.span());
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->width, 2u);
  EXPECT_EQ(decoded->rgba, kPixels);
}

TEST(GltfMaterial, LargerAndOpaqueWebPComesThroughWithoutLoss) {
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < 67; ++y) {
    for (int x = 0; x < 131; ++x) {
      for (const int value : {x * 2, y * 3, x * y, 255}) pixels.push_back(static_cast<std::uint8_t>(value));
    }
  }
  const auto imported = textured_file({{"uri", "data:image/webp;base64," + base64(webp(pixels, 131, 67))}}).import();
  ASSERT_TRUE(imported) << imported.error().message;
  const auto decoded = decode_image(imported->model.images().at(0).bytes.span());
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->rgba, pixels);
}

TEST(GltfMaterial, APngIsPreferredAndAWebPStandsInForAPictureThatIsNotRead) {
  GltfBuilder b = textured_file({{"name", "ktx"}, {"uri", "data:image/ktx2;base64," + base64("\xABKTX 20\xBB\r\n")}});
  b.json["images"].push_back({{"name", "webp"}, {"uri", "data:image/webp;base64," + base64(webp(kPixels, 2, 2))}});
  b.json["images"].push_back({{"name", "png"}, {"uri", "data:image/png;base64," + base64(tiny_png())}});
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"EXT_texture_webp", "KHR_texture_basisu"};
  b.json["textures"][0] = {
      {"extensions", {{"KHR_texture_basisu", {{"source", 0}}}, {"EXT_texture_webp", {{"source", 1}}}}}};
  const auto without = b.import();
  ASSERT_TRUE(without) << without.error().message;
  ASSERT_EQ(without->model.images().size(), 1u);
  EXPECT_EQ(without->model.images()[0].name, "webp");
  EXPECT_TRUE(mentions(without->notes, "images[0] is KTX2, which is not read"));
  b.json["textures"][0]["source"] = 2;
  const auto with = b.import();
  ASSERT_TRUE(with) << with.error().message;
  EXPECT_EQ(with->model.images().at(0).name, "png");
}

TEST(GltfMaterial, PicturesInFormatsThatAreNotReadNeverRefuseAModel) {
  const std::tuple<const char*, std::string, const char*> cases[] = {
      {"KHR_texture_basisu", "\xABKTX 20\xBB\r\n", "KTX2"},
      {"EXT_texture_avif", std::string("\0\0\0\x20", 4) + "ftypavif", "AVIF"},
      {"MSFT_texture_dds", "DDS |", "DDS"},
      {"EXT_texture_webp", webp(kPixels, 2, 2).substr(0, 30), "cut short or damaged"}};
  for (const auto& [extension, bytes, named] : cases) {
    for (const bool strict : {false, true}) {
      GltfBuilder b = textured_file({{"uri", "data:;base64," + base64(bytes)}});
      b.json["textures"][0] = {{"extensions", {{extension, {{"source", 0}}}}}};
      b.json["extensionsUsed"] = b.json["extensionsRequired"] = {extension};
      const auto imported = b.import({.strict = strict});
      ASSERT_TRUE(imported) << imported.error().message;
      EXPECT_FALSE(imported->model.materials()[0].base_image);
      EXPECT_EQ(imported->model.materials()[0].base_colour.x, 0.5f);
      EXPECT_TRUE(mentions(imported->notes, named)) << extension;
    }
  }
}

TEST(GltfMaterial, AnyByteOfAWebPMayBeWrongAndItMayEndAnywhere) {
  const std::string whole = webp(kPixels, 2, 2);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 0xFF);
    for (const std::string& bytes : {broken, whole.substr(0, at)}) {
      const auto imported = textured_file({{"uri", "data:image/webp;base64," + base64(bytes)}}).import();
      ASSERT_TRUE(imported) << imported.error().message;
      for (const ImageSource& image : imported->model.images()) EXPECT_TRUE(decode_image(image.bytes.span())) << at;
    }
  }
}

}  // namespace
}  // namespace throng::test
