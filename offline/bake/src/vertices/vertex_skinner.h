// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every vertex of a model in a pose, in blocks and in single precision: the inner loop of the vertex bake. What it
// computes is what skin_mesh computes in double; each mesh is moved to its own centre first, so that one that lies far
// from its origin loses nothing.

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

#include "mesh/baked_mesh.h"
#include "mesh/source_mesh.h"
#include "motion/clip_plan.h"
#include "throng/math/simd/float4.h"

namespace throng::detail::bake {

using namespace simd;

inline constexpr std::size_t kSkinBlock = 64;

// Vertices of one mesh that follow one another.
struct SkinBlock {
  std::uint32_t first = 0;
  std::uint32_t count = 0;       // at most kSkinBlock
  std::uint32_t mesh = 0;        // of the model
  std::uint32_t influences = 1;  // the most that one of them has, of its first four
  std::uint32_t more = 0;        // the same of the four after them
};

// A block in a pose. Normals and tangents have a direction but no certain length; w of tangents is −1 or 1.
struct SkinnedBlock {
  Float4 positions[kSkinBlock];
  Float4 normals[kSkinBlock];
  Float4 tangents[kSkinBlock];
};

// What a pose makes of everything that is skinned.
struct SkinPose {
  struct Matrix {
    Float4 columns[4];
  };
  std::vector<Matrix> matrices;         // model_from_mesh, per slot
  std::vector<Matrix> normal_matrices;  // per slot; empty where the matrices above serve normals too
  std::vector<std::vector<float>>
      morph_steps;                  // per mesh: how far each target is in, more than at rest; empty: none is
  std::vector<glm::dmat4> sockets;  // model_from_socket
};

class VertexSkinner {
 public:
  // `mesh` is the model's rest mesh, its vertices in any order: where those of one mesh of the model lie together,
  // blocks are larger. Sockets hang on bones of the model, which must outlive this.
  VertexSkinner(const Model& model, const BakedMesh& mesh, std::vector<Socket> sockets, bool tangents);

  const std::vector<SkinBlock>& blocks() const { return blocks_; }
  const std::vector<Socket>& sockets() const { return sockets_; }
  std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(vertices_.size()); }
  bool has_tangents() const { return !tangents_.empty(); }

  SkinPose pose_at(const ClipPlan& plan, double source_time) const;

  void positions(const SkinPose& pose, const SkinBlock& block, SkinnedBlock& out) const;
  // The same for all vertices at once.
  void positions(const SkinPose& pose, std::vector<Float4>& out) const;
  void everything(const SkinPose& pose, const SkinBlock& block, SkinnedBlock& out) const;

  // Whether two vertices are in one place in every pose there may be: they are of one mesh, lie in one place, follow
  // the same bones, and morph targets move both the same way.
  bool alike(std::uint32_t a, std::uint32_t b) const;

  // Whether these move as one piece that nothing bends in any pose: all follow the same bones by the same weights, and
  // no morph target moves their mesh.
  bool stiff(std::span<const std::uint32_t> vertices) const;

  // The one binding that moves a vertex; none where several do, or a morph target.
  std::optional<std::uint32_t> only_binding(std::uint32_t vertex) const;
  // For each binding, by how much lengths grow at most from one pose to another where only it moves them; 1 for those
  // that nothing uses.
  std::vector<float> stretches(const SkinPose& from, const SkinPose& to) const;

  // Raises, for every vertex, how far it has moved where only its first one, two or three bones move it, squared.
  void raise_fewer_bones(const SkinPose& pose, std::span<std::array<float, 3>> furthest) const;

  // Whether two poses put every vertex and socket in one place to within `tolerance` model units.
  bool same(const SkinPose& a, const SkinPose& b, double tolerance) const;

 private:
  // A cache line.
  struct Vertex {
    Float4 position;
    Float4 normal;
    std::uint32_t slots[4];
    float weights[4];
  };
  // The fifth to eighth that a vertex follows.
  struct More {
    std::uint32_t slots[4];
    float weights[4];
  };
  // A binding as one mesh uses it.
  struct Slot {
    std::uint32_t binding = 0;
    glm::dvec3 centre{0.0};  // of the mesh, in its own space
    double radius = 0.0;     // of the mesh about it
  };

  class MeshSlots;
  struct Prepared;

  bool follow_the_same(std::uint32_t a, std::uint32_t b) const;
  static Vertex make_vertex(const Mesh& source, const RestSurface& surface, std::uint32_t from, MeshSlots& slots);
  static More make_more(const Mesh& source, std::uint32_t from, const Vertex& vertex, MeshSlots& slots);
  Prepared prepare(const RestSurface& surface);
  void add_run(const BakedMesh& mesh, std::size_t first, std::size_t end, bool tangents, Prepared& prepared);
  void add_blocks(std::uint32_t mesh, std::size_t first);
  Float4 turned_normal(const SkinPose& pose, const SkinBlock& block, const Vertex& vertex, const More* more) const;
  void set_matrices(const std::vector<glm::dmat4>& model_from_bones, SkinPose& pose) const;
  template <bool kEverything>
  void skin(const SkinPose& pose, const SkinBlock& block, SkinnedBlock& out) const;
  void morph(const std::vector<float>& steps, const SkinBlock& block, Vertex* vertices) const;
  // The block's vertices with the pose's morph targets in; in `room` where there are any.
  const Vertex* morphed(const SkinPose& pose, const SkinBlock& block, Vertex* room) const;

  const Model& model_;
  std::vector<Vertex> vertices_;
  bool has_more_ = false;   // some mesh has vertices of more than four influences
  std::vector<More> more_;  // per vertex; empty where no mesh has any
  std::vector<Float4> tangents_;
  std::vector<std::uint32_t> source_vertices_;
  std::vector<std::uint32_t> source_meshes_;
  std::vector<SkinBlock> blocks_;
  std::vector<Slot> slots_;
  std::vector<Socket> sockets_;
};

}  // namespace throng::detail::bake
