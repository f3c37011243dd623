// SPDX-License-Identifier: Apache-2.0
#include "battle/battle.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "battle/battlefield.h"
#include "battle/body.h"
#include "crowd/scatter.h"
#include "crowd/staff.h"
#include "throng/animator/foot_placement.h"
#include "throng/animator/ik.h"
#include "throng/base/executor.h"
#include "throng/base/try.h"
#include "throng/cast/cast.h"
#include "throng/ragdoll/ragdoll_controller.h"
#include "throng/renderer/cast_drawing.h"

using namespace throng;

namespace {

constexpr double kStep = 1.0 / 60.0;
constexpr double kFastest = 2.0;       // metres a second: those who come down walk
constexpr double kLongest = 1.6;       // metres over the ground: on these stairs there is no room for longer ones
constexpr double kShoulders = 0.1;     // metres between two of the army
constexpr double kOnItsGround = 0.02;  // metres: a model that stands so near y = 0 has its feet on the floor

enum class Task : std::uint8_t { comes_down, aims, falls };

struct Role {
  Task task = Task::aims;
  glm::dvec2 at{0.0};   // x, z
  double when = 0.0;    // falls: the second it is hit; comes down: how long it has been on its way
  float facing = 0.0f;  // radians from +Z
  float blow = 0.0f;    // falls: newton-seconds towards +Z; 150 is a hard hit on a person of 75 kg
};

// Twenty of them; those who come down walk between those who fall. Who is hit from the front falls back onto the steps.
constexpr std::array<Role, 20> kRoles{{
    {Task::comes_down, {-4.1, -1.2}, 0.00, 0.0f},
    {Task::comes_down, {-2.3, -0.4}, 0.31, 0.0f},
    {Task::comes_down, {-0.6, -1.6}, 0.55, 0.0f},
    {Task::comes_down, {1.0, -0.1}, 0.12, 0.0f},
    {Task::comes_down, {2.9, -1.0}, 0.78, 0.0f},
    {Task::comes_down, {4.3, -1.9}, 0.43, 0.0f},
    {Task::aims, {-4.6, -3.4}, 0.0, 0.35f},
    {Task::aims, {-2.9, -3.9}, 0.0, 0.2f},
    {Task::aims, {-1.2, -3.3}, 0.0, 0.1f},
    {Task::aims, {0.4, -4.0}, 0.0, -0.1f},
    {Task::aims, {2.1, -3.5}, 0.0, -0.2f},
    {Task::aims, {3.8, -4.1}, 0.0, -0.35f},
    {Task::aims, {-5.2, 1.5}, 0.0, 0.5f},
    {Task::aims, {5.0, 1.3}, 0.0, -0.5f},
    {Task::falls, {-3.3, -1.5}, 1.15, 0.3f, -120.0f},
    {Task::falls, {-1.5, -0.9}, 0.55, -0.2f, -120.0f},
    {Task::falls, {0.2, -1.2}, 0.95, 0.1f, -120.0f},
    {Task::falls, {1.9, -1.7}, 1.45, -0.4f, -120.0f},
    {Task::falls, {3.5, -0.5}, 0.70, 0.2f, -120.0f},
    {Task::falls, {-0.5, 0.9}, 1.30, 0.6f, 150.0f},
}};

glm::quat about_up(float radians) { return glm::angleAxis(radians, glm::vec3(0.0f, 1.0f, 0.0f)); }

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

// One of the models that fight.
struct Kind {
  const Player* player = nullptr;
  std::shared_ptr<const Rig> rig = {};
  std::shared_ptr<const RagdollSetup> ragdolls = {};
  Body body = {};
  double scale = 1.0;  // metres a unit of the model
  float turn = 0.0f;   // radians from where it looks to +Z
  ClipId guard = {};
  ClipId walk = {};
  double walking = 1.0;  // times its own speed
  ModelId model = {};    // of the cast
  ModelId shown = {};    // of the scene
  std::optional<ModelId> staff = {};

