// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an artist made: a skeleton, meshes bound to it, materials and clips. Importers fill a ModelDraft; build_model
// checks it once; the Model that comes out never changes and needs no further checks by anyone who reads it.
//
// Spaces: mesh space (a mesh's own vertices as the file has them), bone space, model space (the file's scene). A matrix
// is named by where it leads and where it comes from. Units are the file's; +Y is up, right-handed. See
// docs/conventions.md.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "throng/base/bytes.h"
#include "throng/base/result.h"
#include "throng/character/image.h"
#include "throng/character/material.h"
#include "throng/character/skin_method.h"
#include "throng/math/bounds.h"
#include "throng/math/transform.h"

namespace throng {

// What lengths are told in, whatever a model's units are: millimetres on a character of this height.
inline constexpr double kCharacterMillimetres = 1800.0;

// A bone: its name, its parent and where it rests.
struct Bone {
  std::string name;
  std::optional<std::uint32_t> parent;  // always a smaller index: parents come before children
  Transform rest;                       // parent_from_bone at rest
};

// What a vertex is bound to: a bone, and how mesh space lies in that bone. The same bone may be bound differently by
// different meshes. A rigid part is a mesh with one binding of weight one.
struct Binding {
  std::uint32_t bone = 0;
  glm::dmat4 bone_from_mesh{1.0};
};

inline constexpr std::size_t kInfluences = 4;  // bones that a vertex follows, at most, without Mesh::extra_influences
inline constexpr std::size_t kMostInfluences = 8;  // of a vertex, with Mesh::extra_influences

// Largest weight first, unused ones 0; the weights sum to one. As it is made it follows nothing, which build_model
// refuses of a vertex.
struct Influences {
  std::array<std::uint16_t, kInfluences> bindings{};  // indices into Model::bindings()
  std::array<float, kInfluences> weights{};
};

// What follows one binding alone.
constexpr Influences bound_to(std::uint16_t binding) { return {{binding, 0, 0, 0}, {1.0f, 0.0f, 0.0f, 0.0f}}; }

// Offsets that are added to a mesh by weight, before its bones move it.
struct MorphTarget {
  std::string name;
  std::vector<glm::vec3> positions;  // offsets, one per vertex
  std::vector<glm::vec3> normals;    // offsets, one per vertex, or none
};

// One primitive on one node: triangles of one material. Arrays other than positions and influences may be empty.
struct Mesh {
  std::string name;
  std::string part = {};        // what its node is called (throng/model/parts.h)
  std::uint32_t node = 0;       // of the file, that it hangs on
  std::uint32_t primitive = 0;  // of that node's mesh, that it was
  std::uint32_t material = 0;
  SkinMethod skin_method = SkinMethod::linear;  // as its author sees it; crowds blend linearly all the same
  std::vector<glm::vec3> positions;
  std::vector<glm::vec3> normals;
  std::vector<glm::vec4> tangents;  // w: −1 or 1, the side of the bitangent cross(normal, tangent) · w
  std::vector<glm::vec2> uvs;       // of the set the material's base colour texture uses
  std::vector<glm::vec4> colours;   // linear
  std::vector<Influences> influences;
  // The fifth to eighth strongest: empty (four are all there are), or one per vertex. Then the weights of all eight sum
  // to one and none here is larger than a vertex's fourth. Influences{} is a vertex that follows no more than four.
  std::vector<Influences> extra_influences = {};
  std::vector<std::uint32_t> indices;  // three a triangle, counter-clockwise seen from outside
  std::vector<MorphTarget> morph_targets;
  std::vector<float> morph_weights;  // at rest, one per target
};

// Calls f(binding, weight) for everything a vertex follows, strongest first; weights of zero are left out.
template <class F>
void for_each_influence(const Mesh& mesh, std::size_t vertex, F&& f) {
  const auto each = [&f](const Influences& influences) {
    for (std::size_t i = 0; i < kInfluences && influences.weights[i] > 0.0f; ++i) {
      f(influences.bindings[i], influences.weights[i]);
    }
  };
  each(mesh.influences[vertex]);
  if (!mesh.extra_influences.empty()) each(mesh.extra_influences[vertex]);
}

// The four strongest, rescaled to sum to one: for those who have room for no more. What a mesh without extra_influences
// has is returned as it is.
Influences strongest_four(const Mesh& mesh, std::size_t vertex);
std::vector<Influences> strongest_four(const Mesh& mesh);

// How values between two keys are found.
enum class Interpolation : std::uint8_t { step, linear, cubic_spline };

// Keys over time. A cubic spline has three values a key: in-tangent, value, out-tangent (per second).
template <class T>
struct Curve {
  Interpolation interpolation = Interpolation::linear;
  std::vector<float> times;  // seconds, strictly increasing, none negative
  std::vector<T> values;

