#include <algorithm>
#include <cmath>

#include "keys_curve.h"
#include "rig_state.h"
#include "throng/pose/pose.h"

namespace throng {
namespace {

// First and last pose agree when no bone is further off, of the model's size, nor turned further (a vertex is seldom
// further than a fifth of the model from its bone).
constexpr double kSamePlace = 1e-3;
constexpr double kSameTurn = 5e-3;

Affine affine_of(const glm::dmat4& m) { return to_affine(glm::mat4(m)); }

// The diagonal of the box around bones and vertices at rest, each vertex by its strongest bone.
double size_at_rest(const Model& model, const std::vector<glm::dmat4>& model_from_bone) {
  Bounds bounds;
  for (const glm::dmat4& m : model_from_bone) bounds.add(glm::dvec3(m[3]));
  std::vector<glm::dmat4> palette;
  for (const Binding& binding : model.bindings())
    palette.push_back(model_from_bone[binding.bone] * binding.bone_from_mesh);
  for (const Mesh& mesh : model.meshes()) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      bounds.add(glm::dvec3(palette[mesh.influences[v].bindings[0]] * glm::dvec4(glm::dvec3(mesh.positions[v]), 1.0)));
    }
  }
  return bounds.diagonal() > 0.0 ? bounds.diagonal() : 1.0;
}

bool ends_as_it_starts(const Model& model, const Clip& clip, double size) {
  const auto first = model_from_bones(model, sample(model, clip, clip.start));
  const auto last = model_from_bones(model, sample(model, clip, clip.end));
  for (std::size_t bone = 0; bone < first.size(); ++bone) {
    if (glm::distance(first[bone][3], last[bone][3]) > kSamePlace * size) return false;
    for (int column = 0; column < 3; ++column) {
      const double length = glm::length(first[bone][column]);
      if (glm::distance(first[bone][column], last[bone][column]) > kSameTurn * std::max(length, 1e-9)) return false;
    }
  }
  return true;
}

RigClip describe(const Model& model, const Clip& clip, const Rig::Keys& keys, double size) {
  RigClip out;
  out.name = clip.name;
  out.length = keys.length;
  out.loops = clip.length() > 0.0 && (clip.loops ? *clip.loops : ends_as_it_starts(model, clip, size));
  out.cursor_count = static_cast<std::uint32_t>(keys.lists.size());
  for (const Event& event : clip.events) {
    out.events.push_back({std::clamp(event.time - clip.start, 0.0, std::max(clip.length(), 0.0)), event.name});
  }
  std::stable_sort(out.events.begin(), out.events.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
  return out;
}

// Which bones any clip turns or moves.
std::vector<bool> moved_bones(const Model& model, const KeyTolerances& tolerances) {
  std::vector<bool> moved(model.bones().size());
  for (const Clip& clip : model.clips()) {
    for (const BoneTrack& track : clip.bones) {
      const bool moves = !track.translation.empty() && !keys::is_still(track.translation, tolerances.distance);
      const bool turns = !track.rotation.empty() && !keys::is_still(track.rotation, tolerances.angle);
      if (moves || turns) moved[track.bone] = true;
    }
  }
  return moved;
}

// The first bone without a parent that moves; where those stand still (an armature's own node), the first that moves of
// those that carry more than half of all bones.
std::uint32_t moving_root(const std::vector<bool>& moved, const BoneOrder& order, const Model& model) {
  const auto bones = static_cast<std::uint32_t>(moved.size());
  for (std::uint32_t bone = 0; bone < bones; ++bone) {
    if (moved[bone] && !model.bones()[bone].parent) return bone;
  }
  for (std::uint32_t bone = 0; bone < bones; ++bone) {
    if (moved[bone] && 2 * (order.walk_end[bone] - order.walk_number[bone]) > bones) return bone;
  }
  return 0;
}

BoneOrder order_bones(const Model& model) {
  const std::size_t bones = model.bones().size();
  std::vector<std::uint32_t> carried(bones, 1);  // itself and all below
  BoneOrder order{std::vector<std::uint32_t>(bones), std::vector<std::uint32_t>(bones),
                  std::vector<std::uint32_t>(bones)};
  for (std::size_t bone = bones; bone-- > 0;) {
    order.last_below[bone] = std::max(order.last_below[bone], static_cast<std::uint32_t>(bone));
    const auto parent = model.bones()[bone].parent;
    if (!parent) continue;
    carried[*parent] += carried[bone];
    order.last_below[*parent] = std::max(order.last_below[*parent], order.last_below[bone]);
  }
  std::uint32_t next_root = 0;
  std::vector<std::uint32_t> next_child(bones);
  for (std::size_t bone = 0; bone < bones; ++bone) {
    const auto parent = model.bones()[bone].parent;
    std::uint32_t& next = parent ? next_child[*parent] : next_root;
    order.walk_number[bone] = next;
    order.walk_end[bone] = next + carried[bone];
    next_child[bone] = next + 1;
    next = order.walk_end[bone];
  }
  return order;
}

std::vector<SoaTransform> rest_of(const Model& model) {
  std::vector<SoaTransform> rest((model.bones().size() + 3) / 4);
  for (std::uint32_t bone = 0; bone < 4 * rest.size(); ++bone) {
    const Transform local = bone < model.bones().size() ? model.bones()[bone].rest : Transform{};
    set_local(rest, bone,
              {glm::vec3(local.translation), glm::quat(glm::normalize(local.rotation)), glm::vec3(local.scale)});
  }
  return rest;
}

}  // namespace

