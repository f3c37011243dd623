// SPDX-License-Identifier: Apache-2.0
// Pivots: the choice is the best there is by its own measure, and worth it on real rigs.
#include "bone_frames/pivots.h"
#include "shared_models.h"
#include "small_models.h"

namespace throng {
using namespace detail::bake;
namespace {

// What a pivot costs half-way between frames, by its definition: one bone, a vertex of it, the source's own pose.
double squared_error(const ColumnSamples& samples, std::size_t column, const glm::dvec3& pivot,
                     const glm::dvec3& vertex) {
  double sum = 0.0;
  for (std::uint32_t f = 0; f < samples.frame_count; ++f) {
    if (samples.has_halfway[f] == 0) continue;
    const auto at = [&](std::uint32_t frame) {
      const Rigid& r = samples.rigid[samples.at(frame, column)];
      return BoneSample{r.rotation, r.rotation * (r.scale * pivot) + r.translation, r.scale};
    };
    const BoneSample middle = interpolate(at(f), at((f + 1) % samples.frame_count), 0.5);
    const glm::dvec3 error = middle.rotation * (middle.scale * (vertex - pivot)) + middle.position -
                             glm::dvec3(samples.halfway[samples.at(f, column)] * glm::dvec4(vertex, 1.0));
    sum += glm::dot(error, error);
  }
  return sum;
}

struct Prepared {
  std::vector<ClipPlan> plans;
  Columns columns;
};

Prepared prepare(const Model& model) {
  SerialExecutor executor;
  Remarks remarks;
  Prepared out;
  out.plans = *plan_clips(model, {}, executor, remarks);
  out.columns = make_columns(model, out.plans, {}, false, executor, remarks.notes);
  return out;
}

TEST(Pivot, IsTheLeastCostlyPointThereIs) {
  const Model model = built(swaying_bar());
  const Prepared prepared = prepare(model);
  const ColumnSamples samples = sample_columns(model, prepared.plans[0], prepared.columns.all);
  const std::vector<glm::dvec3> vertices = {{0.1, 1.2, 0.0}, {-0.1, 1.6, 0.0}, {0.0, 1.9, 0.1}};
  const glm::dvec3 centre = (vertices[0] + vertices[1] + vertices[2]) / 3.0;
  const glm::dvec3 middle(0.0, 0.9, 0.0);
  ColumnShape shape{{centre, centre}, {}, middle, 10.0};
  for (std::size_t column = 0; column < samples.column_count; ++column) {
    const glm::dvec3 pivot = least_squares_pivot(samples, column, shape);
    // The whole objective: the error, and what it is worth to stay near the middle.
    const auto objective = [&](const glm::dvec3& p) {
      const double away = kPivotPull * glm::distance(p, middle);
      double sum = 30.0 * 3.0 * away * away;
      for (const glm::dvec3& v : vertices) sum += squared_error(samples, column, p, v);
      return sum;
    };
    for (const glm::dvec3& other :
         {glm::dvec3(0.0), glm::dvec3(0, 1, 0), centre, middle, pivot + glm::dvec3(0.05, 0, 0),
          pivot + glm::dvec3(0, 0.05, 0), pivot - glm::dvec3(0, 0.05, 0)}) {
      EXPECT_LE(objective(pivot), objective(other) * (1.0 + 1e-9)) << column;
    }
  }
}

// It costs nothing between frames, and keeps the box small that positions are rounded in.
TEST(Pivot, OfABoneThatStandsStillIsTheMiddleOfTheModel) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("tilt", {turning(0, {1, 0, 0}, 31, 30.0, 0.0, [](double) { return 0.4; })}));
  const Model model = built(draft);
  const Prepared prepared = prepare(model);
  const ColumnSamples samples = sample_columns(model, prepared.plans[0], prepared.columns.all);
  const ColumnShape shape{{{0, 0.5, 0}, {0, 1.5, 0}}, {}, {0, 1, 0}, 2.0};
  EXPECT_LT(glm::distance(least_squares_pivot(samples, 1, shape), shape.middle), 1e-6);
}

// The root mean square between frames with pivots chosen, at the bones' own places, and at the origin.
struct PivotCosts {
  double chosen = 0.0, own = 0.0, origin = 0.0;
};

PivotCosts pivot_costs(const Model& model) {
  const Prepared prepared = prepare(model);
  std::vector<std::string> notes;
  const BakedMesh mesh = make_baked_mesh({model, false}, prepared.columns, notes);
  const ColumnShape shape = column_shape(prepared.columns, mesh);
  PivotCosts costs;
  for (const ClipPlan& plan : prepared.plans) {
    const ColumnSamples samples = sample_columns(model, plan, prepared.columns.all);
    const std::vector<glm::vec3> pivots = choose_pivots(Encoding::q16, samples, shape);
    for (std::size_t v = 0; v < mesh.vertices.size(); v += 7) {
      const std::size_t column = mesh.vertices[v].bones[0];
      const glm::dvec3 vertex(mesh.vertices[v].position);
      const glm::dvec3 own(glm::inverse(prepared.columns.all[column].bone_from_baked)[3]);
      costs.chosen += squared_error(samples, column, glm::dvec3(pivots[column]), vertex);
      costs.own += squared_error(samples, column, own, vertex);
      costs.origin += squared_error(samples, column, glm::dvec3(0.0), vertex);
    }
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
