// SPDX-License-Identifier: Apache-2.0
#include "motion_bytes.h"

#include <algorithm>
#include <set>

#include "models.h"
#include "report.h"
#include "throng/bake/bake.h"

namespace throng::bench {
namespace {

constexpr const char* kMethod =
    R"(Motion within a bound: every clip is baked as the bake chooses without being told (localv wherever that keeps the bound), and measured at
the frames and between. "B" are bytes of motion, headers included, over (bones of the skins × frames at 30 a second over the
clips' lengths), as a bake's report counts them; "stored" the same bytes over (columns × frames that are stored). Clips of which a curve jumps are told apart: no rate
follows a jump.)";

constexpr std::size_t kLeastClips =
    4;  // models of the shared folder with fewer are left out, but for those of the other table
// A bound, and what it may take.
struct Bound {
  double mm = 0.0;
  const char* name = "";  // in the rows
  double most = 0.0;      // bytes a bone and frame, over all models together
};
constexpr Bound kBounds[] = {{0.5, "500um", 1.9}, {0.1, "100um", 2.4}};

struct Promise {
  const char* model;
  double bytes;
};
// At 0.5 mm.
constexpr Promise kPromises[] = {{"mannequin", 30e3}, {"knight", 250e3}};

struct Figures {
  double bytes = 0.0;
  double bone_frames = 0.0;
  double column_frames = 0.0;
  double at_frames = 0.0;  // millimetres, of the clips that do not jump
  double between = 0.0;
  std::size_t jumps = 0;

