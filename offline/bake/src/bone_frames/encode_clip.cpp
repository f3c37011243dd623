// SPDX-License-Identifier: Apache-2.0
#include "bone_frames/encode_clip.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "bone_frames/frame_origins.h"
#include "bone_frames/nearest_item.h"

namespace throng::detail::bake {
namespace {

// Source matrices are products of floats; a scale within their rounding of 1 is 1, which 16 bits then hold exactly.
constexpr double kFloatNoise = 1e-6;
// Scales that differ by no more than this part of themselves are one: half of it moves a vertex half a metre away by
// 0.025 mm, within what q12 rounds positions to.
constexpr double kOneScale = 1e-4;
constexpr double kLargestHalf = 65504.0;
// Radians that four components of 16 bits are off by at most, each by half of 1/32767.
constexpr double kMostTurned = 6.2e-5;

std::optional<Misfit> beyond_halves(const ColumnSamples& samples) {
  for (std::size_t i = 0; i < samples.matrices.size(); ++i) {
    const glm::dmat4& m = samples.matrices[i];
    double most = 0.0;
    for (int c = 0; c < 4; ++c) most = std::max({most, std::abs(m[c].x), std::abs(m[c].y), std::abs(m[c].z)});
    if (most <= kLargestHalf) continue;
    return Misfit{i % samples.column_count, static_cast<std::uint32_t>(i / samples.column_count),
                  fmt::format("reaches {:.6g}, where half floats end at {:.0f},", most, kLargestHalf)};
  }
  return std::nullopt;
}

std::optional<Misfit> changing_scale(const ColumnSamples& samples) {
  const double first = samples.rigid.empty() ? 1.0 : samples.rigid[0].scale;
  double least = first;
  double most = first;
  for (std::size_t i = 0; i < samples.rigid.size(); ++i) {
    const double scale = samples.rigid[i].scale;
    least = std::min(least, scale);
    most = std::max(most, scale);
    if (most - least <= kOneScale * most && least > 0.0) continue;
    return Misfit{
        i % samples.column_count, static_cast<std::uint32_t>(i / samples.column_count),
        fmt::format("is scaled by {:.4g} where bones before it are by {:.4g}", scale, scale == most ? least : most)};
  }
  return std::nullopt;
}

double snapped_to_one(double scale) { return std::abs(scale - 1.0) <= kFloatNoise ? 1.0 : scale; }

double largest_entry(const ColumnSamples& samples) {
  double largest = 0.0;
  for (const glm::dmat4& m : samples.matrices) {
    for (int c = 0; c < 3; ++c) largest = std::max({largest, std::abs(m[c].x), std::abs(m[c].y), std::abs(m[c].z)});
  }
  return largest;
}

double scale_for(Encoding encoding, const ColumnSamples& samples) {
  if (is_half(encoding)) return 1.0;
  if (is_affine_encoding(encoding)) return largest_entry(samples);
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (const Rigid& rigid : samples.rigid) {
    least = std::min(least, rigid.scale);
    most = std::max(most, rigid.scale);
  }
  return snapped_to_one(info_of(encoding).one_scale ? 0.5 * (least + most) : most);
}

void set_box(const Bounds& box, ClipRange& range) {
  for (int axis = 0; axis < 3; ++axis) {
    range.pivot_min[axis] = static_cast<double>(float_below(box.min[axis]));
    range.pivot_size[axis] = static_cast<double>(float_above(box.max[axis] - range.pivot_min[axis]));
  }
}

void set_box(const std::vector<glm::dvec3>& positions, double slack, ClipRange& range) {
  Bounds box;
  for (const glm::dvec3& p : positions) box.add(p);
  set_box({box.min - slack, box.max + slack}, range);
}

// Range and positions of a clip whose pivots are chosen.
struct Fitting {
  Encoding encoding;
  const ColumnSamples& samples;
  const ColumnShape& shape;
  const std::vector<glm::vec3>& pivots;

  glm::dvec3 pivot(std::size_t sample) const { return glm::dvec3(pivots[sample % samples.column_count]); }

  double scale_max() const {
    const double scale = scale_for(encoding, samples);
    if (!(scale > 0.0)) return 1.0;
    return static_cast<double>(info_of(encoding).one_scale ? static_cast<float>(scale) : float_above(scale));
  }

  // How far from where it is first put a position may be moved to do better.
  double slack() const {
    if (encoding != Encoding::q16) return 0.0;
    double arm = 0.0;
    for (std::size_t i = 0; i < samples.column_count; ++i) {
      arm = std::max(arm, glm::distance(glm::dvec3(pivots[i]), shape.items[i].middle));
    }
    return kMostTurned * arm * scale_for(encoding, samples);
  }

