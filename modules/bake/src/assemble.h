#pragma once
// The parts of a bone-mode bake put together: everything of a BakedModel but its errors, bounds and notes.

#include "encode_clip.h"
#include "pack_atlas.h"

namespace throng {

inline constexpr double kCharacterMillimetres = 1800.0;  // what the model's height counts as

BakedModel assemble(const Model& source, const std::vector<ClipPlan>& plans, const Columns& columns, BakedMesh mesh,
                    const std::vector<EncodedClip>& clips, const Placement& placement);

// What the documents' layout takes for the same clips: 16 bytes a bone and frame, 30 frames a second.
std::uint64_t documents_bytes(const std::vector<ClipPlan>& plans, std::size_t columns);

}  // namespace throng
