// SPDX-License-Identifier: Apache-2.0
#include "far/pose_table.h"

#include <algorithm>
#include <array>
#include <bit>

#include "throng/shaders/shared/channels.h"
#include "throng/shaders/shared/pose_records.h"

namespace throng::detail::renderer {
namespace {

// Past that a character's words are read as they are: its motion should not take many times the memory.
constexpr std::size_t kMostRows = std::size_t{1} << 18;

glm::uvec4 words_of(const glm::vec4& v) {
  return {std::bit_cast<std::uint32_t>(v.x), std::bit_cast<std::uint32_t>(v.y), std::bit_cast<std::uint32_t>(v.z),
          std::bit_cast<std::uint32_t>(v.w)};
}

glm::uvec4 words_of(const glm::dquat& q) {
  const glm::dquat unit = glm::normalize(q);
  return words_of(glm::vec4(unit.x, unit.y, unit.z, unit.w));
}

using Words = std::span<const std::uint32_t>;

// What a slot does in a clip; nothing: as at rest.
Words channel_of(Words clip, std::optional<std::uint32_t> slot) {
  if (!slot) return {};
  const std::uint32_t at = (clip[*slot / 2] >> (*slot % 2 * 16)) & gpu::kNoChannel;
  return at == gpu::kNoChannel ? Words() : clip.subspan(at);
}

class Table {
 public:
  Table(const Character& model, std::size_t threads)
      : model_(model), links_(model.skeleton().size()), width_(std::max(links_, threads)) {
    made_.width = static_cast<std::uint32_t>(width_);
    made_.rows.resize(width_ * (1 + gpu::kPoseRows * model.clips().size()));
  }

  PoseTable take() { return std::move(made_); }

  void put_jumps() {
    std::vector<std::array<std::uint8_t, 16>> jumps(links_);
    for (std::size_t link = 0; link < links_; ++link) {
      // Parents come first: where they jump to is known.
      std::uint32_t to = model_.skeleton()[link].parent.value_or(gpu::kNoJump);
      for (std::size_t s = 0; s < jumps[link].size(); ++s) {
        jumps[link][s] = static_cast<std::uint8_t>(to);
        if (to == gpu::kNoJump) continue;
        made_.jumps = std::max(made_.jumps, static_cast<std::uint32_t>(s + 1));
        to = jumps[to][s];
      }
      made_.rows[link] = std::bit_cast<glm::uvec4>(jumps[link]);
    }
    static_assert(gpu::kNoJump == 0xFF);
    std::fill(made_.rows.begin() + static_cast<std::ptrdiff_t>(links_),
              made_.rows.begin() + static_cast<std::ptrdiff_t>(width_), glm::uvec4(0xFFFFFFFFu));
  }

  void put_clip(std::size_t clip) {
    next_lane_ = links_;
    for (std::size_t link = 0; link < links_; ++link) put_link(clip, link);
  }

 private:
  glm::uvec4& row(std::size_t clip, std::size_t which, std::size_t link) {
    return made_.rows[width_ * (1 + gpu::kPoseRows * clip + which) + link];
  }

  // Bases, times the step, and step of three components; first bit and widths of them.
  std::array<glm::uvec4, 2> rows_of(Words channel, float step) {
    glm::vec4 base(0.0f, 0.0f, 0.0f, step);
    glm::uvec4 bits(gpu::channel_bit(channel[0], channel[1], channel[2]), 0, 0, 0);
    std::uint32_t together = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t width = gpu::channel_width(channel[i]);
      base[static_cast<int>(i)] = step * gpu::channel_base(channel[i]);
      // A scale that is one number is read by its x alone.
      if (width == gpu::kSameAsX) continue;
      bits.y |= width << (i * gpu::kPoseWidthBits);
      together += width;
    }
    if (together > 32) made_.shapes |= gpu::kPoseWide;
    return {words_of(base), bits};
  }

  void put_link(std::size_t clip, std::size_t number) {
    const PoseLink& link = model_.skeleton()[number];
    const Words words = Words(model_.channel_words()).subspan(model_.clips()[clip].channels.first_word);
    glm::uvec4& bits = row(clip, 2, number);
    bits = glm::uvec4(0, 0, 0, gpu::kNoPoseRow);
    row(clip, 0, number) = words_of(link.rest.rotation);
    if (const Words turn = channel_of(words, link.rotation_slot); !turn.empty()) {
      const auto rows = rows_of(turn, std::bit_cast<float>(turn[4] & 0xFFFF0000u));
      row(clip, 0, number) = words_of(gpu::rotation_mean(turn[3], turn[4]));
      row(clip, 1, number) = rows[0];
      bits = glm::uvec4(rows[1].x, rows[1].y, 0, gpu::kNoPoseRow);
      if ((turn[4] & gpu::kFourComponents) != 0) {
        made_.shapes |= gpu::kPoseFourths;
        bits.x |= gpu::kPoseFourth;
        bits.y |= gpu::channel_width(turn[gpu::kRotationWords]) << (3 * gpu::kPoseWidthBits);
        bits.z = std::bit_cast<std::uint32_t>(gpu::channel_base(turn[gpu::kRotationWords]));
      }
    }
    const glm::vec4 rest(glm::vec3(link.rest.position), static_cast<float>(link.rest.scale));
    row(clip, 3, number) = words_of(rest);
    const Words shift = channel_of(words, link.translation_slot), growth = channel_of(words, link.scale_slot);
    if (!growth.empty() || rest.w != 1.0f) made_.shapes |= gpu::kPoseScales;
    if (shift.empty() && growth.empty()) return;
    if (growth.empty() && next_lane_ < width_) {
      const auto rows = rows_of(shift, std::bit_cast<float>(shift[3]));
      row(clip, 1, next_lane_) = rows[0];
      row(clip, 2, next_lane_) = glm::uvec4(rows[1].x, rows[1].y, 0, gpu::kNoPoseRow);
      bits.w = gpu::kPoseLane | static_cast<std::uint32_t>(next_lane_++);
      return;
    }
    made_.shapes |= gpu::kPoseOwn;
    bits.w = static_cast<std::uint32_t>(made_.rows.size());
    put_own(shift, glm::vec3(rest));
    put_own(growth, glm::vec3(rest.w));
  }

  void put_own(Words channel, const glm::vec3& rest) {
    // One step of what is so at rest is just that.
    std::array rows{words_of(glm::vec4(rest, 1.0f)), glm::uvec4(0)};
    if (!channel.empty()) rows = rows_of(channel, std::bit_cast<float>(channel[3]));
    made_.rows.insert(made_.rows.end(), rows.begin(), rows.end());
  }

  const Character& model_;
  std::size_t links_;
  std::size_t width_;
  std::size_t next_lane_ = 0;  // of those that have no link: the next to unpack a translation in this clip
  PoseTable made_;
};

}  // namespace

PoseTable pose_table(const Character& model, std::uint32_t threads) {
  if (model.clips().empty() || !std::ranges::all_of(model.clips(), is_channel_encoding, &BakedClip::encoding))
    return {};
  const std::size_t links = model.skeleton().size();
  if (std::max(links, model.bones().size()) > gpu::kMostJumpLinks) return {};
  if (std::max<std::size_t>(links, threads) * (1 + (gpu::kPoseRows + 4) * model.clips().size()) > kMostRows) return {};
  Table table(model, threads);
  table.put_jumps();
  for (std::size_t clip = 0; clip < model.clips().size(); ++clip) table.put_clip(clip);
  return table.take();
}

}  // namespace throng::detail::renderer
