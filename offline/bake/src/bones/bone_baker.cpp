#include "bones/bone_baker.h"

#include <algorithm>

#include "atlas/assemble.h"
#include "bones/encoding_choice.h"
#include "bones/share_columns.h"
#include "bones/share_frames.h"
#include "measure/measure.h"
#include "motion/socket_choice.h"

namespace throng::detail::bake {
namespace {

constexpr std::size_t kMaxColumns = 65535;  // vertices name columns with 16 bits

Result<void> check_columns(std::size_t columns, const std::string& name) {
  if (columns <= kMaxColumns) return {};
  return fail(
      "model '{}' binds its meshes in {} ways to bones; at most {} are possible: bake its parts apart, or its vertices",
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

// A pose that is held needs one frame, unless its character slides over the ground.
bool needs_one_frame(const Model& model, const ClipPlan& plan, const ColumnSamples& samples) {
  if (plan.frames.frame_count <= 1 || !stands_still(samples)) return false;
  const auto root = root_samples(model, plan);
  return std::all_of(root.begin(), root.end(), [&](const GroundMotion& ground) { return ground == root[0]; });
}

std::size_t hold_poses(const Model& model, ColumnSampleCache& cache, std::vector<ClipPlan>& plans, Executor& executor) {
  std::vector<std::uint8_t> still(plans.size(), 0);
  executor.run(plans.size(), [&](std::size_t i) {
    still[i] = cache.with(i, [&](const ColumnSamples& samples) { return needs_one_frame(model, plans[i], samples); });
  });
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (still[i] == 0) continue;
    plans[i].frames.frame_count = 1;
    cache.replan(i, plans[i]);
  }
  return static_cast<std::size_t>(std::count(still.begin(), still.end(), std::uint8_t{1}));
}

struct Chosen {
  std::vector<std::string> whys;
  std::vector<Encoding> encodings;
};

// Fixes every clip's plan and encoding.
Result<Chosen> choose_all(const BoneBakeInputs& bake, ColumnSampleCache& cache, std::vector<ClipPlan>& plans,
                          Executor& executor, std::vector<std::string>& notes) {
  const bool bounded = bake.settings.max_error_mm.has_value();
  const ComparedPoints extremes = bounded ? extreme_points(bake.points, bake.columns.all.size()) : ComparedPoints{};
  std::vector<Result<EncodingChoice>> choices(plans.size());
  executor.run(plans.size(), [&](std::size_t i) {
    choices[i] = cache.with(i, [&](const ColumnSamples& samples) -> Result<EncodingChoice> {
      if (!samples.finite()) return fail("clip '{}' moves bones out of all range", plans[i].clip.name);
      return bounded ? choose_by_error(bake, extremes, plans[i], samples, i)
                     : choose_plainly(bake, plans[i], samples, i);
    });
  });
  Chosen chosen;
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (!choices[i]) return fail(std::move(choices[i]));
    if (!choices[i]->note.empty()) notes.push_back(std::move(choices[i]->note));
    chosen.whys.push_back(std::move(choices[i]->why));
    chosen.encodings.push_back(choices[i]->encoding);
    if (choices[i]->plan.frames.frame_count != plans[i].frames.frame_count) changed.push_back(i);
    plans[i] = std::move(choices[i]->plan);
  }
  executor.run(changed.size(), [&](std::size_t i) { cache.replan(changed[i], plans[changed[i]]); });
  return chosen;
}

// The frames that are stored, and who shows them.
struct Stored {
  std::vector<PlacedClip> clips;
  std::vector<EncodedClip> runs;
  std::vector<std::string> names;  // of the runs' own clips
};

Stored encode_all(const BoneBakeInputs& bake, const ColumnSampleCache& cache, const std::vector<ClipPlan>& plans,
                  const Chosen& chosen, const std::vector<FrameShare>& shares, Executor& executor) {
  Stored stored;
  std::vector<std::size_t> hosts;
  std::vector<std::size_t> run_of(plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (shares[i].host != i) continue;
    run_of[i] = hosts.size();
    hosts.push_back(i);
    stored.names.push_back(plans[i].clip.name);
  }
  stored.runs.resize(hosts.size());
  executor.run(hosts.size(), [&](std::size_t run) {
    const std::size_t i = hosts[run];
    stored.runs[run] = cache.with(
        i, [&](const ColumnSamples& samples) { return encode(bake, plans[i], samples, chosen.encodings[i]); });
  });
  for (std::size_t i = 0; i < plans.size(); ++i) {
    std::string why = chosen.whys[i];
    if (shares[i].host != i) why += fmt::format("; its frames are those of clip '{}'", plans[shares[i].host].clip.name);
    stored.clips.push_back({plans[i], run_of[shares[i].host], shares[i].offset, std::move(why)});
  }
  return stored;
}

Result<AtlasPlacement> place(const Stored& stored, const BakeSettings& settings) {
  std::vector<Encoding> encodings;
  std::vector<AtlasNeed> needs;
  for (std::size_t i = 0; i < stored.runs.size(); ++i) {
    encodings.push_back(stored.runs[i].encoding);
    needs.push_back({stored.names[i], stored.runs[i].frame_count, stored.runs[i].words_per_frame});
  }
  return place_frames(needs, texel_words_for(encodings), rules_of(settings));
}

void note_shared(const std::vector<FrameShare>& shares, const std::vector<ClipPlan>& plans,
                 std::vector<std::string>& notes) {
  std::size_t clips = 0;
  std::uint64_t frames = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].host == i) continue;
    ++clips;
    frames += plans[i].frames.frame_count;
  }
  if (clips > 0)
    notes.push_back(fmt::format("{} frames of {} clips are stored once with those of others", frames, clips));
}

