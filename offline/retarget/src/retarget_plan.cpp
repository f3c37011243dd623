// SPDX-License-Identifier: Apache-2.0
#include "retarget_plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "bone_pairs.h"
#include "throng/base/bone_names.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/math/rotations.h"

namespace throng::detail::retarget {
namespace {

// Share of the size of a skeleton: what is shorter has no direction.
constexpr double kShort = 1e-6;

double size_of(const BoneFrames& frames) {
  Bounds box;
  for (std::size_t i = 0; i < frames.models.size(); ++i) box.add(frames.place(i));
  return box.diagonal();
}

Result<std::uint32_t> find_bone(const Model& model, const std::string& name) {
  const auto& bones = model.bones();
  const auto is = [&](auto key) {
    return std::find_if(bones.begin(), bones.end(), [&](const Bone& bone) { return key(bone.name) == key(name); });
  };
  auto found = is([](const std::string& text) { return std::string_view(text); });
  if (found == bones.end()) found = is([](const std::string& text) { return without_namespace(text); });
  if (found != bones.end()) return static_cast<std::uint32_t>(found - bones.begin());
  std::vector<std::string> names;
  for (const Bone& bone : bones) names.push_back(bone.name);
  return fail("model '{}' has no bone '{}' that the retargeting names; it has {}", model.name(), name, listed(names));
}

Result<Partners> pair_bones(const Model& from, const Model& onto, const RetargetSettings& settings) {
  Partners partners(from.bones().size());
  std::vector<bool> excluded(from.bones().size());
  std::vector<bool> taken(onto.bones().size());
  for (const auto& [name, partner_name] : settings.bones) {
    THRONG_TRY(const auto bone, find_bone(from, name));
    if (partner_name.empty()) {
      excluded[bone] = true;
      continue;
    }
    THRONG_TRY(const auto partner, find_bone(onto, partner_name));
    if (partners[bone] || taken[partner]) {
      return fail("bones '{}' and '{}' are named together, but one of them has another partner already", name,
                  partner_name);
    }
    partners[bone] = partner;
    taken[partner] = true;
  }
  match_remaining(from.bones(), onto.bones(), NameMatching::aliases, excluded, partners);
  return partners;
}

std::vector<bool> moved_bones(const Model& model) {
  std::vector<bool> moved(model.bones().size());
  for (const Clip& clip : model.clips()) {
    for (const BoneTrack& track : clip.bones) moved[track.bone] = true;
  }
  return moved;
}

// Finds the hips by what they are called; else the first bone that two or more moving parts hang on; else the first
// that moves.
std::uint32_t find_hips(const Model& model, const std::vector<bool>& moved) {
  const auto& bones = model.bones();
  for (std::uint32_t i = 0; i < bones.size(); ++i) {
    if (meant_bone(bones[i].name) == "hips") return i;
  }
  std::vector<bool> moves_below = moved;
  std::vector<std::uint32_t> branches(bones.size());
  for (std::size_t i = bones.size(); i-- > 0;) {
    if (!moves_below[i] || !bones[i].parent) continue;
    moves_below[*bones[i].parent] = true;
    ++branches[*bones[i].parent];
  }
  for (std::uint32_t i = 0; i < bones.size(); ++i) {
    if (branches[i] > 1) return i;
  }
  const auto first = std::find(moved.begin(), moved.end(), true);
  return first == moved.end() ? 0 : static_cast<std::uint32_t>(first - moved.begin());
}

// Both sides' hips above the lowest bone below them that has a partner.
std::optional<double> height_ratio(const RetargetPlan& plan) {
  const std::uint32_t onto_hips = *plan.onto_of[plan.hips];
  double there = 0.0;
  double here = 0.0;
  for (std::uint32_t i = 0; i < plan.from_of.size(); ++i) {
    const auto partner = plan.from_of[i];
    if (!partner || !hangs_on(plan.onto.bones(), i, onto_hips)) continue;
    if (!hangs_on(plan.from.bones(), *partner, plan.hips)) continue;
    there = std::max(there, -plan.way(plan.from_rest, plan.hips, *partner).y);
    here = std::max(here, plan.onto_rest.place(onto_hips).y - plan.onto_rest.place(i).y);
  }
  if (there > kShort * size_of(plan.from_rest) && here > kShort * size_of(plan.onto_rest)) return here / there;
  return std::nullopt;
}

// Where hips are as low as everything below them (a snake, a rig lying down), how far the partners are spread.
double automatic_scale(const RetargetPlan& plan) {
  if (const auto ratio = height_ratio(plan)) return *ratio;
  Bounds there, here;
  for (std::uint32_t i = 0; i < plan.from_of.size(); ++i) {
    if (!plan.from_of[i]) continue;
    there.add(plan.from_rest.place(*plan.from_of[i]));
    here.add(plan.onto_rest.place(i));
  }
  return there.diagonal() > 0.0 && here.diagonal() > 0.0 ? here.diagonal() / there.diagonal() : 1.0;
}

Partners nearest_above(const RetargetPlan& plan) {
  const auto& bones = plan.onto.bones();
  Partners above(bones.size());
  for (std::uint32_t i = 0; i < bones.size(); ++i) {
    if (bones[i].parent) above[i] = plan.from_of[*bones[i].parent] ? bones[i].parent : above[*bones[i].parent];
  }
  return above;
}

// The one partner that follows a bone down its limb, per bone of `onto`. Where several do, those that lead nowhere
// further (twists, helpers) do not count.
Partners following(const RetargetPlan& plan) {
  const std::size_t count = plan.onto.bones().size();
  std::vector<std::vector<std::uint32_t>> below(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto above = plan.above[i];
    if (!plan.from_of[i] || !above) continue;
    if (hangs_on(plan.from.bones(), *plan.from_of[i], *plan.from_of[*above])) below[*above].push_back(i);
  }
  Partners next(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> candidates = below[i];
    if (candidates.size() > 1) std::erase_if(candidates, [&](std::uint32_t child) { return below[child].empty(); });
    if (candidates.size() == 1) next[i] = candidates[0];
  }
  return next;
}

struct Limb {
  glm::dvec3 there, here;  // where it points at rest, in the model space of `onto`
};

std::optional<Limb> limb_of(const RetargetPlan& plan, std::uint32_t bone, std::uint32_t next) {
  const Limb limb{plan.way(plan.from_rest, *plan.from_of[bone], *plan.from_of[next]),
                  plan.onto_rest.place(next) - plan.onto_rest.place(bone)};
  const bool has_length = glm::length(limb.there) > kShort * size_of(plan.from_rest) &&
                          glm::length(limb.here) > kShort * size_of(plan.onto_rest);
  return has_length ? std::optional(limb) : std::nullopt;
}

// Goes from the top down: a bone is carried along by what is above it, then rotated the rest of the way.
std::vector<glm::dquat> align(const RetargetPlan& plan) {
  const Partners next = following(plan);
  std::vector<glm::dquat> alignment(plan.onto.bones().size(), glm::dquat(1, 0, 0, 0));
  for (std::uint32_t i = 0; i < alignment.size(); ++i) {
    if (plan.above[i]) alignment[i] = alignment[*plan.above[i]];
    if (!plan.from_of[i] || !next[i]) continue;
    if (const auto limb = limb_of(plan, i, *next[i])) {
      const glm::dvec3 here = glm::normalize(alignment[i] * limb->here), there = glm::normalize(limb->there);
      alignment[i] = glm::normalize(shortest_arc(here, there) * alignment[i]);
    }
  }
  return alignment;
}

Result<std::vector<bool>> travelling(const RetargetPlan& plan, const std::vector<std::string>& names) {
  const auto& bones = plan.onto.bones();
  std::vector<bool> travels(bones.size());
  for (auto bone = plan.onto_of[plan.hips]; bone; bone = bones[*bone].parent) travels[*bone] = true;
  for (const std::string& name : names) {
    if (name == "*") {
      travels.assign(bones.size(), true);
      continue;
    }
    THRONG_TRY(const auto bone, find_bone(plan.onto, name));
    travels[bone] = true;
  }
  return travels;
}

Result<void> check_partners(const RetargetPlan& plan) {
  const auto names = [](const Model& model) {
    std::vector<std::string> all;
    for (const Bone& bone : model.bones()) all.push_back(bone.name);
    return listed(all);
  };
  if (std::none_of(plan.onto_of.begin(), plan.onto_of.end(), [](const auto& partner) { return partner.has_value(); })) {
    return fail("no bone of '{}' is one of '{}' by name: it has {}, the other {}", plan.from.name(), plan.onto.name(),
                names(plan.from), names(plan.onto));
  }
  if (plan.onto_of[plan.hips]) return {};
  return fail("'{}', which carries the clips of '{}', has no partner in '{}': name one; it has {}",
              plan.from.bones()[plan.hips].name, plan.from.name(), plan.onto.name(), names(plan.onto));
}

}  // namespace

BoneFrames frames_of(const Model& model, const Pose& pose) {
  BoneFrames frames{.rotations = {}, .models = model_from_bones(model, pose)};
  for (std::size_t i = 0; i < pose.bones.size(); ++i) {
    const auto& parent = model.bones()[i].parent;
    const glm::dquat own = glm::normalize(pose.bones[i].rotation);
    frames.rotations.push_back(parent ? glm::normalize(frames.rotations[*parent] * own) : own);
  }
  return frames;
}

bool hangs_on(const std::vector<Bone>& bones, std::uint32_t bone, std::uint32_t ancestor) {
  std::optional<std::uint32_t> at = bone;
  while (at && *at > ancestor) at = bones[*at].parent;
  return at == ancestor;
}

std::vector<double> rest_differences(const RetargetPlan& plan) {
  const Partners next = following(plan);
  std::vector<double> angles(plan.onto.bones().size());
  for (std::uint32_t i = 0; i < angles.size(); ++i) {
    if (!plan.from_of[i] || !next[i]) continue;
    if (const auto limb = limb_of(plan, i, *next[i])) {
      angles[i] = std::atan2(glm::length(glm::cross(limb->there, limb->here)), glm::dot(limb->there, limb->here));
    }
  }
  return angles;
}

Result<RetargetPlan> plan_retarget(const Model& from, const Model& onto, const RetargetSettings& settings) {
  THRONG_TRY(auto partners, pair_bones(from, onto, settings));
  RetargetPlan plan{.from = from,
                    .onto = onto,
                    .rotation = glm::normalize(settings.rotation),
                    .onto_of = std::move(partners),
                    .from_of = Partners(onto.bones().size()),
                    .above = {},
                    .moved = moved_bones(from),
                    .hips = 0,
                    .from_rest = frames_of(from, rest_pose(from)),
                    .onto_rest = frames_of(onto, rest_pose(onto)),
                    .alignment = std::vector<glm::dquat>(onto.bones().size(), glm::dquat(1, 0, 0, 0)),
                    .travels = {},
                    .scale = 1.0};
  for (std::uint32_t i = 0; i < plan.onto_of.size(); ++i) {
    if (plan.onto_of[i]) plan.from_of[*plan.onto_of[i]] = i;
  }
  plan.hips = find_hips(from, plan.moved);
  THRONG_CHECK(check_partners(plan));
  plan.above = nearest_above(plan);
  plan.scale = settings.scale ? *settings.scale : automatic_scale(plan);
  if (settings.align_rests) plan.alignment = align(plan);
  THRONG_TRY(auto travels, travelling(plan, settings.travelling));
  plan.travels = std::move(travels);
  return plan;
}

}  // namespace throng::detail::retarget
