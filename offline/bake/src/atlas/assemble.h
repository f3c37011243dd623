// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of a bone-mode bake put together: everything of a CharacterDraft but its errors, bounds and notes;
// and what the other mode needs of it.

#include "atlas/pack_atlas.h"
#include "motion/skeleton.h"

namespace throng::detail::bake {

// A clip of the asset: when it plays, and which frames of which run it shows.
struct PlacedClip {
  ClipPlan plan;
  std::size_t run = 0;
  std::uint32_t offset = 0;  // of its first frame in the run's
  std::string choice = {};
};

// `runs` and the places of `placement` belong together. `skeleton` may be null where no run is local8 or
// localv; `mesh` may be empty for a model that is only to be decoded.
CharacterDraft assemble(const Model& source, const Columns& columns, const Skeleton* skeleton, BakedMesh mesh,
                        const std::vector<PlacedClip>& clips, const std::vector<EncodedClip>& runs,
                        const AtlasPlacement& placement);

// A clip of either mode: all but its rows of the table, its bounds, error and choice.
BakedClip clip_of(const Model& source, const ClipPlan& plan, Encoding encoding, const ClipRange& range,
                  const AtlasPlace& place);

// What the classic RGBA16F layout takes for the same clips: 16 bytes a bone (or vertex) and frame, 30 frames a second.
std::uint64_t half_float_bytes(const std::vector<ClipPlan>& plans, std::size_t items);

// What the keys of the clips' curves take as the source has them: times and values, four bytes a number.
std::uint64_t key_bytes(const std::vector<ClipPlan>& plans);

}  // namespace throng::detail::bake
