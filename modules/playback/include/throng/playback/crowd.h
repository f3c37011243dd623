#pragma once
// Many characters of one or several baked models, held as the arrays the GPU reads. Time lives on the GPU: a character
// is touched only when its behaviour changes, never to make time pass, and what was touched is known, so that uploads
// cost what changed.
//
// Every function that takes `now` expects it not to run backwards. What is due later (the end of a fade, the next of a
// queue) is carried out by advance(), or by the next call about that character; until then the arrays and the questions
// below tell what was before.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "throng/asset/baked_model.h"
#include "throng/playback/clock.h"
#include "throng/playback/play.h"
#include "throng/playback/timing.h"

namespace throng {

struct Spawn {
  std::uint32_t model = 0;
  Placement placement = {};
  Play play = {};
  Look look = {};
};

// Where a character is in the arrays, until one of its model is removed.
struct RecordIndex {
  std::uint32_t model = 0;
  std::uint32_t index = 0;
};

class Crowd {
 public:
  Crowd();
  // A crowd of that model, whose number is 0. Keeps what it needs of the model, which shares its storage.
  explicit Crowd(const BakedModel& model);
  Crowd(const Crowd& other);
  Crowd(Crowd&& other) noexcept;
  Crowd& operator=(const Crowd& other);
  Crowd& operator=(Crowd&& other) noexcept;
  ~Crowd();

  // Another model its characters may be of. Returns its number.
  std::uint32_t add_model(const BakedModel& model);

  // A character that begins to play at `now`. Refused, with nothing changed: a model or clip that does not exist,
  // numbers that are not finite, a scale of zero or less, a rotation of no length.
  Result<InstanceId> add(const Spawn& spawn, Ticks now);
  // From here on a character that was removed is an error, and nothing is changed by what returns one.
  Result<void> remove(InstanceId id);
  Result<void> place(InstanceId id, const Placement& placement);
  Result<void> paint(InstanceId id, const Look& look);
  void reserve(std::uint32_t model, std::size_t count);

  // Plays from `now` on: forgets the queue, ends a pause.
  Result<void> play(InstanceId id, const Play& play, Ticks now);

  // The clip of that name, or an error that names those spelled like it.
  Result<std::uint32_t> find_clip(std::uint32_t model, std::string_view name) const;

  // What a renderer uploads: the characters of one model, close together. They are moved by removals.
  std::size_t model_count() const;
  std::size_t size() const;  // of all models
  std::span<const InstanceRecord> instances(std::uint32_t model) const;
  std::span<const PlayRecord> plays(std::uint32_t model) const;
  Result<RecordIndex> find(InstanceId id) const;

  // Indices into those arrays that were written since the model was at `version` (some twice; some may be past the end
  // by now), or nothing when it has forgotten: then all were. Version 0 is the empty crowd.
  std::uint64_t version(std::uint32_t model) const;
  std::optional<std::span<const std::uint32_t>> changes_since(std::uint32_t model, std::uint64_t version) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
