// SPDX-License-Identifier: Apache-2.0
#pragma once
// The error of a baked clip measured the slow way, through public functions alone: decode_pose and skin_mesh.

#include <algorithm>
#include <vector>

#include "small_models.h"
#include "throng/character/decode.h"

namespace throng {

struct ReferenceErrors {
  std::vector<double> at_frames, between;  // millimetres, every vertex at every point

  static double max(const std::vector<double>& v) { return v.empty() ? 0.0 : *std::max_element(v.begin(), v.end()); }
  static double rms(const std::vector<double>& v) {
    double sum = 0.0;
    for (const double e : v) sum += e * e;
    return v.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(v.size()));
  }
  static double p999(std::vector<double> v) {
    if (v.empty()) return 0.0;
    std::sort(v.begin(), v.end());
    return v[static_cast<std::size_t>(std::ceil(0.999 * static_cast<double>(v.size()))) - 1];
  }
};

// `source`: the clip of the model that was baked. So many points an interval; every `step`th frame's. A time past the
// source's last key is left out, as the report leaves it out.
inline void measure_clip(const Model& model, const Character& out, std::size_t clip_index, const Clip& source,
                         std::uint32_t step, ReferenceErrors& all, std::uint32_t points = 8) {
  const BakedClip& clip = out.clips()[clip_index];
  const std::uint32_t intervals = clip.loops ? clip.frame_count : clip.frame_count - 1;
  for (std::uint32_t frame = 0; frame < clip.frame_count; frame += step) {
    for (std::uint32_t point = 0; point < (frame < intervals ? points : 1u); ++point) {
      const double blend = static_cast<double>(point) / points;
      const double seconds = intervals == 0 ? 0.0 : clip.length * (frame + blend) / intervals;
      if (clip.source_start + seconds > source.end + 1e-9) continue;
      const std::uint32_t next = point == 0 ? frame : (frame + 1) % clip.frame_count;
      const Cursor cursor{clip.first_frame + frame, clip.first_frame + next, 0.0f};
      const auto decoded = decode_pose(out, clip, cursor, blend);
      const auto truth = source_vertices(model, out, sample(model, source, clip.source_start + seconds));
      auto& errors = point == 0 ? all.at_frames : all.between;
      for (std::size_t v = 0; v < truth.positions.size(); ++v) {
        errors.push_back(glm::distance(decoded.positions[v], truth.positions[v]) * out.error().mm_per_unit);
      }
    }
  }
}

// The largest errors that a report gives hold at moments that the bake did not look at, and are hardly more than what
// is there: an eighth of how much a parabola bends between two of eight looks is 1/64 of its height. Looks that are
// moved to keys are up to twice as far apart, and an error that bends first one way and then the other is given more
// room. `between` comes up to the frames, and so holds at them.
inline void expect_holds(const ErrorFigures& at_frames, const ErrorFigures& between, const ReferenceErrors& measured) {
  constexpr double kRounding = 1e-9;
  constexpr double kLooseness = 1.15;
  const double at = ReferenceErrors::max(measured.at_frames);
  const double off = ReferenceErrors::max(measured.between);
  EXPECT_NEAR(at_frames.max_mm, at, kRounding * (1.0 + at));
  EXPECT_GE(between.max_mm, off - kRounding * (1.0 + off));
  EXPECT_LE(between.max_mm, kLooseness * std::max(at, off) + kRounding);
}

// The largest error of a clip, at its frames and between, in millimetres.
inline double worst_of(const Model& model, const Character& out, std::size_t clip) {
  ReferenceErrors errors;
  measure_clip(model, out, clip, model.clips()[*model.find_clip(out.clips()[clip].name)], 1, errors);
  return std::max(ReferenceErrors::max(errors.at_frames), ReferenceErrors::max(errors.between));
}

}  // namespace throng
