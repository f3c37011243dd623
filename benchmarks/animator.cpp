// SPDX-License-Identifier: Apache-2.0
// How long one character takes on one core: sampling its clips, blending them, and bringing its bones to model space.

#include <array>
#include <random>

#include "measure.h"
#include "models.h"
#include "scalar_animator.h"
#include "throng/animator/animator.h"
#include "throng/animator/pose_jobs.h"
#include "throng/bake/bake.h"
#include "throng/motion/compile_motion.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: one core, 1,000 characters of one rig, each at a time of its own that goes on by 1/60 s an image, so that cursors move and no character
finds its own data in the first cache; each has its own cursors and its own matrices, the local pose is scratch. Clips of 2 s and 1.4 s, 30 keys
a second, every bone turning, the root and every eighth bone moving. One clip: sample, local to model. Two clips: sample, sample, blend, local
to model. A figure is µs a character: of the core's own time, so that others' work does not count: medians of 9 images, the least of 15 such, taken
in turns with the scalar version so that both see the same machine. Scalar: a track and a cursor a bone, a transform a bone, glm, once with slerp as glm and many engines have it and once with the
cheaper normalised linear interpolation that the jobs use too; both must give the jobs' pose. Graph: Animator::advance and pose, between two
states of a clip each, in turns with the jobs for two clips that keep what it keeps, local poses and matrices of each character; its pose must
be theirs. Channels: the same model baked in localv at 0.5 mm, its
first clip sampled from the words that far characters play and from keys, in turns; both must give one pose within the bound. Memory: what a rig's
clips take, keys or words with all they are read by.)";

constexpr float kImage = 1.0f / 60.0f;
constexpr int kImages = 9;
constexpr float kBlend = 0.3f;
constexpr float kSamePlace = 2e-4f;  // of a figure about 2 tall: what the jobs' tolerances add up to along a chain

// A spine of five bones, and chains of six that hang on it in turn.
std::optional<std::uint32_t> parent_of(std::uint32_t bone) {
  if (bone == 0) return std::nullopt;
  if (bone < 5 || (bone - 5) % 6 != 0) return bone - 1;
  return ((bone - 5) / 6) % 5;
}

Clip swaying_clip(std::uint32_t bones, float length, float pace) {
  Clip clip;
  clip.name = fmt::format("sway {}", length);
  clip.end = static_cast<double>(length);
  clip.loops = true;
  const auto keys = static_cast<std::uint32_t>(std::lround(length * 30.0f)) + 1;
  for (std::uint32_t bone = 0; bone < bones; ++bone) {
    BoneTrack track{.bone = bone, .translation = {}, .rotation = {}, .scale = {}};
    const glm::vec3 axis = glm::normalize(glm::vec3(1.0f, 0.3f * static_cast<float>(bone % 3), 0.2f));
    for (std::uint32_t key = 0; key < keys; ++key) {
      const float time = key + 1 == keys ? length : static_cast<float>(key) / 30.0f;
      const float swing = std::sin(pace * 6.2831853f * time / length + static_cast<float>(bone));
      track.rotation.times.push_back(time);
      track.rotation.values.push_back(glm::angleAxis(0.5f * swing, axis));
      if (bone % 8 != 0) continue;
      track.translation.times.push_back(time);
      track.translation.values.emplace_back(0.02f * swing, 0.1f, 0.01f * swing);
    }
    clip.bones.push_back(std::move(track));
  }
  return clip;
}

Model swaying_model(std::uint32_t bones) {
  ModelDraft draft;
  draft.name = fmt::format("swaying {}", bones);
  for (std::uint32_t bone = 0; bone < bones; ++bone) {
    draft.bones.push_back({fmt::format("bone {}", bone), parent_of(bone), {.translation = {0.0, 0.1, 0.0}}});
  }
  draft.clips = {swaying_clip(bones, 2.0f, 2.0f), swaying_clip(bones, 1.4f, 1.0f)};
  draft.clips[1].name = "slower";
  // A small triangle on every bone, for those who bake it.
  Mesh mesh;
  for (std::uint32_t bone = 0; bone < bones; ++bone) {
    draft.bindings.push_back({bone, glm::dmat4(1.0)});
    for (std::size_t corner = 0; corner < 3; ++corner) {
      mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
      mesh.positions.emplace_back(corner == 0 ? 0.05f : 0.0f, corner == 1 ? 0.1f : 0.0f, corner == 2 ? 0.05f : 0.0f);
      mesh.influences.emplace_back();
      mesh.influences.back().bindings[0] = static_cast<std::uint16_t>(bone);
      mesh.influences.back().weights[0] = 1.0f;
    }
  }
  draft.meshes.push_back(std::move(mesh));
  draft.materials.resize(1);
  return bench::require(build_model(std::move(draft)));
}

