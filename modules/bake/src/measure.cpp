#include "measure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "error_tally.h"

namespace throng {
namespace {

constexpr int kPoints = 8;                 // a frame and the seven points after it
constexpr int kHalfway = kPoints / 2;      // where normals are compared between frames
constexpr std::size_t kFramesAtOnce = 64;  // tallies held in memory
constexpr double kMostEvaluations = 4e9;   // above it, vertices between frames are taken in turns

struct Affine {
  glm::dmat3 linear;
  glm::dvec3 offset;

  glm::dvec3 operator()(const glm::dvec3& v) const { return linear * v + offset; }
};

// One vertex, both ways, ready for the inner loop.
struct VertexPair {
  glm::dvec3 source_position, source_normal, baked_position, baked_normal;
  std::array<double, 4> source_weights{}, baked_weights{};
  std::array<std::uint16_t, 4> bindings{}, columns{};
  bool has_normal = false;
};

struct Worst {
  double squared = -1.0;
  std::size_t vertex = 0;
  double time = 0.0;

  void add(const Worst& other) {
    if (other.squared > squared) *this = other;
  }
};

struct FrameResult {
  ErrorTally at_frame, between;
  double normal_at_frame = 0.0;  // longest difference of two unit normals, squared
  double normal_between = 0.0;
  Worst worst;
  Bounds bounds;
  double bulge = 0.0;  // longest second difference of a path, squared

