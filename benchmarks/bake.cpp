// SPDX-License-Identifier: Apache-2.0
// How long a bake takes, and how much memory: from a model's file to a finished asset with its report, on one thread
// and on two; and how fast vertex mode writes.

#include <cstdlib>
#include <fstream>
#include <map>
#include <thread>

#include "big_model.h"
#include "models.h"
#include "temporary_file.h"
#include "throng/bake/bake.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"
#include "throng/pose/pose.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: a release build; medians of five runs after one to warm up, on the host's clock; one thread and two take turns. `file to file` imports the model, bakes it with
default settings (error report and levels of detail among them) and writes the asset to a temporary folder; `bake` is the part of it that takes
an executor, and parallel efficiency is its time on one thread over twice that on two. Peak memory is the kernel's high-water mark of the whole
program for one more such run. Vertex mode is timed on one thread with a generated model: `written` is skinning and encoding every frame, `baked`
the whole with mesh and error report. Every run must give the same bytes on any
number of threads; no vertex may be off by more than the bound that bakes keep; a decoded pose is compared with the source. A small run bakes
CesiumMan in the Knight's place, and looks at it just so.)";

struct Runs {
  int warm_up = 1;
  int counted = 5;
};

// What happened between the first and the last word of every stage.
class StageClock {
 public:
  Progress listener() {
    return [this](std::string_view what, double) {
      const auto now = std::chrono::steady_clock::now();
      const auto [stage, is_new] = stages_.try_emplace(std::string(what), now, now);
      if (!is_new) stage->second.second = now;
    };
  }
  double seconds(const std::string& what) const {
    const auto stage = stages_.find(what);
    bench::require(stage != stages_.end(), "the bake has no stage called " + what);
    return std::chrono::duration<double>(stage->second.second - stage->second.first).count();
  }

 private:
  using Moment = std::chrono::steady_clock::time_point;
  std::map<std::string, std::pair<Moment, Moment>> stages_;
};

// The kernel's high-water mark, counted anew from here on.
void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

std::optional<double> peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) / 1024.0;
  }
  return std::nullopt;
}

// What the bake measured of itself, by every vertex of the source.
void require_exact(const Character& baked, const BakeSettings& settings) {
  const ErrorReport& error = baked.error();
  const double most = std::max(error.at_frames.max_mm, error.between.max_mm);
  bench::require(error.at_frames.max_mm > 0.0 && settings.max_error_mm && most <= *settings.max_error_mm,
                 fmt::format("{} is off by {:.3f} mm, at most {:g} were allowed", baked.name(), most,
                             settings.max_error_mm.value_or(0.0)));
}

std::uint64_t hash_of(const Character& model) { return hash64(as_bytes(bench::require(encode_character(model)))); }

double median_after_warm_up(const std::vector<double>& seconds, const Runs& runs) {
  return bench::median({seconds.begin() + runs.warm_up, seconds.end()});
}

// One number of threads, and what each run with it took.
struct Timing {
  explicit Timing(unsigned threads) : executor(threads) {}
  ThreadExecutor executor;
  std::vector<double> whole, bake;
  std::uint64_t hash = 0;
};

void run_file_to_file(const std::filesystem::path& from, const bench::TemporaryFile& to, Timing& timing) {
  BakeSettings settings;
  timing.whole.push_back(bench::seconds_of([&] {
    const Imported imported = bench::require(import_model(from));
    settings.notes = imported.notes;
    settings.repairs = imported.repairs;
    std::optional<Character> baked;
    timing.bake.push_back(
        bench::seconds_of([&] { baked = bench::require(bake(imported.model, settings, timing.executor)); }));
    bench::require(write_character(*baked, to.path).has_value(), "the asset cannot be written");
  }));
  const Character read = bench::require(read_character(to.path));
  require_exact(read, settings);
  timing.hash = hash_of(read);
}

