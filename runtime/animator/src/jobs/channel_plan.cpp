// SPDX-License-Identifier: Apache-2.0
#include "jobs/channel_plan.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "jobs/channel_codec.h"
#include "jobs/channel_sampler.h"
#include "throng/base/bytes.h"
#include "throng/shaders/shared/channels.h"

namespace throng::detail::animator {
namespace {

std::vector<SoaTransform> still_of(const Motion& motion) {
  std::vector<SoaTransform> still(motion.group_count());
  const auto& bones = motion.channels().bones;
  const auto& own = motion.own_channels().bones;
  for (std::uint32_t bone = 0; bone < 4 * still.size(); ++bone) {
    const bool is_own = bone < own.size() && own[bone].covered;
    const Transform local = is_own ? own[bone].still : bone < bones.size() ? bones[bone].still : Transform{};
    set_local(still, bone,
              {glm::vec3(local.translation), glm::quat(glm::normalize(local.rotation)), glm::vec3(local.scale)});
  }
  return still;
}

class ClipPlanner {
 public:
  ClipPlanner(const MotionChannels& channels, const MotionClip& facts, const MotionFrames& frames,
              const std::vector<SoaTransform>& still)
      : channels_(channels), still_(still) {
    out_.clip = frames.words;
    out_.words = channels_.words.subspan(out_.clip.first_word);
    out_.frame_count = frames.frame_count;
    out_.loops = facts.loops;
    out_.intervals = out_.loops ? out_.frame_count : out_.frame_count - 1;
    if (facts.length > 0.0f) out_.rate = static_cast<float>(out_.intervals / static_cast<double>(facts.length));
  }

  ClipChannels run() && {
    for (std::uint32_t group = 0; group < still_.size(); ++group) {
      add(group, SlotKind::rotation, &BoneChannels::rotation);
      add(group, SlotKind::translation, &BoneChannels::translation);
      add(group, SlotKind::scale, &BoneChannels::scale);
    }
    add_vectors();
    out_.stamp = stamp();
    return std::move(out_);
  }

 private:
  std::uint16_t channel(std::optional<std::uint32_t> slot) const {
    if (!slot) return static_cast<std::uint16_t>(gpu::kNoChannel);
    return static_cast<std::uint16_t>(out_.words[*slot / 2] >> (*slot % 2 * 16) & 0xFFFFu);
  }

  ChannelWords words_at(std::uint16_t channel) const { return out_.words.data() + channel; }

  // What the clip says of one kind of number of four bones.
  struct Four {
    std::uint32_t group = 0;
    SlotKind kind = SlotKind::rotation;
    std::array<std::uint16_t, 4> channels{};
    std::uint8_t covered = 0;  // bits
    std::uint8_t says = 0;     // bits: those that have a channel
    bool moves = false;
  };

  void add(std::uint32_t group, SlotKind kind, std::optional<std::uint32_t> BoneChannels::*slot) {
    Four four{.group = group, .kind = kind};
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      const std::size_t bone = std::size_t{4} * group + lane;
      const auto bit = static_cast<std::uint8_t>(1u << lane);
      const bool covered = bone >= channels_.bones.size() || channels_.bones[bone].covered;
      four.channels[lane] = channel(bone < channels_.bones.size() ? channels_.bones[bone].*slot : std::nullopt);
      if (covered) four.covered |= bit;
      if (four.channels[lane] == gpu::kNoChannel) continue;
      four.says |= bit;
      four.moves = four.moves || is_moving(words_at(four.channels[lane]), kind);
    }
    if (!four.moves && four.says != 0) add_still(four);
    if (four.moves && kind == SlotKind::rotation) add_rotations(four);
    if (four.moves && kind != SlotKind::rotation) {
      (kind == SlotKind::translation ? out_.translations : out_.scales).push_back({group, four.covered});
      (kind == SlotKind::translation ? moving_translations_ : moving_scales_).push_back(four);
    }
  }

  void add_rotations(const Four& four) {
    if (out_.rotations.empty() || out_.rotations.back().groups[1] != kNoGroup) out_.rotations.emplace_back();
    RotationRow& two = out_.rotations.back();
    const std::size_t half = two.groups[0] == kNoGroup ? 0 : 1;
    two.groups[half] = four.group;
    two.lanes[half] = four.covered;
    for (std::size_t i = 0; i < 4; ++i)
      if (four.channels[i] != gpu::kNoChannel) set_lane(two.decoder, 4 * half + i, out_.words.data(), four.channels[i]);
  }

