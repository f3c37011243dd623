// SPDX-License-Identifier: Apache-2.0
#include "vertices/vertex_baker.h"

#include <algorithm>
#include <optional>

#include "atlas/assemble.h"
#include "atlas/model_storage.h"
#include "atlas/pack_atlas.h"
#include "measure/measure.h"
#include "measure/vertex_compare.h"
#include "mesh/baked_mesh.h"
#include "mesh/vertex_order.h"
#include "motion/frame_jobs.h"
#include "motion/socket_choice.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "vertices/vertex_merge.h"
#include "vertices/vertex_rates.h"
#include "vertices/vertex_survey.h"

namespace throng::detail::bake {
namespace {

// What everything below works on; clips that need fewer frames are planned anew.
struct Bake {
  const Model& source;
  const BakeSettings& settings;
  Encoding encoding;
  double height;
  Executor& executor;
  const Progress& progress;
  std::vector<ClipPlan> plans;
  std::vector<std::string> choices;
  std::vector<ClipSurvey> surveys;
  std::vector<Socket> sockets;
};

// What one clip's frames take, but for those that share another's.
std::vector<AtlasNeed> needs_of(const Bake& bake, const VertexFrames& frames) {
  std::vector<AtlasNeed> needs;
  for (std::size_t i = 0; i < bake.plans.size(); ++i) {
    if (i < bake.surveys.size() && bake.surveys[i].same_as) continue;
    needs.push_back({bake.plans[i].clip.name, bake.plans[i].frames.frame_count, frames.words_per_frame()});
  }
  return needs;
}

// Places for every clip; those that share another's frames have its place.
Result<AtlasPlacement> place(const Bake& bake, const VertexFrames& frames) {
  auto placed = place_frames(needs_of(bake, frames), texels_for(std::span(&bake.encoding, 1)), rules_of(bake.settings));
  if (!placed || bake.surveys.empty()) return placed;
  std::vector<AtlasPlace> places;
  auto own = placed->places.begin();
  for (const ClipSurvey& survey : bake.surveys) places.push_back(survey.same_as ? places[*survey.same_as] : *own++);
  placed->places = std::move(places);
  return placed;
}

Result<void> choose_rates(const std::vector<VertexOrigin>& origins, const VertexFrames& frames, const Cost& search,
                          Bake& bake, std::vector<std::string>& notes) {
  bake.choices.resize(bake.plans.size());
  if (!chooses(bake.settings)) return {};
  const double mm_per_unit = kCharacterMillimetres / bake.height;
  std::vector<double> shares;
  for (std::size_t i = 0; i < bake.plans.size(); ++i) shares.push_back(share_of(bake.plans, i));
  std::size_t cut_short = 0;
  for (std::size_t i = 0; i < bake.plans.size(); ++i) {
    SearchBudget budget(shares[i] * search.bytes, shares[i] * search.seconds);
    THRONG_TRY(RatedClip rated, cheapest_rate(bake.source, origins, bake.plans[i], frames, bake.settings, mm_per_unit,
                                              budget, bake.executor));
    bake.plans[i] = std::move(rated.plan);
    bake.choices[i] = std::move(rated.choice);
    cut_short += budget.cut_short() ? 1 : 0;
    report(bake.progress, "choose", static_cast<double>(i + 1) / static_cast<double>(bake.plans.size()));
  }
  note_cut_short(cut_short, bake.settings, notes);
  return {};
}

Result<void> survey(const VertexFrames& frames, Bake& bake, std::vector<std::string>& notes) {
  THRONG_TRY(bake.surveys, survey_clips(bake.plans, frames, bake.height, bake.executor, bake.progress));
  std::size_t held = 0;
  std::size_t shared = 0;
  for (std::size_t i = 0; i < bake.plans.size(); ++i) {
    const bool still = bake.surveys[i].constant && bake.plans[i].frames.frame_count > 1;
    held += still ? 1 : 0;
    shared += bake.surveys[i].same_as ? 1 : 0;
    if (still) bake.plans[i].frames.frame_count = 1;
    if (!still && !bake.choices[i].empty()) continue;
    bake.choices[i] =
        fmt::format("{} {}: {}{}", name_of(bake.encoding), rate_words(bake.plans[i].frames),
                    bake.settings.encoding ? "as asked for" : "the default", still ? ", and nothing moves" : "");
  }
  if (held > 0)
    notes.push_back(in_number(held, "[clip stands still and is|clips stand still and are] stored as one frame"));
  if (shared > 0)
    notes.push_back(in_number(
        shared, "[clip has the frames of another and shares|clips have the frames of others and share] them"));
  return {};
}

// Where in the words a frame of a clip lies.
std::size_t word_of_frame(const AtlasPlacement& placement, std::uint64_t words_per_frame, const AtlasPlace& place,
                          std::uint32_t frame) {
  const FrameLayout frames = frame_layout(placement.layout, words_per_frame);
  return first_word(placement.layout, placement.height, frames, place.layer, place.first_frame + frame);
}

void encode(const Bake& bake, const VertexFrames& frames, const AtlasPlacement& placement,
            std::span<std::uint32_t> words) {
  const std::uint64_t count = frames.words_per_frame();
  FrameJobs(bake.plans)
      .run(bake.executor, bake.progress, "encode", [&](std::size_t, std::size_t clip, std::uint32_t frame) {
        if (bake.surveys[clip].same_as) return;
        const ClipPlan& plan = bake.plans[clip];
        const SkinPose pose = frames.skinner().pose_at(plan, plan.source_time(frame, 0.0));
        frames.encode(pose, bake.surveys[clip].range,
                      words.subspan(word_of_frame(placement, count, placement.places[clip], frame), count));
      });
}

struct Encoded {
  ModelStorage storage;
  AtlasPlacement placement;
};

Result<Encoded> encode_all(const Bake& bake, const BakedMesh& mesh, const VertexFrames& frames) {
  THRONG_TRY(AtlasPlacement placement, place(bake, frames));
  const std::size_t words = placement.texels() * placement.layout.texel_words;
  Encoded out{ModelStorage(BakeMode::vertices, mesh, {}, {}, words), std::move(placement)};
  encode(bake, frames, out.placement, out.storage.words());
  return out;
}

// Whether any vertices became one.
bool merge(const Bake& bake, const VertexFrames& frames, Encoded& encoded, BakedMesh& mesh,
           std::vector<std::string>& notes) {
  AllFrames all;
  for (std::size_t i = 0; i < bake.plans.size(); ++i) {
    if (bake.surveys[i].same_as) continue;
    for (std::uint32_t frame = 0; frame < bake.plans[i].frames.frame_count; ++frame) {
      const std::size_t first =
          word_of_frame(encoded.placement, frames.words_per_frame(), encoded.placement.places[i], frame);
      all.push_back(encoded.storage.words().subspan(first, frames.words_per_frame()));
    }
  }
  const MergedVertices merged =
      merge_alike(mesh, all, words_per_item(frames.encoding(), frames.tangents()), bake.executor);
  const std::size_t before = mesh.vertices.size();
  if (merged.count == before) return false;
  renumber_vertices(merged.place, merged.count, mesh);
  notes.push_back(fmt::format("{} of {} merged with others that are alike in every frame",
                              grouped(before - merged.count), counted(before, "vertex", "vertices")));
  return true;
}

std::vector<BakedSocket> baked_sockets(const Bake& bake, std::uint32_t vertex_count) {
  const auto rest = model_from_bones(bake.source, rest_pose(bake.source));
  std::vector<BakedSocket> out;
  for (const Socket& socket : bake.sockets) {
    const auto item = vertex_count + 2 * static_cast<std::uint32_t>(out.size());
    out.push_back({socket.name, item, to_transform(rest[socket.bone] * to_matrix(socket.bone_from_socket))});
  }
  return out;
}

CharacterDraft assemble_vertices(const Bake& bake, BakedMesh& mesh, Encoded encoded) {
  CharacterDraft model;
  model.name = bake.source.name();
  model.mode = BakeMode::vertices;
  model.tangents_animated = !mesh.tangents.empty();
  model.bones.emplace_back();
  for (std::size_t i = 0; i < bake.plans.size(); ++i) {
    model.clips.push_back(
        clip_of(bake.source, bake.plans[i], bake.encoding, bake.surveys[i].range, encoded.placement.places[i]));
    model.clips.back().choice = bake.choices[i];
  }
  model.sockets = baked_sockets(bake, static_cast<std::uint32_t>(mesh.vertices.size()));
  model.half_float_bytes = half_float_bytes(bake.plans, std::max(mesh.baked_from_source.size(), mesh.vertices.size()));
  model.key_bytes = key_bytes(bake.plans);
  move_lists(mesh, model);
  model.atlas.layout = encoded.placement.layout;
  model.atlas.height = encoded.placement.height;
  model.atlas.layer_count = encoded.placement.layer_count;
  std::move(encoded.storage).move_into(model);
  model.repairs = bake.settings.repairs;
  model.error.mm_per_unit = kCharacterMillimetres / bake.height;
  return model;
}

void measure_vertices(const Bake& bake, const std::vector<VertexOrigin>& origins, const VertexFrames& frames,
                      CharacterDraft& model) {
  const VertexCompare compare(bake.source, origins, frames);
  const std::size_t stride = compare_stride(origins.size(), model);
  std::vector<std::vector<Corner>> corners;
  for (const ClipPlan& plan : bake.plans) corners.push_back(corners_of(plan.clip));
  const auto add = [&](std::size_t clip, std::uint32_t first, std::uint32_t count, CompareResult& result) {
    const BakedClip& baked = model.clips[clip];
    const FrameLayout layout = frame_layout(model, baked);
    const VertexCompare::ClipInputs inputs{bake.plans[clip], baked.range, corners[clip]};
    const auto words = [&](std::uint32_t frame) {
      return model.atlas.frame(layout, baked.layer, baked.first_frame + frame % baked.frame_count);
    };
    for (std::uint32_t frame = first; frame < first + count; ++frame) {
      compare.add(inputs, {frame, words(frame), words(frame + 1)}, stride, result);
    }
  };
  measure_frames(
      add, [&](std::uint32_t vertex) { return compare.bone_of(vertex); }, bake.executor, bake.progress, model);
}

}  // namespace

Result<CharacterDraft> bake_vertices(BakeJob job) {
  const BakeSettings& settings = job.settings;
  std::vector<std::string>& notes = job.remarks.notes;
  Bake bake{job.source.model,
            settings,
            settings.encoding.value_or(Encoding::v8),
            job.height,
            job.executor,
            job.progress,
            std::move(job.plans),
            {},
            {},
            {}};
  THRONG_TRY(bake.sockets, chosen_sockets(job.source.model, settings));
  BakedMesh mesh = make_rest_mesh(job.source, settings, {bake.plans, bake.executor, bake.progress}, notes);
  auto skinner = std::make_unique<VertexSkinner>(job.source.model, mesh, bake.sockets, settings.tangents);
  auto frames = std::make_unique<VertexFrames>(*skinner, bake.encoding);
  // Asked before anything is sampled, since a clip that does not fit may be of any length.
  if (!chooses(settings)) THRONG_CHECK(place(bake, *frames));
  THRONG_CHECK(choose_rates(mesh.origins, *frames, job.search, bake, notes));
  THRONG_CHECK(survey(*frames, bake, notes));
  THRONG_TRY(std::optional<Encoded> encoded, encode_all(bake, mesh, *frames));
  if (settings.merge_vertices && merge(bake, *frames, *encoded, mesh, notes)) {
    skinner = std::make_unique<VertexSkinner>(job.source.model, mesh, bake.sockets, settings.tangents);
    frames = std::make_unique<VertexFrames>(*skinner, bake.encoding);
    encoded.reset();  // its frames make room for the new ones
    THRONG_TRY(encoded, encode_all(bake, mesh, *frames));
  }
  CharacterDraft model = assemble_vertices(bake, mesh, *std::move(encoded));
  model.notes = std::move(notes);
  model.warnings = std::move(job.remarks.warnings);
  measure_vertices(bake, mesh.origins, *frames, model);
  return model;
}

}  // namespace throng::detail::bake
