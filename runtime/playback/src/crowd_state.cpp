// A crowd's time: what is carried out when, and which events that fires.
#include <algorithm>
#include <cmath>

#include "crowd_state.h"
#include "events.h"
#include "ground.h"
#include "throng/playback/pack_rotation.h"

namespace throng {
namespace {

bool is_later(const Due& a, const Due& b) { return before(b.when, a.when); }

// The character goes with the ground; its size makes the way longer.
void move_along(Extra& extra, InstanceRecord& record, const RootSample& way) {
  extra.position += extra.rotation * way.translation * std::abs(static_cast<double>(record.scale));
  extra.rotation = glm::normalize(extra.rotation * glm::angleAxis(way.yaw, glm::dvec3(0.0, 1.0, 0.0)));
  record.position = glm::vec3(extra.position);
  record.rotation = pack_rotation(extra.rotation);
}

}  // namespace

Extra& Crowd::State::extra_of(InstanceId id) {
  Slot& slot = slots[id.slot];
  if (slot.extra != kNone) return extras[slot.extra];
  if (free_extras.empty()) {
    slot.extra = static_cast<std::uint32_t>(extras.size());
    extras.emplace_back();
  } else {
    slot.extra = free_extras.back();
    free_extras.pop_back();
  }
  extras[slot.extra].slot = id.slot;
  return extras[slot.extra];
}

void Crowd::State::drop_extra(Slot& slot) {
  if (slot.extra == kNone) return;
  stop_watching(slot.extra);
  extras[slot.extra] = {};
  free_extras.push_back(slot.extra);
  slot.extra = kNone;
}

void Crowd::State::watch(InstanceId id, bool Extra::*what, bool on) {
  Extra& extra = extra_of(id);
  const bool was = extra.listens || extra.moves;
  if (!was) extra.settled = advanced.value_or(join(play_of(slots[id.slot]).track.start));
  extra.*what = on;
  const bool is = extra.listens || extra.moves;
  if (!is) return stop_watching(slots[id.slot].extra);
  if (was) return;
  extra.place = static_cast<std::uint32_t>(watched.size());
  watched.push_back(slots[id.slot].extra);
}

void Crowd::State::stop_watching(std::uint32_t extra) {
  const std::uint32_t place = extras[extra].place;
  if (place == kNone) return;
  watched[place] = watched.back();
  extras[watched[place]].place = place;
  watched.pop_back();
  extras[extra].place = kNone;
}

void Crowd::State::put_on_ground(InstanceId id) {
  const Slot& slot = slots[id.slot];
  if (slot.extra == kNone) return;
  const InstanceRecord& record = crowd_of(slot).instances[slot.index];
  const gpu::vec4 q = gpu::unpack_rotation(record.rotation);
  extras[slot.extra].position = glm::dvec3(record.position);
  extras[slot.extra].rotation = glm::normalize(glm::dquat(q.w, q.x, q.y, q.z));
}

void Crowd::State::settle(InstanceId id, Ticks to, std::optional<Position> last) {
  const Slot& slot = slots[id.slot];
  if (slot.extra == kNone) return;
  Extra& extra = extras[slot.extra];
  if ((!extra.listens && !extra.moves) || !before(extra.settled, to)) return;
  ModelCrowd& crowd = crowd_of(slot);
  const PlayRecord& play = crowd.plays[slot.index];
  if (extra.listens) collect_events(crowd.clips, play, id, extra.settled, to, last, fired);
  if (extra.moves) {
    const Ticks from = later_of(extra.settled, join(play.track.start));
    move_along(extra, crowd.instances[slot.index], way_between(crowd.model->clips(), play, from, to));
    crowd.wrote(slot.index);
  }
  extra.settled = to;
}

void Crowd::State::wrote_play(InstanceId id) {
  const Slot& slot = slots[id.slot];
  ModelCrowd& crowd = crowd_of(slot);
  const PlayRecord& play = crowd.plays[slot.index];
  crowd.instances[slot.index].clips = clips_of(play);
  crowd.tracks[slot.index] = play.track;
  crowd.wrote(slot.index);
  remember_due(id);
}

void Crowd::State::remember_due(InstanceId id) {
  const Slot& slot = slots[id.slot];
  const auto due = next_change(play_of(slot), plans_of(slot));
  if (!due) return;
  dues.push_back({*due, id});
  std::push_heap(dues.begin(), dues.end(), is_later);
}

void Crowd::State::catch_up(InstanceId id, Ticks now) {
  const Slot& slot = slots[id.slot];
  const bool changed = carry_out_until(crowd_of(slot).clips, play_of(slot), plans_of(slot), now,
                                       [&](Ticks when, std::optional<Position> last) { settle(id, when, last); });
  if (changed) wrote_play(id);
  settle(id, now);
}

void Crowd::advance(Ticks now, const OnEvent& on_event) {
  State& state = *state_;
  while (!state.dues.empty() && !before(now, state.dues.front().when)) {
    std::pop_heap(state.dues.begin(), state.dues.end(), is_later);
    const InstanceId id = state.dues.back().id;
    state.dues.pop_back();
    if (state.has(id)) state.catch_up(id, now);
  }
  for (const std::uint32_t extra : state.watched) {
    const std::uint32_t slot = state.extras[extra].slot;
    state.settle({slot, state.slots[slot].generation}, now);
  }
  state.advanced = state.advanced ? later_of(*state.advanced, now) : now;
  // What is told may change the crowd, so it is told last, and from a list of its own.
  std::vector<FiredEvent> fired;
  std::swap(fired, state.fired);
  sort_by_time(fired);
  if (!on_event) return;
  for (const FiredEvent& event : fired) on_event(event);
}

Result<void> Crowd::listen(InstanceId id) {
  if (auto slot = state_->find(id); !slot) return fail(std::move(slot));
  state_->watch(id, &Extra::listens, true);
  return {};
}

Result<void> Crowd::unlisten(InstanceId id) {
  auto slot = state_->find(id);
  if (!slot) return fail(std::move(slot));
  if ((*slot)->extra != kNone) state_->watch(id, &Extra::listens, false);
  return {};
}

Result<void> Crowd::fire_events(InstanceId id, Ticks from, Ticks to, const OnEvent& on_event) const {
  const auto slot = state_->find(id);
  if (!slot) return fail(Error{slot.error()});
  std::vector<FiredEvent> events;
  collect_events(state_->crowd_of(**slot).clips, state_->play_of(**slot), id, from, to, {}, events);
  for (const FiredEvent& event : events)
    if (on_event) on_event(event);
  return {};
}

Result<void> Crowd::move_by_clips(InstanceId id, bool on, Ticks now) {
  auto found = state_->find(id);
  if (!found) return fail(std::move(found));
  state_->catch_up(id, now);
  const Slot& slot = **found;
  if (slot.extra == kNone && !on) return {};
  state_->watch(id, &Extra::moves, on);
  state_->put_on_ground(id);
  Extra& extra = state_->extra_of(id);
  if (!extra.listens) extra.settled = now;
  return {};
}

}  // namespace throng
