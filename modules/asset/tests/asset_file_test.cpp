// The file as a whole: what is written is what is read, and any change to it is seen.
#include <algorithm>
#include <cstring>

#include "small_asset.h"

namespace throng {
namespace {

BakedModel reread() {
  auto model = decode_asset(SharedBytes(small_file()));
  EXPECT_TRUE(model.has_value()) << (model ? "" : model.error().message);
  return *std::move(model);
}

TEST(AssetFile, KeepsEveryNumberExactly) {
  const BakedModel in = small_model();
  const BakedModel out = reread();
  EXPECT_EQ(out.name, in.name);
  for (std::size_t i = 0; i < in.bones.size(); ++i) {
    EXPECT_EQ(out.bones[i].name, in.bones[i].name);
    EXPECT_EQ(out.bones[i].pivot, in.bones[i].pivot);
  }
  ASSERT_EQ(out.clips.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const BakedClip& a = in.clips[i];
    const BakedClip& b = out.clips[i];
    EXPECT_EQ(b.name, a.name);
    EXPECT_EQ(b.source_start, a.source_start);
    EXPECT_EQ(b.length, a.length);
    EXPECT_EQ(b.loops, a.loops);
    EXPECT_EQ(b.frame_count, a.frame_count);
    EXPECT_EQ(b.first_frame, a.first_frame);
    EXPECT_EQ(b.layer, a.layer);
    EXPECT_EQ(b.range.pivot_min, a.range.pivot_min);
    EXPECT_EQ(b.range.pivot_size, a.range.pivot_size);
    EXPECT_EQ(b.range.scale_max, a.range.scale_max);
    EXPECT_EQ(b.bounds.min, a.bounds.min);
    EXPECT_EQ(b.bounds.max, a.bounds.max);
    ASSERT_EQ(b.events.size(), 2u);
    EXPECT_EQ(b.events[1].time, a.events[1].time);
    EXPECT_EQ(b.events[1].name, a.events[1].name);
  }
  ASSERT_EQ(out.sockets.size(), 1u);
  EXPECT_EQ(out.sockets[0].name, "grip");
  EXPECT_EQ(out.sockets[0].bone, 1u);
  EXPECT_EQ(out.sockets[0].mesh_from_socket.translation, in.sockets[0].mesh_from_socket.translation);
  EXPECT_EQ(out.sockets[0].mesh_from_socket.rotation, in.sockets[0].mesh_from_socket.rotation);
  EXPECT_EQ(out.error.mm_per_unit, in.error.mm_per_unit);
  EXPECT_EQ(out.error.between.p999_mm, 2.0);
  EXPECT_EQ(out.error.worst_bone, "spine");
  EXPECT_EQ(out.notes, in.notes);
}

TEST(AssetFile, KeepsMeshMaterialsAndPictures) {
  const BakedModel in = small_model();
  const BakedModel out = reread();
  ASSERT_EQ(out.vertices.size_bytes(), in.vertices.size_bytes());
  EXPECT_EQ(std::memcmp(out.vertices.data(), in.vertices.data(), in.vertices.size_bytes()), 0);
  EXPECT_TRUE(std::equal(out.indices.begin(), out.indices.end(), in.indices.begin(), in.indices.end()));
  EXPECT_TRUE(
      std::equal(out.atlas.texels.begin(), out.atlas.texels.end(), in.atlas.texels.begin(), in.atlas.texels.end()));
  EXPECT_EQ(out.atlas.layout, in.atlas.layout);
  ASSERT_EQ(out.parts.size(), 2u);
  EXPECT_EQ(out.parts[1].material, 1u);
  EXPECT_EQ(out.parts[1].first_index, 3u);
  EXPECT_EQ(out.parts[1].index_count, 3u);
  ASSERT_EQ(out.sources.size(), 2u);
  EXPECT_EQ(out.sources[1].node, 5u);
  EXPECT_EQ(out.sources[1].primitive, 1u);
  EXPECT_EQ(out.sources[1].first_vertex, 3u);
  ASSERT_EQ(out.materials.size(), 2u);
  EXPECT_EQ(out.materials[0].base_colour, in.materials[0].base_colour);
  EXPECT_TRUE(out.materials[0].double_sided);
  EXPECT_FALSE(out.materials[0].base_image.has_value());
  EXPECT_EQ(out.materials[1].base_image, 0u);
  EXPECT_EQ(out.materials[1].wrap_u, Wrap::clamp);
  EXPECT_EQ(out.materials[1].wrap_v, Wrap::mirror);
  EXPECT_TRUE(out.materials[1].nearest_filter);
  EXPECT_EQ(out.materials[1].alpha_mode, AlphaMode::mask);
  EXPECT_EQ(out.materials[1].alpha_cutoff, 0.25f);
  const auto image = decode_image(out.images.at(0).bytes.span());
  ASSERT_TRUE(image.has_value()) << image.error().message;
  EXPECT_EQ(image->rgba[12], 9);
}

TEST(AssetFile, IsTheSameBytesEveryTimeAndAfterReading) {
  EXPECT_EQ(small_file(), small_file());
  EXPECT_EQ(*encode_asset(reread()), small_file());
}

TEST(AssetFile, ArraysAreViewsIntoTheFileAlignedTo16) {
  const BakedModel model = reread();
  const auto inside = [&](const void* p) {
    const auto* const b = static_cast<const std::byte*>(p);
    return b >= model.storage.data() && b < model.storage.data() + model.storage.size();
  };
  for (const void* p : {static_cast<const void*>(model.vertices.data()), static_cast<const void*>(model.indices.data()),
                        static_cast<const void*>(model.atlas.texels.data())}) {
    EXPECT_TRUE(inside(p));
    EXPECT_EQ((static_cast<const std::byte*>(p) - model.storage.data()) % 16, 0);
  }
}

TEST(AssetFile, PicturesOutliveTheModelTheyWereReadWith) {
  std::vector<ImageSource> images = reread().images;
  EXPECT_TRUE(decode_image(images.at(0).bytes.span()).has_value());
}

TEST(AssetFile, BytesThatAreNotAlignedAreReadAllTheSame) {
  auto shifted = std::make_shared<std::vector<std::byte>>(1);
  const auto file = small_file();
  shifted->insert(shifted->end(), file.begin(), file.end());
  const auto model = decode_asset(SharedBytes(shifted, std::span<const std::byte>(*shifted).subspan(1)));
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(model->vertices[1].colour[1], 128);
}

TEST(AssetFile, IsWrittenAndReadByName) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_asset(small_model(), folder / "a.throng.glb").has_value());
  const auto model = read_asset(folder / "a.throng.glb");
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(model->find_clip("fall").value(), 1u);
  EXPECT_NE(model->find_clip("fly").error().message.find("walk, fall"), std::string::npos);
  const auto missing = read_asset(folder / "b.throng.glb");
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().message.find("b.throng.glb"), std::string::npos);
}

