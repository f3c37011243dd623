// One update of a cast: time passes, who is near is chosen, and those are posed.
#include <algorithm>
#include <cmath>

#include "state.h"

namespace throng {
namespace {

// The baked model's clip that carries on what the animator does, if it has one.
std::optional<Play> far_play(const CastModel& model, const Animator& animator) {
  const auto clip = animator.dominant_clip();
  if (!clip || !model.baked_clips[clip->clip]) return std::nullopt;
  return Play{.clip = *model.baked_clips[clip->clip],
              .speed = clip->speed,
              .offset = clip->seconds,
              .mode = clip->loops ? PlayMode::loop : PlayMode::clamp};
}

}  // namespace

void Cast::State::advance_far(Ticks now) {
  crowd.advance(now, [this](const FiredEvent& event) {
    const std::uint32_t slot = actor_of_instance[event.instance.slot];
    const std::string& name = models[actors[slot].model].events[event.clip][event.event];
    events.push_back({id_of(slot), name, event.weight});
  });
}

void Cast::State::advance_near(double dt, Executor& executor) {
  executor.run(near.size(), [this, dt](std::size_t i) { near[i]->animator.advance(dt); });
  for (const auto& one : near) {
    const Actor& actor = actors[one->slot];
    if (!actor.root_motion) continue;
    auto placement = crowd.placement(actor.instance);
    if (!placement) continue;
    const RootMotion& way = one->animator.root_motion();
    placement->position += placement->rotation * (way.translation * placement->scale);
    placement->rotation = glm::normalize(placement->rotation * way.rotation);
    static_cast<void>(crowd.place(actor.instance, *placement));
  }
}

void Cast::State::hear_near() {
  for (const auto& one : near) {
    if (!actors[one->slot].listens) continue;
    for (const AnimatorSignal& signal : one->animator.signals()) {
      if (signal.kind != SignalKind::event) continue;
      const RigClip& clip = one->animator.graph().rig()->clips()[signal.clip];
      events.push_back({id_of(one->slot), clip.events[signal.event].name, signal.weight});
    }
  }
}

void Cast::State::bring_near(std::uint32_t slot, Ticks now) {
  Actor& actor = actors[slot];
  const CastModel& model = models[actor.model];
  const auto far = crowd.state(actor.instance, now);
  if (!far) return;
  auto one = std::make_unique<Near>(slot, actor.model, model.graph);
  one->presence = rule.blend > 0.0f ? 0.0f : 1.0f;
  one->animator.settings.root_motion = actor.root_motion ? RootMotionMode::extracted : RootMotionMode::kept;
  if (const auto clip = model.rig_clips[far->track.clip]) {
    const RigClip& twin = model.graph->rig()->clips()[*clip];
    const double at = twin.length > 0.0f ? far->track.seconds / double{twin.length} : 0.0;
    if (const auto state = model.graph->state_of_clip(*clip)) static_cast<void>(one->animator.jump_to(*state, at));
  }
  if (on_near) on_near(id_of(slot), one->animator);
  one->animator.advance(0.0);
  if (actor.listens) static_cast<void>(crowd.unlisten(actor.instance));
  if (actor.root_motion) static_cast<void>(crowd.move_by_clips(actor.instance, false, now));
  static_cast<void>(crowd.show(actor.instance, false));
  actor.near = static_cast<std::uint32_t>(near.size());
  near.push_back(std::move(one));
}

// What it goes over to begins now; from then on both are played, until nothing is left of the animator.
void Cast::State::begin_leaving(Near& one, Ticks now) {
  one.leaving = true;
  if (one.presence < 1.0f) return;
  const Actor& actor = actors[one.slot];
  if (const auto play = far_play(models[actor.model], one.animator))
    static_cast<void>(crowd.play(actor.instance, *play, now));
}

void Cast::State::let_go(std::size_t at) {
  Actor& actor = actors[near[at]->slot];
  if (on_far) on_far(id_of(near[at]->slot), near[at]->animator);
  static_cast<void>(crowd.show(actor.instance, true));
  if (actor.listens) static_cast<void>(crowd.listen(actor.instance));
  if (actor.root_motion) static_cast<void>(crowd.move_by_clips(actor.instance, true, last));
  actor.near = kNone;
  near[at] = std::move(near.back());
  near.pop_back();
  if (at < near.size()) actors[near[at]->slot].near = static_cast<std::uint32_t>(at);
}

void Cast::State::step_presence(double dt) {
  const float step = rule.blend > 0.0f ? static_cast<float>(dt) / rule.blend : 1.0f;
  for (std::size_t i = near.size(); i-- > 0;) {
    Near& one = *near[i];
    one.presence = std::clamp(one.presence + (one.leaving ? -step : step), 0.0f, 1.0f);
    if (one.leaving && one.presence <= 0.0f) let_go(i);
  }
}

void Cast::State::pose_near(Ticks now, Executor& executor) {
  executor.run(near.size(), [this, now](std::size_t i) {
    const auto far = crowd.state(actors[near[i]->slot].instance, now);
    if (far) near[i]->pose(models[near[i]->model], *far);
  });
}

void Cast::State::list_near() {
  listed.clear();
  for (const auto& one : near) {
    const Actor& actor = actors[one->slot];
    const auto placement = crowd.placement(actor.instance);
    listed.push_back(
        {id_of(one->slot), one->model, &one->animator, one->presence, placement.value_or(Placement{}), actor.look});
  }
}

void Cast::update(Ticks now, const CastView& view, Executor& executor,
                  const std::function<void(const ActorEvent&)>& on_event) {
  State& state = *state_;
  const double dt = state.started ? std::max(0.0, seconds_from_ticks(now - state.last)) : 0.0;
  state.started = true;
  state.events.clear();
  state.advance_far(now);
  state.advance_near(dt, executor);
  state.hear_near();
  state.last = now;
  state.step_presence(dt);
  state.choose(view, now);
  state.pose_near(now, executor);
  state.list_near();
  if (!on_event) return;
  const std::vector<ActorEvent> told = state.events;
  for (const ActorEvent& event : told) on_event(event);
}

void Cast::update(Ticks now, const CastView& view) {
  SerialExecutor executor;
  update(now, view, executor);
}

}  // namespace throng