// `name`: of the rows.
void measure_file(const std::string& name, const std::filesystem::path& path, const Runs& runs, bench::Report& report) {
  const bench::TemporaryFile file;
  Timing one(1), two(2);
  for (int run = 0; run < runs.warm_up + runs.counted; ++run)
    for (Timing* timing : {&one, &two}) run_file_to_file(path, file, *timing);
  const double bake_1 = median_after_warm_up(one.bake, runs), bake_2 = median_after_warm_up(two.bake, runs);
  bench::require(one.hash == two.hash, "two threads bake another file than one");
  forget_peak_memory();
  const double begin = bench::process_seconds();
  ThreadExecutor executor(2);
  const Imported imported = bench::require(import_model(path));
  const Character baked = bench::require(bake(imported.model, {}, executor));
  const auto peak = peak_megabytes();
  bench::require(write_character(baked, file.path).has_value(), "the asset cannot be written");
  const double busy = bench::process_seconds() - begin;
  report.add(name + "_1_thread_s", median_after_warm_up(one.whole, runs), "s", "file to file");
  report.add(name + "_2_threads_s", median_after_warm_up(two.whole, runs), "s",
             name == "knight" ? "file to file; the aim is below 3" : "file to file");
  report.add(name + "_bake_1_thread_s", bake_1, "s", "bake");
  report.add(name + "_bake_2_threads_s", bake_2, "s", "bake");
  report.add(name + "_parallel_efficiency", bake_1 / (2.0 * bake_2), "", "bake, two threads; the aim is 0.8");
  report.add(name + "_cpu_s", busy, "s", "processor time of one more run, file to file");
  if (peak) report.add(name + "_peak_memory_mb", *peak, "MiB", "VmHWM of one more run on two threads");
  fmt::print("{:<44} {} clips, {} columns, {} parts, {:.3f} mm at most, file hash {:016x}\n", name,
             baked.clips().size(), baked.bones().size(), baked.draws().size(),
             std::max(baked.error().at_frames.max_mm, baked.error().between.max_mm), one.hash);
}

// Where the report says a vertex is at most: the largest distance from the source at one frame, in its millimetres.
double worst_at(const Model& source, const Character& baked, std::uint32_t frame) {
  const BakedClip& clip = baked.clips()[0];
  const ExactCursor at = cursor_at_time(clip, frame / clip.rate());
  const DecodedVertices decoded = decode_pose(baked, clip, at.cursor, at.blend);
  const Pose pose = sample(source, source.clips()[0], clip.source_start + frame / clip.rate());
  const auto truth = skin_mesh(source, 0, pose, skinning_palette(source, pose));
  double worst = 0.0;
  for (std::size_t v = 0; v < truth.positions.size(); ++v) {
    const std::size_t became = baked.baked_from_source().empty() ? v : baked.baked_from_source()[v];
    bench::require(became < decoded.positions.size(), "vertices are missing");
    worst = std::max(worst, glm::distance(decoded.positions[became], truth.positions[v]));
  }
  return worst * baked.error().mm_per_unit;
}

void measure_vertex_mode(const bench::Options& options, const Runs& runs, bench::Report& report) {
  const Model model = bench::big_model(options.sized(120'000u, 4'000u));
  BakeSettings settings;
  settings.mode = BakeMode::vertices;
  settings.levels = 1;
  SerialExecutor executor;
  std::vector<double> writing;
  std::optional<Character> baked;
  forget_peak_memory();
  const double whole = bench::median_seconds(runs.warm_up, runs.counted, [&] {
    StageClock clock;
    baked = bench::require(bake(model, settings, executor, clock.listener()));
    writing.push_back(clock.seconds("sample") + clock.seconds("encode"));
  });
  const auto peak = peak_megabytes();
  const double written = median_after_warm_up(writing, runs);
  const double vertex_frames = static_cast<double>(baked->vertices().size()) * baked->clips()[0].frame_count;
  const double worst = worst_at(model, *baked, baked->clips()[0].frame_count / 3);
  bench::require(worst > 0.0 && worst <= baked->error().at_frames.max_mm * 1.05,
                 "vertices are not where the report says");
  report.add("vertex_frames_per_second", vertex_frames / written * 1e-6, "million/s",
             "written, one thread; the aim is 20");
  report.add("vertex_frames_baked_per_second", vertex_frames / whole * 1e-6, "million/s", "baked, one thread");
  if (peak) report.add("vertex_peak_memory_mb", *peak, "MiB", "VmHWM of these runs");
  fmt::print("{:<44} {} vertices, {} frames, {:.3f} mm at most, file hash {:016x}\n", "vertex mode",
             baked->vertices().size(), baked->clips()[0].frame_count, worst, hash_of(*baked));
}

// Timings made beside other work are not to be compared.
void say_load() {
  double load = 0.0;
  if (getloadavg(&load, 1) == 1) fmt::print("load of this machine before the run: {:.1f}\n\n", load);
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options = bench::read_options(argc, argv);
  bench::Report report(options);
  fmt::print("{}\n{} cores; ", kMethod, std::thread::hardware_concurrency());
  say_load();
  const char* const name = options.small ? "cesium_man" : "knight";
  const char* const file = options.small ? "khronos/CesiumMan/CesiumMan.glb" : "kaykit/Knight.glb";
  const auto path = bench::shared_model(file);
  const Runs runs = options.small ? Runs{.warm_up = 0, .counted = 1} : Runs{};
  if (path) measure_file(name, *path, runs, report);
  if (!path) fmt::print("{} is left out: there is no {} in {}\n", name, file, test::shared_folder().string());
  measure_vertex_mode(options, runs, report);
  return report.finish();
}