constexpr double kBound = 0.5;  // millimetres on a character 1.8 m tall

Character baked_in_channels(const Model& model) {
  ThreadExecutor executor;
  return bench::require(
      bake(model, {.encoding = Encoding::localv, .max_error_mm = kBound, .levels = 1, .drop_morphs = true}, executor));
}

double clip_kilobytes(const Rig& rig) {
  std::size_t bytes = 0;
  for (std::uint32_t clip = 0; clip < rig.clips().size(); ++clip) bytes += rig.clip_bytes(ClipId(clip));
  return static_cast<double>(bytes) / 1000.0;
}

// Every character's times: the same for both versions.
struct Times {
  std::array<std::vector<float>, 2> at;

  Times(const Rig& rig, std::size_t characters) {
    std::minstd_rand random(1);
    for (std::size_t clip = 0; clip < 2; ++clip) {
      std::uniform_real_distribution<float> anywhere(0.0f, rig.clips()[clip].length);
      for (std::size_t i = 0; i < characters; ++i) at[clip].push_back(anywhere(random));
    }
  }

  float go_on(const Rig& rig, std::size_t clip, std::size_t character) {
    float& time = at[clip][character];
    time += kImage;
    if (time >= rig.clips()[clip].length) time -= rig.clips()[clip].length;
    return time;
  }
};

class Jobs {
 public:
  // `keeps_locals`: every character has a local pose of its own, as an animator does; else all share one.
  Jobs(const Rig& rig, std::size_t characters, bool keeps_locals = false)
      : rig_(rig),
        characters_(characters),
        keeps_locals_(keeps_locals),
        times_(rig, characters),
        models_(characters * rig.bone_count()) {
    for (std::size_t clip = 0; clip < 2; ++clip) {
      cursors_[clip].resize(characters * rig.clips()[clip].cursor_count);
      locals_[clip].resize(rig.group_count());
    }
    blended_.resize(rig.group_count() * (keeps_locals ? characters : 1));
  }

  void image(std::uint32_t clips) {
    for (std::size_t i = 0; i < characters_; ++i) {
      for (std::uint32_t clip = 0; clip < clips; ++clip) sample(clip, i, times_.go_on(rig_, clip, i));
      const std::span<SoaTransform> blended = blended_of(i);
      if (clips == 2) blend(kBlend, blended);
      const bool ran =
          LocalToModelJob{.rig = rig_, .locals = clips == 2 ? blended : std::span(locals_[0]), .models = models_of(i)}
              .run();
      if (!ran) bench::require(false, "a job refused its spans");
    }
  }

  std::span<Affine> models_of(std::size_t character) {
    return std::span(models_).subspan(character * rig_.bone_count(), rig_.bone_count());
  }

  // Poses the first character, both clips at the times given.
  void pose(const std::array<float, 2>& times, float blended) {
    for (std::uint32_t clip = 0; clip < 2; ++clip) sample(clip, 0, times[clip]);
    blend(blended, blended_);
    bench::require(LocalToModelJob{.rig = rig_, .locals = blended_, .models = models_of(0)}.run(), "a job refused");
  }

 private:
  void sample(std::uint32_t clip, std::size_t character, float time) {
    const std::size_t count = rig_.clips()[clip].cursor_count;
    const SampleJob job{.rig = rig_,
                        .clip = ClipId(clip),
                        .time = time,
                        .cursors = std::span(cursors_[clip]).subspan(character * count, count),
                        .locals = locals_[clip]};
    if (!job.run()) bench::require(false, "a job refused its spans");
  }

  std::span<SoaTransform> blended_of(std::size_t character) {
    return std::span(blended_).subspan(keeps_locals_ ? character * rig_.group_count() : 0, rig_.group_count());
  }

  void blend(float blended, std::span<SoaTransform> to) {
    const std::array<BlendInput, 2> inputs{BlendInput{.locals = locals_[0], .weight = 1.0f - blended},
                                           BlendInput{.locals = locals_[1], .weight = blended}};
    if (!BlendJob{.rig = rig_, .inputs = inputs, .locals = to}.run()) {
      bench::require(false, "a job refused its spans");
    }
  }

