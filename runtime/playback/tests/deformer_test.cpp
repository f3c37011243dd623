// SPDX-License-Identifier: Apache-2.0
// The fast way to deform against the reference, on the mannequin, in every encoding and both modes.
#include <gtest/gtest.h>

#include <random>

#include "mannequin_model.h"
#include "throng/bake/bake.h"
#include "throng/character/decode.h"
#include "throng/playback/controller.h"
#include "throng/playback/crowd.h"
#include "throng/playback/deform.h"

namespace throng {
namespace {

Character baked(Encoding encoding, bool tangents) {
  BakeSettings settings;
  settings.mode = is_vertex_encoding(encoding) ? BakeMode::vertices : BakeMode::bones;
  settings.encoding = encoding;
  settings.clips = {"walk", "wave"};
  settings.frame_rate = 8.0;
  settings.levels = 1;
  settings.tangents = tangents;
  ThreadExecutor executor(2);
  return bake(test::mannequin_model(), settings, executor).value();
}

struct Deformed {
  std::vector<glm::vec3> positions;
  std::vector<glm::vec3> normals;
  std::vector<glm::vec4> tangents;

  Deformed(const Deformer& deformer, const PlayRecord& play, Ticks now, const InstanceRecord* placed = nullptr)
      : positions(deformer.vertex_count()),
        normals(deformer.vertex_count()),
        tangents(deformer.has_tangents() ? deformer.vertex_count() : 0) {
    EXPECT_TRUE(deformer.run(play, now, {positions, normals, tangents}, placed));
  }
};

// Moments of a controller: in one clip, and in a cross-fade.
std::vector<std::pair<PlayRecord, Ticks>> moments(const Character& model) {
  Controller one(model);
  std::vector<std::pair<PlayRecord, Ticks>> out;
  one.advance(0.43);
  out.emplace_back(one.record(), one.now());
  EXPECT_TRUE(one.play("wave", {.offset = 0.2, .fade = 1.0}));
  one.advance(0.31);
  out.emplace_back(one.record(), one.now());
  return out;
}

// The mannequin with a target that swells it in one clip and not in the other.
Character swelling(Encoding encoding) {
  ModelDraft draft = test::mannequin_model().draft();
  Mesh& mesh = draft.meshes.at(0);
  MorphTarget swell{"swell", {}, {}};
  for (const glm::vec3& normal : mesh.normals) {
    swell.positions.push_back(0.05f * normal);
    swell.normals.push_back(glm::vec3(0.3f, 0.0f, 0.0f));
  }
  mesh.morph_targets = {swell};
  mesh.morph_weights = {0.0f};
  for (Clip& clip : draft.clips) {
    if (clip.name != "walk") continue;
    MorphTrack track;
    track.weights.times = {static_cast<float>(clip.start), static_cast<float>(clip.start + 0.3),
                           static_cast<float>(clip.end)};
    track.weights.values = {0.0f, 1.0f, 0.0f};
    clip.morphs = {track};
  }
  ThreadExecutor executor(2);
  const BakeSettings settings{.encoding = encoding, .frame_rate = 8.0, .clips = {"walk", "wave"}, .levels = 1};
  return bake(build_model(std::move(draft)).value(), settings, executor).value();
}

TEST(Deformer, HasMorphTargetsIn) {
  for (const Encoding encoding : {Encoding::q16, Encoding::rows}) {
    const Character model = swelling(encoding);
    ASSERT_EQ(model.morphs().targets.size(), 1u);
    CharacterDraft still = model.draft();
    still.morphs = {};
    const Character plain = build_character(std::move(still)).value();
    double moved = 0.0;
    for (const auto& [play, now] : moments(model)) {
      const Deformed fast(Deformer(model), play, now);
      const DecodedVertices exact = deform(model, play, now);
      const DecodedVertices unmoved = deform(plain, play, now);
      for (std::size_t v = 0; v < exact.positions.size(); ++v) {
        ASSERT_LT(glm::distance(glm::dvec3(fast.positions[v]), exact.positions[v]), 1e-5 * model.bounds().diagonal());
        ASSERT_LT(glm::distance(glm::dvec3(fast.normals[v]), exact.normals[v]), 1e-4);
        moved = std::max(moved, glm::distance(exact.positions[v], unmoved.positions[v]));
      }
    }
    EXPECT_GT(moved, 0.01);
  }
}

TEST(Deformer, IsTheReferenceInEveryEncoding) {
  for (const Encoding encoding : kEncodings) {
    const Character model = baked(encoding, true);
    const Deformer deformer(model);
    const double tolerance = 1e-5 * model.bounds().diagonal();
    for (const auto& [play, now] : moments(model)) {
      const DecodedVertices truth = deform(model, play, now);
      const Deformed fast(deformer, play, now);
      double off = 0.0;
      double normal_off = 0.0;
      double tangent_off = 0.0;
      ASSERT_EQ(truth.tangents.size(), truth.positions.size());
      for (std::size_t v = 0; v < truth.positions.size(); ++v) {
        off = std::max(off, glm::distance(truth.positions[v], glm::dvec3(fast.positions[v])));
        normal_off = std::max(normal_off, glm::distance(truth.normals[v], glm::dvec3(fast.normals[v])));
        tangent_off = std::max(tangent_off, glm::distance(truth.tangents[v], glm::dvec4(fast.tangents[v])));
      }
      const double turned = is_vertex_encoding(encoding) ? 2e-4 : 1e-5;
      EXPECT_LT(tangent_off, turned) << name_of(encoding);
      EXPECT_LT(off, tolerance) << name_of(encoding);
      EXPECT_LT(normal_off, turned) << name_of(encoding);
    }
  }
}

// Where bones scale apart, a vertex between them faces where each would have it, whatever their sizes.
TEST(Deformer, IsTheReferenceWhereBonesScaleApart) {
  ModelDraft draft = test::mannequin_model().draft();
  for (Clip& clip : draft.clips) {
    for (std::size_t i = 0; i < clip.bones.size(); i += 3) {
      const auto start = static_cast<float>(clip.start);
      clip.bones[i].scale = {Interpolation::linear, {start}, {glm::vec3(i % 2 == 0 ? 0.6f : 1.7f)}};
    }
  }
  ThreadExecutor executor(2);
  const BakeSettings settings{.encoding = Encoding::q16, .frame_rate = 8.0, .clips = {"walk", "wave"}, .levels = 1};
  const Character model = bake(build_model(std::move(draft)).value(), settings, executor).value();
  const Deformer deformer(model);
  for (const auto& [play, now] : moments(model)) {
    double least = 1e9, most = 0.0;
    for (const ColumnMove& column : blended_columns(model, play, now)) {
      least = std::min(least, glm::length(column.linear[0]));
      most = std::max(most, glm::length(column.linear[0]));
    }
    ASSERT_GT(most, 1.5 * least);
    const DecodedVertices truth = deform(model, play, now);
    const Deformed fast(deformer, play, now);
    for (std::size_t v = 0; v < truth.positions.size(); ++v) {
      ASSERT_LT(glm::distance(truth.positions[v], glm::dvec3(fast.positions[v])), 1e-5 * model.bounds().diagonal());
      ASSERT_LT(glm::distance(truth.normals[v], glm::dvec3(fast.normals[v])), 1e-5);
    }
  }
}

TEST(Deformer, TurnsTangentsWithTheSurface) {
  for (const Encoding encoding : {Encoding::q16, Encoding::rows, Encoding::v8, Encoding::half_vertex, Encoding::rgbm}) {
    const Character model = baked(encoding, true);
    const Deformer deformer(model);
    ASSERT_TRUE(deformer.has_tangents());
    for (const auto& [play, now] : moments(model)) {
      const Deformed fast(deformer, play, now);
      double worst_length = 0.0;
      double mean_lean = 0.0;
      for (std::size_t v = 0; v < fast.tangents.size(); ++v) {
        const glm::vec3 tangent(fast.tangents[v]);
        worst_length = std::max(worst_length, std::abs(static_cast<double>(glm::length(tangent)) - 1.0));
        mean_lean += std::abs(static_cast<double>(glm::dot(tangent, fast.normals[v])));
        ASSERT_EQ(std::abs(fast.tangents[v].w), 1.0f);
      }
      EXPECT_LT(worst_length, 1e-5) << name_of(encoding);
      // Bones bend the two a little apart; tangents left as they were would be far off.
      EXPECT_LT(mean_lean / static_cast<double>(fast.tangents.size()), 0.05) << name_of(encoding);
    }
  }
}

TEST(Deformer, PutsTheMeshWhereTheCharacterStands) {
  for (const Encoding encoding : {Encoding::q16, Encoding::v8}) {
    const Character model = baked(encoding, false);
    const Deformer deformer(model);
    Crowd crowd(model);
    Spawn spawn;
    spawn.placement = {{3.0f, 1.0f, -2.0f}, glm::angleAxis(0.9f, glm::vec3(0.0f, 1.0f, 0.0f)), 2.0f};
    ASSERT_TRUE(crowd.add(spawn, 0));
    const PlayRecord& play = crowd.plays(ModelId(0))[0];
    const Deformed fast(deformer, play, 77777, &crowd.instances(ModelId(0))[0]);
    const DecodedVertices truth = deform(model, play, 77777);
    const glm::dquat rotation = glm::angleAxis(static_cast<double>(0.9f), glm::dvec3(0.0, 1.0, 0.0));
    for (std::size_t v = 0; v < truth.positions.size(); ++v) {
      const glm::dvec3 position = glm::dvec3(3.0, 1.0, -2.0) + 2.0 * (rotation * truth.positions[v]);
      ASSERT_LT(glm::distance(position, glm::dvec3(fast.positions[v])), 5e-5) << name_of(encoding);
      ASSERT_LT(glm::distance(rotation * truth.normals[v], glm::dvec3(fast.normals[v])), 2e-4) << name_of(encoding);
    }
  }
}

TEST(Deformer, RefusesArraysAndPlaysThatDoNotFit) {
  const Character model = baked(Encoding::q16, false);
  const Deformer deformer(model);
  std::vector<glm::vec3> few(deformer.vertex_count() - 1);
  std::vector<glm::vec3> right(deformer.vertex_count(), glm::vec3(9.0f));
  std::vector<glm::vec4> tangents(deformer.vertex_count());
  EXPECT_FALSE(deformer.run({}, 0, {.positions = few}));
  EXPECT_FALSE(deformer.run({}, 0, {.positions = right, .tangents = tangents}));
  PlayRecord play{};
  play.track.clip = 2;
  const auto refused = deformer.run(play, 0, {.positions = right});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("clip 2 does not exist"), std::string::npos);
  EXPECT_EQ(right[0], glm::vec3(9.0f)) << "nothing is written";
  EXPECT_TRUE(deformer.run({}, 0, {})) << "nothing is wanted";
  EXPECT_FALSE(deformer.run(play, 0, {})) << "nothing is wanted of what there is not";
}

// A fade from a clip to itself, in step, is that clip.
TEST(CrossFade, OfAClipWithItselfIsThatClipInEveryEncoding) {
  for (const Encoding encoding : kEncodings) {
    const Character model = baked(encoding, false);
    Controller one(model);
    one.advance(0.37);
    ASSERT_TRUE(one.play(Play{.clip = ClipId(0), .fade = 1.0, .in_step = true}));
    one.advance(0.4);
    PlayRecord alone = one.record();
    alone.fade_ticks = 0;
    const DecodedVertices faded = deform(model, one.record(), one.now());
    const DecodedVertices truth = deform(model, alone, one.now());
    for (std::size_t v = 0; v < truth.positions.size(); ++v) {
      ASSERT_LT(glm::distance(faded.positions[v], truth.positions[v]), 1e-6) << name_of(encoding);
    }
    for (std::uint32_t socket = 0; socket < model.sockets().size(); ++socket) {
      const glm::dvec3 a = socket_place(model, one.record(), SocketId(socket), one.now())->position;
      const glm::dvec3 b = socket_place(model, alone, SocketId(socket), one.now())->position;
      ASSERT_LT(glm::distance(a, b), 1e-6) << name_of(encoding);
    }
  }
}

}  // namespace
}  // namespace throng
