// SPDX-License-Identifier: Apache-2.0
#include "throng/animator/rig.h"

#include <algorithm>
#include <cmath>

#include "jobs/channel_sampler.h"
#include "throng/base/names.h"
#include "throng/base/text.h"
#include "throng/math/directions.h"

namespace throng {
namespace detail::animator {
namespace {

// Numbers in the order of a walk that ends a bone's children before its next sibling: below a bone are those from its
// own number up to, and without, its end.
struct BoneOrder {
  std::vector<std::uint32_t> walk_number, walk_end;
  std::vector<std::uint32_t> last_below;  // the greatest bone below, or itself
};

BoneOrder order_bones(std::span<const MotionBone> bones) {
  const std::size_t count = bones.size();
  std::vector<std::uint32_t> carried(count, 1);  // itself and all below
  BoneOrder order{std::vector<std::uint32_t>(count), std::vector<std::uint32_t>(count),
                  std::vector<std::uint32_t>(count)};
  for (std::size_t bone = count; bone-- > 0;) {
    order.last_below[bone] = std::max(order.last_below[bone], static_cast<std::uint32_t>(bone));
    const auto parent = bones[bone].parent;
    if (!parent) continue;
    carried[*parent] += carried[bone];
    order.last_below[*parent] = std::max(order.last_below[*parent], order.last_below[bone]);
  }
  std::uint32_t next_root = 0;
  std::vector<std::uint32_t> next_child(count);
  for (std::size_t bone = 0; bone < count; ++bone) {
    const auto parent = bones[bone].parent;
    std::uint32_t& next = parent ? next_child[*parent] : next_root;
    order.walk_number[bone] = next;
    order.walk_end[bone] = next + carried[bone];
    next_child[bone] = next + 1;
    next = order.walk_end[bone];
  }
  return order;
}

std::vector<SoaTransform> rest_of(const Motion& motion) {
  std::vector<SoaTransform> rest(motion.group_count());
  for (std::uint32_t bone = 0; bone < 4 * rest.size(); ++bone) {
    const Transform local = bone < motion.bones().size() ? motion.bones()[bone].rest : Transform{};
    set_local(rest, bone,
              {glm::vec3(local.translation), glm::quat(glm::normalize(local.rotation)), glm::vec3(local.scale)});
  }
  return rest;
}

// With the words that it is read from.
std::size_t bytes_of(const ClipChannels& channels) {
  const auto vector_bytes = [](const auto& values) { return std::as_bytes(std::span(values)).size(); };
  const std::size_t words = channels.clip.frames + std::size_t{channels.clip.stored_frames} * channels.clip.frame_words;
  return sizeof channels + vector_bytes(channels.rotations) + vector_bytes(channels.translations) +
         vector_bytes(channels.scales) + vector_bytes(channels.vectors) + vector_bytes(channels.still) +
         vector_bytes(channels.still_values) + words * sizeof(std::uint32_t);
}

}  // namespace
}  // namespace detail::animator

using namespace detail::animator;

struct Rig::State {
  explicit State(Motion its_motion) : motion(std::move(its_motion)) {}

  Motion motion;
  std::vector<std::string> bone_names;
  std::vector<std::int32_t> parents;
  BoneOrder order;
  std::vector<SoaTransform> rest;
  std::vector<Affine> rest_models;
  std::vector<RigClip> clips;
  std::vector<Affine> bone_from_meshes;
  std::vector<std::uint32_t> bound_bones;
  RigChannels channels;
};

glm::mat4 to_matrix(const Affine& affine) {
  return glm::transpose(glm::mat4(affine.rows[0], affine.rows[1], affine.rows[2], glm::vec4(0, 0, 0, 1)));
}

Affine to_affine(const glm::mat4& matrix) {
  const glm::mat4 rows = glm::transpose(matrix);
  return {{rows[0], rows[1], rows[2]}};
}

glm::vec3 transform_point(const Affine& affine, const glm::vec3& point) {
  const glm::vec4 p(point, 1.0f);
  return {glm::dot(affine.rows[0], p), glm::dot(affine.rows[1], p), glm::dot(affine.rows[2], p)};
}

glm::quat rotation_of(const Affine& affine) {
  constexpr float kFlatColumn = 1e-10f;
  const glm::mat3 m(to_matrix(affine));
  const float side = glm::determinant(m) < 0.0f ? -1.0f : 1.0f;
  // A bone squeezed flat keeps the rotation that its other columns tell.
  const glm::vec3 x =
      unit_or(side * m[0], unit_or(glm::cross(m[1], m[2]), glm::vec3(1, 0, 0), kFlatColumn), kFlatColumn);
  const glm::vec3 across = unit_or(glm::cross(m[2], x), perpendicular(x), kFlatColumn);
  const glm::vec3 y = unit_or(m[1] - x * glm::dot(x, m[1]), across, kFlatColumn);
  return glm::normalize(glm::quat_cast(glm::mat3(x, y, glm::cross(x, y))));
}

BoneTransform local_of(std::span<const SoaTransform> locals, std::uint32_t bone) {
  const SoaTransform& group = locals[bone / 4];
  const std::size_t lane = bone % 4;
  const auto& r = group.rotation;
  return {{group.translation[0][lane], group.translation[1][lane], group.translation[2][lane]},
          {r[3][lane], r[0][lane], r[1][lane], r[2][lane]},
          {group.scale[0][lane], group.scale[1][lane], group.scale[2][lane]}};
}

void set_local(std::span<SoaTransform> locals, std::uint32_t bone, const BoneTransform& local) {
  SoaTransform& group = locals[bone / 4];
  const std::size_t lane = bone % 4;
  for (int axis = 0; axis < 3; ++axis) {
    group.translation[axis][lane] = local.translation[axis];
    group.scale[axis][lane] = local.scale[axis];
  }
  group.rotation[0][lane] = local.rotation.x;
  group.rotation[1][lane] = local.rotation.y;
  group.rotation[2][lane] = local.rotation.z;
  group.rotation[3][lane] = local.rotation.w;
}

Rig::Rig(std::unique_ptr<State> state) : state_(std::move(state)) {}
Rig::~Rig() = default;

std::size_t Rig::bone_count() const { return state_->parents.size(); }
std::size_t Rig::group_count() const { return state_->rest.size(); }
std::size_t Rig::morph_count() const { return state_->motion.rest_morphs().size(); }
const std::string& Rig::bone_name(std::uint32_t bone) const { return state_->bone_names[bone]; }

std::optional<std::uint32_t> Rig::parent(std::uint32_t bone) const {
  const std::int32_t parent = state_->parents[bone];
  return parent < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(parent));
}

