// SPDX-License-Identifier: Apache-2.0
#include "crowd/crowd_state.h"

#include <algorithm>
#include <cmath>

#include "events.h"
#include "root_motion.h"
#include "throng/playback/pack_rotation.h"

namespace throng {

using namespace detail::playback;

namespace {

// The character goes with the ground; the larger it is, the farther.
void move_along(Extra& extra, InstanceRecord& record, const GroundMotion& motion) {
  extra.position += extra.rotation * motion.translation * std::abs(static_cast<double>(record.scale));
  extra.rotation = glm::normalize(extra.rotation * rotation_of(motion));
  record.position = glm::vec3(extra.position);
  record.rotation = pack_rotation(extra.rotation);
}

}  // namespace

Result<ModelCrowd*> Crowd::State::find(ModelId model) {
  if (model.value < models.size()) return &models[model.value];
  return fail("model {} does not exist; the crowd has {}: see Crowd::add()", model.value, models.size());
}

Result<Slot*> Crowd::State::find(InstanceId id) {
  if (Slot* const slot = slots.find(id)) return slot;
  if (id.slot >= slots.slot_count()) return fail("instance {} does not exist; the crowd never had one", id.slot);
  return fail("instance {} was removed", id.slot);
}

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
    move_along(extra, crowd.instances[slot.index], motion_between(crowd.model->clips(), play, from, to));
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

}  // namespace throng
