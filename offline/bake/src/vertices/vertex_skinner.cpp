// SPDX-License-Identifier: Apache-2.0
#include "vertices/vertex_skinner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "mesh/source_mesh.h"
#include "throng/math/directions.h"

namespace throng::detail::bake {
namespace {

// Relative: how far apart scales may be and matrices from rotations and still count as one. Directions are off by no
// more than that.
constexpr double kOneScale = 1e-5;
constexpr double kFloatRounding = 1e-7;  // of a coordinate

Float4 to_float4(const glm::dvec4& v) {
  return Float4{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), static_cast<float>(v.w)};
}

glm::dvec4 to_double(Float4 v) {
  return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2]), static_cast<double>(v[3])};
}

SkinPose::Matrix to_matrix_of_floats(const glm::dmat4& m) {
  SkinPose::Matrix out;
  for (int c = 0; c < 4; ++c) out.columns[c] = to_float4(m[c]);
  return out;
}

// The squared scale of a matrix that only rotates, mirrors and scales evenly; nothing when it does more.
std::optional<double> squared_scale(const glm::dmat3& m) {
  const glm::dmat3 gram = glm::transpose(m) * m;
  const double mean = (gram[0][0] + gram[1][1] + gram[2][2]) / 3.0;
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) {
      if (!(std::abs(gram[c][r] - (c == r ? mean : 0.0)) < kOneScale * mean)) return std::nullopt;
    }
  }
  return mean;
}

bool all_of_one_scale(const std::vector<glm::dmat4>& matrices) {
  std::optional<double> first;
  for (const glm::dmat4& m : matrices) {
    const auto scale = squared_scale(glm::dmat3(m));
    if (!scale) return false;
    if (!first) first = scale;
    if (!(std::abs(*scale - *first) < kOneScale * *first)) return false;
  }
  return true;
}

// Its columns scaled together, so that no entry is too large or too small for a float.
glm::dmat4 scaled_normal_matrix(const glm::dmat4& m) {
  glm::dmat3 normal = normal_matrix(glm::dmat3(m));
  double largest = 0.0;
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) largest = std::max(largest, std::abs(normal[c][r]));
  }
  if (largest > 0.0) normal *= 1.0 / largest;
  return glm::dmat4(normal);
}

bool same_matrix(const glm::dmat4& a, const glm::dmat4& b, double radius, double tolerance) {
  double turned = 0.0;
  double size = 0.0;
  for (int c = 0; c < 3; ++c) {
    turned += glm::dot(a[c] - b[c], a[c] - b[c]);
    size += glm::dot(a[c], a[c]);
  }
  if (std::sqrt(turned) > 10.0 * kFloatRounding * std::sqrt(size)) return false;
  const double rounding = kFloatRounding * glm::length(glm::dvec3(a[3]));
  return std::sqrt(turned) * radius + glm::distance(a[3], b[3]) <= tolerance + rounding;
}

Float4 moved(const SkinPose::Matrix& m, Float4 v) {
  return m.columns[0] * v[0] + m.columns[1] * v[1] + m.columns[2] * v[2] + m.columns[3];
}

Float4 turned(const SkinPose::Matrix& m, Float4 v) {
  return m.columns[0] * v[0] + m.columns[1] * v[1] + m.columns[2] * v[2];
}

void add_matrices(const std::vector<SkinPose::Matrix>& matrices, const std::uint32_t* slots, const float* weights,
                  std::uint32_t first, std::uint32_t end, SkinPose::Matrix& blend) {
  for (std::uint32_t i = first; i < end; ++i) {
    const SkinPose::Matrix& m = matrices[slots[i]];
    for (int c = 0; c < 4; ++c) blend.columns[c] += m.columns[c] * weights[i];
  }
}

// Blends normals as skin_mesh does where bones do not all scale alike: each bone's direction by its weight.
Float4 blended_directions(const std::vector<SkinPose::Matrix>& matrices, const std::uint32_t* slots,
                          const float* weights, std::uint32_t influences, Float4 normal) {
  Float4 sum = splat(0.0f);
  for (std::uint32_t i = 0; i < influences; ++i) {
    const Float4 t = turned(matrices[slots[i]], normal);
    const float length = std::sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    if (length > 0.0f) sum += t * (weights[i] / length);
  }
  return sum;
}

