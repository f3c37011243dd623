// SPDX-License-Identifier: Apache-2.0
// How long one character takes on one core: sampling its clips, blending them, and bringing its bones to model space.

#include <time.h>

#include <array>
#include <random>

#include "measure.h"
#include "scalar_animator.h"
#include "throng/animator/pose_jobs.h"
#include "throng/motion/compile_motion.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: one core, 1,000 characters of one rig, each at a time of its own that goes on by 1/60 s an image, so that cursors move and no character
finds its own data in the first cache; each has its own cursors and its own matrices, the local pose is scratch. Clips of 2 s and 1.4 s, 30 keys
a second, every bone turning, the root and every eighth bone moving. One clip: sample, local to model. Two clips: sample, sample, blend, local
to model. A figure is µs a character: of the core's own time, so that others' work does not count: medians of 9 images, the least of 15 such, taken
in turns with the scalar version so that both see the same machine. Scalar: a track and a cursor a bone, a transform a bone, glm, once with slerp as glm and many engines have it and once with the
cheaper normalised linear interpolation that the jobs use too; both must give the jobs' pose.)";

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
  return bench::require(build_model(std::move(draft)));
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
  Jobs(const Rig& rig, std::size_t characters)
      : rig_(rig), characters_(characters), times_(rig, characters), models_(characters * rig.bone_count()) {
    for (std::size_t clip = 0; clip < 2; ++clip) {
      cursors_[clip].resize(characters * rig.clips()[clip].cursor_count);
      locals_[clip].resize(rig.group_count());
    }
    blended_.resize(rig.group_count());
  }

  void image(std::uint32_t clips) {
    for (std::size_t i = 0; i < characters_; ++i) {
      for (std::uint32_t clip = 0; clip < clips; ++clip) sample(clip, i);
      if (clips == 2) blend();
      const bool ran =
          LocalToModelJob{.rig = rig_, .locals = clips == 2 ? blended_ : locals_[0], .models = models_of(i)}.run();
      if (!ran) bench::require(false, "a job refused its spans");
    }
  }

  std::span<Affine> models_of(std::size_t character) {
    return std::span(models_).subspan(character * rig_.bone_count(), rig_.bone_count());
  }

  void sample(std::uint32_t clip, std::size_t character) {
    const std::size_t count = rig_.clips()[clip].cursor_count;
    const SampleJob job{.rig = rig_,
                        .clip = ClipId(clip),
                        .time = times_.go_on(rig_, clip, character),
                        .cursors = std::span(cursors_[clip]).subspan(character * count, count),
                        .locals = locals_[clip]};
    if (!job.run()) bench::require(false, "a job refused its spans");
  }

 private:
  void blend() {
    const std::array<BlendInput, 2> inputs{BlendInput{.locals = locals_[0], .weight = 1.0f - kBlend},
                                           BlendInput{.locals = locals_[1], .weight = kBlend}};
    if (!BlendJob{.rig = rig_, .inputs = inputs, .locals = blended_}.run()) {
      bench::require(false, "a job refused its spans");
    }
  }

  const Rig& rig_;
  std::size_t characters_;
  Times times_;
  std::array<std::vector<std::uint32_t>, 2> cursors_;
  std::array<std::vector<SoaTransform>, 2> locals_;
  std::vector<SoaTransform> blended_;
  std::vector<Affine> models_;
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

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The median image, µs a character.
template <class Version>
double median_micros(Version& version, std::uint32_t clips, std::size_t characters) {
  version.image(clips);
  std::array<double, kImages> seconds{};
  for (double& image : seconds) {
    const double begin = thread_seconds();
    version.image(clips);
    image = thread_seconds() - begin;
  }
  std::nth_element(seconds.begin(), seconds.begin() + kImages / 2, seconds.end());
  return seconds[kImages / 2] * 1e6 / static_cast<double>(characters);
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
  report.add("ratio_to_scalar", ratio, "×", "the least of all rows, against slerp");
  report.add("ratio_to_scalar_nlerp", lean_ratio, "×", "the least of all rows, against nlerp");
  return report.finish();
}