  const Rig& rig_;
  std::size_t characters_;
  bool keeps_locals_;
  Times times_;
  std::array<std::vector<std::uint32_t>, 2> cursors_;
  std::array<std::vector<SoaTransform>, 2> locals_;
  std::vector<SoaTransform> blended_;
  std::vector<Affine> models_;
};

// The same by a graph of two states, on the way from one to the other for ever: what the jobs do and all that an
// animator does around them.
class Graph {
 public:
  Graph(const std::shared_ptr<const Rig>& rig, std::size_t characters) : rig_(*rig) {
    GraphDraft draft;
    LayerDraft base{.name = "base"};
    for (const RigClip& clip : rig->clips()) {
      const MotionDraft motion{.kind = MotionKind::clip, .clip = clip.name};
      base.machine.states.push_back({.name = clip.name, .motion = motion});
    }
    draft.layers = {base};
    const auto graph = bench::require(build_graph(std::move(draft), rig));
    animators_.assign(characters, Animator(graph));
    const Times times(rig_, characters);
    for (std::size_t i = 0; i < characters; ++i) {
      const auto begin = [&](std::size_t clip) {
        return static_cast<double>(times.at[clip][i]) / static_cast<double>(rig_.clips()[clip].length);
      };
      bench::require(animators_[i].jump_to(0, begin(0)).has_value(), "an animator refused its state");
      // The fade is so long that a run's images do not move it from where the first step brings it.
      bench::require(animators_[i].cross_fade(1, kForEver, begin(1)).has_value(), "an animator refused its state");
      animators_[i].advance(kForEver * static_cast<double>(kBlend));
    }
  }

  void image(std::uint32_t /*clips*/) {
    for (Animator& animator : animators_) {
      animator.advance(static_cast<double>(kImage));
      animator.pose();
    }
  }

  // What the jobs make of the clips at the times it says it is at.
  void check() {
    Jobs jobs(rig_, 1);
    for (const Animator& animator : animators_) {
      const std::vector<PlayingClip> clips = animator.clips();
      bench::require(clips.size() == 2, "it does not play both");
      jobs.pose({static_cast<float>(clips[0].seconds), static_cast<float>(clips[1].seconds)},
                static_cast<float>(clips[1].weight));
      for (std::size_t bone = 0; bone < rig_.bone_count(); ++bone)
        for (std::size_t row = 0; row < 3; ++row)
          bench::require(glm::distance(jobs.models_of(0)[bone].rows[row], animator.models()[bone].rows[row]) < 1e-5f,
                         "the graph's pose is not the jobs'");
    }
  }

 private:
  static constexpr double kForEver = 1e6;  // seconds

  const Rig& rig_;
  std::vector<Animator> animators_;
};

class Scalar {
 public:
  Scalar(const Rig& rig, const Model& model, bench::Turning turning, std::size_t characters)
      : rig_(rig),
        characters_(characters),
        scalar_(model),
        turning_(turning),
        times_(rig, characters),
        models_(characters * rig.bone_count()) {
    for (auto& cursors : cursors_) {
      cursors.assign(characters, std::vector<bench::ScalarCursor>(rig.bone_count()));
    }
    for (auto& locals : locals_) locals.resize(rig.bone_count());
  }

  void image(std::uint32_t clips) {
    for (std::size_t i = 0; i < characters_; ++i) {
      for (std::uint32_t clip = 0; clip < clips; ++clip) {
        scalar_.sample(clip, times_.go_on(rig_, clip, i), turning_, cursors_[clip][i], locals_[clip]);
      }
      if (clips == 2) bench::ScalarRig::blend(locals_[0], locals_[1], kBlend, locals_[2]);
      scalar_.local_to_model(locals_[clips == 2 ? 2 : 0], models_of(i));
    }
  }

  glm::mat4* models_of(std::size_t character) { return models_.data() + character * rig_.bone_count(); }

 private:
  const Rig& rig_;
  std::size_t characters_;
  bench::ScalarRig scalar_;
  bench::Turning turning_;
  Times times_;
  std::array<std::vector<std::vector<bench::ScalarCursor>>, 2> cursors_;
  std::array<std::vector<bench::ScalarTransform>, 3> locals_;
  std::vector<glm::mat4> models_;
};

void require_same(Jobs& jobs, Scalar& scalar, const Rig& rig, std::size_t characters) {
  float most = 0.0f;
  for (std::size_t i = 0; i < characters; ++i) {
    for (std::size_t bone = 0; bone < rig.bone_count(); ++bone) {
      const glm::mat4 a = to_matrix(jobs.models_of(i)[bone]);
      for (int column = 0; column < 4; ++column) {
        most = std::max(most, glm::distance(a[column], scalar.models_of(i)[bone][column]));
      }
    }
  }
  bench::require(most < kSamePlace, fmt::format("the jobs' pose is {} off the scalar one", most));
}

