// SPDX-License-Identifier: Apache-2.0
#include "crowd/battle.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "crowd/battlefield.h"
#include "crowd/props.h"
#include "crowd/scatter.h"
#include "throng/animator/foot_placement.h"
#include "throng/animator/ik.h"
#include "throng/bake/bake.h"
#include "throng/base/executor.h"
#include "throng/base/try.h"
#include "throng/cast/cast.h"
#include "throng/mannequin/mannequin.h"
#include "throng/ragdoll/ragdoll_controller.h"
#include "throng/renderer/cast_drawing.h"

using namespace throng;

namespace {

constexpr double kStep = 1.0 / 60.0;
constexpr double kWalkingSpeed = 1.25;  // metres a second, as the mannequin's clip walks
constexpr float kBlow = 150.0f;         // newton-seconds: a hard hit on a person of 75 kg

enum class Task : std::uint8_t { comes_down, aims, falls };

struct Role {
  Task task = Task::aims;
  glm::dvec2 at{0.0};   // x, z
  double when = 0.0;    // falls: the second it is hit; comes down: how long it has been on its way
  float facing = 0.0f;  // radians from +Z
};

// Twenty of them; those who come down walk between those who fall.
constexpr std::array<Role, 20> kRoles{{
    {Task::comes_down, {-4.1, -1.2}, 0.00, 0.0f}, {Task::comes_down, {-2.3, -0.4}, 0.31, 0.0f},
    {Task::comes_down, {-0.6, -1.6}, 0.55, 0.0f}, {Task::comes_down, {1.0, -0.1}, 0.12, 0.0f},
    {Task::comes_down, {2.9, -1.0}, 0.78, 0.0f},  {Task::comes_down, {4.3, -1.9}, 0.43, 0.0f},
    {Task::aims, {-4.6, -3.4}, 0.0, 0.35f},       {Task::aims, {-2.9, -3.9}, 0.0, 0.2f},
    {Task::aims, {-1.2, -3.3}, 0.0, 0.1f},        {Task::aims, {0.4, -4.0}, 0.0, -0.1f},
    {Task::aims, {2.1, -3.5}, 0.0, -0.2f},        {Task::aims, {3.8, -4.1}, 0.0, -0.35f},
    {Task::aims, {-5.2, 1.5}, 0.0, 0.5f},         {Task::aims, {5.0, 1.3}, 0.0, -0.5f},
    {Task::falls, {-3.3, -1.5}, 1.15, 0.3f},      {Task::falls, {-1.5, -0.9}, 0.55, -0.2f},
    {Task::falls, {0.2, -1.2}, 0.95, 0.1f},       {Task::falls, {1.9, -1.7}, 1.45, -0.4f},
    {Task::falls, {3.5, -0.5}, 0.70, 0.2f},       {Task::falls, {-0.5, 0.9}, 1.30, 0.6f},
}};

GraphDraft fighters() {
  const auto clip = [](const char* name) { return MotionDraft{.kind = MotionKind::clip, .clip = name}; };
  GraphDraft draft;
  draft.name = "fighters";
  LayerDraft base{.name = "base"};
  base.machine.states = {{.name = "guard", .motion = clip("guard")},
                         {.name = "walk", .motion = clip("walk")},
                         {.name = "cheer", .motion = clip("cheer")},
                         {.name = "attack", .motion = clip("attack")},
                         {.name = "idle", .motion = clip("idle")}};
  draft.layers = {base};
  return draft;
}

glm::quat turned(float radians) { return glm::angleAxis(radians, glm::vec3(0.0f, 1.0f, 0.0f)); }

Placement standing(const Role& role) {
  Placement placement;
  placement.position = {role.at.x, ramp_height(role.at.x, role.at.y), role.at.y};
  placement.rotation = turned(role.facing);
  return placement;
}

glm::mat4 world_from(const Placement& placement) {
  glm::mat4 matrix = glm::mat4_cast(placement.rotation);
  for (int i = 0; i < 3; ++i) matrix[i] *= placement.scale;
  matrix[3] = glm::vec4(placement.position, 1.0f);
  return matrix;
}

// What those who aim follow: it circles over the field before the stairs.
glm::vec3 prey(double seconds) {
  return {static_cast<float>(-9.0 + 4.0 * std::sin(0.8 * seconds)),
          static_cast<float>(3.6 + 0.8 * std::sin(1.7 * seconds)),
          static_cast<float>(5.0 + 2.0 * std::cos(0.8 * seconds))};
}

struct Fighter {
  ActorId id = {};
  Role role = {};
  FootPlacementState feet = {};
  std::unique_ptr<RagdollController> ragdoll = {};  // of those who fall
};

// The bones the scene works on.
struct Body {
  std::array<AimBone, 5> aim = {};
  std::array<Leg, 2> legs = {};
  glm::vec3 staff_axis{0.0f, 1.0f, 0.0f};  // in the right hand's space
  glm::vec3 grip{0.0f};
  std::uint32_t hips = 0;
  std::uint32_t chest = 0;
};

Result<Body> find_body(const Rig& rig) {
  Result<void> missing;
  const auto bone = [&](const char* name) {
    auto found = rig.find_bone(name);
    if (!found && missing) missing = fail(Error{found.error()});
    return found.value_or(0);
  };
  Body body;
  body.hips = bone("hips");
  body.chest = bone("upper_chest");
  body.aim = {{{bone("spine"), 0.1f, 0.12f},
               {bone("upper_chest"), 0.15f, 0.25f},
               {bone("upper_arm.R"), 0.9f, 2.6f},
               {bone("forearm.R"), 0.9f, 2.0f},
               {bone("hand.R"), 1.0f, 1.2f}}};
  body.legs = {{{.hip = bone("thigh.L"), .knee = bone("shin.L"), .foot = bone("foot.L"), .toe = bone("toes.L")},
                {.hip = bone("thigh.R"), .knee = bone("shin.R"), .foot = bone("foot.R"), .toe = bone("toes.R")}}};
  for (const MotionSocket& socket : rig.sockets()) {
    if (socket.name != "hand.R") continue;
    body.staff_axis = glm::quat(socket.bone_from_socket.rotation) * glm::vec3(0.0f, 1.0f, 0.0f);
    body.grip = glm::vec3(socket.bone_from_socket.translation);
  }
  if (!missing) return fail(std::move(missing));
  return body;
}

}  // namespace