  // Behind all rotations: where they lie in a decoded frame is known when all rows are.
  void add_vectors() {
    auto row = static_cast<std::uint32_t>(32 * out_.rotations.size());
    for (const auto* fours : {&moving_translations_, &moving_scales_}) {
      for (const Four& four : *fours) {
        for (std::uint32_t lane = 0; lane < 4; ++lane)
          if (four.channels[lane] != gpu::kNoChannel) out_.vectors.push_back({row + lane, four.channels[lane]});
        row += 12;
      }
    }
  }

  // Every frame has the same.
  void add_still(const Four& four) {
    out_.still.push_back({four.group, four.kind, four.says});
    const FrameWords frame = out_.words.data() + out_.clip.frames;
    const int components = four.kind == SlotKind::rotation ? 4 : 3;
    std::array<glm::vec4, 4> values{};
    for (std::size_t lane = 0; lane < 4; ++lane) {
      if (four.channels[lane] == gpu::kNoChannel) continue;
      const ChannelWords words = words_at(four.channels[lane]);
      values[lane] = four.kind == SlotKind::rotation ? glm::normalize(decode_rotation(words, frame))
                                                     : glm::vec4(decode_vector(words, frame), 0.0f);
    }
    for (int i = 0; i < components; ++i)
      for (std::size_t lane = 0; lane < 4; ++lane)
        if (four.channels[lane] != gpu::kNoChannel) out_.still_values.push_back(values[lane][i]);
  }

  // Two clips have the same only if the same floats are decoded from the same words.
  std::uint64_t stamp() const {
    const std::size_t words = out_.clip.frames + std::size_t{out_.clip.stored_frames} * out_.clip.frame_words;
    Hasher64 hasher;
    hasher.add(std::as_bytes(out_.words.first(words)));
    const std::array numbers{out_.clip.frames, out_.clip.frame_words};
    hasher.add(std::as_bytes(std::span(numbers)));
    const auto add = [&hasher](const auto& values) { hasher.add(std::as_bytes(std::span(values))); };
    for (const RotationRow& row : out_.rotations) {
      add(row.groups);
      add(row.decoder.channels);
      hasher.add(std::as_bytes(std::span(&row.decoder.present, 1)));
    }
    for (const auto* rows : {&out_.translations, &out_.scales})
      for (const ChannelRow& row : *rows) hasher.add(std::as_bytes(std::span(&row.group, 1)));
    for (const VectorLane& lane : out_.vectors) {
      const std::array where{lane.to, std::uint32_t{lane.channel}};
      add(where);
    }
    hasher.add(as_bytes(still_));
    return hasher.value() | 1u;
  }

  const MotionChannels& channels_;
  const std::vector<SoaTransform>& still_;
  std::vector<Four> moving_translations_, moving_scales_;
  ClipChannels out_;
};

}  // namespace

namespace {

WordsPlan plan_words(const Motion& motion, const MotionChannels& channels,
                     std::optional<MotionFrames> MotionClip::*frames, const std::vector<SoaTransform>& still) {
  WordsPlan plan;
  const auto clips = motion.clips();
  if (std::ranges::none_of(clips, [frames](const MotionClip& clip) { return (clip.*frames).has_value(); })) return plan;
  for (std::uint32_t bone = 0; bone < motion.bones().size(); ++bone)
    if (!motion.bones()[bone].parent && channels.bones[bone].covered) plan.roots.push_back(bone);
  plan.clips.resize(clips.size());
  for (std::size_t clip = 0; clip < clips.size(); ++clip)
    if (clips[clip].*frames) plan.clips[clip] = ClipPlanner(channels, clips[clip], *(clips[clip].*frames), still).run();
  return plan;
}

}  // namespace

RigChannels plan_channels(const Motion& motion) {
  RigChannels plan;
  if (std::ranges::none_of(motion.clips(), [](const MotionClip& clip) { return clip.frames.has_value(); })) return plan;
  plan.still = still_of(motion);
  plan.far = plan_words(motion, motion.channels(), &MotionClip::frames, plan.still);
  plan.own = plan_words(motion, motion.own_channels(), &MotionClip::own_frames, plan.still);
  return plan;
}

}  // namespace throng::detail::animator
