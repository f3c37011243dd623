// SPDX-License-Identifier: Apache-2.0
// Who is near in a cast is a near character of the renderer, and nobody else is.
#include "throng/renderer/cast_drawing.h"
#include "mannequin_model.h"

#include <cmath>
#include <numeric>

#include "near/near_stage.h"
#include "own_renderer.h"
#include "test_device.h"
#include "throng/animator/graph_json.h"
#include "throng/bake/bake.h"

namespace throng {
namespace {

constexpr const char* kGraph = R"({"layers": [{"name": "base", "states": [
  {"name": "idle", "motion": {"clip": "idle"}}]}]})";

class CastDrawn : public test::OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    ASSERT_TRUE(cast.add(baked(), graph()));
    for (int i = 0; i < 3; ++i) {
      Spawn spawn;
      spawn.placement.position = {10.0f * static_cast<float>(i), 0.0f, 0.0f};
      actors.push_back(cast.add(spawn, clock.now()).value());
    }
    stage.emplace(context(), RendererSettings{.targets = test::OwnRenderer::targets()});
    stage->add_model(baked());
    drawing.emplace();
  }

  // Both made once.
  static const Character& baked() {
    static const Character made = [] {
      SerialExecutor executor;
      return bake(test::mannequin_model(), {.levels = 1}, executor).value();
    }();
    return made;
  }
  static std::shared_ptr<const AnimatorGraph> graph() {
    static const auto made = build_graph(parse_graph(kGraph, "test").value(), build_rig(baked()).value()).value();
    return made;
  }

  void look_from(float x) {
    // Longer than the blend: who goes away is away.
    for (int i = 0; i < 40; ++i) {
      clock.advance(1.0 / 60.0);
      cast.update(clock.now(), {.eye = {x, 1.0f, 0.0f}});
    }
  }

  Clock clock;
  Cast cast{NearRule{.distance = 4.0f}};
  std::vector<ActorId> actors;
  std::optional<test::NearStage> stage;
  std::optional<CastDrawing> drawing;
};

TEST_F(CastDrawn, FollowsWhoIsNear) {
  EXPECT_TRUE(drawing->update(cast, stage->renderer));
  EXPECT_EQ(stage->renderer.near_count(), 0u);
  for (const std::size_t near : {1u, 2u, 0u}) {
    look_from(10.0f * static_cast<float>(near));
    ASSERT_TRUE(drawing->update(cast, stage->renderer));
    EXPECT_EQ(stage->renderer.near_count(), 1u);
    for (std::size_t i = 0; i < actors.size(); ++i) EXPECT_EQ(drawing->find(actors[i]).has_value(), i == near);
    const Bounds box = stage->renderer.bounds(drawing->find(actors[near]).value()).value();
    EXPECT_NEAR(0.5 * (box.min.x + box.max.x), 10.0 * static_cast<double>(near), 0.5) << "where it stands";
  }
  look_from(1000.0f);
  ASSERT_TRUE(drawing->update(cast, stage->renderer));
  EXPECT_EQ(stage->renderer.near_count(), 0u);
}

TEST_F(CastDrawn, ShowsNobodyAtTheOriginWhoNeverHadAPose) {
  look_from(10.0f);
  cast.near_actors()[0].placement.position.x = std::nanf("");
  EXPECT_FALSE(drawing->update(cast, stage->renderer));
  EXPECT_EQ(stage->renderer.near_count(), 0u);
  look_from(10.0f);
  ASSERT_TRUE(drawing->update(cast, stage->renderer)) << "it is there again";
  const CharacterId id = drawing->find(actors[1]).value();
  const Bounds box = stage->renderer.bounds(id).value();
  cast.near_actors()[0].placement.position.x = std::nanf("");
  EXPECT_FALSE(drawing->update(cast, stage->renderer));
  EXPECT_EQ(drawing->find(actors[1]), id);
  EXPECT_EQ(stage->renderer.bounds(id)->min, box.min) << "who had a pose keeps it";
}

// A tint without red leaves what shines, and no more.
TEST_F(CastDrawn, PaintsWhoIsNearAsItsActorIs) {
  test::OwnRenderer own(context());
  const auto red = [&] {
    EXPECT_TRUE(drawing->update(cast, stage->renderer));
    const std::vector<float> pixels = own.draw(stage->renderer, clock.now());
    EXPECT_EQ(stage->renderer.near_counts().in_picture, 1u);
    return std::accumulate(pixels.begin(), pixels.end(), 0.0f);
  };
  look_from(0.0f);
  const float bare = red();
  EXPECT_GT(bare, 10.0f);
  ASSERT_TRUE(cast.paint(actors[0], {.tint = {0, 255, 255, 255}}));
  look_from(0.0f);
  EXPECT_LT(red(), 0.1f * bare) << "painted when near";
  look_from(1000.0f);
  ASSERT_TRUE(drawing->update(cast, stage->renderer));
  ASSERT_EQ(stage->renderer.near_count(), 0u);
  look_from(0.0f);
  EXPECT_LT(red(), 0.1f * bare) << "painted when it comes near";
}

TEST_F(CastDrawn, WearsNearWhatItsActorWears) {
  PartMask no_trim;
  no_trim.take_off(baked().find_part("trim").value());
  ASSERT_TRUE(cast.paint(actors[0], {.parts = no_trim}));
  const auto meshes = [&] {
    look_from(0.0f);
    EXPECT_TRUE(drawing->update(cast, stage->renderer));
    std::vector<std::string> names;
    const std::span<const PieceRef> worn = stage->renderer.pieces(drawing->find(actors[0]).value()).value();
    for (const PieceRef& piece : worn) names.push_back(baked().near_mesh()->pieces()[piece.piece].name);
    return names;
  };
  EXPECT_EQ(meshes(), std::vector<std::string>{"shell"}) << "dressed when it comes near";
  ASSERT_TRUE(cast.wear(actors[0], PartMask()));
  EXPECT_EQ(meshes(), (std::vector<std::string>{"shell", "trim"})) << "and while it is";
  const CharacterId id = drawing->find(actors[0]).value();
  ASSERT_TRUE(stage->renderer.set_pieces(id, std::array{PieceRef{ModelId(0), 1}}));
  EXPECT_EQ(meshes(), std::vector<std::string>{"trim"}) << "who dresses it otherwise is left alone";
}

TEST_F(CastDrawn, SaysWhichCharacterTheRendererDoesNotHave) {
  test::NearStage other(context());
  other.add_model(test::card());
  look_from(0.0f);
  const auto refused = drawing->update(cast, other.renderer);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("'mannequin' was not added to the renderer"), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(other.renderer.near_count(), 0u);
}

TEST_F(CastDrawn, FindsAModelByItsCharacterWhateverWasAddedBefore) {
  test::NearStage other(context());
  other.add_model(test::card());
  const ModelId mannequin = other.add_model(cast.character(ModelId(0)));
  EXPECT_EQ(mannequin, ModelId(1));
  EXPECT_EQ(other.renderer.find(cast.character(ModelId(0))), mannequin);
  EXPECT_EQ(other.renderer.find_model("mannequin").value(), mannequin);
  EXPECT_EQ(other.renderer.find_model("manequin").error().message,
            "model 'manequin' does not exist; did you mean 'mannequin'?");
  look_from(0.0f);
  ASSERT_TRUE(drawing->update(cast, other.renderer));
  const auto id = drawing->find(actors[0]);
  ASSERT_TRUE(id);
  EXPECT_EQ(other.renderer.pieces(*id).value()[0].model, mannequin);
}

}  // namespace
}  // namespace throng