TEST(AssetFile, IsToldFromOtherFiles) {
  const auto file = small_file();
  EXPECT_TRUE(looks_like_asset(file));
  EXPECT_FALSE(looks_like_asset({}));
  EXPECT_FALSE(looks_like_asset(std::span(file).subspan(4)));
  EXPECT_FALSE(looks_like_asset(std::span(file).first(40)));
  Halves halves = taken_apart(file);
  halves.json.erase("extensions");
  halves.json["extensionsUsed"] = {"THRONG_other"};
  halves.json["extras"] = {{"hash", "0000000000000000"}};
  EXPECT_FALSE(looks_like_asset(put_together(halves)));
}

TEST(AssetFile, EveryByteChangedIsRefused) {
  const auto file = small_file();
  ASSERT_LT(file.size(), 20000u);
  std::size_t tried = 0;
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (const std::byte changed : {file[i] ^ std::byte{1}, file[i] ^ std::byte{0x80}, std::byte{0}, std::byte{0xFF},
                                    file[i] ^ std::byte{0x20}}) {
      if (changed == file[i]) continue;
      std::vector<std::byte> bad = file;
      bad[i] = changed;
      ASSERT_NE(refusal(std::move(bad)), "") << "byte " << i;
      ++tried;
    }
  }
  EXPECT_GT(tried, 4 * file.size());
}

TEST(AssetFile, EveryLengthButItsOwnIsRefused) {
  const auto file = small_file();
  for (std::size_t size = 0; size < file.size(); ++size) {
    ASSERT_NE(refusal({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}), "") << size;
  }
  std::vector<std::byte> longer = file;
  longer.resize(file.size() + 4);
  EXPECT_NE(refusal(longer), "");
}

TEST(AssetFile, NamesThatAreNotUtf8AreWrittenWithReplacements) {
  BakedModel model = small_model();
  model.bones[0].name = "hip\xFFs";
  const auto bytes = encode_asset(model);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(decode_asset(SharedBytes(*bytes))->bones[0].name, "hip\xEF\xBF\xBDs");
}

TEST(AssetFile, ANameThatLooksLikeTheHashFoolsNobody) {
  BakedModel model = small_model();
  model.name = "\"hash\":\"0123456789abcdef\"";
  model.notes = {model.name};
  const auto bytes = encode_asset(model);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(decode_asset(SharedBytes(*bytes))->name, model.name);
}

TEST(AssetFile, WhatCannotBeReadIsNotWritten) {
  BakedModel model = small_model();
  model.clips[0].length = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(encode_asset(model).has_value());
  model = small_model();
  model.bounds = Bounds{};
  EXPECT_FALSE(encode_asset(model).has_value());
  model = small_model();
  model.images[0].mime_type = "image/webp";
  EXPECT_FALSE(encode_asset(model).has_value());
}

}  // namespace
}  // namespace throng