struct Battle::State {
  explicit State(RagdollWorld its_world) : world(std::move(its_world)) {}

  Result<void> muster_army(const BattleSettings& settings);
  Result<void> place_fighters();
  void step();
  void act(Fighter& fighter, NearActor& actor);
  void walk_on(Fighter& fighter);
  void aim(const NearActor& actor, const PoseEdit& pose) const;
  void stand(Fighter& fighter, const NearActor& actor, const PoseEdit& pose) const;
  void fall(Fighter& fighter, const NearActor& actor, const PoseEdit& pose);
  Result<void> arm(CharacterRenderer& characters);

  RagdollWorld world;
  std::shared_ptr<const Rig> rig;
  std::shared_ptr<const AnimatorGraph> graph;
  std::shared_ptr<const RagdollSetup> ragdolls;
  Body body;
  Cast cast{NearRule{.distance = 0.0f, .budget = static_cast<std::uint32_t>(kRoles.size())}};
  ModelId soldier_model;
  CastDrawing drawing;
  std::vector<Fighter> fighters;
  std::vector<PartRef> armed;  // what each of them wears
  std::uint64_t steps = 0;
  ThreadExecutor executor;

  double seconds() const { return static_cast<double>(steps) * kStep; }
};

Result<void> Battle::State::muster_army(const BattleSettings& settings) {
  constexpr std::array<const char*, 5> kClips{"guard", "cheer", "attack", "idle", "guard"};
  Scatter scatter(settings.seed + 1);
  for (const Soldier& soldier : army(settings.far, settings.seed)) {
    Spawn spawn;
    spawn.model = soldier_model;
    spawn.placement.position = {soldier.at.x, 0.0, soldier.at.y};
    spawn.placement.rotation = turned(static_cast<float>(scatter.between(-0.15, 0.15)));
    spawn.placement.scale = static_cast<float>(scatter.between(0.95, 1.06));
    const char* const name =
        kClips[(soldier.company * 7 + (scatter.chance(0.2) ? scatter.below(5) : 0)) % kClips.size()];
    auto clip = cast.crowd().find_clip(soldier_model, name);
    if (!clip) return fail(std::move(clip));
    spawn.play = {.clip = *clip, .speed = scatter.between(0.9, 1.1), .offset = scatter.between(0.0, 4.0)};
    const bool red = soldier.company % 3 == 0;
    spawn.look.tint = red ? Tint{214, 92, 78, 255} : Tint{188, 196, 200, 255};
    spawn.look.variation = static_cast<std::uint32_t>(cast.size() + 1);
    if (auto added = cast.add(spawn, 0); !added) return fail(std::move(added));
  }
  return {};
}

