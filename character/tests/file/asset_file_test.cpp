// SPDX-License-Identifier: Apache-2.0
// The file as a whole: any change to it is seen, and what cannot be read is not written.
#include <algorithm>
#include <limits>

#include "encodings_where.h"
#include "small_asset.h"
#include "throng/character/file.h"

namespace throng {
namespace {

Character reread() {
  auto model = decode_character(SharedBytes(small_file()));
  EXPECT_TRUE(model.has_value()) << (model ? "" : model.error().message);
  return *std::move(model);
}

TEST(AssetFile, PicturesOutliveTheModelTheyWereReadWith) {
  std::vector<ImageSource> images = reread().images();
  EXPECT_TRUE(decode_image(images.at(0).bytes.span()).has_value());
}

TEST(AssetFile, BytesThatAreNotAlignedAreReadAllTheSame) {
  auto shifted = std::make_shared<std::vector<std::byte>>(1);
  const auto file = small_file();
  shifted->insert(shifted->end(), file.begin(), file.end());
  const auto model = decode_character(SharedBytes(shifted, std::span<const std::byte>(*shifted).subspan(1)));
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(model->vertices()[1].colour[1], 128);
}

TEST(AssetFile, IsWrittenAndReadByName) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_character(small_model(), folder / "a.throng.glb").has_value());
  const auto model = read_character(folder / "a.throng.glb");
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(model->find_clip("fall").value(), ClipId(1));
  EXPECT_NE(model->find_clip("fly").error().message.find("'walk', 'fall'"), std::string::npos);
  const auto missing = read_character(folder / "b.throng.glb");
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().message.find("b.throng.glb"), std::string::npos);
}

TEST(AssetFile, IsTheSameBytesWrittenPieceByPieceAsMadeInMemory) {
  const TemporaryFolder folder;
  for (const Character& model : small_models()) {
    ASSERT_TRUE(write_character(model, folder / "a.throng.glb").has_value());
    const auto written = map_file(folder / "a.throng.glb");
    ASSERT_TRUE(written.has_value());
    EXPECT_TRUE(std::ranges::equal(written->span(), file_of(model))) << model.name();
  }
}

TEST(AssetFile, IsLeftAsItWasWhenTheNewOneCannotBeWritten) {
  const TemporaryFolder folder;
  // A folder that is not empty cannot be replaced by a file.
  std::filesystem::create_directory(folder / "a.throng.glb");
  ASSERT_TRUE(write_file(folder / "a.throng.glb/inside", small_png()));
  const auto written = write_character(small_model(), folder / "a.throng.glb");
  ASSERT_FALSE(written.has_value());
  EXPECT_NE(written.error().message.find("a.throng.glb"), std::string::npos) << written.error().message;
  EXPECT_TRUE(std::ranges::equal(map_file(folder / "a.throng.glb/inside")->span(), small_png()));
}

TEST(AssetFile, IsToldFromOtherFiles) {
  const auto file = small_file();
  EXPECT_TRUE(looks_like_character(file));
  EXPECT_FALSE(looks_like_character({}));
  EXPECT_FALSE(looks_like_character(std::span(file).subspan(4)));
  EXPECT_FALSE(looks_like_character(std::span(file).first(40)));
  Halves halves = taken_apart(file);
  halves.json.erase("extensions");
  halves.json["extensionsUsed"] = {"THRONG_other"};
  halves.json["extras"] = {{"hash", "0000000000000000"}};
  EXPECT_FALSE(looks_like_character(put_together(halves)));
}

TEST(AssetFile, EveryByteChangedIsRefused) {
  for (const Character& model : small_models()) {
    const auto file = file_of(model);
    ASSERT_LT(file.size(), 17000u);
    std::size_t tried = 0;
    for (std::size_t i = 0; i < file.size(); ++i) {
      for (const std::byte changed : {file[i] ^ std::byte{1}, file[i] ^ std::byte{0x80}, std::byte{0}, std::byte{0xFF},
                                      file[i] ^ std::byte{0x20}}) {
        if (changed == file[i]) continue;
        std::vector<std::byte> bad = file;
        bad[i] = changed;
        ASSERT_NE(refusal(std::move(bad)), "") << model.name() << ", byte " << i;
        ++tried;
      }
    }
    EXPECT_GT(tried, 3 * file.size());
  }
}

TEST(AssetFile, EveryLengthButItsOwnIsRefused) {
  for (const Character& model : small_models()) {
    const auto file = file_of(model);
    for (std::size_t size = 0; size < file.size(); ++size) {
      ASSERT_NE(refusal({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}), "") << size;
    }
    std::vector<std::byte> longer = file;
    longer.resize(file.size() + 4);
    EXPECT_NE(refusal(longer), "");
  }
}

TEST(AssetFile, NamesThatAreNotUtf8AreWrittenWithReplacements) {
  CharacterDraft draft = small_draft();
  draft.bones[0].name = "hip\xFFs";
  const auto bytes = encode_character(test::built(std::move(draft)));
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(decode_character(SharedBytes(*bytes))->bones()[0].name, "hip\xEF\xBF\xBDs");
}

TEST(AssetFile, ANameThatLooksLikeTheHashFoolsNobody) {
  CharacterDraft draft = small_draft();
  draft.name = "\"hash\":\"0123456789abcdef\"";
  draft.notes = {draft.name};
  const Character model = test::built(std::move(draft));
  const auto bytes = encode_character(model);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(decode_character(SharedBytes(*bytes))->name(), model.name());
}

TEST(AssetFile, HalfFloatsAreInTexelsOfTheirOwnSizeOrNotBuilt) {
  for (const Encoding encoding : test::half_encodings()) {
    EXPECT_TRUE(encode_character(made_model(encoding, {16, 2})).has_value());
    const auto refused = build_character(made_draft(encoding, {16, 4}));
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().message.find("needs texels of 2 words"), std::string::npos) << refused.error().message;
  }
}

}  // namespace
}  // namespace throng
