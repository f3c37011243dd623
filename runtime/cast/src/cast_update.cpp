// SPDX-License-Identifier: Apache-2.0
// One update of a cast: time passes, the near ones are chosen and posed.
#include <algorithm>
#include <cmath>
#include <utility>

#include "cast_state.h"

namespace throng {

using namespace detail::cast;

namespace {

// What carries on when the animator is gone: the clip that counts most for it, if any does.
std::optional<Play> far_play(const Animator& animator) {
  const auto clip = animator.dominant_clip();
  if (!clip) return std::nullopt;
  return Play{.clip = clip->clip,
              .speed = clip->speed,
              .offset = clip->seconds,
              .mode = clip->loops ? PlayMode::loop : PlayMode::clamp};
}

// Brings a state as near to a clip's moment as it can be: what offsets of its own it has is found by trying.
void bring_to(Animator& animator, std::uint32_t state, ClipId clip, double seconds, double length) {
  const double at = length > 0.0 ? seconds / length : 0.0;
  static_cast<void>(animator.jump_to(state, at));
  animator.advance(0.0);
  const auto playing = animator.dominant_clip();
  if (!playing || playing->clip != clip || length <= 0.0) return;
  const double off = (seconds - playing->seconds) / length;
  if (std::abs(off) > 1e-6) static_cast<void>(animator.jump_to(state, at + off - std::floor(at + off)));
}

// What Animator::advance() tells, on this thread.
void tell(Animator& animator, AnimatorListener& listener) {
  const std::vector<AnimatorSignal> signals(animator.signals().begin(), animator.signals().end());
  for (const AnimatorSignal& signal : signals) listener.on_signal(animator, signal);
  for (std::uint32_t layer = 0; layer < animator.graph().layer_count(); ++layer)
    listener.on_update(animator, layer, animator.state(layer));
}

// Listeners are told after all animators have advanced, one after another, whatever threads there are; until then they
// are taken off, and put back also when advancing throws.
class SilencedListeners {
 public:
  explicit SilencedListeners(std::span<const std::unique_ptr<Near>> near) : near_(near) {
    for (const auto& one : near_) listeners_.push_back(std::exchange(one->animator.listener, nullptr));
  }
  SilencedListeners(const SilencedListeners&) = delete;
  SilencedListeners& operator=(const SilencedListeners&) = delete;
  ~SilencedListeners() {
    for (std::size_t i = 0; i < near_.size(); ++i) near_[i]->animator.listener = listeners_[i];
  }

 private:
  std::span<const std::unique_ptr<Near>> near_;
  std::vector<AnimatorListener*> listeners_;
};

}  // namespace

void Cast::State::advance_far(Ticks now) {
  crowd.advance(now, [this](const FiredEvent& event) {
    const std::uint32_t slot = actor_of_instance[event.instance.slot];
    events.push_back({actors.id_of(slot), event.name, event.weight});
  });
}

void Cast::State::advance_near(double dt, Executor& executor) {
  {
    const SilencedListeners silenced(near);
    executor.run(near.size(), [this, dt](std::size_t i) { near[i]->animator.advance(dt); });
  }
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (near[i]->animator.listener != nullptr) tell(near[i]->animator, *near[i]->animator.listener);
  }
  for (const auto& one : near) {
    const Actor& actor = actors[one->slot];
    if (!actor.root_motion || !model_of(actor.model).moves) continue;
    auto placement = crowd.placement(actor.instance);
    if (!placement) continue;
    const RootMotion& motion = one->animator.root_motion();
    placement->position += placement->rotation * (motion.translation * placement->scale);
    placement->rotation = glm::normalize(placement->rotation * motion.rotation);
    static_cast<void>(crowd.place(actor.instance, *placement));
  }
}

void Cast::State::hear_near() {
  for (const auto& one : near) {
    if (!actors[one->slot].listens) continue;
    for (const AnimatorSignal& signal : one->animator.signals()) {
      if (signal.kind != SignalKind::event) continue;
      const RigClip& clip = one->animator.graph().rig()->clips()[signal.clip.value];
      events.push_back({actors.id_of(one->slot), clip.events[signal.event].name, signal.weight});
    }
  }
}