// Off by the bound, and by as much again of how far the keys may be off.
void require_within(Jobs& one, Jobs& other, const Rig& rig, std::size_t characters, float allowed) {
  float most = 0.0f;
  for (std::size_t i = 0; i < characters; ++i)
    for (std::size_t bone = 0; bone < rig.bone_count(); ++bone)
      most = std::max(most, glm::distance(position_of(one.models_of(i)[bone]), position_of(other.models_of(i)[bone])));
  bench::require(most < allowed, fmt::format("poses from channels are {} off those from keys", most));
  bench::require(most > 0.0f, "poses from channels are those from keys");
}

// The median image, µs a character.
template <class Version>
double median_micros(Version& version, std::uint32_t clips, std::size_t characters) {
  version.image(clips);
  std::array<double, kImages> seconds{};
  for (double& image : seconds) {
    const double begin = bench::thread_seconds();
    version.image(clips);
    image = bench::thread_seconds() - begin;
  }
  std::nth_element(seconds.begin(), seconds.begin() + kImages / 2, seconds.end());
  return seconds[kImages / 2] * 1e6 / static_cast<double>(characters);
}

// µs a character of the jobs for two clips, and of a graph that does the same.
struct GraphFigures {
  double jobs = 1e9, lean_jobs = 1e9, graph = 1e9;
};

GraphFigures measure_graph(const Model& model, const bench::Options& options) {
  const std::size_t characters = options.sized<std::size_t>(1000, 20);
  const std::shared_ptr<const Rig> rig = build_rig(bench::require(compile_motion(model)));
  Jobs jobs(*rig, characters, true);
  Jobs lean_jobs(*rig, characters);
  Graph graph(rig, characters);
  GraphFigures least;
  for (int round = 0; round < options.sized(15, 2); ++round) {
    least.jobs = std::min(least.jobs, median_micros(jobs, 2, characters));
    least.lean_jobs = std::min(least.lean_jobs, median_micros(lean_jobs, 2, characters));
    least.graph = std::min(least.graph, median_micros(graph, 2, characters));
  }
  graph.check();
  return least;
}

struct Figures {
  double jobs = 0.0, slerp = 0.0, nlerp = 0.0;  // µs a character
};

Figures measure(const Model& model, std::uint32_t clips, const bench::Options& options) {
  const std::size_t characters = options.sized<std::size_t>(1000, 20);
  const int rounds = options.sized(15, 2);
  const auto rig = build_rig(bench::require(compile_motion(model)));
  Jobs jobs(*rig, characters);
  Scalar slerp(*rig, model, bench::Turning::slerp, characters);
  Scalar nlerp(*rig, model, bench::Turning::nlerp, characters);
  Figures least{1e9, 1e9, 1e9};
  for (int round = 0; round < rounds; ++round) {
    least.jobs = std::min(least.jobs, median_micros(jobs, clips, characters));
    least.slerp = std::min(least.slerp, median_micros(slerp, clips, characters));
    least.nlerp = std::min(least.nlerp, median_micros(nlerp, clips, characters));
    require_same(jobs, slerp, *rig, characters);
    require_same(jobs, nlerp, *rig, characters);
  }
  return least;
}

struct ChannelFigures {
  double keys = 0.0, channels = 0.0;  // µs a character
};

ChannelFigures measure_channels(const Model& model, const Character& character, const bench::Options& options) {
  const std::size_t characters = options.sized<std::size_t>(1000, 20);
  const int rounds = options.sized(15, 2);
  const auto from_keys = build_rig(bench::require(compile_motion(model)));
  const auto from_channels = bench::require(build_rig(character));
  Jobs keys(*from_keys, characters);
  Jobs channels(*from_channels, characters);
  const auto allowed = static_cast<float>(2.0 * kBound / character.error().mm_per_unit);
  ChannelFigures least{1e9, 1e9};
  for (int round = 0; round < rounds; ++round) {
    least.keys = std::min(least.keys, median_micros(keys, 1, characters));
    least.channels = std::min(least.channels, median_micros(channels, 1, characters));
    require_within(keys, channels, *from_keys, characters, allowed);
  }
  return least;
}

