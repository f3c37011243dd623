// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include "jobs/channel_sampler.h"
#include "jobs/jobs_kernels.h"
#include "throng/animator/pose_jobs.h"

namespace throng {

using namespace detail::animator;

namespace {

// The last key at or before `time` that another one follows, found from where it was. The answer is the same wherever
// the search starts.
std::uint32_t find_key(std::span<const float> times, std::uint32_t cursor, float time) {
  const auto last = static_cast<std::uint32_t>(times.size() - 2);
  std::uint32_t key = std::min(cursor, last);
  if (time >= times[key]) {
    if (key == last || time < times[key + 1]) return key;
    ++key;
    if (key == last || time < times[key + 1]) return key;
  } else if (time >= times[key - 1]) {  // the first key's time is 0: something is before this one
    return key - 1;
  }
  return static_cast<std::uint32_t>(std::upper_bound(times.begin() + 1, times.end() - 1, time) - times.begin() - 1);
}

float fraction_at(std::span<const float> times, std::uint32_t key, float time) {
  const float from = times[key];
  const float to = times[key + 1];
  return to > from ? std::min((time - from) / (to - from), 1.0f) : 1.0f;
}

void sample_morphs(std::span<const MorphRun> runs, const float* from, const float* to, float fraction,
                   std::span<float> morphs) {
  for (const MorphRun& run : runs) {
    for (std::uint32_t i = 0; i < run.count; ++i) morphs[run.first + i] = from[i] + (to[i] - from[i]) * fraction;
    from += run.count;
    to += run.count;
  }
}

void sample_list(const KeyList& list, std::uint32_t key, float fraction, std::span<SoaTransform> locals,
                 std::span<float> morphs) {
  if (kernels::has_wide()) {
    kernels::sample_wide(list, key, fraction, locals.data());
  } else {
    kernels::sample_narrow(list, key, fraction, locals.data());
  }
  if (morphs.empty() || list.morphs.empty()) return;
  const float* from = list.values.data() + key * list.row + 16 * list.rotations.size() +
                      12 * (list.translations.size() + list.scales.size());
  sample_morphs(list.morphs, from, from + list.row, fraction, morphs);
}

void copy_still(const KeyList& still, std::span<SoaTransform> locals, std::span<float> morphs) {
  const float* from = still.values.data();
  for (const std::uint32_t group : still.rotations) {
    std::memcpy(locals[group].rotation, from, sizeof locals[group].rotation);
    from += 16;
  }
  for (const std::uint32_t group : still.translations) {
    std::memcpy(locals[group].translation, from, sizeof locals[group].translation);
    from += 12;
  }
  for (const std::uint32_t group : still.scales) {
    std::memcpy(locals[group].scale, from, sizeof locals[group].scale);
    from += 12;
  }
  if (morphs.empty()) return;
  for (const MorphRun& run : still.morphs) {
    std::copy_n(from, run.count, morphs.data() + run.first);
    from += run.count;
  }
}

// The roots where the ground has come to under them.
void move_ground(const GroundKeys& ground, std::uint32_t& cursor, float time, std::span<const std::uint32_t> roots,
                 std::span<SoaTransform> locals) {
  cursor = find_key(ground.times, cursor, time);
  const float fraction = fraction_at(ground.times, cursor, time);
  const float* const from = ground.values.data() + std::size_t{3} * cursor;
  const auto at = [&](int i) { return from[i] + (from[i + 3] - from[i]) * fraction; };
  const float x = at(0), z = at(1), yaw = at(2);
  const glm::quat turn(std::cos(0.5f * yaw), 0.0f, std::sin(0.5f * yaw), 0.0f);
  for (const std::uint32_t bone : roots) {
    BoneTransform local = local_of(locals, bone);
    local.translation = turn * local.translation + glm::vec3(x, 0.0f, z);
    local.rotation = turn * local.rotation;
    set_local(locals, bone, local);
  }
}

}  // namespace

bool SampleJob::run() const {
  if (clip.value >= rig.clips().size()) return false;
  const ClipKeys& keys = rig.motion().keys(clip.value);
  if (locals.size() < rig.group_count() || cursors.size() < rig.clips()[clip.value].cursor_count) return false;
  if (!morphs.empty() && morphs.size() < rig.morph_count()) return false;
  const float at = time > 0.0f ? std::min(time, keys.length) : 0.0f;
  if (!morphs.empty()) std::copy(rig.rest_morphs().begin(), rig.rest_morphs().end(), morphs.begin());
  const RigChannels& all = channels_of(rig);
  const ClipChannels* const channels = all.far.find(clip);
  const ClipChannels* const own = all.own.find(clip);
  if (channels != nullptr) {
    fetch(cursors);
    std::copy(all.still.begin(), all.still.end(), locals.begin());
  }
  copy_still(keys.still, locals, morphs);
  for (std::size_t i = 0; i < keys.lists.size(); ++i) {
    const KeyList& list = keys.lists[i];
    cursors[i] = find_key(list.times, cursors[i], at);
    sample_list(list, cursors[i], fraction_at(list.times, cursors[i], at), locals, morphs);
  }
  if (channels == nullptr) return true;
  std::span<std::uint32_t> kept = cursors.subspan(keys.lists.size());
  std::uint32_t& ground_cursor = kept[0];
  const bool moves = !keys.ground.times.empty();
  kept = kept.subspan(moves ? 1 : 0);
  sample_channels(all, *channels, at, kept, locals.data());
  if (own != nullptr) sample_channels(all, *own, at, kept.subspan(kept_words(*channels)), locals.data());
  if (!moves) return true;
  move_ground(keys.ground, ground_cursor, at, all.far.roots, locals);
  if (own != nullptr) move_ground(keys.ground, ground_cursor, at, all.own.roots, locals);
  return true;
}

}  // namespace throng
