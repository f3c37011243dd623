#include "throng/playback/crowd.h"

#include <atomic>
#include <cmath>

#include "crowd_state.h"
#include "placing.h"
#include "throng/base/try.h"

namespace throng {
namespace {

std::uint32_t take_slot(std::vector<Slot>& slots, std::vector<std::uint32_t>& free_slots) {
  if (free_slots.empty()) {
    slots.emplace_back();
    return static_cast<std::uint32_t>(slots.size() - 1);
  }
  const std::uint32_t slot = free_slots.back();
  free_slots.pop_back();
  return slot;
}

}  // namespace

std::uint64_t next_crowd_identity() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

std::uint64_t Crowd::identity() const { return state_->identity; }

Crowd::Crowd() : state_(std::make_unique<State>()) {}
Crowd::Crowd(const Character& model) : Crowd() { add_model(model); }
Crowd::Crowd(const Crowd& other) : state_(std::make_unique<State>(*other.state_)) {
  state_->identity = next_crowd_identity();
}
Crowd::Crowd(Crowd&& other) noexcept = default;
Crowd& Crowd::operator=(const Crowd& other) {
  if (this != &other) *this = Crowd(other);
  return *this;
}
Crowd& Crowd::operator=(Crowd&& other) noexcept = default;
Crowd::~Crowd() = default;

Result<Slot*> Crowd::State::find(InstanceId id) {
  if (id.slot >= slots.size()) return fail("instance {} does not exist; the crowd never had one", id.slot);
  if (!has(id)) return fail("instance {} was removed", id.slot);
  return &slots[id.slot];
}

std::uint32_t Crowd::add_model(const Character& model) {
  ModelCrowd crowd;
  crowd.model = std::make_shared<const Character>(model);
  crowd.clips.reserve(model.clips().size());
  for (const BakedClip& clip : model.clips()) crowd.clips.push_back(clip_timing(clip));
  state_->models.push_back(std::move(crowd));
  return static_cast<std::uint32_t>(state_->models.size() - 1);
}

Result<InstanceId> Crowd::add(const Spawn& spawn, Ticks now) {
  State& state = *state_;
  if (spawn.model >= state.models.size()) {
    return fail("model {} does not exist; the crowd has {}: see add_model()", spawn.model, state.models.size());
  }
  ModelCrowd& crowd = state.models[spawn.model];
  if (auto ok = check_placement(spawn.placement); !ok) return fail(std::move(ok));
  if (auto ok = check_play(crowd.clips, spawn.play); !ok) return fail(std::move(ok));
  PlayRecord play{};
  play.track = make_track(crowd.clips[spawn.play.clip], spawn.play, now);
  play.variation = spawn.look.variation;
  play.identity = state.next_identity();
  InstanceRecord instance{};
  write_placement(instance, spawn.placement);
  instance.clips = clips_of(play);
  instance.tint = pack_tint(spawn.look.tint);

  const std::uint32_t number = take_slot(state.slots, state.free_slots);
  Slot& slot = state.slots[number];
  slot.model = spawn.model;
  slot.index = static_cast<std::uint32_t>(crowd.instances.size());
  crowd.instances.push_back(instance);
  crowd.plays.push_back(play);
  crowd.tracks.push_back(play.track);
  crowd.slots.push_back(number);
  crowd.wrote(slot.index);
  const InstanceId id{number, slot.generation};
  if (spawn.root_motion) {
    state.watch(id, &Extra::moves, true);
    state.extra_of(id).settled = now;
    state.put_on_ground(id);
  }
  return id;
}

Result<void> Crowd::remove(InstanceId id) {
  auto found = state_->find(id);
  if (!found) return fail(std::move(found));
  Slot& slot = **found;
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
  slot = Slot{.generation = slot.generation + 1};
  state_->free_slots.push_back(id.slot);
  return {};
}

Result<void> Crowd::place(InstanceId id, const Placement& placement) {
  auto slot = state_->find(id);
  if (!slot) return fail(std::move(slot));
  if (auto ok = check_placement(placement); !ok) return ok;
  ModelCrowd& crowd = state_->crowd_of(**slot);
  write_placement(crowd.instances[(*slot)->index], placement);
  state_->put_on_ground(id);
  crowd.wrote((*slot)->index);
  return {};
}

Result<void> Crowd::show(InstanceId id, bool shown) {
  auto slot = state_->find(id);
  if (!slot) return fail(std::move(slot));
  ModelCrowd& crowd = state_->crowd_of(**slot);
  float& scale = crowd.instances[(*slot)->index].scale;
  if (std::signbit(scale) != shown) return {};
  scale = -scale;
  crowd.wrote((*slot)->index);
  return {};
}

Result<void> Crowd::paint(InstanceId id, const Look& look) {
  auto slot = state_->find(id);
  if (!slot) return fail(std::move(slot));
  ModelCrowd& crowd = state_->crowd_of(**slot);
  crowd.instances[(*slot)->index].tint = pack_tint(look.tint);
  crowd.plays[(*slot)->index].variation = look.variation;
  crowd.wrote((*slot)->index);
  return {};
}

void Crowd::reserve(std::uint32_t model, std::size_t count) {
  if (model >= state_->models.size()) return;
  ModelCrowd& crowd = state_->models[model];
  crowd.instances.reserve(count);
  crowd.plays.reserve(count);
  crowd.tracks.reserve(count);
  crowd.slots.reserve(count);
}

Result<std::uint32_t> Crowd::find_clip(std::uint32_t model, std::string_view name) const {
  if (model < state_->models.size()) {
    THRONG_TRY(const ClipId clip, state_->models[model].model->find_clip(name));
    return clip.value;
  }
  return fail("model {} does not exist; the crowd has {}: see add_model()", model, state_->models.size());
}

std::size_t Crowd::model_count() const { return state_->models.size(); }

std::size_t Crowd::size() const { return state_->slots.size() - state_->free_slots.size(); }

std::span<const InstanceRecord> Crowd::instances(std::uint32_t model) const {
  if (model >= state_->models.size()) return {};
  return state_->models[model].instances;
}

std::span<const PlayRecord> Crowd::plays(std::uint32_t model) const {
  if (model >= state_->models.size()) return {};
  return state_->models[model].plays;
}

Result<RecordIndex> Crowd::find(InstanceId id) const {
  auto slot = state_->find(id);
  if (!slot) return fail(std::move(slot));
  return RecordIndex{(*slot)->model, (*slot)->index};
}

std::uint64_t Crowd::version(std::uint32_t model) const {
  return model < state_->models.size() ? state_->models[model].journal.version() : 0;
}

std::optional<std::span<const std::uint32_t>> Crowd::changes_since(std::uint32_t model, std::uint64_t version) const {
  if (model >= state_->models.size()) return std::nullopt;
  return state_->models[model].journal.since(version);
}

}  // namespace throng
