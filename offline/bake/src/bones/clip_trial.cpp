// SPDX-License-Identifier: Apache-2.0
#include "bones/clip_trial.h"

#include "atlas/assemble.h"

namespace throng::detail::bake {

std::string misfit_words(const BoneBakeInputs& bake, const ClipPlan& plan, const ColumnSamples& samples,
                         std::size_t clip, Encoding encoding) {
  if (is_linked_encoding(encoding) && !samples.misfit) {
    const auto& misfit = bake.skeleton->misfits[clip];
    if (!misfit) return {};
    return fmt::format("bone '{}' at {:.3f} s {}", bake.source.bones()[misfit->bone].name, misfit->time, misfit->what);
  }
  const auto misfit = misfit_of(encoding, samples);
  if (!misfit) return {};
  return fmt::format("bone '{}' at {:.3f} s {}", bake.columns.all[misfit->column].name,
                     plan.source_time(misfit->frame, 0.0), misfit->what);
}

Error refusal_of(const BoneBakeInputs& bake, const ClipPlan& plan, const ColumnSamples& samples, std::size_t clip,
                 Encoding encoding) {
  std::string able;
  for (const Encoding other : kEncodings) {
    if (is_vertex_encoding(other) || is_linked_encoding(other) || misfit_of(other, samples)) continue;
    able += fmt::format("{}{}", able.empty() ? "" : ", ", name_of(other));
  }
  return {fmt::format("clip '{}', {}; {} holds {}: bake it as {}, or change the bone", plan.clip.name,
                      misfit_words(bake, plan, samples, clip, encoding), name_of(encoding), held_by(encoding),
                      able.empty() ? "vertices" : able)};
}

EncodedClip encode(const BoneBakeInputs& bake, const ClipPlan& plan, const ColumnSamples& samples, Encoding encoding) {
  if (info_of(encoding).kind == ItemKind::slot) return encode_local(bake.source, plan, *bake.skeleton);
  return encode_clip(encoding, samples, bake.shape);
}

CharacterDraft trial_model(const BoneBakeInputs& bake, const ClipPlan& plan, const EncodedClip& clip) {
  constexpr std::uint32_t kTexelWords = 2;
  AtlasPlacement placement;
  placement.layout = {ceil_divide(clip.words_per_frame, kTexelWords), kTexelWords};
  placement.height = clip.frame_count;
  placement.layer_count = 1;
  placement.places = {{0, 0}};
  return assemble(bake.source, bake.columns, bake.skeleton, {}, {{plan, 0, 0, {}}}, {clip}, placement);
}

double rate_of(const FramePlan& frames) {
  const std::uint32_t intervals = frames.loops ? frames.frame_count : frames.frame_count - 1;
  return frames.length > 0.0 ? intervals / frames.length : 0.0;
}

}  // namespace throng::detail::bake
