// SPDX-License-Identifier: Apache-2.0
#include "bones/bone_baker.h"

#include <algorithm>

#include "atlas/assemble.h"
#include "bones/encoding_choice.h"
#include "bones/rate_search.h"
#include "bones/share_columns.h"
#include "bones/share_frames.h"
#include "measure/measure.h"
#include "memory_gate.h"
#include "morphs/morph_weights.h"
#include "motion/socket_choice.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::bake {
namespace {

constexpr std::size_t kMaxColumns = 65535;  // vertices name columns with 16 bits

Result<void> check_columns(std::size_t columns, const std::string& name) {
  if (columns <= kMaxColumns) return {};
  return fail(
      "model '{}' binds its meshes in {} ways to bones; at most {} are possible: bake its parts apart, or its vertices",
      name, columns, kMaxColumns);
}

// What every clip is tried in first.
Encoding first_encoding(const BakeSettings& settings) {
  return settings.encoding.value_or(chooses(settings) ? Encoding::localv : Encoding::q16);
}

// Asked before anything is sampled, since a clip that does not fit may be of any length.
Result<void> check_fit(const Model& model, const BakeSettings& settings, const std::vector<ClipPlan>& plans) {
  const std::size_t columns = count_columns(model);
  THRONG_CHECK(check_columns(columns, model.name()));
  const Encoding encoding = first_encoding(settings);
  if (is_channel_encoding(encoding)) return {};  // which has no texels
  std::vector<AtlasNeed> needs;
  for (const ClipPlan& plan : plans) {
    needs.push_back({plan.clip.name, plan.frames.frame_count,
                     words_per_frame(encoding, static_cast<std::uint32_t>(columns), false)});
  }
  THRONG_CHECK(place_frames(needs, texels_for(std::span(&encoding, 1)), rules_of(settings)));
  return {};
}

// What looking for a clip's rate may hold at once.
double most_bytes(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan) {
  double most = 0.0;
  for (const std::vector<double>& rates : rate_series(bake, plan)) {
    for (const double rate : rates) {
      const FramePlan frames = plan.frames.frame_count <= 1 ? plan.frames : replanned_frames(plan, rate);
      if (bake.skeleton != nullptr) most = std::max(most, channel_trial(bake, extremes, plan, frames).bytes);
      most = std::max(most, column_trial(bake, extremes, plan, frames).bytes);
    }
  }
  return most;
}

// A pose that is held needs one frame, unless the character has root motion.
bool needs_one_frame(const Model& model, const ClipPlan& plan, const ColumnSamples& samples) {
  if (plan.frames.frame_count <= 1 || !stands_still(samples)) return false;
  const auto root = root_samples(model, plan);
  return std::all_of(root.begin(), root.end(), [&](const GroundMotion& ground) { return ground == root[0]; });
}

// The frames that are stored, and the clips that play them.
struct Stored {
  std::vector<PlacedClip> clips;
  std::vector<EncodedClip> runs;
  std::vector<std::string> names;  // of the runs' own clips
};

Result<AtlasPlacement> place(const Stored& stored, const BakeSettings& settings) {
  std::vector<Encoding> encodings;
  std::vector<AtlasNeed> needs;
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < stored.runs.size(); ++i) {
    if (!stored.runs[i].in_atlas()) continue;
    runs.push_back(i);
    encodings.push_back(stored.runs[i].encoding);
    needs.push_back({stored.names[i], stored.runs[i].frame_count, stored.runs[i].words_per_frame});
  }
  AtlasPlacement placement;
  if (!needs.empty()) {
    THRONG_TRY(placement, place_frames(needs, texels_for(encodings), rules_of(settings)));
  }
  std::vector<AtlasPlace> places(stored.runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) places[runs[i]] = placement.places[i];
  placement.places = std::move(places);
  return placement;
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
    notes.push_back(
        fmt::format("{} of {} are stored once with those of others", counted(frames, "frame"), counted(clips, "clip")));
}

