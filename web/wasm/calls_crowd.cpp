// SPDX-License-Identifier: Apache-2.0
// Crowds: who is there, what they play, and what they meet.
#include <algorithm>

#include "calls.h"
#include "handles.h"
#include "throng/base/try.h"

namespace throng::web {
namespace {

InstanceId id_of(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)};
}

glm::vec3 vector_at(std::size_t first) { return {float_at(first), float_at(first + 1), float_at(first + 2)}; }

// The numbers of a placement: position, rotation x y z w, scale.
Placement placement_at(std::size_t first) {
  Placement placement;
  placement.position = vector_at(first);
  placement.rotation = glm::quat(float_at(first + 6), float_at(first + 3), float_at(first + 4), float_at(first + 5));
  placement.scale = float_at(first + 7);
  return placement;
}

// Those of what is played: clip, speed, offset, mode, fade, in step.
Play play_at(std::size_t first) {
  Play play;
  play.clip = ClipId(index_at(first));
  play.speed = numbers[first + 1];
  play.offset = numbers[first + 2];
  play.mode = static_cast<PlayMode>(index_at(first + 3));
  play.fade = numbers[first + 4];
  play.in_step = bool_at(first + 5);
  return play;
}

// Those of a look: tint, variation.
Look look_at(std::size_t first) {
  Look look;
  const auto shade = [first](std::size_t i) { return static_cast<std::uint8_t>(index_at(first + i)); };
  look.tint = {shade(0), shade(1), shade(2), shade(3)};
  look.variation = index_at(first + 4);
  return look;
}

constexpr std::size_t kOfPlacement = 8, kOfPlay = 6, kOfLook = 5;

void answer_track(const TrackState& track, std::size_t first) {
  answer({static_cast<double>(track.clip.value), track.phase, track.seconds, static_cast<double>(track.weight),
          track.finished ? 1.0 : 0.0, static_cast<double>(track.cursor.frame), static_cast<double>(track.cursor.next),
          static_cast<double>(track.cursor.blend)},
         first);
}

void answer_place(const glm::dvec3& position, const glm::dquat& rotation, double scale) {
  answer({position.x, position.y, position.z, rotation.x, rotation.y, rotation.z, rotation.w, scale});
}

Result<ModelId> model_of(const CrowdHandle& handle, InstanceId id) {
  THRONG_TRY(const RecordIndex found, handle.crowd.find(id));
  return found.model;
}

// Vertices of the full mesh as they are now; into the world, or as the model has them.
Result<void> deform_now(CrowdHandle& handle, InstanceId id, bool into_world) {
  THRONG_TRY(const RecordIndex found, handle.crowd.find(id));
  handle.deformers.resize(handle.crowd.model_count());
  std::optional<Deformer>& deformer = handle.deformers[found.model.value];
  if (!deformer) deformer.emplace(handle.crowd.character(found.model));
  handle.positions.resize(deformer->vertex_count());
  handle.normals.resize(deformer->vertex_count());
  const InstanceRecord& placed = handle.crowd.instances(found.model)[found.index];
  return deformer->run(handle.crowd.plays(found.model)[found.index], handle.now(),
                       {handle.positions, handle.normals, {}}, into_world ? &placed : nullptr);
}

Bounds bounds_now(CrowdHandle& handle) {
  Bounds all;
  for (std::size_t i = handle.boxes.size(); i < handle.crowd.model_count(); ++i)
    handle.boxes.push_back(clip_boxes(handle.crowd.character(ModelId(static_cast<std::uint32_t>(i)))));
  for (std::size_t i = 0; i < handle.boxes.size(); ++i) {
    const ModelId model(static_cast<std::uint32_t>(i));
    all.add(bounds_of(handle.crowd.instances(model), handle.boxes[i]));
  }
  return all;
}

}  // namespace
}  // namespace throng::web

using namespace throng;
using namespace throng::web;

THRONG_CALL(throng_make_crowd) CrowdHandle* throng_make_crowd() { return new CrowdHandle; }
THRONG_CALL(throng_free_crowd) void throng_free_crowd(CrowdHandle* handle) { delete handle; }

// The model's number.
THRONG_CALL(throng_add) std::uint32_t throng_add(CrowdHandle& handle, const CharacterHandle& character) {
  return handle.crowd.add(character.character).value;
}

THRONG_CALL(throng_reserve) void throng_reserve(CrowdHandle& handle, std::uint32_t model, std::size_t count) {
  handle.crowd.reserve(ModelId(model), count);
}

// Numbers: model, whether its root moves it, a placement, what it plays, its look, whether it hides parts and which
// (low, high). The id in numbers 0 (slot) and 1 (generation).
THRONG_CALL(throng_spawn) bool throng_spawn(CrowdHandle& handle) {
  Spawn spawn;
  spawn.model = ModelId(index_at(0));
  spawn.root_motion = bool_at(1);
  spawn.placement = placement_at(2);
  spawn.play = play_at(2 + kOfPlacement);
  spawn.look = look_at(2 + kOfPlacement + kOfPlay);
  const std::size_t parts = 2 + kOfPlacement + kOfPlay + kOfLook;
  if (bool_at(parts)) spawn.look.parts = PartMask(std::uint64_t{index_at(parts + 2)} << 32 | index_at(parts + 1));
  const auto id = handle.crowd.add(spawn, handle.now());
  if (id) answer({static_cast<double>(id->slot), static_cast<double>(id->generation)});
  return went_well(id);
}

