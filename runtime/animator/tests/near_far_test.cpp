// SPDX-License-Identifier: Apache-2.0
// A character out of its file is the same near and far: vertices from all over it, as its rig poses them and as its
// frames say them, lie within the bake's bound of each other and of the truth in double. Where near and far play the
// same words, they differ by roundings alone.

#include <algorithm>
#include <glm/gtc/constants.hpp>
#include <map>

#include "compiled_rig.h"
#include "every_model.h"
#include "graph/root_track.h"
#include "mannequin_model.h"
#include "rig_models.h"
#include "rig_poses.h"
#include "throng/bake/bake.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"
#include "throng/clip_facts/decide.h"
#include "throng/clip_facts/key_rate.h"
#include "throng/import/import.h"

namespace throng {
namespace {

using namespace test;

constexpr int kTimes = 200;                // of each clip
constexpr std::size_t kMostVertices = 60;  // of one model, evenly out of all its meshes
// What near characters may be off, of the model's size: compile_motion allows 1e-4 radians a bone, and the errors of a
// chain's bones add up. Floats are a hundredth of that.
constexpr double kNearError = 2e-4;
constexpr double kRootError = 1e-3;       // of the model's size, and radians: root motion near
constexpr double kNearRounding = 1e-5;    // of the model's size: floats along a chain
constexpr double kDoubleRounding = 1e-9;  // of the model's size: far poses are decoded and compared in double
constexpr double kFloatRounding = 5.9604644775390625e-8;  // of a number: half a step of its last bit
// What a bone of a chain may add to the difference of near and far that play the same words, in roundings of where it
// takes a vertex. Near rotations are decoded in floats, which are off by up to 8 (channel_codec_test.cpp); blending and
// multiplying them comes to less.
constexpr double kRoundingsABone = 8.0;
// Far vertices have weights in whole steps of it, each less than one off of the source's; their sum is as it was.
constexpr double kWeightStep = 1.0 / 65535.0;
constexpr double kBesideJump = 1e-5;  // seconds: in the floats of a near clip's times it may come before or after
constexpr std::size_t kClipsInABound = 3;
constexpr double kBound = 1.0;     // millimetres on a character 1.8 m tall
constexpr double kNearPart = 0.5;  // of a bound is the most that near characters need of it

// A vertex of the source, where it is bound, and which it became.
struct Followed {
  glm::dvec3 position{0.0};  // in mesh space, morph targets as at rest
  std::vector<std::pair<std::uint32_t, double>> influences;
  std::uint32_t baked = 0;
};

glm::dvec3 rest_position(const Mesh& mesh, std::size_t vertex) {
  glm::dvec3 position(mesh.positions[vertex]);
  for (std::size_t target = 0; target < mesh.morph_targets.size(); ++target) {
    const auto& offsets = mesh.morph_targets[target].positions;
    if (!offsets.empty()) position += static_cast<double>(mesh.morph_weights[target]) * glm::dvec3(offsets[vertex]);
  }
  return position;
}

std::vector<Followed> some_vertices(const Model& model, const Character& character) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, const Mesh*> meshes;
  for (const Mesh& mesh : model.meshes()) meshes[{mesh.node, mesh.primitive}] = &mesh;
  std::size_t count = 0;
  for (const BakedSource& source : character.sources()) count += source.vertex_count;
  const std::size_t step = 1 + count / kMostVertices;
  std::vector<Followed> out;
  for (const BakedSource& source : character.sources()) {
    const Mesh& mesh = *meshes.at({source.node, source.primitive});
    for (std::uint32_t v = 0; v < source.vertex_count; ++v) {
      if ((source.first_vertex + v) % step != 0) continue;
      Followed one{rest_position(mesh, v), {}, source.first_vertex + v};
      for_each_influence(mesh, v,
                         [&](std::uint32_t binding, float weight) { one.influences.emplace_back(binding, weight); });
      if (!character.baked_from_source().empty()) one.baked = character.baked_from_source()[one.baked];
      out.push_back(std::move(one));
    }
  }
  return out;
}

template <class PointAt>
glm::dvec3 blended(const Followed& vertex, const PointAt& point_at) {
  glm::dvec3 sum(0.0);
  for (const auto& [binding, weight] : vertex.influences) sum += weight * point_at(binding);
  return sum;
}

glm::dvec3 far_position(const Character& character, const std::vector<ColumnMove>& columns, std::uint32_t vertex) {
  const BakedVertex& v = character.vertices()[vertex];
  glm::dvec3 sum(0.0);
  for (std::size_t i = 0; i < v.weights.size(); ++i) {
    const ColumnMove& column = columns[v.bones[i]];
    sum += v.weights[i] / 65535.0 * (column.linear * glm::dvec3(v.position) + column.offset);
  }
  return sum;
}

// With only so many clips, so that not every rate is tried for each of a hundred.
Model with_few_clips(const Model& model) {
  ModelDraft draft = model.draft();
  while (draft.clips.size() > kClipsInABound)
    draft.clips.erase(draft.clips.begin() + static_cast<std::ptrdiff_t>(draft.clips.size() / 2));
  return build_model(std::move(draft)).value();
}

// The times at which a curve that holds its values goes to the next one.
std::vector<double> jumps_of(const Clip& clip) {
  std::vector<double> times;
  const auto add = [&times](const auto& curve) {
    if (curve.interpolation != Interpolation::step) return;
    times.insert(times.end(), curve.times.begin(), curve.times.end());
  };
  for (const BoneTrack& track : clip.bones) {
    add(track.translation);
    add(track.rotation);
    add(track.scale);
  }
  return times;
}

// How far the last pose is from the first where the bake closes a loop over its last step, and how long that is.
struct Closing {
  double gap = 0.0;
  double step = 0.0;  // seconds
};

Closing closing_of(const Model& model, const Clip& source, const BakedClip& baked,
                   const std::vector<Followed>& vertices) {
  if (!baked.loops || baked.length > source.length() + 1e-6) return {};
  const auto first = skinning_palette(model, sample(model, source, source.start));
  const auto last = skinning_palette(model, sample(model, source, source.end));
  Closing closing{0.0, 1.0 / key_rate_of(source).value_or(kUsualFrameRate)};
  for (const Followed& vertex : vertices) {
    for (const auto& [binding, weight] : vertex.influences) {
      const glm::dvec4 position(vertex.position, 1.0);
      closing.gap = std::max(closing.gap, glm::distance(first[binding] * position, last[binding] * position));
    }
  }
  return closing;
}

// How many bones take a vertex where it is, along the longest of its chains, if all of them play the same words near
// and far. Not all do in a clip of words: bones that move alike share a column, which says the words of one, and the
// others play words of their own near, or keys. And the bake leaves out influences that a far vertex has no room for.
std::optional<double> bones_of_words(const Model& model, const Motion& motion, const Followed& vertex) {
  if (vertex.influences.size() > BakedVertex{}.weights.size()) return std::nullopt;
  double most = 0.0;
  for (const auto& [binding, weight] : vertex.influences) {
    double count = 0.0;
    for (auto bone = std::optional(model.bindings()[binding].bone); bone; bone = model.bones()[*bone].parent) {
      if (!motion.channels().bones[*bone].covered) return std::nullopt;
      ++count;
    }
    most = std::max(most, count);
  }
  return most;
}

struct Distances {
  double near_truth = 0.0, far_truth = 0.0;
  double near_far = 0.0;        // of vertices that do not play the same words
  double over_roundings = 0.0;  // of those that do, beyond what floats and the steps of weights may come to
};

Distances compare_clip(const Model& model, const Character& character, const Rig& rig, std::uint32_t clip,
                       const std::vector<Followed>& vertices) {
  const Clip& source = model.clips()[clip];
  const BakedClip& baked = character.clips()[clip];
  const std::vector<double> jumps = jumps_of(source);
  const Closing closing = closing_of(model, source, baked, vertices);
  const double size = size_of(model);
  std::vector<std::optional<double>> words(vertices.size());
  for (std::size_t v = 0; rig.motion().clips()[clip].frames && v < vertices.size(); ++v)
    words[v] = bones_of_words(model, rig.motion(), vertices[v]);
  TestCharacter near(rig, clip);
  Distances worst;
  for (int i = 0; i < kTimes; ++i) {
    const double seconds = source.length() * i / (kTimes - 1.0);
    const auto beside = [&](double jump) { return std::abs(source.start + seconds - jump) < kBesideJump; };
    if (std::ranges::any_of(jumps, beside)) continue;
    EXPECT_TRUE(near.pose(static_cast<float>(seconds)));
    const ExactCursor at = cursor_at_time(baked, seconds);
    const auto columns = decode_columns(character, baked, at.cursor, at.blend);
    const auto palette = skinning_palette(model, sample(model, source, source.start + seconds));
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      const Followed& vertex = vertices[v];
      const glm::dvec3 truth = blended(vertex, [&](std::uint32_t binding) {
        return glm::dvec3(palette[binding] * glm::dvec4(vertex.position, 1.0));
      });
      const auto close_by = [&](std::uint32_t binding) {
        return glm::dvec3(transform_point(near.palette[binding], glm::vec3(vertex.position)));
      };
      const glm::dvec3 close = blended(vertex, close_by);
      const glm::dvec3 far = far_position(character, columns, vertex.baked);
      const double closed = seconds > source.length() - closing.step - 1e-6 ? closing.gap : 0.0;
      worst.near_truth = std::max(worst.near_truth, glm::distance(close, truth) - closed);
      worst.far_truth = std::max(worst.far_truth, glm::distance(far, truth) - closed);
      const double apart = glm::distance(close, far);
      if (!words[v]) {
        worst.near_far = std::max(worst.near_far, apart);
        continue;
      }
      double rounding = kRoundingsABone * *words[v] * kFloatRounding * (size + glm::length(truth));
      for (const auto& [binding, weight] : vertex.influences)
        rounding += kWeightStep * glm::distance(close_by(binding), close);
      worst.over_roundings = std::max(worst.over_roundings, apart - rounding);
    }
  }
  return worst;
}

