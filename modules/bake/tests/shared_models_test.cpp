// Real rigs, and the built-in one: they bake, and what is decoded is where the report says it is.
#include <filesystem>

#include "pivots.h"
#include "small_models.h"
#include "throng/import/import.h"

namespace throng {
namespace {

struct Expected {
  const char* file;          // "" is the mannequin
  double most_at_frames;     // millimetres
  double most_between_p999;  // …
};

void PrintTo(const Expected& e, std::ostream* out) { *out << (*e.file != 0 ? e.file : "mannequin"); }

std::optional<Imported> load(const char* file) {
  if (*file == 0) return Imported{make_mannequin(), {}};
  const std::filesystem::path path = std::filesystem::path(THRONG_SHARED_DIR) / "models" / "gltf" / file;
  if (!std::filesystem::exists(path)) return std::nullopt;
  auto imported = import_gltf(path);
  if (!imported) ADD_FAILURE() << imported.error().message;
  return imported ? std::optional(*std::move(imported)) : std::nullopt;
}

class RealRig : public testing::TestWithParam<Expected> {};

TEST_P(RealRig, DecodesToWithinItsReportedError) {
  const auto imported = load(GetParam().file);
  if (!imported) GTEST_SKIP() << "no shared models here";
  const Model& model = imported->model;
  ThreadExecutor executor(2);
  const auto out = bake(model, {.notes = imported->notes}, executor);
  ASSERT_TRUE(out.has_value()) << out.error().message;
  EXPECT_LT(out->error.at_frames.max_mm, GetParam().most_at_frames);
  EXPECT_LT(out->error.between.p999_mm, GetParam().most_between_p999);
  EXPECT_LT(out->error.at_frames.normal_max_degrees, 0.02);
  const double unit = out->error.mm_per_unit;
  for (std::size_t c = 0; c < out->clips.size(); c += 1 + out->clips.size() / 4) {
    const BakedClip& clip = out->clips[c];
    const std::uint32_t frame = clip.frame_count / 3;
    const double at_frame = clip.rate() > 0.0 ? frame / clip.rate() : 0.0;
    EXPECT_LE(error_at(model, *out, c, at_frame) * unit, out->error.at_frames.max_mm + 1e-6) << clip.name;
    const double between = clip.rate() > 0.0 ? (frame + 0.5) / clip.rate() : 0.0;
    const double worst = std::max(out->error.between.max_mm, out->error.at_frames.max_mm);
    EXPECT_LE(error_at(model, *out, c, between) * unit, worst + 1e-6) << clip.name;
  }
  const auto bytes = encode_asset(*out);
  ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
  EXPECT_TRUE(decode_asset(SharedBytes(*bytes)).has_value());
}

INSTANTIATE_TEST_SUITE_P(Models, RealRig,
                         testing::Values(Expected{"", 0.1, 15.0}, Expected{"khronos/Fox/Fox.glb", 0.3, 30.0},
                                         Expected{"khronos/CesiumMan/CesiumMan.glb", 0.06, 3.0},
                                         Expected{"derived/Fox_quantized.glb", 0.3, 30.0},
                                         Expected{"khronos/RiggedFigure/RiggedFigure.glb", 0.06, 0.1},
                                         Expected{"kenney/character.glb", 0.06, 1.0}));

// The first report anyone sees: no clip of the built-in model moves too fast for the rate it is baked at by default.
TEST(BuiltInModel, KeepsCloseToItsCurvesBetweenFramesAtTheDefaultRate) {
  ThreadExecutor executor(2);
  const auto out = bake(make_mannequin(), {}, executor);
  ASSERT_TRUE(out.has_value()) << out.error().message;
  const ErrorReport& error = out->error;
  EXPECT_LT(error.between.max_mm, 20.0) << error.worst_clip << ", " << error.worst_bone << " at " << error.worst_time;
  EXPECT_LT(error.between.p999_mm, 8.0);
  EXPECT_LT(error.between.normal_max_degrees, 2.0);
}

// CesiumMan's 48 keys start at 1/24 s and the 49th, which would close the loop, is left out.
TEST(LoopGuess, CesiumManLoopsOneKeyAfterItsLast) {
  const auto imported = load("khronos/CesiumMan/CesiumMan.glb");
  if (!imported) GTEST_SKIP() << "no shared models here";
  const BakedModel out = baked(imported->model);
  EXPECT_TRUE(out.clips[0].loops);
  EXPECT_EQ(out.clips[0].frame_count, 48u);
  EXPECT_NEAR(out.clips[0].length, 2.0, 1e-5);
}

// The root mean square between frames with pivots chosen, at the bones' own places, and at the origin: the choice is
// worth what it was measured to be.
struct PivotCosts {
  double chosen = 0.0, own = 0.0, origin = 0.0;
};

double squared_error(const Column& column, const glm::dvec3& pivot, const std::vector<SampledClip>& sampled,
                     const glm::dvec3& vertex) {
  double sum = 0.0;
  for (std::size_t clip = 0; clip < sampled.size(); ++clip) {
    const auto& frames = column.motion[clip];
    for (std::size_t f = 0; f < frames.size(); ++f) {
      if (sampled[clip].halfway[f].empty()) continue;
      const auto at = [&](const Rigid& r) {
        return BoneSample{r.rotation, r.rotation * (r.scale * pivot) + r.translation, r.scale};
      };
      const BoneSample middle = interpolate(at(frames[f]), at(frames[(f + 1) % frames.size()]), 0.5);
      const glm::dmat4 truth = sampled[clip].halfway[f][column.bone] * column.bone_from_baked;
      const glm::dvec3 error = middle.rotation * (middle.scale * (vertex - pivot)) + middle.position -
                               glm::dvec3(truth * glm::dvec4(vertex, 1.0));
      sum += glm::dot(error, error);
    }
  }
  return sum;
}

PivotCosts pivot_costs(const Model& model) {
  SerialExecutor executor;
  std::vector<std::string> notes;
  const double height = pose_bounds(model, rest_pose(model)).size().y;
  const auto plans = plan_clips(model, {}, height, executor, notes);
  const auto sampled = sample_clips(model, plans, executor);
  auto columns = *make_columns(model, plans, sampled, notes);
  const BakedMesh mesh = make_baked_mesh(model, columns, notes);
  choose_pivots(columns, sampled, mesh, executor);
  PivotCosts costs;
  for (std::size_t v = 0; v < mesh.vertices.size(); v += 7) {
    const Column& column = columns.all[mesh.vertices[v].bones[0]];
    const glm::dvec3 vertex(mesh.vertices[v].position);
    const glm::dvec3 own(glm::inverse(column.bone_from_baked)[3]);
    costs.chosen += squared_error(column, column.pivot, sampled, vertex);
    costs.own += squared_error(column, own, sampled, vertex);
    costs.origin += squared_error(column, glm::dvec3(0.0), sampled, vertex);
  }
  return {std::sqrt(costs.chosen), std::sqrt(costs.own), std::sqrt(costs.origin)};
}

// The Fox gains least: its keys are the frames, so most of its error is the source's own turning between them, which no
// pivot cures.
TEST(Pivot, BeatsTheBonesOwnPlaceAndTheOriginOnRealRigs) {
  struct Gain {
    const char* file;
    double over_own, over_origin;
  };
  for (const Gain& gain : {Gain{"", 1.2, 3.0}, Gain{"khronos/Fox/Fox.glb", 1.02, 1.5}}) {
    const auto imported = load(gain.file);
    if (!imported) continue;
    const PivotCosts costs = pivot_costs(imported->model);
    EXPECT_GT(costs.own / costs.chosen, gain.over_own) << gain.file;
    EXPECT_GT(costs.origin / costs.chosen, gain.over_origin) << gain.file;
  }
}

}  // namespace
}  // namespace throng
