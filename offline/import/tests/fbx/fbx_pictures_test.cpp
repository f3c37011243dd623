// SPDX-License-Identifier: Apache-2.0
// Textures: held in the file or beside it, and nowhere else.

#include <webp/encode.h>

#include "fbx_builder.h"

namespace throng::test {
namespace {

using namespace std::string_literals;

// Heads that say how large they are, 2 × 1 and 1 × 2 pixels, and no pictures behind them.
const std::string kPng =
    "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\2\0\0\0\1\x08\6\0\0\0\0\0\0\0"s + "not decoded here" + "IEND\xAE\x42\x60\x82";
const std::string kJpeg =
    "\xFF\xD8\xFF\xC0\0\x11\x08\0\2\0\1\3\1\x11\0\2\x11\0\3\x11\0"s + " not decoded here \xFF\xD9";

struct Textured {
  std::string texture;     // content of the Texture
  std::string video = {};  // and of its Video
  std::string wrap = {};
};

FbxBuilder file_with(const Textured& textured) {
  FbxBuilder b;
  b.model(1, "triangle", 0, {}, "Mesh");
  b.triangle(2, 1);
  b.object("Material", 3, "Material", "skin", "", properties({{"DiffuseColor", {0.5, 0.5, 0.5}}}));
  b.connect(3, 1);
  b.object("Texture", 4, "Texture", "freckles", "", textured.texture + textured.wrap);
  b.connect(4, 3, "DiffuseColor");
  b.object("Video", 5, "Video", "freckles", "Clip", textured.video);
  b.connect(5, 4);
  return b;
}

Result<Imported> import_from(const ScratchFolder& folder, const Textured& textured) {
  return import_fbx(folder.write("models/face.fbx", file_with(textured).text()));
}

std::string bytes_of(const ImageSource& image) {
  return {reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()};
}

TEST(FbxPictures, OfSizesThatCannotBeDecodedAreLeftOut) {
  const ScratchFolder folder;
  std::string huge = kPng;
  huge[18] = huge[22] = '\x3F';  // 16128 × 16128 and more
  folder.write("models/huge.png", huge);
  const auto imported = import_from(folder, {"RelativeFilename: \"huge.png\"\n"});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->model.images().empty());
  ASSERT_EQ(imported->notes.size(), 1u);
  EXPECT_NE(imported->notes[0].find("at most 512 MiB is what a file of its size may take"), std::string::npos)
      << imported->notes[0];
}

TEST(FbxPictures, AreReadFromBesideTheModelWhateverPathTheArtistHad) {
  const ScratchFolder folder;
  folder.write("models/skin/freckles.png", kPng);
  folder.write("models/plain.jpg", kJpeg);
  folder.write("models/face.fbm/packed.png", kPng);
  const std::pair<const char*, std::string> places[] = {
      {"RelativeFilename: \"skin\\freckles.png\"\n", kPng},
      {"FileName: \"C:\\Users\\artist\\plain.jpg\"\n", kJpeg},
      {"RelativeFilename: \"..\\..\\somewhere\\plain.jpg\"\n", kJpeg},
      {"FileName: \"/home/artist/packed.png\"\n", kPng},
  };
  for (const auto& [texture, content] : places) {
    const auto imported = import_from(folder, {texture});
    ASSERT_TRUE(imported) << imported.error().message;
    ASSERT_EQ(imported->model.images().size(), 1u) << texture << (imported->notes.empty() ? "" : imported->notes[0]);
    EXPECT_EQ(bytes_of(imported->model.images()[0]), content);
    EXPECT_EQ(imported->model.images()[0].mime_type, content == kPng ? "image/png" : "image/jpeg");
    EXPECT_EQ(imported->model.materials()[0].base_image, 0u);
    EXPECT_EQ(imported->model.materials()[0].base_colour, glm::vec4(1.0f));
  }
}

TEST(FbxPictures, OutsideTheModelsFolderAreNotRead) {
  const ScratchFolder folder;
  const auto secret = folder.write("secret.png", kPng);
  for (const std::string& name : {std::string("../secret.png"), std::string("skin/../../secret.png"),
                                  std::string("..\\secret.png"), secret.string(), std::string("..")}) {
    const auto imported = import_from(folder, {fmt::format("RelativeFilename: \"{}\"\n", name)});
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_TRUE(imported->model.images().empty()) << name;
    ASSERT_EQ(imported->notes.size(), 1u) << name;
    EXPECT_NE(imported->notes[0].find("neither in the file nor beside it"), std::string::npos) << imported->notes[0];
    EXPECT_EQ(imported->model.materials()[0].base_colour.r, 0.5f);
  }
}

TEST(FbxPictures, BehindLinksThatLeadOutOfTheFolderAreNotRead) {
  const ScratchFolder folder;
  folder.write("secret.png", kPng);
  folder.write("models/skin/freckles.png", kPng);
  std::filesystem::create_symlink("../secret.png", folder.path() / "models/out.png");
  std::filesystem::create_symlink("skin/freckles.png", folder.path() / "models/in.png");
  const auto in = import_from(folder, {"RelativeFilename: \"in.png\"\n"});
  ASSERT_TRUE(in) << in.error().message;
  EXPECT_EQ(in->model.images().size(), 1u);
  const auto out = import_from(folder, {"RelativeFilename: \"out.png\"\n"});
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_TRUE(out->model.images().empty());
  ASSERT_EQ(out->notes.size(), 1u);
  EXPECT_NE(out->notes[0].find("a link leads out of the folder"), std::string::npos) << out->notes[0];
}

TEST(FbxPictures, InsideTheFileComeFirst) {
  const ScratchFolder folder;
  folder.write("models/freckles.png", kJpeg);
  const auto imported =
      import_from(folder, {"RelativeFilename: \"freckles.png\"\n", fmt::format("Content: ,\n\"{}\"\n", base64(kPng))});
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.images().size(), 1u);
  EXPECT_EQ(bytes_of(imported->model.images()[0]), kPng);
  EXPECT_EQ(imported->model.images()[0].name, "freckles.png");
}

