// SPDX-License-Identifier: Apache-2.0
#include "throng/renderer/cast_drawing.h"

#include <algorithm>

#include "throng/base/try.h"

namespace throng {

std::optional<CharacterId> CastDrawing::find(ActorId actor) const {
  const auto found = std::find_if(drawn_.begin(), drawn_.end(), [&](const Drawn& one) { return one.actor == actor; });
  if (found == drawn_.end()) return std::nullopt;
  return found->character;
}

// What its look says that it wears, when that changed: whoever dresses it otherwise meanwhile is left alone.
Result<void> CastDrawing::dress(Drawn& one, const NearActor& actor, const Cast& cast, CharacterRenderer& renderer) {
  const Character& character = cast.character(actor.model);
  const PartMask parts = actor.look.parts.value_or(usual_parts(character.part_groups()));
  if (parts == one.worn) return {};
  const auto model = renderer.find(character);
  if (!model) return {};
  THRONG_TRY(const std::vector<PieceRef> worn, pieces_of(character, *model, parts));
  THRONG_CHECK(renderer.set_pieces(one.character, worn));
  one.worn = parts;
  return {};
}

Result<void> CastDrawing::update(const Cast& cast, CharacterRenderer& renderer) {
  for (Drawn& one : drawn_) one.still_near = false;
  Result<void> first_refusal;
  const auto refused = [&first_refusal](Error error) {
    if (first_refusal) first_refusal = fail(std::move(error));
  };
  for (const NearActor& actor : cast.near_actors()) {
    auto at = std::find_if(drawn_.begin(), drawn_.end(), [&](const Drawn& one) { return one.actor == actor.id; });
    if (at == drawn_.end()) {
      const Character& character = cast.character(actor.model);
      const auto model = renderer.find(character);
      if (!model) {
        refused(Error{
            fmt::format("'{}' was not added to the renderer; call add with the cast's character", character.name())});
        continue;
      }
      auto added = renderer.add_near(*model);
      if (!added) {
        refused(std::move(added).error());
        continue;
      }
      at = drawn_.insert(drawn_.end(), {.actor = actor.id, .character = *added});
      at->worn = usual_parts(character.part_groups());
    }
    at->still_near = true;
    if (auto dressed = dress(*at, actor, cast, renderer); !dressed) refused(std::move(dressed).error());
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
  const auto gone = std::partition(drawn_.begin(), drawn_.end(), [](const Drawn& one) { return one.still_near; });
  for (auto one = gone; one != drawn_.end(); ++one) {
    if (auto removed = renderer.remove(one->character); !removed) refused(std::move(removed).error());
  }
  drawn_.erase(gone, drawn_.end());
  if (auto updated = renderer.update(cast.crowd()); !updated) refused(std::move(updated).error());
  return first_refusal;
}

}  // namespace throng