// The sign of the first column against the cross product of the others.
bool mirrors(const SkinPose::Matrix& m) {
  const Float4 a = m.columns[0], b = m.columns[1], c = m.columns[2];
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]) <
         0.0f;
}

}  // namespace

// The slots of one mesh, by binding, made when first asked for.
class VertexSkinner::MeshSlots {
 public:
  MeshSlots(std::vector<Slot>& slots, const Bounds& box)
      : slots_(slots), centre_(box.centre()), radius_(0.5 * box.diagonal()) {}

  const glm::dvec3& centre() const { return centre_; }

  std::uint32_t of(std::uint16_t binding) {
    const auto [slot, is_new] = slot_of_.try_emplace(binding, static_cast<std::uint32_t>(slots_.size()));
    if (is_new) slots_.push_back({binding, centre_, radius_});
    return slot->second;
  }

 private:
  std::vector<Slot>& slots_;
  std::unordered_map<std::uint16_t, std::uint32_t> slot_of_;  // by binding: a mesh has few of very many
  glm::dvec3 centre_;
  double radius_;
};

// A mesh of the source, whose vertices may come in several runs.
struct VertexSkinner::Prepared {
  const RestSurface& surface;
  MeshSlots slots;
};

VertexSkinner::VertexSkinner(const Model& model, const BakedMesh& mesh, std::vector<Socket> sockets, bool tangents)
    : model_(model), sockets_(std::move(sockets)) {
  has_more_ = std::ranges::any_of(model.meshes(), [](const Mesh& any) { return !any.extra_influences.empty(); });
  vertices_.reserve(mesh.origins.size());
  std::map<std::uint32_t, Prepared> prepared;
  std::size_t first = 0;
  while (first < mesh.origins.size()) {
    const std::uint32_t index = mesh.origins[first].mesh;
    std::size_t end = first;
    while (end < mesh.origins.size() && mesh.origins[end].mesh == index) ++end;
    auto found = prepared.find(index);
    if (found == prepared.end()) found = prepared.emplace(index, prepare((*mesh.surfaces)[index])).first;
    add_run(mesh, first, end, tangents, found->second);
    first = end;
  }
}

VertexSkinner::Vertex VertexSkinner::make_vertex(const Mesh& source, const RestSurface& surface, std::uint32_t from,
                                                 MeshSlots& slots) {
  const Influences& influences = source.influences[from];
  std::size_t without_direction = 0;
  const glm::dvec3 normal =
      source.normals.empty() ? unit_or_up(surface.normals[from], without_direction) : surface.normals[from];
  Vertex vertex{to_float4({surface.positions[from] - slots.centre(), 1.0}), to_float4({normal, 0.0}), {}, {}};
  for (std::size_t i = 0; i < kInfluences; ++i) {
    vertex.weights[i] = influences.weights[i];
    vertex.slots[i] = slots.of(influences.bindings[influences.weights[i] != 0.0f ? i : 0]);
  }
  return vertex;
}

VertexSkinner::More VertexSkinner::make_more(const Mesh& source, std::uint32_t from, const Vertex& vertex,
                                             MeshSlots& slots) {
  More more{};
  for (std::size_t i = 0; i < kInfluences; ++i) {
    more.weights[i] = source.extra_influences.empty() ? 0.0f : source.extra_influences[from].weights[i];
    more.slots[i] = more.weights[i] != 0.0f ? slots.of(source.extra_influences[from].bindings[i]) : vertex.slots[0];
  }
  return more;
}

VertexSkinner::Prepared VertexSkinner::prepare(const RestSurface& surface) {
  Bounds box;
  for (const glm::dvec3& position : surface.positions) box.add(position);
  return {surface, MeshSlots(slots_, box)};
}