  void add(const FrameResult& other) {
    at_frame.add(other.at_frame);
    between.add(other.between);
    normal_at_frame = std::max(normal_at_frame, other.normal_at_frame);
    normal_between = std::max(normal_between, other.normal_between);
    worst.add(other.worst);
  }
};

std::vector<VertexPair> pair_up(const Model& source, const std::vector<VertexOrigin>& origins,
                                const BakedModel& model) {
  std::vector<VertexPair> pairs(origins.size());
  for (std::size_t v = 0; v < pairs.size(); ++v) {
    const Influences& influences = source.meshes()[origins[v].mesh].influences[origins[v].vertex];
    const BakedVertex& baked = model.vertices[v];
    VertexPair& pair = pairs[v];
    pair.source_position = origins[v].position;
    pair.source_normal = origins[v].normal;
    pair.has_normal = glm::dot(origins[v].normal, origins[v].normal) > 0.0;
    pair.baked_position = glm::dvec3(baked.position);
    pair.baked_normal = glm::dvec3(baked.normal);
    for (std::size_t i = 0; i < 4; ++i) {
      pair.bindings[i] = influences.bindings[i];
      pair.source_weights[i] = static_cast<double>(influences.weights[i]);
      pair.columns[i] = baked.bones[i];
      pair.baked_weights[i] = baked.weights[i] / 65535.0;
    }
  }
  return pairs;
}

// What the loops over one frame share.
struct Task {
  const Model& source;
  const std::vector<VertexPair>& pairs;
  const BakedModel& model;
  const ClipPlan& plan;
  const BakedClip& clip;
  std::size_t stride;  // between frames, every which vertex is taken
};

std::vector<Affine> source_palette(const Task& task, double time) {
  std::vector<Affine> out;
  for (const glm::dmat4& m : skinning_palette(task.source, sample_planned(task.source, task.plan, time))) {
    out.push_back({glm::dmat3(m), glm::dvec3(m[3])});
  }
  return out;
}

// Both forms of a decoded column: for positions, and its rotation alone for normals.
struct DecodedColumns {
  std::vector<Affine> moves;
  std::vector<glm::dmat3> rotations;
};

DecodedColumns decoded_columns(const Task& task, std::uint32_t frame, double blend) {
  const std::uint32_t next = (frame + 1) % task.clip.frame_count;
  DecodedColumns out;
  for (std::uint32_t bone = 0; bone < task.model.bones.size(); ++bone) {
    const auto texel = [&](std::uint32_t f) {
      return decode_q16(task.model.atlas.at(task.clip.layer, task.clip.first_frame + f, bone), task.clip.range);
    };
    const BoneSample sample = interpolate(texel(frame), texel(blend == 0.0 ? frame : next), blend);
    const glm::dmat3 rotation = glm::mat3_cast(sample.rotation);
    const glm::dmat3 linear = rotation * sample.scale;
    out.moves.push_back({linear, sample.position - linear * glm::dvec3(task.model.bones[bone].pivot)});
    out.rotations.push_back(rotation);
  }
  return out;
}

glm::dvec3 blended(const std::array<double, 4>& weights, const std::array<std::uint16_t, 4>& slots,
                   const std::vector<Affine>& moves, const glm::dvec3& v) {
  glm::dvec3 out = weights[0] * moves[slots[0]](v);
  for (std::size_t i = 1; i < 4 && weights[i] != 0.0; ++i) out += weights[i] * moves[slots[i]](v);
  return out;
}

// The squared distance between the unit normals, both blended as skin_mesh and the shader blend them. None where either
// has no direction.
double normal_difference(const VertexPair& pair, const std::vector<glm::dmat3>& source,
                         const std::vector<glm::dmat3>& baked) {
  glm::dvec3 truth(0.0);
  glm::dvec3 decoded(0.0);
  for (std::size_t i = 0; i < 4; ++i) {
    if (pair.source_weights[i] != 0.0) {
      const glm::dvec3 turned = source[pair.bindings[i]] * pair.source_normal;
      const double length = glm::length(turned);
      if (length > 0.0) truth += (pair.source_weights[i] / length) * turned;
    }
    if (pair.baked_weights[i] != 0.0) decoded += pair.baked_weights[i] * (baked[pair.columns[i]] * pair.baked_normal);
  }
  if (!(glm::dot(truth, truth) * glm::dot(decoded, decoded) > 0.0)) return 0.0;
  const glm::dvec3 difference = glm::normalize(truth) - glm::normalize(decoded);
  return glm::dot(difference, difference);
}

std::vector<glm::dmat3> normal_matrices(const std::vector<Affine>& palette) {
  std::vector<glm::dmat3> out;
  for (const Affine& move : palette) out.push_back(normal_matrix(move.linear));
  return out;
}

using Path = std::array<std::vector<glm::dvec3>, 3>;

void compare_point(const Task& task, std::uint32_t frame, int point, Path& path, FrameResult& result) {
  const double blend = static_cast<double>(point) / kPoints;
  const double time = task.plan.source_time(frame, blend);
  const bool has_source = task.plan.has_source(time);
  const std::vector<Affine> source = has_source ? source_palette(task, time) : std::vector<Affine>{};
  const DecodedColumns baked = decoded_columns(task, frame, blend);
  const std::size_t stride = point == 0 ? 1 : task.stride;
  const bool normals = has_source && (point == 0 || point == kHalfway);
  const std::vector<glm::dmat3> source_normals = normals ? normal_matrices(source) : std::vector<glm::dmat3>{};
  ErrorTally& tally = point == 0 ? result.at_frame : result.between;
  double& normal_worst = point == 0 ? result.normal_at_frame : result.normal_between;
  auto& here = path[static_cast<std::size_t>(point) % 3];
  for (std::size_t v = point == 0 ? 0 : frame % stride; v < task.pairs.size(); v += stride) {
    const VertexPair& pair = task.pairs[v];
    const glm::dvec3 decoded = blended(pair.baked_weights, pair.columns, baked.moves, pair.baked_position);
    result.bounds.add(decoded);
    here[v] = decoded;
    if (point >= 3) {
      const glm::dvec3 bend = decoded - 2.0 * path[static_cast<std::size_t>(point - 1) % 3][v] +
                              path[static_cast<std::size_t>(point - 2) % 3][v];
      result.bulge = std::max(result.bulge, glm::dot(bend, bend));
    }
    if (!has_source) continue;
    const glm::dvec3 truth = blended(pair.source_weights, pair.bindings, source, pair.source_position);
    result.bounds.add(truth);
    const glm::dvec3 error = decoded - truth;
    const double squared = glm::dot(error, error);
    tally.add(squared);
    if (squared > result.worst.squared) result.worst = {squared, v, time};
    if (normals && pair.has_normal) {
      normal_worst = std::max(normal_worst, normal_difference(pair, source_normals, baked.rotations));
    }
  }
}

FrameResult compare_frame(const Task& task, std::uint32_t frame) {
  FrameResult result;
  Path path;
  for (auto& positions : path) positions.resize(task.pairs.size());
  const bool leads_on = task.clip.loops || frame + 1 < task.clip.frame_count;
  const int points = leads_on ? kPoints : 1;
  for (int point = 0; point < points; ++point) compare_point(task, frame, point, path, result);
  return result;
}

// Paths bulge past the points they were looked at by at most an eighth of their second difference; twice that is added.
Bounds grown(Bounds bounds, double bulge) {
  bounds.min -= glm::dvec3(0.25 * bulge);
  bounds.max += glm::dvec3(0.25 * bulge);
  return bounds;
}

FrameResult compare_clip(const Task& task, Executor& executor, Bounds& clip_bounds) {
  FrameResult total;
  for (std::size_t first = 0; first < task.clip.frame_count; first += kFramesAtOnce) {
    const std::size_t count = std::min<std::size_t>(kFramesAtOnce, task.clip.frame_count - first);
    std::vector<FrameResult> results(count);
    executor.run(count,
                 [&](std::size_t i) { results[i] = compare_frame(task, static_cast<std::uint32_t>(first + i)); });
    for (const FrameResult& result : results) {
      total.add(result);
      total.bounds.add(result.bounds);
      total.bulge = std::max(total.bulge, result.bulge);
    }
  }
  clip_bounds = grown(total.bounds, std::sqrt(total.bulge));
  return total;
}

ErrorFigures figures(const ErrorTally& tally, double normal_squared, double mm_per_unit) {
  constexpr double kDegrees = 57.29577951308232;
  return {tally.max() * mm_per_unit, tally.p999() * mm_per_unit, tally.rms() * mm_per_unit,
          2.0 * std::asin(std::min(1.0, 0.5 * std::sqrt(normal_squared))) * kDegrees};
}

std::size_t stride_for(const BakedModel& model) {
  double frames = 0.0;
  for (const BakedClip& clip : model.clips) frames += clip.frame_count;
  return 1 + static_cast<std::size_t>(frames * kPoints * static_cast<double>(model.vertices.size()) / kMostEvaluations);
}

}  // namespace

void measure(const Model& source, const std::vector<ClipPlan>& plans, const std::vector<VertexOrigin>& origins,
             Executor& executor, const Progress& progress, BakedModel& model) {
  const std::vector<VertexPair> pairs = pair_up(source, origins, model);
  const std::size_t stride = stride_for(model);
  if (stride > 1)
    model.notes.push_back(fmt::format("error between frames measured at every {}th vertex in turn", stride));
  FrameResult total;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const Task task{source, pairs, model, plans[i], model.clips[i], stride};
    const FrameResult result = compare_clip(task, executor, model.clips[i].bounds);
    if (result.worst.squared > total.worst.squared) model.error.worst_clip = plans[i].clip.name;
    total.add(result);
    model.bounds.add(model.clips[i].bounds);
    report(progress, "measure", static_cast<double>(i + 1) / static_cast<double>(plans.size()));
  }
  model.error.at_frames = figures(total.at_frame, total.normal_at_frame, model.error.mm_per_unit);
  model.error.between = figures(total.between, total.normal_between, model.error.mm_per_unit);
  model.error.worst_bone = model.bones[model.vertices[total.worst.vertex].bones[0]].name;
  model.error.worst_time = total.worst.time;
}

}  // namespace throng
