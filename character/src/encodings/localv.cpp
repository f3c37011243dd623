// SPDX-License-Identifier: Apache-2.0
// localv: movements relative to the parent, each component in as many bits as the clip needs; needs a pose pass. The
// bits are described, and read, in throng/shaders/shared/channels.h.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "encodings/entry.h"
#include "throng/base/try.h"
#include "throng/character/channels.h"
#include "throng/shaders/shared/channels.h"

namespace throng {
namespace detail::character {

extern const EncodingEntry kLocalv;
const EncodingEntry kLocalv{
    .info = {.encoding = Encoding::localv,
             .name = "localv",
             .holds = "chains of rotation, translation and uniform scale",
             .kind = ItemKind::channel},
};

namespace {

constexpr std::uint32_t kMostChannelWord = gpu::kNoChannel - 1;
constexpr std::uint32_t kMostFrameBits = 1u << gpu::kChannelBits;
constexpr std::int64_t kMostBase = std::int64_t{1} << (gpu::kBaseBits - 1);
// Below it, w is too small for what rounding x, y and z makes of it: a rotation that far from the mean has w stored.
constexpr double kLeastW = 0.25;

float rotation_step(std::uint32_t word_4) { return std::bit_cast<float>(word_4 & 0xFFFF0000u); }

glm::dquat mean_of(std::uint32_t word_3, std::uint32_t word_4) {
  const gpu::vec4 mean = gpu::rotation_mean(word_3, word_4);
  return {static_cast<double>(mean.w), static_cast<double>(mean.x), static_cast<double>(mean.y),
          static_cast<double>(mean.z)};
}

// The components of a channel in one frame, in steps.
class FieldReader {
 public:
  FieldReader(ConstWords frame, std::uint32_t bit) : frame_(frame), bit_(bit) {}

  double next(std::uint32_t component) {
    const std::uint32_t width = gpu::channel_width(component);
    const std::uint32_t word = bit_ / 32;
    const std::uint32_t bits = gpu::bits_at(frame_[word], frame_[word + 1], bit_ % 32, width);
    bit_ += width;
    return static_cast<double>(gpu::channel_base(component)) + bits;
  }

 private:
  ConstWords frame_;
  std::uint32_t bit_;
};

std::uint32_t first_bit(ConstWords channel) { return gpu::channel_bit(channel[0], channel[1], channel[2]); }

// Relative to the mean.
glm::dquat rotation_in(ConstWords channel, ConstWords frame) {
  FieldReader fields(frame, first_bit(channel));
  const auto step = static_cast<double>(rotation_step(channel[4]));
  const double x = step * fields.next(channel[0]);
  const double y = step * fields.next(channel[1]);
  const double z = step * fields.next(channel[2]);
  if ((channel[4] & gpu::kFourComponents) != 0) return {step * fields.next(channel[5]), x, y, z};
  return {std::sqrt(std::max(0.0, 1.0 - (x * x + y * y + z * z))), x, y, z};
}

glm::dvec3 vector_in(ConstWords channel, ConstWords frame) {
  FieldReader fields(frame, first_bit(channel));
  const auto step = static_cast<double>(std::bit_cast<float>(channel[3]));
  glm::dvec3 out(step * fields.next(channel[0]));
  for (int i = 1; i < 3; ++i) {
    const std::uint32_t component = channel[static_cast<std::size_t>(i)];
    if (gpu::channel_width(component) != gpu::kSameAsX) out[i] = step * fields.next(component);
  }
  return out;
}

// A component of a channel: its word without the third of the bit, and what is taken off of its numbers.
struct Component {
  std::int64_t base = 0;
  std::uint32_t width = 0;

