#include "throng/playback/crowd.h"

#include <cmath>

#include "phase.h"

namespace throng {
namespace {

bool finite(const glm::vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

Result<void> set_placement(InstanceRecord& record, const Placement& placement) {
  const glm::quat& q = placement.rotation;
  const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (!finite(placement.position)) return fail("the position is not finite");
  if (!(placement.scale > 0.0f) || !std::isfinite(placement.scale)) {
    return fail("the scale is {}; it must be more than 0", placement.scale);
  }
  if (!std::isfinite(length) || length == 0.0f) return fail("the rotation is no quaternion of any length");
  record.position = placement.position;
  record.scale = placement.scale;
  record.rotation = glm::vec4(q.x, q.y, q.z, q.w) / length;
  return {};
}

std::uint32_t pack(const Tint& tint) {
  return std::uint32_t{tint.red} | std::uint32_t{tint.green} << 8 | std::uint32_t{tint.blue} << 16 |
         std::uint32_t{tint.alpha} << 24;
}

}  // namespace

Crowd::Crowd(const BakedModel& model) {
  clips_.reserve(model.clips.size());
  for (const BakedClip& clip : model.clips) clips_.push_back(clip_timing(clip));
}

Result<void> Crowd::check(std::uint32_t instance) const {
  if (instance < records_.size()) return {};
  return fail("instance {} does not exist; the crowd has {}", instance, records_.size());
}

Result<void> Crowd::start(InstanceRecord& record, const Play& play, Ticks now) const {
  if (play.clip >= clips_.size()) return fail("clip {} does not exist; the model has {}", play.clip, clips_.size());
  if (!std::isfinite(play.speed) || !std::isfinite(play.offset)) return fail("the speed or offset is not finite");
  const Playhead playhead = make_playhead(clips_[play.clip], play.speed, play.offset);
  record.clip = play.clip;
  record.phase = split(playhead.phase);
  record.rate = split(playhead.rate);
  record.start = split(now);
  return {};
}

Result<std::uint32_t> Crowd::add(const Placement& placement, const Play& play, const Tint& tint, Ticks now) {
  InstanceRecord record{};
  if (auto ok = set_placement(record, placement); !ok) return fail(std::move(ok));
  if (auto ok = start(record, play, now); !ok) return fail(std::move(ok));
  record.tint = pack(tint);
  records_.push_back(record);
  ++version_;
  return static_cast<std::uint32_t>(records_.size() - 1);
}

Result<void> Crowd::remove(std::uint32_t instance) {
  if (auto ok = check(instance); !ok) return ok;
  records_[instance] = records_.back();
  records_.pop_back();
  ++version_;
  return {};
}

Result<void> Crowd::place(std::uint32_t instance, const Placement& placement) {
  if (auto ok = check(instance); !ok) return ok;
  if (auto ok = set_placement(records_[instance], placement); !ok) return ok;
  ++version_;
  return {};
}

Result<void> Crowd::paint(std::uint32_t instance, const Tint& tint) {
  if (auto ok = check(instance); !ok) return ok;
  records_[instance].tint = pack(tint);
  ++version_;
  return {};
}

Result<void> Crowd::play(std::uint32_t instance, const Play& play, Ticks now) {
  if (auto ok = check(instance); !ok) return ok;
  if (auto ok = start(records_[instance], play, now); !ok) return ok;
  ++version_;
  return {};
}

Cursor Crowd::cursor(std::uint32_t instance, Ticks now) const {
  const InstanceRecord& record = records_[instance];
  const ClipRecord& clip = clips_[record.clip].record;
  return gpu::cursor_at(clip, gpu::phase_at(clip, record, split(now)));
}

std::uint64_t Crowd::phase(std::uint32_t instance, Ticks now) const {
  const InstanceRecord& record = records_[instance];
  return join(gpu::phase_at(clips_[record.clip].record, record, split(now)));
}

void Crowd::fire_events(std::uint32_t instance, Ticks from, Ticks to, const OnEvent& on_event) const {
  const InstanceRecord& record = records_[instance];
  const Ticks began = join(record.start);
  // Signed differences: ticks wrap.
  if (static_cast<std::int64_t>(to - from) <= 0) return;
  if (static_cast<std::int64_t>(to - began) <= 0) return;
  const bool begins = static_cast<std::int64_t>(from - began) <= 0;
  const Ticks first = begins ? began : from;
  const Playhead playhead{phase(instance, first), join(record.rate)};
  throng::fire_events(clips_[record.clip], playhead, to - first, begins ? WindowStart::included : WindowStart::excluded,
                      on_event);
}

}  // namespace throng
