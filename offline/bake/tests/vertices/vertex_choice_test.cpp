// SPDX-License-Identifier: Apache-2.0
// Vertex mode: rates chosen by error, vertices merged, and the fast encoder against the codec.
#include <random>

#include "plans.h"
#include "throng/character/decode.h"
#include "vertex_models.h"
#include "vertices/v8_block.h"
#include "vertices/vertex_baker.h"
#include "vertices/vertex_frames.h"

namespace throng {
using namespace detail::bake;
namespace {

// Bars whose keys are uneven, so that any rate may be had.
ModelDraft uneven_bar() {
  ModelDraft draft = bar_draft();
  const auto sway = [](double t) { return 0.8 * std::sin(2.0 * kPi * t); };
  draft.clips.push_back(clip_of("sway", {turning(1, {0, 0, 1}, 501, 500.0, 0.0, sway)}));
  draft.clips.push_back(
      clip_of("slow", {turning(1, {0, 0, 1}, 501, 500.0, 0.0, [&](double t) { return 0.1 * sway(t); })}));
  return draft;
}

double largest_mm(const BakedClip& clip) { return std::max(clip.error.at_frames.max_mm, clip.error.between.max_mm); }

TEST(VertexRates, AreTheLowestThatKeepTheBound) {
  const Model model = built(uneven_bar());
  for (const double bound : {8.0, 1.0}) {
    BakeSettings settings = of_vertices();
    settings.max_error_mm = bound;
    const Character out = bounded(model, settings);
    ASSERT_EQ(out.clips().size(), 2u);
    const Planned plan = planned(model, settings);
    for (std::size_t i = 0; i < 2; ++i) {
      const BakedClip& clip = out.clips()[i];
      EXPECT_LE(largest_mm(clip), bound) << clip.name;
      EXPECT_EQ(clip.choice.find(fmt::format("v8 at {:.4g} fps: {:.3g} mm", clip.rate(), largest_mm(clip))), 0u)
          << clip.choice;
      // One candidate lower breaks it.
      const auto rates = candidate_rates(plan.plans[i], kUsualFrameRate, 1000.0);
      std::optional<double> below;
      for (const double rate : rates) {
        if (replanned(plan.plans[i], rate).frames.frame_count < clip.frame_count) below = rate;
      }
      if (!below) continue;
      BakeSettings lower = of_vertices();
      lower.frame_rate = *below;
      lower.clips = {clip.name};
      SerialExecutor executor;
      const auto lower_plan = replanned(plan.plans[i], *below);
      const SourceMeshes source(model, lower.tangents);
      const auto less = bake_vertices({source, lower, executor, {}, 2.0, {lower_plan}, {}});
      ASSERT_TRUE(less.has_value());
      EXPECT_EQ(less->clips[0].frame_count, lower_plan.frames.frame_count);
      EXPECT_GT(largest_mm(less->clips[0]), bound) << clip.name;
    }
    EXPECT_LT(out.clips()[1].frame_count, out.clips()[0].frame_count);
  }
}

TEST(VertexRates, ABoundBelowTheRoundingIsKeptAsWellAsItCanBe) {
  BakeSettings settings = of_vertices();
  settings.max_error_mm = 0.01;
  const Character out = bounded(built(uneven_bar()), settings);
  EXPECT_TRUE(warns(out, "2 clips are off by more than 0.01 mm: 'sway' by "));
  const ClipError& error = out.clips()[0].error;
  EXPECT_LE(error.between.max_mm, 1.06 * error.at_frames.max_mm) << out.clips()[0].choice;
  EXPECT_NE(out.clips()[0].choice.find("at best, where 0.01 mm"), std::string::npos) << out.clips()[0].choice;
}

// A second of steps: no number of frames follows a jump.
TEST(VertexRates, AJumpThatNoRateFollowsIsBakedAtTheUsualRate) {
  ModelDraft draft = bar_draft();
  BoneTrack track = turning(1, {0, 0, 1}, 4, 3.0, 0.0, [](double t) { return t > 0.5 ? 1.0 : 0.0; });
  track.rotation.interpolation = Interpolation::step;
  draft.clips.push_back(clip_of("jump", {track}, false));
  const Character out = bounded(built(draft), of_vertices());
  EXPECT_TRUE(warns(out, "1 clip is off by more than 1 mm: 'jump' by "));
  EXPECT_GE(out.clips()[0].rate(), 29.9) << out.clips()[0].choice;
  EXPECT_LE(out.clips()[0].rate(), 70.0) << out.clips()[0].choice;
}

// Each vertex three times: once more as it is, once with another texture coordinate.
ModelDraft tripled_bar() {
  ModelDraft draft = swaying_bar();
  Mesh& mesh = draft.meshes[0];
  const Mesh once = mesh;
  const auto count = static_cast<std::uint32_t>(once.positions.size());
  for (int copy = 1; copy < 3; ++copy) {
    mesh.positions.insert(mesh.positions.end(), once.positions.begin(), once.positions.end());
    mesh.normals.insert(mesh.normals.end(), once.normals.begin(), once.normals.end());
    mesh.influences.insert(mesh.influences.end(), once.influences.begin(), once.influences.end());
    for (const glm::vec2& uv : once.uvs) mesh.uvs.push_back(copy == 2 ? uv + 10.0f : uv);
    for (const std::uint32_t index : once.indices) {
      mesh.indices.push_back(index + count * static_cast<std::uint32_t>(copy));
    }
  }
  return draft;
}

TEST(VertexMerge, OnlyWhenAskedAndOnlyWhatIsAlikeInEveryFrame) {
  const Model model = built(tripled_bar());
  BakeSettings settings = of_vertices();
  EXPECT_EQ(baked(model, settings).vertices().size(), 3u * 84u);
  settings.merge_vertices = true;
  const Character out = baked(model, settings);
  EXPECT_EQ(out.vertices().size(), 2u * 84u);
  ASSERT_EQ(out.baked_from_source().size(), 3u * 84u);
  const Mesh& source = model.meshes()[0];
  const BakedClip& clip = out.clips()[0];
  const ExactCursor at = cursor_at_time(clip, 0.3);
  const auto decoded = decode_pose(out, clip, at.cursor, at.blend);
  const Pose pose = sample(model, model.clips()[0], 0.3);
  const auto truth = skin_mesh(model, 0, pose, skinning_palette(model, pose));
  for (std::size_t v = 0; v < source.positions.size(); ++v) {
    const std::uint32_t to = out.baked_from_source()[v];
    EXPECT_EQ(out.vertices()[to].uv, source.uvs[v]);
    EXPECT_LT(glm::distance(decoded.positions[to], truth.positions[v]), 1e-3);
  }
  EXPECT_EQ(out.half_float_bytes(), 3u * 84u * 16u * 30u);
  EXPECT_TRUE(std::any_of(out.notes().begin(), out.notes().end(),
                          [](const std::string& n) { return n.find("84 of 252 vertices merged") == 0; }));
}

// The copy moves in the second clip alone: alike in one clip is not alike.
TEST(VertexMerge, LooksAtEveryClip) {
  ModelDraft draft = bar_draft();
  draft.bones.push_back({"other", std::nullopt, {}});
  draft.bindings.push_back({2, glm::dmat4(1.0)});
  Mesh copy = bar_mesh();
  copy.node = 1;
  for (Influences& influences : copy.influences) influences = bound_to(2);
  draft.meshes.push_back(copy);
  for (Influences& influences : draft.meshes[0].influences) influences = bound_to(0);
  const glm::dvec3 axis = glm::normalize(glm::dvec3(1, 2, 3));  // on which no vertex lies
  const auto wave = [](double t) { return std::sin(2.0 * kPi * t); };
  draft.clips.push_back(
      clip_of("both", {turning(0, axis, 31, 30.0, 0.0, wave), turning(2, axis, 31, 30.0, 0.0, wave)}));
  BakeSettings settings = of_vertices();
  settings.merge_vertices = true;
  EXPECT_EQ(baked(built(draft), settings).vertices().size(), 84u);
  draft.clips.push_back(clip_of("one", {turning(0, axis, 31, 30.0, 0.0, wave)}));
  EXPECT_EQ(baked(built(draft), settings).vertices().size(), 168u);
}

// Half a step of a field and the corner of an octahedral cell are what any encoder may be off by.
TEST(V8Block, IsAsNearAsTheCodec) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  ClipRange range;
  range.pivot_min = {-1.0, -1.0, -1.0};
  range.pivot_size = {2.0, 2.0, 0.0};
  const V8Box box(range);
  std::size_t same = 0;
  std::size_t all = 0;
  for (int round = 0; round < 500; ++round) {
    SkinnedBlock block{};
    const std::uint32_t count = round % 2 == 0 ? kSkinBlock : 1 + random() % kSkinBlock;
    std::vector<VertexSample> samples(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      samples[i].position = {unit(random), unit(random), -1.0};
      samples[i].normal = {unit(random), unit(random), unit(random)};
      if (round == 0) samples[i].normal = {i % 3 == 0 ? 1 : 0, i % 3 == 1 ? -1 : 0, i % 3 == 2 ? -1 : 0};
      samples[i].normal = glm::normalize(samples[i].normal);
      const glm::vec3 p(samples[i].position);
      const glm::vec3 n(samples[i].normal * 3.7);
      block.positions[i] = Float4{p.x, p.y, p.z, 1.0f};
      block.normals[i] = Float4{n.x, n.y, n.z, 0.0f};
    }
    std::vector<std::uint32_t> words(2 * count + 1, 0xDEADBEEF);
    encode_v8_block(box, block, count, words.data());
    EXPECT_EQ(words.back(), 0xDEADBEEF) << "wrote past the last vertex";
    for (std::uint32_t i = 0; i < count; ++i) {
      std::array<std::uint32_t, 2> expected{};
      encode_vertex(Encoding::v8, samples[i], range, false, expected);
      const VertexSample fast = decode_vertex(Encoding::v8, {&words[2 * i], 2}, range, false);
      const VertexSample slow = decode_vertex(Encoding::v8, expected, range, false);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_LE(std::abs(fast.position[axis] - samples[i].position[axis]),
                  0.501 * range.pivot_size[axis] / 16383.0 + 1e-12);
      }
      EXPECT_LT(glm::distance(fast.normal, samples[i].normal), glm::distance(slow.normal, samples[i].normal) + 1e-6);
      same += words[2 * i] == expected[0] && words[2 * i + 1] == expected[1] ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GT(static_cast<double>(same), 0.99 * static_cast<double>(all));
}

TEST(V8Block, TakesNormalsWithoutLengthForUpTheAxis) {
  SkinnedBlock block{};
  std::array<std::uint32_t, 2> words{};
  encode_v8_block(V8Box(ClipRange{}), block, 1, words.data());
  EXPECT_EQ(decode_vertex(Encoding::v8, words, {}, false).normal, glm::dvec3(0.0, 0.0, 1.0));
}

}  // namespace
}  // namespace throng