  std::uint32_t word() const {
    return (static_cast<std::uint32_t>(base) & ((1u << gpu::kBaseBits) - 1u)) | width << gpu::kBaseBits;
  }
};

Component component_of(const std::vector<ChannelSteps>& frames, std::size_t axis) {
  std::int64_t least = frames[0][axis];
  std::int64_t most = least;
  for (const ChannelSteps& frame : frames) {
    least = std::min<std::int64_t>(least, frame[axis]);
    most = std::max<std::int64_t>(most, frame[axis]);
  }
  return {least, static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(most - least)))};
}

// The mean direction of rotations, each by that of its two signs that is nearer.
glm::dquat mean_rotation(std::span<const glm::dquat> values) {
  glm::dquat mean = values[0];
  for (int round = 0; round < 2; ++round) {
    glm::dquat sum(0.0, 0.0, 0.0, 0.0);
    for (const glm::dquat& value : values) sum = sum + (glm::dot(mean, value) < 0.0 ? -value : value);
    if (glm::length(sum) > 1e-6) mean = glm::normalize(sum);
  }
  return mean;
}

// ConstWords 3 and 4 of a rotation, but for its step.
std::array<std::uint32_t, 2> mean_words(const glm::dquat& mean) {
  const std::array<double, 4> q{mean.x, mean.y, mean.z, mean.w};
  const auto largest = static_cast<std::size_t>(
      std::ranges::max_element(q, {}, [](double component) { return std::abs(component); }) - q.begin());
  std::array<std::uint32_t, 3> fields{};
  for (std::size_t i = 0, field = 0; i < 4; ++i) {
    if (i == largest) continue;
    const double value = (q[largest] < 0.0 ? -q[i] : q[i]) * std::numbers::sqrt2 * 16383.0;
    fields[field++] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::llround(value) + 16383, 0, 32766));
  }
  return {fields[0] | fields[1] << 15 | static_cast<std::uint32_t>(largest) << 30, fields[2]};
}

std::int32_t in_steps(double value, float step) {
  return static_cast<std::int32_t>(std::llround(value / static_cast<double>(step)));
}

// A channel: its words, and the components that go into the frames.
struct Channel {
  std::vector<std::uint32_t> words;
  std::vector<Component> components;

  std::uint32_t width() const {
    std::uint32_t sum = 0;
    for (const Component& component : components) sum += component.width;
    return sum;
  }
};

bool is_one_number(const SlotMotion& slot) {
  return slot.grid.kind == SlotKind::scale && std::ranges::all_of(slot.frames, [](const ChannelSteps& frame) {
           return frame[0] == frame[1] && frame[0] == frame[2];
         });
}

Channel channel_of(const SlotMotion& slot) {
  const ChannelGrid& grid = slot.grid;
  Channel out;
  const bool one_number = is_one_number(slot);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool same = one_number && axis > 0;
    if (!same) out.components.push_back(component_of(slot.frames, axis));
    out.words.push_back(same ? gpu::kSameAsX << gpu::kBaseBits : out.components[axis].word());
  }
  const auto step = std::bit_cast<std::uint32_t>(grid.step);
  if (grid.kind != SlotKind::rotation) {
    out.words.push_back(step);
    return out;
  }
  out.words.push_back(grid.mean_words[0]);
  out.words.push_back(grid.mean_words[1] | (grid.four ? gpu::kFourComponents : 0u) | step);
  if (grid.four) {
    out.components.push_back(component_of(slot.frames, 3));
    out.words.push_back(out.components[3].word());
  }
  return out;
}

void write_bits(std::span<std::uint32_t> frame, std::uint32_t bit, std::uint32_t width, std::uint64_t value) {
  const std::uint32_t word = bit / 32;
  const std::uint64_t shifted = value << bit % 32;
  frame[word] |= static_cast<std::uint32_t>(shifted);
  if (bit % 32 + width > 32) frame[word + 1] |= static_cast<std::uint32_t>(shifted >> 32);
}

// Whether a frame map can say which frames are stored.
Result<void> check_stored(std::span<const std::uint32_t> stored, std::uint32_t frame_count) {
  constexpr std::size_t kMostStored = 65536;
  if (stored.size() > kMostStored) return fail("{} stored frames are more than a map can name", stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const std::uint32_t end = i + 1 < stored.size() ? stored[i + 1] : frame_count;
    if (end - stored[i] > kMostFramesApart) return fail("stored frames are {} apart", end - stored[i]);
  }
  return {};
}

