// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "check/draft.h"
#include "throng/base/try.h"
#include "throng/character/motion_channels.h"

namespace throng::detail::character {

namespace {

bool same_events(const BakedClip& far, const MotionClip& near) {
  return std::ranges::equal(far.events, near.events, [&](const ClipEvent& a, const ClipEvent& b) {
    // Near ones are within the clip's length as a float has it.
    return a.name == b.name && std::min(a.time, static_cast<double>(near.length)) == b.time;
  });
}

// A character has one list of clips, whose facts were decided once: a ClipId means the same one near and far.
Result<void> check_same_clips(const CharacterDraft& model) {
  const auto far = std::span(model.clips);
  const auto near = model.motion->clips();
  if (near.size() != far.size())
    return fail("near characters have {} clips and far ones {}; they must be the same", near.size(), far.size());
  for (std::size_t i = 0; i < far.size(); ++i) {
    if (near[i].name != far[i].name)
      return fail("clip {} is '{}' near and '{}' far; they must be the same", i, near[i].name, far[i].name);
    if (near[i].loops != far[i].loops)
      return fail("clip '{}' loops for {} characters only", far[i].name, near[i].loops ? "near" : "far");
    if (near[i].length != static_cast<float>(far[i].length))
      return fail("clip '{}' lasts {} s near and {} s far; it must be the same", far[i].name, near[i].length,
                  far[i].length);
    if (!same_events(far[i], near[i])) return fail("clip '{}' has other events near than far", far[i].name);
  }
  return {};
}

// Words and slots were checked when the motion was built: far clips play the same.
Result<void> check_same_words(const CharacterDraft& model) {
  const Motion& motion = *model.motion;
  if (motion.channels().bones.empty()) return {};
  THRONG_TRY(const MotionChannels far, motion_channels(model, motion.bones()));
  if (!are_same(far, motion.channels())) return fail("near characters read other words than far ones, or otherwise");
  for (std::size_t i = 0; i < model.clips.size(); ++i) {
    const BakedClip& clip = model.clips[i];
    const std::optional<MotionFrames>& near = motion.clips()[i].frames;
    if (near && near != motion_frames(clip)) return fail("clip '{}' is in other frames near than far", clip.name);
  }
  return {};
}

}  // namespace

Result<void> check_near(const CharacterDraft& model) {
  if (model.motion) THRONG_CHECK(check_same_clips(model));
  if (model.motion) THRONG_CHECK(check_same_words(model));
  if (!model.near_mesh) return {};
  if (!model.motion) return fail("there is a near mesh but no motion for it");
  const NearMesh& mesh = *model.near_mesh;
  if (mesh.binding_count() != model.motion->bindings().size() ||
      mesh.target_count() != model.motion->rest_morphs().size())
    return fail("the near mesh follows {} bindings and {} morph targets, the motion has {} and {}",
                mesh.binding_count(), mesh.target_count(), model.motion->bindings().size(),
                model.motion->rest_morphs().size());
  for (const NearPiece& piece : mesh.pieces()) {
    if (piece.material >= model.materials.size())
      return fail("piece '{}' has material {} of {}", piece.name, piece.material, model.materials.size());
    if (piece.part >= std::max<std::size_t>(model.parts.size(), 1))
      return fail("piece '{}' is of part {} of {}", piece.name, piece.part, model.parts.size());
  }
  return {};
}

}  // namespace throng::detail::character
