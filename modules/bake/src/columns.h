#pragma once
// The columns of the animation texture: which bone each follows, how the baked mesh lies in that bone, and what it does
// in every frame.

#include <optional>
#include <vector>

#include "clip_plan.h"
#include "rigid.h"

namespace throng {

// Where every bone is at every frame of every clip, and half-way to the next.
struct SampledClip {
  std::vector<std::vector<glm::dmat4>> frames;  // model_from_bone, by frame and bone
  std::vector<std::vector<glm::dmat4>>
      halfway;  // the same between a frame and the next; empty where the source says nothing
};
std::vector<SampledClip> sample_clips(const Model& model, const std::vector<ClipPlan>& plans, Executor& executor);

struct Column {
  std::string name;
  std::uint32_t bone = 0;
  glm::dmat4 bone_from_baked{1.0};
  std::vector<std::vector<Rigid>> motion;  // model_from_baked, by clip and frame; neighbours in one hemisphere
  glm::dvec3 pivot{0.0};
};

struct Columns {
  std::vector<Column> all;
  std::vector<glm::dmat4> baked_from_mesh;               // per mesh of the model
  std::vector<std::optional<std::uint32_t>> of_binding;  // per binding of the model, when a mesh uses it
  std::vector<BakedSocket> sockets;
};

// Meshes that share a binding share a reference: the matrix that takes their vertices to model space as one of their
// bones stands at rest. It is folded into the mesh, and its inverse into the columns, so that what is constant costs
// q16 nothing. An error names clip, bone and time.
Result<Columns> make_columns(const Model& model, const std::vector<ClipPlan>& plans,
                             const std::vector<SampledClip>& sampled, std::vector<std::string>& notes);

// How many columns the model's meshes need.
std::size_t count_columns(const Model& model);

// Whether a mesh has anything to draw.
bool is_drawn(const Mesh& mesh);

}  // namespace throng
