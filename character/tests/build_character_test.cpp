// SPDX-License-Identifier: Apache-2.0
// What build_character refuses: every promise that those who draw a character rely on.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>

#include "small_asset.h"

namespace throng {
namespace {

struct Broken {
  const char* words;
  std::function<void(CharacterDraft&)> break_it;
};

void expect_refused(const CharacterDraft& whole, const std::vector<Broken>& all) {
  ASSERT_TRUE(build_character(whole).has_value());
  for (const Broken& broken : all) {
    CharacterDraft draft = whole;
    broken.break_it(draft);
    const auto built = build_character(std::move(draft));
    ASSERT_FALSE(built.has_value()) << broken.words;
    EXPECT_NE(built.error().message.find(broken.words), std::string::npos) << built.error().message;
  }
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Arrays that break a promise, for drafts to look into.
struct WildArrays {
  std::vector<std::uint32_t> indices{0, 1, 2, 2, 1, 99, 0, 1, 2};
  std::vector<BakedVertex> bones = small_vertices();
  std::vector<BakedVertex> weights = small_vertices();
  std::vector<float> numbers{0.0f, 2.0f, 2.0f, 3.0f};
  std::vector<SurfaceVertex> surfaces = surfaces_of(small_vertices());
  WildArrays() {
    bones[1].bones[3] = 77;
    weights[2].weights[0] -= 1;
  }
};

TEST(BuildCharacter, RefusesEachBrokenPromiseInWords) {
  static const WildArrays wild;
  expect_refused(
      small_draft(),
      {{"an atlas of 0 × ", [](CharacterDraft& m) { m.atlas.layout.width = 0; }},
       {"0 texels", [](CharacterDraft& m) { m.atlas.height = 0; }},
       {"atlas layers", [](CharacterDraft& m) { m.atlas.layer_count = 0; }},
       {"words where", [](CharacterDraft& m) { m.atlas.words = m.atlas.words.first(3); }},
       {"texels of 3 words", [](CharacterDraft& m) { m.atlas.layout.texel_words = 3; }},
       {"clip 'walk' is of an encoding nobody knows", [](CharacterDraft& m) { m.clips[0].encoding = Encoding{77}; }},
       {"is of encoding v8, which is of the other mode", [](CharacterDraft& m) { m.clips[0].encoding = Encoding::v8; }},
       {"2 bones in vertex mode", [](CharacterDraft& m) { m.mode = BakeMode::vertices; }},
       {"names rows 5+2 of a table of 6", [](CharacterDraft& m) { m.clips[0].first_table_row = 5; }},
       {"a clip is local8, but there is no skeleton",
        [](CharacterDraft& m) { m.clips[0].encoding = Encoding::local8; }},
       {"there are no clips", [](CharacterDraft& m) { m.clips.clear(); }},
       {"from layer 0 on, where there is room for 16", [](CharacterDraft& m) { m.clips[3].frame_count = 100; }},
       {"from layer 0 on, where there is room for 16", [](CharacterDraft& m) { m.clips[0].first_frame = 0xFFFFFFFFu; }},
       {"3 vertex numbers for 4 vertices", [](CharacterDraft& m) { m.vertex_numbers = m.vertex_numbers.first(3); }},
       {"vertex 1 has the number 2", [](CharacterDraft& m) { m.vertex_numbers = wild.numbers; }},
       {"its vertices follow no bones", [](CharacterDraft& m) { m.vertices = wild.surfaces; }},
       {"texels of 3 words; 1, 2 and 4 are possible", [](CharacterDraft& m) { m.atlas.layout.texel_words = 3; }},
       {"names layer 2 of 2", [](CharacterDraft& m) { m.clips[0].layer = 2; }},
       {"has a length of nan s", [](CharacterDraft& m) { m.clips[0].length = kNan; }},
       {"its bounds are no box", [](CharacterDraft& m) { m.bounds = Bounds{}; }},
       {"index 99 is past the last of 4 vertices", [](CharacterDraft& m) { m.indices = wild.indices; }},
       {"names bone 77 of 2", [](CharacterDraft& m) { m.vertices = wild.bones; }},
       {"weights that sum to 65534", [](CharacterDraft& m) { m.vertices = wild.weights; }},
       {"no whole number of the 0 there are", [](CharacterDraft& m) { m.indices = {}; }},
       {"there are no triangles", [](CharacterDraft& m) { m.draws.clear(); }},
       {"names material 9 of 2", [](CharacterDraft& m) { m.draws[0].material = 9; }},
       {"no whole number of the 9 there are", [](CharacterDraft& m) { m.draws[1].index_count += 300; }},
       {"material 0 is drawn twice at one level", [](CharacterDraft& m) { m.draws[1].material = 0; }},
       {"level 1: material 1 is drawn twice",
        [](CharacterDraft& m) { m.levels[0].draws.push_back(m.levels[0].draws[0]); }},
       {"level 2: draws that overlap",
        [](CharacterDraft& m) {
          m.levels[1].draws = {{0, 0, 6}, {1, 3, 6}};
        }},
       {"has 3 frames and no length", [](CharacterDraft& m) { m.clips[0].length = 0.0; }},
       {"names image 7 of 1", [](CharacterDraft& m) { m.materials[1].normal_image = 7; }},
       {"neither PNG nor JPEG", [](CharacterDraft& m) { m.images[0].mime_type = "image/webp"; }},
       {"names bone 2 of 2", [](CharacterDraft& m) { m.sockets[0].bone = 2; }},
       {"socket 'grip' is on part 3 of 3", [](CharacterDraft& m) { m.sockets[0].part = PartId(3); }}});
}

TEST(BuildCharacter, RefusesPartsThatCannotBeWorn) {
  static constexpr std::array<std::uint8_t, 4> kOneOfAnother{1, 1, 1, 0};
  static constexpr std::array<std::uint8_t, 4> kMiddleOfAnother{1, 0, 1, 1};
  static constexpr std::array<std::uint8_t, 4> kOneOfNone{1, 1, 1, 3};
  static constexpr std::array<std::uint32_t, 9> kThreesAreWhole{0, 1, 2, 3, 3, 3, 0, 1, 2};
  expect_refused(
      small_draft(),
      {{"0 of 4 vertices have a part", [](CharacterDraft& m) { m.vertex_parts = {}; }},
       {"a vertex is of part 1 of 0", [](CharacterDraft& m) { m.parts.clear(), m.part_groups.clear(); }},
       {"a vertex is of part 3 of 3", [](CharacterDraft& m) { m.vertex_parts = kOneOfNone; }},
       {"the triangle at index 3 is of several parts", [](CharacterDraft& m) { m.vertex_parts = kOneOfAnother; }},
       {"the triangle at index 0 is of several parts", [](CharacterDraft& m) { m.vertex_parts = kMiddleOfAnother; }},
       {"the triangle at index 1 is of several parts",
        [](CharacterDraft& m) {
          m.vertex_parts = kOneOfAnother;
          m.indices = kThreesAreWhole;
          m.draws[0].first_index = 1;
        }},
       {"65 parts; 64 are possible", [](CharacterDraft& m) { m.parts.resize(65, m.parts[0]); }},
       {"the bounds of part 'body' are no box", [](CharacterDraft& m) { m.parts[1].bounds = Bounds{}; }},
       {"the group 'head' has no parts", [](CharacterDraft& m) { m.part_groups[0].parts.clear(); }},
       {"the group 'head' keeps 2 of its 2 parts for the asking; one must be left",
        [](CharacterDraft& m) { m.part_groups[0].only_asked = 2; }},
       {"the group 'head' names part 3 of 3", [](CharacterDraft& m) { m.part_groups[0].parts[1] = PartId(3); }},
       {"part 'hood' is in two groups", [](CharacterDraft& m) {
          m.part_groups.push_back({"again", false, {PartId(2)}});
        }}});
}

TEST(Parts, AreWornAsUsualTheFirstOfEveryGroup) {
  const Character model = small_model();
  const PartMask usual = usual_parts(model.part_groups());
  EXPECT_TRUE(usual.has(PartId(1)));
  EXPECT_TRUE(usual.has(PartId(2))) << "the first of its group";
  EXPECT_FALSE(usual.has(PartId(0)));
}

TEST(Parts, PastTheLastThatIsPossibleAreWornAndCannotBeTakenOff) {
  PartMask mask;
  mask.take_off(PartId(64));
  mask.take_off(PartId(103));
  EXPECT_EQ(mask, PartMask());
  mask = PartMask(~std::uint64_t{0});
  mask.put_on(PartId(64));
  EXPECT_EQ(mask.hidden(), ~std::uint64_t{0});
  EXPECT_TRUE(mask.has(PartId(64)));
  EXPECT_FALSE(mask.has(PartId(63)));
}

TEST(Parts, AreChosenByASeedOneOfEveryGroupOrNone) {
  const std::vector<PartGroup> groups{{"hand", false, {PartId(3), PartId(40), PartId(63)}},
                                      {"head", true, {PartId(0), PartId(32)}}};
  std::map<std::uint64_t, int> seen;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const PartMask mask = dressed_parts(groups, seed);
    EXPECT_EQ(mask, dressed_parts(groups, seed));
    const auto worn = [&](const PartGroup& group) {
      return std::ranges::count_if(group.parts, [&](PartId part) { return mask.has(part); });
    };
    EXPECT_EQ(worn(groups[0]), 1);
    EXPECT_LE(worn(groups[1]), 1);
    EXPECT_TRUE(mask.has(PartId(1))) << "in no group";
    ++seen[mask.hidden()];
  }
  ASSERT_EQ(seen.size(), 9u) << "three for the hand, two or none for the head";
  for (const auto& [mask, times] : seen) EXPECT_GT(times, 30) << mask;
}

// Where nothing but what is for the asking is left out, a hand with shields never holds a second weapon.
TEST(Parts, ForTheAskingAreNeverChosenByASeed) {
  const std::vector<PartGroup> groups{{"right", false, {PartId(5), PartId(6)}},
                                      {"left", true, {PartId(0), PartId(1), PartId(2), PartId(3)}, 2}};
  std::map<std::uint64_t, int> seen;
  for (std::uint64_t seed = 0; seed < 1152; ++seed) {
    const PartMask mask = dressed_parts(groups, seed);
    EXPECT_FALSE(mask.has(PartId(2)));
    EXPECT_FALSE(mask.has(PartId(3)));
    ++seen[mask.hidden()];
  }
  ASSERT_EQ(seen.size(), 6u) << "two for the right hand, two or none for the left";
  for (const auto& [mask, times] : seen) EXPECT_GT(times, 130) << mask;
  EXPECT_TRUE(usual_parts(groups).has(PartId(0)));
}

TEST(BuildCharacter, RefusesSkeletonsThatCannotBePosed) {
  expect_refused(
      made_draft(Encoding::local8, {16, 2}),
      {{"link 3 of the skeleton comes before its parent", [](CharacterDraft& m) { m.skeleton[3].parent = 3; }},
       {"link 0 of the skeleton comes before its parent", [](CharacterDraft& m) { m.skeleton[0].parent = 5; }},
       {"follows link 7 of 4", [](CharacterDraft& m) { m.bones[2].link = 7; }},
       {"slots are not numbered", [](CharacterDraft& m) { m.skeleton[2].rotation_slot = 99; }},
       {"slots are not numbered", [](CharacterDraft& m) { m.skeleton[3].translation_slot = 0; }}});
}

TEST(BuildCharacter, PutsTheStrongestBoneOfEveryVertexFirst) {
  CharacterDraft draft = small_draft();
  std::vector<BakedVertex> vertices = small_vertices();
  vertices[1].bones = {0, 1, 1, 0};
  vertices[1].weights = {5, 60000, 30, 5500};
  draft.vertices = vertices;
  const Character built = test::built(std::move(draft));
  const BakedVertex& sorted = built.vertices()[1];
  EXPECT_EQ(sorted.bones, (std::array<std::uint16_t, 4>{1, 0, 1, 0}));
  EXPECT_EQ(sorted.weights, (std::array<std::uint16_t, 4>{60000, 5500, 30, 5}));
  const glm::uvec4 packed = built.upload().skin_vertices[3];
  EXPECT_EQ(packed, glm::uvec4(1u, 1u, 60000u | 5500u << 16, 30u | 5u << 16));
}

TEST(BuildCharacter, KnowsWhetherColumnsScaleAlike) {
  EXPECT_FALSE(made_model(Encoding::q16, {16, 2}).upload().uniform_scale);
  EXPECT_FALSE(made_model(Encoding::rows, {16, 2}).upload().uniform_scale);
  EXPECT_TRUE(made_model(Encoding::q12, {16, 2}).upload().uniform_scale);
  EXPECT_TRUE(made_model(Encoding::q8, {16, 2}).upload().uniform_scale);
}

// Files before version 4 have one speck for all of a character.
TEST(BuildCharacter, FindsWhatPartsAddToASpeckWhereAFileDoesNotTell) {
  const Character whole = small_model();
  const std::vector<gpu::SpeckSums>& wanted = whole.upload().speck_parts;
  ASSERT_EQ(wanted.size(), whole.parts().size());
  UploadData stored = whole.upload();
  stored.speck_parts.clear();
  const auto made = build_character(whole.draft(), stored);
  ASSERT_TRUE(made) << made.error().message;
  const std::vector<gpu::SpeckSums>& found = made->upload().speck_parts;
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t part = 0; part < found.size(); ++part) {
    EXPECT_EQ(found[part].reach, wanted[part].reach) << part;
    for (std::size_t band = 0; band < gpu::kSpeckBands; ++band)
      EXPECT_EQ(found[part].painted[band], wanted[part].painted[band]) << part << ", " << band;
  }
}

TEST(Lookups, FindByNameOrSayWhatIsSpelledLikeIt) {
  const Character model = small_model();
  EXPECT_EQ(model.find_clip("pose").value(), ClipId(2));
  EXPECT_EQ(model.find_socket("grip").value(), SocketId(0));
  EXPECT_EQ(model.find_part("body").value(), PartId(1));
  EXPECT_EQ(model.find_bone("spine").value(), BoneId(1));
  EXPECT_EQ(model.find_clip("wlak").error().message, "no clip is named 'wlak'; did you mean 'walk'?");
  EXPECT_EQ(model.find_socket("Grop").error().message, "no socket is named 'Grop'; did you mean 'grip'?");
  EXPECT_EQ(model.find_part("hod").error().message, "no part is named 'hod'; did you mean 'hood'?");
  EXPECT_EQ(model.find_bone("tail").error().message, "no bone is named 'tail'; there are 'hips', 'spine'");
}

TEST(BuildCharacter, GivesCopiesThatShareWhatWasBuilt) {
  const Character one = small_model();
  const Character two = one;  // NOLINT(performance-unnecessary-copy-initialization): the copy is what is tested
  EXPECT_EQ(&one.draft(), &two.draft());
  EXPECT_EQ(two.name(), "small");
  EXPECT_EQ(two.vertices().bytes().data(), one.vertices().bytes().data());
}

}  // namespace
}  // namespace throng
