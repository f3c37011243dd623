// What a crowd's characters are at.
#include <algorithm>
#include <cmath>

#include "crowd_state.h"
#include "state.h"

namespace throng {

Result<PlayState> Crowd::state(InstanceId id, Ticks now) const {
  const auto slot = state_->find(id);
  if (!slot) return fail(Error{slot.error()});
  return state_of(state_->crowd_of(**slot).clips, state_->play_of(**slot), state_->plans_of(**slot), now);
}

Result<Placement> Crowd::placement(InstanceId id) const {
  const auto slot = state_->find(id);
  if (!slot) return fail(Error{slot.error()});
  const InstanceRecord& record = state_->crowd_of(**slot).instances[(*slot)->index];
  const gpu::vec4 q = gpu::unpack_rotation(record.rotation);
  return Placement{record.position, glm::quat(q.w, q.x, q.y, q.z), std::abs(record.scale)};
}

Result<bool> Crowd::is_shown(InstanceId id) const {
  const auto slot = state_->find(id);
  if (!slot) return fail(Error{slot.error()});
  return !std::signbit(state_->crowd_of(**slot).instances[(*slot)->index].scale);
}

Result<SocketPlace> Crowd::socket(InstanceId id, std::uint32_t socket, Ticks now) const {
  const auto slot = state_->find(id);
  if (!slot) return fail(Error{slot.error()});
  ModelCrowd& crowd = state_->crowd_of(**slot);
  auto place = socket_place(*crowd.model, crowd.plays[(*slot)->index], socket, now);
  if (!place) return place;
  return place_of(world_from_model(crowd.instances[(*slot)->index]) * place->matrix);
}

std::size_t Crowd::tick(std::uint32_t model, Ticks now, std::span<Cursor> cursors) const {
  if (model >= state_->models.size()) return 0;
  const ModelCrowd& crowd = state_->models[model];
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