THRONG_CALL(throng_remove) bool throng_remove(CrowdHandle& handle, std::uint64_t id) {
  return went_well(handle.crowd.remove(id_of(id)));
}

// Numbers: a placement.
THRONG_CALL(throng_place) bool throng_place(CrowdHandle& handle, std::uint64_t id) {
  return went_well(handle.crowd.place(id_of(id), placement_at(0)));
}

// Numbers: a look.
THRONG_CALL(throng_paint) bool throng_paint(CrowdHandle& handle, std::uint64_t id) {
  return went_well(handle.crowd.paint(id_of(id), look_at(0)));
}

THRONG_CALL(throng_wear) bool throng_wear(CrowdHandle& handle, std::uint64_t id, std::uint64_t hidden) {
  return went_well(handle.crowd.wear(id_of(id), PartMask(hidden)));
}

// Number 0 and 1: the parts it does not wear, low and high.
THRONG_CALL(throng_worn) bool throng_worn(const CrowdHandle& handle, std::uint64_t id) {
  const auto worn = handle.crowd.worn(id_of(id));
  if (worn)
    answer({static_cast<double>(static_cast<std::uint32_t>(worn->hidden())),
            static_cast<double>(static_cast<std::uint32_t>(worn->hidden() >> 32))});
  return went_well(worn);
}

THRONG_CALL(throng_dress) bool throng_dress(CrowdHandle& handle, std::uint64_t id, std::uint64_t seed) {
  return went_well(handle.crowd.dress(id_of(id), seed));
}

THRONG_CALL(throng_show) bool throng_show(CrowdHandle& handle, std::uint64_t id, bool shown) {
  return went_well(handle.crowd.show(id_of(id), shown));
}

// Numbers: what to play.
THRONG_CALL(throng_play) bool throng_play(CrowdHandle& handle, std::uint64_t id, bool queued) {
  const Play play = play_at(0);
  return went_well(queued ? handle.crowd.queue(id_of(id), play, handle.now())
                          : handle.crowd.play(id_of(id), play, handle.now()));
}

THRONG_CALL(throng_clear_queue) bool throng_clear_queue(CrowdHandle& handle, std::uint64_t id) {
  return went_well(handle.crowd.clear_queue(id_of(id)));
}

THRONG_CALL(throng_set_speed) bool throng_set_speed(CrowdHandle& handle, std::uint64_t id, double speed) {
  return went_well(handle.crowd.set_speed(id_of(id), speed, handle.now()));
}

THRONG_CALL(throng_seek) bool throng_seek(CrowdHandle& handle, std::uint64_t id, double seconds) {
  return went_well(handle.crowd.seek(id_of(id), seconds, handle.now()));
}

THRONG_CALL(throng_pause) bool throng_pause(CrowdHandle& handle, std::uint64_t id, bool paused) {
  return went_well(paused ? handle.crowd.pause(id_of(id), handle.now()) : handle.crowd.resume(id_of(id), handle.now()));
}

THRONG_CALL(throng_listen) bool throng_listen(CrowdHandle& handle, std::uint64_t id, bool listened) {
  return went_well(listened ? handle.crowd.listen(id_of(id)) : handle.crowd.unlisten(id_of(id)));
}

THRONG_CALL(throng_move_by_clips) bool throng_move_by_clips(CrowdHandle& handle, std::uint64_t id, bool moved) {
  return went_well(handle.crowd.move_by_clips(id_of(id), moved, handle.now()));
}

// How many events were met.
THRONG_CALL(throng_advance) std::size_t throng_advance(CrowdHandle& handle, double seconds) {
  handle.met.clear();
  handle.clock.advance(seconds);
  handle.crowd.advance(handle.now(), [&handle](const FiredEvent& event) {
    const auto model = model_of(handle, event.instance);
    handle.met.push_back({event.instance, model ? *model : ModelId(), event.clip, event.event,
                          seconds_from_ticks(event.when), event.weight});
  });
  return handle.met.size();
}

// Numbers: the instance (slot, generation), its model, clip and event, when in seconds, the clip's weight.
THRONG_CALL(throng_event) void throng_event(const CrowdHandle& handle, std::size_t number) {
  const MetEvent& event = handle.met[number];
  answer({static_cast<double>(event.instance.slot), static_cast<double>(event.instance.generation),
          static_cast<double>(event.model.value), static_cast<double>(event.clip.value),
          static_cast<double>(event.event), event.seconds, static_cast<double>(event.weight)});
}