// Sampled, chosen, stored: in this order.
class BoneBaker {
 public:
  explicit BoneBaker(BakeJob job) : job_(std::move(job)) {}

  // Finds the columns, and what they do in every clip.
  Result<void> sample();
  // Fixes every clip's plan and encoding.
  Result<void> choose();
  // What morph targets do beside the bones.
  Result<void> sample_morphs();
  // Encodes and measures. Clips share frames as long as that keeps the error within its bound.
  Result<CharacterDraft> store();

 private:
  BoneBakeInputs inputs() const {
    return {job_.source.model,
            job_.settings,
            columns_,
            shape_,
            points_,
            skeleton_ ? &*skeleton_ : nullptr,
            kCharacterMillimetres / job_.height,
            morphs_.any() ? kBoneShare : 1.0};
  }
  void plan_targets();
  std::size_t hold_poses();
  Stored encode_all(const std::vector<FrameShare>& shares) const;
  bool set_apart(const CharacterDraft& model, const std::vector<FrameShare>& shares);

  BakeJob job_;
  Columns columns_;
  std::optional<ColumnSampleCache> cache_;
  std::uint64_t half_float_bytes_ = 0;
  BakedMesh mesh_;
  ColumnShape shape_;
  ComparedPoints points_;
  MorphPlan morphs_;
  MorphDeltas deltas_;
  std::vector<MorphTrackRows> tracks_;  // by clip; none: no targets are kept
  std::optional<ComparedPoints> morphed_points_;
  std::optional<Skeleton> skeleton_;
  std::vector<std::string> whys_;  // each clip's rate and encoding were chosen
  std::vector<Encoding> encodings_;
  std::vector<std::optional<EncodedClip>> channels_;  // of clips in localv
  MeasuredClips measured_;                            // of clips in localv, without morph targets
  std::vector<std::uint8_t> alone_;                   // by clip: it is to share no frames
};

// Clips whose targets are all left out are baked as if they had none.
void BoneBaker::plan_targets() {
  const double bound = job_.settings.max_error_mm.value_or(kUsualErrorMm) / inputs().mm_per_unit;
  morphs_ = plan_morphs(job_.source.model, job_.plans, bound, job_.remarks.notes);
  if (morphs_.any()) return;
  for (ClipPlan& plan : job_.plans) plan.clip.morphs.clear();
}

std::size_t BoneBaker::hold_poses() {
  std::vector<std::uint8_t> still(job_.plans.size(), 0);
  job_.executor.run(still.size(), [&](std::size_t i) {
    if (morphs_.clip_moves[i] == 0)
      still[i] = cache_->with(
          i, [&](const ColumnSamples& samples) { return needs_one_frame(job_.source.model, job_.plans[i], samples); });
  });
  for (std::size_t i = 0; i < still.size(); ++i) {
    if (still[i] == 0) continue;
    job_.plans[i].frames.frame_count = 1;
    cache_->replan(i, job_.plans[i]);
  }
  return static_cast<std::size_t>(std::count(still.begin(), still.end(), std::uint8_t{1}));
}

Result<void> BoneBaker::sample() {
  const BakeSettings& settings = job_.settings;
  THRONG_CHECK(check_fit(job_.source.model, settings, job_.plans));
  THRONG_TRY(const std::vector<Socket> sockets, chosen_sockets(job_.source.model, settings));
  report(job_.progress, "sample", 0.0);
  plan_targets();
  const bool any_matrix = settings.encoding && is_affine_encoding(*settings.encoding);
  columns_ = make_columns(job_.source.model, job_.plans, sockets, any_matrix, job_.executor, job_.remarks.notes);
  THRONG_CHECK(check_columns(columns_.all.size(), job_.source.model.name()));
  half_float_bytes_ = half_float_bytes(job_.plans, columns_.all.size());
  cache_.emplace(job_.source.model, job_.plans, columns_.all, job_.executor);
  const std::size_t joined = share_columns(*cache_, columns_, job_.executor);
  if (joined > 0)
    job_.remarks.notes.push_back(in_number(
        joined, "[bone that moves like another shares its column|bones that move like others share their columns]"));
  const std::size_t held = hold_poses();
  if (held > 0)
    job_.remarks.notes.push_back(
        in_number(held, "[clip stands still and is|clips stand still and are] stored as one frame"));
  report(job_.progress, "sample", 1.0);
  return {};
}

