// SPDX-License-Identifier: Apache-2.0
// Clips in localv, played near: as far characters play them, from the same words, whatever was sampled before.

#include <cstring>
#include <random>

#include "jobs/channel_sampler.h"
#include "jobs/jobs_kernels.h"
#include "mannequin_model.h"
#include "rig_models.h"
#include "rig_poses.h"
#include "throng/bake/bake.h"
#include "throng/character/motion_channels.h"
#include "throng/clip_facts/decide.h"
#include "throng/motion/compile_motion.h"

namespace throng {

using namespace detail::animator;

namespace {

using namespace test;

constexpr double kDancerBound = 20.0;  // millimetres: it dances fast
constexpr double kFloats = 2e-5;       // of a figure about as tall as its chains are long: floats along a chain

// The dancer as far characters have it: its scales are even, and triangles hang on all bones but the last two, of which
// one dances and one stands still.
Model drawn_dancer(std::uint32_t bones) {
  ModelDraft draft = dancing_model(bones).draft();
  for (Bone& bone : draft.bones) bone.rest.scale = glm::dvec3(0.9);
  Mesh mesh;
  for (std::uint32_t bone = 0; bone + 2 < bones; ++bone) {
    for (int corner = 0; corner < 3; ++corner) {
      mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
      mesh.positions.emplace_back(corner == 0 ? 0.3f : 0.0f, corner == 1 ? 0.3f : 0.0f, corner == 2 ? 0.3f : 0.0f);
      Influences influences;
      influences.bindings[0] = static_cast<std::uint16_t>(bone);
      influences.weights[0] = 1.0f;
      mesh.influences.push_back(influences);
    }
  }
  draft.meshes = {mesh};
  draft.materials.resize(1);
  for (Clip& clip : draft.clips)
    std::erase_if(clip.bones, [&](const BoneTrack& track) { return track.bone + 1 == bones; });
  // Below the others, so that nothing drawn follows them.
  for (std::uint32_t bone = 0; bone < bones; ++bone)
    if (bone + 2 >= bones) draft.bones[bone].parent = 0;
  return build_model(std::move(draft)).value();
}

Character baked(const Model& model, BakeSettings settings = {}) {
  settings.encoding = Encoding::localv;
  settings.levels = 1;
  SerialExecutor executor;
  auto character = bake(model, settings, executor);
  EXPECT_TRUE(character) << character.error().message;
  return *std::move(character);
}

const Character& dancer() {
  static const Character character = baked(drawn_dancer(23), {.max_error_mm = kDancerBound});
  return character;
}
const Rig& dancing_rig() {
  static const auto rig = build_rig(dancer()).value();
  return *rig;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST(ChannelClips, ArePlayedFromTheWordsOfFarOnes) {
  const Motion& motion = dancing_rig().motion();
  EXPECT_EQ(motion.channels().words.data(), dancer().channel_words().data());
  for (std::uint32_t clip = 0; clip < 4; ++clip) {
    ASSERT_TRUE(motion.clips()[clip].frames);
    EXPECT_EQ(motion.clips()[clip].frames->words, dancer().clips()[clip].channels);
    ASSERT_TRUE(motion.clips()[clip].own_frames) << "of the bone that nothing drawn follows";
    EXPECT_TRUE(motion.keys(clip).lists.empty());
    EXPECT_TRUE(motion.keys(clip).still.rotations.empty());
  }
  EXPECT_FALSE(motion.channels().bones[21].covered);
  EXPECT_TRUE(motion.own_channels().bones[21].covered);
  EXPECT_TRUE(motion.channels().bones[22].covered) << "it stands still";
}

// Bone by bone against the reader in double.
TEST(ChannelClips, AreAsTheReaderInDoubleHasThem) {
  std::minstd_rand random(3);
  const auto& bones = dancing_rig().motion().channels().bones;
  for (std::uint32_t clip = 0; clip < 4; ++clip) {
    const BakedClip& far = dancer().clips()[clip];
    const ChannelReader reader(dancer().channel_words(), far.channels);
    TestCharacter near(dancing_rig(), clip);
    std::uniform_real_distribution<double> anywhere(0.0, far.length);
    for (int i = 0; i < 300; ++i) {
      const auto seconds = static_cast<float>(i == 0 ? far.length : anywhere(random));
      ASSERT_TRUE(near.sample(seconds));
      const ExactCursor at = cursor_at_time(far, static_cast<double>(seconds));
      const ChannelFrames frames = reader.frames_at(at.cursor.frame, at.cursor.next, at.blend);
      for (std::uint32_t bone = 0; bone < bones.size(); ++bone) {
        const BoneChannels& one = bones[bone];
        if (!one.covered) continue;
        const BoneTransform local = local_of(near.locals, bone);
        const auto turn = one.rotation ? reader.rotation(*one.rotation, frames) : std::nullopt;
        const auto place = one.translation ? reader.vector(*one.translation, frames) : std::nullopt;
        const auto scale = one.scale ? reader.vector(*one.scale, frames) : std::nullopt;
        EXPECT_LT(angle_between(glm::dquat(local.rotation), turn.value_or(one.still.rotation)), kFloats) << bone;
        EXPECT_LT(glm::distance(glm::dvec3(local.translation), place.value_or(one.still.translation)), kFloats) << bone;
        EXPECT_LT(glm::distance(glm::dvec3(local.scale), scale.value_or(one.still.scale)), kFloats) << bone;
        EXPECT_NEAR(static_cast<double>(glm::length(local.rotation)), 1.0, 1e-6);
      }
    }
  }
}

// The bones that nothing drawn follows, as the rig plays them.
void expect_as_in_the_source(const Rig& rig, double angle, double distance) {
  const Model model = drawn_dancer(23);
  for (std::uint32_t clip = 0; clip < 4; ++clip) {
    TestCharacter near(rig, clip);
    const Clip& source = model.clips()[clip];
    for (int i = 0; i <= 100; ++i) {
      const double seconds = source.length() * i / 100.0;
      ASSERT_TRUE(near.sample(static_cast<float>(seconds)));
      const Pose truth = sample(model, source, source.start + seconds);
      for (const std::uint32_t bone : {21u, 22u}) {
        const BoneTransform local = local_of(near.locals, bone);
        EXPECT_LT(angle_between(glm::dquat(local.rotation), truth.bones[bone].rotation), angle) << bone;
        EXPECT_LT(glm::distance(glm::dvec3(local.translation), truth.bones[bone].translation), distance) << bone;
      }
    }
  }
}

// In words that far characters do not have, beside those of the others in the same groups. A bone is held to the bound
// within a hundredth of the model's size around it.
TEST(ChannelClips, HaveBonesThatNothingFollowsInWordsOfTheirOwn) {
  const double bound = kDancerBound / dancer().error().mm_per_unit;
  const double size = kCharacterMillimetres / dancer().error().mm_per_unit;
  expect_as_in_the_source(dancing_rig(), bound / (0.01 * size), bound);
}

// As files of 4.1 have them: keys of those bones, beside the words.
TEST(ChannelClips, PlayKeysOfBonesThatNothingFollowsBesideTheWords) {
  const Model model = drawn_dancer(23);
  const MotionData& data = dancing_rig().motion().data();
  std::vector<MotionSource> sources;
  SerialExecutor executor;
  const auto decided = decide_clip_facts(model, model.clips(), {}, executor).value();
  MotionWords words{.character = &dancer().draft()};
  for (const MotionBone& bone : data.bones) words.still.push_back(bone.still);
  for (std::size_t clip = 0; clip < data.clips.size(); ++clip)
    sources.push_back({.clip = &model.clips()[clip], .facts = decided[clip].facts, .frames = data.clips[clip].frames});
  const Motion motion = compile_motion(model, sources, {}, words).value();
  std::size_t groups = 0;
  for (const KeyList& list : motion.keys(0).lists) groups += list.rotations.size();
  EXPECT_EQ(groups, 1u);
  expect_as_in_the_source(*build_rig(motion), 2e-4, 2e-4);
}

TEST(ChannelClips, GiveTheSameBitsAfterAnyJumpAndFromAnyCursor) {
  std::minstd_rand random(11);
  for (std::uint32_t clip = 0; clip < 4; ++clip) {
    TestCharacter jumping(dancing_rig(), clip);
    std::uniform_real_distribution<float> anywhere(-0.1f, dancing_rig().clips()[clip].length + 0.1f);
    float time = 0.0f;
    for (int i = 0; i < 600; ++i) {
      // On, back, or anywhere.
      time = i % 5 == 0 ? anywhere(random) : i % 50 < 25 ? time + 0.011f : time - 0.017f;
      TestCharacter fresh(dancing_rig(), clip);
      ASSERT_TRUE(fresh.sample(time));
      ASSERT_TRUE(jumping.sample(time));
      ASSERT_TRUE(same_bits(fresh.locals, jumping.locals)) << "at " << time;
      for (auto& cursor : jumping.cursors) {
        if (i % 13 == 0) cursor = static_cast<std::uint32_t>(random()) * 2654435761u;
        if (i % 17 == 0) cursor = std::numeric_limits<std::uint32_t>::max();
      }
    }
  }
}

// What another clip, or the same clip of another character, left in the cursors is not taken for this one's.
TEST(ChannelClips, AreNotMistakenForOnesOfOthers) {
  const Character other = baked(drawn_dancer(24), {.max_error_mm = kDancerBound});
  const auto rig = build_rig(other).value();
  std::vector<std::uint32_t> cursors;
  for (std::uint32_t clip = 0; clip < 4; ++clip) {
    cursors.resize(std::max<std::size_t>(
        {cursors.size(), rig->clips()[clip].cursor_count, dancing_rig().clips()[clip].cursor_count}));
  }
  for (int round = 0; round < 3; ++round) {
    for (const Rig* played : {rig.get(), &dancing_rig()}) {
      for (std::uint32_t clip = 0; clip < 4; ++clip) {
        TestCharacter fresh(*played, clip);
        ASSERT_TRUE(fresh.sample(0.31f));
        std::vector<SoaTransform> locals(played->group_count());
        ASSERT_TRUE(
            (SampleJob{.rig = *played, .clip = ClipId(clip), .time = 0.31f, .cursors = cursors, .locals = locals}
                 .run()));
        EXPECT_TRUE(same_bits(fresh.locals, locals));
      }
    }
  }
}

// While the time stays between two frames, what was decoded is used; in the next interval one of the two still is.
TEST(ChannelClips, DecodeNothingWithinAnIntervalAndOneFrameInTheNext) {
  const Rig& rig = dancing_rig();
  const ClipChannels& clip = detail::animator::channels_of(rig).far.clips[0];
  ASSERT_GT(clip.frame_floats(), 0u);
  const std::size_t lists = rig.motion().keys(0).lists.size();
  TestCharacter near(rig, 0);
  const std::span<std::uint32_t> kept = std::span(near.cursors).subspan(lists, kept_words(clip));
  // A time in the interval that begins at a stored frame.
  const auto middle = [&](std::uint32_t wanted) {
    for (std::uint32_t frame = 0; frame < clip.intervals; ++frame) {
      const std::uint32_t stored = clip.clip.map == 0 ? frame : clip.words[clip.clip.map + frame] & 0xFFFFu;
      if (stored == wanted) return (static_cast<float>(frame) + 0.25f) / clip.rate;
    }
    return -1.0f;
  };
  const auto halves = [&] {
    const std::size_t first = kept.size() - 2 * clip.frame_floats();
    return std::array{std::vector(kept.begin() + static_cast<std::ptrdiff_t>(first),
                                  kept.begin() + static_cast<std::ptrdiff_t>(first + clip.frame_floats())),
                      std::vector(kept.begin() + static_cast<std::ptrdiff_t>(first + clip.frame_floats()), kept.end())};
  };
  ASSERT_TRUE(near.sample(middle(1)));
  const auto before = halves();
  ASSERT_TRUE(near.sample(middle(1) + 0.1f / clip.rate));
  EXPECT_EQ(halves(), before);
  // Were it decoded again, what is written over it would be gone.
  const std::size_t first = kept.size() - 2 * clip.frame_floats();
  const std::uint32_t changed = std::bit_cast<std::uint32_t>(0.123f);
  kept[first] = changed;
  kept[first + clip.frame_floats()] = changed;
  ASSERT_TRUE(near.sample(middle(1)));
  EXPECT_EQ(kept[first], changed);
  EXPECT_EQ(kept[first + clip.frame_floats()], changed);
  ASSERT_TRUE(near.sample(middle(2)));
  EXPECT_NE(kept[first] == changed, kept[first + clip.frame_floats()] == changed) << "one of the two was decoded";
  ASSERT_TRUE(near.sample(middle(3)));
  EXPECT_NE(kept[first], changed);
  EXPECT_NE(kept[first + clip.frame_floats()], changed);
}

TEST(ChannelClips, OfTooFewCursorsAreRefused) {
  const std::uint32_t count = dancing_rig().clips()[0].cursor_count;
  std::vector<std::uint32_t> cursors(count - 1);
  std::vector<SoaTransform> locals(dancing_rig().group_count());
  EXPECT_FALSE((SampleJob{.rig = dancing_rig(), .time = 0.1f, .cursors = cursors, .locals = locals}.run()));
}

class ChannelKernels : public testing::TestWithParam<std::uint32_t> {};

TEST_P(ChannelKernels, MixTheSameBits) {
  if (!kernels::has_wide()) GTEST_SKIP() << "this processor computes with four floats only";
  const Character character = baked(drawn_dancer(GetParam()), {.max_error_mm = kDancerBound});
  const auto rig = build_rig(character).value();
  std::minstd_rand random(4);
  std::uniform_real_distribution<float> number(-1.0f, 1.0f);
  std::size_t masked = 0;
  const RigChannels& channels = detail::animator::channels_of(*rig);
  std::vector<ClipChannels> clips = channels.far.clips;
  clips.insert(clips.end(), channels.own.clips.begin(), channels.own.clips.end());
  for (const ClipChannels& clip : clips) {
    if (clip.empty() || clip.frame_floats() == 0) continue;  // one that misses the bound, or in which nothing moves
    std::vector<float> from(clip.frame_floats()), to(clip.frame_floats());
    for (float& value : from) value = number(random);
    for (float& value : to) value = number(random);
    for (const RotationRow& row : clip.rotations)
      masked += row.lanes[0] != kAllLanes || row.lanes[1] != kAllLanes ? 1u : 0u;
    for (const auto* rows : {&clip.translations, &clip.scales})
      for (const ChannelRow& row : *rows) masked += row.lanes != kAllLanes ? 1u : 0u;
    for (const float blend : {0.0f, 0.123f, 0.5f, 0.999f}) {
      std::vector<SoaTransform> narrow(rig->rest().begin(), rig->rest().end()), wide = narrow;
      kernels::mix_frames_narrow({clip, from.data(), to.data(), blend}, narrow.data());
      kernels::mix_frames_wide({clip, from.data(), to.data(), blend}, wide.data());
      ASSERT_TRUE(same_bits(narrow, wide)) << blend;
      EXPECT_FALSE(same_bits(wide, std::vector(rig->rest().begin(), rig->rest().end())));
    }
  }
  EXPECT_GT(masked, 0u);
}

INSTANTIATE_TEST_SUITE_P(Bones, ChannelKernels, testing::Values(5u, 7u, 19u, 23u));

// What the bake takes off of it, near characters have.
Model walker(bool loops, int keys) {
  ModelDraft draft = arc_walker(loops, keys);
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {0.2f, 0, 0}, {0, 0.5f, 0}};
  mesh.influences.assign(3, bound_to(0));
  mesh.indices = {0, 1, 2};
  draft.meshes = {mesh};
  draft.materials.resize(1);
  draft.bindings = {{4, glm::dmat4(1.0)}};
  return build_model(std::move(draft)).value();
}

TEST(ChannelClips, HaveTheRootMotionThatTheBakeTookOff) {
  for (const RootTreatment treatment : {RootTreatment::keep, RootTreatment::extract, RootTreatment::strip}) {
    const Model model = walker(false, 31);
    const Character character = baked(model, {.max_error_mm = 0.5, .root_motion = treatment});
    const auto rig = build_rig(character).value();
    ASSERT_TRUE(rig->motion().clips()[0].frames);
    EXPECT_EQ(rig->motion().clips()[0].ground_count > 0, treatment != RootTreatment::keep);
    TestCharacter near(*rig, 0);
    const double allowed = 1.1 * 0.5 / character.error().mm_per_unit;
    for (int i = 0; i <= 200; ++i) {
      const double seconds = model.clips()[0].length() * i / 200.0;
      ASSERT_TRUE(near.pose(static_cast<float>(seconds)));
      const auto truth = model_from_bones(model, sample(model, model.clips()[0], seconds));
      EXPECT_LT(glm::distance(glm::dvec3(position_of(near.models[4])), glm::dvec3(truth[4][3])), allowed) << seconds;
    }
  }
}

// Thirty keys, the thirty-first left out: a cycle further on, the root has gone on over the seam, whatever far
// characters do there.
TEST(ChannelClips, GoOnOverTheSeamOfAnOpenLoop) {
  const Model model = walker(true, 30);
  SerialExecutor executor;
  const ClipFacts facts = decide_clip_facts(model, model.clips(), {}, executor).value().at(0).facts;
  ASSERT_TRUE(facts.open());
  for (const RootTreatment treatment : {RootTreatment::keep, RootTreatment::extract}) {
    const Character character = baked(model, {.root_motion = treatment});
    const auto rig = build_rig(character).value();
    ASSERT_TRUE(rig->motion().clips()[0].frames);
    TestCharacter near(*rig, 0);
    ASSERT_TRUE(near.pose(0.0f));
    const Affine first = near.models[1];
    ASSERT_TRUE(near.pose(rig->clips()[0].length));
    const glm::dvec3 end = transform_point(facts.root_path.back(), glm::dvec3(position_of(first)));
    EXPECT_LT(glm::distance(glm::dvec3(position_of(near.models[1])), end), 2e-3);
    const glm::dquat facing = rotation_of(facts.root_path.back()) * glm::dquat(rotation_of(first));
    EXPECT_LT(angle_between(glm::dquat(rotation_of(near.models[1])), facing), 2e-3);
  }
}

// A curve that jumps cannot be held to a bound in frames: near, it is keys.
TEST(ChannelClips, ThatMissTheBoundStayKeys) {
  ModelDraft draft = walker(false, 31).draft();
  draft.clips[0].bones[1].rotation.interpolation = Interpolation::step;
  const Character character = baked(build_model(std::move(draft)).value());
  ASSERT_EQ(character.clips()[0].encoding, Encoding::localv);
  EXPECT_FALSE(build_rig(character).value()->motion().clips()[0].frames);
}

// Every bit of every word another: refused, or the pose is of numbers.
void expect_refused_or_harmless(const Character& character, MotionChannels MotionData::*channels) {
  const MotionData& data = character.motion().value().data();
  std::vector<std::uint32_t> words((data.*channels).words.begin(), (data.*channels).words.end());
  ASSERT_FALSE(words.empty());
  std::size_t refused = 0;
  std::size_t played = 0;
  for (std::size_t word = 0; word < words.size(); ++word) {
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      words[word] ^= 1u << bit;
      MotionData changed = data;
      (changed.*channels).words = words;
      if (const auto motion = build_motion(std::move(changed))) {
        const auto rig = build_rig(*motion);
        TestCharacter near(*rig, 0);
        for (const float time : {0.0f, 0.03f, 0.1f, 0.2f}) {
          ASSERT_TRUE(near.pose(time));
          for (const Affine& bone : near.models)
            ASSERT_TRUE(std::isfinite(position_of(bone).x) || std::isinf(position_of(bone).x)) << word << " " << bit;
          for (std::uint32_t bone = 0; bone < rig->bone_count(); ++bone)
            ASSERT_FALSE(std::isnan(local_of(near.locals, bone).rotation.w)) << word << " " << bit;
        }
        ++played;
      } else {
        ++refused;
      }
      words[word] ^= 1u << bit;
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(played, 100u);
}

TEST(ChannelClips, OfWordsThatNobodyWroteAreRefusedOrHarmless) {
  expect_refused_or_harmless(baked(walker(false, 6)), &MotionData::channels);
}

// The same walker with a lantern that swings beside it, and that nothing drawn follows.
Model lantern_bearer(bool loops, int keys) {
  ModelDraft draft = walker(loops, keys).draft();
  draft.bones.push_back({"lantern", 1, {{0.4, 0.0, 0.0}}});
  draft.bones.push_back({"flame", 5, {{0.0, -0.2, 0.0}}});
  for (const std::uint32_t bone : {5u, 6u}) {
    BoneTrack track{.bone = bone, .translation = {}, .rotation = {}, .scale = {}};
    for (int key = 0; key < keys; ++key) {
      const double t = key / 30.0;
      const double swing = std::sin(6.283185307179586 * t);
      track.rotation.times.push_back(static_cast<float>(t));
      track.rotation.values.emplace_back(glm::angleAxis(0.7 * swing, glm::dvec3(0, 0, 1)));
      track.scale.times.push_back(static_cast<float>(t));
      track.scale.values.emplace_back(1.0 + 0.2 * swing, 1.0, 1.0 - 0.1 * swing);
    }
    draft.clips[0].bones.push_back(track);
  }
  return build_model(std::move(draft)).value();
}

TEST(ChannelClips, OfWordsOfTheirOwnThatNobodyWroteAreRefusedOrHarmless) {
  expect_refused_or_harmless(baked(lantern_bearer(false, 6)), &MotionData::own_channels);
}

// Moved over the ground with the others, over the seam of an open loop too; scaled unevenly, one below the other.
TEST(ChannelClips, HaveWordsOfTheirOwnWhereTheSourceHasThem) {
  for (const bool loops : {false, true}) {
    for (const RootTreatment treatment : {RootTreatment::keep, RootTreatment::extract, RootTreatment::strip}) {
      const Model model = lantern_bearer(loops, loops ? 30 : 31);
      constexpr double kMillimetres = 0.5;
      const Character character = baked(model, {.max_error_mm = kMillimetres, .root_motion = treatment});
      const auto rig = build_rig(character).value();
      ASSERT_TRUE(rig->motion().clips()[0].own_frames);
      TestCharacter near(*rig, 0);
      const double allowed = 1.1 * kMillimetres / character.error().mm_per_unit;
      for (int i = 0; i <= 200; ++i) {
        const double seconds = model.clips()[0].length() * i / 200.0;
        ASSERT_TRUE(near.pose(static_cast<float>(seconds)));
        const auto truth = model_from_bones(model, sample(model, model.clips()[0], seconds));
        for (const std::size_t bone : {5u, 6u})
          EXPECT_LT(glm::distance(glm::dvec3(position_of(near.models[bone])), glm::dvec3(truth[bone][3])), allowed)
              << bone << " at " << seconds;
      }
    }
  }
}

// What jumps and is not drawn does not take the clip from the words of the others.
TEST(ChannelClips, KeepAsKeysOnlyWhatJumps) {
  ModelDraft draft = lantern_bearer(false, 31).draft();
  draft.clips[0].bones[2].rotation.interpolation = Interpolation::step;
  const Model model = build_model(std::move(draft)).value();
  const Character character = baked(model);
  const auto rig = build_rig(character).value();
  EXPECT_TRUE(rig->motion().clips()[0].frames);
  EXPECT_FALSE(rig->motion().clips()[0].own_frames);
  TestCharacter near(*rig, 0);
  const double allowed = 1.1 * kUsualErrorMm / character.error().mm_per_unit;
  for (int i = 0; i < 30; ++i) {
    const double seconds = (i + 0.5) / 30.0;
    ASSERT_TRUE(near.pose(static_cast<float>(seconds)));
    const auto truth = model_from_bones(model, sample(model, model.clips()[0], seconds));
    EXPECT_LT(glm::distance(glm::dvec3(position_of(near.models[6])), glm::dvec3(truth[6][3])), allowed) << seconds;
  }
}

}  // namespace
}  // namespace throng
