// SPDX-License-Identifier: Apache-2.0
#include "naive_bake.h"

#include <algorithm>
#include <cmath>

#include "measure.h"
#include "throng/math/directions.h"
#include "throng/pose/pose.h"

namespace throng::bench {
namespace {

constexpr int kPoints = 8;  // a frame and the seven points after it

// Counts by size, fine enough for a percentile: 64 bins an octave are 1.1 % each.
class Histogram {
 public:
  void add(double value) {
    largest_ = std::max(largest_, value);
    const double bin = value > 0.0 ? (std::log2(value) + kOctavesBelowOne) * kBinsAnOctave : 0.0;
    ++bins_[static_cast<std::size_t>(std::clamp(bin, 0.0, kBins - 1.0))];
    ++count_;
  }
  void add(const Histogram& other) {
    largest_ = std::max(largest_, other.largest_);
    for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
    count_ += other.count_;
  }
  double largest() const { return largest_; }
  // The size that `part` of all values stay below.
  double percentile(double part) const {
    auto left = static_cast<std::uint64_t>(part * static_cast<double>(count_));
    std::size_t bin = 0;
    for (; bin + 1 < bins_.size() && left >= bins_[bin]; ++bin) left -= bins_[bin];
    return std::min(largest_, std::exp2(static_cast<double>(bin + 1) / kBinsAnOctave - kOctavesBelowOne));
  }

 private:
  static constexpr double kBinsAnOctave = 64.0;
  static constexpr double kOctavesBelowOne = 24.0;
  static constexpr double kBins = 48.0 * kBinsAnOctave;
  std::vector<std::uint64_t> bins_ = std::vector<std::uint64_t>(static_cast<std::size_t>(kBins));
  std::uint64_t count_ = 0;
  double largest_ = 0.0;
};

struct Vertex {
  const Influences* source = nullptr;
  glm::dvec3 source_position{0.0}, source_normal{0.0};
  BakedVertex baked = {};
};

std::vector<Vertex> pair_up(const Model& source, const Character& baked) {
  std::vector<Vertex> pairs;
  for (const BakedSource& from : baked.sources()) {
    const auto is_it = [&](const Mesh& mesh) { return mesh.node == from.node && mesh.primitive == from.primitive; };
    const auto mesh = std::find_if(source.meshes().begin(), source.meshes().end(), is_it);
    require(mesh != source.meshes().end() && mesh->positions.size() == from.vertex_count, "a mesh is not the source's");
    for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
      const glm::dvec3 normal(mesh->normals.empty() ? glm::vec3(0.0f) : mesh->normals[v]);
      const std::size_t place = from.first_vertex + v;
      const std::size_t became = baked.baked_from_source().empty() ? place : baked.baked_from_source()[place];
      pairs.push_back({&mesh->influences[v], glm::dvec3(mesh->positions[v]), normal, baked.vertices()[became]});
    }
  }
  return pairs;
}

// A bone as the classic layout stores it.
std::vector<BoneSample> stored(const Character& baked, const BakedClip& clip, std::uint32_t frame) {
  const FrameLayout layout = frame_layout(baked, clip);
  const auto words = baked.atlas().frame(layout, clip.layer, clip.first_frame + frame);
  const std::size_t each = words_per_item(Encoding::half_quaternion, false);
  std::vector<BoneSample> bones;
  for (std::size_t bone = 0; bone < baked.bones().size(); ++bone) {
    BoneSample sample = decode_bone(Encoding::half_quaternion, words.subspan(bone * each, each), clip.range);
    if (sample.rotation.w < 0.0) sample.rotation = -sample.rotation;
    bones.push_back(sample);
  }
  return bones;
}

struct Moves {
  std::vector<glm::dmat3> linear, normal;
  std::vector<glm::dvec3> offset;