Result<void> Battle::State::place_fighters() {
  for (const Role& role : kRoles) {
    Spawn spawn;
    spawn.model = soldier_model;
    spawn.placement = standing(role);
    auto clip = cast.crowd().find_clip(soldier_model, role.task == Task::comes_down ? "walk" : "guard");
    if (!clip) return fail(std::move(clip));
    spawn.play = {.clip = *clip, .offset = role.task == Task::comes_down ? role.when : 0.37 * role.at.x + 3.0};
    spawn.look.tint = role.task == Task::falls ? Tint{240, 186, 92, 255} : Tint{96, 150, 160, 255};
    spawn.look.variation = static_cast<std::uint32_t>(cast.size() + 1);
    auto id = cast.add(spawn, 0);
    if (!id) return fail(std::move(id));
    if (auto kept = cast.keep(*id, Nearness::near); !kept) return kept;
    Fighter fighter{.id = *id, .role = role};
    if (role.task == Task::falls) fighter.ragdoll = std::make_unique<RagdollController>(world, ragdolls);
    fighters.push_back(std::move(fighter));
  }
  return {};
}

void Battle::State::walk_on(Fighter& fighter) {
  Placement placement = standing(fighter.role);
  const double z = fighter.role.at.y + kWalkingSpeed * seconds();
  placement.position.z = static_cast<float>(z);
  placement.position.y = static_cast<float>(ramp_height(fighter.role.at.x, z));
  static_cast<void>(cast.place(fighter.id, placement));
}

void Battle::State::aim(const NearActor& actor, const PoseEdit& pose) const {
  const glm::mat4 model_from_world = glm::inverse(world_from(actor.placement));
  AimIk ik;
  ik.bones = body.aim;
  ik.target = glm::vec3(model_from_world * glm::vec4(prey(seconds()), 1.0f));
  ik.axis = body.staff_axis;
  ik.origin = body.grip;
  ik.weight = actor.presence;
  solve_aim(pose, ik);
}

void Battle::State::stand(Fighter& fighter, const NearActor& actor, const PoseEdit& pose) const {
  FootPlacement feet;
  feet.legs = body.legs;
  feet.pelvis = body.hips;
  feet.weight = actor.presence;
  feet.smoothing = 0.1f;
  const auto ground = [this](const glm::vec3& from, float depth) -> std::optional<GroundHit> {
    const auto hit = world.cast_ray(from, from - glm::vec3(0.0f, depth, 0.0f));
    if (!hit) return std::nullopt;
    return GroundHit{hit->point.y, hit->normal};
  };
  place_feet(pose, feet, world_from(actor.placement), ground, static_cast<float>(kStep), fighter.feet);
}

void Battle::State::fall(Fighter& fighter, const NearActor& actor, const PoseEdit& pose) {
  RagdollController& ragdoll = *fighter.ragdoll;
  const glm::mat4 world_from_model = world_from(actor.placement);
  ragdoll.update(pose, world_from_model, kStep);
  if (ragdoll.phase() != RagdollPhase::animated || seconds() < fighter.role.when) return;
  if (!ragdoll.fall()) return;
  const glm::vec3 chest(world_from_model * glm::vec4(position_of(pose.models[body.chest]), 1.0f));
  const float side = fighter.role.facing > 0.0f ? 0.35f : -0.35f;
  ragdoll.ragdoll().push(body.chest, chest, kBlow * glm::normalize(glm::vec3(side, 0.25f, 1.0f)));
}

void Battle::State::act(Fighter& fighter, NearActor& actor) {
  const PoseEdit pose{.rig = *rig, .locals = actor.animator->locals(), .models = actor.animator->models()};
  const bool fallen = fighter.ragdoll && fighter.ragdoll->phase() != RagdollPhase::animated;
  if (!fallen) stand(fighter, actor, pose);
  if (fighter.role.task == Task::aims) aim(actor, pose);
  if (fighter.ragdoll) fall(fighter, actor, pose);
}

Result<void> Battle::State::arm(CharacterRenderer& characters) {
  for (const Fighter& fighter : fighters) {
    const auto character = drawing.find(fighter.id);
    if (!character) continue;
    const auto worn_now = characters.parts(*character);
    if (!worn_now) return fail(Error{worn_now.error()});
    if (worn_now->size() == armed.size()) continue;
    if (auto dressed = characters.set_parts(*character, armed); !dressed) return dressed;
  }
  return {};
}

