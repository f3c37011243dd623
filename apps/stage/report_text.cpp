// SPDX-License-Identifier: Apache-2.0
#include "report_text.h"

#include <algorithm>
#include <numbers>
#include <set>

#include "report.h"
#include "table.h"
#include "throng/bake/options.h"
#include "throng/base/text.h"

using namespace throng;

namespace {

constexpr std::size_t kClipsShown = 16;  // of more, the worst
constexpr std::size_t kWorstShown = 3;   // in the summary
constexpr std::size_t kLabel = 12;       // columns, of the summary's labels
constexpr double kVisibleMm = 1.0;       // where no bound was asked for
constexpr double kBadMm = 5.0;
constexpr double kLoudNormalDegrees = 30.0;  // light falls visibly wrong

using Kind = TableColumn::Kind;

std::string mm_text(double mm) { return decimal(mm, mm < 100.0 ? 3 : 1); }

double largest_error(const BakedClip& clip) { return ::largest_error(clip.error.at_frames, clip.error.between); }

const char* where_text(const ErrorFigures& at_frames, const ErrorFigures& between) {
  return at_frames.max_mm >= between.max_mm ? "at its frames" : "between frames";
}

// Worst first; the order of the file among equals.
std::vector<const BakedClip*> worst_first(const Character& model) {
  std::vector<const BakedClip*> clips;
  for (const BakedClip& clip : model.clips()) clips.push_back(&clip);
  std::ranges::stable_sort(clips, std::ranges::greater(), [](const BakedClip* clip) { return largest_error(*clip); });
  return clips;
}

class Report {
 public:
  Report(const Character& model, const ReportStyle& style) : model_(model), style_(style) {
    std::vector<std::string> clips;
    for (const BakedClip& clip : model.clips()) clips.push_back(clip.name);
    prefix_ = shared_prefix(clips);
  }

  std::string text() {
    add_summary();
    add_clips();
    add_levels();
    add_parts();
    if (style_.contents) {
      add_events();
      add_root_motion();
      add_materials();
      add_sockets();
    }
    add_repairs();
    return std::move(text_);
  }

 private:
  void heading(std::string_view text) {
    text_ += fmt::format("{}{}\n", text_.empty() ? "" : "\n", style_.paint.heading(text));
  }
  void table(std::string_view heading_text, const std::vector<TableColumn>& columns,
             const std::vector<TableRow>& rows) {
    if (rows.empty()) return;
    heading(heading_text);
    text_ += table_text(columns, rows, style_.paint);
  }
  // A line of the summary; the text may be painted, and is then short enough as it is.
  void say(std::string_view label, const std::string& text) {
    text_ += fmt::format("  {:<{}}{}\n", label, kLabel - 2, wrapped(text, kLabel, style_.paint.columns()));
  }
  std::string names(const std::vector<std::string>& all) const {
    return printable(listed(all, style_.verbose ? all.size() : kNamesListed));
  }

  void add_summary();
  void say_error();
  void say_normals();
  std::string bones_text() const;
  std::string motion_text() const;
  std::string graded(double mm, const std::string& text) const;
  void add_clips();
  void add_levels();
  void add_parts();
  void add_events();
  void add_root_motion();
  void add_materials();
  void add_sockets();
  void add_repairs();

  // Without what all of them begin with.
  std::string name_of_clip(const BakedClip& clip) const { return printable(clip.name.substr(prefix_.size())); }

