// The bake's own report against measurements made another way.
#include <algorithm>

#include "pivots.h"
#include "small_models.h"

namespace throng {
namespace {

struct BruteForce {
  std::vector<double> at_frames, between;

  static double max(const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); }
  static double rms(const std::vector<double>& v) {
    double sum = 0.0;
    for (const double e : v) sum += e * e;
    return std::sqrt(sum / static_cast<double>(v.size()));
  }
  static double p999(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[static_cast<std::size_t>(std::ceil(0.999 * static_cast<double>(v.size()))) - 1];
  }
};

// Every vertex of every clip, through the public functions alone: decode_pose and skin_mesh.
BruteForce measured(const Model& model, const BakedModel& out) {
  BruteForce all;
  for (std::size_t c = 0; c < out.clips.size(); ++c) {
    const BakedClip& clip = out.clips[c];
    const std::uint32_t intervals = clip.loops ? clip.frame_count : clip.frame_count - 1;
    for (std::uint32_t step = 0; step <= intervals * 8; ++step) {
      if (clip.loops && step == intervals * 8) break;
      const double seconds = clip.length * step / (intervals * 8.0);
      Cursor cursor{clip.first_frame + step / 8, clip.first_frame + (step / 8 + 1) % clip.frame_count, 0.0f};
      if (step / 8 == intervals) cursor.next = cursor.frame;
      const auto decoded = decode_pose(out, clip, cursor, (step % 8) / 8.0);
      const auto truth = source_vertices(model, out, sample(model, model.clips()[c], clip.source_start + seconds));
      auto& errors = step % 8 == 0 ? all.at_frames : all.between;
      for (std::size_t v = 0; v < truth.positions.size(); ++v) {
        errors.push_back(glm::distance(decoded.positions[v], truth.positions[v]) * out.error.mm_per_unit);
      }
    }
  }
  return all;
}

void expect_agreement(const ErrorFigures& reported, const std::vector<double>& errors) {
  EXPECT_NEAR(reported.max_mm, BruteForce::max(errors), 1e-9);
  EXPECT_NEAR(reported.rms_mm, BruteForce::rms(errors), 1e-9);
  EXPECT_NEAR(reported.p999_mm, BruteForce::p999(errors), 0.01 * BruteForce::p999(errors));
}

TEST(Measure, AgreesWithBruteForceOnLoopsAndOnClipsThatStop) {
  ModelDraft draft = swaying_bar();
  draft.clips.push_back(clip_of("fall", {turning(0, {1, 0, 0}, 14, 20.0, 0.5, [](double t) { return 2.0 * t * t; })}));
  const Model model = built(draft);
  const BakedModel out = baked(model);
  ASSERT_FALSE(out.clips[1].loops);
  const BruteForce truth = measured(model, out);
  expect_agreement(out.error.at_frames, truth.at_frames);
  expect_agreement(out.error.between, truth.between);
  EXPECT_GT(out.error.between.max_mm, 10.0 * out.error.at_frames.max_mm);
}

TEST(Measure, IsInMillimetresOfACharacterOneMetreEightyTall) {
  const BakedModel out = baked(built(swaying_bar()));
  EXPECT_NEAR(out.error.mm_per_unit, 1800.0 / 2.0, 1e-3);  // the bar is two units tall
}

TEST(Measure, NamesWhereItIsWorst) {
  ModelDraft draft = swaying_bar();
  Clip whip = clip_of(
      "whip", {turning(1, {0, 0, 1}, 31, 30.0, 2.0, [](double t) { return t > 0.49 && t < 0.51 ? 2.0 : 0.0; })});
  draft.clips.push_back(whip);
  const BakedModel out = baked(built(draft), {.frame_rate = 7.0});
  EXPECT_EQ(out.error.worst_clip, "whip");
  EXPECT_EQ(out.error.worst_bone, "upper");
  EXPECT_NEAR(out.error.worst_time, 2.5, 0.05);
}

TEST(Measure, ComparesNormalsToo) {
  const Model model = built(swaying_bar());
  const BakedModel out = baked(model);
  EXPECT_GT(out.error.at_frames.normal_max_degrees, 0.0);
  EXPECT_LT(out.error.at_frames.normal_max_degrees, 0.01);
  EXPECT_LT(out.error.between.normal_max_degrees, 0.1);
  const BakedModel coarse = baked(model, {.frame_rate = 5.0});
  EXPECT_GT(coarse.error.between.normal_max_degrees, 1.0);
}

// What a pivot costs half-way between frames, by its definition: one bone, its vertices, the source's own pose.
double cost_of(const Column& column, const glm::dvec3& pivot, const std::vector<SampledClip>& sampled,
               const std::vector<glm::dvec3>& vertices) {
  double sum = 0.0;
  for (std::size_t clip = 0; clip < sampled.size(); ++clip) {
    const auto& frames = column.motion[clip];
    for (std::size_t f = 0; f < frames.size(); ++f) {
      if (sampled[clip].halfway[f].empty()) continue;
      const auto sample_of = [&](const Rigid& r) {
        return BoneSample{r.rotation, r.rotation * (r.scale * pivot) + r.translation, r.scale};
      };
      const BoneSample middle = interpolate(sample_of(frames[f]), sample_of(frames[(f + 1) % frames.size()]), 0.5);
      const glm::dmat4 truth = sampled[clip].halfway[f][column.bone] * column.bone_from_baked;
      for (const glm::dvec3& v : vertices) {
        const glm::dvec3 drawn = middle.rotation * (middle.scale * (v - pivot)) + middle.position;
        const glm::dvec3 error = drawn - glm::dvec3(truth * glm::dvec4(v, 1.0));
        sum += glm::dot(error, error);
      }
    }
  }
  return sum;
}

TEST(Pivot, IsTheLeastCostlyPointThereIs) {
  const Model model = built(swaying_bar());
  SerialExecutor executor;
  std::vector<std::string> notes;
  const auto plans = plan_clips(model, {}, 2.0, executor, notes);
  const auto sampled = sample_clips(model, plans, executor);
  auto columns = make_columns(model, plans, sampled, notes);
  ASSERT_TRUE(columns.has_value());
  const std::vector<glm::dvec3> vertices = {{0.1, 1.2, 0.0}, {-0.1, 1.6, 0.0}, {0.0, 1.9, 0.1}};
  const glm::dvec3 centre = (vertices[0] + vertices[1] + vertices[2]) / 3.0;
  for (const Column& column : columns->all) {
    const glm::dvec3 pivot = least_squares_pivot(column, sampled, centre, 10.0);
    // The whole objective: the error, and the rounding of a quaternion magnified by the distance to the vertices.
    const auto objective = [&](const glm::dvec3& p) {
      const double magnified = 3.05e-5 * glm::distance(p, centre);
      return cost_of(column, p, sampled, vertices) + 30.0 * 3.0 * magnified * magnified;
    };
    for (const glm::dvec3& other : {glm::dvec3(0.0), glm::dvec3(0, 1, 0), centre, pivot + glm::dvec3(0.05, 0, 0),
                                    pivot + glm::dvec3(0, 0.05, 0), pivot - glm::dvec3(0, 0.05, 0)}) {
      EXPECT_LE(objective(pivot), objective(other) * (1.0 + 1e-9)) << column.name;
    }
  }
}

}  // namespace
}  // namespace throng
