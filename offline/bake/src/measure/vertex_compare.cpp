// SPDX-License-Identifier: Apache-2.0
#include "measure/vertex_compare.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mesh/source_mesh.h"
#include "throng/math/directions.h"

namespace throng::detail::bake {
namespace {

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
  Look look;
  double time = 0.0;
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

// The worst of one interval.
struct VertexCompare::Peak {
  WorstPoint worst;
  Rise rise;
};

VertexCompare::Moment VertexCompare::moment_at(const ClipInputs& clip, std::uint32_t frame, const Look& look,
                                               bool with_normals) const {
  Moment moment;
  moment.look = look;
  moment.time = clip.plan.source_time(frame, look.blend);
  moment.with_normals = with_normals;
  moment.has_source = clip.plan.has_source(moment.time);
  if (!moment.has_source) return moment;
  const Pose pose = sample_planned(source_, clip.plan, moment.time);
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

std::vector<VertexCompare::Moment> VertexCompare::moments_of(const ClipInputs& clip, std::uint32_t frame) const {
  const std::vector<Look> looks = looks_between(clip.plan, clip.corners, frame, true);
  const std::size_t halfway = halfway_look(looks);
  std::vector<Moment> moments;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    moments.push_back(moment_at(clip, frame, looks[i], i == 0 || i == halfway));
    if (!moments.back().has_source) moments.pop_back();
  }
  return moments;
}

glm::dvec3 VertexCompare::compare_vertex(const Moment& moment, std::uint32_t vertex, const glm::dvec3& position,
                                         const glm::dvec3& normal, CompareResult& result) const {
  const VertexOrigin& origin = origins_[vertex];
  const Mesh& mesh = source_.meshes()[origin.mesh];
  const glm::dvec3 at_rest = morphed(moment, origin, origin.position, &MorphTarget::positions);
  const glm::dvec3 truth = blended_position(mesh, origin.vertex, moment.palette, at_rest);
  const glm::dvec3 error = position - truth;
  const double squared = glm::dot(error, error);
  const bool at_frame = moment.look.at_frame();
  if (!moment.look.at_end()) (at_frame ? result.at_frames : result.between).add(squared);
  result.extremes.bounds.add(truth);
  if (!moment.with_normals || !(glm::dot(origin.normal, origin.normal) > 0.0)) return error;
  const glm::dvec3 true_normal = blended_normal(mesh, origin.vertex, moment.normals,
                                                morphed(moment, origin, origin.normal, &MorphTarget::normals));
  if (!(glm::dot(true_normal, true_normal) * glm::dot(normal, normal) > 0.0)) return error;
  const glm::dvec3 difference = glm::normalize(normal) - glm::normalize(true_normal);
  double& worst = at_frame ? result.extremes.normal_at_frames : result.extremes.normal_between;
  worst = std::max(worst, glm::dot(difference, difference));
  return error;
}

// `first`: between frames, the vertices whose number leaves this when divided by `stride` are taken.
void VertexCompare::compare_block(const SkinBlock& block, const std::vector<Moment>& moments, const Decoded& from,
                                  const Decoded& to, std::size_t first, std::size_t stride, Peak& peak,
                                  CompareResult& result) const {
  for (std::uint32_t i = 0; i < block.count; ++i) {
    const std::uint32_t vertex = block.first + i;
    const std::size_t count = vertex % stride == first ? moments.size() : std::min<std::size_t>(1, moments.size());
    std::array<glm::dvec3, 3> errors{};  // of the last three moments
    glm::dvec3 last_bend(0.0);
    bool has_last = false;
    for (std::size_t m = 0; m < count; ++m) {
      const Moment& moment = moments[m];
      const double blend = moment.look.blend;
      // Behind the last frame of a clip that ends nothing was decoded.
      const bool at_frame = moment.look.at_frame();
      const glm::dvec3 position = at_frame ? from.positions[i] : glm::mix(from.positions[i], to.positions[i], blend);
      const glm::dvec3 normal = at_frame ? from.normals[i] : glm::mix(from.normals[i], to.normals[i], blend);
      const glm::dvec3 error = compare_vertex(moment, vertex, position, normal, result);
      errors[m % 3] = error;
      peak.worst.add({glm::dot(error, error), vertex, moment.time});
      if (m < 2 || moments[m - 1].look.corner) {
        has_last = false;
        continue;
      }
      const Bend bend(moments[m - 2].look, moments[m - 1].look, moment.look);
      const glm::dvec3 bent = bend(errors[(m + 1) % 3], errors[(m + 2) % 3], error);
      const glm::dvec3 change = has_last ? bent - last_bend : glm::dvec3(0.0);
      peak.rise.add(glm::dot(bent, bent), glm::dot(change, change));
      last_bend = bent;
      has_last = true;
    }
  }
}

void VertexCompare::add(const ClipInputs& clip, const Interval& interval, std::size_t stride,
                        CompareResult& result) const {
  const std::vector<Moment> moments = moments_of(clip, interval.frame);
  Peak peak;
  Decoded from, to;
  for (const SkinBlock& block : frames_.skinner().blocks()) {
    decode(block, clip.range, interval.from, from);
    if (moments.size() > 1) decode(block, clip.range, interval.to, to);
    for (std::uint32_t i = 0; i < block.count; ++i) result.extremes.bounds.add(from.positions[i]);
    compare_block(block, moments, from, to, interval.frame % stride, stride, peak, result);
  }
  result.add_peak(peak.worst, peak.rise.length(), clip.plan.frames.frame_count == 1);
}

const std::string& VertexCompare::bone_of(std::uint32_t vertex) const {
  const VertexOrigin& origin = origins_[vertex];
  const std::uint16_t binding = source_.meshes()[origin.mesh].influences[origin.vertex].bindings[0];
  return source_.bones()[source_.bindings()[binding].bone].name;
}

}  // namespace throng::detail::bake