// Both out of the character's file, without the model. In millimetres on a character 1.8 m tall: `near_mm` is what near
// characters may be off, `bound_mm` what the bake was to keep. Steps are off by more far, and so far from near.
void expect_near_as_far(const Model& model, const Character& baked, double near_mm, double bound_mm) {
  const Character character = decode_character(SharedBytes(encode_character(baked).value())).value();
  const auto rig = build_rig(character);
  ASSERT_TRUE(rig) << rig.error().message;
  const double mm = character.error().mm_per_unit;
  const double rounding_mm = kDoubleRounding * size_of(model) * mm;
  const std::vector<Followed> vertices = some_vertices(model, character);
  ASSERT_FALSE(vertices.empty());
  ASSERT_EQ((*rig)->clips().size(), character.clips().size());
  for (std::uint32_t clip = 0; clip < model.clips().size(); ++clip) {
    SCOPED_TRACE(model.clips()[clip].name);
    ASSERT_EQ((*rig)->clips()[clip].name, character.clips()[clip].name);
    EXPECT_EQ((*rig)->clips()[clip].loops, character.clips()[clip].loops);
    const ClipError& error = character.clips()[clip].error;
    const double far_mm = std::max(error.at_frames.max_mm, error.between.max_mm) + rounding_mm;
    // Frames that both play are as far off near; keys are nearer.
    const bool same = (*rig)->motion().clips()[clip].frames.has_value();
    const double close_mm = same ? far_mm + kNearRounding * size_of(model) * mm : near_mm;
    const Distances worst = compare_clip(model, character, **rig, clip, vertices);
    EXPECT_LE(worst.far_truth * mm, far_mm);
    EXPECT_LE(worst.near_truth * mm, close_mm);
    EXPECT_LE(worst.near_far * mm, std::max(bound_mm, far_mm));
    EXPECT_LE(worst.over_roundings * mm, 0.0);
  }
}