// Clips over the bound because of what they share: the way over the seam of a loop is theirs alone.
bool set_apart(const CharacterDraft& model, const BakeSettings& settings, const std::vector<FrameShare>& shares,
               std::vector<std::uint8_t>& alone) {
  bool any = false;
  for (std::size_t i = 0; i < shares.size() && settings.max_error_mm; ++i) {
    const ClipError& error = model.clips[i].error;
    const double worst = std::max(error.at_frames.max_mm, error.between.max_mm);
    if (shares[i].host == i || worst <= *settings.max_error_mm) continue;
    alone[i] = 1;
    any = true;
  }
  return any;
}

}  // namespace

Result<CharacterDraft> bake_bones(const Model& source, const BakeSettings& settings,
                                  const std::vector<ClipPlan>& planned, double height, std::vector<std::string> notes,
                                  Executor& executor, const Progress& progress) {
  if (auto ok = check_fit(source, settings, planned); !ok) return fail(std::move(ok));
  auto sockets = chosen_sockets(source, settings);
  if (!sockets) return fail(std::move(sockets));
  report(progress, "sample", 0.0);
  std::vector<ClipPlan> plans = planned;
  const bool any_matrix = settings.encoding && is_affine_encoding(*settings.encoding);
  Columns columns = make_columns(source, plans, *sockets, any_matrix, executor, notes);
  if (auto ok = check_columns(columns.all.size(), source.name()); !ok) return fail(std::move(ok));
  const std::uint64_t in_half_floats = half_float_bytes(plans, columns.all.size());
  ColumnSampleCache cache(source, plans, columns.all, executor);
  const std::size_t joined = share_columns(cache, columns, executor);
  if (joined > 0) notes.push_back(fmt::format("{} bones that move like others share their columns", joined));
  const std::size_t held = hold_poses(source, cache, plans, executor);
  if (held > 0) notes.push_back(fmt::format("{} clips stand still and are stored as one frame", held));
  report(progress, "sample", 1.0);

  report(progress, "encode", 0.0);
  BakedMesh mesh = make_baked_mesh(source, columns, settings, notes);
  const ColumnShape shape = column_shape(columns, mesh);
  const ComparedPoints points = compared_points(source, mesh);
  std::optional<Skeleton> skeleton;
  if (settings.encoding == Encoding::local8 || (settings.max_error_mm && !settings.encoding)) {
    skeleton = make_skeleton(source, plans, columns.all, shape.size, executor);
  }
  const BoneBakeInputs bake{
      source, settings, columns, shape, points, skeleton ? &*skeleton : nullptr, kCharacterMillimetres / height};
  auto chosen = choose_all(bake, cache, plans, executor, notes);
  if (!chosen) return fail(std::move(chosen));
  report(progress, "encode", 0.5);
  std::vector<std::uint8_t> alone(plans.size(), 0);
  for (;;) {
    const std::vector<FrameShare> shares = share_frames(cache, chosen->encodings, alone, executor);
    const Stored stored = encode_all(bake, cache, plans, *chosen, shares, executor);
    auto placement = place(stored, settings);
    if (!placement) return fail(std::move(placement));
    CharacterDraft model = assemble(source, columns, bake.skeleton, mesh, stored.clips, stored.runs, *placement);
    report(progress, "encode", 1.0);
    model.repairs = settings.repairs;
    model.half_float_bytes = in_half_floats;
    model.error.mm_per_unit = bake.mm_per_unit;
    model.notes = notes;
    note_shared(shares, plans, model.notes);
    measure(source, plans, points, executor, progress, model);
    if (!set_apart(model, settings, shares, alone)) return model;
  }
}

}  // namespace throng::detail::bake
