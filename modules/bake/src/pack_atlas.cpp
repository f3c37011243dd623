#include "pack_atlas.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng {
namespace {

constexpr std::uint32_t kMaxColumns = 65535;  // vertices name columns with 16 bits
constexpr std::uint32_t kMaxLayers = 256;     // what every Vulkan device can do
constexpr std::uint64_t kMaxBytes = std::uint64_t{2} << 30;

// The float not above (below) a number: ranges are floats to the shader, and must hold every value all the same.
float float_below(double value) {
  const float rounded = static_cast<float>(value);
  return static_cast<double>(rounded) > value ? std::nextafter(rounded, -std::numeric_limits<float>::infinity())
                                              : rounded;
}
float float_above(double value) { return -float_below(-value); }

glm::dvec3 pivot_at(const Column& column, std::size_t clip, std::size_t frame) {
  const Rigid& rigid = column.motion[clip][frame];
  return rigid.rotation * (rigid.scale * column.pivot) + rigid.translation;
}

Q16Range range_of(const Columns& columns, std::size_t clip) {
  Bounds box;
  double scale_max = 0.0;
  for (const Column& column : columns.all) {
    for (std::size_t frame = 0; frame < column.motion[clip].size(); ++frame) {
      box.add(pivot_at(column, clip, frame));
      scale_max = std::max(scale_max, column.motion[clip][frame].scale);
    }
  }
  Q16Range range;
  for (int axis = 0; axis < 3; ++axis) {
    range.pivot_min[axis] = static_cast<double>(float_below(box.min[axis]));
    range.pivot_size[axis] = static_cast<double>(float_above(box.max[axis] - range.pivot_min[axis]));
  }
  // Source matrices are products of floats; a scale within their rounding of 1 is 1, which 16 bits then hold exactly.
  constexpr double kFloatNoise = 1e-6;
  if (std::abs(scale_max - 1.0) <= kFloatNoise) scale_max = 1.0;
  range.scale_max = scale_max > 0.0 ? static_cast<double>(float_above(scale_max)) : 1.0;
  return range;
}

std::vector<BakedEvent> events_of(const ClipPlan& plan) {
  std::vector<BakedEvent> events;
  for (const Event& event : plan.clip.events) {
    events.push_back({std::clamp(event.time - plan.clip.start, 0.0, plan.frames.length), event.name});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const BakedEvent& a, const BakedEvent& b) { return a.time < b.time; });
  return events;
}

Result<void> check_size(const PackedAtlas& atlas) {
  if (atlas.layer_count > kMaxLayers) {
    return fail(
        "the clips need {} atlas layers; at most {} are possible: bake fewer clips, lower the frame rate or raise the "
        "atlas "
        "size",
        atlas.layer_count, kMaxLayers);
  }
  const std::uint64_t bytes = std::uint64_t{atlas.layout.width} * atlas.height * atlas.layer_count * sizeof(Texel);
  if (bytes > kMaxBytes) {
    return fail(
        "the animation texture needs {} bytes; at most {} are possible: bake fewer clips or lower the frame rate",
        bytes, kMaxBytes);
  }
  return {};
}

BakedClip placed_clip(const ClipPlan& plan, std::uint32_t layer, std::uint32_t first_frame) {
  BakedClip clip;
  clip.name = plan.clip.name;
  clip.source_start = plan.clip.start;
  clip.length = plan.frames.length;
  clip.loops = plan.frames.loops;
  clip.frame_count = plan.frames.frame_count;
  clip.first_frame = first_frame;
  clip.layer = layer;
  clip.events = events_of(plan);
  return clip;
}

Result<PackedAtlas> place_clips(std::size_t column_count, const std::vector<ClipPlan>& plans, std::uint32_t max_size) {
  if (column_count > kMaxColumns) return fail("{} bones are used; at most {} are possible", column_count, kMaxColumns);
  PackedAtlas atlas;
  atlas.layout = make_layout(static_cast<std::uint32_t>(column_count), max_size);
  const std::uint32_t per_layer = frames_per_layer(atlas.layout, max_size);
  std::uint32_t next_frame = 0;
  for (const ClipPlan& plan : plans) {
    const std::uint32_t count = plan.frames.frame_count;
    if (count > per_layer) {
      return fail(
          "clip '{}' has {} frames of {} rows; an atlas of {} rows holds {}: cut the clip, lower the frame rate or "
          "raise "
          "the atlas size",
          plan.clip.name, count, atlas.layout.rows_per_frame, max_size, per_layer);
    }
    if (atlas.layer_count == 0 || next_frame + count > per_layer) {
      ++atlas.layer_count;
      next_frame = 0;
    }
    atlas.clips.push_back(placed_clip(plan, atlas.layer_count - 1, next_frame));
    next_frame += count;
    atlas.height = std::max(atlas.height, next_frame * atlas.layout.rows_per_frame);
  }
  if (auto ok = check_size(atlas); !ok) return fail(std::move(ok));
  return atlas;
}

void fill_texels(const Columns& columns, PackedAtlas& atlas) {
  atlas.texels.resize(std::size_t{atlas.layout.width} * atlas.height * atlas.layer_count);
  for (std::size_t index = 0; index < atlas.clips.size(); ++index) {
    const BakedClip& clip = atlas.clips[index];
    for (std::uint32_t bone = 0; bone < columns.all.size(); ++bone) {
      const Column& column = columns.all[bone];
      for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
        const Rigid& rigid = column.motion[index][frame];
        const TexelCoordinate at = texel_of(atlas.layout, clip.first_frame + frame, bone);
        atlas.texels[(std::size_t{clip.layer} * atlas.height + at.y) * atlas.layout.width + at.x] =
            encode_q16({rigid.rotation, pivot_at(column, index, frame), rigid.scale}, clip.range);
      }
    }
  }
}

}  // namespace

Result<void> check_fit(std::size_t column_count, const std::vector<ClipPlan>& plans, std::uint32_t max_size) {
  if (auto atlas = place_clips(column_count, plans, max_size); !atlas) return fail(std::move(atlas));
  return {};
}

Result<PackedAtlas> pack_atlas(const Columns& columns, const std::vector<ClipPlan>& plans, std::uint32_t max_size) {
  auto placed = place_clips(columns.all.size(), plans, max_size);
  if (!placed) return placed;
  PackedAtlas& atlas = *placed;
  for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) atlas.clips[clip].range = range_of(columns, clip);
  fill_texels(columns, atlas);
  return placed;
}

}  // namespace throng