// As far off as the bake says, clip by clip. It was given no bound; the larger of what far and near characters may be
// off is one for both.
void expect_near_as_far(const Model& model) {
  SerialExecutor executor;
  const auto character = bake(model, {.max_error_mm = {}, .levels = 1, .drop_morphs = true}, executor);
  ASSERT_TRUE(character) << character.error().message;
  const double near_mm = kNearError * size_of(model) * character->error().mm_per_unit;
  expect_near_as_far(model, *character, near_mm, near_mm);
}

// Near, far and the truth are within a bound of each other that the bake was given. Only far characters may need all of
// it: near ones are nearer to the truth.
void expect_within_bound(const Model& model, const Result<Character>& character, double bound_mm) {
  ASSERT_TRUE(character) << character.error().message;
  const double worst = std::max(character->error().at_frames.max_mm, character->error().between.max_mm);
  // Steps cannot be held to it, and are told of.
  const bool told = std::ranges::any_of(character->warnings(), [](const std::string& warning) {
    return warning.find("off by more than") != std::string::npos;
  });
  EXPECT_EQ(worst > bound_mm, told);
  expect_near_as_far(model, *character, kNearPart * bound_mm, bound_mm);
}

TEST(NearAndFar, AreOneForTheMannequin) { expect_near_as_far(test::mannequin_model()); }

