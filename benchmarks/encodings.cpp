// SPDX-License-Identifier: Apache-2.0
// How exact each encoding is: the table of the encodings study, made by the bake itself on real rigs, with the
// classic half-float layouts beside ours; and how few bytes the bake's own choice takes.

#include <thread>

#include "models.h"
#include "motion_bytes.h"
#include "naive_bake.h"
#include "throng/bake/bake.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: every clip of every model is baked at the multiple of its own key rate nearest to 30 frames a second, once in each encoding, and
compared in double precision with the source's own curves over every vertex: at the frames, and at seven points between each two (normals:
half-way). Lengths are millimetres on a character 1.8 m tall, normals degrees. "half-quaternion" and "half-rows" are the classic
layouts with the cure for quaternion signs; the row without it is measured here, from the same texels, with w ≥ 0 and no cure.)";

// What the study promises of q16 against the classic quaternions, at the same bytes.
constexpr double kLeastRatio = 40.0;

struct Row {
  std::string name;
  double bytes = 0.0;  // of a bone, or a vertex, and frame
  ErrorFigures at_frames;
  ErrorFigures between;
};

void print_head(const std::string& title, const char* item) {
  fmt::print("\n{}\n{:<26} {:>8} {:>19} {:>19} {:>17}\n", title, "encoding", fmt::format("B/{}", item),
             "at frames max/p99.9", "between max/p99.9", "normals at/betw.");
}

void print_row(const Row& row) {
  fmt::print("{:<26} {:>8.1f} {:>9.3f} /{:>8.3f} {:>9.2f} /{:>8.2f} {:>8.3f} /{:>7.2f}\n", row.name, row.bytes,
             row.at_frames.max_mm, row.at_frames.p999_mm, row.between.max_mm, row.between.p999_mm,
             row.at_frames.normal_max_degrees, row.between.normal_max_degrees);
}

void record_row(const std::string& model, const Row& row, bench::Report& report) {
  std::string name = row.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == ' '; }, '_');
  const std::string prefix = model + "_" + name + "_";
  report.record(prefix + "bytes", row.bytes, "B");
  report.record(prefix + "at_frames_max", row.at_frames.max_mm, "mm");
  report.record(prefix + "at_frames_p999", row.at_frames.p999_mm, "mm");
  report.record(prefix + "between_max", row.between.max_mm, "mm");
  report.record(prefix + "between_p999", row.between.p999_mm, "mm");
  report.record(prefix + "normal_at_frames", row.at_frames.normal_max_degrees, "degrees");
  report.record(prefix + "normal_between", row.between.normal_max_degrees, "degrees");
}

// Bytes of one item and frame, whatever an encoding adds to each frame shared out among the items.
double bytes_per_item(const Character& model, Encoding encoding) {
  const bool vertices = model.mode() == BakeMode::vertices;
  const double items = static_cast<double>(vertices ? model.vertices().size() : model.bones().size());
  return 4.0 * static_cast<double>(words_per_frame(encoding, item_count(model, encoding), model.tangents_animated())) /
         items;
}

class Table {
 public:
  Table(const bench::BenchModel& source, Executor& executor, bench::Report& report)
      : source_(source), executor_(executor), report_(report) {}

  // The bake's own report of one encoding; nothing, and a line that says why, when it cannot hold the model.
  std::optional<Character> add(Encoding encoding, double frame_rate = 30.0) {
    BakeSettings settings;
    settings.mode = is_vertex_encoding(encoding) ? BakeMode::vertices : BakeMode::bones;
    settings.encoding = encoding;
    settings.frame_rate = frame_rate;
    settings.levels = 1;
    const std::string rate = frame_rate == 30.0 ? "" : fmt::format(" at {:g}", frame_rate);
    auto baked = bake(source_.model, settings, executor_);
    if (!baked) {
      fmt::print("{:<26} refused: {}\n", fmt::format("{}{}", name_of(encoding), rate), baked.error().message);
      return std::nullopt;
    }
    add({fmt::format("{}{}", name_of(encoding), rate), bytes_per_item(*baked, encoding), baked->error().at_frames,
         baked->error().between});
    return *std::move(baked);
  }

