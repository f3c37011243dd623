// SPDX-License-Identifier: Apache-2.0
// Near characters as the CPU holds them, without a GPU.
#include "near/near_roster.h"

#include <array>
#include <latch>
#include <thread>

#include "near/near_stage.h"

namespace throng::detail::renderer {
namespace {

void add_model(NearRoster& roster, const Model& model) {
  const Character character = test::near_character(model);
  const Motion motion = character.motion().value();
  const NearMesh mesh = character.near_mesh().value();
  roster.add_model(NearModel(character, mesh, motion, place_mesh(mesh, motion, {}, {}).pieces, 0));
}

// Each by the weights of its own morph targets, of which the two models have different numbers.
TEST(NearRoster, FindsTheBoundsOfEachThoughThreadsPoseThem) {
  constexpr unsigned kThreads = 4;
  constexpr int kPoses = 60000;  // of each thread: enough to meet where cores are few
  const std::array models{test::random_near_model({.meshes = 3, .targets = 2}),
                          test::random_near_model({.meshes = 3, .targets = 9, .seed = 2})};
  NearRoster roster;
  for (const Model& model : models) add_model(roster, model);
  struct Posed {
    CharacterId id = {};
    std::vector<Affine> bones;
    std::vector<float> morphs;
    FloatBox alone;
  };
  std::array<Posed, kThreads> all;
  const auto pose = [&roster](const Posed& one) {
    EXPECT_TRUE(roster.set_pose(one.id, {.model_from_bones = one.bones, .morph_weights = one.morphs}));
    return roster.characters().find(one.id)->bounds;
  };
  for (unsigned i = 0; i < kThreads; ++i) {
    const Pose at = test::random_pose(models[i % 2], i);
    all[i] = {roster.add(ModelId(i % 2)).value(), test::affines_of(models[i % 2], at), test::morphs_of(at), {}};
    all[i].alone = pose(all[i]);
  }
  std::array<int, kThreads> others{};  // how often a character's bounds were not its own
  std::vector<std::thread> threads;
  std::latch all_begin(kThreads);
  for (unsigned t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      all_begin.arrive_and_wait();
      for (int i = 0; i < kPoses; ++i) {
        const FloatBox found = pose(all[t]);
        others[t] += found.min != all[t].alone.min || found.max != all[t].alone.max ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(others, (std::array<int, kThreads>{}));
}

// A skeleton has bones of that name, and before them such whose names end like it.
TEST(NearRoster, HangsPiecesOnTheBonesOfTheWholeNameWhereThereAreSuch) {
  const Model hat = test::random_near_model({.bones = 12});
  ModelDraft draft = test::random_near_model({.bones = 24}).draft();
  for (std::size_t bone = 0; bone < 12; ++bone) {
    draft.bones[bone].name = "rig:" + hat.bones()[bone].name;
    draft.bones[12 + bone].name = hat.bones()[bone].name;
  }
  NearRoster roster;
  add_model(roster, build_model(std::move(draft)).value());
  add_model(roster, hat);
  const std::array pieces{PieceRef{ModelId(1), 0}};
  const CharacterId id = roster.add(ModelId(0), pieces).value();
  const WornPiece& worn = roster.characters().find(id)->worn.at(0);
  const std::vector<MotionBinding>& bindings = roster.model(ModelId(1)).bindings;
  ASSERT_FALSE(bindings.empty());
  for (std::size_t i = 0; i < bindings.size(); ++i) EXPECT_EQ(worn.map->bones[i], 12 + bindings[i].bone);
}

TEST(NearRoster, HasNobodyUnderAnIdThatItNeverGave) {
  NearRoster roster;
  add_model(roster, test::card());
  EXPECT_FALSE(roster.find(CharacterId{}));
  const CharacterId first = roster.add(ModelId()).value();
  EXPECT_TRUE(roster.find(first));
  EXPECT_FALSE(roster.find(CharacterId{})) << "which is what one that was never set is";
}

}  // namespace
}  // namespace throng::detail::renderer
