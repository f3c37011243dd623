#include "compare_frame.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr int kHalfway = kPointsPerInterval / 2;  // where normals are compared between frames
constexpr double kFloatRounding = 1e-6;           // of the bounds' size: what a shader adds to a decoded position

struct Affine {
  glm::dmat3 linear;
  glm::dvec3 offset;
};

// Where the last three points of an interval were, by point.
using Path = std::array<std::vector<glm::dvec3>, 3>;

struct Palettes {
  std::vector<Affine> source;  // empty: the source says nothing here
  std::vector<glm::dmat3> source_normals;
  std::vector<Affine> baked;
  std::vector<glm::dmat3> baked_normals;
};

glm::dvec3 blended(const std::array<double, 4>& weights, const std::array<std::uint16_t, 4>& slots,
                   const std::vector<Affine>& moves, const glm::dvec3& v) {
  const Affine& first = moves[slots[0]];
  glm::dvec3 out = weights[0] * (first.linear * v + first.offset);
  for (std::size_t i = 1; i < 4 && weights[i] != 0.0; ++i) {
    const Affine& move = moves[slots[i]];
    out += weights[i] * (move.linear * v + move.offset);
  }
  return out;
}

glm::dvec3 blended_direction(const std::array<double, 4>& weights, const std::array<std::uint16_t, 4>& slots,
                             const std::vector<glm::dmat3>& turns, const glm::dvec3& n) {
  glm::dvec3 out(0.0);
  for (std::size_t i = 0; i < 4 && weights[i] != 0.0; ++i) {
    const glm::dvec3 turned = turns[slots[i]] * n;
    const double length = glm::length(turned);
    if (length > 0.0) out += (weights[i] / length) * turned;
  }
  return out;
}

Palettes palettes_at(const CompareTask& task, std::uint32_t frame, double blend, double time, bool normals) {
  Palettes out;
  const bool has_source = task.plan.has_source(time);
  if (has_source) {
    for (const glm::dmat4& m : palette_at(task.source, task.plan, time)) {
      out.source.push_back({glm::dmat3(m), glm::dvec3(m[3])});
      if (normals) out.source_normals.push_back(normal_matrix(glm::dmat3(m)));
    }
  }
  Cursor cursor{};
  cursor.frame = task.clip.first_frame + frame;
  cursor.next = blend == 0.0 ? cursor.frame : task.clip.first_frame + (frame + 1) % task.clip.frame_count;
  for (const ColumnMove& move : decode_columns(task.model, task.clip, cursor, blend)) {
    out.baked.push_back({move.linear, move.offset});
    if (normals && has_source) out.baked_normals.push_back(move.normal);
  }
  return out;
}

// The longest difference of two unit normals, squared, both blended as skin_mesh and the shader blend them. None where
// either has no direction.
double worst_normal(const CompareTask& task, const Palettes& palettes) {
  double worst = 0.0;
  for (const ComparedPoint& point : task.points.normals) {
    const glm::dvec3 truth =
        blended_direction(point.bound.source_weights, point.bound.bindings, palettes.source_normals, point.source);
    const glm::dvec3 decoded =
        blended_direction(point.bound.baked_weights, point.bound.columns, palettes.baked_normals, point.baked);
    if (!(glm::dot(truth, truth) * glm::dot(decoded, decoded) > 0.0)) continue;
    const glm::dvec3 difference = glm::normalize(truth) - glm::normalize(decoded);
    worst = std::max(worst, glm::dot(difference, difference));
  }
  return worst;
}

void compare_positions(const CompareTask& task, const Palettes& palettes, std::uint32_t frame, int point, double time,
                       Path& path, CompareResult& result) {
  const auto& points = task.points.positions;
  const std::size_t stride = point == 0 ? 1 : task.stride;
  ErrorTally& tally = point == 0 ? result.at_frames : result.between;
  CompareExtremes& extremes = result.extremes;
  const auto nth = static_cast<std::size_t>(point / task.step);
  auto& here = path[nth % 3];
  const auto& before = path[(nth + 2) % 3];
  const auto& before_that = path[(nth + 1) % 3];
  for (std::size_t i = point == 0 ? 0 : frame % stride; i < points.size(); i += stride) {
    const ComparedPoint& p = points[i];
    const glm::dvec3 decoded = blended(p.bound.baked_weights, p.bound.columns, palettes.baked, p.baked);
    extremes.bounds.add(decoded);
    here[i] = decoded;
    if (nth >= 3) {
      const glm::dvec3 bend = decoded - 2.0 * before[i] + before_that[i];
      extremes.bulge = std::max(extremes.bulge, glm::dot(bend, bend));
    }
    if (palettes.source.empty()) continue;
    const glm::dvec3 truth = blended(p.bound.source_weights, p.bound.bindings, palettes.source, p.source);
    extremes.bounds.add(truth);
    const glm::dvec3 error = decoded - truth;
    const double squared = glm::dot(error, error);
    tally.add(squared, p.count);
    if (squared > extremes.worst.squared) extremes.worst = {squared, p.vertex, time};
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

void compare_frames(const CompareTask& task, std::uint32_t first, std::uint32_t count, CompareResult& result) {
  Path path;
  for (auto& positions : path) positions.resize(task.points.positions.size());
  for (std::uint32_t frame = first; frame < first + count; ++frame) {
    const bool leads_on = task.clip.loops || frame + 1 < task.clip.frame_count;
    for (int point = 0; point < (leads_on ? kPointsPerInterval : 1); point += task.step) {
      const double blend = static_cast<double>(point) / kPointsPerInterval;
      const double time = task.plan.source_time(frame, blend);
      const bool normals = point == 0 || point == kHalfway;
      const Palettes palettes = palettes_at(task, frame, blend, time, normals);
      compare_positions(task, palettes, frame, point, time, path, result);
      if (!normals || palettes.source.empty()) continue;
      double& worst = point == 0 ? result.extremes.normal_at_frames : result.extremes.normal_between;
      worst = std::max(worst, worst_normal(task, palettes));
    }
  }
}

}  // namespace throng
