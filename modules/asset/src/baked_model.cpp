#include "throng/asset/baked_model.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

std::uint32_t interval_count(const BakedClip& clip) {
  return clip.loops ? clip.frame_count : std::max(clip.frame_count, 1u) - 1u;
}

}  // namespace

double BakedClip::rate() const { return length > 0.0 ? interval_count(*this) / length : 0.0; }

Result<std::uint32_t> BakedModel::find_clip(std::string_view clip_name) const {
  std::string names;
  for (std::uint32_t i = 0; i < clips.size(); ++i) {
    if (clips[i].name == clip_name) return i;
    names += (i == 0 ? "" : ", ") + clips[i].name;
  }
  return fail("no clip is named '{}'; there are: {}", clip_name, names.empty() ? "none" : names);
}

ClipRecord clip_record(const BakedClip& clip) {
  ClipRecord record{};
  record.pivot_min = glm::vec3(clip.range.pivot_min);
  record.scale_max = static_cast<float>(clip.range.scale_max);
  record.pivot_size = glm::vec3(clip.range.pivot_size);
  record.loops = clip.loops ? 1u : 0u;
  record.first_frame = clip.first_frame;
  record.frame_count = clip.frame_count;
  record.layer = clip.layer;
  return record;
}

ExactCursor cursor_at_time(const BakedClip& clip, double seconds) {
  const std::uint32_t intervals = interval_count(clip);
  double turns = clip.length > 0.0 ? seconds / clip.length : 0.0;
  turns = clip.loops ? turns - std::floor(turns) : std::clamp(turns, 0.0, 1.0);
  const double position = std::min(turns * intervals, static_cast<double>(intervals));
  auto frame = static_cast<std::uint32_t>(position);
  double blend = position - frame;
  // A fraction of a turn that rounds up to a whole one is the loop's start, or the stopped clip's end.
  if (frame >= intervals) {
    frame = clip.loops ? 0 : intervals;
    blend = 0.0;
  }
  std::uint32_t next = frame + 1;
  if (next >= clip.frame_count) next = clip.loops ? 0 : frame;
  ExactCursor out;
  out.cursor.frame = clip.first_frame + frame;
  out.cursor.next = clip.first_frame + next;
  out.cursor.blend = std::min(static_cast<float>(blend), std::nextafter(1.0f, 0.0f));
  out.blend = blend;
  return out;
}

}  // namespace throng