Result<void> BoneBaker::choose() {
  report(job_.progress, "levels", 0.0);
  const BakeSettings& settings = job_.settings;
  std::vector<ClipPlan>& plans = job_.plans;
  mesh_ = make_baked_mesh(job_.source, columns_, settings, {plans, job_.executor, job_.progress}, job_.remarks.notes);
  shape_ = column_shape(columns_, mesh_);
  points_ = compared_points(job_.source.model, mesh_);
  const bool bounded = chooses(settings);
  const Encoding first = first_encoding(settings);
  if (is_linked_encoding(first))
    skeleton_ = make_skeleton(job_.source.model, plans, columns_.all, shape_.size, first, job_.executor);
  const bool searched = bounded || is_channel_encoding(first);
  const ComparedPoints extremes = searched ? extreme_points(points_, columns_.all.size()) : ComparedPoints{};
  const BoneBakeInputs bake = inputs();
  std::vector<Result<EncodingChoice>> choices(plans.size());
  double frames = 0.0;
  for (const ClipPlan& plan : plans) frames += plan.frames.frame_count;
  SharedProgress chosen(job_.progress, "choose", frames);
  MemoryGate gate(job_.search.bytes);
  std::vector<std::uint8_t> cut_short(plans.size(), 0);
  job_.executor.run(plans.size(), [&](std::size_t i) {
    SearchBudget budget(job_.search.bytes, share_of(plans, i) * job_.search.seconds);
    choices[i] = gate.with(most_bytes(bake, extremes, plans[i]), [&] {
      return cache_->with(i, [&](const ColumnSamples& samples) -> Result<EncodingChoice> {
        if (!samples.finite()) return fail("clip '{}' moves bones out of all range", plans[i].clip.name);
        return bounded ? choose_by_error(bake, extremes, plans[i], samples, i, budget)
                       : choose_plainly(bake, extremes, plans[i], samples, i, budget);
      });
    });
    cut_short[i] = bounded && budget.cut_short() ? 1 : 0;
    chosen.add(plans[i].frames.frame_count);
  });
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    THRONG_TRY(EncodingChoice choice, std::move(choices[i]));
    if (cut_short[i] != 0) choice.why += "; no more was looked for within the budget";
    if (!choice.note.empty()) job_.remarks.notes.push_back(std::move(choice.note));
    whys_.push_back(std::move(choice.why));
    encodings_.push_back(choice.encoding);
    channels_.push_back(std::move(choice.clip));
    measured_.push_back(std::move(choice.measured));
    if (choice.plan.frames.frame_count != plans[i].frames.frame_count) changed.push_back(i);
    plans[i] = std::move(choice.plan);
  }
  note_cut_short(static_cast<std::size_t>(std::ranges::count(cut_short, std::uint8_t{1})), settings,
                 job_.remarks.notes);
  // Clips in localv are done: what their columns do is not asked for again.
  for (std::size_t i = 0; i < plans.size(); ++i)
    if (channels_[i]) cache_->forget(i);
  std::erase_if(changed, [&](std::size_t i) { return channels_[i].has_value(); });
  job_.executor.run(changed.size(), [&](std::size_t i) { cache_->replan(changed[i], plans[changed[i]]); });
  return {};
}