void report_channels(const bench::Options& options, bench::Report& report) {
  struct Row {
    std::uint32_t bones;
    double most;  // µs
  };
  double ratio = 0.0;
  for (const auto& [bones, most] : {Row{19, 0.45}, Row{57, 1.1}}) {
    const Model model = swaying_model(bones);
    const Character character = baked_in_channels(model);
    const ChannelFigures figures = measure_channels(model, character, options);
    const auto keys = build_rig(bench::require(compile_motion(model)));
    const auto channels = bench::require(build_rig(character));
    report.add(fmt::format("sample_channels_{}_bones_us", bones), figures.channels, "µs",
               fmt::format("from keys {:.3f}; a clip takes {:.1f} kB, as keys {:.1f}", figures.keys,
                           static_cast<double>(channels->clip_bytes(ClipId(0))) / 1000.0,
                           static_cast<double>(keys->clip_bytes(ClipId(0))) / 1000.0),
               bench::at_most(most));
    report.record(fmt::format("sample_keys_{}_bones_us", bones), figures.keys, "µs");
    report.record(fmt::format("channels_clip_{}_bones_kB", bones),
                  static_cast<double>(channels->clip_bytes(ClipId(0))) / 1000.0, "kB");
    ratio = std::max(ratio, figures.channels / figures.keys);
  }
  report.add("channels_ratio_to_keys", ratio, "×", "the greatest of those rows", bench::at_most(1.3));
}

// What a rig's clips take in memory.
void report_memory(const bench::Options& options, bench::Report& report) {
  struct Row {
    const char *name, *file;
    double most;
  };
  for (const Row& row :
       {Row{"cesium_man", "khronos/CesiumMan/CesiumMan.glb", 8.0}, Row{"knight", "kaykit/Knight.glb", 350.0}}) {
    if (options.small) continue;
    const auto path = bench::shared_model(row.file);
    if (!path) fmt::print("{} is left out: there is no {} in {}\n", row.name, row.file, test::shared_folder().string());
    if (!path) continue;
    const Model model = bench::require(import_gltf(*path)).model;
    const auto rig = bench::require(build_rig(baked_in_channels(model)));
    const auto keys = build_rig(bench::require(compile_motion(model)));
    report.add(fmt::format("{}_rig_clips_kB", row.name), clip_kilobytes(*rig), "kB",
               fmt::format("{} clips, as keys {:.1f}", rig->clips().size(), clip_kilobytes(*keys)),
               bench::at_most(row.most));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options = bench::read_options(argc, argv);
  bench::Report report(options);
  fmt::print("{}\n\n", kMethod);
  double ratio = 1e9;
  double lean_ratio = 1e9;
  for (const std::uint32_t bones : {19u, 38u, 57u, 76u, 100u}) {
    const Model model = swaying_model(bones);
    for (const std::uint32_t clips : {1u, 2u}) {
      const Figures figures = measure(model, clips, options);
      const std::string suffix = fmt::format("{}_clip{}_{}_bones", clips, clips == 1 ? "" : "s", bones);
      report.add("sample_" + suffix + "_us", figures.jobs, "µs",
                 fmt::format("scalar {:.3f} with slerp ({:.1f}×), {:.3f} with nlerp ({:.1f}×)", figures.slerp,
                             figures.slerp / figures.jobs, figures.nlerp, figures.nlerp / figures.jobs));
      report.record("scalar_slerp_" + suffix + "_us", figures.slerp, "µs");
      report.record("scalar_nlerp_" + suffix + "_us", figures.nlerp, "µs");
      ratio = std::min(ratio, figures.slerp / figures.jobs);
      lean_ratio = std::min(lean_ratio, figures.nlerp / figures.jobs);
    }
  }
  double graph_ratio = 0.0;
  for (const std::uint32_t bones : {19u, 57u, 100u}) {
    const GraphFigures figures = measure_graph(swaying_model(bones), options);
    const double over = figures.graph / figures.jobs;
    report.add(fmt::format("graph_2_states_{}_bones_us", bones), figures.graph, "µs",
               fmt::format("{:.2f}× the jobs alone, {:.3f} µs; {:.2f}× those that share a local pose", over,
                           figures.jobs, figures.graph / figures.lean_jobs));
    graph_ratio = std::max(graph_ratio, over);
  }
  report.add("graph_ratio_to_jobs", graph_ratio, "×", "the largest of those rows", bench::at_most(1.3));
  report_channels(options, report);
  report_memory(options, report);
  report.add("ratio_to_scalar", ratio, "×", "the least of all rows, against slerp");
  report.add("ratio_to_scalar_nlerp", lean_ratio, "×", "the least of all rows, against nlerp");
  return report.finish();
}
