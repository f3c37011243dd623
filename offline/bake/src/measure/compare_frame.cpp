// SPDX-License-Identifier: Apache-2.0
#include "measure/compare_frame.h"

#include <algorithm>
#include <cmath>

#include "throng/character/decode.h"
#include "throng/math/directions.h"

namespace throng::detail::bake {
namespace {

constexpr int kHalfway = kPointsPerInterval / 2;  // where normals are compared between frames
constexpr double kEven = 1e-6;                    // of its size that a matrix may be off a rotation
constexpr double kFloatRounding = 1e-6;           // of the bounds' size: what a shader adds to a decoded position

// v ↦ linear · v + offset, by rows.
struct Move {
  std::array<glm::dvec4, 3> rows;  // w: the offset
};

Move to_move(const glm::dmat3& linear, const glm::dvec3& offset) {
  Move move;
  for (int row = 0; row < 3; ++row) {
    move.rows[static_cast<std::size_t>(row)] = {linear[0][row], linear[1][row], linear[2][row], offset[row]};
  }
  return move;
}

// A matrix for normals. `even`: it changes no lengths.
struct Turn {
  Move move;
  bool even = false;
};

struct Palettes {
  std::vector<Move> source;  // empty: the source says nothing here
  std::vector<Turn> source_normals;
  std::vector<Move> baked;
  std::vector<Turn> baked_normals;
};

// Scratch of one thread: where the last three points of an interval were, by block.
using Path = std::array<std::vector<Points4>, 3>;

Double4 row_of(const glm::dvec4& row, const Points4& v) {
  return row.x * v.x + row.y * v.y + row.z * v.z + splat4(row.w);
}

Points4 moved(const Move& move, const Points4& v) {
  return {row_of(move.rows[0], v), row_of(move.rows[1], v), row_of(move.rows[2], v)};
}

template <std::size_t kSlots>
Points4 blended(const BoundPoints4<kSlots>& side, const std::vector<Move>& moves) {
  Points4 out = side.weights[0] * moved(moves[side.slots[0]], side.points);
  for (std::uint32_t i = 1; i < side.slot_count; ++i) {
    out = out + side.weights[i] * moved(moves[side.slots[i]], side.points);
  }
  return out;
}

// A rotation that scales evenly is as good without the scale, and saves its vertices the square roots.
Turn to_turn(const glm::dmat3& m) {
  const glm::dmat3 square = glm::transpose(m) * m;
  const double size = (square[0][0] + square[1][1] + square[2][2]) / 3.0;
  if (!(size > 0.0)) return {to_move(m, glm::dvec3(0.0)), false};
  double apart = 0.0;
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) {
      apart = std::max(apart, std::abs(square[column][row] - (column == row ? size : 0.0)));
    }
  }
  return {to_move(m / std::sqrt(size), glm::dvec3(0.0)), apart <= kEven * size};
}

Points4 unit_or_none(const Points4& v) {
  const Double4 squared = dot(v, v);
  const auto inverse = [&squared](std::size_t i) { return squared[i] > 0.0 ? 1.0 / std::sqrt(squared[i]) : 0.0; };
  return Double4{Double2{inverse(0), inverse(1)}, Double2{inverse(2), inverse(3)}} * v;
}

// Of no certain length.
template <std::size_t kSlots>
Points4 blended_direction(const BoundPoints4<kSlots>& side, const std::vector<Turn>& turns) {
  if (side.slot_count == 1) return moved(turns[side.slots[0]].move, side.points);
  Points4 out;
  for (std::uint32_t i = 0; i < side.slot_count; ++i) {
    const Turn& turn = turns[side.slots[i]];
    const Points4 turned = moved(turn.move, side.points);
    out = out + side.weights[i] * (turn.even ? turned : unit_or_none(turned));
  }
  return out;
}

Palettes palettes_at(const CompareTask& task, std::uint32_t frame, double blend, double time, bool normals) {
  Palettes out;
  const bool has_source = task.plan.has_source(time);
  if (has_source) {
    for (const glm::dmat4& m : palette_at(task.source, task.plan, time)) {
      out.source.push_back(to_move(glm::dmat3(m), glm::dvec3(m[3])));
      if (normals) out.source_normals.push_back(to_turn(normal_matrix(glm::dmat3(m))));
    }
  }
  Cursor cursor{};
  cursor.frame = task.clip.first_frame + frame;
  cursor.next = blend == 0.0 ? cursor.frame : task.clip.first_frame + (frame + 1) % task.clip.frame_count;
  for (const ColumnMove& move : decode_columns(task.model, task.clip, cursor, blend)) {
    out.baked.push_back(to_move(move.linear, move.offset));
    if (normals && has_source) out.baked_normals.push_back(to_turn(move.normal));
  }
  return out;
}

// The longest difference of two unit normals, squared, both blended as skin_mesh and the shader blend them. None where
// either has no direction.
double worst_normal(const CompareTask& task, const Palettes& palettes) {
  const Double4 none;
  Double4 worst;  // the sine of the angle, squared; 2 less that where it is obtuse
  for (const ComparedBlock& block : task.points.normals) {
    const Points4 truth = blended_direction(block.source, palettes.source_normals);
    const Points4 decoded = blended_direction(block.baked, palettes.baked_normals);
    const Points4 across = cross(truth, decoded);
    const Double4 lengths = dot(truth, truth) * dot(decoded, decoded);
    const Double4 sine = where_greater(lengths, none, dot(across, across) / lengths, none);
    const Double4 obtuse = where_greater(lengths, none, splat4(2.0) - sine, none);
    worst = greatest(worst, where_greater(none, dot(truth, decoded), obtuse, sine));
  }
  const double most = std::max({worst[0], worst[1], worst[2], worst[3]});
  const double cosine = std::sqrt(std::max(0.0, 1.0 - (most > 1.0 ? 2.0 - most : most)));
  // As 2 − 2 cos of the angle, without losing small ones.
  return most > 1.0 ? 2.0 + 2.0 * cosine : 2.0 * most / (1.0 + cosine);
}

