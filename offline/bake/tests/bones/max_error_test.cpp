// SPDX-License-Identifier: Apache-2.0
// An error that was asked for is kept, by a measurement the bake has no part in, and at no more cost than needed.
#include "bones/chain_model.h"
#include "chain_of_bars.h"
#include "reference_measure.h"
#include "shared_models.h"
#include "throng/base/text.h"
#include "throng/character/file.h"

namespace throng {
namespace {

TEST(MaxError, IsKeptByEveryClip) {
  ModelDraft draft = swaying_bar();
  draft.clips.push_back(clip_of("fall", {turning(0, {1, 0, 0}, 26, 25.0, 0.5, [](double t) { return 2.0 * t * t; })}));
  draft.clips.push_back(
      clip_of("uneven", {turning(1, {0, 0, 1}, 700, 999.0, 0.0, [](double t) { return std::sin(9.0 * t); })}));
  const Model model = built(draft);
  for (const double bound : {20.0, 2.0, 0.3}) {
    const Character out = bounded(model, {.max_error_mm = bound});
    for (std::size_t clip = 0; clip < out.clips().size(); ++clip) {
      EXPECT_LE(worst_of(model, out, clip), bound) << out.clips()[clip].name << ": " << out.clips()[clip].choice;
    }
    EXPECT_LE(std::max(out.error().at_frames.max_mm, out.error().between.max_mm), bound);
  }
}

TEST(MaxError, IsKeptOnRealRigs) {
  for (const char* file : {"", "khronos/Fox/Fox.glb", "khronos/CesiumMan/CesiumMan.glb"}) {
    const auto imported = load(file);
    if (!imported) continue;
    ThreadExecutor executor(2);
    const auto out = bake(imported->model, {.max_error_mm = 1.0, .levels = 1}, executor);
    ASSERT_TRUE(out.has_value()) << out.error().message;
    std::size_t shortest = 0;
    for (std::size_t clip = 0; clip < out->clips().size(); ++clip) {
      const ClipError& error = out->clips()[clip].error;
      EXPECT_LE(std::max(error.at_frames.max_mm, error.between.max_mm), 1.0) << out->clips()[clip].choice;
      if (out->clips()[clip].frame_count < out->clips()[shortest].frame_count) shortest = clip;
    }
    EXPECT_LE(worst_of(imported->model, *out, shortest), 1.0) << out->clips()[shortest].choice;
  }
}

TEST(MaxError, AsksForLessWhereMoreIsAllowed) {
  const Model model = built(swaying_bar());
  std::uint64_t last = 0;
  for (const double bound : {60.0, 20.0, 0.2, 0.01}) {
    const Character out = bounded(model, {.max_error_mm = bound});
    EXPECT_GT(frame_bytes(out), last) << bound;
    last = frame_bytes(out);
  }
}

std::string note_of_vertices(const Character& character) {
  for (const std::string& note : character.notes()) {
    if (note.starts_with("as vertices")) return note;
  }
  return {};
}

// One triangle at the end of 32 bones that shake, each in its own way.
TEST(MaxError, TellsWhereVerticesWouldTakeLess) {
  constexpr std::uint32_t kBones = 32;
  constexpr int kKeys = 90;
  ModelDraft draft = test::chain_of_bars(kBones);
  Mesh& mesh = draft.meshes[0];
  mesh.positions = {{0.0f, 16.0f, 0.0f}, {0.1f, 15.9f, 0.0f}, {0.0f, 15.9f, 0.1f}};
  mesh.normals.resize(3);
  mesh.influences.erase(mesh.influences.begin(), mesh.influences.end() - 3);
  mesh.indices = {0, 1, 2};
  std::vector<BoneTrack> tracks;
  for (std::uint32_t bone = 0; bone < kBones; ++bone)
    tracks.push_back(turning(bone, glm::normalize(glm::dvec3(1, bone % 3, 1)), kKeys + 1, 30.0, 0.0,
                             [&](double t) { return 0.0003 * std::sin((70.0 + 3.0 * bone) * t + bone); }));
  draft.clips = {clip_of("shake", tracks, false)};
  const Model model = built(draft);
  constexpr double kBound = 20.0;  // the triangle is small, and the chain is long
  const Character bones = bounded(model, {.max_error_mm = kBound});
  const Character vertices = bounded(model, {.mode = BakeMode::vertices, .max_error_mm = kBound});
  ASSERT_LT(frame_bytes(vertices), frame_bytes(bones));
  EXPECT_EQ(note_of_vertices(bones),
            fmt::format("as vertices (`mode` vertices) the clips would take {} bytes instead of {}, for a character "
                        "that is only played far",
                        grouped(frame_bytes(vertices)), grouped(frame_bytes(bones))));
  EXPECT_EQ(note_of_vertices(bounded(model, {.encoding = Encoding::localv, .max_error_mm = kBound})), "")
      << "as asked for";
  EXPECT_EQ(note_of_vertices(bounded(built(swaying_bar()))), "");
}

// No encoding and rate that is cheaper keeps the bound: tried one by one, the slow way.
TEST(MaxError, TakesTheCheapestThatKeepsIt) {
  const Model model = built(swaying_bar());
  constexpr double kBound = 1.0;
  const Character out = bounded(model, {.max_error_mm = kBound, .near = false});
  const auto cost = [](const Character& m) { return frame_bytes(m, m.clips()[0]) + 16 * m.table().size(); };
  for (const Encoding encoding : {Encoding::q8, Encoding::local8, Encoding::q12, Encoding::q16, Encoding::x16}) {
    for (const double rate : {6.0, 10.0, 15.0, 30.0, 60.0, 90.0}) {
      const Character other = baked(model, {.encoding = encoding, .frame_rate = rate});
      if (cost(other) >= cost(out)) continue;
      EXPECT_GT(worst_of(model, other, 0), kBound)
          << name_of(encoding) << " at " << rate << " is cheaper than " << out.clips()[0].choice;
    }
  }
}

TEST(MaxError, ChoosesOnlyTheRateWhereTheEncodingIsGiven) {
  const Model model = built(swaying_bar());
  for (const Encoding encoding : {Encoding::q16, Encoding::rows, Encoding::local8}) {
    const Character out = bounded(model, {.encoding = encoding, .max_error_mm = 1.5});
    EXPECT_EQ(out.clips()[0].encoding, encoding);
    EXPECT_LE(worst_of(model, out, 0), 1.5);
  }
}

// By bytes: localv needs some for each bone that turns before its first frame, which a pose with no other is not worth.
TEST(MaxError, TakesModelSpaceForOnePoseAndLocalvForMotion) {
  ModelDraft draft = chain();
  std::vector<BoneTrack> held;
  for (const std::uint32_t bone : {1u, 2u, 3u, 4u})
    held.push_back(turning(bone, {1, 0, 0}, 2, 1.0, 0.0, [](double) { return 0.5; }));
  draft.clips.push_back(clip_of("held", held));
  const Model model = built(draft);
  const Character far = bounded(model, {.max_error_mm = 1.0, .near = false});
  EXPECT_EQ(far.clips()[0].encoding, Encoding::localv) << far.clips()[0].choice;
  EXPECT_EQ(far.clips()[1].encoding, Encoding::q12) << far.clips()[1].choice;
  for (std::size_t clip = 0; clip < 2; ++clip) EXPECT_LE(worst_of(model, far, clip), 1.0);
  // Near characters play the same words; beside another encoding they would need keys as well.
  const Character near = bounded(model, {.max_error_mm = 1.0});
  EXPECT_EQ(near.clips()[1].encoding, Encoding::localv) << near.clips()[1].choice;
}

TEST(MaxError, SaysWhatItWeighed) {
  const Character out = bounded(built(swaying_bar()), {.max_error_mm = 0.4, .near = false});
  const std::string& why = out.clips()[0].choice;
  EXPECT_EQ(why.find(name_of(out.clips()[0].encoding)), 0u) << why;
  EXPECT_NE(why.find(" fps: "), std::string::npos) << why;
  EXPECT_NE(why.find(" mm, "), std::string::npos) << why;
  EXPECT_NE(why.find(" kB; "), std::string::npos) << why;
  EXPECT_NE(why.find("q16 "), std::string::npos) << why;
  EXPECT_NE(why.find("q8 would take at least "), std::string::npos) << why;
}

TEST(MaxError, IsAMillimetreUnlessToldOtherwise) {
  const Model model = built(swaying_bar());
  const Character usual = bounded(model);
  EXPECT_EQ(*encode_character(usual), *encode_character(bounded(model, {.max_error_mm = 1.0})));
  EXPECT_LE(worst_of(model, usual, 0), 1.0);
  EXPECT_TRUE(usual.warnings().empty());
}

TEST(MaxError, OutOfReachKeepsTheBestThereIsAndWarns) {
  const Model model = built(swaying_bar());
  const Character out = bounded(model, {.max_error_mm = 0.0001});
  EXPECT_TRUE(warns(out, "1 clip is off by more than 0.0001 mm: 'sway' by ")) << out.warnings().at(0);
  EXPECT_TRUE(warns(out, "`max_error_mm`"));
  const Character exact = bounded(model, {.encoding = Encoding::x16, .max_error_mm = 0.0001});
  EXPECT_LE(worst_of(model, out, 0), 1.1 * worst_of(model, exact, 0)) << "hardly worse than the most exact there is";
  EXPECT_NE(out.clips()[0].choice.find("mm at best, where 0.0001 mm are asked for"), std::string::npos)
      << out.clips()[0].choice;
}

// A jump is out of reach at any rate; the rest of the clip is not coarser than usual for that, nor are other clips.
TEST(MaxError, AClipThatJumpsSpoilsNeitherItsOtherPosesNorOtherClips) {
  ModelDraft draft = swaying_bar();
  BoneTrack track = turning(1, {0, 0, 1}, 31, 30.0, 0.0, [](double t) { return t < 0.5 ? t : t + 1.0; });
  track.rotation.interpolation = Interpolation::step;
  draft.clips.push_back(clip_of("jerk", {track}, false));
  const Model model = built(draft);
  const Character out = bounded(model);
  EXPECT_GE(out.clips()[1].rate(), 29.9) << out.clips()[1].choice;
  EXPECT_TRUE(warns(out, "1 clip is off by more than 1 mm: 'jerk'"));
  EXPECT_LE(worst_of(model, out, 0), 1.0);
}

TEST(MaxError, ANamedRateIsKept) {
  const Model model = built(swaying_bar());
  const Character out = bounded(model, {.frame_rate = 10.0});
  EXPECT_NEAR(out.clips()[0].rate(), 10.0, 1e-9);
  EXPECT_TRUE(warns(out, "`frame_rate`"));
  const Character both = bounded(model, {.encoding = Encoding::q8, .frame_rate = 15.0});
  EXPECT_EQ(both.clips()[0].encoding, Encoding::q8);
  EXPECT_NEAR(both.clips()[0].rate(), 15.0, 1e-9);
}

// Two takes of 24 keys a second, a fifth of a step apart, as the Fox's Run is: only a rate that meets all keys will do.
TEST(MaxError, IsKeptWhereKeysLieOnAFinerGridOnly) {
  ModelDraft draft = bar_draft();
  BoneTrack track = turning(1, {0, 0, 1}, 25, 24.0, 0.0, [](double t) { return 2.0 * std::abs(std::sin(5.0 * t)); });
  for (std::size_t i = 12; i < track.rotation.times.size(); ++i) track.rotation.times[i] += 0.2f / 24.0f;
  draft.clips.push_back(clip_of("spliced", {track}, false));
  const Model model = built(draft);
  const Character out = bounded(model, {.max_error_mm = 0.5});
  EXPECT_LE(worst_of(model, out, 0), 0.5) << out.clips()[0].choice;
  EXPECT_NEAR(out.clips()[0].rate(), 120.0, 0.1) << out.clips()[0].choice;
}

// Only rows hold it, so rows it is, at the rate the bound asks for.
TEST(MaxError, IsKeptByClipsThatNeedRows) {
  ModelDraft draft = bar_draft();
  BoneTrack track;
  track.bone = 1;
  for (int i = 0; i <= 30; ++i) {
    track.scale.times.push_back(static_cast<float>(i) / 30.0f);
    track.scale.values.emplace_back(1.0f, 1.0f + 0.2f * static_cast<float>(std::sin(2.0 * kPi * i / 30.0)), 1.0f);
  }
  draft.clips.push_back(clip_of("stretch", {track}));
  const Model model = built(draft);
  const Character out = bounded(model, {.max_error_mm = 1.0});
  EXPECT_EQ(out.clips()[0].encoding, Encoding::rows);
  EXPECT_LE(worst_of(model, out, 0), 1.0);
}

}  // namespace
}  // namespace throng