std::vector<std::uint32_t> frame_map(std::span<const std::uint32_t> stored, std::uint32_t frame_count) {
  std::vector<std::uint32_t> map;
  for (std::uint32_t i = 0; i < stored.size(); ++i) {
    const std::uint32_t end = i + 1 < stored.size() ? stored[i + 1] : frame_count;
    for (std::uint32_t frame = stored[i]; frame < end; ++frame)
      map.push_back(i | (frame - stored[i]) << 16 | (end - stored[i]) << 24);
  }
  return map;
}

}  // namespace
}  // namespace detail::character

using namespace detail::character;

glm::dquat mixed_rotation(const glm::dquat& from, const glm::dquat& to, double blend) {
  const double cosine = glm::dot(from, to);
  const auto by =
      static_cast<double>(gpu::turned_blend(static_cast<float>(std::abs(cosine)), static_cast<float>(blend)));
  return glm::normalize(from * (1.0 - by) + to * (cosine < 0.0 ? -by : by));
}

std::uint32_t ChannelReader::channel(std::uint32_t slot) const { return words_[slot / 2] >> (slot % 2 * 16) & 0xFFFFu; }

ChannelFrames ChannelReader::frames_at(std::uint32_t frame, std::uint32_t next, double blend) const {
  if (clip_.map == 0) return {frame, next, blend};
  const std::uint32_t map = words_[clip_.map + frame];
  const gpu::StoredFrames stored = gpu::stored_frames(map, clip_.stored_frames, 0.0f);
  return {stored.from, stored.to, ((map >> 16 & 0xFFu) + blend) / (map >> 24)};
}

std::optional<glm::dquat> ChannelReader::rotation(std::uint32_t slot, const ChannelFrames& frames) const {
  const std::uint32_t at = channel(slot);
  if (at == gpu::kNoChannel) return std::nullopt;
  const auto words = words_.subspan(at);
  const auto frame = [&](std::uint32_t number) {
    return rotation_in(words, words_.subspan(clip_.frames + std::size_t{number} * clip_.frame_words));
  };
  return glm::normalize(mean_of(words[3], words[4]) *
                        mixed_rotation(frame(frames.from), frame(frames.to), frames.blend));
}

std::optional<glm::dvec3> ChannelReader::vector(std::uint32_t slot, const ChannelFrames& frames) const {
  const std::uint32_t at = channel(slot);
  if (at == gpu::kNoChannel) return std::nullopt;
  const auto words = words_.subspan(at);
  const auto frame = [&](std::uint32_t number) {
    return vector_in(words, words_.subspan(clip_.frames + std::size_t{number} * clip_.frame_words));
  };
  return glm::mix(frame(frames.from), frame(frames.to), frames.blend);
}

ChannelGrid rotation_grid(std::span<const glm::dquat> values) {
  ChannelGrid grid;
  grid.mean_words = mean_words(mean_rotation(values));
  grid.mean = glm::normalize(mean_of(grid.mean_words[0], grid.mean_words[1]));
  grid.four = std::ranges::any_of(
      values, [&grid](const glm::dquat& value) { return std::abs(glm::dot(grid.mean, value)) < kLeastW; });
  return grid;
}

float channel_step(SlotKind kind, double step, double most) {
  const auto least = std::max({step, 1.001 * most / static_cast<double>(kMostBase - 1), 1e-30});
  const auto bits = std::bit_cast<std::uint32_t>(std::nextafter(static_cast<float>(least), 1e30f));
  // A rotation's step keeps the upper half of its bits, rounded up.
  return std::bit_cast<float>(kind == SlotKind::rotation ? (bits + 0xFFFFu) & 0xFFFF0000u : bits);
}

glm::dvec4 components_of(const ChannelGrid& grid, const glm::dquat& value) {
  const glm::dquat d = glm::normalize(glm::conjugate(grid.mean) * value);
  const glm::dvec4 components(d.x, d.y, d.z, d.w);
  return !grid.four && d.w < 0.0 ? -components : components;
}

