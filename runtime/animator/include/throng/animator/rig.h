#pragma once
// What the animator needs of a model, in the form it reads fast: a skeleton and clips as keys for four bones at a time.
// Built once, never changed, shared by every character and thread.
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
#include "throng/model/model.h"

namespace throng {

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

glm::mat4 to_matrix(const Affine& affine);
Affine to_affine(const glm::mat4& matrix);
glm::vec3 transform_point(const Affine& affine, const glm::vec3& point);
inline glm::vec3 position_of(const Affine& affine) { return {affine.rows[0].w, affine.rows[1].w, affine.rows[2].w}; }
// The turn of it alone: what is left when scale and shear are taken out (columns made orthonormal, mirrored where it
// mirrors).
glm::quat rotation_of(const Affine& affine);

// One bone's local transform, taken out of and put back among its three neighbours.
struct BoneTransform {
  glm::vec3 translation{0.0f};
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};  // glm's constructor takes w first
  glm::vec3 scale{1.0f};
};
BoneTransform local_of(std::span<const SoaTransform> locals, std::uint32_t bone);
void set_local(std::span<SoaTransform> locals, std::uint32_t bone, const BoneTransform& local);

struct RigSettings {
  // How far a compiled clip may be off the file's curves: cubic splines and wide arcs become as many keys as that
  // takes, up to 1,024 between two keys of the file's. Curves that stay within a tenth of it are held still.
  float angle_tolerance = 1e-4f;     // radians
  float distance_tolerance = 1e-5f;  // of the model's size at rest; scales and morph weights: of 1
  // The bone whose way over the ground is the character's (root motion); empty: the first bone without a parent that
  // any clip moves, or where those stand still the first that any clip moves of those that carry more than half the
  // bones. Its motion stays in the pose until an animator takes it out.
  std::string root_bone = {};
};

// A clip's times as the animator counts them: seconds from its start, 0 … length.
struct RigClip {
  std::string name;
  float length = 0.0f;             // seconds; 0: a clip that is one pose
  bool loops = false;              // as the source says, or as its first and last pose agree
  std::vector<Event> events;       // times from the clip's start, in order
  std::uint32_t cursor_count = 0;  // what SampleJob::cursors must hold
};

class Rig {
 public:
  std::size_t bone_count() const;
  std::size_t group_count() const;  // of four bones: the length of every span of SoaTransform
  std::size_t morph_count() const;  // targets of all meshes, one after another, as Model::meshes() has them
  const std::string& bone_name(std::uint32_t bone) const;
  // Nothing: a root. A parent's number is always smaller.
  std::optional<std::uint32_t> parent(std::uint32_t bone) const;
  std::span<const std::int32_t> parents() const;  // −1: none
  std::span<const SoaTransform> rest() const;
  std::span<const Affine> rest_models() const;  // model_from_bone at rest
  std::span<const float> rest_morphs() const;
  std::uint32_t root_bone() const;

  // The bone or clip of that name, or an error that names those spelled like it. A bone's namespace (before the last
  // ':' or
  // '|') may be left out.
  Result<std::uint32_t> find_bone(std::string_view name) const;
  Result<std::uint32_t> find_clip(std::string_view name) const;
  std::span<const RigClip> clips() const;

  // Whether `bone` is `ancestor` or below it.
  bool is_below(std::uint32_t bone, std::uint32_t ancestor) const;
  // The greatest number among `bone` and those below it.
  std::uint32_t last_below(std::uint32_t bone) const;

  // bone_from_mesh of every binding of the model, and its bone: what a palette is made with.
  std::span<const Affine> bone_from_meshes() const;
  std::span<const std::uint32_t> bound_bones() const;
  std::span<const Socket> sockets() const;

  struct Keys;  // of one clip: src/ only
  const Keys& keys(std::uint32_t clip) const;

 private:
  struct State;
  friend Result<std::shared_ptr<const Rig>> build_rig(const Model& model, const RigSettings& settings);
  explicit Rig(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;

 public:
  ~Rig();
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;
};

// Refused: a model without bones, a root bone that does not exist, tolerances that are not above 0. `model` may go
// away.
Result<std::shared_ptr<const Rig>> build_rig(const Model& model, const RigSettings& settings = {});

}  // namespace throng
