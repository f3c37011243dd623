// SPDX-License-Identifier: Apache-2.0
#include "throng/renderer/crowd_readback.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>

#include "encodings_where.h"
#include "instrumented.h"
#include "skinning_check.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/character/decode.h"
#include "throng/playback/deform.h"

namespace throng {
namespace {

using test::cpu_cursor;
using test::Deviation;
using test::deviation_from_decoded;

class SkinningOnGpu : public test::OnDevice {};

TEST_F(SkinningOnGpu, FindsTheFramesTheCpuFindsBitForBit) {
  test::ModelShape shape{.bones = 1, .layout = {1, 4}, .vertices = 3};
  shape.clip_frames = {1, 2, 3, 7, 30, 61, 300, 1000};
  shape.clip_loops = {true, false, false, true, true, false, true};
  const Character model = test::random_model(shape);
  auto skinner = CrowdReadback::create(context(), model);
  ASSERT_TRUE(skinner) << skinner.error().message;
  std::size_t different_frames = 0;
  for (const std::uint64_t now : {std::uint64_t{0}, std::uint64_t{12345}, std::uint64_t{1} << 33, ~std::uint64_t{0}}) {
    const auto instances = test::random_cast(model, 4096, static_cast<unsigned>(now));
    const auto crowd = skinner->skin(instances.instances, instances.plays, now, SkinSpace::model);
    ASSERT_TRUE(crowd) << crowd.error().message;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const Cursor expected = cpu_cursor(model, instances.plays[i].track, now);
      ASSERT_EQ(crowd->moments[i].cursor.frame, expected.frame) << "instance " << i << " at " << now;
      ASSERT_EQ(crowd->moments[i].cursor.next, expected.next) << "instance " << i << " at " << now;
      ASSERT_EQ(std::bit_cast<std::uint32_t>(crowd->moments[i].cursor.blend),
                std::bit_cast<std::uint32_t>(expected.blend));
      if (i > 8 && expected.frame != crowd->moments[i - 8].cursor.frame) ++different_frames;
    }
  }
  EXPECT_GT(different_frames, 5000u) << "the crowd must not all be at one frame for this to mean anything";
}

// What float rounding may add up to on a model some ten units large.
constexpr double kRoundingUnits = 2e-5;
constexpr double kRoundingDegrees = 0.05;

void expect_like_the_decoder(const VulkanContext& context, const test::ModelShape& shape, const std::string& what) {
  const Character model = test::random_model(shape);
  const auto instances = test::random_cast(model, 100, 5);
  const auto crowd = skin_on_gpu(context, model, instances.instances, instances.plays, 777, SkinSpace::model);
  ASSERT_TRUE(crowd) << what << ": " << crowd.error().message;
  const Deviation worst = deviation_from_decoded(model, instances, *crowd);
  EXPECT_LT(worst.position, kRoundingUnits) << what;
  EXPECT_LT(worst.normal_degrees, kRoundingDegrees) << what;
}

// A frame of each encoding in one row, in several, and several in one row; texels of two words and of four. Where a
// texel lies does not depend on what it holds, and every layout compiles shaders of its own, which takes a second: an
// encoding of bones and one of vertices go through all of them, the others through one that folds and one that does
// not.
std::vector<Layout> layouts_for(Encoding encoding) {
  if (encoding == Encoding::localv) return {{1, 4}};  // it has no texels
  if (encoding == Encoding::q16 || encoding == Encoding::v8)
    return {{7, 4}, {1, 4}, {64, 2}, {3, 2}, {1000, 4}, {200, 2, true}};
  if (encoding == Encoding::rgbm) return {{7, 4}, {50, 1, true}, {500, 1}};
  return {is_half(encoding) ? Layout{3, 2} : Layout{7, 4}, {200, 2, true}};  // half floats: texels of their own size
}

class SkinningEncodings : public SkinningOnGpu, public ::testing::WithParamInterface<Encoding> {};

TEST_P(SkinningEncodings, AgreeWithTheDecoderOnRandomModelsThatFoldAndLayer) {
  for (const Layout layout : test::a_part_if_instrumented(layouts_for(GetParam()))) {
    test::ModelShape shape{.bones = 20, .layout = layout, .vertices = 90, .encodings = {GetParam()}};
    shape.clip_frames = {6, 9, 4, 2, 1};
    shape.layers = 2;
    shape.sockets = 1;
    shape.seed = layout.width;
    const std::string what =
        fmt::format("{} in {} texels of {} words", name_of(GetParam()), layout.width, layout.texel_words);
    expect_like_the_decoder(context(), shape, what);
    if (GetParam() != Encoding::localv && (layout.width % 2 != 0 || layout.texel_words == 1)) {
      test::ModelShape running = shape;  // three frames or rows of them to a layer, whatever a frame is
      const CharacterDraft draft = test::random_draft(shape);
      running.layer_rows = 3 * frame_layout(draft, draft.clips[0]).rows_per_frame + 1;
      expect_like_the_decoder(context(), running, what + " through layers");
    }
    if (!is_vertex_encoding(GetParam()) || layout.width > 50) continue;
    shape.tangents = true;
    expect_like_the_decoder(context(), shape, what + " with tangents");
  }
}

INSTANTIATE_TEST_SUITE_P(Encodings, SkinningEncodings, ::testing::ValuesIn(test::a_part_if_instrumented(kEncodings)),
                         [](const auto& tested) {
                           std::string name(name_of(tested.param));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_F(SkinningOnGpu, PlaysClipsOfDifferentEncodingsSideBySide) {
  expect_like_the_decoder(context(), test::folding_shape(test::bone_encodings_beside_local8()), "bones");
  expect_like_the_decoder(context(), test::folding_shape({Encoding::rows, Encoding::q16, Encoding::q8}), "with rows");
  expect_like_the_decoder(context(), test::folding_shape({Encoding::local8, Encoding::q12}), "local8 and q12");
  expect_like_the_decoder(context(), test::folding_shape({Encoding::localv, Encoding::rows}), "localv and rows");
  expect_like_the_decoder(context(), test::folding_shape(test::vertex_encodings(), false), "vertices");
}

// Targets before bones: in the vertex shader's way against the decoder, and in the pooled pass against that.
TEST_F(SkinningOnGpu, AddsMorphTargetsBeforeBones) {
  for (const Encoding encoding : {Encoding::q16, Encoding::local8, Encoding::localv}) {
    SCOPED_TRACE(name_of(encoding));
    test::ModelShape shape{.bones = 20, .layout = {64, 4}, .vertices = 99, .encodings = {encoding}};
    shape.clip_frames = {6, 9, 4, 1};
    shape.clip_loops = {true, false, false, true};
    shape.morphs = 5;
    const Character model = test::random_model(shape);
    const auto cast = test::random_cast(model, 100, 5);
    const auto crowd = skin_on_gpu(context(), model, cast.instances, cast.plays, 777, SkinSpace::model);
    ASSERT_TRUE(crowd) << crowd.error().message;
    const Deviation worst = deviation_from_decoded(model, cast, *crowd);
    EXPECT_LT(worst.position, kRoundingUnits);
    EXPECT_LT(worst.normal_degrees, kRoundingDegrees);
    const auto fading = test::random_cast(model, 100, 6, true);
    std::vector<SkinnedCrowd> ways;
    for (const test::SkinWay& way : test::kSkinWays) {
      auto skinner = CrowdReadback::create(context(), model, way.settings).value();
      ways.push_back(skinner.skin(fading.instances, fading.plays, 777, SkinSpace::world).value());
    }
    for (const SkinnedCrowd& way : ways) {
      ASSERT_EQ(ways[0].positions.size(), way.positions.size());
      for (std::size_t i = 0; i < ways[0].positions.size(); ++i)
        ASSERT_LT(glm::distance(ways[0].positions[i], way.positions[i]), 1e-4f) << "vertex " << i;
    }
    EXPECT_TRUE(ways[0].normals != ways[1].normals) << "the pool has them in 32 bits: that is where they were read";
  }
}

// Weights of a cross-fade are mixed as throng::deform mixes them.
TEST_F(SkinningOnGpu, MixesMorphWeightsInACrossFade) {
  test::ModelShape shape{.bones = 6, .layout = {64, 4}, .vertices = 30, .encodings = {Encoding::rows, Encoding::q16}};
  shape.morphs = 3;
  const Character model = test::random_model(shape);
  const auto cast = test::random_cast(model, 60, 8, true);
  const auto crowd = skin_on_gpu(context(), model, cast.instances, cast.plays, 777, SkinSpace::model);
  ASSERT_TRUE(crowd) << crowd.error().message;
  for (std::size_t i = 0; i < cast.size(); ++i) {
    const DecodedVertices exact = deform(model, cast.plays[i], Ticks{777});
    for (std::size_t v = 0; v < exact.positions.size(); ++v) {
      const glm::dvec3 found(crowd->positions[i * exact.positions.size() + v]);
      ASSERT_LT(glm::distance(found, exact.positions[v]), 1e-4) << "character " << i << ", vertex " << v;
    }
  }
}

// More links than a group of the pose pass keeps, in chains that cross the border; of localv more than a thread is
// there for, and more than its table has numbers for.
void expect_skeletons_like_the_decoder(const VulkanContext& context, Encoding encoding,
                                       std::span<const std::uint32_t> sizes) {
  for (const std::uint32_t links : sizes) {
    test::ModelShape shape{.bones = 70, .layout = {200, 2}, .vertices = 60, .encodings = {encoding}};
    shape.links = links;
    shape.seed = links;
    const Character model = test::random_model(shape);
    const auto instances = test::random_cast(model, 20, 5);
    const auto crowd = skin_on_gpu(context, model, instances.instances, instances.plays, 777, SkinSpace::model);
    ASSERT_TRUE(crowd) << crowd.error().message;
    double size = 0.0;  // chains of hundreds of links reach far
    for (const glm::vec3& position : crowd->positions) size = std::max(size, double{glm::length(position)});
    const Deviation worst = deviation_from_decoded(model, instances, *crowd);
    EXPECT_LT(worst.position, kRoundingUnits * std::max(size, 1.0)) << links << " links";
    EXPECT_LT(worst.normal_degrees, kRoundingDegrees) << links << " links";
  }
}

TEST_F(SkinningOnGpu, PosesSkeletonsOfAnySize) {
  expect_skeletons_like_the_decoder(context(), Encoding::local8, std::array{1u, 64u, 65u, 256u, 257u, 600u});
}

TEST_F(SkinningOnGpu, PosesSkeletonsOfAnySizeFromChannels) {
  expect_skeletons_like_the_decoder(context(), Encoding::localv, std::array{1u, 2u, 33u, 129u, 255u, 256u});
}

TEST_F(SkinningOnGpu, PlacesInstancesByScaleThenRotationThenPosition) {
  const Character model = test::random_model({});
  const auto instances = test::random_cast(model, 64, 9);
  const auto in_model = skin_on_gpu(context(), model, instances.instances, instances.plays, 3, SkinSpace::model);
  const auto in_world = skin_on_gpu(context(), model, instances.instances, instances.plays, 3, SkinSpace::world);
  ASSERT_TRUE(in_model && in_world);
  for (std::size_t i = 0; i < in_model->positions.size(); ++i) {
    const InstanceRecord& instance = instances.instances[i / in_model->vertices_per_instance];
    const glm::vec4 turn = gpu::unpack_rotation(instance.rotation);
    const glm::dquat q(turn.w, turn.x, turn.y, turn.z);
    const glm::dvec3 expected =
        q * (glm::dvec3(in_model->positions[i]) * double{instance.scale}) + glm::dvec3(instance.position);
    ASSERT_LT(glm::distance(glm::dvec3(in_world->positions[i]), expected), 1e-4);
    ASSERT_LT(glm::distance(glm::dvec3(in_world->normals[i]), q * glm::dvec3(in_model->normals[i])), 1e-5);
  }
}

// A vertex held half by a bone that stays and half by one that turns it upside down. Weights sum to an odd number, so a
// third bone has what is left; the quality leaves it out.
TEST_F(SkinningOnGpu, FallsBackToTheNormalAtRestWhereBonesCancelIt) {
  CharacterDraft draft = test::random_draft({.bones = 2, .vertices = 3, .clip_frames = {1}, .clip_loops = {true}});
  std::vector<BakedVertex> vertices(draft.vertices.begin(), draft.vertices.end());
  for (BakedVertex& vertex : vertices) {
    vertex.normal = {0.0f, 0.0f, -1.0f};
    vertex.bones = {0, 1, 0, 0};
    vertex.weights = {32767, 32767, 1, 0};
  }
  draft.vertices = vertices;
  std::vector<std::uint32_t> words(draft.atlas.words.begin(), draft.atlas.words.end());
  encode_bone(Encoding::q16, {.rotation = {1, 0, 0, 0}}, draft.clips[0].range, std::span(words).first(4));
  encode_bone(Encoding::q16, {.rotation = {0, 1, 0, 0}}, draft.clips[0].range, std::span(words).subspan(4, 4));
  draft.atlas.words = words;
  const Character model = test::built(std::move(draft));
  auto skinner = CrowdReadback::create(context(), model, {.quality = {2, true}}).value();
  const auto crowd =
      skinner.skin(std::array{test::standing(0).instance}, std::array{test::standing(0).play}, 0, SkinSpace::model);
  ASSERT_TRUE(crowd) << crowd.error().message;
  for (const glm::vec3& normal : crowd->normals) EXPECT_EQ(normal, glm::vec3(0.0f, 0.0f, -1.0f));
  CharacterDraft two_bones = model.draft();
  for (BakedVertex& vertex : vertices) vertex.weights[2] = 0;
  EXPECT_EQ(decode_pose(two_bones, two_bones.clips[0], crowd->moments[0].cursor, 0.0).normals[0],
            glm::dvec3(0.0, 0.0, -1.0));
}

TEST_F(SkinningOnGpu, WorksThroughMoreThanOneBatch) {
  test::ModelShape shape{.vertices = 30000};
  const Character model = test::random_model(shape);
  const auto instances = test::random_cast(model, 150, 2);  // 108 MB of results
  auto skinner = CrowdReadback::create(context(), model);
  ASSERT_TRUE(skinner);
  const auto all = skinner->skin(instances.instances, instances.plays, 5, SkinSpace::world);
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->moments.size(), instances.size());
  const auto last =
      skinner->skin(std::span(instances.instances).last(1), std::span(instances.plays).last(1), 5, SkinSpace::world);
  ASSERT_TRUE(last);
  EXPECT_TRUE(std::equal(last->positions.begin(), last->positions.end(), all->positions.end() - 30000));
}

TEST_F(SkinningOnGpu, RefusesAnInstanceOfAClipThereIsNot) {
  const Character model = test::random_model({});
  const auto crowd =
      skin_on_gpu(context(), model, std::array{test::standing(2).instance}, std::array{test::standing(2).play}, 0);
  ASSERT_FALSE(crowd);
  EXPECT_EQ(crowd.error().message, "instance 0 plays clip 2 of 2");
}

}  // namespace
}  // namespace throng