  // Where the pivot goes in sample i, by frame and column.
  glm::dvec3 position(std::size_t i, const ClipRange& range) const {
    if (is_affine_encoding(encoding)) return glm::dvec3(samples.matrices[i] * glm::dvec4(pivot(i), 1.0));
    const Rigid& r = samples.rigid[i];
    if (is_half(encoding)) return r.rotation * (r.scale * pivot(i)) + r.translation;
    return balanced(encoding, r, pivot(i), shape.items[i % samples.column_count], range).position;
  }

  // What to store when the clip is not one of matrices.
  BoneSample sample(std::size_t i, const glm::dvec3& position, const ClipRange& range) const {
    if (encoding == Encoding::q16) {
      return nearest_q16(samples.rigid[i], pivot(i), shape.items[i % samples.column_count], range);
    }
    return {samples.rigid[i].rotation, position, samples.rigid[i].scale};
  }
};

// q8's extra: positions count from an origin of the frame, in a box of the column.
void add_column_boxes(const std::vector<glm::dvec3>& positions, std::size_t columns, EncodedClip& clip,
                      std::vector<ClipRange>& ranges) {
  std::vector<Bounds> boxes(columns);
  for (std::size_t i = 0; i < positions.size(); ++i) boxes[i % columns].add(positions[i]);
  for (const Bounds& box : boxes) {
    ClipRange range = clip.range;
    set_box(box, range);
    clip.table.emplace_back(glm::vec3(range.pivot_min), 0.0f);
    clip.table.emplace_back(glm::vec3(range.pivot_size), 0.0f);
    ranges.push_back(range);
  }
}

void write_frame(const EncodedClip& clip, const Fitting& fitting, const std::vector<glm::dvec3>& positions,
                 const std::vector<ClipRange>& ranges, std::uint32_t frame, std::span<std::uint32_t> words) {
  const ColumnSamples& samples = fitting.samples;
  const std::uint32_t item = words_per_item(clip.encoding, false);
  for (std::size_t column = 0; column < samples.column_count; ++column) {
    const std::size_t i = samples.at(frame, column);
    const ClipRange& range = ranges.empty() ? clip.range : ranges[column];
    const auto out = words.subspan(column * item, item);
    if (is_affine_encoding(clip.encoding)) {
      encode_affine(clip.encoding, {glm::dmat3(samples.matrices[i]), positions[i]}, range, out);
    } else {
      encode_bone(clip.encoding, fitting.sample(i, positions[i], range), range, out);
    }
  }
}

}  // namespace

float float_below(double value) {
  const float rounded = static_cast<float>(value);
  return static_cast<double>(rounded) > value ? std::nextafter(rounded, -std::numeric_limits<float>::infinity())
                                              : rounded;
}
float float_above(double value) { return -float_below(-value); }

std::optional<Misfit> misfit_of(Encoding encoding, const ColumnSamples& samples) {
  if (!is_affine_encoding(encoding) && samples.misfit) return samples.misfit;
  if (is_half(encoding)) return beyond_halves(samples);
  return info_of(encoding).one_scale ? changing_scale(samples) : std::nullopt;
}

std::string_view held_by(Encoding encoding) { return info_of(encoding).holds; }

EncodedClip encode_clip(Encoding encoding, const ColumnSamples& samples, const ColumnShape& shape) {
  const std::vector<glm::vec3> pivots = choose_pivots(encoding, samples, shape);
  const Fitting fitting{encoding, samples, shape, pivots};
  EncodedClip clip;
  clip.encoding = encoding;
  clip.frame_count = samples.frame_count;
  clip.words_per_frame = words_per_frame(encoding, static_cast<std::uint32_t>(samples.column_count), false);
  clip.range.scale_max = fitting.scale_max();
  std::vector<glm::dvec3> positions(samples.matrices.size());
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = fitting.position(i, clip.range);
  if (!is_half(encoding) && !info_of(encoding).column_boxes) set_box(positions, fitting.slack(), clip.range);
  for (const glm::vec3& pivot : pivots) clip.table.emplace_back(pivot, 0.0f);
  std::vector<ClipRange> ranges;
  std::vector<glm::vec3> origins;
  if (info_of(encoding).column_boxes) {
    origins = take_off_origins(positions, samples.column_count);
    add_column_boxes(positions, samples.column_count, clip, ranges);
  }
  clip.words.assign(clip.words_per_frame * samples.frame_count, 0);
  const std::uint32_t header = header_words(encoding);
  for (std::uint32_t frame = 0; frame < samples.frame_count; ++frame) {
    const auto words = std::span(clip.words).subspan(frame * clip.words_per_frame, clip.words_per_frame);
    for (int axis = 0; axis < 3 && header > 0; ++axis) {
      words[static_cast<std::size_t>(axis)] = std::bit_cast<std::uint32_t>(origins[frame][axis]);
    }
    write_frame(clip, fitting, positions, ranges, frame, words.subspan(header));
  }
  return clip;
}

}  // namespace throng::detail::bake
