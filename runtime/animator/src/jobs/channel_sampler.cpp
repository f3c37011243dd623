// SPDX-License-Identifier: Apache-2.0
#include "jobs/channel_sampler.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "jobs/jobs_kernels.h"
#include "throng/shaders/shared/channels.h"

namespace throng::detail::animator {

namespace {

// Before the two frames: whose they are, and which.
struct KeptHead {
  std::uint64_t stamp;
  std::uint32_t frames[2];
};
static_assert(sizeof(KeptHead) % sizeof(std::uint32_t) == 0);
constexpr std::size_t kHeadWords = sizeof(KeptHead) / sizeof(std::uint32_t);
constexpr std::uint32_t kNoFrame = 0xFFFFFFFFu;

gpu::StoredFrames frames_at(const ClipChannels& clip, float time) {
  const auto last = static_cast<float>(clip.intervals);
  const float position = std::min(time * clip.rate, last);
  auto frame = static_cast<std::uint32_t>(position);
  float blend = position - static_cast<float>(frame);
  if (frame >= clip.intervals) {
    frame = clip.loops ? 0 : clip.intervals;
    blend = 0.0f;
  }
  if (clip.clip.map != 0) return gpu::stored_frames(clip.words[clip.clip.map + frame], clip.clip.stored_frames, blend);
  std::uint32_t next = frame + 1;
  if (next >= clip.frame_count) next = clip.loops ? 0 : frame;
  return {frame, next, blend};
}

void decode_frame(const ClipChannels& clip, std::uint32_t number, float* out) {
  const ClipWords words = clip.words.data();
  const FrameWords frame = words + clip.clip.frames + std::size_t{number} * clip.clip.frame_words;
  const bool wide = has_wide_decoder();
  float* to = out;
  for (const RotationRow& row : clip.rotations) {
    (wide ? decode_rotations_wide : decode_rotations_narrow)(words, row.decoder, frame, to);
    to += 32;
  }
  (wide ? decode_vectors_wide : decode_vectors_narrow)(words, clip.vectors, frame, out);
}

// What of a decoded frame no channel says, which stays in it from frame to frame.
void begin_frame(const RigChannels& rig, const ClipChannels& clip, float* out) {
  for (const RotationRow& row : clip.rotations) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t half = 0; half < 2; ++half) {
        constexpr float kNobody[4] = {};
        const float* const from = row.groups[half] == kNoGroup ? kNobody : rig.still[row.groups[half]].rotation[i];
        std::memcpy(out + 8 * i + 4 * half, from, sizeof kNobody);
      }
    }
    out += 32;
  }
  for (const ChannelRow& row : clip.translations) {
    std::memcpy(out, rig.still[row.group].translation, sizeof rig.still[row.group].translation);
    out += 12;
  }
  for (const ChannelRow& row : clip.scales) {
    std::memcpy(out, rig.still[row.group].scale, sizeof rig.still[row.group].scale);
    out += 12;
  }
}

// The two frames among what is kept; what is not there is decoded in place of what is not wanted.
std::array<const float*, 2> decoded_frames(const RigChannels& rig, const ClipChannels& clip,
                                           const gpu::StoredFrames& wanted, std::span<std::uint32_t> kept) {
  KeptHead head;
  std::memcpy(&head, kept.data(), sizeof head);
  // Floats among words: they are read and written as bytes.
  auto* const floats = reinterpret_cast<float*>(kept.data() + kHeadWords);
  const std::array<float*, 2> halves{floats, floats + clip.frame_floats()};
  if (head.stamp != clip.stamp) {
    head = {clip.stamp, {kNoFrame, kNoFrame}};
    for (float* const half : halves) begin_frame(rig, clip, half);
  }
  // Where a frame is, or goes to: not where `other` is.
  const auto find = [&](std::uint32_t frame, std::uint32_t other) {
    const std::size_t half = head.frames[0] == frame || (head.frames[1] != frame && head.frames[0] != other) ? 0 : 1;
    if (head.frames[half] != frame) {
      decode_frame(clip, frame, halves[half]);
      head.frames[half] = frame;
    }
    return halves[half];
  };
  const std::array<const float*, 2> found{find(wanted.from, wanted.to), find(wanted.to, wanted.from)};
  std::memcpy(kept.data(), &head, sizeof head);
  return found;
}

void copy_still_rows(const ClipChannels& clip, SoaTransform* locals) {
  const float* from = clip.still_values.data();
  for (const StillRow& row : clip.still) {
    SoaTransform& group = locals[row.group];
    float* const to = row.kind == SlotKind::rotation      ? group.rotation[0]
                      : row.kind == SlotKind::translation ? group.translation[0]
                                                          : group.scale[0];
    const std::size_t count = floats_of(row.kind);
    if (row.lanes == kAllLanes) {
      std::memcpy(to, from, count * sizeof(float));
      from += count;
    } else {
      for (std::size_t i = 0; i < count; ++i)
        if ((row.lanes >> i % 4 & 1u) != 0) to[i] = *from++;
    }
  }
}

}  // namespace

void fetch(std::span<const std::uint32_t> kept) {
  constexpr std::size_t kLine = 64 / sizeof(std::uint32_t);
  for (std::size_t word = 0; word < kept.size(); word += kLine) __builtin_prefetch(kept.data() + word);
}

std::size_t kept_words(const ClipChannels& clip) { return clip.empty() ? 0 : kHeadWords + 2 * clip.frame_floats(); }

void sample_channels(const RigChannels& rig, const ClipChannels& clip, float time, std::span<std::uint32_t> kept,
                     SoaTransform* locals) {
  copy_still_rows(clip, locals);
  const gpu::StoredFrames at = frames_at(clip, time);
  const auto [from, to] = decoded_frames(rig, clip, at, kept);
  const kernels::FramePair frames{clip, from, to, at.blend};
  if (kernels::has_wide()) {
    kernels::mix_frames_wide(frames, locals);
  } else {
    kernels::mix_frames_narrow(frames, locals);
  }
}

}  // namespace throng::detail::animator