ChannelSteps steps_of(const ChannelGrid& grid, const glm::dvec4& components) {
  return {in_steps(components.x, grid.step), in_steps(components.y, grid.step), in_steps(components.z, grid.step),
          grid.four ? in_steps(components.w, grid.step) : 0};
}

glm::dquat rotation_at(const ChannelGrid& grid, const ChannelSteps& steps) {
  const auto step = static_cast<double>(grid.step);
  const glm::dvec3 v = step * glm::dvec3(steps[0], steps[1], steps[2]);
  const double w = grid.four ? step * steps[3] : std::sqrt(std::max(0.0, 1.0 - glm::dot(v, v)));
  return glm::normalize(grid.mean * glm::dquat(w, v.x, v.y, v.z));
}

glm::dvec3 vector_at(const ChannelGrid& grid, const ChannelSteps& steps) {
  return static_cast<double>(grid.step) * glm::dvec3(steps[0], steps[1], steps[2]);
}

Result<EncodedChannels> encode_channels(std::span<const SlotMotion> slots, std::span<const std::uint32_t> stored,
                                        std::uint32_t frame_count) {
  EncodedChannels out;
  out.words.assign((slots.size() + 1) / 2, 0xFFFFFFFFu);
  std::vector<Channel> channels(slots.size());
  std::vector<std::uint32_t> first_bits(slots.size());
  std::uint32_t bit = 0;
  for (std::uint32_t slot = 0; slot < slots.size(); ++slot) {
    if (slots[slot].frames.empty()) continue;
    Channel& channel = channels[slot];
    channel = channel_of(slots[slot]);
    for (const Component& component : channel.components) {
      if (component.width > gpu::kMostWidth || component.base < -kMostBase || component.base >= kMostBase)
        return fail("slot {} moves through more steps than can be counted", slot);
    }
    if (out.words.size() > kMostChannelWord) return fail("{} slots are more than a table can name", slots.size());
    if (bit >= kMostFrameBits) return fail("a frame of {} slots has more bits than can be counted", slots.size());
    first_bits[slot] = bit;
    for (std::uint32_t i = 0; i < 3; ++i) channel.words[i] |= (bit >> (6 * i) & 63u) << 26;
    std::uint32_t& entry = out.words[slot / 2];
    const std::uint32_t shift = slot % 2 * 16;
    entry = (entry & ~(0xFFFFu << shift)) | static_cast<std::uint32_t>(out.words.size()) << shift;
    out.words.insert(out.words.end(), channel.words.begin(), channel.words.end());
    bit += channel.width();
  }
  out.clip.stored_frames = static_cast<std::uint32_t>(stored.size());
  out.clip.frame_words = (bit + 31) / 32;
  if (slots.empty()) out.clip.stored_frames = frame_count;  // frames of no words
  if (stored.size() < frame_count && !slots.empty()) {
    THRONG_CHECK(check_stored(stored, frame_count));
    const std::vector<std::uint32_t> map = frame_map(stored, frame_count);
    out.clip.map = static_cast<std::uint32_t>(out.words.size());
    out.words.insert(out.words.end(), map.begin(), map.end());
  }
  out.clip.frames = static_cast<std::uint32_t>(out.words.size());
  out.words.resize(out.words.size() + stored.size() * out.clip.frame_words, 0);
  for (std::size_t frame = 0; frame < stored.size(); ++frame) {
    const auto words = std::span(out.words).subspan(out.clip.frames + frame * out.clip.frame_words);
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      std::uint32_t at = first_bits[slot];
      const std::vector<Component>& components = channels[slot].components;
      for (std::size_t i = 0; i < components.size(); ++i) {
        if (components[i].width > 0)
          write_bits(words, at, components[i].width,
                     static_cast<std::uint64_t>(slots[slot].frames[frame][i] - components[i].base));
        at += components[i].width;
      }
    }
  }
  return out;
}

