// SPDX-License-Identifier: Apache-2.0
#include "throng/renderer/cast_drawing.h"

#include <algorithm>

namespace throng {

std::optional<CharacterId> CastDrawing::find(ActorId actor) const {
  const auto found = std::find_if(shown_.begin(), shown_.end(), [&](const Shown& one) { return one.actor == actor; });
  if (found == shown_.end()) return std::nullopt;
  return found->character;
}

Result<void> CastDrawing::update(const Cast& cast, SkinnedRenderer& renderer) {
  for (Shown& one : shown_) one.still_near = false;
  Result<void> first_refusal;
  const auto refused = [&first_refusal](Error error) {
    if (first_refusal) first_refusal = fail(std::move(error));
  };
  for (const NearActor& actor : cast.near_actors()) {
    auto at = std::find_if(shown_.begin(), shown_.end(), [&](const Shown& one) { return one.actor == actor.id; });
    if (at == shown_.end()) {
      const Character& character = cast.character(actor.model);
      const auto model = renderer.find_model(character);
      if (!model) {
        refused(Error{fmt::format("'{}' was not added to the SkinnedRenderer; call add_model with the cast's character",
                                  character.name())});
        continue;
      }
      auto added = renderer.add(*model);
      if (!added) {
        refused(std::move(added).error());
        continue;
      }
      at = shown_.insert(shown_.end(), {.actor = actor.id, .character = *added});
    }
    at->still_near = true;
    const Animator& animator = *actor.animator;
    auto posed = renderer.set_pose(at->character, {.model_from_bones = animator.models(),
                                                   .morph_weights = animator.morphs(),
                                                   .placement = actor.placement,
                                                   .look = actor.look});
    if (posed) {
      at->posed = true;
    } else {
      refused(std::move(posed).error());
      at->still_near = at->posed;  // one that never had a pose would stand at the origin
    }
  }
  const auto gone = std::partition(shown_.begin(), shown_.end(), [](const Shown& one) { return one.still_near; });
  for (auto one = gone; one != shown_.end(); ++one) {
    if (auto removed = renderer.remove(one->character); !removed) refused(std::move(removed).error());
  }
  shown_.erase(gone, shown_.end());
  return first_refusal;
}

}  // namespace throng
