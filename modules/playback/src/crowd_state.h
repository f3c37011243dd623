#pragma once
// What a Crowd holds. Characters are found by slot; those that do more than play on have extras beside their records.

#include <memory>
#include <vector>

#include "journal.h"
#include "playing.h"
#include "throng/playback/crowd.h"

namespace throng {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

struct ModelCrowd {
  std::shared_ptr<const BakedModel> model;
  std::vector<ClipTiming> clips;
  std::vector<InstanceRecord> instances;
  std::vector<PlayRecord> plays;
  std::vector<std::uint32_t> slots;  // whose records these are
  Journal journal;

  void wrote(std::uint32_t index) { journal.add(index, instances.size()); }
};

struct Slot {
  std::uint32_t generation = 0;
  std::uint32_t model = kNone;  // kNone: nobody is here
  std::uint32_t index = 0;
  std::uint32_t extra = kNone;
};

// Of characters with a queue, a pause.
struct Extra {
  std::uint32_t slot = kNone;
  Plans plans = {};
};

struct Crowd::State {
  std::vector<ModelCrowd> models;
  std::vector<Slot> slots;
  std::vector<std::uint32_t> free_slots;
  std::vector<Extra> extras;
  std::vector<std::uint32_t> free_extras;

  // The slot of a character that is there.
  Result<Slot*> find(InstanceId id);

  ModelCrowd& crowd_of(const Slot& slot) { return models[slot.model]; }
  PlayRecord& play_of(const Slot& slot) { return models[slot.model].plays[slot.index]; }
  Plans* plans_of(const Slot& slot) { return slot.extra == kNone ? nullptr : &extras[slot.extra].plans; }
};

}  // namespace throng
