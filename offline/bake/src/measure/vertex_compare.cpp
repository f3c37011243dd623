// SPDX-License-Identifier: Apache-2.0
#include "measure/vertex_compare.h"

#include <algorithm>
#include <cmath>

#include "mesh/source_mesh.h"
#include "throng/math/directions.h"

namespace throng::detail::bake {
namespace {

constexpr int kHalfway = kPointsPerInterval / 2;  // where normals are compared between frames

glm::dvec3 blended_position(const Mesh& mesh, std::size_t vertex, const std::vector<glm::dmat4x3>& palette,
                            const glm::dvec3& position) {
  glm::dmat4x3 blend(0.0);
  for_each_influence(mesh, vertex, [&](std::uint16_t binding, float weight) {
    blend += static_cast<double>(weight) * palette[binding];
  });
  return blend[0] * position.x + blend[1] * position.y + blend[2] * position.z + blend[3];
}

}  // namespace

// The source at one time.
struct VertexCompare::Moment {
  double blend = 0.0;  // on the way from the frame to the next
  double time = 0.0;
  bool at_frame = false;
  bool with_normals = false;
  bool has_source = false;
  std::vector<glm::dmat4x3> palette;
  std::vector<glm::dmat3> normals;
  std::vector<std::vector<double>> morph_steps;  // per mesh, beyond what is in at rest; empty: none is
};

struct VertexCompare::Decoded {
  glm::dvec3 positions[kSkinBlock];
  glm::dvec3 normals[kSkinBlock];
};

VertexCompare::Moment VertexCompare::moment_at(const Interval& interval, int point) const {
  Moment moment;
  moment.blend = static_cast<double>(point) / kPointsPerInterval;
  moment.time = interval.plan.source_time(interval.frame, moment.blend);
  moment.at_frame = point == 0;
  moment.with_normals = point == 0 || point == kHalfway;
  moment.has_source = interval.plan.has_source(moment.time);
  if (!moment.has_source) return moment;
  const Pose pose = sample_planned(source_, interval.plan, moment.time);
  for (const glm::dmat4& m : skinning_palette(source_, pose)) {
    moment.palette.emplace_back(m);
    if (moment.with_normals) moment.normals.push_back(normal_matrix(glm::dmat3(m)));
  }
  moment.morph_steps.resize(source_.meshes().size());
  for (std::size_t mesh = 0; mesh < pose.morph_weights.size(); ++mesh) {
    std::vector<double> steps = pose.morph_weights[mesh];
    for (std::size_t t = 0; t < steps.size(); ++t) {
      steps[t] -= static_cast<double>(source_.meshes()[mesh].morph_weights[t]);
    }
    if (std::any_of(steps.begin(), steps.end(), [](double step) { return step != 0.0; })) {
      moment.morph_steps[mesh] = std::move(steps);
    }
  }
  return moment;
}

void VertexCompare::decode(const SkinBlock& block, const ClipRange& range, std::span<const std::uint32_t> words,
                           Decoded& out) const {
  const std::size_t item_words = words_per_item(frames_.encoding(), frames_.tangents());
  for (std::uint32_t i = 0; i < block.count; ++i) {
    const VertexSample sample = decode_vertex(
        frames_.encoding(), words.subspan((block.first + i) * item_words, item_words), range, frames_.tangents());
    out.positions[i] = sample.position;
    out.normals[i] = sample.normal;
  }
}

glm::dvec3 VertexCompare::morphed(const Moment& moment, const VertexOrigin& origin, glm::dvec3 value,
                                  std::vector<glm::vec3> MorphTarget::*channel) const {
  const auto& steps = moment.morph_steps[origin.mesh];
  const auto& targets = source_.meshes()[origin.mesh].morph_targets;
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const auto& offsets = targets[t].*channel;
    if (!offsets.empty()) value += steps[t] * glm::dvec3(offsets[origin.vertex]);
  }
  return value;
}

void VertexCompare::compare_vertex(const Moment& moment, std::uint32_t vertex, const glm::dvec3& position,
                                   const glm::dvec3& normal, CompareResult& result) const {
  const VertexOrigin& origin = origins_[vertex];
  const Mesh& mesh = source_.meshes()[origin.mesh];
  const glm::dvec3 at_rest = morphed(moment, origin, origin.position, &MorphTarget::positions);
  const glm::dvec3 truth = blended_position(mesh, origin.vertex, moment.palette, at_rest);
  const glm::dvec3 error = position - truth;
  const double squared = glm::dot(error, error);
  (moment.at_frame ? result.at_frames : result.between).add(squared);
  result.extremes.bounds.add(truth);
  result.extremes.worst.add({squared, vertex, moment.time});
  if (!moment.with_normals || !(glm::dot(origin.normal, origin.normal) > 0.0)) return;
  const glm::dvec3 true_normal = blended_normal(mesh, origin.vertex, moment.normals,
                                                morphed(moment, origin, origin.normal, &MorphTarget::normals));
  if (!(glm::dot(true_normal, true_normal) * glm::dot(normal, normal) > 0.0)) return;
  const glm::dvec3 difference = glm::normalize(normal) - glm::normalize(true_normal);
  double& worst = moment.at_frame ? result.extremes.normal_at_frames : result.extremes.normal_between;
  worst = std::max(worst, glm::dot(difference, difference));
}

void VertexCompare::add(const Interval& interval, std::size_t stride, CompareResult& result) const {
  const FramePlan& plan = interval.plan.frames;
  const bool leads_on = plan.loops || interval.frame + 1 < plan.frame_count;
  std::vector<Moment> moments;
  for (int point = 0; point < (leads_on ? kPointsPerInterval : 1); ++point) {
    moments.push_back(moment_at(interval, point));
  }
  Decoded from, to;
  for (const SkinBlock& block : frames_.skinner().blocks()) {
    decode(block, interval.range, interval.from, from);
    if (leads_on) decode(block, interval.range, interval.to, to);
    for (std::uint32_t i = 0; i < block.count; ++i) result.extremes.bounds.add(from.positions[i]);
    for (const Moment& moment : moments) {
      if (!moment.has_source) continue;
      const std::size_t step = moment.at_frame ? 1 : stride;
      for (std::size_t i = (interval.frame + step - block.first % step) % step; i < block.count; i += step) {
        const auto vertex = static_cast<std::uint32_t>(block.first + i);
        if (moment.at_frame) {
          compare_vertex(moment, vertex, from.positions[i], from.normals[i], result);
        } else {
          compare_vertex(moment, vertex, glm::mix(from.positions[i], to.positions[i], moment.blend),
                         glm::mix(from.normals[i], to.normals[i], moment.blend), result);
        }
      }
    }
  }
}

const std::string& VertexCompare::bone_of(std::uint32_t vertex) const {
  const VertexOrigin& origin = origins_[vertex];
  const std::uint16_t binding = source_.meshes()[origin.mesh].influences[origin.vertex].bindings[0];
  return source_.bones()[source_.bindings()[binding].bone].name;
}

}  // namespace throng::detail::bake