void Battle::State::step() {
  ++steps;
  world.step(kStep);
  for (Fighter& fighter : fighters) {
    if (fighter.role.task == Task::comes_down) walk_on(fighter);
  }
  cast.update(ticks_from_seconds(seconds()), {.eye = glm::vec3(camera().eye)}, executor);
  for (NearActor& actor : cast.near_actors()) {
    const auto same = [&actor](const Fighter& fighter) { return fighter.id == actor.id; };
    const auto fighter = std::find_if(fighters.begin(), fighters.end(), same);
    if (fighter != fighters.end()) act(*fighter, actor);
  }
}

Battle::Battle(std::unique_ptr<State> state) : state_(std::move(state)) {}
Battle::Battle(Battle&&) noexcept = default;
Battle::~Battle() = default;

Result<Battle> Battle::stage(const BattleSettings& settings, SceneRenderer& scene) {
  auto world = RagdollWorld::make();
  if (!world) return fail(std::move(world));
  auto state = std::make_unique<State>(std::move(*world));
  const Model model = make_mannequin();
  SerialExecutor executor;
  auto baked = bake(model, {}, executor);
  if (!baked) return fail(std::move(baked));
  auto rig = build_rig(*baked);
  if (!rig) return fail(std::move(rig));
  state->rig = *rig;
  auto graph = build_graph(fighters(), *rig);
  if (!graph) return fail(std::move(graph));
  auto ragdolls = build_ragdoll(*baked, *rig);
  if (!ragdolls) return fail(std::move(ragdolls));
  state->ragdolls = *ragdolls;
  auto body = find_body(**rig);
  if (!body) return fail(std::move(body));
  state->body = *body;

  if (auto done = state->world.add_ground(0.0f); !done) return fail(std::move(done));
  for (const Box& box : stairs()) {
    if (auto done = state->world.add_box(box.centre, box.half); !done) return fail(std::move(done));
  }
  THRONG_TRY(state->soldier_model, state->cast.add(*baked, *graph));
  if (auto done = state->muster_army(settings); !done) return fail(std::move(done));
  if (auto done = state->place_fighters(); !done) return fail(std::move(done));
  THRONG_TRY(const ModelId body_model, scene.add(*baked));
  const PropMesh staff = *load_prop("staff", 1.0);
  auto socket = find_socket(*baked, "hand.R");
  if (!socket) return fail(std::move(socket));
  if (auto hung = scene.add_prop(staff, body_model, *socket); !hung) return fail(std::move(hung));

  THRONG_TRY(const Character armed, bake(worn(staff, model, "hand.R"), {.levels = 1}, executor));
  THRONG_TRY(const Character stones, bake(stone_model(stairs()), {.levels = 1}, executor));
  THRONG_TRY(const ModelId staff_model, scene.add(armed, {.far = false}));
  THRONG_TRY(const ModelId stones_model, scene.add(stones, {.far = false}));
  for (std::uint32_t mesh = 0; mesh < model.meshes().size(); ++mesh) state->armed.push_back({body_model, mesh});
  state->armed.push_back({staff_model, 0});
  THRONG_CHECK(scene.characters().add_near(stones_model));
  return Battle(std::move(state));
}

Result<void> Battle::advance_to(double seconds, SceneRenderer& scene) {
  // One step at least: somebody must be near before there is a picture.
  const auto until = static_cast<std::uint64_t>(std::max(1.0, std::round(seconds / kStep)));
  while (state_->steps < until) state_->step();
  THRONG_CHECK(state_->drawing.update(state_->cast, scene.characters()));
  return state_->arm(scene.characters());
}

Camera Battle::camera() {
  Camera camera;
  camera.eye = {6.4, 4.3, 10.2};
  camera.target = {-0.4, 0.75, -6.0};
  camera.vertical_fov_degrees = 31.0;
  return camera;
}

SceneLook Battle::look() {
  SceneLook look;
  look.sun_direction = {-0.78f, 0.42f, 0.30f};
  look.sun_colour = {7.4f, 4.9f, 2.5f};
  look.sky_colour = {0.30f, 0.38f, 0.58f};
  look.bounce_colour = {0.36f, 0.27f, 0.20f};
  look.ground_albedo = {0.33f, 0.28f, 0.22f};
  look.zenith_colour = {0.08f, 0.19f, 0.48f};
  look.horizon_colour = {1.05f, 0.80f, 0.62f};
  look.rim = 0.9f;
  look.exposure = 0.85f;
  look.clouds = 0.7f;
  look.fog_start = 40.0f;
  look.fog_end = 220.0f;
  return look;
}
