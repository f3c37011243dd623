// What a crowd's characters are told to do.
#include "crowd_state.h"
#include "throng/playback/crowd.h"

namespace throng {

Result<void> Crowd::play(InstanceId id, const Play& play, Ticks now) {
  const auto slot = state_->find(id);
  if (!slot) return fail(Error{slot.error()});
  ModelCrowd& crowd = state_->crowd_of(**slot);
  if (auto ok = check_play(crowd.clips, play); !ok) return ok;
  state_->catch_up(id, now);
  if (Plans* plans = state_->plans_of(**slot)) *plans = {};
  begin_play(crowd.clips, state_->play_of(**slot), play, now);
  state_->wrote_play(id);
  return {};
}

Result<void> Crowd::play(InstanceId id, std::string_view clip, Play play, Ticks now) {
  const auto slot = state_->find(id);
  if (!slot) return fail(Error{slot.error()});
  auto found = find_clip((*slot)->model, clip);
  if (!found) return fail(std::move(found));
  play.clip = *found;
  return this->play(id, play, now);
}

Result<void> Crowd::queue(InstanceId id, const Play& play, Ticks now) {
  const auto slot = state_->find(id);
  if (!slot) return fail(Error{slot.error()});
  if (auto ok = check_play(state_->crowd_of(**slot).clips, play); !ok) return ok;
  state_->catch_up(id, now);
  Plans& plans = state_->extra_of(id).plans;
  plans.queue.push_back(play);
  if (plans.queue.size() > 1) return {};
  plan_queue(state_->play_of(**slot), plans, now);
  state_->remember_due(id);
  return {};
}

Result<void> Crowd::clear_queue(InstanceId id) {
  const auto slot = state_->find(id);
  if (!slot) return fail(Error{slot.error()});
  if (Plans* plans = state_->plans_of(**slot)) {
    plans->queue.clear();
    plan_queue(state_->play_of(**slot), *plans, 0);
  }
  return {};
}

// Something about the track changes at `now`; then the queue is planned anew.
template <class Change>
Result<void> Crowd::State::change_track(InstanceId id, Ticks now, const Change& change) {
  const auto slot = find(id);
  if (!slot) return fail(Error{slot.error()});
  catch_up(id, now);
  PlayRecord& record = play_of(**slot);
  Plans none;
  Plans* plans = plans_of(**slot);
  change(crowd_of(**slot).clips, record, plans != nullptr ? *plans : none);
  if (plans != nullptr) plan_queue(record, *plans, now);
  wrote_play(id);
  return {};
}

Result<void> Crowd::set_speed(InstanceId id, double speed, Ticks now) {
  if (auto ok = check_speed(speed); !ok) return ok;
  return state_->change_track(id, now, [&](std::span<const ClipTiming> clips, PlayRecord& record, Plans& plans) {
    change_speed(clips, record, plans, speed, now);
  });
}

Result<void> Crowd::seek(InstanceId id, double seconds, Ticks now) {
  if (auto ok = check_seek(seconds); !ok) return ok;
  return state_->change_track(id, now, [&](std::span<const ClipTiming> clips, PlayRecord& record, Plans&) {
    seek_to(clips, record, seconds, now);
  });
}

Result<void> Crowd::pause(InstanceId id, Ticks now) {
  if (!state_->has(id)) return fail(Error{state_->find(id).error()});
  state_->extra_of(id);
  return state_->change_track(
      id, now, [&](std::span<const ClipTiming>, PlayRecord& record, Plans& plans) { pause_play(record, plans, now); });
}

Result<void> Crowd::resume(InstanceId id, Ticks now) {
  return state_->change_track(
      id, now, [&](std::span<const ClipTiming>, PlayRecord& record, Plans& plans) { resume_play(record, plans, now); });
}

}  // namespace throng