  void add(const glm::dmat3& m, const glm::dvec3& to) {
    linear.push_back(m);
    normal.push_back(normal_matrix(m));
    offset.push_back(to);
  }
};

Moves mixed(const std::vector<BoneSample>& from, const std::vector<BoneSample>& to, double blend) {
  Moves moves;
  for (std::size_t bone = 0; bone < from.size(); ++bone) {
    const glm::dquat q = from[bone].rotation * (1.0 - blend) + to[bone].rotation * blend;
    const double scale = glm::mix(from[bone].scale, to[bone].scale, blend);
    moves.add(glm::mat3_cast(glm::normalize(q)) * scale, glm::mix(from[bone].position, to[bone].position, blend));
  }
  return moves;
}

template <class Weight, class Slots>
glm::dvec3 moved(const Moves& moves, const Slots& slots, const Weight& weight, const glm::dvec3& v) {
  glm::dvec3 out(0.0);
  for (std::size_t i = 0; i < kInfluences; ++i) {
    if (weight(i) > 0.0) out += weight(i) * (moves.linear[slots[i]] * v + moves.offset[slots[i]]);
  }
  return out;
}

template <class Weight, class Slots>
glm::dvec3 turned(const Moves& moves, const Slots& slots, const Weight& weight, const glm::dvec3& n) {
  glm::dvec3 out(0.0);
  for (std::size_t i = 0; i < kInfluences; ++i) {
    const glm::dvec3 one = moves.normal[slots[i]] * n;
    const double length = glm::length(one);
    if (weight(i) > 0.0 && length > 0.0) out += one * (weight(i) / length);
  }
  return out;
}

struct Tally {
  Histogram errors;
  double normal = 0.0;  // the largest angle, radians
};

void compare(const std::vector<Vertex>& vertices, const Moves& source, const Moves& baked, bool normals, Tally& tally) {
  for (const Vertex& v : vertices) {
    const auto source_weight = [&](std::size_t i) { return static_cast<double>(v.source->weights[i]); };
    const auto baked_weight = [&](std::size_t i) { return v.baked.weights[i] / 65535.0; };
    const glm::dvec3 position(v.baked.position);
    tally.errors.add(glm::distance(moved(source, v.source->bindings, source_weight, v.source_position),
                                   moved(baked, v.baked.bones, baked_weight, position)));
    if (!normals) continue;
    const glm::dvec3 a = turned(source, v.source->bindings, source_weight, v.source_normal);
    const glm::dvec3 b = turned(baked, v.baked.bones, baked_weight, glm::dvec3(v.baked.normal));
    if (glm::length(a) * glm::length(b) > 0.0) {
      tally.normal = std::max(tally.normal, std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)));
    }
  }
}

bool flips(const std::vector<BoneSample>& from, const std::vector<BoneSample>& to) {
  for (std::size_t bone = 0; bone < from.size(); ++bone) {
    if (glm::dot(from[bone].rotation, to[bone].rotation) < 0.0) return true;
  }
  return false;
}

struct ClipTally {
  Tally tally;
  bool flipped = false;
};

ClipTally measure_clip(const Model& source, const Character& baked, std::size_t index,
                       const std::vector<Vertex>& vertices) {
  const BakedClip& clip = baked.clips()[index];
  ClipTally out;
  const std::uint32_t intervals = clip.loops ? clip.frame_count : clip.frame_count - 1;
  for (std::uint32_t frame = 0; frame < intervals; ++frame) {
    const auto from = stored(baked, clip, frame);
    const auto to = stored(baked, clip, (frame + 1) % clip.frame_count);
    out.flipped = out.flipped || flips(from, to);
    for (int point = 1; point < kPoints; ++point) {
      const double blend = static_cast<double>(point) / kPoints;
      const double time = clip.source_start + (frame + blend) / clip.rate();
      if (time > source.clips()[index].end + 1e-9) break;
      Moves truth;
      for (const glm::dmat4& m : skinning_palette(source, sample(source, source.clips()[index], time))) {
        truth.add(glm::dmat3(m), glm::dvec3(m[3]));
      }
      compare(vertices, truth, mixed(from, to, blend), 2 * point == kPoints, out.tally);
    }
  }
  return out;
}

}  // namespace

NaiveBake measure_naive_bake(const Model& source, const Character& baked, Executor& executor) {
  require(baked.clips().size() == source.clips().size(), "a bake of some clips only");
  const std::vector<Vertex> vertices = pair_up(source, baked);
  std::vector<ClipTally> clips(baked.clips().size());
  executor.run(clips.size(), [&](std::size_t i) { clips[i] = measure_clip(source, baked, i, vertices); });
  NaiveBake out;
  Tally total;
  for (const ClipTally& clip : clips) {
    total.errors.add(clip.tally.errors);
    total.normal = std::max(total.normal, clip.tally.normal);
    out.clips_flipped += clip.flipped ? 1 : 0;
  }
  out.between.max_mm = total.errors.largest() * baked.error().mm_per_unit;
  out.between.p999_mm = total.errors.percentile(0.999) * baked.error().mm_per_unit;
  out.between.normal_max_degrees = total.normal * 57.29577951308232;
  return out;
}

}  // namespace throng::bench