  const Character& model_;
  const ReportStyle& style_;
  std::string prefix_;  // of all clips
  std::string text_;
};

std::string Report::graded(double mm, const std::string& text) const {
  if (style_.bound_mm) return mm <= *style_.bound_mm ? style_.paint.good(text) : style_.paint.bad(text);
  return mm <= kVisibleMm ? style_.paint.good(text)
         : mm <= kBadMm   ? style_.paint.doubtful(text)
                          : style_.paint.bad(text);
}

// What is drawn is baked, not every bone: say what became of the others.
std::string Report::bones_text() const {
  const std::size_t columns = model_.bones().size();
  const auto motion = model_.motion();
  const auto mesh = model_.near_mesh();
  if (!motion || !mesh || motion->bones().size() == columns) return grouped(columns);
  std::set<std::uint32_t> used;
  for (std::uint32_t piece = 0; piece < mesh->pieces().size(); ++piece) {
    for (const std::uint32_t binding : mesh->bindings(piece)) used.insert(motion->bindings()[binding].bone);
  }
  for (const MotionSocket& socket : motion->sockets()) used.insert(socket.bone);
  const std::size_t all = motion->bones().size();
  std::vector<std::string> reasons;
  const auto say_some = [&](std::size_t more, std::size_t less, const char* one, const char* several,
                            const char* what) {
    if (more > less) reasons.push_back(fmt::format("{} {}", counted(more - less, one, several), what));
  };
  say_some(all, used.size(), "moves", "move", "nothing that is drawn");
  say_some(used.size(), columns, "moves", "move", "like another");
  say_some(columns, used.size(), "is", "are", "for meshes bound in more than one way");
  return fmt::format("{} baked for the model's {}: {}", grouped(columns), grouped(all), fmt::join(reasons, ", "));
}

void Report::say_error() {
  const ErrorReport& error = model_.error();
  const double most = ::largest_error(error.at_frames, error.between);
  std::string verdict;
  if (style_.bound_mm)
    verdict = most <= *style_.bound_mm ? fmt::format(", within the bound of {:g} mm", *style_.bound_mm)
                                       : fmt::format(", above the bound of {:g} mm", *style_.bound_mm);
  const std::string figure = fmt::format("{} mm at most{}", mm_text(most), verdict);
  constexpr std::string_view kScaled = "(scaled to 1.8 m)";
  const bool one_line = kLabel + figure.size() + 1 + kScaled.size() <= style_.paint.columns();
  text_ += fmt::format("  {:<{}}{}{}{}\n", "error", kLabel - 2, graded(most, figure),
                       one_line ? " " : '\n' + std::string(kLabel, ' '), kScaled);
  if (most <= 0.0) return;
  std::vector<TableRow> rows;
  for (const BakedClip* clip : worst_first(model_)) {
    if (rows.size() == kWorstShown || largest_error(*clip) <= 0.0) break;
    const std::string bone =
        clip->error.worst_bone.empty() ? "" : fmt::format(" at '{}'", printable(clip->error.worst_bone));
    rows.push_back({{fmt::format("'{}'", name_of_clip(*clip)), mm_text(largest_error(*clip)),
                     fmt::format("mm{}, {} s", bone, decimal(clip->error.worst_time, 3)),
                     fmt::format(", {}", where_text(clip->error.at_frames, clip->error.between))},
                    {}});
  }
  std::size_t name = 0;
  std::size_t number = 0;
  for (const TableRow& row : rows) {
    name = std::min<std::size_t>(std::max(name, columns_of(row.cells[0])), style_.paint.columns() / 3);
    number = std::max(number, row.cells[1].size());
  }
  std::vector<std::string> clips;
  for (const TableRow& row : rows) clips.push_back(row.cells[0]);
  clips = shortened_apart(clips, name);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TableRow& row = rows[i];
    const std::string& clip = clips[i];
    const std::size_t room = style_.paint.columns() - kLabel - name - number - 3;
    const bool fits = columns_of(row.cells[2] + row.cells[3]) <= room;
    text_ +=
        fmt::format("{}{}{}  {:>{}} {}\n", std::string(kLabel, ' '), clip, std::string(name - columns_of(clip), ' '),
                    row.cells[1], number, shortened(row.cells[2] + (fits ? row.cells[3] : ""), room));
  }
  say("", fmt::format("overall {} mm at frames, {} mm between; 99.9 % under {} mm, rms {} mm",
                      mm_text(error.at_frames.max_mm), mm_text(error.between.max_mm),
                      mm_text(std::max(error.at_frames.p999_mm, error.between.p999_mm)),
                      mm_text(std::max(error.at_frames.rms_mm, error.between.rms_mm))));
}

void Report::say_normals() {
  const ErrorReport& error = model_.error();
  const double most = std::max(error.at_frames.normal_max_degrees, error.between.normal_max_degrees);
  const bool moved = ::largest_error(error.at_frames, error.between) > 0.0;
  // Exactly 0 is what remains where nothing was compared; rounding leaves more.
  if (most == 0.0) {
    if (moved) say("normals", "none in the model to compare with: its faces are flat");
    return;
  }
  const std::string text = fmt::format("{:.{}f}° off at most", most, most < 0.1 ? 3 : 1);
  text_ +=
      fmt::format("  {:<{}}{}\n", "normals", kLabel - 2, most > kLoudNormalDegrees ? style_.paint.bad(text) : text);
}

