// SPDX-License-Identifier: Apache-2.0
#pragma once
// The chains of bones that local8 and localv compose, and where each bone's own movement is stored.

#include "bone_frames/encode_clip.h"

namespace throng::detail::bake {

// Where a clip moves a bone as no link can.
struct LocalMisfit {
  std::uint32_t bone = 0;
  double time = 0.0;  // the source's
  std::string what;
};

// What a link reads from a pose: its bone, and what stands still between that bone and the link above.
struct LinkSource {
  std::uint32_t bone = 0;
  BoneSample above;
};

struct Skeleton {
  std::vector<PoseLink> links;
  std::vector<LinkSource> sources;                  // one per link
  std::vector<std::uint32_t> column_link;           // one per column
  std::vector<BoneSample> link_from_mesh;           // one per column
  std::uint32_t rotation_slots = 0;                 // local8
  std::uint32_t translation_slots = 0;              // local8
  std::vector<SlotKind> slot_kinds;                 // localv: of every slot
  std::vector<std::optional<LocalMisfit>> misfits;  // one per clip; a clip that has one can be neither
};

// The skeleton of the bones that columns follow and all above them. A bone that no clip moves against its parent is
// folded into what hangs on it; one that only rotates has no slot for its translation. Where what stands still cannot
// be folded, every clip is a misfit. `size`: the model's, for what counts as moving. Slots are as `encoding` numbers
// them: local8, where translation and scale have one, or localv, where slots say what bones do by themselves: what
// stands still above a bone is a link of its own.
Skeleton make_skeleton(const Model& model, const std::vector<ClipPlan>& plans, const std::vector<Column>& columns,
                       double size, Encoding encoding, Executor& executor);

// The clip must have no misfit.
EncodedClip encode_local(const Model& model, const ClipPlan& plan, const Skeleton& skeleton);

}  // namespace throng::detail::bake
