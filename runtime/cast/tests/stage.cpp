// SPDX-License-Identifier: Apache-2.0
#include "stage.h"

#include <gtest/gtest.h>

#include <map>

#include "mannequin_model.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

MotionDraft clip_motion(const std::string& name, float at = 0.0f) {
  return {.kind = MotionKind::clip, .clip = name, .at = {at, 0.0f}};
}

GraphDraft fighter() {
  GraphDraft draft;
  draft.name = "fighter";
  draft.parameters = {{.name = "speed"}};
  LayerDraft base{.name = "base"};
  MotionDraft gaits{.kind = MotionKind::blend_1d, .x = "speed"};
  gaits.children = {clip_motion("walk", 0.0f), clip_motion("run", 1.0f)};
  base.machine.states = {{.name = "go", .motion = gaits}, {.name = "idle", .motion = clip_motion("idle")}};
  LayerDraft arms{.name = "arms", .weight = 0.0f};
  arms.mask = {{.bone = "spine"}};
  arms.machine.states = {{.name = "attack", .motion = clip_motion("attack")}};
  draft.layers = {base, arms};
  return draft;
}

GraphDraft one_clip(const std::string& name) {
  GraphDraft draft;
  draft.layers = {{.name = "base"}};
  draft.layers[0].machine.states = {{.name = name, .motion = clip_motion(name)}};
  return draft;
}

Mannequin make(Model model, GraphDraft draft, const BakeSettings& settings) {
  SerialExecutor executor;
  auto baked = bake(model, settings, executor);
  EXPECT_TRUE(baked) << baked.error().message;
  auto rig = build_rig(*baked);
  EXPECT_TRUE(rig) << rig.error().message;
  auto graph = build_graph(std::move(draft), *rig);
  EXPECT_TRUE(graph) << graph.error().message;
  return {std::move(model), std::move(*baked), *graph};
}

std::vector<glm::dmat4> palette_of(const Model& model, const Animator& animator) {
  std::vector<glm::dmat4> palette;
  for (const Binding& binding : model.bindings())
    palette.push_back(glm::dmat4(to_matrix(animator.models()[binding.bone])) * binding.bone_from_mesh);
  return palette;
}

}  // namespace

const Mannequin& mannequin() {
  static const Mannequin made = make(test::mannequin_model(), fighter(), {.root_bone = "root"});
  return made;
}

const Mannequin& walker(RootTreatment treatment) {
  static std::map<RootTreatment, Mannequin> made;
  const auto found = made.find(treatment);
  if (found != made.end()) return found->second;
  return made
      .emplace(treatment, make(walking_mannequin(), one_clip("walk"), {.root_motion = treatment, .root_bone = "root"}))
      .first->second;
}

Stage::Stage(const NearRule& rule, const Mannequin& of) : who(of), cast(rule) {
  const auto added = cast.add(who.baked, who.graph);
  EXPECT_TRUE(added) << added.error().message;
}

ActorId Stage::add(const Placement& placement, const std::string& clip, double offset) {
  Spawn what;
  what.placement = placement;
  what.play.clip = cast.crowd().find_clip(ModelId(0), clip).value();
  what.play.offset = offset;
  return spawn(what);
}

ActorId Stage::spawn(const Spawn& what) { return cast.add(what, now).value(); }

void Stage::step(const CastView& view) {
  SerialExecutor executor;
  step(view, executor);
}

void Stage::step(const CastView& view, Executor& executor) {
  now += ticks_from_seconds(kStep);
  cast.update(now, view, executor, [this](const ActorEvent& event) { heard.emplace_back(event.name); });
}

PlayState Stage::far_state(ActorId id) const { return cast.crowd().state(cast.instance(id).value(), now).value(); }

std::vector<glm::dvec3> Stage::vertices(ActorId id) {
  const auto where = cast.crowd().find(cast.instance(id).value()).value();
  const InstanceRecord& record = cast.crowd().instances(where.model)[where.index];
  std::vector<glm::dvec3> vertices;
  if (const Animator* animator = cast.animator(id).value()) {
    const Pose rest = rest_pose(who.model);
    const std::vector<glm::dmat4> palette = palette_of(who.model, *animator);
    for (std::size_t mesh = 0; mesh < who.model.meshes().size(); ++mesh) {
      const SkinnedVertices skinned = skin_mesh(who.model, mesh, rest, palette);
      vertices.insert(vertices.end(), skinned.positions.begin(), skinned.positions.end());
    }
  } else {
    const Character& baked = who.baked;
    const std::vector<glm::dvec3> positions =
        deform(baked, cast.crowd().plays(where.model)[where.index], now).positions;
    for (const std::uint32_t vertex : baked.baked_from_source()) vertices.push_back(positions[vertex]);
    if (baked.baked_from_source().empty()) vertices = positions;
  }
  for (glm::dvec3& vertex : vertices) vertex = glm::dvec3(world_from_model(record) * glm::dvec4(vertex, 1.0));
  return vertices;
}

std::uint32_t Stage::hand() const { return who.graph->rig()->find_bone("hand.R").value(); }

}  // namespace throng::test
