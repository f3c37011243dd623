// SPDX-License-Identifier: Apache-2.0
// Vertex mode: decoded vertices against the source's own, in every encoding, and what the mode promises besides.
#include "vertices/vertex_baker.h"

#include <algorithm>
#include <map>

#include "encodings_where.h"
#include "mesh/mesh_models.h"
#include "shared_models.h"
#include "throng/character/codecs/vertex_codecs.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"
#include "vertex_models.h"

namespace throng {
using namespace detail::bake;
namespace {

struct Named {
  const char* name;
  ModelDraft draft;
};

std::vector<Named> small_drafts() {
  ModelDraft no_normals = swaying_bar();
  no_normals.meshes[0].normals.clear();
  return {{"skin", swaying_bar()}, {"morphs", swelling_bar()}, {"parts", rigid_parts()}, {"no normals", no_normals}};
}

TEST(VertexBake, ReportHoldsWhatIsMeasuredInEveryEncoding) {
  for (const Named& named : small_drafts()) {
    const Model model = built(named.draft);
    for (const Encoding encoding : test::vertex_encodings()) {
      const Character out = baked(model, of_vertices(encoding));
      ASSERT_FALSE(out.clips().empty());
      EXPECT_EQ(out.clips()[0].encoding, encoding);
      expect_report_is_true(model, out, fmt::format("{} {}", named.name, name_of(encoding)));
    }
  }
}

// encodings.md: v8 rounds by 0.26 mm at most on a character in place, half floats by 2, RGBM by 47.
TEST(VertexBake, RoundsAsTheEncodingsWereMeasuredTo) {
  const Model model = built(swaying_bar());
  const auto figures = [&](Encoding encoding) { return baked(model, of_vertices(encoding)).error().at_frames; };
  EXPECT_LT(figures(Encoding::v8).max_mm, 0.15);
  EXPECT_LT(figures(Encoding::v8).normal_max_degrees, 0.08);
  EXPECT_LT(figures(Encoding::half_vertex).max_mm, 1.0);
  EXPECT_LT(figures(Encoding::half_vertex).normal_max_degrees, 0.05);
  EXPECT_LT(figures(Encoding::rgbm).max_mm, 10.0);
  EXPECT_GT(figures(Encoding::rgbm).max_mm, figures(Encoding::v8).max_mm);
}

TEST(VertexBake, RealModelsAreAsTheReportSays) {
  std::size_t baked_models = 0;
  for (const char* file :
       {"khronos/AnimatedMorphCube/AnimatedMorphCube.glb", "khronos/MorphPrimitivesTest/MorphPrimitivesTest.glb",
        "khronos/BoxAnimated/BoxAnimated.glb", "khronos/RiggedFigure/RiggedFigure.glb",
        "khronos/SimpleMorph/SimpleMorph.gltf", "khronos/InterpolationTest/InterpolationTest.glb"}) {
    const auto imported = load(file);
    if (!imported) continue;
    ++baked_models;
    const Character out = baked(imported->model, of_vertices());
    if (imported->model.clips().empty()) continue;
    expect_report_is_true(imported->model, out, file);
  }
  if (baked_models == 0) GTEST_SKIP() << "no shared models here";
}

// The cube's morphs move it by more than a tenth of its size; they must be in the frames.
TEST(VertexBake, AnimatedMorphTargetsAreInTheFrames) {
  const auto imported = load("khronos/AnimatedMorphCube/AnimatedMorphCube.glb");
  if (!imported) GTEST_SKIP() << "no shared models here";
  const Character out = baked(imported->model, of_vertices());
  ASSERT_EQ(out.clips().size(), 1u);
  EXPECT_GT(out.clips()[0].frame_count, 10u);
  const auto first = decode_pose(out, out.clips()[0], cursor_at_time(out.clips()[0], 0.0).cursor, 0.0);
  double moved = 0.0;
  for (double t = 0.0; t < out.clips()[0].length; t += 0.1) {
    const auto later = decode_pose(out, out.clips()[0], cursor_at_time(out.clips()[0], t).cursor, 0.0);
    for (std::size_t v = 0; v < first.positions.size(); ++v) {
      moved = std::max(moved, glm::distance(first.positions[v], later.positions[v]));
    }
  }
  EXPECT_GT(moved * out.error().mm_per_unit, 180.0);
  EXPECT_LT(out.error().at_frames.max_mm, 0.3);
}

// Spec A6: half floats take two texels a vertex, and so does rgbm, so 84 vertices of 168 texels fold into two rows of
// an atlas that may be 128 wide. That of half floats is then as wide as it may be, the others fold evenly.
TEST(VertexBake, FramesFoldIntoSeveralRows) {
  const Model model = built(swaying_bar());
  for (const Encoding encoding : test::vertex_encodings()) {
    BakeSettings settings = of_vertices(encoding);
    const bool classic = encoding != Encoding::v8;
    settings.max_atlas_size = classic ? 128 : 64;
    const Character out = baked(model, settings);
    const FrameLayout frames = frame_layout(out, out.clips()[0]);
    EXPECT_EQ(frames.rows_per_frame, 2u);
    EXPECT_EQ(out.atlas().layout.width, encoding == Encoding::half_vertex ? 128u : classic ? 84u : 42u);
    EXPECT_EQ(out.atlas().layout.texel_words, encoding == Encoding::rgbm ? 1u : 2u);
    EXPECT_EQ(frames.texels_per_frame, classic ? 168u : 84u);
    expect_report_is_true(model, out, fmt::format("folded {}", name_of(encoding)));
  }
}

TEST(VertexBake, ClipsThatFitNoLayerAreRefusedWithNumbers) {
  BakeSettings settings = of_vertices(Encoding::half_vertex);
  settings.max_atlas_size = 32;
  const std::string message = refusal(built(swaying_bar()), settings);
  EXPECT_NE(message.find("'sway' has 30 frames of 168 texels"), std::string::npos) << message;
  EXPECT_NE(message.find("32 × 32"), std::string::npos) << message;
  EXPECT_NE(message.find("raise the atlas size"), std::string::npos) << message;
}

TEST(VertexBake, GivesTheSameBytesOnAnyNumberOfThreads) {
  const Model model = built(swelling_bar());
  BakeSettings settings = of_vertices();
  settings.tangents = true;
  settings.merge_vertices = true;
  settings.max_error_mm = 5.0;
  SerialExecutor serial;
  const auto expected = encode_character(*bake(model, settings, serial));
  ASSERT_TRUE(expected.has_value()) << expected.error().message;
  for (const unsigned threads : {2u, 3u, 8u}) {
    ThreadExecutor executor(threads);
    EXPECT_EQ(*encode_character(*bake(model, settings, executor)), *expected) << threads;
  }
}

TEST(VertexBake, SurvivesTheFile) {
  const Character out = baked(built(swelling_bar()), of_vertices());
  const auto bytes = encode_character(out);
  ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
  const auto again = decode_character(SharedBytes(*bytes));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_TRUE(std::equal(again->atlas().words.begin(), again->atlas().words.end(), out.atlas().words.begin(),
                         out.atlas().words.end()));
}

TEST(VertexBake, BoundsHoldEveryPoseTightly) {
  const Model model = built(swelling_bar());
  for (const Encoding encoding : test::vertex_encodings()) {
    const Character out = baked(model, of_vertices(encoding));
    const BakedClip& clip = out.clips()[0];
    Bounds drawn;
    for (int i = 0; i < 500; ++i) {
      const ExactCursor at = cursor_at_time(clip, clip.length * i / 500.0);
      for (const glm::dvec3& p : decode_pose(out, clip, at.cursor, at.blend).positions) drawn.add(p);
    }
    EXPECT_TRUE(glm::all(glm::greaterThanEqual(drawn.min, clip.bounds.min))) << name_of(encoding);
    EXPECT_TRUE(glm::all(glm::lessThanEqual(drawn.max, clip.bounds.max))) << name_of(encoding);
    EXPECT_LT(clip.bounds.diagonal(), 1.02 * drawn.diagonal()) << name_of(encoding);
    EXPECT_EQ(out.bounds().min, clip.bounds.min);
  }
}

TEST(VertexBake, ClipsThatDoNotMoveAreOneFrameAndAlikeOnesShareTheirs) {
  ModelDraft draft = swaying_bar();
  Clip twin = draft.clips[0];
  twin.name = "twin";
  Clip still = clip_of("still", {turning(1, {0, 0, 1}, 31, 30.0, 0.0, [](double) { return 0.4; })}, true);
  Clip again = still;
  again.name = "still again";
  draft.clips.insert(draft.clips.end(), {twin, still, again});
  const Model model = built(draft);
  const Character out = baked(model, of_vertices());
  ASSERT_EQ(out.clips().size(), 4u);
  EXPECT_EQ(out.clips()[1].first_frame, out.clips()[0].first_frame);
  EXPECT_EQ(out.clips()[1].layer, out.clips()[0].layer);
  EXPECT_EQ(out.clips()[2].frame_count, 1u);
  EXPECT_NEAR(out.clips()[2].length, 1.0, 1e-6);
  EXPECT_EQ(out.clips()[0].choice, "v8 at 30 fps: the default");
  EXPECT_EQ(out.clips()[2].choice, "v8 in one frame: the default, and nothing moves");
  EXPECT_EQ(out.clips()[3].first_frame, out.clips()[2].first_frame);
  EXPECT_NE(out.clips()[2].first_frame, out.clips()[0].first_frame);
  EXPECT_EQ(out.atlas().layout.width * out.atlas().height * out.atlas().layer_count, 31u * 84u);
  expect_report_is_true(model, out, "shared frames");
}

TEST(VertexBake, APoseIsOneFrame) {
  const Model model = built(bar_draft());
  const Character out = baked(model, of_vertices());
  ASSERT_EQ(out.clips().size(), 1u);
  EXPECT_EQ(out.clips()[0].name, "rest");
  EXPECT_EQ(out.clips()[0].frame_count, 1u);
  const auto decoded = decode_pose(out, out.clips()[0], {}, 0.0);
  const auto truth = source_vertices(model, out, rest_pose(model));
  for (std::size_t v = 0; v < truth.positions.size(); ++v) {
    EXPECT_LT(glm::distance(decoded.positions[v], truth.positions[v]), 1e-4);
  }
}

TEST(VertexBake, SocketsKeepTheirPlaceAndRoll) {
  ModelDraft draft = swaying_bar();
  draft.bones.push_back({"hand", 1u, {}});
  draft.bones[2].rest.translation = {0.0, 1.0, 0.0};
  draft.bones[2].rest.scale = {1.0, 1.0, -1.0};  // mirrored
  Socket socket{"grip", 2, {}};
  socket.bone_from_socket.translation = {0.1, 5.2, 0.3};
  socket.bone_from_socket.rotation = glm::angleAxis(1.0, glm::normalize(glm::dvec3(1, 1, 0)));
  draft.sockets = {{"middle", 1, {}}, socket};
  const Model model = built(draft);
  const Character out = baked(model, of_vertices());
  ASSERT_EQ(out.sockets().size(), 2u);
  EXPECT_EQ(out.sockets()[1].bone, out.vertices().size() + 2);
  const BakedClip& clip = out.clips()[0];
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const ExactCursor at = cursor_at_time(clip, frame * clip.length / clip.frame_count);
    const auto bones = model_from_bones(model, sample(model, model.clips()[0], frame / 30.0));
    const glm::dmat4 middle = decode_socket(out, clip, out.sockets()[0], at.cursor, at.blend);
    for (int c = 0; c < 4; ++c) EXPECT_LT(glm::distance(middle[c], bones[1][c]), 3e-3) << frame;
  }
  // Off the mesh, but inside the box that positions are measured in.
  const auto bones = model_from_bones(model, sample(model, model.clips()[0], 0.5));
  const glm::dmat4 truth = bones[2] * to_matrix(socket.bone_from_socket);
  const ExactCursor at = cursor_at_time(clip, 0.5);
  const glm::dmat4 grip = decode_socket(out, clip, out.sockets()[1], at.cursor, at.blend);
  for (int c = 0; c < 4; ++c) EXPECT_LT(glm::distance(grip[c], truth[c]), 3e-3) << c;
}

TEST(VertexBake, TangentsGoWithTheSurface) {
  for (const Encoding encoding : test::vertex_encodings()) {
    const Model model = built(swaying_bar());
    BakeSettings settings = of_vertices(encoding);
    settings.tangents = true;
    settings.levels = 1;  // vertices in the order of their source
    const Character out = baked(model, settings);
    ASSERT_TRUE(out.tangents_animated());
    std::vector<std::string> notes;
    const std::vector<glm::vec4> at_rest = rest_mesh_of(model, settings, notes).tangents;
    const BakedClip& clip = out.clips()[0];
    const FrameLayout frames = frame_layout(out, clip);
    const std::uint32_t words = words_per_item(encoding, true);
    for (std::uint32_t frame = 0; frame < clip.frame_count; frame += 7) {
      const auto palette = skinning_palette(model, sample(model, model.clips()[0], frame / 30.0));
      const auto frame_words = out.atlas().frame(frames, clip.layer, clip.first_frame + frame);
      for (std::size_t v = 0; v < out.vertices().size(); ++v) {
        const Influences& in = model.meshes()[0].influences[v];
        if (in.weights[0] != 1.0f) continue;  // one bone: its rotation is the truth
        const VertexSample s = decode_vertex(encoding, frame_words.subspan(v * words, words), clip.range, true);
        const glm::dvec3 truth = glm::dmat3(palette[in.bindings[0]]) * glm::dvec3(at_rest[v]);
        EXPECT_LT(glm::distance(glm::normalize(glm::dvec3(s.tangent)), truth), 0.02) << name_of(encoding);
        EXPECT_EQ(s.tangent.w, static_cast<double>(at_rest[v].w));
      }
    }
    expect_report_is_true(model, out, fmt::format("tangents {}", name_of(encoding)));
  }
}

// What frames hold is not in the mesh: 24 of 52 bytes a vertex are left, and no tangents.
TEST(VertexBake, VerticesKeepTheirSurfaceAlone) {
  const Model model = built(swaying_bar());
  BakeSettings settings = of_vertices();
  settings.levels = 1;
  settings.tangents = true;
  const Character out = baked(model, settings);
  EXPECT_EQ(out.vertices().bytes().size(), std::size_t{24} * out.vertices().size());
  EXPECT_TRUE(out.tangents().empty());
  EXPECT_TRUE(out.upload().skin_vertices.empty());
  EXPECT_TRUE(out.vertex_numbers().empty()) << "nobody asked for them";
  std::vector<std::string> notes;
  const BakedMesh mesh = rest_mesh_of(model, settings, notes);
  ASSERT_EQ(out.vertices().size(), mesh.vertices.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    EXPECT_EQ(out.vertices()[v].position, mesh.vertices[v].position);
    EXPECT_EQ(out.vertices()[v].uv, mesh.vertices[v].uv);
    EXPECT_EQ(out.vertices()[v].colour, mesh.vertices[v].colour);
  }
}

TEST(VertexBake, VertexNumbersAreStoredWhereTheyAreAskedFor) {
  for (const BakeMode mode : {BakeMode::bones, BakeMode::vertices}) {
    const Character out = baked(built(swaying_bar()), {.mode = mode, .vertex_numbers = true});
    ASSERT_EQ(out.vertex_numbers().size(), out.vertices().size());
    for (std::size_t v = 0; v < out.vertices().size(); ++v) EXPECT_EQ(out.vertex_numbers()[v], static_cast<float>(v));
    const auto read = decode_character(SharedBytes(encode_character(out).value()));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(std::ranges::equal(read->vertex_numbers(), out.vertex_numbers()));
  }
}

TEST(VertexBake, RootMotionIsTakenOffAndStored) {
  ModelDraft draft = swaying_bar();
  BoneTrack& root = draft.clips[0].bones[0];
  for (int key = 0; key <= 30; ++key) {
    root.translation.times.push_back(static_cast<float>(key / 30.0));
    root.translation.values.emplace_back(0.0f, 0.0f, static_cast<float>(key) * 0.5f);
  }
  draft.clips[0].loops = false;
  const Model model = built(draft);
  BakeSettings settings = of_vertices();
  const double kept = baked(model, settings).error().at_frames.max_mm;
  settings.root_motion = RootTreatment::extract;
  const Character out = baked(model, settings);
  ASSERT_EQ(out.clips()[0].root_motion.size(), out.clips()[0].frame_count);
  EXPECT_NEAR(out.clips()[0].root_motion.back().translation.z, 15.0, 1e-3);
  EXPECT_LT(out.bounds().size().z, 3.0);
  EXPECT_LT(out.error().at_frames.max_mm, 0.5 * kept);
}

// Gliding without a pose that changes: what is stored beside the frames still has a sample for each.
TEST(VertexBake, FramesThatAreAlikeStayWhereRootMotionIsStored) {
  ModelDraft draft = bar_draft();
  BoneTrack glide;
  for (int key = 0; key <= 30; ++key) {
    glide.translation.times.push_back(static_cast<float>(key / 30.0));
    glide.translation.values.emplace_back(0.0f, 0.0f, 0.05f * static_cast<float>(key));
  }
  draft.clips.push_back(clip_of("glide", {glide}, false));
  BakeSettings settings = of_vertices();
  settings.root_motion = RootTreatment::extract;
  const Character extracted = baked(built(draft), settings);
  EXPECT_EQ(extracted.clips()[0].frame_count, 31u);
  EXPECT_EQ(extracted.clips()[0].root_motion.size(), 31u);
  settings.root_motion = RootTreatment::strip;
  EXPECT_EQ(baked(built(draft), settings).clips()[0].frame_count, 1u);
}

// Spec F12: millimetres are those of a character 1.8 m tall, whatever the model's units.
TEST(VertexBake, ComparesWithTheClassicLayout) {
  const Character out = baked(built(swaying_bar()), of_vertices());
  EXPECT_EQ(out.half_float_bytes(), 84u * 16u * 30u);
  EXPECT_EQ(out.atlas().words.size() * 4, 84u * 8u * 30u);
  EXPECT_NEAR(out.error().mm_per_unit, 900.0, 1e-6);
  EXPECT_EQ(out.error().worst_clip, "sway");
  EXPECT_EQ(out.error().worst_bone, "upper");
}

TEST(VertexBake, ReportsProgressThatNeverFalls) {
  ThreadExecutor executor(3);
  std::map<std::string, double> last;
  std::string what;
  const auto out = bake(built(swaying_bar()), of_vertices(), executor, [&](std::string_view now, double done) {
    what = now;
    EXPECT_GE(done, last[what]);
    EXPECT_LE(done, 1.0);
    last[what] = done;
  });
  ASSERT_TRUE(out.has_value());
  for (const char* part : {"sample", "encode", "measure"}) EXPECT_EQ(last[part], 1.0) << part;
}

}  // namespace
}  // namespace throng