void Cast::State::bring_near(std::uint32_t slot, Ticks now) {
  if (!actors.holds(slot)) return;
  const InstanceId instance = actors[slot].instance;
  const auto far = crowd.state(instance, now);
  if (!far) return;
  const CastModel& model = model_of(actors[slot].model);
  auto one = std::make_unique<Near>(slot, actors[slot].model, model.graph);
  one->presence = rule.blend > 0.0f ? 0.0f : 1.0f;
  one->animator.settings.root_motion = model.in_place ? RootMotionMode::extracted : RootMotionMode::kept;
  const ClipId clip = far->track.clip;
  if (const auto state = model.graph->state_of_clip(clip))
    bring_to(one->animator, *state, clip, far->track.seconds, model.graph->rig()->clips()[clip.value].length);
  // May change the cast.
  if (on_near) on_near(actors.id_of(slot), one->animator);
  if (!actors.holds(slot) || actors[slot].instance != instance) return;
  Actor& actor = actors[slot];
  one->animator.advance(0.0);
  if (actor.listens) static_cast<void>(crowd.unlisten(instance));
  if (actor.root_motion) static_cast<void>(crowd.move_by_clips(instance, false, now));
  static_cast<void>(crowd.show(instance, false));
  actor.near = static_cast<std::uint32_t>(near.size());
  near.push_back(std::move(one));
}

// What it goes over to begins now; from then on both are played, until nothing is left of the animator.
void Cast::State::begin_leaving(Near& one, Ticks now) {
  one.leaving = true;
  if (one.presence < 1.0f) return;
  const Actor& actor = actors[one.slot];
  if (const auto play = far_play(one.animator)) static_cast<void>(crowd.play(actor.instance, *play, now));
}

void Cast::State::let_go(std::size_t at) {
  const std::unique_ptr<Near> gone = std::exchange(near[at], nullptr);
  if (at + 1 < near.size()) near[at] = std::move(near.back());
  near.pop_back();
  if (at < near.size()) actors[near[at]->slot].near = static_cast<std::uint32_t>(at);
  Actor& actor = actors[gone->slot];
  actor.near = kNone;
  static_cast<void>(crowd.show(actor.instance, true));
  if (actor.listens) static_cast<void>(crowd.listen(actor.instance));
  if (actor.root_motion) static_cast<void>(crowd.move_by_clips(actor.instance, true, last));
  // May change the cast.
  if (on_far) on_far(actors.id_of(gone->slot), gone->animator);
}

void Cast::State::step_presence(double dt) {
  const float step = rule.blend > 0.0f ? static_cast<float>(dt) / rule.blend : 1.0f;
  for (const auto& one : near) one->presence = std::clamp(one->presence + (one->leaving ? -step : step), 0.0f, 1.0f);
  const auto has_left = [](const auto& one) { return one->leaving && one->presence <= 0.0f; };
  for (auto one = std::ranges::find_if(near, has_left); one != near.end(); one = std::ranges::find_if(near, has_left))
    let_go(static_cast<std::size_t>(one - near.begin()));
}

void Cast::State::pose_near(Ticks now, Executor& executor) {
  executor.run(near.size(), [this, now](std::size_t i) {
    const auto far = crowd.state(actors[near[i]->slot].instance, now);
    if (far) near[i]->pose(model_of(near[i]->model), *far);
  });
}

void Cast::State::list_near() {
  listed.clear();
  for (const auto& one : near) {
    const Actor& actor = actors[one->slot];
    const auto placement = crowd.placement(actor.instance);
    listed.push_back({actors.id_of(one->slot), one->model, &one->animator, one->presence,
                      placement.value_or(Placement{}), actor.look});
  }
}

void Cast::update(Ticks now, const CastView& view, Executor& executor,
                  const std::function<void(const ActorEvent&)>& on_event) {
  State& state = *state_;
  // Time that runs backwards stands still.
  if (state.started && static_cast<std::int64_t>(now - state.last) < 0) now = state.last;
  const double dt = state.started ? seconds_from_ticks(now - state.last) : 0.0;
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
