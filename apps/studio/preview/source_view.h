// SPDX-License-Identifier: Apache-2.0
#pragma once
// The model as its artist made it, as far as the preview draws it: what it looks like, and its poses. Who made them is
// not known here: the preview knows no importer.

#include <cstdint>
#include <optional>
#include <vector>

#include "throng/animator/rig.h"
#include "throng/character/character.h"

namespace throng::studio {

// What a near character of it is at.
struct SourcePose {
  std::vector<Affine> model_from_bones;
  std::vector<float> morph_weights;
};

// Asked from the preview's thread.
class SourceView {
 public:
  virtual ~SourceView() = default;

  // Meshes, skeleton and parts; its only clip is the rest pose.
  virtual const Character& character() const = 0;
  // `time` in the clip's own seconds; at rest without a clip.
  virtual SourcePose pose(std::optional<std::uint32_t> clip, double time) const = 0;
  // Around what it does in the clip.
  virtual Bounds bounds(std::optional<std::uint32_t> clip) const = 0;
  // The parent of one of the pose's bones.
  virtual std::optional<std::uint32_t> parent(std::uint32_t bone) const = 0;

 protected:
  SourceView() = default;
  SourceView(const SourceView&) = default;
  SourceView(SourceView&&) = default;
  SourceView& operator=(const SourceView&) = default;
  SourceView& operator=(SourceView&&) = default;
};

}  // namespace throng::studio
