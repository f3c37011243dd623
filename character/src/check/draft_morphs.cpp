// SPDX-License-Identifier: Apache-2.0
// Morph targets of bone mode: that shaders which read them stay inside of them, and come out with numbers.
#include <limits>

#include "check/draft.h"
#include "check/values.h"
#include "throng/base/try.h"

namespace throng::detail::character {
namespace {

constexpr std::size_t kMostTargets = 65536;  // deltas name them with 16 bits

Result<void> check_targets(const BakedMorphs& morphs) {
  if (morphs.targets.size() > kMostTargets) {
    return fail("{} morph targets; {} are possible", morphs.targets.size(), kMostTargets);
  }
  constexpr double kWeights = std::numeric_limits<std::uint16_t>::max();
  constexpr double kSteps = 32768.0;  // of a delta
  for (const BakedTarget& target : morphs.targets) {
    const double least = std::abs(static_cast<double>(target.weight_min));
    const double step = static_cast<double>(target.weight_step);
    const double farthest =
        std::max(static_cast<double>(target.position_step), static_cast<double>(target.normal_step));
    // Many of them may move one vertex.
    const double sum = (least + kWeights * step) * kSteps * farthest * static_cast<double>(kMostTargets);
    const bool steps = is_amount(step) && is_amount(target.position_step) && is_amount(target.normal_step);
    if (!steps || !(sum <= static_cast<double>(kFarthest))) {
      return fail("morph target '{}' has a step that is negative, or too large", target.name);
    }
  }
  return {};
}

Result<void> check_rows(const CharacterDraft& model) {
  const std::size_t targets = model.morphs.targets.size();
  if (model.morphs.weights.size() % targets != 0) {
    return fail("{} weights are no whole rows of {} morph targets", model.morphs.weights.size(), targets);
  }
  const std::uint64_t rows = model.morphs.weights.size() / targets;
  // Shaders count their words in 32 bits.
  if (rows * (targets + 1) > std::numeric_limits<std::uint32_t>::max() / 8) return fail("too many morph weights");
  for (const BakedClip& clip : model.clips) {
    const std::uint64_t end = clip.first_morph_row + morph_rows(clip);
    if (end > rows) {
      return fail("clip '{}' names rows {}+{} of {} rows of morph weights", clip.name, clip.first_morph_row,
                  morph_rows(clip), rows);
    }
  }
  return {};
}

Result<void> check_deltas(const CharacterDraft& model) {
  const BakedMorphs& morphs = model.morphs;
  std::uint64_t deltas = 0;
  std::uint64_t next = 0;
  for (const MorphedVertex& vertex : morphs.vertices) {
    if (vertex.vertex < next || vertex.vertex >= model.vertices.size()) {
      return fail("morph targets move vertex {} of {}, or not in order", vertex.vertex, model.vertices.size());
    }
    next = std::uint64_t{vertex.vertex} + 1;
    deltas += vertex.delta_count;
  }
  if (deltas != morphs.deltas.size()) {
    return fail("the vertices that morph targets move have {} deltas of {}", deltas, morphs.deltas.size());
  }
  if (deltas > std::numeric_limits<std::uint32_t>::max() / 8) return fail("too many morph deltas");
  for (const BakedDelta& delta : morphs.deltas) {
    if (delta.target >= morphs.targets.size()) {
      return fail("a delta names morph target {} of {}", delta.target, morphs.targets.size());
    }
  }
  return {};
}

}  // namespace

Result<void> check_morphs(const CharacterDraft& model) {
  const BakedMorphs& morphs = model.morphs;
  if (morphs.empty()) {
    if (morphs.bytes() > 0) return fail("there are morph weights or deltas, but no targets");
    return {};
  }
  if (model.mode != BakeMode::bones) return fail("morph targets in vertex mode, whose frames have them in");
  THRONG_CHECK(check_targets(morphs));
  THRONG_CHECK(check_rows(model));
  return check_deltas(model);
}

}  // namespace throng::detail::character