void Report::add_summary() {
  heading(printable(model_.name()));
  double seconds = 0.0;
  for (const BakedClip& clip : model_.clips()) seconds += clip.length;
  say("clips", fmt::format("{}, {} s, {}", grouped(model_.clips().size()), decimal(seconds, 1),
                           counted(frame_total(model_), "frame")));
  say_error();
  say_normals();
  if (model_.mode() == BakeMode::bones) say("bones", bones_text());
  say("mesh",
      fmt::format("{}, {}, {}", counted(model_.vertices().size(), "vertex", "vertices"),
                  counted(triangle_total(model_.draws()), "triangle"), counted(model_.draws().size(), "material")));
  say(model_.atlas().words.empty() ? "motion" : "texture", motion_text());
  if (model_.morphs().empty()) return;
  std::vector<std::string> targets;
  for (const BakedTarget& target : model_.morphs().targets) targets.push_back(target.name);
  say("morphs", fmt::format("{} on {}, {}: {}", counted(targets.size(), "target"),
                            counted(model_.morphs().vertices.size(), "vertex", "vertices"),
                            readable_bytes(model_.morphs().bytes()), names(targets)));
}

// Where the frames lie and what they take, beside what others would take.
std::string Report::motion_text() const {
  const Atlas& atlas = model_.atlas();
  std::string text = readable_bytes(frame_bytes(model_));
  if (!atlas.words.empty())
    text += fmt::format(": {} × {} texels, {} ({})", atlas.layout.width, atlas.height,
                        counted(atlas.layer_count, "layer"), format_of(model_));
  const bool bones = model_.mode() == BakeMode::bones;
  text += fmt::format("; {:.2f} bytes a {} and frame", bytes_an_item_and_frame(model_), bones ? "bone" : "vertex");
  if (style_.verbose) {
    const PlainCount count = plain_count(model_);
    text += fmt::format(" (of {} at 30 fps; {:.2f} of those baked and stored)",
                        bones ? counted(count.items, "bone") : counted(count.items, "vertex", "vertices"),
                        bytes_a_stored_item(model_));
  }
  std::vector<std::string> others;
  if (const std::uint64_t halves = half_float_bytes(model_); halves > 0)
    others.push_back(fmt::format("half floats at 30 fps take {}", readable_bytes(halves)));
  if (model_.key_bytes() > 0) others.push_back(fmt::format("the source's keys {}", readable_bytes(model_.key_bytes())));
  return others.empty() ? text : fmt::format("{}; {}", text, fmt::join(others, ", "));
}

void Report::add_clips() {
  const std::vector<const BakedClip*> clips = worst_first(model_);
  const std::size_t shown = style_.verbose || clips.size() <= kClipsShown ? clips.size() : kClipsShown;
  std::vector<TableRow> rows;
  for (std::size_t i = 0; i < shown; ++i) {
    const BakedClip& clip = *clips[i];
    const bool pose = clip.frame_count <= 1;
    TableRow row{{name_of_clip(clip), grouped(clip.frame_count), pose ? "–" : fmt::format("{:.4g}", clip.rate()),
                  pose ? "–" : decimal(clip.length, 3),
                  pose         ? "pose"
                  : clip.loops ? "loop"
                               : "once",
                  std::string(name_of(clip.encoding)), decimal(static_cast<double>(frame_bytes(model_, clip)) / 1e3, 1),
                  mm_text(clip.error.at_frames.max_mm), mm_text(clip.error.between.max_mm)},
                 {}};
    if (style_.verbose) {
      row.below.push_back(
          fmt::format("worst at '{}', {} s", printable(clip.error.worst_bone), decimal(clip.error.worst_time, 3)));
      if (!clip.choice.empty()) row.below.back() += fmt::format("; {}", printable(clip.choice));
    }
    rows.push_back(std::move(row));
  }
  table(clips.size() == shown ? "Clips, worst first, with their errors in mm"
                              : fmt::format("The worst {} of {} clips, with their errors in mm", shown, clips.size()),
        {{"clip", Kind::name},
         {"frames", Kind::number},
         {"fps", Kind::number, true},
         {"seconds", Kind::number},
         {"plays", Kind::word, true},
         {"encoding", Kind::word, true},
         {"kB", Kind::number},
         {"at frames", Kind::number},
         {"between", Kind::number}},
        rows);
  if (!prefix_.empty() && !clips.empty())
    text_ += style_.paint.faint("  " + wrapped(fmt::format("every name begins with '{}'", printable(prefix_)), 2,
                                               style_.paint.columns())) +
             "\n";
  if (shown < clips.size())
    text_ += style_.paint.faint(fmt::format("  {} more: see --verbose", clips.size() - shown)) + "\n";
}

