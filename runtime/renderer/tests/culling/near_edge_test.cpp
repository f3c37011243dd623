// SPDX-License-Identifier: Apache-2.0
// Nobody is lost at the edges of a view: near characters, whose boxes are found from their bones.
#include "chain_of_bars.h"
#include "culling/edges.h"
#include "dice.h"
#include "mannequin_model.h"
#include "near/near_stage.h"
#include "test_device.h"

namespace throng {
namespace {

constexpr double kInside = 5e-4;

// A model in a pose, and the vertices of all its meshes then.
struct NearMoment {
  Pose pose;
  std::vector<glm::dvec3> surface;
};

NearMoment moment_of(const Model& model, const Pose& pose, SkinMethod method) {
  NearMoment moment{pose, {}};
  for (std::size_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
    const SkinnedVertices skinned = test::expected(model, mesh, pose, method);
    moment.surface.insert(moment.surface.end(), skinned.positions.begin(), skinned.positions.end());
  }
  return moment;
}

class NearEdges : public test::OnDevice {
 protected:
  // Every moment at every edge of a picture and of a shadow: just inside; and just further out than the box that was
  // found for it.
  void expect_edges(const Model& model, const std::vector<NearMoment>& moments, const ModelSettings& settings = {}) {
    const std::array views{test::eye_view({3, 2, 5}, {0.4, -0.2, -1.0}, 50.0, 1.5),
                           test::flat_view({-300, 30, 300}, {0.5, -1, 0.3}, {8, 6, 9})};
    const std::array shadows{views[1].clip_from_world};
    test::Dice dice(3);
    test::NearStage stage(context());
    const ModelId number = stage.add_model(model, settings);
    for (std::size_t view = 0; view < views.size(); ++view) {
      struct Standing {
        CharacterId id;
        const NearMoment* moment;
        Placement inside, outside;
      };
      std::vector<Standing> all;
      for (const test::Edge& edge : views[view].edges)
        for (const NearMoment& moment : moments) {
          const float scale = std::array{1.0f, 0.5f, 2.0f}[all.size() % 3];
          const glm::quat turn(test::facing(dice.direction(), edge.inwards, dice.between(0.0, 6.0)));
          const glm::dmat3 world = static_cast<double>(scale) * glm::mat3_cast(glm::dquat(turn));
          const glm::dvec3 along = glm::transpose(world) * edge.inwards;
          const glm::dvec3 touching = edge.point - world * test::outermost(moment.surface, along);
          Standing one{stage.add(number), &moment, {}, {}};
          one.inside = one.outside = {glm::vec3(touching + kInside * edge.inwards), turn, scale};
          stage.pose(one.id, model, moment.pose, one.inside);
          const Bounds box = stage.renderer.bounds(one.id).value();
          const double slack = test::reach_along(box, edge.inwards) - glm::dot(edge.point, edge.inwards);
          EXPECT_GE(slack, kInside) << edge.name << ": its box does not hold it";
          one.outside.position = glm::vec3(touching - (slack + 1e-3) * edge.inwards);
          all.push_back(one);
        }
      for (const bool inside : {true, false}) {
        for (const Standing& one : all) stage.pose(one.id, model, one.moment->pose, inside ? one.inside : one.outside);
        stage.image({.clip_from_world = views[0].clip_from_world, .shadows = shadows});
        const NearCounts counts = stage.renderer.near_counts();
        EXPECT_EQ(counts.drawn, inside ? all.size() : 0u) << "view " << view;
        EXPECT_EQ(counts.in_picture, inside && view == 0 ? all.size() : 0u) << "view " << view;
      }
      for (const Standing& one : all) ASSERT_TRUE(stage.renderer.remove(one.id));
    }
  }
};

TEST_F(NearEdges, AreWhereTheFirstVertexIsInAtEveryMoment) {
  const Model model = built(test::swinging_chain());
  std::vector<NearMoment> moments;
  for (const Clip& clip : model.clips())
    for (const double share : {0.0, 0.15, 0.4, 0.77})
      moments.push_back(moment_of(model, sample(model, clip, clip.start + share * clip.length()), SkinMethod::linear));
  expect_edges(model, moments);
}

TEST_F(NearEdges, AreWhereTheFirstVertexIsInThatAMorphTargetMoves) {
  const Model model = test::bar_that_blinks();
  std::vector<NearMoment> moments;
  for (const double time : {0.3, 0.44, 0.5, 0.55})
    moments.push_back(moment_of(model, sample(model, model.clips()[0], time), SkinMethod::linear));
  expect_edges(model, moments);
}

TEST_F(NearEdges, AreWhereTheFirstVertexIsInWithMorphTargetsAndEightBonesAVertex) {
  const Model model = test::random_near_model({.influences = 8, .meshes = 2, .targets = 3, .uneven = true});
  std::vector<NearMoment> moments;
  for (unsigned seed = 1; seed <= 8; ++seed)
    moments.push_back(moment_of(model, test::random_pose(model, seed, true), SkinMethod::linear));
  expect_edges(model, moments);
}

TEST_F(NearEdges, AreWhereTheFirstVertexIsInBlendedAsDualQuaternions) {
  const Model model = test::random_near_model({.influences = 4, .targets = 2});
  std::vector<NearMoment> moments;
  for (unsigned seed = 1; seed <= 8; ++seed)
    moments.push_back(moment_of(model, test::random_pose(model, seed), SkinMethod::dual_quaternion));
  expect_edges(model, moments, {.near_method = SkinMethod::dual_quaternion});
}

// Along the axes of the model a rod's box is next to as long as the rod: what follows two bones is taken for where each
// of them alone would have it. One step further out is five centimetres.
TEST_F(NearEdges, AreNoFurtherOutThanFiveCentimetresAlongTheAxes) {
  const Model model = built(test::swinging_chain());
  const test::EdgedView view = test::flat_view({0, 0, 30}, {0, 0, -1}, {20, 20, 20});
  test::NearStage stage(context());
  const ModelId number = stage.add_model(model);
  for (const double step : {-0.05, kInside}) {
    std::vector<CharacterId> ids;
    for (const Clip& clip : model.clips())
      for (const double share : {0.0, 0.15, 0.4, 0.77}) {
        const NearMoment moment =
            moment_of(model, sample(model, clip, clip.start + share * clip.length()), SkinMethod::linear);
        for (const test::Edge& edge : view.edges) {
          const glm::dvec3 at = edge.point + step * edge.inwards - test::outermost(moment.surface, edge.inwards);
          ids.push_back(stage.add(number));
          stage.pose(ids.back(), model, moment.pose, {.position = glm::vec3(at)});
        }
      }
    stage.image({.clip_from_world = view.clip_from_world});
    EXPECT_EQ(stage.renderer.near_counts().in_picture, step > 0.0 ? ids.size() : 0u);
    for (const CharacterId id : ids) ASSERT_TRUE(stage.renderer.remove(id));
  }
}

}  // namespace
}  // namespace throng