  void add(const Figures& other) {
    bytes += other.bytes;
    bone_frames += other.bone_frames;
    column_frames += other.column_frames;
    at_frames = std::max(at_frames, other.at_frames);
    between = std::max(between, other.between);
    jumps += other.jumps;
  }
};

template <class Value>
bool jumps(const Curve<Value>& curve) {
  return curve.interpolation == Interpolation::step && curve.times.size() > 1;
}

bool jumps(const Clip& clip) {
  return std::ranges::any_of(clip.bones, [](const BoneTrack& track) {
    return jumps(track.translation) || jumps(track.rotation) || jumps(track.scale);
  });
}

Figures figures_of(const Model& source, const Character& baked) {
  const PlainCount count = plain_count(baked);
  Figures figures;
  figures.bone_frames = static_cast<double>(count.items) * static_cast<double>(count.frames);
  figures.bytes = bytes_an_item_and_frame(baked) * figures.bone_frames;
  figures.column_frames = figures.bytes / bytes_a_stored_item(baked);
  for (std::size_t i = 0; i < baked.clips().size(); ++i) {
    const BakedClip& clip = baked.clips()[i];
    if (i < source.clips().size() && jumps(source.clips()[i])) {
      ++figures.jumps;
      continue;
    }
    figures.at_frames = std::max(figures.at_frames, clip.error.at_frames.max_mm);
    figures.between = std::max(figures.between, clip.error.between.max_mm);
  }
  return figures;
}

void print(const std::string& name, std::size_t bones, std::size_t clips, const Bound& bound, const Figures& f) {
  fmt::print("{:<28} {:>5} {:>5} {:>8.1f} {:>9.1f} {:>8.2f} {:>8.2f} {:>10.3f} {:>8.3f}{}\n", name, bones, clips,
             bound.mm, f.bytes / 1e3, f.bytes / f.bone_frames, f.bytes / f.column_frames, f.at_frames, f.between,
             f.jumps > 0 ? fmt::format("  and {} that jump", f.jumps) : "");
}

// Every file of the shared folder with enough clips but those that are had already, behind them.
std::vector<BenchModel> every_model(std::span<const BenchModel> had, std::vector<std::string>& unchecked) {
  std::vector<BenchModel> models(had.begin(), had.end());
  const auto root = test::shared_folder() / "models";
  if (!std::filesystem::exists(root)) {
    unchecked.push_back(fmt::format("all other models: there is no {}", root.string()));
    return models;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const auto extension = entry.path().extension();
    if (extension == ".glb" || extension == ".gltf" || extension == ".fbx") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  const std::set<std::string> table{"Fox.glb", "CesiumMan.glb", "Knight.glb"};
  for (const std::filesystem::path& file : files) {
    if (table.contains(file.filename().string())) continue;
    auto imported = import_model(file);
    if (!imported) unchecked.push_back(imported.error().message);
    if (!imported || imported->model.clips().size() < kLeastClips || imported->model.meshes().empty()) continue;
    models.push_back({file.filename().string(), std::move(imported->model)});
  }
  return models;
}

bool check(bool right, const std::string& what) {
  fmt::print("{}: {}\n", what, right ? "kept" : "BROKEN");
  return right;
}

}  // namespace

bool motion_table(const Options& options, std::span<const BenchModel> had, Report& report,
                  std::vector<std::string>& unchecked) {
  fmt::print("{}\n\n{:<28} {:>5} {:>5} {:>8} {:>9} {:>8} {:>8} {:>10} {:>8}\n", kMethod, "model", "bones", "clips",
             "bound mm", "kB", "B", "stored", "at frames", "between");
  ThreadExecutor executor;
  const std::vector<BenchModel> models =
      options.small ? std::vector(had.begin(), had.end()) : every_model(had, unchecked);
  // The mean is promised of all models together.
  const bool complete = !options.small && unchecked.empty();
  for (const Promise& promise : kPromises) {
    if (options.small || std::ranges::count(models, promise.model, &BenchModel::name) == 0)
      unchecked.push_back(fmt::format("{} below {:.0f} kB", promise.model, promise.bytes / 1e3));
  }
  bool kept = true;
  for (const Bound& bound : kBounds) {
    Figures all;
    std::size_t clips = 0;
    for (const BenchModel& source : models) {
      const Character baked =
          require(bake(source.model, {.max_error_mm = bound.mm, .levels = 1, .drop_morphs = true}, executor));
      const Figures figures = figures_of(source.model, baked);
      print(source.name, plain_count(baked).items, baked.clips().size(), bound, figures);
      all.add(figures);
      clips += baked.clips().size();
      if (std::max(figures.at_frames, figures.between) > bound.mm)
        kept = check(false, fmt::format("{} within {:g} mm everywhere", source.name, bound.mm));
      const std::string prefix = fmt::format("{}_motion_{}_", source.name, bound.name);
      report.record(prefix + "bytes", figures.bytes, "B");
      report.record(prefix + "bytes_a_bone_and_frame", figures.bytes / figures.bone_frames, "B");
      report.record(prefix + "bytes_a_stored_item", figures.bytes / figures.column_frames, "B");
      report.record(prefix + "max", std::max(figures.at_frames, figures.between), "mm");
      for (const Promise& promise : kPromises) {
        if (source.name != promise.model || &bound != &kBounds[0] || options.small) continue;
        kept =
            check(figures.bytes < promise.bytes, fmt::format("{} below {:.0f} kB", source.name, promise.bytes / 1e3)) &&
            kept;
      }
    }
    print("all", 0, clips, bound, all);
    const double mean = all.bytes / all.bone_frames;
    report.record(fmt::format("motion_{}_bytes_a_bone_and_frame", bound.name), mean, "B");
    report.record(fmt::format("motion_{}_bytes_a_stored_item", bound.name), all.bytes / all.column_frames, "B");
    if (!complete) {
      unchecked.push_back(
          fmt::format("{:g} bytes a bone and frame at most within {:g} mm, over all models", bound.most, bound.mm));
      continue;
    }
    kept = check(mean <= bound.most, fmt::format("{:.2f} bytes a bone and frame within {:g} mm, {:g} at most", mean,
                                                 bound.mm, bound.most)) &&
           kept;
  }
  return kept;
}

}  // namespace throng::bench
