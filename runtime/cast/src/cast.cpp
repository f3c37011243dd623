// SPDX-License-Identifier: Apache-2.0
#include "throng/cast/cast.h"

#include "cast_state.h"
#include "throng/base/try.h"

namespace throng {

using namespace detail::cast;

Cast::Cast(const NearRule& rule) : state_(std::make_unique<State>(rule)) {}
Cast::Cast(Cast&&) noexcept = default;
Cast& Cast::operator=(Cast&&) noexcept = default;
Cast::~Cast() = default;

Result<Actor*> Cast::State::find(ActorId id) {
  if (Actor* const actor = actors.find(id)) return actor;
  if (id.slot >= actors.slot_count()) return fail("actor {} does not exist; the cast never had one", id.slot);
  return fail("actor {} was removed", id.slot);
}

Result<ModelId> Cast::add(const Character& character, std::shared_ptr<const AnimatorGraph> graph) {
  if (graph == nullptr)
    return fail("model '{}': there is no graph for it; build one with build_graph", character.name());
  if (const auto known = state_->crowd.find(character)) {
    if (state_->model_of(*known).graph == graph) return *known;
    return fail("model '{}' was added with another graph; its near characters can play only one", character.name());
  }
  THRONG_TRY(CastModel model, match(character, std::move(graph)));
  state_->models.push_back(std::move(model));
  return state_->crowd.add(character);
}

const Character& Cast::character(ModelId model) const { return state_->crowd.character(model); }
Result<ModelId> Cast::find_model(std::string_view name) const { return state_->crowd.find_model(name); }
Result<ClipId> Cast::find_clip(ModelId model, std::string_view name) const {
  return state_->crowd.find_clip(model, name);
}
Result<SocketId> Cast::find_socket(ModelId model, std::string_view name) const {
  return state_->crowd.find_socket(model, name);
}
Result<PartId> Cast::find_part(ModelId model, std::string_view name) const {
  return state_->crowd.find_part(model, name);
}

Result<ActorId> Cast::add(const Spawn& spawn, Ticks now) {
  THRONG_TRY(auto instance, state_->crowd.add(spawn, now));
  State& state = *state_;
  const ActorId id = state.actors.add(
      {.instance = instance, .model = spawn.model, .root_motion = spawn.root_motion, .look = spawn.look});
  if (state.actor_of_instance.size() <= instance.slot) state.actor_of_instance.resize(instance.slot + 1, kNone);
  state.actor_of_instance[instance.slot] = id.slot;
  return id;
}

Result<void> Cast::remove(ActorId id) {
  THRONG_TRY(auto actor, state_->find(id));
  if (actor->near != kNone) {
    state_->let_go(actor->near);
    state_->list_near();
    actor = state_->actors.find(id);  // the callback may have removed it
    if (actor == nullptr) return {};
  }
  THRONG_CHECK(state_->crowd.remove(actor->instance));
  state_->actors.remove(id);
  return {};
}

Result<void> Cast::place(ActorId id, const Placement& placement) {
  THRONG_TRY(auto actor, state_->find(id));
  return state_->crowd.place(actor->instance, placement);
}

Result<void> Cast::paint(ActorId id, const Look& look) {
  THRONG_TRY(auto actor, state_->find(id));
  const std::optional<PartMask> worn = look.parts ? look.parts : actor->look.parts;
  actor->look = look;
  actor->look.parts = worn;
  return state_->crowd.paint(actor->instance, look);
}

Result<void> Cast::wear(ActorId id, PartMask parts) {
  THRONG_TRY(auto actor, state_->find(id));
  actor->look.parts = parts;
  return state_->crowd.wear(actor->instance, parts);
}

Result<PartMask> Cast::worn(ActorId id) const {
  THRONG_TRY(const auto actor, state_->find(id));
  return state_->crowd.worn(actor->instance);
}

Result<void> Cast::dress(ActorId id, std::uint64_t seed) {
  THRONG_TRY(auto actor, state_->find(id));
  THRONG_CHECK(state_->crowd.dress(actor->instance, seed));
  THRONG_TRY(actor->look.parts, state_->crowd.worn(actor->instance));
  return {};
}

Result<void> Cast::play(ActorId id, const Play& play, Ticks now) {
  THRONG_TRY(auto actor, state_->find(id));
  return state_->crowd.play(actor->instance, play, now);
}

Result<void> Cast::keep(ActorId id, Nearness nearness) {
  THRONG_TRY(auto actor, state_->find(id));
  actor->nearness = nearness;
  return {};
}

Result<void> Cast::listen(ActorId id) {
  THRONG_TRY(auto actor, state_->find(id));
  actor->listens = true;
  return actor->near == kNone ? state_->crowd.listen(actor->instance) : Result<void>{};
}

Result<bool> Cast::is_near(ActorId id) const {
  THRONG_TRY(auto actor, state_->find(id));
  return actor->near != kNone;
}

Result<Placement> Cast::placement(ActorId id) const {
  THRONG_TRY(auto actor, state_->find(id));
  return state_->crowd.placement(actor->instance);
}

Result<InstanceId> Cast::instance(ActorId id) const {
  THRONG_TRY(auto actor, state_->find(id));
  return actor->instance;
}

Result<Animator*> Cast::animator(ActorId id) {
  THRONG_TRY(auto actor, state_->find(id));
  return actor->near == kNone ? nullptr : &state_->near[actor->near]->animator;
}

Result<SocketPlace> Cast::socket(ActorId id, SocketId socket, Ticks now) const {
  THRONG_TRY(auto found, state_->find(id));
  const Actor& actor = *found;
  const CastModel& model = state_->model_of(actor.model);
  if (actor.near == kNone || socket.value >= model.sockets.size() || !model.sockets[socket.value])
    return state_->crowd.socket(actor.instance, socket, now);
  THRONG_TRY(const PartMask worn, state_->crowd.worn(actor.instance));
  THRONG_CHECK(check_socket(state_->crowd.character(actor.model), worn, socket));
  THRONG_TRY(auto where, state_->crowd.find(actor.instance));
  const std::span<const Affine> models = std::as_const(state_->near[actor.near]->animator).models();
  const CastModel::SocketBone& hung = *model.sockets[socket.value];
  return place_of(world_from_model(state_->crowd.instances(where.model)[where.index]) *
                  glm::dmat4(to_matrix(models[hung.bone])) * hung.bone_from_socket);
}

void Cast::on_near(OnChange callback) { state_->on_near = std::move(callback); }
void Cast::on_far(OnChange callback) { state_->on_far = std::move(callback); }
std::span<NearActor> Cast::near_actors() { return state_->listed; }
std::span<const NearActor> Cast::near_actors() const { return state_->listed; }
const Crowd& Cast::crowd() const { return state_->crowd; }
const NearRule& Cast::rule() const { return state_->rule; }
void Cast::set_rule(const NearRule& rule) { state_->rule = rule; }
std::size_t Cast::size() const { return state_->crowd.size(); }

}  // namespace throng
