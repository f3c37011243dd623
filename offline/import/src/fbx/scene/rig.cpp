// SPDX-License-Identifier: Apache-2.0
#include "fbx/scene/rig.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::fbx {
namespace {

// A take that moves nothing.
const Take& at_rest() {
  static const Take kRest;
  return kRest;
}

bool is_even(const glm::dvec3& scale) {
  constexpr double kTolerance = 1e-6;
  const double largest = std::max({std::abs(scale.x), std::abs(scale.y), std::abs(scale.z)});
  const double spread = std::max(std::abs(scale.x - scale.y), std::abs(scale.x - scale.z));
  return scale.x != 0.0 && spread <= kTolerance * largest;
}

bool is_one(const glm::dvec3& scale) { return scale == glm::dvec3(1.0); }

// A transform seen from other axes. Mirroring axes A turn the scale's sign with M: A·R·S = (A·R·M)·(M·S).
Transform on_axes(const glm::dmat3& axes, const Transform& t) {
  if (axes == glm::dmat3(1.0)) return t;
  glm::dmat3 mirror(1.0);
  mirror[2][2] = glm::determinant(axes);
  return {axes * t.translation, glm::normalize(glm::quat_cast(axes * glm::mat3_cast(t.rotation) * mirror)),
          mirror * t.scale};
}

void add_curves(const MovedProperty* property, std::vector<const KeyCurve*>& curves) {
  if (!property) return;
  for (const LayerPart& part : *property) {
    if (part.weight.curve && !part.weight.curve->empty()) curves.push_back(part.weight.curve.get());
    for (const KeyCurve& curve : part.three.curves) {
      if (!curve.empty()) curves.push_back(&curve);
    }
  }
}

}  // namespace

Rig::Rig(Scene scene, std::vector<Take> takes) : scene_(std::move(scene)), takes_(std::move(takes)) {
  look_at_scales();
  look_at_visibility();
  std::vector<bool> passes_oddly(scene_.nodes.size());
  for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) {
    if (inherits_oddly(i)) passes_oddly[*scene_.nodes[i].parent] = true;
  }
  for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) add_bones(i, passes_oddly[i] && !total_evenly_[i]);
  work_out_rest();
}

// Whether the node's own scale is such at rest and at every key.
bool Rig::own_scale_is(std::uint32_t index, bool (*like)(const glm::dvec3&)) const {
  const Node& node = scene_.nodes[index];
  if (!like(node.rest.scale)) return false;
  for (const Take& take : takes_) {
    const MovedProperty* moved = take.find(node.id, Moving::scale);
    std::vector<const KeyCurve*> curves;
    add_curves(moved, curves);
    for (const KeyCurve* curve : curves) {
      for (const Key& key : curve->keys) {
        if (!like(vector_at(moved, node.rest.scale, key.time))) return false;
      }
    }
  }
  return true;
}

void Rig::look_at_scales() {
  for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) {
    const Node& node = scene_.nodes[i];
    const bool oddly = inherits_oddly(i);
    const bool by_axis = node.inherit == Inherit::axis_by_axis;
    unscaled_.push_back(own_scale_is(i, is_one) && (!oddly || unscaled_[*node.parent]));
    base_evenly_.push_back(!oddly || (by_axis ? total_evenly_[*node.parent] : base_evenly_[*node.parent]));
    total_evenly_.push_back(own_scale_is(i, is_even) && base_evenly_.back());
  }
}

void Rig::look_at_visibility() {
  for (const Node& node : scene_.nodes) {
    bool visible = node.visible;
    for (const Take& take : takes_) {
      const MovedProperty* moved = take.find(node.id, Moving::visibility);
      std::vector<const KeyCurve*> curves;
      add_curves(moved, curves);
      for (const KeyCurve* curve : curves) {
        visible = visible ||
                  std::any_of(curve->keys.begin(), curve->keys.end(), [](const Key& key) { return key.value != 0.0; });
      }
    }
    visible_.push_back(visible && (!node.parent || !node.inherits_visibility || visible_[*node.parent]));
  }
}