Result<Character> baked_within(const Model& model, double bound_mm, std::optional<Encoding> encoding = {}) {
  SerialExecutor executor;
  return bake(model, {.encoding = encoding, .max_error_mm = bound_mm, .levels = 1, .drop_morphs = true}, executor);
}

// What clips in localv are near and far are the same words; one that misses the bound is keys near.
void expect_one_in_channels(const Model& model, double bound_mm) {
  const auto character = baked_within(model, bound_mm, Encoding::localv);
  // What scales unevenly has no channels: other encodings are for that. Nothing else may be refused.
  if (!character && character.error().message.find("non-uniformly") != std::string::npos)
    GTEST_SKIP() << character.error().message;
  ASSERT_TRUE(character) << character.error().message;
  const Motion motion = character->motion().value();
  for (std::size_t i = 0; i < character->clips().size(); ++i) {
    const BakedClip& clip = character->clips()[i];
    const bool kept = std::max(clip.error.at_frames.max_mm, clip.error.between.max_mm) <= bound_mm;
    EXPECT_EQ(motion.clips()[i].frames.has_value(), kept && clip.encoding == Encoding::localv) << clip.name;
  }
  expect_within_bound(model, character, bound_mm);
}

TEST(NearAndFar, AreOneForTheMannequinInChannels) { expect_one_in_channels(test::mannequin_model(), 0.5 * kBound); }

// About the narrowest that its keys allow.
TEST(NearAndFar, KeepANarrowBound) {
  const Model model = test::mannequin_model();
  expect_within_bound(model, baked_within(model, 0.15 * kBound), 0.15 * kBound);
}

// Thirty keys of a walk along an arc, the thirty-first left out: far characters go on over the seam, by the facts.
TEST(NearAndFar, TravelEquallyFarInACycleOfAnOpenLoop) {
  const Model model = build_model(arc_walker(true, 30)).value();
  SerialExecutor executor;
  const ClipFacts facts = decide_clip_facts(model, model.clips(), {}, executor).value().at(0).facts;
  ASSERT_TRUE(facts.open());
  ASSERT_EQ(facts.root_bone, 1u);
  const auto rig = compiled_rig(model).value();
  EXPECT_NEAR(static_cast<double>(rig->clips()[0].length), facts.length, 1e-6);
  TestCharacter near(*rig, 0);
  ASSERT_TRUE(near.pose(0.0f));
  const Affine first = near.models[1];
  ASSERT_TRUE(near.pose(rig->clips()[0].length));
  const glm::dvec3 end = transform_point(facts.root_path.back(), glm::dvec3(position_of(first)));
  EXPECT_LT(glm::distance(glm::dvec3(position_of(near.models[1])), end), 1e-5);
  const glm::dquat facing = rotation_of(facts.root_path.back()) * glm::dquat(rotation_of(first));
  EXPECT_LT(angle_between(glm::dquat(rotation_of(near.models[1])), facing), 1e-4);
  EXPECT_NEAR(facts.root_path.back().yaw, 0.9, 1e-4) << "a whole cycle";
}

