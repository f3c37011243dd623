// SPDX-License-Identifier: Apache-2.0
#include "throng/bake/bake.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "bake_job.h"
#include "bones/bone_baker.h"
#include "cost.h"
#include "mesh/named_parts.h"
#include "mesh/part_selection.h"
#include "motion/column_groups.h"
#include "near/near.h"
#include "throng/bake/options.h"
#include "throng/base/keep.h"
#include "throng/base/memory.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/clip_facts/decide.h"
#include "vertices/vertex_baker.h"

namespace throng {
using namespace detail::bake;
namespace {

Result<void> check_encoding(const BakeSettings& settings) {
  if (!settings.encoding) return {};
  const bool for_vertices = is_vertex_encoding(*settings.encoding);
  if (for_vertices == (settings.mode == BakeMode::vertices)) return {};
  std::vector<std::string> names;
  for (const Encoding encoding : kEncodings)
    if (is_vertex_encoding(encoding) != for_vertices) names.emplace_back(name_of(encoding));
  return fail("the encoding {} is for {}; a bake of {} takes one of {}", name_of(*settings.encoding),
              for_vertices ? "vertices" : "bones", for_vertices ? "bones" : "vertices", joined(names, "and"));
}

Result<void> check_drawn(const Model& model) {
  std::uint64_t vertices = 0;
  std::uint64_t indices = 0;
  for (const Mesh& mesh : model.meshes()) {
    if (!is_drawn(mesh)) continue;
    vertices += mesh.positions.size();
    indices += mesh.indices.size();
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max() / sizeof(BakedVertex);
  if (vertices == 0) return fail("model '{}' has no triangles: there is nothing to bake", model.name());
  if (vertices > kMost || indices > kMost) {
    return fail("model '{}' has {} vertices and {} indices; at most {} are possible", model.name(), vertices, indices,
                kMost);
  }
  return {};
}

// Counts only clips that are baked.
void note_dropped_morphs(const Model& model, const BakeSettings& settings, const std::vector<ClipPlan>& plans,
                         std::vector<std::string>& notes) {
  if (settings.mode == BakeMode::vertices || !settings.drop_morphs) return;
  const auto clips = std::ranges::count_if(
      plans, [&](const ClipPlan& plan) { return plan.source && !model.clips()[*plan.source].morphs.empty(); });
  if (clips == 0) return;
  notes.push_back(fmt::format("animated morph targets dropped from {}: they stay as at rest",
                              counted(static_cast<std::uint64_t>(clips), "clip")));
}

// Vertices hold what all influences make of them; bones have room for four a vertex.
void note_cut_influences(const Model& model, const BakeSettings& settings, std::vector<std::string>& notes) {
  if (settings.mode == BakeMode::vertices) return;
  std::size_t cut = 0;
  for (const Mesh& mesh : model.meshes()) {
    if (!is_drawn(mesh)) continue;
    cut += static_cast<std::size_t>(std::count_if(mesh.extra_influences.begin(), mesh.extra_influences.end(),
                                                  [](const Influences& more) { return more.weights[0] > 0.0f; }));
  }
  if (cut == 0) return;
  notes.push_back(fmt::format("{} more than {} bones; the {} strongest are baked, errors are counted from all of them",
                              in_number(cut, "[vertex follows|vertices follow]"), kInfluences, kInfluences));
}

// Adds numbers for vertex shaders that are not told which vertex theirs is.
Result<void> add_vertex_numbers(CharacterDraft& draft) {
  const std::size_t count = draft.vertices.size();
  if (count > kMostNumberedVertices)
    return fail("`vertex_numbers` are floats, which tell {} vertices apart; model '{}' has {}", kMostNumberedVertices,
                draft.name, count);
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  draft.vertex_numbers = keep(draft.storage, std::move(numbers));
  return {};
}

// A larger error shows; who fixed both rate and encoding should hear of it, even in a script.
constexpr double kLoudErrorMm = 5.0;
constexpr std::size_t kClipsNamed = 4;

const char* way_out(const BakeSettings& settings) {
  if (settings.frame_rate) return "a higher `frame_rate`, or none, bakes closer";
  if (settings.mode == BakeMode::vertices) return "allow more with `max_error_mm`, or take the root motion off";
  if (settings.encoding) return "another `encoding`, or none, bakes closer";
  return "allow more with `max_error_mm`, or key them at smaller steps";
}

// Which clips are over the bound, worst first.
void warn_of_errors(const BakeSettings& settings, CharacterDraft& draft) {
  double bound = settings.max_error_mm.value_or(kLoudErrorMm);
  if (!chooses(settings)) bound = std::max(bound, kLoudErrorMm);
  const auto off_by = [](const BakedClip& clip) {
    return std::max(clip.error.at_frames.max_mm, clip.error.between.max_mm);
  };
  std::vector<const BakedClip*> over;
  for (const BakedClip& clip : draft.clips) {
    if (off_by(clip) > bound) over.push_back(&clip);
  }
  if (over.empty()) return;
  std::ranges::stable_sort(over, std::greater{}, [&](const BakedClip* clip) { return off_by(*clip); });
  std::string named;
  for (std::size_t i = 0; i < std::min(kClipsNamed, over.size()); ++i) {
    named += fmt::format("{}'{}' by {:.3g} mm (bone '{}' at {:.3f} s)", i == 0 ? "" : ", ", over[i]->name,
                         off_by(*over[i]), over[i]->error.worst_bone, over[i]->error.worst_time);
  }
  if (over.size() > kClipsNamed) named += fmt::format(" and {} more", over.size() - kClipsNamed);
  draft.warnings.push_back(fmt::format("{} off by more than {:g} mm: {}; {}",
                                       in_number(over.size(), "[clip is|clips are]"), bound, named, way_out(settings)));
}

double largest_error(const CharacterDraft& draft) {
  return std::max(draft.error.at_frames.max_mm, draft.error.between.max_mm);
}

// Bytes of v8 that no bake of vertices does without: of clips that move two frames.
std::uint64_t fewest_vertex_bytes(const CharacterDraft& bones) {
  std::uint64_t frames = 0;
  for (const BakedClip& clip : bones.clips) frames += clip.frame_count > 1 ? 2 : 1;
  return frames * (bones.vertices.size() + 2 * bones.sockets.size()) * info_of(Encoding::v8).words * 4;
}

constexpr double kShareOfVertices = 0.3;  // of the seconds that are left for searches

// Where few vertices hang on many bones a texture of vertices may be smaller. It is told and not taken, since it is
// another kind of character: nobody plays it near, and it has no morph targets. It is only tried where it may be.
void note_smaller_vertices(const SourceMeshes& meshes, const BakeSettings& bones, Executor& executor,
                           const std::vector<ClipPlan>& plans, Cost allowed, CharacterDraft& draft) {
  if (bones.mode != BakeMode::bones || bones.encoding || !chooses(bones) || bones.drop_morphs) return;
  const std::uint64_t bytes = frame_bytes(draft);
  if (fewest_vertex_bytes(draft) >= bytes) return;
  BakeSettings settings = bones;
  settings.mode = BakeMode::vertices;
  double frames = 0.0;
  for (const ClipPlan& plan : plans) frames += plan.frames.frame_count;
  const Cost least = cost_of_vertex_frames(frames, static_cast<double>(draft.vertices.size()));
  if (least.bytes > allowed.bytes || least.seconds > allowed.seconds) return;
  allowed = {allowed.bytes - least.bytes, allowed.seconds - least.seconds};
  const Progress nobody;
  const auto vertices =
      bake_vertices({meshes, settings, executor, nobody, standing_height(meshes.model), plans, Remarks{}, allowed});
  if (!vertices || frame_bytes(*vertices) >= bytes) return;
  if (largest_error(*vertices) > std::max(*settings.max_error_mm, largest_error(draft))) return;
  draft.notes.push_back(
      fmt::format("as vertices (`mode` vertices) the clips would take {} bytes instead of {}, for a character that is "
                  "only played far",
                  grouped(frame_bytes(*vertices)), grouped(bytes)));
}

Result<Character> bake_checked(const Model& model, BakeSettings settings, Executor& executor,
                               const Progress& progress) {
  THRONG_CHECK(check_options(settings));
  THRONG_CHECK(check_encoding(settings));
  THRONG_CHECK(check_drawn(model));
  Remarks remarks{settings.notes, settings.warnings};
  THRONG_TRY(const std::optional<Model> chosen, chosen_parts(model, settings, remarks.notes));
  const Model& source = chosen ? *chosen : model;
  THRONG_TRY(settings.levels, affordable_levels(source, settings, remarks.warnings));
  // Planning checks the budget: before it, nothing is made that grows with the model.
  THRONG_TRY(const std::vector<ClipPlan> plans, plan_clips(source, settings, executor, remarks));
  note_dropped_morphs(source, settings, plans, remarks.notes);
  note_cut_influences(source, settings, remarks.notes);
  const SourceMeshes meshes(source, settings.tangents);
  const Cost left = left_for_search(source, settings, plans);
  const double searching = settings.mode == BakeMode::bones ? 1.0 - kShareOfVertices : 1.0;
  const auto bake_mode = settings.mode == BakeMode::vertices ? bake_vertices : bake_bones;
  THRONG_TRY(CharacterDraft draft, bake_mode({meshes,
                                              settings,
                                              executor,
                                              progress,
                                              standing_height(source),
                                              plans,
                                              std::move(remarks),
                                              {left.bytes, searching * left.seconds}}));
  warn_of_errors(settings, draft);
  note_smaller_vertices(meshes, settings, executor, plans, {left.bytes, kShareOfVertices * left.seconds}, draft);
  if (auto named = add_parts(source, settings, executor, draft); !named)
    return fail(with_context(fmt::format("model '{}'", model.name()), named.error()));
  if (settings.vertex_numbers) THRONG_CHECK(add_vertex_numbers(draft));
  if (settings.near) THRONG_CHECK(add_near(meshes, settings, plans, executor, draft));
  return build_character(std::move(draft));
}

}  // namespace

Result<Character> bake(const Model& model, const BakeSettings& settings, Executor& executor, const Progress& progress) {
  return within_memory(model.name(), [&] { return bake_checked(model, settings, executor, progress); });
}

}  // namespace throng
