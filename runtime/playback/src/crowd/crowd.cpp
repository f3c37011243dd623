// SPDX-License-Identifier: Apache-2.0
#include "throng/playback/crowd.h"

#include <algorithm>
#include <cmath>

#include "crowd/crowd_state.h"
#include "crowd/placing.h"
#include "crowd/wearing.h"
#include "events.h"
#include "state.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/playback/pack_tint.h"

namespace throng {

using namespace detail::playback;

std::shared_ptr<const void> Crowd::identity() const { return state_->identity; }

Crowd::Crowd() : state_(std::make_unique<State>()) {}
Crowd::Crowd(const Character& character) : Crowd() { add(character); }
Crowd::Crowd(const Crowd& other) : state_(std::make_unique<State>(*other.state_)) {
  state_->identity = std::make_shared<char>();
}
Crowd::Crowd(Crowd&& other) noexcept = default;
Crowd& Crowd::operator=(const Crowd& other) {
  if (this != &other) *this = Crowd(other);
  return *this;
}
Crowd& Crowd::operator=(Crowd&& other) noexcept = default;
Crowd::~Crowd() = default;

ModelId Crowd::add(const Character& character) {
  if (const auto known = find(character)) return *known;
  ModelCrowd crowd;
  crowd.model = std::make_shared<const Character>(character);
  crowd.clips.reserve(character.clips().size());
  for (const BakedClip& clip : character.clips()) crowd.clips.push_back(clip_timing(clip));
  state_->models.push_back(std::move(crowd));
  return ModelId(static_cast<std::uint32_t>(state_->models.size() - 1));
}

std::optional<ModelId> Crowd::find(const Character& character) const {
  const auto same = [&character](const ModelCrowd& crowd) { return crowd.model->same_as(character); };
  const auto found = std::ranges::find_if(state_->models, same);
  if (found == state_->models.end()) return std::nullopt;
  return ModelId(static_cast<std::uint32_t>(found - state_->models.begin()));
}

const Character& Crowd::character(ModelId model) const { return *state_->models[model.value].model; }

Result<InstanceId> Crowd::add(const Spawn& spawn, Ticks now) {
  State& state = *state_;
  THRONG_TRY(ModelCrowd* const found, state.find(spawn.model));
  ModelCrowd& crowd = *found;
  THRONG_CHECK(check_placement(spawn.placement));
  THRONG_CHECK(check_play(crowd.clips, spawn.play));
  PlayRecord play{};
  play.track = make_track(crowd.clips[spawn.play.clip.value], spawn.play, now);
  play.variation = spawn.look.variation;
  write_parts(play, *crowd.model, spawn.look.parts);
  play.identity = state.next_identity();
  InstanceRecord instance{};
  write_placement(instance, spawn.placement);
  instance.clips = clips_of(play);
  instance.tint = pack_tint(spawn.look.tint);

  const auto index = static_cast<std::uint32_t>(crowd.instances.size());
  const InstanceId id = state.slots.add({.model = spawn.model, .index = index});
  crowd.instances.push_back(instance);
  crowd.plays.push_back(play);
  crowd.tracks.push_back(play.track);
  crowd.slots.push_back(id.slot);
  crowd.wrote(index);
  if (spawn.root_motion) {
    state.watch(id, &Extra::moves, true);
    state.extra_of(id).settled = now;
    state.put_on_ground(id);
  }
  return id;
}

Result<void> Crowd::remove(InstanceId id) {
  THRONG_TRY(auto found, state_->find(id));
  Slot& slot = *found;
  ModelCrowd& crowd = state_->crowd_of(slot);
  const std::uint32_t hole = slot.index;
  state_->slots[crowd.slots.back()].index = hole;
  crowd.instances[hole] = crowd.instances.back();
  crowd.plays[hole] = crowd.plays.back();
  crowd.tracks[hole] = crowd.tracks.back();
  crowd.slots[hole] = crowd.slots.back();
  crowd.instances.pop_back();
  crowd.plays.pop_back();
  crowd.tracks.pop_back();
  crowd.slots.pop_back();
  crowd.wrote(hole);
  state_->drop_extra(slot);
  state_->slots.remove(id);
  return {};
}

Result<void> Crowd::place(InstanceId id, const Placement& placement) {
  THRONG_TRY(auto slot, state_->find(id));
  THRONG_CHECK(check_placement(placement));
  ModelCrowd& crowd = state_->crowd_of(*slot);
  write_placement(crowd.instances[slot->index], placement);
  state_->put_on_ground(id);
  crowd.wrote(slot->index);
  return {};
}

Result<void> Crowd::show(InstanceId id, bool shown) {
  THRONG_TRY(auto slot, state_->find(id));
  ModelCrowd& crowd = state_->crowd_of(*slot);
  float& scale = crowd.instances[slot->index].scale;
  if (std::signbit(scale) != shown) return {};
  scale = -scale;
  crowd.wrote(slot->index);
  return {};
}

Result<void> Crowd::paint(InstanceId id, const Look& look) {
  THRONG_TRY(auto slot, state_->find(id));
  ModelCrowd& crowd = state_->crowd_of(*slot);
  crowd.instances[slot->index].tint = pack_tint(look.tint);
  crowd.plays[slot->index].variation = look.variation;
  if (look.parts) write_parts(crowd.plays[slot->index], *crowd.model, look.parts);
  crowd.wrote(slot->index);
  return {};
}

Result<void> Crowd::wear(InstanceId id, PartMask parts) {
  THRONG_TRY(auto slot, state_->find(id));
  ModelCrowd& crowd = state_->crowd_of(*slot);
  write_parts(crowd.plays[slot->index], *crowd.model, parts);
  crowd.wrote(slot->index);
  return {};
}

Result<PartMask> Crowd::worn(InstanceId id) const {
  THRONG_TRY(const auto slot, state_->find(id));
  return read_parts(state_->crowd_of(*slot).plays[slot->index]);
}

Result<void> Crowd::dress(InstanceId id, std::uint64_t seed) {
  THRONG_TRY(auto slot, state_->find(id));
  return wear(id, dressed_parts(state_->crowd_of(*slot).model->part_groups(), seed));
}

void Crowd::reserve(ModelId model, std::size_t count) {
  const auto found = state_->find(model);
  if (!found) return;
  ModelCrowd& crowd = **found;
  crowd.instances.reserve(count);
  crowd.plays.reserve(count);
  crowd.tracks.reserve(count);
  crowd.slots.reserve(count);
}

Result<ModelId> Crowd::find_model(std::string_view name) const {
  std::vector<std::string> names;
  for (const ModelCrowd& crowd : state_->models) {
    names.push_back(crowd.model->name());
    if (names.back() == name) return ModelId(static_cast<std::uint32_t>(names.size() - 1));
  }
  return fail("model '{}' does not exist; {}", name, did_you_mean(name, names));
}

Result<ClipId> Crowd::find_clip(ModelId model, std::string_view name) const {
  THRONG_TRY(const ModelCrowd* const crowd, state_->find(model));
  return crowd->model->find_clip(name);
}

Result<SocketId> Crowd::find_socket(ModelId model, std::string_view name) const {
  THRONG_TRY(const ModelCrowd* const crowd, state_->find(model));
  return crowd->model->find_socket(name);
}

Result<PartId> Crowd::find_part(ModelId model, std::string_view name) const {
  THRONG_TRY(const ModelCrowd* const crowd, state_->find(model));
  return crowd->model->find_part(name);
}

std::size_t Crowd::model_count() const { return state_->models.size(); }

std::size_t Crowd::size() const { return state_->slots.size(); }

std::span<const InstanceRecord> Crowd::instances(ModelId model) const {
  const auto crowd = state_->find(model);
  if (!crowd) return {};
  return (*crowd)->instances;
}

std::span<const PlayRecord> Crowd::plays(ModelId model) const {
  const auto crowd = state_->find(model);
  if (!crowd) return {};
  return (*crowd)->plays;
}

Result<RecordIndex> Crowd::find(InstanceId id) const {
  THRONG_TRY(auto slot, state_->find(id));
  return RecordIndex{slot->model, slot->index};
}

std::uint64_t Crowd::version(ModelId model) const {
  const auto crowd = state_->find(model);
  return crowd ? (*crowd)->journal.version() : 0;
}

std::optional<std::span<const std::uint32_t>> Crowd::changes_since(ModelId model, std::uint64_t version) const {
  const auto crowd = state_->find(model);
  return crowd ? (*crowd)->journal.since(version) : std::nullopt;
}

// What characters are told to do.

Result<void> Crowd::play(InstanceId id, const Play& play, Ticks now) {
  THRONG_TRY(auto slot, state_->find(id));
  ModelCrowd& crowd = state_->crowd_of(*slot);
  THRONG_CHECK(check_play(crowd.clips, play));
  state_->catch_up(id, now);
  if (Plans* plans = state_->plans_of(*slot)) *plans = {};
  begin_play(crowd.clips, state_->play_of(*slot), play, now);
  state_->wrote_play(id);
  return {};
}

Result<void> Crowd::play(InstanceId id, std::string_view clip, Play play, Ticks now) {
  THRONG_TRY(auto slot, state_->find(id));
  THRONG_TRY(auto found, find_clip(slot->model, clip));
  play.clip = found;
  return this->play(id, play, now);
}

Result<void> Crowd::queue(InstanceId id, const Play& play, Ticks now) {
  THRONG_TRY(auto slot, state_->find(id));
  THRONG_CHECK(check_play(state_->crowd_of(*slot).clips, play));
  state_->catch_up(id, now);
  Plans& plans = state_->extra_of(id).plans;
  plans.queue.push_back(play);
  if (plans.queue.size() > 1) return {};
  plan_queue(state_->play_of(*slot), plans, now);
  state_->remember_due(id);
  return {};
}

Result<void> Crowd::clear_queue(InstanceId id) {
  THRONG_TRY(auto slot, state_->find(id));
  if (Plans* plans = state_->plans_of(*slot)) {
    plans->queue.clear();
    plan_queue(state_->play_of(*slot), *plans, 0);
  }
  return {};
}

// Something about the track changes at `now`; then the queue is planned anew.
template <class Change>
Result<void> Crowd::State::change_track(InstanceId id, Ticks now, const Change& change) {
  THRONG_TRY(auto slot, find(id));
  catch_up(id, now);
  PlayRecord& record = play_of(*slot);
  Plans none;
  Plans* plans = plans_of(*slot);
  change(crowd_of(*slot).clips, record, plans != nullptr ? *plans : none);
  if (plans != nullptr) plan_queue(record, *plans, now);
  wrote_play(id);
  return {};
}

Result<void> Crowd::set_speed(InstanceId id, double speed, Ticks now) {
  THRONG_CHECK(check_speed(speed));
  return state_->change_track(id, now, [&](std::span<const ClipTiming> clips, PlayRecord& record, Plans& plans) {
    change_speed(clips, record, plans, speed, now);
  });
}

Result<void> Crowd::seek(InstanceId id, double seconds, Ticks now) {
  THRONG_CHECK(check_seek(seconds));
  return state_->change_track(id, now, [&](std::span<const ClipTiming> clips, PlayRecord& record, Plans&) {
    seek_to(clips, record, seconds, now);
  });
}

Result<void> Crowd::pause(InstanceId id, Ticks now) {
  THRONG_CHECK(state_->find(id));
  state_->extra_of(id);
  return state_->change_track(
      id, now, [&](std::span<const ClipTiming>, PlayRecord& record, Plans& plans) { pause_play(record, plans, now); });
}

Result<void> Crowd::resume(InstanceId id, Ticks now) {
  return state_->change_track(
      id, now, [&](std::span<const ClipTiming>, PlayRecord& record, Plans& plans) { resume_play(record, plans, now); });
}

// Time.

void Crowd::advance(Ticks now, const OnEvent& on_event) {
  State& state = *state_;
  while (!state.dues.empty() && !before(now, state.dues.front().when)) {
    std::pop_heap(state.dues.begin(), state.dues.end(), is_later);
    const InstanceId id = state.dues.back().id;
    state.dues.pop_back();
    if (state.slots.has(id)) state.catch_up(id, now);
  }
  for (const std::uint32_t extra : state.watched) {
    const std::uint32_t slot = state.extras[extra].slot;
    state.settle(state.slots.id_of(slot), now);
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
  THRONG_CHECK(state_->find(id));
  state_->watch(id, &Extra::listens, true);
  return {};
}

Result<void> Crowd::unlisten(InstanceId id) {
  THRONG_TRY(auto slot, state_->find(id));
  if (slot->extra != kNone) state_->watch(id, &Extra::listens, false);
  return {};
}

Result<void> Crowd::fire_events(InstanceId id, Ticks from, Ticks to, const OnEvent& on_event) const {
  THRONG_TRY(auto slot, state_->find(id));
  std::vector<FiredEvent> events;
  collect_events(state_->crowd_of(*slot).clips, state_->play_of(*slot), id, from, to, {}, events);
  for (const FiredEvent& event : events)
    if (on_event) on_event(event);
  return {};
}

Result<void> Crowd::move_by_clips(InstanceId id, bool on, Ticks now) {
  THRONG_TRY(auto found, state_->find(id));
  state_->catch_up(id, now);
  const Slot& slot = *found;
  if (slot.extra == kNone && !on) return {};
  state_->watch(id, &Extra::moves, on);
  state_->put_on_ground(id);
  Extra& extra = state_->extra_of(id);
  if (!extra.listens) extra.settled = now;
  return {};
}

// What characters are doing.

Result<PlayState> Crowd::state(InstanceId id, Ticks now) const {
  THRONG_TRY(auto slot, state_->find(id));
  return state_of(state_->crowd_of(*slot).clips, state_->play_of(*slot), state_->plans_of(*slot), now);
}

Result<Placement> Crowd::placement(InstanceId id) const {
  THRONG_TRY(auto slot, state_->find(id));
  const InstanceRecord& record = state_->crowd_of(*slot).instances[slot->index];
  const gpu::vec4 q = gpu::unpack_rotation(record.rotation);
  return Placement{record.position, glm::quat(q.w, q.x, q.y, q.z), std::abs(record.scale)};
}

Result<bool> Crowd::is_shown(InstanceId id) const {
  THRONG_TRY(auto slot, state_->find(id));
  return !std::signbit(state_->crowd_of(*slot).instances[slot->index].scale);
}

Result<SocketPlace> Crowd::socket(InstanceId id, SocketId socket, Ticks now) const {
  THRONG_TRY(auto slot, state_->find(id));
  ModelCrowd& crowd = state_->crowd_of(*slot);
  THRONG_TRY(const SocketPlace place, socket_place(*crowd.model, crowd.plays[slot->index], socket, now));
  return place_of(world_from_model(crowd.instances[slot->index]) * place.matrix);
}

std::size_t Crowd::tick(ModelId model, Ticks now, std::span<Cursor> cursors) const {
  const auto found = state_->find(model);
  if (!found) return 0;
  const ModelCrowd& crowd = **found;
  // Clips are looked up for every character: close together they stay in the cache.
  std::vector<ClipRecord> clips;
  clips.reserve(crowd.clips.size());
  for (const ClipTiming& clip : crowd.clips) clips.push_back(clip.record);
  const std::size_t count = std::min(cursors.size(), crowd.tracks.size());
  for (std::size_t i = 0; i < count; ++i) {
    const TrackRecord& track = crowd.tracks[i];
    cursors[i] = cursor_of(clips[track.clip], track, now);
  }
  return count;
}

}  // namespace throng