void VertexSkinner::add_run(const BakedMesh& mesh, std::size_t first, std::size_t end, bool tangents,
                            Prepared& prepared) {
  const std::uint32_t index = mesh.origins[first].mesh;
  const Mesh& source = model_.meshes()[index];
  for (std::size_t v = first; v < end; ++v) {
    const std::uint32_t from = mesh.origins[v].vertex;
    vertices_.push_back(make_vertex(source, prepared.surface, from, prepared.slots));
    if (has_more_) more_.push_back(make_more(source, from, vertices_.back(), prepared.slots));
    source_vertices_.push_back(from);
    source_meshes_.push_back(index);
    if (tangents) tangents_.push_back(to_float4(prepared.surface.tangents[from]));
  }
  add_blocks(index, first);
}

void VertexSkinner::add_blocks(std::uint32_t mesh, std::size_t first) {
  for (; first < vertices_.size(); first += kSkinBlock) {
    const std::size_t count = std::min(kSkinBlock, vertices_.size() - first);
    SkinBlock block{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), mesh, 1, 0};
    for (std::size_t v = first; v < first + count; ++v) {
      for (std::uint32_t i = block.influences; i < kInfluences; ++i) {
        if (vertices_[v].weights[i] != 0.0f) block.influences = i + 1;
      }
      for (std::uint32_t i = block.more; !more_.empty() && i < kInfluences; ++i) {
        if (more_[v].weights[i] != 0.0f) block.more = i + 1;
      }
    }
    blocks_.push_back(block);
  }
}

SkinPose VertexSkinner::pose_at(const ClipPlan& plan, double source_time) const {
  const Pose pose = sample_planned(model_, plan, source_time);
  const std::vector<glm::dmat4> bones = model_from_bones(model_, pose);
  SkinPose out;
  set_matrices(bones, out);
  out.morph_steps.resize(model_.meshes().size());
  for (std::size_t mesh = 0; mesh < pose.morph_weights.size(); ++mesh) {
    const auto& weights = pose.morph_weights[mesh];
    std::vector<float> steps(weights.size());
    for (std::size_t t = 0; t < steps.size(); ++t) {
      steps[t] = static_cast<float>(weights[t] - static_cast<double>(model_.meshes()[mesh].morph_weights[t]));
    }
    if (std::any_of(steps.begin(), steps.end(), [](float step) { return step != 0.0f; })) {
      out.morph_steps[mesh] = std::move(steps);
    }
  }
  for (const Socket& socket : sockets_) {
    out.sockets.push_back(bones[socket.bone] * to_matrix(socket.bone_from_socket));
  }
  return out;
}

void VertexSkinner::set_matrices(const std::vector<glm::dmat4>& model_from_bones, SkinPose& pose) const {
  std::vector<glm::dmat4> matrices;
  matrices.reserve(slots_.size());
  for (const Slot& slot : slots_) {
    const Binding& binding = model_.bindings()[slot.binding];
    glm::dmat4 m = model_from_bones[binding.bone] * binding.bone_from_mesh;
    m[3] = m * glm::dvec4(slot.centre, 1.0);
    matrices.push_back(m);
  }
  pose.matrices.reserve(matrices.size());
  for (const glm::dmat4& m : matrices) pose.matrices.push_back(to_matrix_of_floats(m));
  if (all_of_one_scale(matrices)) return;
  pose.normal_matrices.reserve(matrices.size());
  for (const glm::dmat4& m : matrices) pose.normal_matrices.push_back(to_matrix_of_floats(scaled_normal_matrix(m)));
}

void VertexSkinner::morph(const std::vector<float>& steps, const SkinBlock& block, Vertex* vertices) const {
  std::copy_n(vertices_.begin() + block.first, block.count, vertices);
  const auto add = [&](const std::vector<glm::vec3>& offsets, float step, Float4 Vertex::*channel) {
    if (step == 0.0f || offsets.empty()) return;
    for (std::uint32_t i = 0; i < block.count; ++i) {
      const glm::vec3& offset = offsets[source_vertices_[block.first + i]];
      vertices[i].*channel += Float4{offset.x, offset.y, offset.z, 0.0f} * step;
    }
  };
  const Mesh& mesh = model_.meshes()[block.mesh];
  for (std::size_t t = 0; t < steps.size(); ++t) {
    add(mesh.morph_targets[t].positions, steps[t], &Vertex::position);
    if (!mesh.normals.empty()) add(mesh.morph_targets[t].normals, steps[t], &Vertex::normal);
  }
}

