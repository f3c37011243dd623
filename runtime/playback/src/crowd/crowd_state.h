// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a Crowd holds. Characters are found by slot; those that do more than play on have extras beside their records.

#include <memory>
#include <vector>

#include "crowd/journal.h"
#include "playing.h"
#include "throng/base/slot_map.h"
#include "throng/playback/crowd.h"

namespace throng::detail::playback {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

struct ModelCrowd {
  std::shared_ptr<const Character> model;
  std::vector<ClipTiming> clips;
  std::vector<InstanceRecord> instances;
  std::vector<PlayRecord> plays;
  std::vector<TrackRecord> tracks;   // of the plays, once more: tick() reads nothing else, and memory is what it costs
  std::vector<std::uint32_t> slots;  // whose records these are
  Journal journal;

  void wrote(std::uint32_t index) { journal.add(index, instances.size()); }
};

struct Slot {
  ModelId model = {};
  std::uint32_t index = 0;
  std::uint32_t extra = kNone;
};

// What a character needs that has a queue or a pause, whose events are listened to, or that root motion moves.
struct Extra {
  std::uint32_t slot = kNone;  // kNone: unused
  Plans plans = {};
  std::uint32_t place = kNone;  // in State::watched
  bool listens = false;
  bool moves = false;
  Ticks settled = 0;         // up to when events were found and the ground moved
  glm::dvec3 position{0.0};  // where it is, if it moves: a record's numbers are too coarse to add steps to
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
};

// Something is to be carried out then; nothing, if the character has been told otherwise since.
struct Due {
  Ticks when = 0;
  InstanceId id = {};
};
inline bool is_later(const Due& a, const Due& b) { return before(b.when, a.when); }

}  // namespace throng::detail::playback

namespace throng {

struct Crowd::State {
  using ModelCrowd = detail::playback::ModelCrowd;
  using Slot = detail::playback::Slot;
  using Extra = detail::playback::Extra;
  using Plans = detail::playback::Plans;
  using Position = detail::playback::Position;

  // Renderers tell by its address whether the versions they know are of this crowd. They hold on to it, so no later
  // crowd can get the same one.
  std::shared_ptr<const void> identity = std::make_shared<char>();
  std::vector<ModelCrowd> models;
  SlotMap<Slot, InstanceId> slots;
  std::vector<Extra> extras;
  std::vector<std::uint32_t> free_extras;
  std::vector<std::uint32_t> watched;       // extras that listen or move
  std::vector<detail::playback::Due> dues;  // a heap, the earliest first
  std::vector<FiredEvent> fired;            // and not yet told
  std::optional<Ticks> advanced;            // up to when
  std::uint32_t identities = 0;             // given so far

  // One that no character there, or removed lately, has; never 0.
  std::uint32_t next_identity() { return ++identities == 0 ? ++identities : identities; }
  // The characters of a model, or an error that says how many models there are.
  Result<ModelCrowd*> find(ModelId model);
  // The slot of a character, or an error that says whether it was ever there.
  Result<Slot*> find(InstanceId id);

  ModelCrowd& crowd_of(const Slot& slot) { return models[slot.model.value]; }
  PlayRecord& play_of(const Slot& slot) { return models[slot.model.value].plays[slot.index]; }
  Plans* plans_of(const Slot& slot) {
    return slot.extra == detail::playback::kNone ? nullptr : &extras[slot.extra].plans;
  }
  Extra& extra_of(InstanceId id);  // made when there is none
  void drop_extra(Slot& slot);
  void stop_watching(std::uint32_t extra);

  // Carries out what is due for a character up to `now`, and brings events and ground there.
  void catch_up(InstanceId id, Ticks now);
  // Finds the events and moves the ground between where that was done last and `to`. `last`: see collect_events().
  void settle(InstanceId id, Ticks to, std::optional<Position> last = {});
  // Its play was written: tells the renderer, and remembers what is due.
  void wrote_play(InstanceId id);
  void remember_due(InstanceId id);
  template <class Change>
  Result<void> change_track(InstanceId id, Ticks now, const Change& change);
  // Starts or stops watching a character.
  void watch(InstanceId id, bool Extra::*what, bool on);
  void put_on_ground(InstanceId id);  // where its record says, from now on
};

}  // namespace throng
