// SPDX-License-Identifier: Apache-2.0
// What is written is what is read, field by field.
#include <algorithm>

#include "small_asset.h"
#include "throng/character/file.h"

namespace throng {
namespace {

Character reread(const Character& model) {
  auto read = decode_character(SharedBytes(file_of(model)));
  EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().message);
  return *std::move(read);
}

void expect_same(const ErrorFigures& a, const ErrorFigures& b) {
  EXPECT_EQ(a.max_mm, b.max_mm);
  EXPECT_EQ(a.p999_mm, b.p999_mm);
  EXPECT_EQ(a.rms_mm, b.rms_mm);
  EXPECT_EQ(a.normal_max_degrees, b.normal_max_degrees);
}

void expect_same(const BoneSample& a, const BoneSample& b) {
  EXPECT_EQ(a.rotation, b.rotation);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.scale, b.scale);
}

void expect_same(const BakedDraw& a, const BakedDraw& b) {
  EXPECT_EQ(a.material, b.material);
  EXPECT_EQ(a.first_index, b.first_index);
  EXPECT_EQ(a.index_count, b.index_count);
}

void expect_same(const BakedClip& a, const BakedClip& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.source_start, b.source_start);
  EXPECT_EQ(a.length, b.length);
  EXPECT_EQ(a.loops, b.loops);
  EXPECT_EQ(a.frame_count, b.frame_count);
  EXPECT_EQ(a.first_frame, b.first_frame);
  EXPECT_EQ(a.layer, b.layer);
  EXPECT_EQ(a.encoding, b.encoding);
  EXPECT_EQ(a.first_table_row, b.first_table_row);
  EXPECT_EQ(a.range.pivot_min, b.range.pivot_min);
  EXPECT_EQ(a.range.pivot_size, b.range.pivot_size);
  EXPECT_EQ(a.range.scale_max, b.range.scale_max);
  EXPECT_EQ(a.bounds.min, b.bounds.min);
  EXPECT_EQ(a.bounds.max, b.bounds.max);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].time, b.events[i].time);
    EXPECT_EQ(a.events[i].name, b.events[i].name);
  }
  ASSERT_EQ(a.root_motion.size(), b.root_motion.size());
  for (std::size_t i = 0; i < a.root_motion.size(); ++i) {
    EXPECT_EQ(a.root_motion[i].translation, b.root_motion[i].translation);
    EXPECT_EQ(a.root_motion[i].yaw, b.root_motion[i].yaw);
  }
  expect_same(a.error.at_frames, b.error.at_frames);
  expect_same(a.error.between, b.error.between);
  EXPECT_EQ(a.error.worst_bone, b.error.worst_bone);
  EXPECT_EQ(a.error.worst_time, b.error.worst_time);
  EXPECT_EQ(a.choice, b.choice);
}

class EveryModel : public testing::TestWithParam<std::size_t> {
 protected:
  Character in_ = small_models()[GetParam()];
  Character out_ = reread(in_);
};

TEST_P(EveryModel, KeepsEveryClipExactly) {
  ASSERT_EQ(out_.clips().size(), in_.clips().size());
  for (std::size_t i = 0; i < in_.clips().size(); ++i) expect_same(in_.clips()[i], out_.clips()[i]);
}