  const Character& character() const { return player->character; }
  const BakedClip& clip(ClipId id) const { return character().clips()[id.value]; }
  const ClipMeasures& measures(ClipId id) const { return player->measures.clips[id.value]; }
};

// Guards where there are any, else who stands.
ClipId guard_of(const Player& player) {
  const ClipFamilies& families = player.families;
  for (const ClipId clip : families.fighting())
    if (names_any(player.character.clips()[clip.value].name, {"guard", "block", "ready"})) return clip;
  return families.calm();
}

Result<Kind> make_kind(const Player& player, double metre) {
  Kind kind{.player = &player};
  const ClipFamilies& families = player.families;
  kind.guard = guard_of(player);
  kind.walk = families.walking().front();
  const glm::dvec2 size = kind.measures(families.calm()).footprint.size() * (player.scale / metre);
  const double shrink = std::max(1.0, std::max(size.x, size.y) / kLongest);
  kind.scale = player.scale / (metre * shrink);
  const glm::dvec2 forward = player.measures.forward;
  kind.turn = static_cast<float>(-std::atan2(forward.x, forward.y));
  const double speed = speed_of(kind.measures(kind.walk).gait, kind.clip(kind.walk)) * kind.scale;
  if (speed > kFastest) kind.walking = kFastest / speed;
  THRONG_TRY(kind.rig, build_rig(player.character));
  THRONG_TRY(kind.ragdolls, build_ragdoll(player.character, kind.rig));
  kind.body = find_body(*kind.rig, forward);
  if (std::abs(player.measures.stature.ground * kind.scale) > kOnItsGround) kind.body.legs.clear();
  return kind;
}

// What near ones do: they stand on guard, or walk.
Result<std::shared_ptr<const AnimatorGraph>> graph_of(const Kind& kind) {
  const auto state = [&](const char* name, ClipId id, double speed) {
    return StateDraft{.name = name,
                      .motion = {.kind = MotionKind::clip, .clip = kind.clip(id).name},
                      .speed = static_cast<float>(speed)};
  };
  GraphDraft draft;
  draft.name = "fighters";
  LayerDraft base{.name = "base"};
  base.machine.states = {state("guard", kind.guard, 1.0)};
  if (kind.walk != kind.guard) base.machine.states.push_back(state("walk", kind.walk, kind.walking));
  draft.layers = {base};
  return build_graph(draft, kind.rig);
}

// Where somebody of a kind stands for a role.
Placement standing(const Role& role, const Kind& kind) {
  Placement placement;
  const double floor = -kind.player->measures.stature.ground * kind.scale;
  placement.position = {role.at.x, ramp_height(role.at.x, role.at.y) + floor, role.at.y};
  placement.rotation = about_up(role.facing + kind.turn);
  placement.scale = static_cast<float>(kind.scale);
  return placement;
}

struct Fighter {
  ActorId id = {};
  Role role = {};
  const Kind* kind = nullptr;
  FootPlacementState feet = {};
  std::unique_ptr<RagdollController> ragdoll = {};  // of those who fall
  std::vector<PieceRef> armed = {};                 // what it wears, where it carries a staff, which is last
};

}  // namespace

struct Battle::State {
  explicit State(RagdollWorld its_world) : world(std::move(its_world)) {}

  Result<void> muster_army(const BattleSettings& settings);
  Result<void> place_fighters(const BattleSettings& settings);
  void step();
  void act(Fighter& fighter, NearActor& actor);
  void walk_on(Fighter& fighter);
  void aim(const Kind& kind, const NearActor& actor, const PoseEdit& pose) const;
  void stand(Fighter& fighter, const NearActor& actor, const PoseEdit& pose) const;
  void fall(Fighter& fighter, const NearActor& actor, const PoseEdit& pose);
  Result<void> build_field(const MakePiece& make, SceneRenderer& scene);
  Result<void> show(Kind& kind, const MakePiece& make, SceneRenderer& scene);
  Result<void> arm(CharacterRenderer& characters);

