// SPDX-License-Identifier: Apache-2.0
#include "measure/compare_frame.h"

#include <algorithm>
#include <cmath>

#include "throng/character/decode.h"
#include "throng/math/directions.h"

namespace throng::detail::bake {
namespace {

constexpr double kEven = 1e-6;           // of its size that a matrix may be off a rotation
constexpr double kFloatRounding = 1e-6;  // of the bounds' size: what a shader adds to a decoded position

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
  std::vector<double> source_weights;  // of ComparedPoints::moving, beyond rest
  std::vector<double> baked_weights;   // of the character's morph targets
};

// What is called for every vertex at every look is part of its loop: inlined, whatever the compiler thinks.

[[gnu::always_inline]] inline Double4 row_of(const glm::dvec4& row, const Points4& v) {
  return row.x * v.x + row.y * v.y + row.z * v.z + splat4(row.w);
}

[[gnu::always_inline]] inline Points4 moved(const Move& move, const Points4& v) {
  return {row_of(move.rows[0], v), row_of(move.rows[1], v), row_of(move.rows[2], v)};
}

// The points before their bones move them; `out` is used where morph targets do.
template <std::size_t kInfluences>
[[gnu::always_inline]] inline const Points4& morphed(const BoundPoints4<kInfluences>& side,
                                                     const std::vector<PointMorph>& morphs,
                                                     const std::vector<double>& weights, Points4& out) {
  if (side.morph_count == 0) return side.points;
  out = side.points;
  for (std::uint32_t i = side.first_morph; i < side.first_morph + side.morph_count; ++i) {
    out = out + weights[morphs[i].weight] * morphs[i].delta;
  }
  return out;
}

template <std::size_t kInfluences>
[[gnu::always_inline]] inline Points4 blended(const BoundPoints4<kInfluences>& side, const Points4& points,
                                              const std::vector<Move>& moves) {
  Points4 out = side.weights[0] * moved(moves[side.bones[0]], points);
  for (std::uint32_t i = 1; i < side.influence_count; ++i) {
    out = out + side.weights[i] * moved(moves[side.bones[i]], points);
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

// The result is not normalised.
template <std::size_t kInfluences>
Points4 blended_direction(const BoundPoints4<kInfluences>& side, const Points4& points,
                          const std::vector<Turn>& turns) {
  if (side.influence_count == 1) return moved(turns[side.bones[0]].move, points);
  Points4 out;
  for (std::uint32_t i = 0; i < side.influence_count; ++i) {
    const Turn& turn = turns[side.bones[i]];
    const Points4 turned = moved(turn.move, points);
    out = out + side.weights[i] * (turn.even ? turned : unit_or_none(turned));
  }
  return out;
}

Palettes palettes_at(const CompareTask& task, std::uint32_t frame, double blend, double time, bool normals) {
  Palettes out;
  const bool has_source = task.plan.has_source(time);
  if (has_source) {
    const Pose pose = sample_planned(task.source, task.plan, time);
    for (const MovingTarget& moving : task.points.moving) {
      out.source_weights.push_back(weight_in(task.source, pose, moving));
    }
    for (const glm::dmat4& m : skinning_palette(task.source, pose)) {
      out.source.push_back(to_move(glm::dmat3(m), glm::dvec3(m[3])));
      if (normals) out.source_normals.push_back(to_turn(normal_matrix(glm::dmat3(m))));
    }
  }
  Cursor cursor{};
  cursor.frame = task.clip.first_frame + frame;
  cursor.next = blend == 0.0 ? cursor.frame : task.clip.first_frame + (frame + 1) % task.clip.frame_count;
  out.baked_weights = morph_weights(task.model, task.clip, cursor, blend);
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
    Points4 room;
    const Points4& source = morphed(block.source, task.points.morphs, palettes.source_weights, room);
    const Points4 truth = blended_direction(block.source, source, palettes.source_normals);
    const Points4& baked = morphed(block.baked, task.points.morphs, palettes.baked_weights, room);
    const Points4 decoded = blended_direction(block.baked, baked, palettes.baked_normals);
    const Points4 across = cross(truth, decoded);
    const Double4 lengths = dot(truth, truth) * dot(decoded, decoded);
    const Double4 sine = where_greater(lengths, none, dot(across, across) / lengths, none);
    const Double4 obtuse = where_greater(lengths, none, splat4(2.0) - sine, none);
    worst = greatest(worst, where_greater(none, dot(truth, decoded), obtuse, sine));
  }
  const double most = std::max({worst[0], worst[1], worst[2], worst[3]});
  const double cosine = std::sqrt(std::max(0.0, 1.0 - (most > 1.0 ? 2.0 - most : most)));
  // 2 − 2 cos of the angle, without losing small angles.
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

// Squared errors of many blocks at many looks: all of them in a tally, and the worst with its place.
class ErrorSums {
 public:
  // `place`: of the block and the look together.
  [[gnu::always_inline]] inline void add(const ComparedBlock& block, std::size_t place, const Double4& squared,
                                         ErrorTally& tally) {
    sum_ = sum_ + squared * block.weight;
    add_to_worst(place, squared);
    for (std::size_t i = 0; i < 4; ++i) tally.add_to_bin(squared[i], block.count[i]);
    count_ += block.count[0] + block.count[1] + block.count[2] + block.count[3];
  }

  // The same for the worst alone.
  void add_to_worst(std::size_t place, const Double4& squared) {
    place_ = where_greater(squared, worst_, splat4(static_cast<double>(place)), place_);
    worst_ = greatest(worst_, squared);
  }

  void finish(ErrorTally& tally) const {
    if (count_ == 0) return;
    const double most = std::max({worst_[0], worst_[1], worst_[2], worst_[3], 0.0});
    tally.add_totals(count_, (sum_[0] + sum_[1]) + (sum_[2] + sum_[3]), most);
  }

  // `point_at` makes a WorstPoint of a squared error, its place and its lane.
  template <class PointAt>
  void add_worst(const PointAt& point_at, WorstPoint& worst) const {
    for (std::size_t i = 0; i < 4; ++i) {
      if (worst_[i] > worst.squared) worst = point_at(worst_[i], static_cast<std::size_t>(place_[i]), i);
    }
  }

 private:
  Double4 sum_;
  Double4 worst_ = splat4(-1.0);
  Double4 place_;
  std::uint64_t count_ = 0;
};

// A look with what there is to see.
struct Sight {
  Look look;
  double time = 0.0;  // the source's
  Palettes palettes;
  double per_step = 0.0;    // one over the way from the look before
  double bend_scale = 0.0;  // squared: what makes a bend of the difference of two rates of change
  bool smooth = false;      // the source turns no corner at the look before
};

// Everything of an interval that is not by vertex.
std::vector<Sight> sights_of(const CompareTask& task, std::uint32_t frame, bool to_end) {
  const int even = task.quick ? kLooksPerInterval / 2 : kLooksPerInterval;
  const std::vector<Look> looks = looks_between(task.plan, task.corners, frame, to_end, even);
  const std::size_t halfway = halfway_look(looks);
  std::vector<Sight> sights;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    Sight sight;
    sight.look = looks[i];
    sight.time = task.plan.source_time(frame, looks[i].blend);
    const bool normals = (i == 0 || i == halfway) && !task.points.normals.empty();
    sight.palettes = palettes_at(task, frame, looks[i].blend, sight.time, normals);
    if (i >= 1) sight.per_step = 1.0 / (looks[i].blend - looks[i - 1].blend);
    if (i >= 2 && !task.quick) {
      const double scale = Bend(looks[i - 2], looks[i - 1], looks[i]).scale();
      sight.bend_scale = scale * scale;
      sight.smooth = !looks[i - 1].corner;
    }
    sights.push_back(std::move(sight));
  }
  return sights;
}

// Three looks at a decoded path: see Bend.
struct BulgeLooks {
  std::size_t a = 0, b = 0, c = 0;
  Bend bend;
};

// Positions of one interval.
class PositionCompare {
 public:
  PositionCompare(const CompareTask& task, const std::vector<Sight>& sights, CompareResult& result);

  // The first so many looks at a block.
  void add(std::size_t block, std::size_t looks);
  // `last_rise`: of the interval before, which comes up to this one's frame. Returns this one's.
  double finish(double last_rise);

 private:
  const CompareTask& task_;
  const std::vector<Sight>& sights_;
  CompareResult& result_;
  std::vector<BulgeLooks> bulge_looks_;
  std::vector<Points4> decoded_;  // of one block, by look
  Extent extent_;
  Double4 bulge_;                    // of decoded paths, squared
  Double4 rise_bend_, rise_change_;  // of errors: see Rise
  ErrorSums at_frame_, between_, end_;
};

// Decoded paths have no corner within an interval: how they bend in its halves tells how far they bulge.
PositionCompare::PositionCompare(const CompareTask& task, const std::vector<Sight>& sights, CompareResult& result)
    : task_(task), sights_(sights), result_(result), decoded_(sights.size()) {
  const std::size_t end = sights.size() - 1;
  if (task.quick || end < 4) return;
  double longest = 0.0;
  for (std::size_t i = 1; i <= end; ++i) longest = std::max(longest, sights[i].look.blend - sights[i - 1].look.blend);
  for (const std::array at : {std::array{std::size_t{0}, end / 4, end / 2}, std::array{end / 2, 3 * end / 4, end}}) {
    const Bend bend(sights[at[0]].look, sights[at[1]].look, sights[at[2]].look, longest);
    bulge_looks_.push_back({at[0], at[1], at[2], bend});
  }
}

void PositionCompare::add(std::size_t index, std::size_t looks) {
  const ComparedBlock& block = task_.points.positions[index];
  Points4 last_error, last_rate, last_bend;
  bool has_bend = false;
  for (std::size_t i = 0; i < looks; ++i) {
    const Sight& sight = sights_[i];
    Points4 room;
    const Points4& baked = morphed(block.baked, task_.points.morphs, sight.palettes.baked_weights, room);
    const Points4 here = blended(block.baked, baked, sight.palettes.baked);
    extent_.add(here);
    decoded_[i] = here;
    if (sight.palettes.source.empty()) continue;
    const Points4& source = morphed(block.source, task_.points.morphs, sight.palettes.source_weights, room);
    const Points4 truth = blended(block.source, source, sight.palettes.source);
    extent_.add(truth);
    const Points4 error = here - truth;
    const Points4 rate = sight.per_step * (error - last_error);
    const Points4 bend = rate - last_rate;
    if (sight.smooth) {
      rise_bend_ = greatest(rise_bend_, sight.bend_scale * dot(bend, bend));
      const Points4 change = bend - last_bend;
      if (has_bend) rise_change_ = greatest(rise_change_, sight.bend_scale * dot(change, change));
    }
    has_bend = sight.smooth;
    last_bend = bend;
    last_rate = rate;
    last_error = error;
    const Double4 squared = dot(error, error);
    const std::size_t place = index * sights_.size() + i;
    if (sight.look.at_end()) {
      end_.add_to_worst(place, squared);
    } else if (i == 0) {
      at_frame_.add(block, place, squared, result_.at_frames);
    } else {
      between_.add(block, place, squared, result_.between);
    }
  }
  if (looks < sights_.size()) return;
  for (const BulgeLooks& at : bulge_looks_) {
    const Points4 bent = at.bend(decoded_[at.a], decoded_[at.b], decoded_[at.c]);
    bulge_ = greatest(bulge_, dot(bent, bent));
  }
}

double PositionCompare::finish(double last_rise) {
  const auto point_at = [&](double squared, std::size_t place, std::size_t lane) {
    const std::size_t block = place / sights_.size();
    return WorstPoint{squared, task_.points.positions[block].vertex[lane], sights_[place % sights_.size()].time};
  };
  at_frame_.finish(result_.at_frames);
  between_.finish(result_.between);
  WorstPoint worst;
  at_frame_.add_worst(point_at, worst);
  between_.add_worst(point_at, worst);
  end_.add_worst(point_at, worst);
  Rise rises;
  for (std::size_t i = 0; i < 4; ++i) {
    result_.extremes.bulge = std::max(result_.extremes.bulge, bulge_[i]);
    rises.add(rise_bend_[i], rise_change_[i]);
  }
  const double rise = task_.quick ? 0.0 : rises.length();
  result_.add_peak(worst, std::max(rise, last_rise), task_.clip.frame_count == 1);
  if (!task_.points.positions.empty()) extent_.add_to(result_.extremes.bounds);
  return rise;
}

void compare_normals(const CompareTask& task, const std::vector<Sight>& sights, CompareExtremes& extremes) {
  for (const Sight& sight : sights) {
    if (sight.palettes.source_normals.empty()) continue;
    double& worst = sight.look.at_frame() ? extremes.normal_at_frames : extremes.normal_between;
    worst = std::max(worst, worst_normal(task, sight.palettes));
  }
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

void CompareResult::add_peak(const WorstPoint& seen, double rise, bool one_frame) {
  if (seen.squared < 0.0) return;
  const double most = std::sqrt(seen.squared) + rise;
  const double squared = rise > 0.0 ? most * most : seen.squared;
  if (!one_frame) between.add_totals(0, 0.0, squared);
  extremes.worst.add({squared, seen.vertex, seen.time});
}

void compare_frames(const CompareTask& task, std::uint32_t first, std::uint32_t count, CompareResult& result) {
  double rise = 0.0;
  for (std::uint32_t frame = first; frame < first + count; ++frame) {
    const std::vector<Sight> sights = sights_of(task, frame, frame + 1 == first + count);
    PositionCompare positions(task, sights, result);
    for (std::size_t block = 0; block < task.points.positions.size(); ++block) {
      positions.add(block, block % task.stride == frame % task.stride ? sights.size() : 1);
    }
    rise = positions.finish(rise);
    compare_normals(task, sights, result.extremes);
  }
}

}  // namespace throng::detail::bake