void Report::add_levels() {
  if (model_.levels().empty()) return;
  const double mm = model_.error().mm_per_unit;
  std::vector<TableRow> rows;
  const auto add = [&](const std::vector<BakedDraw>& draws, std::size_t vertices, double error,
                       const std::optional<FewerBones>& fewer) {
    TableRow row{
        {fmt::format("{}", rows.size()), grouped(triangle_total(draws)), grouped(vertices), decimal(error * mm, 1)},
        {}};
    for (const std::size_t bones : {2u, 1u}) {
      if (model_.fewer_bones()) row.cells.push_back(fewer ? decimal((*fewer)[bones - 1] * mm, 1) : "");
    }
    rows.push_back(std::move(row));
  };
  add(model_.draws(), model_.vertices().size(), 0.0, model_.fewer_bones());
  for (const BakedLevel& level : model_.levels()) add(level.draws, level.vertex_count, level.error, level.fewer_bones);
  std::vector<TableColumn> columns{
      {"level", Kind::number}, {"triangles", Kind::number}, {"vertices", Kind::number}, {"mm off", Kind::number}};
  if (model_.fewer_bones()) {
    columns.push_back({"more with 2 bones", Kind::number, true});
    columns.push_back({"with 1", Kind::number, true});
  }
  table("Levels of detail", columns, rows);
}

void Report::add_parts() {
  if (model_.parts().empty()) return;
  std::vector<std::string> all;
  for (const BakedPart& part : model_.parts()) all.push_back(part.name);
  if (style_.contents) {
    std::vector<std::string> groups(all.size(), "–");
    for (const PartGroup& group : model_.part_groups()) {
      for (const PartId part : group.parts) groups[part.value] = printable(group.name);
    }
    const std::vector<std::size_t> triangles = triangles_of_parts(model_);
    std::vector<TableRow> rows;
    for (std::size_t i = 0; i < all.size(); ++i)
      rows.push_back({{printable(all[i]), grouped(triangles[i]), groups[i]}, {}});
    table("Parts", {{"part", Kind::name}, {"triangles", Kind::number}, {"group", Kind::name}}, rows);
  } else {
    heading("Parts");
    text_ += fmt::format("  {}\n", wrapped(names(all), 2, style_.paint.columns()));
  }
  for (const PartGroup& group : model_.part_groups()) {
    std::vector<std::string> members;
    for (const PartId part : group.parts) members.push_back(all[part.value]);
    text_ += fmt::format("  {}\n", wrapped(fmt::format("one of '{}'{}: {}", printable(group.name),
                                                       group.optional ? ", or none" : "", names(members)),
                                           4, style_.paint.columns()));
  }
}

void Report::add_events() {
  std::vector<TableRow> rows;
  for (const BakedClip& clip : model_.clips()) {
    for (const ClipEvent& event : clip.events)
      rows.push_back({{name_of_clip(clip), decimal(event.time, 3), printable(event.name)}, {}});
  }
  table("Events", {{"clip", Kind::name}, {"at, s", Kind::number}, {"event", Kind::name}}, rows);
}

void Report::add_root_motion() {
  std::vector<TableRow> rows;
  for (const BakedClip& clip : model_.clips()) {
    if (clip.root_motion.empty()) continue;
    const RootSample& end = clip.root_motion.back();
    rows.push_back({{name_of_clip(clip), decimal(end.translation.x, 3), decimal(end.translation.z, 3),
                     decimal(end.yaw * 180.0 / std::numbers::pi, 1)},
                    {}});
  }
  table("Root motion, from a clip's start to its end",
        {{"clip", Kind::name}, {"x", Kind::number}, {"z", Kind::number}, {"turn, °", Kind::number}}, rows);
}