  RagdollWorld world;
  Troupe troupe;
  std::vector<Kind> kinds;
  Cast cast{NearRule{.distance = 0.0f, .budget = static_cast<std::uint32_t>(kRoles.size())}};
  CastDrawing drawing;
  std::vector<Fighter> fighters;
  std::uint64_t steps = 0;
  ThreadExecutor executor;

  double seconds() const { return static_cast<double>(steps) * kStep; }
};

namespace {

// What those behind do, company by company.
std::vector<ClipId> army_clips(const Kind& kind) {
  const ClipFamilies& families = kind.player->families;
  std::vector<ClipId> clips{kind.guard};
  for (const ClipFamilies::Clips* family : {&families.fighting(), &families.cheering(), &families.standing()})
    clips.insert(clips.end(), family->begin(), family->end());
  return clips;
}

// The room one of the army takes.
double spacing_of(const std::vector<Kind>& kinds) {
  double longest = 0.0;
  for (const Kind& kind : kinds) {
    const glm::dvec2 size = kind.measures(kind.player->families.calm()).footprint.size() * kind.scale;
    longest = std::max({longest, size.x, size.y});
  }
  return longest + kShoulders;
}

Look look_of_fighter(const Character& character, Tinting tinting, const Tint& dye, std::uint32_t number) {
  Look look;
  tinting = tinting_for(character, tinting);
  if (tinting == Tinting::strong) look.tint = dye;
  look.variation = tinting == Tinting::none ? 0 : number;
  look.parts = dressed_parts(character.part_groups(), number);
  return look;
}

}  // namespace

Result<void> Battle::State::muster_army(const BattleSettings& settings) {
  Scatter scatter(settings.seed + 1);
  std::vector<std::vector<ClipId>> clips;
  for (const Kind& kind : kinds) clips.push_back(army_clips(kind));
  for (const Soldier& soldier : army(settings.far, settings.seed, spacing_of(kinds))) {
    const Kind& kind = kinds[soldier.company % kinds.size()];
    const std::vector<ClipId>& own = clips[soldier.company % kinds.size()];
    Spawn spawn;
    spawn.model = kind.model;
    spawn.placement = standing({.at = soldier.at}, kind);
    spawn.placement.rotation = about_up(kind.turn + static_cast<float>(scatter.between(-0.15, 0.15)));
    const auto size = static_cast<float>(scatter.between(0.95, 1.06));
    spawn.placement.scale *= size;
    spawn.placement.position.y *= size;
    const ClipId clip = own[(soldier.company * 7 + (scatter.chance(0.2) ? scatter.below(5) : 0)) % own.size()];
    spawn.play = {.clip = clip, .speed = scatter.between(0.9, 1.1), .offset = scatter.between(0.0, 4.0)};
    const bool red = soldier.company % 3 == 0;
    const Tint dye = red ? Tint{214, 92, 78, 255} : Tint{188, 196, 200, 255};
    spawn.look = look_of_fighter(kind.character(), settings.tinting, dye, static_cast<std::uint32_t>(cast.size() + 1));
    THRONG_CHECK(cast.add(spawn, 0));
  }
  return {};
}