// Who walks over the ground as hips do, and what goes along without hanging on them.
struct Walkers {
  bool under_armature = false;   // hips and weapon hang on a bone that stays where it is; else they have no parent
  bool weapon_is_drawn = false;  // with the strap that hangs on it
  bool bends = false;            // a drawn bone moves against the hips
  bool loops = false;
  double turn = 0.0;  // radians that they rotate as they go
};

Model walkers(const Walkers& how) {
  ModelDraft draft;
  draft.name = "walkers";
  if (how.under_armature) {
    const glm::dquat leaning = glm::angleAxis(0.7, glm::normalize(glm::dvec3(1.0, 0.5, 0.0)));
    draft.bones.push_back({"armature", {}, {{0.1, 0.0, 0.2}, leaning, glm::dvec3(0.5)}});
  }
  const glm::dmat4 parent_from_model =
      how.under_armature ? glm::inverse(to_matrix(draft.bones[0].rest)) : glm::dmat4(1);
  const auto first = static_cast<std::uint32_t>(draft.bones.size());
  const auto parent = how.under_armature ? std::optional(0u) : std::nullopt;
  draft.bones.push_back({"hips", parent, {}});
  draft.bones.push_back({"weapon", parent, {}});
  draft.bones.push_back({"chest", first, {{0.0, 0.6, 0.0}}});
  draft.bones.push_back({"strap", first + 1, {{0.0, 0.3, 0.0}}});
  BoneTrack bend{.bone = first + 2, .translation = {}, .rotation = {}, .scale = {}};
  std::vector<BoneTrack> tracks;
  for (const std::uint32_t bone : {first, first + 1}) {
    BoneTrack track{.bone = bone, .translation = {}, .rotation = {}, .scale = {}};
    for (int key = 0; key <= 30; ++key) {
      const double t = key / 30.0;
      const glm::dquat rotation = glm::angleAxis(how.turn * t, glm::dvec3(0.0, 1.0, 0.0));
      const glm::dvec3 way(how.turn * t * t, 1.0, 2.0 * t);
      const glm::dvec3 beside = rotation * glm::dvec3(bone == first ? 0.0 : 0.4, 0.0, 0.0);
      const glm::dmat4 local =
          parent_from_model * glm::translate(glm::dmat4(1.0), way + beside) * glm::mat4_cast(rotation);
      track.translation.times.push_back(static_cast<float>(t));
      track.translation.values.emplace_back(local[3]);
      track.rotation.times.push_back(static_cast<float>(t));
      track.rotation.values.emplace_back(
          glm::normalize(glm::quat_cast(glm::dmat3(local) / std::cbrt(glm::determinant(glm::dmat3(local))))));
      if (bone != first) continue;
      bend.rotation.times.push_back(static_cast<float>(t));
      bend.rotation.values.push_back(glm::angleAxis(0.4f * std::sin(static_cast<float>(key)), glm::vec3(1, 0, 0)));
    }
    tracks.push_back(track);
  }
  if (how.bends) tracks.push_back(bend);
  draft.clips = {clip_of(0.0, 1.0, tracks)};
  draft.clips[0].loops = how.loops;
  for (std::uint32_t bone = first; bone < draft.bones.size(); ++bone) {
    if ((bone - first) % 2 == 1 && !how.weapon_is_drawn) continue;
    Mesh mesh;
    mesh.primitive = bone;
    mesh.positions = {{0, 0, 0}, {0.3f, 0, 0}, {0, 0.3f, 0}};
    mesh.influences.assign(3, bound_to(static_cast<std::uint16_t>(draft.bindings.size())));
    mesh.indices = {0, 1, 2};
    draft.bindings.push_back({bone, glm::dmat4(1.0)});
    draft.meshes.push_back(mesh);
  }
  draft.materials.resize(1);
  return build_model(std::move(draft)).value();
}

template <class Body>
void for_each_walkers(const Body& body) {
  for (int i = 0; i < 16; ++i) {
    const Walkers how{i % 2 != 0, false, i / 2 % 2 != 0, i / 4 % 2 != 0, i / 8 % 2 != 0 ? 0.8 : 0.0};
    SCOPED_TRACE(
        fmt::format("armature {}, bends {}, loops {}, turn {}", how.under_armature, how.bends, how.loops, how.turn));
    body(how);
  }
}