  void add(const Row& row) {
    print_row(row);
    record_row(source_.name, row, report_);
  }

 private:
  const bench::BenchModel& source_;
  Executor& executor_;
  bench::Report& report_;
};

std::string title_of(const bench::BenchModel& source, const Character& baked, std::string_view what) {
  std::uint64_t frames = 0;
  for (const BakedClip& clip : baked.clips()) frames += clip.frame_count;
  return fmt::format("{}, {}: {} vertices, {} bones, {} clips, {} frames", source.name, what, baked.vertices().size(),
                     baked.bones().size(), baked.clips().size(), frames);
}

struct AtFrames {
  ErrorFigures q16, half_quaternion;
};

AtFrames bone_table(const bench::BenchModel& source, Executor& executor, bench::Report& report) {
  const Character plain = bench::require(bake(source.model, {.levels = 1}, executor));
  print_head(title_of(source, plain, "bone mode"), "bone");
  Table table(source, executor, report);
  std::optional<Character> half, q16;
  for (const Encoding encoding : kEncodings) {
    if (is_vertex_encoding(encoding) || is_channel_encoding(encoding)) continue;  // localv: motion_table
    auto baked = table.add(encoding);
    if (encoding == Encoding::half_quaternion) half = std::move(baked);
    if (encoding == Encoding::q16) q16 = std::move(baked);
  }
  bench::require(half.has_value(), "the classic quaternions do not hold the model");
  bench::require(q16.has_value(), "q16 does not hold the model");
  const bench::NaiveBake naive = bench::measure_naive_bake(source.model, *half, executor);
  table.add({"half-quaternion naive", bytes_per_item(*half, Encoding::half_quaternion), half->error().at_frames,
             naive.between});
  table.add(Encoding::q16, 15.0);
  table.add(Encoding::q16, 60.0);
  fmt::print("w ≥ 0 flips a sign between neighbours in {} of {} clips\n", naive.clips_flipped, half->clips().size());
  report.record(source.name + "_clips_with_flipped_signs", static_cast<double>(naive.clips_flipped), "clips");
  return {q16->error().at_frames, half->error().at_frames};
}

void vertex_table(const bench::BenchModel& source, Executor& executor, bench::Report& report) {
  print_head(fmt::format("{}, vertex mode", source.name), "vertex");
  Table table(source, executor, report);
  for (const Encoding encoding : kEncodings)
    if (is_vertex_encoding(encoding)) table.add(encoding);
}

bool check_ratio(const std::string& name, const AtFrames& figures, bench::Report& report) {
  const double ratio = figures.half_quaternion.max_mm / figures.q16.max_mm;
  report.add("q16_over_half_quaternion_at_frames" + name, ratio, "×",
             fmt::format("{:.3f} mm over {:.3f} mm{}", figures.half_quaternion.max_mm, figures.q16.max_mm,
                         ratio < kLeastRatio ? fmt::format(": below the {:g} promised", kLeastRatio) : ""));
  return ratio >= kLeastRatio;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options = bench::read_options(argc, argv);
  bench::Report report(options);
  std::vector<std::string> unchecked;
  const std::vector<bench::BenchModel> models = bench::table_models(options.small, unchecked);
  bool kept = bench::motion_table(options, models, report, unchecked);
  fmt::print("\n{}\n", kMethod);
  ThreadExecutor executor;
  std::vector<std::pair<std::string, AtFrames>> ratios;
  AtFrames overall;
  for (const bench::BenchModel& source : models) {
    const AtFrames figures = bone_table(source, executor, report);
    vertex_table(source, executor, report);
    ratios.emplace_back("_" + source.name, figures);
    overall.q16.max_mm = std::max(overall.q16.max_mm, figures.q16.max_mm);
    overall.half_quaternion.max_mm = std::max(overall.half_quaternion.max_mm, figures.half_quaternion.max_mm);
  }
  ratios.emplace_back("", overall);
  fmt::print("\nHow much more exact q16 is than the classic quaternions, at the frames and the same bytes:\n");
  for (const auto& [name, figures] : ratios) kept = check_ratio(name, figures, report) && kept;
  for (const std::string& what : unchecked) fmt::print("NOT CHECKED: {}\n", what);
  return report.finish(kept);
}
