// SPDX-License-Identifier: Apache-2.0
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

#include "throng/character/character.h"
#include "throng/playback/clock.h"
#include "throng/playback/deform.h"
#include "throng/playback/play.h"
#include "throng/playback/timing.h"

namespace throng {

// A character to be: of which model, where, what it plays and how it looks.
struct Spawn {
  ModelId model = {};
  Placement placement = {};
  Play play = {};
  Look look = {};
  bool root_motion = false;  // see Crowd::move_by_clips()
};

// Where a character is in the arrays, until one of its model is removed.
struct RecordIndex {
  ModelId model = {};
  std::uint32_t index = 0;
};

class Crowd {
 public:
  Crowd();
  // A crowd of that character, whose id is ModelId{}.
  explicit Crowd(const Character& character);
  Crowd(const Crowd& other);
  Crowd(Crowd&& other) noexcept;
  Crowd& operator=(const Crowd& other);
  Crowd& operator=(Crowd&& other) noexcept;
  ~Crowd();

  // A model that its characters may be of. The id is this crowd's own: another crowd may have another one for the same
  // character. A character that was added before has the id it got then. The crowd keeps a copy, which shares storage.
  ModelId add(const Character& character);
  // The id of a character that was added, or nothing.
  std::optional<ModelId> find(const Character& character) const;
  // The character of an id that this crowd gave. The reference lasts as long as the crowd.
  const Character& character(ModelId model) const;

  // A character that begins to play at `now`. Refused, with nothing changed: a model or clip that does not exist,
  // numbers that are not finite, a scale of zero or less, a rotation of no length.
  Result<InstanceId> add(const Spawn& spawn, Ticks now);
  // Takes it out. From here on a character that was removed is an error, and nothing is changed by what returns one.
  Result<void> remove(InstanceId id);
  // Puts it elsewhere, turned and scaled as `placement` says.
  Result<void> place(InstanceId id, const Placement& placement);
  // Another look from now on; one without parts leaves on what it wears.
  Result<void> paint(InstanceId id, const Look& look);
  // What it wears from now on. Sockets on what it does not wear are nowhere.
  Result<void> wear(InstanceId id, PartMask parts);
  Result<PartMask> worn(InstanceId id) const;  // what it wears now
  // One of every group of its character's parts, or none where that is possible: the same for the same seed.
  Result<void> dress(InstanceId id, std::uint64_t seed);
  // Whether it is drawn at all, as all are at first. Hidden ones play on, and their sockets and events go on.
  Result<void> show(InstanceId id, bool shown);
  // Makes room for `count` characters of a model, so that adding them allocates nothing.
  void reserve(ModelId model, std::size_t count);

  // Plays from `now` on: forgets the queue, ends a pause.
  Result<void> play(InstanceId id, const Play& play, Ticks now);
  Result<void> play(InstanceId id, std::string_view clip, Play play, Ticks now);  // `play.clip` is ignored
  // Plays after what is being played now, and after what is queued already: when a clip that clamps is at its end, when
  // a loop comes to its next wrap, when a ping-pong is back at its start. With a fade it begins that much earlier, so
  // that it is over there: a loop takes the first wrap that leaves time for it, a clamp with less time left begins at
  // once. After a clip that stands still, never.
  Result<void> queue(InstanceId id, const Play& play, Ticks now);
  Result<void> clear_queue(InstanceId id);  // forgets what is queued; what is being played goes on
  // Goes on from where it is at another speed. Both clips of a cross-fade in step keep to it.
  Result<void> set_speed(InstanceId id, double speed, Ticks now);
  // To that many seconds into the clip; events that are jumped over do not fire. What fades out is left alone.
  Result<void> seek(InstanceId id, double seconds, Ticks now);
  // Its clips stand still (a fade goes on) until it is resumed, and nothing of the queue begins.
  Result<void> pause(InstanceId id, Ticks now);
  Result<void> resume(InstanceId id, Ticks now);  // goes on after a pause, from where it stood still

  // Carries out what is due up to `now`, and tells the events of characters that are listened to, met since the
  // last time, all in order of time; of one moment, character by character. Costs what is due, and a look at each who
  // is listened to or moved by its clips; nothing for the others. Steps of any size lead to the same. `on_event` may
  // change the crowd.
  void advance(Ticks now, const OnEvent& on_event = {});
  // Its events are told by advance(), from the last one on; in a crowd never advanced, from the start of what is being
  // played.
  Result<void> listen(InstanceId id);
  Result<void> unlisten(InstanceId id);  // its events are told no longer
  // The events of one character in the window (from, to], as if what it plays now had been played all the time. What
  // lies exactly where play began counts to the window that begins there or before, so that over windows that touch
  // nothing is lost or doubled.
  Result<void> fire_events(InstanceId id, Ticks from, Ticks to, const OnEvent& on_event) const;
  // Whether advance() moves it by its clips' root motion (BakedClip::root_motion), from `now` on; by that of both
  // clips, weighted, while a cross-fade lasts.
  Result<void> move_by_clips(InstanceId id, bool on, Ticks now);

  // What it plays, and where in its clips it is. `now` may be any time from the last change to the next.
  Result<PlayState> state(InstanceId id, Ticks now) const;
  Result<Placement> placement(InstanceId id) const;  // where it is, as far as advance() has moved it
  Result<bool> is_shown(InstanceId id) const;        // whether it is drawn
  // world_from_socket. Refused: a socket on a part that it does not wear.
  Result<SocketPlace> socket(InstanceId id, SocketId socket, Ticks now) const;
  // The frames that every character of a model is between (without what fades out), in the order of plays(): as the
  // shader finds them, bit for bit. Writes as many as fit and returns their number.
  std::size_t tick(ModelId model, Ticks now, std::span<Cursor> cursors) const;

  // The first model whose character has that name, or an error that names those spelled like it.
  Result<ModelId> find_model(std::string_view name) const;
  // The clip of that name, or an error that names those spelled like it.
  Result<ClipId> find_clip(ModelId model, std::string_view name) const;
  // The socket of that name, or an error that names those spelled like it.
  Result<SocketId> find_socket(ModelId model, std::string_view name) const;
  // The part of that name, or an error that names those spelled like it.
  Result<PartId> find_part(ModelId model, std::string_view name) const;

  // Ids count from 0: those of a crowd are ModelId(0) to ModelId(model_count() - 1).
  std::size_t model_count() const;
  std::size_t size() const;  // of all models
  // What a renderer uploads: the characters of one model, close together. They are moved by removals. A model that does
  // not exist has none.
  std::span<const InstanceRecord> instances(ModelId model) const;
  // What the characters of a model play, in the order of instances().
  std::span<const PlayRecord> plays(ModelId model) const;
  // Where a character is in those arrays now.
  Result<RecordIndex> find(InstanceId id) const;

  // Indices into those arrays that were written since the model was at `version` (some twice; some may be past the end
  // by now), or nothing when it has forgotten: then all were. Version 0 is the empty crowd.
  // Versions of another crowd, a copy too, tell nothing: see identity().
  std::uint64_t version(ModelId model) const;
  // Which records were written since that version, or nothing when it is not known any more.
  std::optional<std::span<const std::uint32_t>> changes_since(ModelId model, std::uint64_t version) const;

  // Tells this crowd from every other, copies too, as long as somebody holds on to it: a pointer that only this crowd
  // gives.
  std::shared_ptr<const void> identity() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