// Two textures of one video, which names a file or holds it.
TEST(FbxPictures, OfOneVideoAreOneOnlyWhereItHoldsThem) {
  const ScratchFolder folder;
  folder.write("models/face.png", kPng);
  folder.write("models/eyes.jpg", kJpeg);
  for (const bool inside : {false, true}) {
    FbxBuilder b;
    b.model(1, "two", 0, {}, "Mesh");
    b.geometry(2, 1, {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, {0, 1, -3, 1, 3, -3},
               "LayerElementMaterial: 0 {\nMappingInformationType: \"ByPolygon\"\n"
               "ReferenceInformationType: \"IndexToDirect\"\nMaterials: *2 { a: 0,1 }\n}\n");
    b.object("Video", 5, "Video", "both", "Clip",
             inside ? fmt::format("Content: ,\n\"{}\"\n", base64(kPng)) : "Content: ,\n\"\"\n");
    for (const auto& [id, file] : {std::pair(10, "face.png"), {20, "eyes.jpg"}}) {
      b.object("Material", id, "Material", file, "", "");
      b.object("Texture", id + 1, "Texture", file, "", fmt::format("RelativeFilename: \"{}\"\n", file));
      b.connect(id, 1);
      b.connect(id + 1, id, "DiffuseColor");
      b.connect(5, id + 1);
    }
    const auto imported = import_fbx(folder.write("models/two.fbx", b.text()));
    ASSERT_TRUE(imported) << imported.error().message;
    ASSERT_EQ(imported->model.images().size(), inside ? 1u : 2u);
    EXPECT_EQ(bytes_of(imported->model.images()[0]), kPng);
    EXPECT_EQ(imported->model.materials()[1].base_image, inside ? 0u : 1u);
    EXPECT_TRUE(inside || bytes_of(imported->model.images()[1]) == kJpeg);
  }
}

TEST(FbxPictures, WebPBecomesPngInTheFileAndBesideIt) {
  const std::vector<std::uint8_t> pixels(2 * 3 * 4, 200);
  std::uint8_t* encoded = nullptr;
  const std::size_t size = WebPEncodeLosslessRGBA(pixels.data(), 2, 3, 2 * 4, &encoded);
  const std::string webp(reinterpret_cast<const char*>(encoded), size);
  WebPFree(encoded);
  const ScratchFolder folder;
  folder.write("models/freckles.webp", webp);
  for (const Textured& textured : {Textured{"RelativeFilename: \"freckles.webp\"\n"},
                                   Textured{{}, fmt::format("Content: ,\n\"{}\"\n", base64(webp))}}) {
    const auto imported = import_from(folder, textured);
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_TRUE(imported->notes.empty()) << testing::PrintToString(imported->notes);
    ASSERT_EQ(imported->model.images().size(), 1u);
    const ImageSource& image = imported->model.images()[0];
    EXPECT_EQ(image.mime_type, "image/png");
    EXPECT_TRUE(bytes_of(image).starts_with("\x89PNG"));
    EXPECT_TRUE(image.file.empty()) << "what lies there is no PNG";
    EXPECT_EQ(image_size(image.bytes.span())->height, 3u);
  }
}

TEST(FbxPictures, OfOtherKindsOrCutShortAreNoted) {
  const ScratchFolder folder;
  folder.write("models/a.tga", "TRUEVISION");
  folder.write("models/b.png", kPng.substr(0, 12));
  for (const auto& [file, reason] : {std::pair("a.tga", "neither PNG, JPEG nor WebP"), {"b.png", "cut short"}}) {
    const auto imported = import_from(folder, {fmt::format("RelativeFilename: \"{}\"\n", file)});
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_TRUE(imported->model.images().empty());
    ASSERT_EQ(imported->notes.size(), 1u);
    EXPECT_NE(imported->notes[0].find(reason), std::string::npos) << imported->notes[0];
  }
}

TEST(FbxPictures, KeepHowTheyRepeat) {
  const ScratchFolder folder;
  folder.write("models/plain.jpg", kJpeg);
  const auto imported = import_from(
      folder, {"RelativeFilename: \"plain.jpg\"\n", {}, properties({{"WrapModeU", {1}}, {"WrapModeV", {0}}})});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.materials()[0].wrap_u, Wrap::clamp);
  EXPECT_EQ(imported->model.materials()[0].wrap_v, Wrap::repeat);
}

}  // namespace
}  // namespace throng::test