// Where nothing is left of the directions (a bone scaled to a point), the normal as it was.
Float4 VertexSkinner::turned_normal(const SkinPose& pose, const SkinBlock& block, const Vertex& vertex,
                                    const More* more) const {
  Float4 sum = blended_directions(pose.normal_matrices, vertex.slots, vertex.weights, block.influences, vertex.normal);
  if (more) sum += blended_directions(pose.normal_matrices, more->slots, more->weights, block.more, vertex.normal);
  const bool nothing_left = sum[0] == 0.0f && sum[1] == 0.0f && sum[2] == 0.0f;
  return nothing_left ? vertex.normal : sum;
}

const VertexSkinner::Vertex* VertexSkinner::morphed(const SkinPose& pose, const SkinBlock& block, Vertex* room) const {
  const auto& steps = pose.morph_steps[block.mesh];
  if (steps.empty()) return vertices_.data() + block.first;
  morph(steps, block, room);
  return room;
}

template <bool kEverything>
void VertexSkinner::skin(const SkinPose& pose, const SkinBlock& block, SkinnedBlock& out) const {
  Vertex room[kSkinBlock];
  const Vertex* vertices = morphed(pose, block, room);
  for (std::uint32_t v = 0; v < block.count; ++v) {
    const Vertex& vertex = vertices[v];
    SkinPose::Matrix blend = pose.matrices[vertex.slots[0]];
    for (Float4& column : blend.columns) column *= vertex.weights[0];
    add_matrices(pose.matrices, vertex.slots, vertex.weights, 1, block.influences, blend);
    const More* more = block.more > 0 ? &more_[block.first + v] : nullptr;
    if (more) add_matrices(pose.matrices, more->slots, more->weights, 0, block.more, blend);
    out.positions[v] = moved(blend, vertex.position);
    if constexpr (!kEverything) continue;
    out.normals[v] =
        pose.normal_matrices.empty() ? turned(blend, vertex.normal) : turned_normal(pose, block, vertex, more);
    if (tangents_.empty()) continue;
    const Float4 tangent = tangents_[block.first + v];
    out.tangents[v] = turned(blend, tangent);
    out.tangents[v][3] = mirrors(blend) ? -tangent[3] : tangent[3];
  }
}

void VertexSkinner::positions(const SkinPose& pose, std::vector<Float4>& out) const {
  out.resize(vertices_.size());
  SkinnedBlock skinned;
  for (const SkinBlock& block : blocks_) {
    positions(pose, block, skinned);
    std::copy_n(skinned.positions, block.count, out.begin() + block.first);
  }
}

void VertexSkinner::positions(const SkinPose& pose, const SkinBlock& block, SkinnedBlock& out) const {
  skin<false>(pose, block, out);
}

void VertexSkinner::everything(const SkinPose& pose, const SkinBlock& block, SkinnedBlock& out) const {
  skin<true>(pose, block, out);
}

bool VertexSkinner::follow_the_same(std::uint32_t a, std::uint32_t b) const {
  const auto same = [&](const auto& one, const auto& other) {
    for (std::size_t i = 0; i < kInfluences; ++i) {
      if (one.weights[i] != other.weights[i]) return false;
      if (slots_[one.slots[i]].binding != slots_[other.slots[i]].binding) return false;
    }
    return true;
  };
  return same(vertices_[a], vertices_[b]) && (more_.empty() || same(more_[a], more_[b]));
}

bool VertexSkinner::alike(std::uint32_t a, std::uint32_t b) const {
  if (source_meshes_[a] != source_meshes_[b] || !follow_the_same(a, b)) return false;
  if (three(vertices_[a].position) != three(vertices_[b].position)) return false;
  return std::ranges::all_of(model_.meshes()[source_meshes_[a]].morph_targets, [&](const MorphTarget& target) {
    return target.positions.empty() || target.positions[source_vertices_[a]] == target.positions[source_vertices_[b]];
  });
}