Result<void> Battle::State::place_fighters(const BattleSettings& settings) {
  for (std::size_t i = 0; i < kRoles.size(); ++i) {
    const Role& role = kRoles[i];
    const Kind& kind = kinds[i % kinds.size()];
    const bool walks = role.task == Task::comes_down;
    Spawn spawn;
    spawn.model = kind.model;
    spawn.placement = standing(role, kind);
    spawn.play = {.clip = walks ? kind.walk : kind.guard,
                  .speed = walks ? kind.walking : 1.0,
                  .offset = walks ? role.when : 0.37 * role.at.x + 3.0,
                  .mode = walks ? PlayMode::loop : PlayMode::as_baked};
    const Tint dye = role.task == Task::falls ? Tint{240, 186, 92, 255} : Tint{96, 150, 160, 255};
    spawn.look = look_of_fighter(kind.character(), settings.tinting, dye, static_cast<std::uint32_t>(cast.size() + 1));
    THRONG_TRY(const ActorId id, cast.add(spawn, 0));
    THRONG_CHECK(cast.keep(id, Nearness::near));
    Fighter fighter{.id = id, .role = role, .kind = &kind};
    if (role.task == Task::falls) {
      const glm::dvec2 forward = kind.player->measures.forward;
      fighter.ragdoll = std::make_unique<RagdollController>(
          world, kind.ragdolls, RagdollControllerSettings{.forward = glm::vec3(forward.x, 0.0, forward.y)});
    }
    // A staff at the side of somebody who walks goes through thigh and steps.
    if (kind.staff && !walks) {
      THRONG_TRY(fighter.armed, pieces_of(kind.character(), kind.shown, *spawn.look.parts));
      fighter.armed.push_back({*kind.staff, 0});
    }
    fighters.push_back(std::move(fighter));
  }
  return {};
}

void Battle::State::walk_on(Fighter& fighter) {
  const Kind& kind = *fighter.kind;
  const BakedClip& clip = kind.clip(kind.walk);
  if (!(clip.length > 0.0)) return;
  const Gait& gait = kind.measures(kind.walk).gait;
  const double begun = fighter.role.when / clip.length;
  const double gone = gait.way_after(begun + kind.walking * seconds() / clip.length) - gait.way_after(begun);
  Role there = fighter.role;
  there.at.y += gone * kind.scale;
  static_cast<void>(cast.place(fighter.id, standing(there, kind)));
}

void Battle::State::aim(const Kind& kind, const NearActor& actor, const PoseEdit& pose) const {
  if (kind.body.aim.empty()) return;
  const glm::mat4 model_from_world = glm::inverse(world_from(actor.placement));
  AimIk ik;
  ik.bones = kind.body.aim;
  ik.target = glm::vec3(model_from_world * glm::vec4(prey(seconds()), 1.0f));
  ik.axis = kind.body.axis;
  ik.origin = kind.body.origin;
  ik.weight = actor.presence;
  solve_aim(pose, ik);
}

void Battle::State::stand(Fighter& fighter, const NearActor& actor, const PoseEdit& pose) const {
  const Body& body = fighter.kind->body;
  if (body.legs.empty()) return;
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
  const std::uint32_t struck = fighter.kind->body.chest;
  const glm::mat4 world_from_model = world_from(actor.placement);
  ragdoll.update(pose, world_from_model, kStep);
  if (ragdoll.phase() != RagdollPhase::animated || seconds() < fighter.role.when) return;
  if (!ragdoll.fall()) return;
  // A staff held fast would go through head and trunk.
  if (!fighter.armed.empty()) fighter.armed.pop_back();
  const glm::vec3 chest(world_from_model * glm::vec4(position_of(pose.models[struck]), 1.0f));
  const float side = fighter.role.facing > 0.0f ? 0.35f : -0.35f;
  const float blow = fighter.role.blow;
  ragdoll.ragdoll().push(struck, chest,
                         std::abs(blow) * glm::normalize(glm::vec3(side, 0.25f, blow < 0.0f ? -1.0f : 1.0f)));
}

void Battle::State::act(Fighter& fighter, NearActor& actor) {
  const Kind& kind = *fighter.kind;
  const PoseEdit pose{.rig = *kind.rig, .locals = actor.animator->locals(), .models = actor.animator->models()};
  const bool fallen = fighter.ragdoll && fighter.ragdoll->phase() != RagdollPhase::animated;
  if (!fallen) stand(fighter, actor, pose);
  if (fighter.role.task == Task::aims) aim(kind, actor, pose);
  if (fighter.ragdoll) fall(fighter, actor, pose);
}

