// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the animator needs of a character: its skeleton and its motion, which is read where it lies. Built once, never
// changed, shared by every character and thread.
//
// Spaces as everywhere: parent_from_bone (local), model_from_bone. Units are the model's. Numbers are floats; the truth
// in double is throng/pose/pose.h, which every job is tested against.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/result.h"
#include "throng/character/character.h"

namespace throng {

class Rig;
namespace detail::animator {
struct RigChannels;  // how SampleJob reads clips in localv
const RigChannels& channels_of(const Rig& rig);
}  // namespace detail::animator

// parent_from_bone of four bones: number [i][lane] is component i of bone 4 · group + lane. Lanes past the last bone
// are at rest (identity) and never read.
struct alignas(16) SoaTransform {
  float translation[3][4];
  float rotation[4][4];  // x, y, z, w; of unit length
  float scale[3][4];
};

// An affine matrix as three rows of four, as shaders read palettes: point ↦ rows · (point, 1).
struct alignas(16) Affine {
  std::array<glm::vec4, 3> rows{glm::vec4(1, 0, 0, 0), glm::vec4(0, 1, 0, 0), glm::vec4(0, 0, 1, 0)};
};

glm::mat4 to_matrix(const Affine& affine);  // as glm has it, with the last row (0, 0, 0, 1)
Affine to_affine(const glm::mat4& matrix);  // of a matrix whose last row is (0, 0, 0, 1)
glm::vec3 transform_point(const Affine& affine, const glm::vec3& point);  // the point where the matrix takes it
// Where it takes the origin.
inline glm::vec3 position_of(const Affine& affine) { return {affine.rows[0].w, affine.rows[1].w, affine.rows[2].w}; }
// Its rotation alone: what is left when scale and shear are taken out (columns made orthonormal, mirrored where it
// mirrors).
glm::quat rotation_of(const Affine& affine);

// One bone's local transform, taken out of and put back among its three neighbours.
struct BoneTransform {
  glm::vec3 translation{0.0f};
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};  // glm's constructor takes w first
  glm::vec3 scale{1.0f};
};
BoneTransform local_of(std::span<const SoaTransform> locals, std::uint32_t bone);  // the local transform of one bone
// Replaces the local transform of one bone.
void set_local(std::span<SoaTransform> locals, std::uint32_t bone, const BoneTransform& local);

// A clip's times as the animator counts them: seconds from its start, 0 … length.
struct RigClip {
  std::string name;
  float length = 0.0f;  // seconds; 0: a clip that is one pose
  bool loops = false;
  std::vector<ClipEvent> events;  // times from the clip's start, in order
  // What SampleJob::cursors must hold. Of a clip in localv that is room for two decoded frames.
  std::uint32_t cursor_count = 0;
};

class Rig {
 public:
  std::size_t bone_count() const;                          // how many bones there are
  std::size_t group_count() const;                         // of four bones: the length of every span of SoaTransform
  std::size_t morph_count() const;                         // targets of all meshes, one after another
  const std::string& bone_name(std::uint32_t bone) const;  // as the model has it, with its namespace
  // Nothing: a root. A parent's number is always smaller.
  std::optional<std::uint32_t> parent(std::uint32_t bone) const;
  std::span<const std::int32_t> parents() const;   // −1: none
  std::span<const SoaTransform> rest() const;      // parent_from_bone of every bone at rest
  std::span<const Affine> rest_models() const;     // model_from_bone at rest
  std::span<const float> rest_morphs() const;      // weights of the morph targets at rest
  std::optional<std::uint32_t> root_bone() const;  // whose motion is the root motion; nothing: no bone's is

  // The bone or clip of that name, or an error that names those spelled like it. A bone's namespace (before the last
  // ':' or '|') may be left out; a clip may be named by a pattern (* and ?) that only it matches.
  Result<std::uint32_t> find_bone(std::string_view name) const;
  // The clip of that name or pattern, or an error that names those spelled like it.
  Result<ClipId> find_clip(std::string_view name) const;
  std::span<const RigClip> clips() const;  // all clips of the character, by ClipId

  // Whether `bone` is `ancestor` or below it.
  bool is_below(std::uint32_t bone, std::uint32_t ancestor) const;
  // The greatest number among `bone` and those below it.
  std::uint32_t last_below(std::uint32_t bone) const;

  // bone_from_mesh of every binding of the character, and its bone: what a palette is made with.
  std::span<const Affine> bone_from_meshes() const;
  std::span<const std::uint32_t> bound_bones() const;  // the bone of every binding
  std::span<const MotionSocket> sockets() const;       // the sockets, each on its bone

  // What it was built from.
  const Motion& motion() const;
  // Bytes that a clip takes in memory, with what it is read by: its keys, and the words of localv that it plays, which
  // far characters of the same file play, too.
  std::size_t clip_bytes(ClipId clip) const;

  ~Rig();
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

 private:
  struct State;
  friend std::shared_ptr<const Rig> build_rig(const Motion& motion);
  friend const detail::animator::RigChannels& detail::animator::channels_of(const Rig& rig);
  explicit Rig(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Shares the motion's storage. Refused: a character without a motion; the error says to bake its model again.
Result<std::shared_ptr<const Rig>> build_rig(const Character& character);
std::shared_ptr<const Rig> build_rig(const Motion& motion);

}  // namespace throng