bool VertexSkinner::stiff(std::span<const std::uint32_t> vertices) const {
  return std::ranges::all_of(vertices, [&](std::uint32_t v) {
    return model_.meshes()[source_meshes_[v]].morph_targets.empty() && follow_the_same(v, vertices[0]);
  });
}

std::optional<std::uint32_t> VertexSkinner::only_binding(std::uint32_t vertex) const {
  const auto none = [](const auto& one, std::size_t first) {
    return std::all_of(std::begin(one.weights) + first, std::end(one.weights), [](float w) { return w == 0.0f; });
  };
  if (!model_.meshes()[source_meshes_[vertex]].morph_targets.empty()) return std::nullopt;
  if (vertices_[vertex].weights[0] != 1.0f || !none(vertices_[vertex], 1) ||
      (!more_.empty() && !none(more_[vertex], 0)))
    return std::nullopt;
  return slots_[vertices_[vertex].slots[0]].binding;
}

std::vector<float> VertexSkinner::stretches(const SkinPose& from, const SkinPose& to) const {
  const auto linear = [](const SkinPose::Matrix& m) {
    return glm::dmat3(glm::dvec3(three(m.columns[0])), glm::dvec3(three(m.columns[1])),
                      glm::dvec3(three(m.columns[2])));
  };
  std::vector<float> out(model_.bindings().size(), 1.0f);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const glm::dmat3 change = linear(to.matrices[slot]) * glm::inverse(linear(from.matrices[slot]));
    // The largest sum of a row bounds what squared lengths are multiplied by; of a rotation it is 1.
    const glm::dmat3 square = glm::transpose(change) * change;
    double most = 0.0;
    for (int row = 0; row < 3; ++row)
      most = std::max(most, std::abs(square[0][row]) + std::abs(square[1][row]) + std::abs(square[2][row]));
    // A bone that was scaled to nothing says nothing of how long anything is.
    const bool known = std::isfinite(most);
    out[slots_[slot].binding] = known ? static_cast<float>(std::sqrt(most)) : std::numeric_limits<float>::infinity();
  }
  return out;
}

void VertexSkinner::raise_fewer_bones(const SkinPose& pose, std::span<std::array<float, 3>> furthest) const {
  for (const SkinBlock& block : blocks_) {
    if (block.influences < 2) continue;
    Vertex room[kSkinBlock];
    const Vertex* vertices = morphed(pose, block, room);
    for (std::uint32_t v = 0; v < block.count; ++v) {
      const Vertex& vertex = vertices[v];
      Float4 sum = splat(0.0f);
      float weights = 0.0f;
      std::array<Float4, kInfluences> places;
      for (std::size_t i = 0; i < kInfluences; ++i) {
        if (vertex.weights[i] != 0.0f)
          sum += moved(pose.matrices[vertex.slots[i]], vertex.position) * vertex.weights[i];
        weights += vertex.weights[i];
        places[i] = sum * (weights != 0.0f ? 1.0f / weights : 0.0f);
      }
      for (std::size_t n = 0; n < 3; ++n) {
        const glm::vec3 off = three(places[3] - places[n]);
        float& most = furthest[block.first + v][n];
        most = std::max(most, glm::dot(off, off));
      }
    }
  }
}

bool VertexSkinner::same(const SkinPose& a, const SkinPose& b, double tolerance) const {
  if (a.morph_steps != b.morph_steps) return false;
  const auto matrix = [](const SkinPose::Matrix& m) {
    return glm::dmat4(to_double(m.columns[0]), to_double(m.columns[1]), to_double(m.columns[2]),
                      to_double(m.columns[3]));
  };
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!same_matrix(matrix(a.matrices[i]), matrix(b.matrices[i]), slots_[i].radius, tolerance)) return false;
  }
  for (std::size_t i = 0; i < sockets_.size(); ++i) {
    if (!same_matrix(a.sockets[i], b.sockets[i], 0.0, tolerance)) return false;
  }
  return true;
}

}  // namespace throng::detail::bake