std::span<const std::int32_t> Rig::parents() const { return state_->parents; }
std::span<const SoaTransform> Rig::rest() const { return state_->rest; }
std::span<const Affine> Rig::rest_models() const { return state_->rest_models; }
std::span<const float> Rig::rest_morphs() const { return state_->motion.rest_morphs(); }
std::optional<std::uint32_t> Rig::root_bone() const { return state_->motion.root_bone(); }
std::span<const RigClip> Rig::clips() const { return state_->clips; }
std::span<const Affine> Rig::bone_from_meshes() const { return state_->bone_from_meshes; }
std::span<const std::uint32_t> Rig::bound_bones() const { return state_->bound_bones; }
std::span<const MotionSocket> Rig::sockets() const { return state_->motion.sockets(); }
const Motion& Rig::motion() const { return state_->motion; }
const RigChannels& detail::animator::channels_of(const Rig& rig) { return rig.state_->channels; }

std::size_t Rig::clip_bytes(ClipId clip) const {
  const ClipKeys& keys = state_->motion.keys(clip.value);
  std::size_t bytes = sizeof keys + keys.ground.times.size_bytes() + keys.ground.values.size_bytes();
  const auto add = [&bytes](const KeyList& list) {
    bytes += sizeof list + list.times.size_bytes() + list.values.size_bytes() + list.rotations.size_bytes() +
             list.translations.size_bytes() + list.scales.size_bytes() + list.morphs.size_bytes();
  };
  add(keys.still);
  for (const KeyList& list : keys.lists) add(list);
  for (const WordsPlan* plan : {&state_->channels.far, &state_->channels.own})
    if (!plan->clips.empty()) bytes += bytes_of(plan->clips[clip.value]);
  return bytes;
}

std::uint32_t Rig::last_below(std::uint32_t bone) const { return state_->order.last_below[bone]; }

bool Rig::is_below(std::uint32_t bone, std::uint32_t ancestor) const {
  const std::uint32_t number = state_->order.walk_number[bone];
  return number >= state_->order.walk_number[ancestor] && number < state_->order.walk_end[ancestor];
}

Result<std::uint32_t> Rig::find_bone(std::string_view name) const {
  const auto& names = state_->bone_names;
  auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    found = std::find_if(names.begin(), names.end(),
                         [&](const std::string& other) { return without_namespace(other) == without_namespace(name); });
  }
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  return fail("no bone is named '{}'; {}", name, did_you_mean(name, names));
}

Result<ClipId> Rig::find_clip(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& clip : clips()) names.push_back(clip.name);
  return find_name("clip", name, names).map([](std::size_t i) { return ClipId(static_cast<std::uint32_t>(i)); });
}

Result<std::shared_ptr<const Rig>> build_rig(const Character& character) {
  return character.motion().map([](const Motion& motion) { return build_rig(motion); });
}

std::shared_ptr<const Rig> build_rig(const Motion& motion) {
  auto state = std::make_unique<Rig::State>(motion);
  for (const MotionBone& bone : motion.bones()) {
    state->bone_names.push_back(bone.name);
    state->parents.push_back(bone.parent ? static_cast<std::int32_t>(*bone.parent) : -1);
  }
  state->order = order_bones(motion.bones());
  state->rest = rest_of(motion);
  for (const glm::dmat4& m : model_from_bones_at_rest(motion)) state->rest_models.push_back(to_affine(glm::mat4(m)));
  state->channels = plan_channels(motion);
  for (const MotionClip& clip : motion.clips()) {
    std::size_t cursors = clip.list_count + (clip.ground_count > 0 ? 1u : 0u);
    for (const WordsPlan* plan : {&state->channels.far, &state->channels.own})
      if (const ClipChannels* words = plan->find(ClipId(static_cast<std::uint32_t>(state->clips.size()))))
        cursors += kept_words(*words);
    state->clips.push_back({clip.name, clip.length, clip.loops, clip.events, static_cast<std::uint32_t>(cursors)});
  }
  for (const MotionBinding& binding : motion.bindings()) {
    state->bone_from_meshes.push_back(to_affine(glm::mat4(binding.bone_from_mesh)));
    state->bound_bones.push_back(binding.bone);
  }
  return std::shared_ptr<const Rig>(new Rig(std::move(state)));
}

}  // namespace throng