Result<void> BoneBaker::sample_morphs() {
  if (!morphs_.any()) return {};
  deltas_ = make_deltas(job_.source.model, morphs_, columns_, mesh_);
  morphed_points_ = compared_points(job_.source.model, mesh_, morphs_, deltas_);
  tracks_.resize(job_.plans.size());
  job_.executor.run(tracks_.size(), [&](std::size_t i) {
    tracks_[i] = sample_weights(job_.source.model, morphs_, job_.plans[i], morphs_.clip_moves[i] != 0);
  });
  const double mm = inputs().mm_per_unit;
  for (std::size_t i = 0; i < tracks_.size() && job_.settings.max_error_mm; ++i) {
    if (tracks_[i].error <= std::max(kWeightShare, 1.0 - kBoneShare) * morphs_.bound) continue;
    job_.remarks.warnings.push_back(fmt::format(
        "clip '{}' moves morph targets too suddenly: they come within {:.3g} mm at best; key them at smaller "
        "steps, or drop them (`drop_morphs`)",
        job_.plans[i].clip.name, tracks_[i].error * mm));
  }
  return {};
}

Stored BoneBaker::encode_all(const std::vector<FrameShare>& shares) const {
  const std::vector<ClipPlan>& plans = job_.plans;
  const BoneBakeInputs bake = inputs();
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
  job_.executor.run(hosts.size(), [&](std::size_t run) {
    const std::size_t i = hosts[run];
    if (channels_[i]) {
      stored.runs[run] = *channels_[i];
      return;
    }
    stored.runs[run] =
        cache_->with(i, [&](const ColumnSamples& samples) { return encode(bake, plans[i], samples, encodings_[i]); });
  });
  for (std::size_t i = 0; i < plans.size(); ++i) {
    std::string why = whys_[i];
    if (shares[i].host != i) why += fmt::format("; its frames are those of clip '{}'", plans[shares[i].host].clip.name);
    stored.clips.push_back({plans[i], run_of[shares[i].host], shares[i].offset, std::move(why)});
  }
  return stored;
}

// Finds clips that are over the bound because of what they share: the interval over the seam of a loop is theirs alone.
bool BoneBaker::set_apart(const CharacterDraft& model, const std::vector<FrameShare>& shares) {
  bool any = false;
  for (std::size_t i = 0; i < shares.size() && job_.settings.max_error_mm; ++i) {
    const ClipError& error = model.clips[i].error;
    const double worst = std::max(error.at_frames.max_mm, error.between.max_mm);
    if (shares[i].host == i || worst <= *job_.settings.max_error_mm) continue;
    alone_[i] = 1;
    any = true;
  }
  return any;
}

Result<CharacterDraft> BoneBaker::store() {
  // Words of localv are shared where they are all the same, and not in parts.
  alone_.assign(job_.plans.size(), 0);
  for (std::size_t i = 0; i < alone_.size(); ++i) alone_[i] = channels_[i] ? 1 : 0;
  for (;;) {
    report(job_.progress, "encode", 0.0);
    const std::vector<FrameShare> shares = share_frames(*cache_, encodings_, alone_, job_.executor);
    const Stored stored = encode_all(shares);
    THRONG_TRY(const AtlasPlacement placement, place(stored, job_.settings));
    CharacterDraft model =
        assemble(job_.source.model, columns_, inputs().skeleton, mesh_, stored.clips, stored.runs, placement);
    if (morphs_.any()) store_morphs(deltas_, tracks_, model);
    report(job_.progress, "encode", 1.0);
    model.repairs = job_.settings.repairs;
    model.half_float_bytes = half_float_bytes_;
    model.key_bytes = key_bytes(job_.plans);
    model.error.mm_per_unit = inputs().mm_per_unit;
    model.notes = job_.remarks.notes;
    model.warnings = job_.remarks.warnings;
    note_shared(shares, job_.plans, model.notes);
    // Clips in localv were measured as they are when they were chosen, unless morph targets come in.
    measure(job_.source.model, job_.plans, morphed_points_ ? *morphed_points_ : points_, job_.executor, job_.progress,
            model, morphed_points_ ? MeasuredClips{} : measured_);
    if (!set_apart(model, shares)) return model;
  }
}

}  // namespace

Result<CharacterDraft> bake_bones(BakeJob job) {
  BoneBaker baker(std::move(job));
  THRONG_CHECK(baker.sample());
  THRONG_CHECK(baker.choose());
  THRONG_CHECK(baker.sample_morphs());
  return baker.store();
}

}  // namespace throng::detail::bake