// Bones that nothing drawn hangs on are where the source has them, too, whatever the bake took off of the others.
TEST(NearAndFar, HaveAllBonesWhereTheSourceHasThemWhateverWasTakenOff) {
  for (const auto treatment : {RootTreatment::keep, RootTreatment::extract, RootTreatment::strip}) {
    SCOPED_TRACE(static_cast<int>(treatment));
    for_each_walkers([&](const Walkers& how) {
      const Model model = walkers(how);
      SerialExecutor executor;
      const Character character =
          bake(model, {.max_error_mm = kBound, .root_motion = treatment, .levels = 1}, executor).value();
      const auto rig = build_rig(character).value();
      TestCharacter near(*rig, 0);
      double worst = 0.0;
      for (int i = 0; i <= kTimes; ++i) {
        const double seconds = static_cast<double>(i) / kTimes;
        ASSERT_TRUE(near.pose(static_cast<float>(seconds)));
        const auto truth = model_from_bones(model, sample(model, model.clips()[0], seconds));
        for (std::size_t bone = 0; bone < truth.size(); ++bone)
          worst =
              std::max(worst, glm::distance(glm::dvec3(position_of(near.models[bone])), glm::dvec3(truth[bone][3])));
      }
      EXPECT_LE(worst * character.error().mm_per_unit, 1.1 * kBound);
    });
  }
}

// The ground goes away under everything, not only under the root bone and what hangs on it.
TEST(NearAndFar, StayInPlaceAlikeWithTheRootMotionTakenOut) {
  for_each_walkers([&](Walkers how) {
    how.weapon_is_drawn = true;
    const Model model = walkers(how);
    SerialExecutor executor;
    const Character character = bake(model,
                                     {.max_error_mm = kBound,
                                      .root_motion = RootTreatment::extract,
                                      .root_bone = "hips",
                                      .levels = 1,
                                      .drop_morphs = true},
                                     executor)
                                    .value();
    const auto rig = build_rig(character).value();
    const auto chain = detail::animator::make_root_chain(*rig);
    const auto track = detail::animator::make_root_track(*rig, chain, ClipId(0));
    TestCharacter near(*rig, 0);
    double worst = 0.0;
    for (int i = 0; i <= kTimes; ++i) {
      const double seconds = static_cast<double>(i) / kTimes;
      ASSERT_TRUE(near.sample(static_cast<float>(seconds)));
      detail::animator::take_out_root_motion(chain, track, seconds, near.locals);
      ASSERT_TRUE((LocalToModelJob{.rig = *rig, .locals = near.locals, .models = near.models}.run()));
      ASSERT_TRUE((PaletteJob{.rig = *rig, .models = near.models, .palette = near.palette}.run()));
      const ExactCursor at = cursor_at_time(character.clips()[0], seconds);
      const auto columns = decode_columns(character, character.clips()[0], at.cursor, at.blend);
      for (const Followed& vertex : some_vertices(model, character)) {
        const glm::dvec3 close = blended(vertex, [&](std::uint32_t binding) {
          return glm::dvec3(transform_point(near.palette[binding], glm::vec3(vertex.position)));
        });
        worst = std::max(worst, glm::distance(close, far_position(character, columns, vertex.baked)));
      }
    }
    EXPECT_LE(worst * character.error().mm_per_unit, kBound);
  });
}

