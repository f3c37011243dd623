#include "scales.h"

#include <algorithm>

namespace throng {
namespace {

// The bits of an item's words that hold its scale, where they lie in one word.
struct ScaleField {
  std::uint32_t word = 0;
  std::uint32_t mask = 0;
};

std::optional<ScaleField> scale_field(Encoding encoding) {
  switch (encoding) {
    case Encoding::q16:
    case Encoding::half_quaternion:
      return ScaleField{3, 0xFFFF0000u};
    case Encoding::x16:
      return ScaleField{3, 0xFFF00000u};
    case Encoding::q12:
    case Encoding::q8:
      return ScaleField{0, 0};  // one scale a clip
    default:
      return std::nullopt;
  }
}

bool has_one_scale(const Character& model, const BakedClip& clip) {
  const std::optional<ScaleField> field = scale_field(clip.encoding);
  if (!field) return false;
  if (field->mask == 0) return true;
  const FrameLayout frames = frame_layout(model, clip);
  const std::uint32_t stride = words_per_item(clip.encoding, false);
  std::optional<std::uint32_t> first;
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const auto words = model.atlas().frame(frames, clip.layer, clip.first_frame + frame);
    for (std::size_t column = 0; column < model.bones().size(); ++column) {
      const std::uint32_t scale = words[header_words(clip.encoding) + column * stride + field->word] & field->mask;
      if (scale != first.value_or(scale)) return false;
      first = scale;
    }
  }
  // Below 0 a scale mirrors, and turns normals the other way.
  return clip.encoding != Encoding::half_quaternion || (first.value_or(0) & 0x80000000u) == 0;
}

}  // namespace

bool has_one_scale(const Character& model) {
  return std::ranges::all_of(model.clips(), [&](const BakedClip& clip) { return has_one_scale(model, clip); });
}

}  // namespace throng
