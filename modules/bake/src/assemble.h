#pragma once
// The parts of a bone-mode bake put together: everything of a BakedModel but its errors, bounds and notes;
// and what the other mode needs of it.

#include "encode_clip.h"
#include "pack_atlas.h"

namespace throng {

inline constexpr double kCharacterMillimetres = 1800.0;  // what the model's height counts as

BakedModel assemble(const Model& source, const std::vector<ClipPlan>& plans, const Columns& columns, BakedMesh mesh,
                    const std::vector<EncodedClip>& clips, const Placement& placement);

// A clip of either mode: all but its rows of the table, its bounds, error and choice.
BakedClip clip_of(const Model& source, const ClipPlan& plan, Encoding encoding, const ClipRange& range,
                  const AtlasPlace& place);

// What the documents' layout takes for the same clips: 16 bytes a bone (or vertex) and frame, 30 frames a second.
std::uint64_t documents_bytes(const std::vector<ClipPlan>& plans, std::size_t items);

}  // namespace throng