// A face that blinks, at the same times and as far.
TEST(NearAndFar, ShowTheSameFace) {
  ModelDraft draft = chain(2);
  draft.bindings.push_back({1, glm::dmat4(1.0)});
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.influences.assign(3, bound_to(0));
  mesh.indices = {0, 1, 2};
  mesh.morph_targets = {{"blink", {{0, 0, 0}, {0, 0, 0}, {0, 0, 0.5f}}, {}},
                        {"still", {{1, 1, 1}, {0, 0, 0}, {0, 0, 0}}, {}}};
  mesh.morph_weights = {0.25f, 0.5f};
  draft.meshes.push_back(mesh);
  draft.materials.resize(1);
  Clip clip = clip_of(0.0, 1.0, {});
  MorphTrack track;
  track.weights.times = {0.0f, 0.4f, 0.45f, 0.55f, 1.0f};
  track.weights.values = {0.25f, 0.5f, 0.25f, 0.5f, 1.0f, 0.5f, 0.0f, 0.5f, 0.25f, 0.5f};
  clip.morphs = {track};
  draft.clips = {clip};
  const Model model = build_model(std::move(draft)).value();
  SerialExecutor executor;
  const Character character = bake(model, {.max_error_mm = kBound, .levels = 1}, executor).value();
  ASSERT_EQ(character.morphs().targets.size(), 1u);
  const auto rig = build_rig(character).value();
  TestCharacter near(*rig, 0);
  ASSERT_EQ(near.morphs.size(), 2u);
  for (int i = 0; i <= kTimes; ++i) {
    const double seconds = static_cast<double>(i) / kTimes;
    ASSERT_TRUE(near.pose(static_cast<float>(seconds)));
    const ExactCursor at = cursor_at_time(character.clips()[0], seconds);
    const double far = 0.25 + morph_weights(character.draft(), character.clips()[0], at.cursor, at.blend).at(0);
    const double truth = sample(model, model.clips()[0], seconds).morph_weights[0][0];
    EXPECT_NEAR(far, truth, 1e-3) << seconds;
    EXPECT_NEAR(static_cast<double>(near.morphs[0]), truth, 1e-4) << seconds;
  }
}

// As of a file that does not say where the root goes.
std::shared_ptr<const Rig> without_paths(const Rig& rig) {
  MotionData data = rig.motion().data();
  for (MotionClip& clip : data.clips) clip.root_steps.reset();
  data.root_paths = {};
  return build_rig(build_motion(std::move(data)).value());
}

// Near characters read it, and do not look for it in the poses they play.
TEST(NearAndFar, GoTheWayThatWasDecided) {
  const Model model = walkers({.turn = 0.8});
  SerialExecutor executor;
  for (const auto treatment : {RootTreatment::keep, RootTreatment::extract}) {
    const Character baked = bake(model, {.root_motion = treatment, .levels = 1}, executor).value();
    const Character character = decode_character(SharedBytes(encode_character(baked).value())).value();
    MotionData data = character.motion().value().data();
    const ClipFacts facts = decide_clip_facts(model, model.clips(), {}, executor).value().at(0).facts;
    EXPECT_EQ(data.clips[0].in_place, treatment == RootTreatment::extract);
    ASSERT_EQ(data.clips[0].root_steps, facts.root_path.size());
    ASSERT_EQ(data.root_paths.size(), 3 * facts.root_path.size());
    std::vector<float> elsewhere(data.root_paths.begin(), data.root_paths.end());
    for (float& value : elsewhere) value *= 3.0f;
    data.root_paths = elsewhere;
    const auto rig = build_rig(build_motion(std::move(data)).value());
    const auto track = detail::animator::make_root_track(*rig, detail::animator::make_root_chain(*rig), ClipId(0));
    const GroundMotion end = track.at(1.0);
    EXPECT_LT(glm::distance(end.translation, 3.0 * facts.root_path.back().translation), 1e-5);
    EXPECT_NEAR(end.yaw, 3.0 * facts.root_path.back().yaw, 1e-5);
  }
}

