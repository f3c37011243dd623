// SPDX-License-Identifier: Apache-2.0
#pragma once
// The model as its artist made it, ready to be drawn before anything is baked: its meshes for the GPU, its poses from
// its own curves.

#include <memory>
#include <optional>

#include "preview/source_view.h"
#include "throng/import/import.h"

namespace throng::studio {

class SourceModel final : public SourceView {
 public:
  // Takes a moment: for a worker's thread. Refused: a model that has nothing to draw.
  static Result<SourceModel> make(const std::shared_ptr<const Imported>& imported);

  const Model& model() const { return imported_->model; }

  const Character& character() const override { return character_; }
  SourcePose pose(std::optional<std::uint32_t> clip, double time) const override;
  // Looked at in a few moments of the clip.
  Bounds bounds(std::optional<std::uint32_t> clip) const override;
  std::optional<std::uint32_t> parent(std::uint32_t bone) const override { return model().bones()[bone].parent; }

 private:
  SourceModel(std::shared_ptr<const Imported> imported, Character character)
      : imported_(std::move(imported)), character_(std::move(character)) {}

  std::shared_ptr<const Imported> imported_;
  Character character_;
};

}  // namespace throng::studio
