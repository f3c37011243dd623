#pragma once
// The way a character goes over the ground, told from what it does there.
//
// The ground under a character moves with its root bone: by what the bone moves in x and z and by how far it turns
// about +Y, counted from the clip's first frame. What is left is the pose; height and leaning stay in it. The turn is
// the one about +Y that is nearest to the bone's own (the twist of a swing-twist decomposition), so no axis of the bone
// needs to be level. It is not defined while the bone hangs exactly upside down, and swings round quickly near that.

#include <optional>

#include "motion/clip_selection.h"
#include "throng/bake/bake.h"
#include "throng/pose/pose.h"

namespace throng::detail::bake {

// Whose way is taken off in one clip, and where it starts.
struct RootPath {
  std::uint32_t bone = 0;
  bool stored = false;                    // kept beside the poses, or forgotten
  glm::dvec3 start{0.0};                  // the bone at the clip's first frame, model space
  glm::dmat3 bone_from_start{1.0};        // its axes there, inverted
  RootSample over_seam;                   // an open loop: from the last key to the first pose again
  std::vector<std::uint32_t> chain = {};  // the bone and what it hangs on, root first
};

RootPath root_path(const Model& model, const Clip& clip, std::uint32_t bone);

// The clip without what does not move the bone, to sample quickly.
Clip only_chain(const Model& model, const Clip& clip, std::uint32_t bone);

// Where the ground is in a pose of the clip; the yaw is in [−π, π].
RootSample ground_of(const Pose& pose, const RootPath& path);

// The pose as seen from the ground: model_from_ground · what it becomes = what it was.
void take_off(const Model& model, const RootSample& ground, Pose& pose);

// model_from_ground.
glm::dmat4 to_matrix(const RootSample& ground);

// First `first`, then `then` as seen from there; and the way from one to the other.
RootSample compose(const RootSample& first, const RootSample& then);
RootSample between(const RootSample& from, const RootSample& to);

// The bone whose way is meant: the one named in the settings, or the one nearest to the root that everything drawn
// hangs on and that goes or turns over the ground in any of the clips; nothing when none does. An error names bones
// spelled like one that there is not.
Result<std::optional<std::uint32_t>> find_root_bone(const Model& model, const std::vector<SelectedClip>& clips,
                                                    const BakeSettings& settings, double height);

}  // namespace throng::detail::bake
