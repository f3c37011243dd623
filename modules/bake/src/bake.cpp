#include "throng/bake/bake.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "baked_mesh.h"
#include "clip_plan.h"
#include "columns.h"
#include "measure.h"
#include "pack_atlas.h"
#include "pivots.h"

namespace throng {
namespace {

constexpr double kCharacterMillimetres = 1800.0;
constexpr double kFlat = 0.1;  // lower than this part of its largest extent, a model is not standing
constexpr double kHighestFrameRate = 1000.0;

Result<void> check_settings(const BakeSettings& settings) {
  if (!(settings.frame_rate > 0.0 && settings.frame_rate <= kHighestFrameRate)) {
    return fail("a frame rate of {} is asked for; above 0 and up to {} are possible", settings.frame_rate,
                kHighestFrameRate);
  }
  if (settings.max_atlas_size < 16 || settings.max_atlas_size > 16384) {
    return fail("an atlas size of {} is asked for; 16 to 16384 are possible", settings.max_atlas_size);
  }
  return {};
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

Result<void> check_morphs(const Model& model, const BakeSettings& settings, std::vector<std::string>& notes) {
  std::size_t clips = 0;
  std::string first;
  for (const Clip& clip : model.clips()) {
    if (clip.morphs.empty()) continue;
    if (clips++ == 0) first = clip.name;
  }
  if (clips == 0) return {};
  if (!settings.drop_morphs) {
    return fail(
        "clip '{}' animates morph targets, which bones cannot hold: drop them (drop_morphs; --drop-morphs on the "
        "command "
        "line) or bake them into bones",
        first);
  }
  notes.push_back(fmt::format("animated morph targets dropped from {} clips: they stay as at rest", clips));
  return {};
}

double height_of(const Model& model) {
  const glm::dvec3 size = pose_bounds(model, rest_pose(model)).size();
  const double largest = std::max({size.x, size.y, size.z});
  const double height = size.y < kFlat * largest ? largest : size.y;
  return height > 0.0 && std::isfinite(height) ? height : 1.0;
}

// Vertices, indices and texels in one block, each aligned as the asset's buffer views are.
void store(const BakedMesh& mesh, const PackedAtlas& atlas, BakedModel& model) {
  constexpr std::size_t kAlignment = 16;
  const auto aligned = [](std::size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; };
  const auto texels = as_bytes(atlas.texels);
  const auto vertices = as_bytes(mesh.vertices);
  const auto indices = as_bytes(mesh.indices);
  const std::size_t vertices_at = aligned(texels.size());
  const std::size_t indices_at = vertices_at + aligned(vertices.size());
  std::vector<std::byte> bytes(indices_at + indices.size());
  std::copy(texels.begin(), texels.end(), bytes.begin());
  std::copy(vertices.begin(), vertices.end(), bytes.begin() + static_cast<std::ptrdiff_t>(vertices_at));
  std::copy(indices.begin(), indices.end(), bytes.begin() + static_cast<std::ptrdiff_t>(indices_at));
  model.storage = SharedBytes(std::move(bytes));
  const std::byte* const data = model.storage.data();
  model.atlas.layout = atlas.layout;
  model.atlas.height = atlas.height;
  model.atlas.layer_count = atlas.layer_count;
  model.atlas.texels = {reinterpret_cast<const Texel*>(data), atlas.texels.size()};
  model.vertices = {reinterpret_cast<const BakedVertex*>(data + vertices_at), mesh.vertices.size()};
  model.indices = {reinterpret_cast<const std::uint32_t*>(data + indices_at), mesh.indices.size()};
}

BakedModel assemble(const Model& source, Columns columns, BakedMesh& mesh, PackedAtlas& atlas) {
  BakedModel model;
  model.name = source.name();
  for (Column& column : columns.all) model.bones.push_back({std::move(column.name), glm::vec3(column.pivot)});
  model.parts = std::move(mesh.parts);
  model.sources = std::move(mesh.sources);
  model.materials = std::move(mesh.materials);
  model.images = std::move(mesh.images);
  model.clips = std::move(atlas.clips);
  model.sockets = std::move(columns.sockets);
  store(mesh, atlas, model);
  return model;
}

}  // namespace

Result<BakedModel> bake(const Model& source, const BakeSettings& settings, Executor& executor,
                        const Progress& progress) {
  std::vector<std::string> notes = settings.notes;
  if (auto ok = check_settings(settings); !ok) return fail(std::move(ok));
  if (auto ok = check_drawn(source); !ok) return fail(std::move(ok));
  if (auto ok = check_morphs(source, settings, notes); !ok) return fail(std::move(ok));
  report(progress, "sample", 0.0);
  const double height = height_of(source);
  const std::vector<ClipPlan> plans = plan_clips(source, settings, height, executor, notes);
  if (auto ok = check_fit(count_columns(source), plans, settings.max_atlas_size); !ok) return fail(std::move(ok));
  const std::vector<SampledClip> sampled = sample_clips(source, plans, executor);
  report(progress, "sample", 1.0);
  auto columns = make_columns(source, plans, sampled, notes);
  if (!columns) return fail(std::move(columns));
  BakedMesh mesh = make_baked_mesh(source, *columns, notes);
  choose_pivots(*columns, sampled, mesh, executor);
  report(progress, "encode", 0.0);
  auto atlas = pack_atlas(*columns, plans, settings.max_atlas_size);
  if (!atlas) return fail(std::move(atlas));
  BakedModel model = assemble(source, *std::move(columns), mesh, *atlas);
  report(progress, "encode", 1.0);
  model.notes = std::move(notes);
  model.error.mm_per_unit = kCharacterMillimetres / height;
  measure(source, plans, mesh.origins, executor, progress, model);
  return model;
}

}  // namespace throng
