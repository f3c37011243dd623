// SPDX-License-Identifier: Apache-2.0
#include "battle/body.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "throng/base/bone_names.h"

using namespace throng;

namespace {

class Names {
 public:
  explicit Names(const Rig& rig) {
    for (std::uint32_t bone = 0; bone < rig.bone_count(); ++bone) meant_.push_back(meant_bone(rig.bone_name(bone)));
  }

  // The first bone of the first name that any has.
  std::optional<std::uint32_t> find(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names)
      for (std::uint32_t bone = 0; bone < meant_.size(); ++bone)
        if (meant_[bone] == name) return bone;
    return std::nullopt;
  }

 private:
  std::vector<std::string> meant_;
};

std::vector<Leg> legs_of(const Rig& rig, const Names& names, std::uint32_t hips) {
  std::vector<Leg> legs;
  for (const std::string side : {".l", ".r"}) {
    const auto thigh = names.find({"upperleg" + side}), shin = names.find({"lowerleg" + side});
    const auto foot = names.find({"foot" + side}), toes = names.find({"toes" + side});
    const bool whole = thigh && shin && foot && rig.is_below(*shin, *thigh) && rig.is_below(*foot, *shin);
    if (!whole || !rig.is_below(*thigh, hips)) return {};
    Leg leg{.hip = *thigh, .knee = *shin, .foot = *foot};
    if (toes && rig.is_below(*toes, *foot)) leg.toe = *toes;
    legs.push_back(leg);
  }
  return legs;
}

// Chains the bones that are there, each below the one before.
void add_chain(const Rig& rig, std::initializer_list<std::pair<std::optional<std::uint32_t>, AimBone>> bones,
               std::vector<AimBone>& chain) {
  for (auto [found, bone] : bones) {
    if (!found || (!chain.empty() && !rig.is_below(*found, chain.back().bone))) continue;
    if (!chain.empty() && chain.back().bone == *found) continue;
    bone.bone = *found;
    chain.push_back(bone);
  }
}

void aim_with_hand(const Rig& rig, const Names& names, Body& body) {
  const auto hand = names.find({"hand.r"});
  const auto sockets = rig.sockets();
  for (std::uint32_t i = 0; i < sockets.size() && hand; ++i) {
    if (!rig.is_below(sockets[i].bone, *hand)) continue;
    body.right_socket = i;
    add_chain(rig,
              {{names.find({"spine", "spine1", "torso"}), {0, 0.1f, 0.12f}},
               {body.chest, {0, 0.15f, 0.25f}},
               {names.find({"upperarm.r"}), {0, 0.9f, 2.6f}},
               {names.find({"lowerarm.r"}), {0, 0.9f, 2.0f}},
               {sockets[i].bone, {0, 1.0f, 1.2f}}},
              body.aim);
    body.axis = glm::quat(sockets[i].bone_from_socket.rotation) * glm::vec3(0.0f, 1.0f, 0.0f);
    body.origin = glm::vec3(sockets[i].bone_from_socket.translation);
    return;
  }
}

void look_with_head(const Rig& rig, const Names& names, const glm::dvec2& forward, Body& body) {
  const auto head = names.find({"head", "skull"});
  if (!head) return;
  add_chain(rig, {{body.chest, {0, 0.25f, 0.35f}}, {names.find({"neck"}), {0, 0.4f, 0.5f}}, {head, {0, 1.0f, 0.9f}}},
            body.aim);
  const glm::quat bone_from_model = glm::inverse(rotation_of(rig.rest_models()[*head]));
  body.axis = bone_from_model * glm::vec3(forward.x, 0.0, forward.y);
}

}  // namespace

Body find_body(const Rig& rig, const glm::dvec2& forward) {
  const Names names(rig);
  Body body;
  body.hips = names.find({"hips", "root", "body"}).value_or(rig.root_bone().value_or(0));
  body.chest =
      names.find({"upperchest", "spine2", "chest", "spine1", "spine", "torso", "abdomen", "body"}).value_or(body.hips);
  body.legs = legs_of(rig, names, body.hips);
  aim_with_hand(rig, names, body);
  if (body.aim.empty()) look_with_head(rig, names, forward, body);
  return body;
}