// What is found in the poses of near characters, where their file does not say, is what was decided offline.
void expect_near_goes_as_decided(const Model& model) {
  const auto rig = without_paths(*compiled_rig(model).value());
  SerialExecutor executor;
  const auto decided = decide_clip_facts(model, model.clips(), {}, executor).value();
  const auto chain = detail::animator::make_root_chain(*rig);
  for (std::uint32_t clip = 0; clip < decided.size(); ++clip) {
    const ClipFacts& facts = decided[clip].facts;
    SCOPED_TRACE(facts.name);
    const auto track = detail::animator::make_root_track(*rig, chain, ClipId(clip));
    const glm::dvec3 start = decided[clip].root ? decided[clip].root->start.place : glm::dvec3(0.0);
    double worst_place = 0.0, worst_yaw = 0.0;
    for (int i = 0; i <= kTimes; ++i) {
      const double seconds = facts.length * i / kTimes;
      const GroundMotion near = track.at(seconds), far = facts.root_at(seconds);
      worst_place = std::max(worst_place, glm::distance(transform_point(near, start), transform_point(far, start)));
      worst_yaw = std::max(worst_yaw, std::abs(near.yaw - far.yaw));
    }
    EXPECT_LE(worst_place, kRootError * size_of(model));
    EXPECT_LE(worst_yaw, kRootError);
  }
}

class NearAndFarModels : public testing::TestWithParam<std::string> {
 protected:
  // Nothing where there is nothing to play.
  std::optional<Model> model() {
    if (GetParam().empty()) return std::nullopt;
    auto imported = import_model(shared_folder() / "models" / GetParam());
    EXPECT_TRUE(imported) << imported.error().message;
    if (!imported) return std::nullopt;
    const bool drawn =
        std::ranges::any_of(imported->model.meshes(), [](const Mesh& mesh) { return !mesh.indices.empty(); });
    if (imported->model.clips().empty() || !drawn) return std::nullopt;
    return std::move(imported->model);
  }
};

TEST_P(NearAndFarModels, AreOne) {
  const auto found = model();
  if (!found) GTEST_SKIP() << "nothing to play";
  expect_near_as_far(*found);
}

// Those that nothing drawn follows, too, and that far characters do not have.
TEST_P(NearAndFarModels, HaveAllBonesWhereTheSourceHasThem) {
  const auto found = model();
  if (!found) GTEST_SKIP() << "nothing to play";
  const Model few = with_few_clips(*found);
  const auto character = baked_within(few, kBound);
  ASSERT_TRUE(character) << character.error().message;
  const auto rig = build_rig(*character).value();
  for (std::uint32_t clip = 0; clip < few.clips().size(); ++clip) {
    SCOPED_TRACE(few.clips()[clip].name);
    if (!rig->motion().clips()[clip].frames) continue;  // keys: what misses the bound
    const Clip& source = few.clips()[clip];
    // A loop is closed over its last step.
    const double end = rig->clips()[clip].loops ? source.length() - 1.0 / key_rate_of(source).value_or(kUsualFrameRate)
                                                : source.length();
    TestCharacter near(*rig, clip);
    double worst = 0.0;
    for (int i = 0; i <= kTimes; ++i) {
      const double seconds = std::max(0.0, end) * i / kTimes;
      const auto beside = [&](double jump) { return std::abs(source.start + seconds - jump) < kBesideJump; };
      if (std::ranges::any_of(jumps_of(source), beside)) continue;
      ASSERT_TRUE(near.pose(static_cast<float>(seconds)));
      const auto truth = model_from_bones(few, sample(few, source, source.start + seconds));
      for (std::size_t bone = 0; bone < truth.size(); ++bone)
        worst = std::max(worst, glm::distance(glm::dvec3(position_of(near.models[bone])), glm::dvec3(truth[bone][3])));
    }
    EXPECT_LE(worst * character->error().mm_per_unit, 1.1 * kBound);
  }
}

TEST_P(NearAndFarModels, GoTheSameWay) {
  const auto found = model();
  if (!found) GTEST_SKIP() << "nothing to play";
  expect_near_goes_as_decided(*found);
}

TEST_P(NearAndFarModels, KeepABound) {
  const auto found = model();
  if (!found) GTEST_SKIP() << "nothing to play";
  const Model few = with_few_clips(*found);
  expect_within_bound(few, baked_within(few, kBound), kBound);
}

TEST_P(NearAndFarModels, AreOneInChannels) {
  const auto found = model();
  if (!found) GTEST_SKIP() << "nothing to play";
  expect_one_in_channels(with_few_clips(*found), kBound);
}

INSTANTIATE_TEST_SUITE_P(All, NearAndFarModels, testing::ValuesIn(every_model()), model_test_name);

}  // namespace
}  // namespace throng