// The extremes of many blocks, lane by lane.
struct Extent {
  Points4 low{splat4(1e300), splat4(1e300), splat4(1e300)};
  Points4 high{splat4(-1e300), splat4(-1e300), splat4(-1e300)};

  void add(const Points4& p) {
    low = {least(low.x, p.x), least(low.y, p.y), least(low.z, p.z)};
    high = {greatest(high.x, p.x), greatest(high.y, p.y), greatest(high.z, p.z)};
  }
  void add_to(Bounds& bounds) const {
    for (std::size_t i = 0; i < 4; ++i) {
      bounds.add(glm::dvec3(low.x[i], low.y[i], low.z[i]));
      bounds.add(glm::dvec3(high.x[i], high.y[i], high.z[i]));
    }
  }
};

// Squared errors of many blocks: all of them in a tally, and the worst with its place.
class ErrorSums {
 public:
  void add(const ComparedBlock& block, std::size_t index, const Double4& squared, ErrorTally& tally) {
    sum_ = sum_ + squared * block.weight;
    index_ = where_greater(squared, worst_, splat4(static_cast<double>(index)), index_);
    worst_ = greatest(worst_, squared);
    for (std::size_t i = 0; i < 4; ++i) tally.add_to_bin(squared[i], block.count[i]);
    for (std::size_t i = 0; i < 4; ++i) count_ += block.count[i];
  }

  void finish(const std::vector<ComparedBlock>& blocks, double time, ErrorTally& tally, WorstPoint& worst) const {
    if (count_ == 0) return;
    double most = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      most = std::max(most, worst_[i]);
      if (worst_[i] > worst.squared) worst = {worst_[i], blocks[static_cast<std::size_t>(index_[i])].vertex[i], time};
    }
    tally.add_totals(count_, (sum_[0] + sum_[1]) + (sum_[2] + sum_[3]), most);
  }

 private:
  Double4 sum_;
  Double4 worst_ = splat4(-1.0);
  Double4 index_;
  std::uint64_t count_ = 0;
};

void compare_positions(const CompareTask& task, const Palettes& palettes, std::uint32_t frame, int point, double time,
                       Path& path, CompareResult& result) {
  const auto& blocks = task.points.positions;
  const std::size_t stride = point == 0 ? 1 : task.stride;
  ErrorTally& tally = point == 0 ? result.at_frames : result.between;
  const auto nth = static_cast<std::size_t>(point / task.step);
  auto& here = path[nth % 3];
  const auto& before = path[(nth + 2) % 3];
  const auto& before_that = path[(nth + 1) % 3];
  Extent extent;
  Double4 bulge;
  ErrorSums errors;
  for (std::size_t i = point == 0 ? 0 : frame % stride; i < blocks.size(); i += stride) {
    const Points4 decoded = blended(blocks[i].baked, palettes.baked);
    extent.add(decoded);
    here[i] = decoded;
    if (nth >= 3) {
      const Points4 bend = (decoded - before[i]) - (before[i] - before_that[i]);
      bulge = greatest(bulge, dot(bend, bend));
    }
    if (palettes.source.empty()) continue;
    const Points4 truth = blended(blocks[i].source, palettes.source);
    extent.add(truth);
    const Points4 error = decoded - truth;
    errors.add(blocks[i], i, dot(error, error), tally);
  }
  errors.finish(blocks, time, tally, result.extremes.worst);
  if (frame % stride < blocks.size()) extent.add_to(result.extremes.bounds);
  for (std::size_t i = 0; i < 4; ++i) result.extremes.bulge = std::max(result.extremes.bulge, bulge[i]);
}

}  // namespace

void CompareExtremes::add(const CompareExtremes& other) {
  normal_at_frames = std::max(normal_at_frames, other.normal_at_frames);
  normal_between = std::max(normal_between, other.normal_between);
  worst.add(other.worst);
  bounds.add(other.bounds);
  bulge = std::max(bulge, other.bulge);
}

Bounds CompareExtremes::grown_bounds() const {
  const glm::dvec3 reach = glm::max(glm::abs(bounds.min), glm::abs(bounds.max));
  const glm::dvec3 margin = glm::dvec3(0.25 * std::sqrt(bulge)) + kFloatRounding * reach;
  return {bounds.min - margin, bounds.max + margin};
}

void compare_frames(const CompareTask& task, std::uint32_t first, std::uint32_t count, CompareResult& result) {
  Path path;
  for (auto& positions : path) positions.resize(task.points.positions.size());
  for (std::uint32_t frame = first; frame < first + count; ++frame) {
    const bool leads_on = task.clip.loops || frame + 1 < task.clip.frame_count;
    for (int point = 0; point < (leads_on ? kPointsPerInterval : 1); point += task.step) {
      const double blend = static_cast<double>(point) / kPointsPerInterval;
      const double time = task.plan.source_time(frame, blend);
      const bool normals = (point == 0 || point == kHalfway) && !task.points.normals.empty();
      const Palettes palettes = palettes_at(task, frame, blend, time, normals);
      compare_positions(task, palettes, frame, point, time, path, result);
      if (!normals || palettes.source.empty()) continue;
      double& worst = point == 0 ? result.extremes.normal_at_frames : result.extremes.normal_between;
      worst = std::max(worst, worst_normal(task, palettes));
    }
  }
}

}  // namespace throng::detail::bake