  bool empty() const { return times.empty(); }  // whether it has no keys
};

// Curves of one bone; an empty curve leaves the rest value.
struct BoneTrack {
  std::uint32_t bone = 0;
  Curve<glm::vec3> translation;
  Curve<glm::quat> rotation;
  Curve<glm::vec3> scale;
};

// Weights of one mesh's morph targets: `targets` values at each key (three times as many in a cubic spline, tangents
// apart).
struct MorphTrack {
  std::uint32_t mesh = 0;
  Curve<float> weights;
};

// Something that happens at a moment of a clip, such as a footstep.
struct Event {
  double time = 0.0;  // seconds, in the clip's own time
  std::string name;
};

// A clip's time is the file's: it runs from `start` (its first key) to `end` (its last).
struct Clip {
  std::string name;
  double start = 0.0;
  double end = 0.0;
  std::optional<bool> loops;  // what the source says; nothing: the bake guesses from the first and last pose
  std::vector<BoneTrack> bones;
  std::vector<MorphTrack> morphs;
  std::vector<Event> events;

  double length() const { return end - start; }  // seconds from its first key to its last
};

// A named place to hang things on.
struct Socket {
  std::string name;
  std::uint32_t bone = 0;
  Transform bone_from_socket;
};

// Everything a model is, open to change and not yet checked.
struct ModelDraft {
  std::string name;
  std::vector<Bone> bones;
  std::vector<Binding> bindings;
  std::vector<Mesh> meshes;
  std::vector<Material> materials;
  std::vector<ImageSource> images;
  std::vector<Clip> clips;
  std::vector<Socket> sockets;
};

class Model {
 public:
  // For those who change something: copy, change, build again.
  const ModelDraft& draft() const { return draft_; }

  const std::string& name() const { return draft_.name; }          // as the file has it, or the file's own name
  const std::vector<Bone>& bones() const { return draft_.bones; }  // the skeleton, parents before children
  // Which bones move meshes, each with bone_from_mesh.
  const std::vector<Binding>& bindings() const { return draft_.bindings; }
  const std::vector<Mesh>& meshes() const { return draft_.meshes; }            // the meshes, each of one material
  const std::vector<Material>& materials() const { return draft_.materials; }  // what the meshes look like
  const std::vector<ImageSource>& images() const { return draft_.images; }     // the pictures of the materials
  const std::vector<Clip>& clips() const { return draft_.clips; }              // all clips, with their curves
  const std::vector<Socket>& sockets() const { return draft_.sockets; }        // named places to hang things on

  // The clip of that name, or the only one it matches as a pattern; or an error that names those spelled like it.
  Result<std::uint32_t> find_clip(std::string_view name) const;

 private:
  friend Result<Model> build_model(ModelDraft draft);
  explicit Model(ModelDraft draft) : draft_(std::move(draft)) {}
  ModelDraft draft_;
};

// Checks everything the types above promise (orders, sizes, index ranges, finite numbers, unit quaternions within 1e-3,
// tangents with a side of ±1, weights that fall and sum to one within 1e-4); the first broken promise is the error.
// Clips keep their names; duplicates are allowed.
Result<Model> build_model(ModelDraft draft);

}  // namespace throng