Result<std::shared_ptr<const Rig>> build_rig(const Model& model, const RigSettings& settings) {
  if (model.bones().empty()) return fail("model '{}' has no bones: there is nothing to animate", model.name());
  if (!(settings.angle_tolerance > 0.0f) || !(settings.distance_tolerance > 0.0f)) {
    return fail("model '{}': the tolerances {} rad and {} must both be above 0", model.name(), settings.angle_tolerance,
                settings.distance_tolerance);
  }
  auto made = std::make_unique<Rig::State>();
  Rig::State& state = *made;
  for (const Bone& bone : model.bones()) {
    state.bone_names.push_back(bone.name);
    state.parents.push_back(bone.parent ? static_cast<std::int32_t>(*bone.parent) : -1);
  }
  state.order = order_bones(model);
  state.rest = rest_of(model);
  const auto rest_models = model_from_bones(model, rest_pose(model));
  for (const glm::dmat4& m : rest_models) state.rest_models.push_back(affine_of(m));
  for (const Mesh& mesh : model.meshes()) {
    state.rest_morphs.insert(state.rest_morphs.end(), mesh.morph_weights.begin(), mesh.morph_weights.end());
  }
  const double size = size_at_rest(model, rest_models);
  const KeyTolerances tolerances{settings.angle_tolerance, settings.distance_tolerance * size,
                                 settings.distance_tolerance};
  for (const Clip& clip : model.clips()) {
    state.keys.push_back(compile_keys(model, clip, tolerances));
    state.clips.push_back(describe(model, clip, state.keys.back(), size));
  }
  for (const Binding& binding : model.bindings()) {
    state.bone_from_meshes.push_back(affine_of(binding.bone_from_mesh));
    state.bound_bones.push_back(binding.bone);
  }
  state.sockets = model.sockets();
  state.root_bone = moving_root(moved_bones(model, tolerances), state.order, model);
  const std::shared_ptr<Rig> rig(new Rig(std::move(made)));
  if (settings.root_bone.empty()) return rig;
  const auto named = rig->find_bone(settings.root_bone);
  if (!named) return fail(with_context(fmt::format("model '{}': root bone", model.name()), named.error()));
  state.root_bone = *named;
  return rig;
}

}  // namespace throng