void Report::add_materials() {
  const auto image_text = [this](const std::optional<std::uint32_t>& image) -> std::string {
    if (!image) return "–";
    const ImageSource& source = model_.images()[*image];
    const std::string name = !source.uri.empty()    ? source.uri
                             : !source.name.empty() ? source.name
                                                    : fmt::format("{}", *image);
    return fmt::format("{} ({}{})", printable(name), source.uri.empty() ? "" : "linked, ",
                       readable_bytes(source.bytes.size()));
  };
  std::vector<TableRow> rows;
  for (const Material& material : model_.materials()) {
    const char* const alpha = material.alpha_mode == AlphaMode::opaque ? "opaque"
                              : material.alpha_mode == AlphaMode::mask ? "cut out"
                                                                       : "blended";
    rows.push_back(
        {{printable(material.name), image_text(material.base_image), image_text(material.normal_image), alpha}, {}});
  }
  table("Materials", {{"material", Kind::name}, {"texture", Kind::name}, {"normal map", Kind::name}, {"alpha"}}, rows);
}

void Report::add_sockets() {
  std::vector<TableRow> rows;
  for (const BakedSocket& socket : model_.sockets()) {
    // In vertex mode a socket moves by items of its own.
    const bool on_bone = model_.mode() == BakeMode::bones;
    rows.push_back({{printable(socket.name), on_bone ? printable(model_.bones()[socket.bone].name) : "–"}, {}});
  }
  table("Sockets", {{"socket", Kind::name}, {"bone", Kind::name}}, rows);
}

void Report::add_repairs() {
  const Repairs& r = model_.repairs();
  std::vector<std::string> lines;
  const auto add = [&lines](std::uint64_t count, const char* singular, const char* plural, const std::string& rest) {
    if (count > 0) lines.push_back(fmt::format("{} {}", counted(count, singular, plural), rest));
  };
  add(r.weights_rescaled, "vertex", "vertices", "whose weights were rescaled to one");
  add(r.influences_dropped, "influence", "influences",
      fmt::format("dropped on {} ({:.1f} % of the weight on average, {:.1f} % at most)",
                  counted(r.vertices_cut, "vertex", "vertices"), 100.0 * r.mean_weight_dropped,
                  100.0 * r.most_weight_dropped));
  add(r.vertices_unweighted, "vertex", "vertices", "without weight, given a bone to follow");
  add(r.quaternions_fixed, "rotation key", "rotation keys", "made unit length");
  add(r.normals_fixed, "normal", "normals", "mended");
  add(r.faults_mended, "other fault", "other faults", "of the file mended: the notes say which");
  if (lines.empty()) return;
  heading("Repaired");
  for (const std::string& line : lines) text_ += fmt::format("  {}\n", wrapped(line, 4, style_.paint.columns()));
}

// What is worth a warning though nobody asked for a bound of it. Empty: nothing.
std::string normals_warning(const Character& model) {
  const double at_frames = model.error().at_frames.normal_max_degrees;
  const double most = std::max(at_frames, model.error().between.normal_max_degrees);
  if (most <= kLoudNormalDegrees) return "";
  const BakedClip* worst = nullptr;
  const auto degrees = [](const BakedClip& clip) {
    return std::max(clip.error.at_frames.normal_max_degrees, clip.error.between.normal_max_degrees);
  };
  for (const BakedClip& clip : model.clips()) {
    if (worst == nullptr || degrees(clip) > degrees(*worst)) worst = &clip;
  }
  return fmt::format("normals point up to {:.0f}° elsewhere {} frames{}: light will fall wrong there",
                     std::min(most, 180.0), at_frames >= most ? "at" : "between",
                     worst == nullptr ? "" : fmt::format(" (clip '{}')", worst->name));
}

std::string with_options(std::string message) {
  message = with_flags(std::move(message));
  // A setting of retargeting, which the bake's table does not have.
  constexpr std::string_view kSetting = "`align_rests`";
  if (const std::size_t at = message.find(kSetting); at != std::string::npos) {
    message.replace(at, kSetting.size(), "--align-rests");
  }
  return message;
}

}  // namespace

double largest_error(const ErrorFigures& at_frames, const ErrorFigures& between) {
  return std::max(at_frames.max_mm, between.max_mm);
}

std::string report_text(const Character& model, const ReportStyle& style) { return Report(model, style).text(); }

void tell_remarks(const Character& model, const Console& console) {
  std::vector<std::string> notes = model.notes();
  for (std::string& note : notes) note = with_options(std::move(note));
  console.notes(notes);
  for (const std::string& warning : model.warnings()) console.warning(with_options(warning));
  if (const std::string warning = normals_warning(model); !warning.empty()) console.warning(warning);
}