std::size_t Rig::effort(std::uint32_t index, const Take& take) const {
  const auto more_layers = [&](Moving what) {
    const MovedProperty* moved = take.find(scene_.nodes[index].id, what);
    return moved ? moved->size() - 1 : 0;
  };
  std::size_t nodes = 1 + more_layers(Moving::translation) + more_layers(Moving::rotation) +
                      more_layers(Moving::rotation_before) + more_layers(Moving::scale);
  while (!unscaled_[index] && inherits_oddly(index)) {
    index = *scene_.nodes[index].parent;
    nodes += 1 + more_layers(Moving::scale);
  }
  return nodes;
}

bool Rig::inherits_oddly(std::uint32_t node) const {
  return scene_.nodes[node].parent && scene_.nodes[node].inherit != Inherit::normal;
}

Rig::Scales Rig::scales_at(std::uint32_t index, const Take& take, double time) const {
  if (unscaled_[index]) return {};
  const Node& node = scene_.nodes[index];
  const glm::dvec3 own = vector_at(take.find(node.id, Moving::scale), node.rest.scale, time);
  if (!inherits_oddly(index)) return {own, glm::dvec3(1.0)};
  const Scales above = scales_at(*node.parent, take, time);
  const glm::dvec3 base = node.inherit == Inherit::axis_by_axis ? above.total : above.base;
  return {own * base, base};
}

void Rig::add_bones(std::uint32_t index, bool split) {
  const Node& node = scene_.nodes[index];
  const auto bone = static_cast<std::uint32_t>(bones_.size());
  bones_of_.push_back({bone, split ? bone + 1 : bone});
  const Placed rest = placed_at(index, at_rest(), 0.0);
  std::optional<std::uint32_t> parent;
  if (node.parent) parent = inherits_oddly(index) ? bones_of_[*node.parent].bone : bones_of_[*node.parent].whole;
  bones_.push_back({node.name, parent, rest.bone});
  if (split) bones_.push_back({node.name + " (scale)", bone, {.scale = rest.whole_scale}});
}

Rig::Placed Rig::placed_at(std::uint32_t index, const Take& take, double time) const {
  const Node& node = scene_.nodes[index];
  const bool split = bones_of_[index].split();
  Transform local = local_transform(node, values_at(take, node, time));
  const glm::dvec3 total = scales_at(index, take, time).total;
  local.scale = split ? glm::dvec3(1.0) : total;
  if (!node.parent) return {on_axes(scene_.model_from_file, local), total};
  if (!inherits_oddly(index)) return {local, total};
  const glm::dvec3 above = scales_at(*node.parent, take, time).total;
  if (bones_of_[*node.parent].split())
    local.translation *= above;
  else
    local.scale /= above.x;
  return {local, total};
}

std::vector<const KeyCurve*> Rig::curves_of(std::uint32_t index, const Take& take) const {
  std::vector<const KeyCurve*> curves;
  add_curves(take.find(scene_.nodes[index].id, Moving::translation), curves);
  add_curves(take.find(scene_.nodes[index].id, Moving::rotation), curves);
  if (scene_.nodes[index].turns_before) add_curves(take.find(scene_.nodes[index].id, Moving::rotation_before), curves);
  while (!unscaled_[index]) {
    add_curves(take.find(scene_.nodes[index].id, Moving::scale), curves);
    if (!inherits_oddly(index)) break;
    index = *scene_.nodes[index].parent;
  }
  return curves;
}

void Rig::work_out_rest() {
  std::vector<glm::dmat4> of_bones;
  of_bones.reserve(bones_.size());
  for (const Bone& bone : bones_) {
    const glm::dmat4 local = to_matrix(bone.rest);
    of_bones.push_back(bone.parent ? of_bones[*bone.parent] * local : local);
  }
  rest_matrices_.reserve(bones_of_.size());
  for (const NodeBones& bones : bones_of_) rest_matrices_.push_back(of_bones[bones.whole]);
}

}  // namespace throng::detail::fbx