Result<void> Battle::State::arm(CharacterRenderer& characters) {
  for (const Fighter& fighter : fighters) {
    const auto character = drawing.find(fighter.id);
    if (!character || fighter.armed.empty()) continue;
    THRONG_TRY(const auto worn_now, characters.pieces(*character));
    if (worn_now.size() == fighter.armed.size()) continue;
    THRONG_CHECK(characters.set_pieces(*character, fighter.armed));
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

Result<void> Battle::State::build_field(const MakePiece& make, SceneRenderer& scene) {
  THRONG_CHECK(world.add_ground(0.0f));
  for (const Box& box : stairs()) THRONG_CHECK(world.add_box(box.centre, box.half));
  Piece flight{.name = "stairs", .mesh = mesh_of(stairs()), .bone = "stairs"};
  flight.material.name = "stone";
  flight.material.base_colour = {0.36f, 0.33f, 0.30f, 1.0f};
  THRONG_TRY(const Character stones, make(flight));
  THRONG_TRY(const ModelId model, scene.add(stones, {.far = false}));
  THRONG_CHECK(scene.characters().add_near(model));
  return {};
}

// Who has a socket in its right hand carries a staff there, near and far.
Result<void> Battle::State::show(Kind& kind, const MakePiece& make, SceneRenderer& scene) {
  THRONG_TRY(auto graph, graph_of(kind));
  THRONG_TRY(kind.model, cast.add(kind.character(), std::move(graph)));
  THRONG_TRY(kind.shown, scene.add(kind.character()));
  if (!kind.body.right_socket) return {};
  const MotionSocket& hand = kind.rig->sockets()[*kind.body.right_socket];
  const Piece staff{.name = "staff",
                    .mesh = make_staff(1.0 / kind.scale),
                    .bone = kind.rig->bone_name(hand.bone),
                    .bone_from_mesh = to_matrix(hand.bone_from_socket)};
  THRONG_TRY(const SocketId socket, kind.character().find_socket(hand.name));
  THRONG_CHECK(scene.add_prop(staff.mesh, kind.shown, socket));
  THRONG_TRY(const Character armed, make(staff));
  THRONG_TRY(kind.staff, scene.add(armed, {.far = false}));
  return {};
}

Battle::Battle(std::unique_ptr<State> state) : state_(std::move(state)) {}
Battle::Battle(Battle&&) noexcept = default;
Battle::~Battle() = default;

Result<Battle> Battle::stage(Troupe troupe, const BattleSettings& settings, const MakePiece& make,
                             SceneRenderer& scene) {
  THRONG_TRY(RagdollWorld world, RagdollWorld::make());
  auto state = std::make_unique<State>(std::move(world));
  state->troupe = std::move(troupe);
  for (const Player& player : state->troupe.players) {
    auto kind = make_kind(player, state->troupe.metre);
    if (!kind) return fail(with_context(player.character.name(), std::move(kind).error()));
    state->kinds.push_back(std::move(*kind));
  }
  for (Kind& kind : state->kinds) THRONG_CHECK(state->show(kind, make, scene));
  THRONG_CHECK(state->build_field(make, scene));
  THRONG_CHECK(state->muster_army(settings));
  THRONG_CHECK(state->place_fighters(settings));
  return Battle(std::move(state));
}

Result<void> Battle::advance_to(double seconds, SceneRenderer& scene, const Progress& progress) {
  // One step at least: somebody must be near before there is a picture.
  const auto until = static_cast<std::uint64_t>(std::max(1.0, std::round(seconds / kStep)));
  const std::uint64_t begun = state_->steps;
  // From one image of a film to the next is no way to speak of.
  constexpr std::uint64_t kLong = 60;
  while (state_->steps < until) {
    if (until - begun > kLong)
      report(progress, "play", static_cast<double>(state_->steps - begun) / static_cast<double>(until - begun));
    state_->step();
  }
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