TEST_P(EveryModel, KeepsWhatItIsMadeOf) {
  EXPECT_EQ(out_.name(), in_.name());
  EXPECT_EQ(out_.mode(), in_.mode());
  EXPECT_EQ(out_.tangents_animated(), in_.tangents_animated());
  EXPECT_EQ(out_.bounds().min, in_.bounds().min);
  EXPECT_EQ(out_.bounds().max, in_.bounds().max);
  ASSERT_EQ(out_.bones().size(), in_.bones().size());
  for (std::size_t i = 0; i < in_.bones().size(); ++i) {
    EXPECT_EQ(out_.bones()[i].name, in_.bones()[i].name);
    EXPECT_EQ(out_.bones()[i].link, in_.bones()[i].link);
    expect_same(out_.bones()[i].link_from_mesh, in_.bones()[i].link_from_mesh);
  }
  ASSERT_EQ(out_.skeleton().size(), in_.skeleton().size());
  for (std::size_t i = 0; i < in_.skeleton().size(); ++i) {
    EXPECT_EQ(out_.skeleton()[i].parent, in_.skeleton()[i].parent);
    EXPECT_EQ(out_.skeleton()[i].rotation_slot, in_.skeleton()[i].rotation_slot);
    EXPECT_EQ(out_.skeleton()[i].translation_slot, in_.skeleton()[i].translation_slot);
    expect_same(out_.skeleton()[i].rest, in_.skeleton()[i].rest);
  }
  ASSERT_EQ(out_.sockets().size(), 1u);
  EXPECT_EQ(out_.sockets()[0].name, "grip");
  EXPECT_EQ(out_.sockets()[0].bone, in_.sockets()[0].bone);
  EXPECT_EQ(out_.sockets()[0].mesh_from_socket.translation, in_.sockets()[0].mesh_from_socket.translation);
  EXPECT_EQ(out_.sockets()[0].mesh_from_socket.rotation, in_.sockets()[0].mesh_from_socket.rotation);
  EXPECT_EQ(out_.sockets()[0].mesh_from_socket.scale, in_.sockets()[0].mesh_from_socket.scale);
}

template <class T>
void expect_same_bytes(std::span<const T> a, std::span<const T> b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(std::ranges::equal(std::as_bytes(a), std::as_bytes(b)));
}

TEST_P(EveryModel, KeepsEveryArray) {
  expect_same_bytes(out_.vertices().bytes(), in_.vertices().bytes());
  EXPECT_EQ(out_.vertices().stride(), in_.mode() == BakeMode::bones ? 52u : 24u);
  EXPECT_EQ(out_.vertices().stride(), in_.vertices().stride());
  expect_same_bytes(out_.vertex_numbers(), in_.vertex_numbers());
  expect_same_bytes(out_.tangents(), in_.tangents());
  expect_same_bytes(out_.indices(), in_.indices());
  expect_same_bytes(out_.baked_from_source(), in_.baked_from_source());
  expect_same_bytes(out_.table(), in_.table());
  expect_same_bytes(out_.upload().skin_vertices, in_.upload().skin_vertices);
  expect_same_bytes(std::span<const glm::vec4>(out_.upload().speck.bands),
                    std::span<const glm::vec4>(in_.upload().speck.bands));
  expect_same_bytes(std::span<const gpu::SpeckSums>(out_.upload().speck_parts),
                    std::span<const gpu::SpeckSums>(in_.upload().speck_parts));
  EXPECT_EQ(out_.upload().uniform_scale, in_.upload().uniform_scale);
  expect_same_bytes(out_.atlas().words, in_.atlas().words);
  EXPECT_EQ(out_.atlas().layout, in_.atlas().layout);
  EXPECT_EQ(out_.atlas().height, in_.atlas().height);
  EXPECT_EQ(out_.atlas().layer_count, in_.atlas().layer_count);
}

