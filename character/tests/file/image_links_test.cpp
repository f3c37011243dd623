// SPDX-License-Identifier: Apache-2.0
// Pictures that lie beside an asset instead of in it.
#include "file/image_links.h"

#include "small_asset.h"
#include "throng/character/file.h"

namespace throng {
namespace {

CharacterDraft linked_draft(std::string path) {
  CharacterDraft draft = small_draft();
  draft.images[0].uri = std::move(path);
  return draft;
}

Character linked_model(std::string path) { return test::built(linked_draft(std::move(path))); }

TEST(ImageLinks, AreReadFromTheAssetsFolder) {
  const TemporaryFolder folder;
  const std::string path = "skins & so on/größe 100%.png";
  std::filesystem::create_directory(folder / "skins & so on");
  ASSERT_TRUE(write_file(folder / path.c_str(), small_png()));
  ASSERT_TRUE(write_character(linked_model(path), folder / "a.throng.glb").has_value());
  const auto model = read_character(folder / "a.throng.glb");
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(model->images()[0].uri, path);
  EXPECT_EQ(model->images()[0].file, folder / path.c_str());
  EXPECT_TRUE(decode_image(model->images()[0].bytes.span()).has_value());
  EXPECT_EQ(file_of(*model), file_of(linked_model(path)));
}

TEST(ImageLinks, AreNotInTheFile) {
  const Halves halves = taken_apart(file_of(linked_model("skin.png")));
  EXPECT_EQ(halves.json["images"][0]["uri"], "skin.png");
  EXPECT_FALSE(halves.json["images"][0].contains("bufferView"));
  const auto model = decode_character(SharedBytes(put_together(halves)));
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(model->images()[0].bytes.size(), 0u);
}

TEST(ImageLinks, ThatLeadNowhereAreNamed) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_character(linked_model("skin.png"), folder / "a.throng.glb").has_value());
  const auto model = read_character(folder / "a.throng.glb");
  ASSERT_FALSE(model.has_value());
  EXPECT_NE(model.error().message.find("a.throng.glb: "), std::string::npos) << model.error().message;
  EXPECT_NE(model.error().message.find("skin.png"), std::string::npos) << model.error().message;
}

TEST(ImageLinks, AreNotFollowedOutOfTheFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "inside");
  ASSERT_TRUE(write_file(folder / "secret.png", small_png()));
  std::filesystem::create_symlink("../secret.png", folder / "inside/skin.png");
  ASSERT_TRUE(write_character(linked_model("skin.png"), folder / "inside/a.throng.glb").has_value());
  const auto model = read_character(folder / "inside/a.throng.glb");
  ASSERT_FALSE(model.has_value());
  EXPECT_NE(model.error().message.find("a link leads out of the folder"), std::string::npos) << model.error().message;
}

TEST(ImageLinks, NeverLeaveTheFolder) {
  for (const std::string& path :
       {std::string("../a.png"), std::string("/a.png"), std::string("a/../../b.png"), std::string("./a.png"),
        std::string("a//b.png"), std::string("a/"), std::string(""), std::string("http://a/b.png"),
        std::string("c:a.png"), std::string("..\\a.png"), std::string("a\0.png", 6), std::string("..")}) {
    EXPECT_FALSE(is_link(path)) << path;
    EXPECT_FALSE(path_of_uri(uri_of(path)).has_value()) << path;
    EXPECT_EQ(build_character(linked_draft(path)).has_value(), path.empty()) << path;  // empty: embedded
  }
  for (const char* path : {"a.png", "a/b.png", "..a.png", "a..png/b", "ä b%.png"}) {
    EXPECT_TRUE(is_link(path)) << path;
    EXPECT_EQ(path_of_uri(uri_of(path)).value(), path);
  }
}

TEST(ImageLinks, OfAHostileFileAreRefused) {
  for (const char* uri : {"../a.png", "%2E%2E/a.png", "%2Fetc/a.png", "data:image/png;base64,AAAA", "a%2", "a%zz.png",
                          "a%-1.png", "a%00.png", "file:///a.png", ""}) {
    Halves halves = taken_apart(file_of(linked_model("skin.png")));
    halves.json["images"][0]["uri"] = uri;
    EXPECT_NE(refusal(put_together(halves)), "") << uri;
  }
  Halves both = taken_apart(file_of(linked_model("skin.png")));
  both.json["images"][0]["bufferView"] = 0;
  EXPECT_NE(refusal(put_together(both)), "");
}

TEST(ImageLinks, AreWrittenAsUris) {
  EXPECT_EQ(uri_of("a b/ü%.png"), "a%20b/%C3%BC%25.png");
  EXPECT_EQ(path_of_uri("a%20b/%c3%bc.png").value(), "a b/ü.png");
}

}  // namespace
}  // namespace throng