namespace {

Result<void> check_component(std::uint32_t word, bool may_repeat, std::uint64_t& bits) {
  const std::uint32_t width = gpu::channel_width(word);
  if (may_repeat && width == gpu::kSameAsX) return {};
  if (width > gpu::kMostWidth) return fail("a component is {} bits wide", width);
  bits += width;
  return {};
}

// Far beyond any rotation's components, but near enough that no number made of them overflows.
constexpr double kMostRotation = 8.0;

double farthest(std::uint32_t word, float step) {
  const auto base = static_cast<double>(gpu::channel_base(word));
  const double last = base + std::exp2(gpu::channel_width(word)) - 1.0;
  return static_cast<double>(step) * std::max(std::abs(base), std::abs(last));
}

Result<void> check_channel(std::span<const std::uint32_t> channel, SlotKind kind, std::uint64_t frame_bits) {
  const bool turns = kind == SlotKind::rotation;
  if (channel.size() < (turns ? gpu::kRotationWords : gpu::kChannelWords)) return fail("a channel ends early");
  std::uint64_t bits = gpu::channel_bit(channel[0], channel[1], channel[2]);
  for (std::size_t i = 0; i < 3; ++i) THRONG_CHECK(check_component(channel[i], kind == SlotKind::scale && i > 0, bits));
  if ((gpu::channel_width(channel[1]) == gpu::kSameAsX) != (gpu::channel_width(channel[2]) == gpu::kSameAsX))
    return fail("a scale has two numbers");
  const float step = turns ? rotation_step(channel[4]) : std::bit_cast<float>(channel[3]);
  if (!(step > 0.0f) || !std::isfinite(step * 1e8f)) return fail("a channel has steps of {}", step);
  if (turns && (channel[4] & gpu::kFourComponents) != 0) {
    if (channel.size() <= gpu::kRotationWords) return fail("a channel ends early");
    THRONG_CHECK(check_component(channel[gpu::kRotationWords], false, bits));
    if (farthest(channel[gpu::kRotationWords], step) > kMostRotation) return fail("a rotation is out of all range");
  }
  for (std::size_t i = 0; turns && i < 3; ++i)
    if (farthest(channel[i], step) > kMostRotation) return fail("a rotation is out of all range");
  if (bits > frame_bits) return fail("a channel reaches past its frame");
  return {};
}

Result<void> check_map(std::span<const std::uint32_t> map, const ChannelClip& clip) {
  for (const std::uint32_t word : map) {
    if ((word & 0xFFFFu) >= clip.stored_frames || (word >> 16 & 0xFFu) >= word >> 24)
      return fail("its frame map leads to frames that are not stored");
  }
  return {};
}

}  // namespace

Result<void> check_channels(std::span<const std::uint32_t> words, const ChannelClip& clip,
                            std::span<const SlotKind> kinds, std::uint32_t frame_count) {
  const std::uint64_t table = (kinds.size() + 1) / 2;
  const std::uint64_t frames = std::uint64_t{clip.stored_frames} * clip.frame_words;
  if (clip.stored_frames == 0) return fail("has no stored frames");
  if (clip.map == 0 && clip.stored_frames != frame_count)
    return fail("has {} frames of which {} are stored, and no map of them", frame_count, clip.stored_frames);
  if (clip.map != 0 && (clip.map < table || std::uint64_t{clip.map} + frame_count > clip.frames))
    return fail("its frame map lies where other words are");
  if (clip.frames < table || frames > words.size() ||
      std::uint64_t{clip.first_word} + clip.frames + frames + kChannelPadding > words.size())
    return fail("its words are not all there");
  const auto own = words.subspan(clip.first_word);
  if (clip.map != 0) THRONG_CHECK(check_map(own.subspan(clip.map, frame_count), clip));
  const std::size_t header = clip.map != 0 ? clip.map : clip.frames;
  for (std::size_t slot = 0; slot < kinds.size(); ++slot) {
    const std::uint32_t at = own[slot / 2] >> (slot % 2 * 16) & 0xFFFFu;
    if (at == gpu::kNoChannel) continue;
    if (at < table || at >= header) return fail("a slot has no channel");
    THRONG_CHECK(check_channel(own.subspan(at, header - at), kinds[slot], 32ull * clip.frame_words));
  }
  return {};
}

}  // namespace throng