// What the bake worked out for renderers is taken from the file, not worked out again.
TEST_P(EveryModel, SaysOfScalesAndSpecksWhatItsFileSays) {
  Halves halves = taken_apart(file_of(in_));
  halves.extension()["uniformScale"] = !in_.upload().uniform_scale;
  halves.extension()["speck"][0][1] = 0.0625;
  if (!in_.parts().empty()) halves.extension()["speckParts"][0][1] = 0.0625;
  const auto read = decode_character(SharedBytes(put_together(halves)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->upload().uniform_scale, !in_.upload().uniform_scale);
  EXPECT_NE(in_.upload().speck.bands[0].y, 0.0625f) << "for the comparison to mean something";
  EXPECT_EQ(read->upload().speck.bands[0].y, 0.0625f);
  if (in_.parts().empty()) return;
  EXPECT_NE(in_.upload().speck_parts[0].painted[0].y, 0.0625f) << "for the comparison to mean something";
  EXPECT_EQ(read->upload().speck_parts[0].painted[0].y, 0.0625f);
}

TEST_P(EveryModel, IsTheSameBytesEveryTimeAndAfterReading) {
  EXPECT_EQ(file_of(in_), file_of(in_));
  EXPECT_EQ(file_of(out_), file_of(in_));
}

TEST_P(EveryModel, ArraysAreViewsIntoTheFileAlignedTo16) {
  const SharedBytes& storage = out_.draft().storage;
  const auto expect_inside = [&](std::span<const std::byte> bytes, const char* what) {
    if (bytes.empty()) return;
    EXPECT_GE(bytes.data(), storage.data()) << what;
    EXPECT_LE(bytes.data() + bytes.size(), storage.data() + storage.size()) << what;
    EXPECT_EQ((bytes.data() - storage.data()) % 16, 0) << what;
  };
  expect_inside(std::as_bytes(out_.upload().skin_vertices), "skin vertices");
  expect_inside(out_.vertices().bytes(), "vertices");
  expect_inside(std::as_bytes(out_.vertex_numbers()), "vertex numbers");
  expect_inside(std::as_bytes(out_.tangents()), "tangents");
  expect_inside(std::as_bytes(out_.indices()), "indices");
  expect_inside(std::as_bytes(out_.baked_from_source()), "source");
  expect_inside(std::as_bytes(out_.table()), "table");
  expect_inside(std::as_bytes(out_.atlas().words), "words");
}

INSTANTIATE_TEST_SUITE_P(AssetRoundTrip, EveryModel, testing::Range(std::size_t{0}, small_models().size()));

TEST(AssetRoundTrip, KeepsReportRepairsAndNotes) {
  const Character in = small_model();
  const Character out = reread(in);
  EXPECT_EQ(out.error().mm_per_unit, in.error().mm_per_unit);
  expect_same(out.error().at_frames, in.error().at_frames);
  expect_same(out.error().between, in.error().between);
  EXPECT_EQ(out.error().worst_clip, "walk");
  EXPECT_EQ(out.error().worst_bone, "spine");
  EXPECT_EQ(out.error().worst_time, 0.123);
  EXPECT_EQ(out.half_float_bytes(), 123456789012345u);
  EXPECT_EQ(out.repairs().weights_rescaled, 1u);
  EXPECT_EQ(out.repairs().influences_dropped, 2u);
  EXPECT_EQ(out.repairs().vertices_cut, 3u);
  EXPECT_EQ(out.repairs().most_weight_dropped, 0.25);
  EXPECT_EQ(out.repairs().mean_weight_dropped, 0.125);
  EXPECT_EQ(out.repairs().vertices_unweighted, 4u);
  EXPECT_EQ(out.repairs().quaternions_fixed, 5u);
  EXPECT_EQ(out.repairs().normals_fixed, 6u);
  EXPECT_EQ(out.repairs().faults_mended, 7u);
  EXPECT_EQ(out.notes(), in.notes());
}

TEST(AssetRoundTrip, KeepsPartsAndTheirGroups) {
  const Character in = small_model();
  const Character out = reread(in);
  ASSERT_EQ(out.parts().size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(out.parts()[i].name, in.parts()[i].name);
    EXPECT_EQ(out.parts()[i].bounds.min, in.parts()[i].bounds.min);
    EXPECT_EQ(out.parts()[i].bounds.max, in.parts()[i].bounds.max);
  }
  ASSERT_EQ(out.part_groups().size(), 1u);
  EXPECT_EQ(out.part_groups()[0].name, "head");
  EXPECT_TRUE(out.part_groups()[0].optional);
  EXPECT_EQ(out.part_groups()[0].parts, in.part_groups()[0].parts);
  EXPECT_EQ(out.part_groups()[0].only_asked, 1u);
  EXPECT_EQ(out.sockets().at(0).part, PartId(2));
  EXPECT_TRUE(std::ranges::equal(out.vertex_parts(), in.vertex_parts()));
}

TEST(AssetRoundTrip, KeepsDrawsLevelsAndSources) {
  const Character in = small_model();
  const Character out = reread(in);
  ASSERT_EQ(out.draws().size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) expect_same(in.draws()[i], out.draws()[i]);
  ASSERT_EQ(out.levels().size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(out.levels()[i].error, in.levels()[i].error);
    EXPECT_EQ(out.levels()[i].vertex_count, 3u);
    EXPECT_EQ(out.levels()[i].fewer_bones, in.levels()[i].fewer_bones);
    ASSERT_EQ(out.levels()[i].draws.size(), 1u);
    expect_same(in.levels()[i].draws[0], out.levels()[i].draws[0]);
  }
  EXPECT_EQ(out.fewer_bones(), in.fewer_bones());
  ASSERT_EQ(out.sources().size(), 2u);
  EXPECT_EQ(out.sources()[1].node, 5u);
  EXPECT_EQ(out.sources()[1].primitive, 1u);
  EXPECT_EQ(out.sources()[1].first_vertex, 3u);
  EXPECT_EQ(out.sources()[1].vertex_count, 2u);
}

TEST(AssetRoundTrip, KeepsNormalMapsWithAndWithoutABaseTexture) {
  CharacterDraft in = small_draft();
  in.materials[1].normal_image = 0;
  in.materials[1].normal_scale = 0.25f;
  in.materials[0].normal_image = 0;
  in.materials[0].wrap_u = Wrap::mirror;
  const Character out = reread(test::built(std::move(in)));
  ASSERT_EQ(out.materials().size(), 2u);
  EXPECT_EQ(out.materials()[1].base_image, 0u);
  EXPECT_EQ(out.materials()[1].normal_image, 0u);
  EXPECT_EQ(out.materials()[1].normal_scale, 0.25f);
  EXPECT_FALSE(out.materials()[0].base_image.has_value());
  EXPECT_EQ(out.materials()[0].normal_image, 0u);
  EXPECT_EQ(out.materials()[0].normal_scale, 1.0f);
  EXPECT_EQ(out.materials()[0].wrap_u, Wrap::mirror);
}

TEST(AssetRoundTrip, KeepsMaterialsAndPictures) {
  const Character in = small_model();
  const Character out = reread(in);
  ASSERT_EQ(out.materials().size(), 2u);
  EXPECT_EQ(out.materials()[0].base_colour, in.materials()[0].base_colour);
  EXPECT_TRUE(out.materials()[0].double_sided);
  EXPECT_FALSE(out.materials()[0].base_image.has_value());
  EXPECT_EQ(out.materials()[1].base_image, 0u);
  EXPECT_EQ(out.materials()[1].wrap_u, Wrap::clamp);
  EXPECT_EQ(out.materials()[1].wrap_v, Wrap::mirror);
  EXPECT_TRUE(out.materials()[1].nearest_filter);
  EXPECT_EQ(out.materials()[1].alpha_mode, AlphaMode::mask);
  EXPECT_EQ(out.materials()[1].alpha_cutoff, 0.25f);
  const auto image = decode_image(out.images().at(0).bytes.span());
  ASSERT_TRUE(image.has_value()) << image.error().message;
  EXPECT_EQ(image->rgba[12], 9);
}

TEST(AssetRoundTrip, TheTexelFormatSaysWhatTheWordsAre) {
  const auto format_of = [](const Character& model) {
    return taken_apart(file_of(model)).extension()["atlas"]["format"].get<std::string>();
  };
  EXPECT_EQ(format_of(small_model()), "rgba32ui");
  EXPECT_EQ(format_of(made_model(Encoding::q8, {16, 2})), "rg32ui");
  EXPECT_EQ(format_of(made_model(Encoding::half_rows, {16, 2})), "rgba16f");
}

}  // namespace
}  // namespace throng
