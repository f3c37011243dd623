// The words of every frame that a clip plays. Clips may share frames, so each frame is looked at once an encoding, not
// once a clip.
#include <algorithm>
#include <bit>
#include <map>

#include "check_character.h"
#include "check_values.h"

namespace throng {
namespace {

// Neither half is infinite or NaN.
bool halves_finite(std::span<const std::uint32_t> words) {
  bool finite = true;
  for (const std::uint32_t word : words) {
    finite &= (word & 0x7C00u) != 0x7C00u;
    finite &= (word & 0x7C000000u) != 0x7C000000u;
  }
  return finite;
}

// Four SNORM16 whose squares sum to one, in integers because there may be very many.
bool snorm16_is_unit(std::uint32_t xy, std::uint32_t zw) {
  constexpr double kOne = 32767.0;
  constexpr auto kLeast = static_cast<std::int64_t>(kOne * kOne * (1.0 - kUnitTolerance) * (1.0 - kUnitTolerance));
  constexpr auto kMost = static_cast<std::int64_t>(kOne * kOne * (1.0 + kUnitTolerance) * (1.0 + kUnitTolerance));
  const auto squared = [](std::uint32_t bits) {
    const std::int64_t value = static_cast<std::int16_t>(static_cast<std::uint16_t>(bits & 0xFFFFu));
    return value * value;
  };
  const std::int64_t sum = squared(xy) + squared(xy >> 16) + squared(zw) + squared(zw >> 16);
  return sum >= kLeast && sum <= kMost;
}

// The first two of every `stride` words.
bool quaternions_unit(std::span<const std::uint32_t> words, std::size_t stride, std::size_t count) {
  bool unit = true;
  for (std::size_t i = 0; i < count; ++i) unit &= snorm16_is_unit(words[i * stride], words[i * stride + 1]);
  return unit;
}

bool half_quaternions_unit(std::span<const std::uint32_t> words) {
  const std::size_t stride = words_per_item(Encoding::half_quaternion, false);
  for (std::size_t first = 0; first + stride <= words.size(); first += stride) {
    if (!is_unit(decode_bone(Encoding::half_quaternion, words.subspan(first, stride), {}).rotation)) return false;
  }
  return true;
}

bool origin_near(std::span<const std::uint32_t> header) {
  return std::all_of(header.begin(), header.begin() + 3, [](std::uint32_t word) {
    return std::abs(std::bit_cast<float>(word)) <= kFarthest;  // false for NaN
  });
}

// Other encodings: whatever their bits, they say something that can be drawn.
bool needs_check(Encoding encoding) {
  return is_half(encoding) || encoding == Encoding::q16 || encoding == Encoding::local8 || encoding == Encoding::q8;
}

// What is alike in all frames of an encoding; found once, since there may be very many.
struct FrameKind {
  Encoding encoding;
  std::size_t words;       // of a frame
  std::size_t rotations;   // SNORM16 quaternions
  std::size_t item_words;  // from one of them to the next
};

FrameKind kind_of(const CharacterDraft& model, Encoding encoding) {
  const std::uint32_t items = item_count(model, encoding);
  FrameKind kind{encoding, words_per_frame(encoding, items, model.tangents_animated), 0,
                 words_per_item(encoding, model.tangents_animated)};
  if (encoding == Encoding::q16) kind.rotations = items;
  if (encoding == Encoding::local8) kind.rotations = rotation_slots(model);
  return kind;
}

Result<void> check_frame(const FrameKind& kind, std::span<const std::uint32_t> words) {
  if (kind.encoding == Encoding::q8 && !origin_near(words)) return fail("has an origin that is not finite");
  if (is_half(kind.encoding) && !halves_finite(words)) return fail("holds a half float that is not finite");
  const bool unit = quaternions_unit(words, kind.item_words, kind.rotations) &&
                    (kind.encoding != Encoding::half_quaternion || half_quaternions_unit(words));
  if (!unit) return fail("holds a rotation that is not of unit length");
  return {};
}

struct FrameRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

// The frames that clips of one encoding play in one layer.
struct Played {
  FrameLayout layout;
  std::vector<FrameRange> ranges;
};

Result<void> check_played(const Atlas& atlas, const FrameKind& kind, std::uint32_t layer, Played& played) {
  std::sort(played.ranges.begin(), played.ranges.end(),
            [](const FrameRange& a, const FrameRange& b) { return a.first < b.first; });
  std::uint32_t next = 0;
  for (const FrameRange& range : played.ranges) {
    for (next = std::max(next, range.first); next < range.end; ++next) {
      if (auto ok = check_frame(kind, atlas.frame(played.layout, layer, next).first(kind.words)); !ok) {
        return fail("frame {} of layer {} ({}) {}", next, layer, name_of(kind.encoding), ok.error().message);
      }
    }
  }
  return {};
}

}  // namespace

Result<void> check_frames(const CharacterDraft& model) {
  std::map<std::pair<Encoding, std::uint32_t>, Played> played;
  for (const BakedClip& clip : model.clips) {
    if (!needs_check(clip.encoding)) continue;
    Played& here = played[{clip.encoding, clip.layer}];
    if (here.ranges.empty()) here.layout = frame_layout(model, clip);
    here.ranges.push_back({clip.first_frame, clip.first_frame + clip.frame_count});
  }
  for (auto& [where, frames] : played) {
    const auto& [encoding, layer] = where;
    if (auto ok = check_played(model.atlas, kind_of(model, encoding), layer, frames); !ok) return ok;
  }
  return {};
}

}  // namespace throng