// Numbers: ticks (low, high), seconds, characters in all.
THRONG_CALL(throng_now) void throng_now(const CrowdHandle& handle) {
  const Ticks now = handle.now();
  answer({static_cast<double>(static_cast<std::uint32_t>(now)),
          static_cast<double>(static_cast<std::uint32_t>(now >> 32)), seconds_from_ticks(now),
          static_cast<double>(handle.crowd.size())});
}

// Numbers 0 and 1: the model and the index in its arrays.
THRONG_CALL(throng_find) bool throng_find(const CrowdHandle& handle, std::uint64_t id) {
  const auto found = handle.crowd.find(id_of(id));
  if (found) answer({static_cast<double>(found->model.value), static_cast<double>(found->index)});
  return went_well(found);
}

// A clip (0) or a socket (1) of a model by its name: number 0.
THRONG_CALL(throng_find_name)
bool throng_find_name(const CrowdHandle& handle, std::uint32_t model, std::uint32_t kind, const char* name,
                      std::size_t size) {
  const auto said = [](const auto& found) {
    if (found) answer({static_cast<double>(found->value)});
    return went_well(found);
  };
  if (kind == 0) return said(handle.crowd.find_clip(ModelId(model), text_at(name, size)));
  return said(handle.crowd.find_socket(ModelId(model), text_at(name, size)));
}

// Numbers: a track (clip, phase, seconds, weight, finished, frame, next, blend), paused, queued, whether something
// fades out, and its track.
THRONG_CALL(throng_state) bool throng_state(const CrowdHandle& handle, std::uint64_t id) {
  const auto state = handle.crowd.state(id_of(id), handle.now());
  if (!state) return went_well(state);
  constexpr std::size_t kOfTrack = 8;
  answer_track(state->track, 0);
  answer({state->paused ? 1.0 : 0.0, static_cast<double>(state->queued), state->previous ? 1.0 : 0.0}, kOfTrack);
  if (state->previous) answer_track(*state->previous, kOfTrack + 3);
  return true;
}

// Numbers: position, rotation x y z w, scale.
THRONG_CALL(throng_placement) bool throng_placement(const CrowdHandle& handle, std::uint64_t id) {
  const auto placement = handle.crowd.placement(id_of(id));
  if (placement)
    answer_place(glm::dvec3(placement->position), glm::dquat(placement->rotation),
                 static_cast<double>(placement->scale));
  return went_well(placement);
}

// The same of a socket, and behind it its matrix, column by column.
THRONG_CALL(throng_socket) bool throng_socket(const CrowdHandle& handle, std::uint64_t id, std::uint32_t socket) {
  const auto place = handle.crowd.socket(id_of(id), SocketId(socket), handle.now());
  if (!place) return went_well(place);
  answer_place(place->position, place->rotation, place->scale);
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      numbers[kOfPlacement + static_cast<std::size_t>(4 * column + row)] = place->matrix[column][row];
  return true;
}

// Of a model: its InstanceRecords (0) or PlayRecords (1).
THRONG_CALL(throng_records) void throng_records(const CrowdHandle& handle, std::uint32_t model, bool plays) {
  if (plays) return answer_array(handle.crowd.plays(ModelId(model)));
  answer_array(handle.crowd.instances(ModelId(model)));
}

THRONG_CALL(throng_version) double throng_version(const CrowdHandle& handle, std::uint32_t model) {
  return static_cast<double>(handle.crowd.version(ModelId(model)));
}

// Which records were written since that version; false: all may have been.
THRONG_CALL(throng_changes) bool throng_changes(const CrowdHandle& handle, std::uint32_t model, double version) {
  const auto changes = handle.crowd.changes_since(ModelId(model), static_cast<std::uint64_t>(version));
  if (changes) answer_array(*changes);
  return changes.has_value();
}

// Addresses of positions and normals, and how many vertices there are.
THRONG_CALL(throng_deform) bool throng_deform(CrowdHandle& handle, std::uint64_t id, bool into_world) {
  const auto done = deform_now(handle, id_of(id), into_world);
  answer_array(std::span<const glm::vec3>(handle.normals));
  numbers[2] = numbers[0];
  answer_array(std::span<const glm::vec3>(handle.positions));
  return went_well(done);
}

// Numbers: the least and the most of the box around everybody, whatever frame they are at; false: there is nobody.
THRONG_CALL(throng_bounds) bool throng_bounds(CrowdHandle& handle) {
  const Bounds all = bounds_now(handle);
  if (!all.empty()) answer({all.min.x, all.min.y, all.min.z, all.max.x, all.max.y, all.max.z});
  return !all.empty();
}

// The cursors of all characters of a model: three words each.
THRONG_CALL(throng_cursors) void throng_cursors(CrowdHandle& handle, std::uint32_t model) {
  handle.cursors.resize(handle.crowd.plays(ModelId(model)).size());
  handle.crowd.tick(ModelId(model), handle.now(), handle.cursors);
  answer_array(std::span<const Cursor>(handle.cursors));
}
