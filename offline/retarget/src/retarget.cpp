// SPDX-License-Identifier: Apache-2.0
#include "throng/retarget/retarget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "retarget_clip.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng {
namespace {

using namespace detail::retarget;

// Rests that point a limb further apart than this are not the same pose.
constexpr double kOtherRest = 15.0 * std::numbers::pi / 180.0;
// Share of the skeleton's size: a translation that strays less from its rest is how the file was written.
constexpr double kStill = 1e-4;

std::vector<std::string> names_where(const std::vector<Bone>& bones, auto is) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < bones.size(); ++i) {
    if (is(i)) names.push_back(bones[i].name);
  }
  return names;
}

// Bones of `from` whose translation says something that their partner does not take up.
std::vector<bool> unheard_translations(const RetargetPlan& plan) {
  Bounds box;
  for (std::size_t i = 0; i < plan.from.bones().size(); ++i) box.add(plan.from_rest.place(i));
  std::vector<bool> unheard(plan.from.bones().size());
  for (const Clip& clip : plan.from.clips()) {
    for (const BoneTrack& track : clip.bones) {
      const auto partner = plan.onto_of[track.bone];
      if (!partner || plan.travels[*partner]) continue;
      const glm::vec3 rest(plan.from.bones()[track.bone].rest.translation);
      for (const glm::vec3& value : track.translation.values) {
        if (static_cast<double>(glm::distance(value, rest)) > kStill * box.diagonal()) unheard[track.bone] = true;
      }
    }
  }
  return unheard;
}

std::vector<std::string> notes_of(const RetargetPlan& plan, bool aligned) {
  std::vector<std::string> notes;
  const auto& from = plan.from.bones();
  const auto& onto = plan.onto.bones();
  const auto lost = names_where(from, [&](std::uint32_t i) { return plan.moved[i] && !plan.onto_of[i]; });
  if (!lost.empty()) {
    notes.push_back(fmt::format("{}: {}",
                                in_number(lost.size(),
                                          "[bone|bones] its clips move [has|have] no partner; what hangs on [it takes "
                                          "its|them takes their] rotations up"),
                                listed(lost)));
  }
  const auto still = names_where(onto, [&](std::uint32_t i) { return !plan.from_of[i]; });
  if (!still.empty()) {
    notes.push_back(fmt::format("{}: {}",
                                in_number(still.size(),
                                          "[bone of the model has no partner and stays as it rests|bones of the model "
                                          "have no partner and stay as they rest]"),
                                listed(still)));
  }
  const std::vector<bool> unheard = unheard_translations(plan);
  const auto offsets = names_where(from, [&](std::uint32_t i) { return unheard[i]; });
  if (!offsets.empty()) {
    notes.push_back(fmt::format("translations of {} left out, lengths are the model's own: {}",
                                counted(offsets.size(), "bone"), listed(offsets)));
  }
  const std::vector<double> angles = rest_differences(plan);
  const auto elsewhere = names_where(onto, [&](std::uint32_t i) { return angles[i] > kOtherRest; });
  if (!elsewhere.empty() && !aligned) {
    notes.push_back(fmt::format("{} pointing elsewhere, by up to {:.0f} degrees; `align_rests` turns {}: {}",
                                in_number(elsewhere.size(), "[bone rests|bones rest]"),
                                *std::max_element(angles.begin(), angles.end()) * 180.0 / std::numbers::pi,
                                elsewhere.size() == 1 ? "it" : "them", listed(elsewhere)));
  }
  return notes;
}

void add_morphs(const Partners& meshes, const Clip& clip, Clip& out) {
  for (const MorphTrack& track : clip.morphs) {
    if (!meshes[track.mesh]) continue;
    out.morphs.push_back(track);
    out.morphs.back().mesh = *meshes[track.mesh];
  }
}

}  // namespace

Result<Retargeted> retarget(const Model& from, const Model& onto, const RetargetSettings& settings) {
  if (from.clips().empty()) return fail("model '{}' has no clips to retarget", from.name());
  if (from.bones().empty() || onto.bones().empty()) {
    return fail("model '{}' has no bones", from.bones().empty() ? from.name() : onto.name());
  }
  if (settings.scale && !(*settings.scale > 0.0 && std::isfinite(*settings.scale))) {
    return fail("a scale of {} is asked for; it must be above 0", *settings.scale);
  }
  if (!(glm::length(settings.rotation) > 0.0 && std::isfinite(glm::length(settings.rotation)))) {
    return fail("what lies between the models is no rotation");
  }
  THRONG_TRY(const auto plan, plan_retarget(from, onto, settings));
  Retargeted out{.clips = {}, .notes = notes_of(plan, settings.align_rests), .scale = plan.scale};
  const Partners meshes = match_morphs(from.meshes(), onto.meshes());
  std::vector<std::string> left_out;
  for (const Clip& clip : from.clips()) {
    Clip made = retarget_clip(plan, clip);
    add_morphs(meshes, clip, made);
    const bool moves_something = !made.bones.empty() || !made.morphs.empty();
    if (!moves_something && !clip.bones.empty()) {
      const auto has_partner = [&](const BoneTrack& track) { return plan.onto_of[track.bone].has_value(); };
      if (std::none_of(clip.bones.begin(), clip.bones.end(), has_partner)) {
        left_out.push_back(clip.name);
        continue;
      }
    }
    out.clips.push_back(std::move(made));
  }
  if (!left_out.empty()) {
    out.notes.push_back(fmt::format("{} nothing here left out: {}",
                                    in_number(left_out.size(), "[clip that moves|clips that move]"), listed(left_out)));
  }
  return out;
}

}  // namespace throng
