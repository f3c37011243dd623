#include "bake_bones.h"

#include <algorithm>
#include <cmath>

#include "assemble.h"
#include "encode_clip.h"
#include "measure.h"
#include "pack_atlas.h"
#include "socket_choice.h"

namespace throng {
namespace {

constexpr std::size_t kMaxColumns = 65535;  // vertices name columns with 16 bits

Result<void> check_columns(std::size_t columns, const std::string& name) {
  if (columns <= kMaxColumns) return {};
  return fail(
      "model '{}' binds its meshes in {} ways to bones; at most {} are possible: bake its parts apart, or its "
      "vertices",
      name, columns, kMaxColumns);
}

AtlasRules rules_of(const BakeSettings& settings) {
  return {settings.max_atlas_size, settings.shape, settings.packing};
}

// Asked before anything is sampled, since a clip that does not fit may be of any length.
Result<void> check_fit(const Model& model, const BakeSettings& settings, const std::vector<ClipPlan>& plans) {
  const std::size_t columns = count_columns(model);
  if (auto ok = check_columns(columns, model.name()); !ok) return ok;
  const Encoding encoding = settings.encoding.value_or(settings.max_error_mm ? Encoding::q8 : Encoding::q16);
  std::vector<AtlasNeed> needs;
  for (const ClipPlan& plan : plans) {
    needs.push_back({plan.clip.name, plan.frames.frame_count,
                     words_per_frame(encoding, static_cast<std::uint32_t>(columns), false)});
  }
  auto placed = place_frames(needs, texel_words_for(std::span(&encoding, 1)), rules_of(settings));
  if (!placed) return fail(std::move(placed));
  return {};
}

tl::unexpected<Error> does_not_fit(const ClipPlan& plan, const Columns& columns, const ClipMotion& motion,
                                   Encoding encoding, const Misfit& misfit) {
  std::string able;
  for (const Encoding other : kEncodings) {
    if (is_vertex_encoding(other) || other == Encoding::local8 || misfit_of(other, motion)) continue;
    able += fmt::format("{}{}", able.empty() ? "" : ", ", name_of(other));
  }
  return fail("clip '{}', bone '{}' at {:.3f} s {}; {} holds {}: bake it as {}, or change the bone", plan.clip.name,
              columns.all[misfit.column].name, plan.source_time(misfit.frame, 0.0), misfit.what, name_of(encoding),
              held_by(encoding), able.empty() ? "vertices" : able);
}

struct ClipOutcome {
  Result<EncodedClip> encoded;
  std::string note;
};

ClipOutcome encode_planned(const Model& model, const BakeSettings& settings, const ClipPlan& plan,
                           const Columns& columns, const ColumnShape& shape) {
  const ClipMotion motion = move_columns(model, plan, columns.all);
  if (!motion.finite()) return {fail("clip '{}' moves bones out of all range", plan.clip.name), {}};
  Encoding encoding = settings.encoding.value_or(Encoding::q16);
  const auto misfit = misfit_of(encoding, motion);
  std::string note;
  if (misfit && settings.encoding) return {does_not_fit(plan, columns, motion, encoding, *misfit), {}};
  if (misfit) {
    note = fmt::format("clip '{}' is baked as rows: bone '{}' at {:.3f} s {}", plan.clip.name,
                       columns.all[misfit->column].name, plan.source_time(misfit->frame, 0.0), misfit->what);
    encoding = Encoding::rows;
  }
  return {encode_clip(encoding, motion, shape), std::move(note)};
}

Result<std::vector<EncodedClip>> encode_clips(const Model& model, const BakeSettings& settings,
                                              const std::vector<ClipPlan>& plans, const Columns& columns,
                                              const ColumnShape& shape, Executor& executor,
                                              std::vector<std::string>& notes) {
  std::vector<ClipOutcome> outcomes(plans.size());
  executor.run(plans.size(),
               [&](std::size_t i) { outcomes[i] = encode_planned(model, settings, plans[i], columns, shape); });
  std::vector<EncodedClip> clips;
  for (ClipOutcome& outcome : outcomes) {
    if (!outcome.encoded) return fail(std::move(outcome.encoded));
    if (!outcome.note.empty()) notes.push_back(std::move(outcome.note));
    clips.push_back(*std::move(outcome.encoded));
  }
  return clips;
}

Result<Placement> place(const std::vector<EncodedClip>& clips, const std::vector<ClipPlan>& plans,
                        const BakeSettings& settings) {
  std::vector<Encoding> encodings;
  std::vector<AtlasNeed> needs;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    encodings.push_back(clips[i].encoding);
    needs.push_back({plans[i].clip.name, clips[i].frame_count, clips[i].words_per_frame});
  }
  return place_frames(needs, texel_words_for(encodings), rules_of(settings));
}

}  // namespace

Result<BakedModel> bake_bones(const Model& source, const BakeSettings& settings, const std::vector<ClipPlan>& plans,
                              double height, std::vector<std::string> notes, Executor& executor,
                              const Progress& progress) {
  if (auto ok = check_fit(source, settings, plans); !ok) return fail(std::move(ok));
  auto sockets = chosen_sockets(source, settings);
  if (!sockets) return fail(std::move(sockets));
  report(progress, "sample", 0.0);
  const bool any_matrix = settings.encoding == Encoding::rows || settings.encoding == Encoding::half_rows;
  const Columns columns = make_columns(source, plans, *sockets, any_matrix, executor, notes);
  if (auto ok = check_columns(columns.all.size(), source.name()); !ok) return fail(std::move(ok));
  BakedMesh mesh = make_baked_mesh(source, columns, settings, notes);
  const ColumnShape shape = column_shape(columns, mesh);
  report(progress, "sample", 1.0);
  report(progress, "encode", 0.0);
  auto clips = encode_clips(source, settings, plans, columns, shape, executor, notes);
  if (!clips) return fail(std::move(clips));
  auto placement = place(*clips, plans, settings);
  if (!placement) return fail(std::move(placement));
  const ComparedPoints points = compared_points(source, mesh);
  BakedModel model = assemble(source, plans, columns, std::move(mesh), *clips, *placement);
  report(progress, "encode", 1.0);
  model.repairs = settings.repairs;
  model.notes = std::move(notes);
  model.error.mm_per_unit = kCharacterMillimetres / height;
  measure(source, plans, points, executor, progress, model);
  return model;
}

}  // namespace throng
