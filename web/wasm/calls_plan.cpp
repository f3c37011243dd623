// SPDX-License-Identifier: Apache-2.0
// Plans of images: who is seen, how finely, at which frames.
#include "calls.h"
#include "handles.h"

using namespace throng;
using namespace throng::web;

namespace {

constexpr std::size_t kOfMatrix = 16;

glm::mat4 matrix_at(std::size_t first) {
  glm::mat4 matrix;
  for (std::size_t i = 0; i < kOfMatrix; ++i)
    matrix[static_cast<int>(i / 4)][static_cast<int>(i % 4)] = float_at(first + i);
  return matrix;
}

void answer_levels(const LevelRanges& levels, std::size_t first) {
  for (std::size_t i = 0; i < levels.size(); ++i)
    answer({static_cast<double>(levels[i].first), static_cast<double>(levels[i].count)}, first + 2 * i);
}

}  // namespace

// Numbers: the eye, pixels, pixel error, speck pixels, vertex budget, culling, bones, interpolated, how many views
// there are, and their matrices. Numbers 0 to 4 after it: drawn, in the picture, specks, vertices, triangles.
THRONG_CALL(throng_plan) bool throng_plan(CrowdHandle& handle) {
  constexpr std::size_t kFirstMatrix = 11;
  PlanImage image{.now = handle.now()};
  image.eye = {float_at(0), float_at(1), float_at(2)};
  image.pixels = float_at(3);
  image.pixel_error = float_at(4);
  image.speck_pixels = float_at(5);
  image.vertex_budget = index_at(6);
  image.culling = bool_at(7);
  const LevelQuality asked{.bones = index_at(8), .interpolated = bool_at(9)};
  std::vector<glm::mat4> views(std::min<std::size_t>(index_at(10), (kNumbers - kFirstMatrix) / kOfMatrix));
  for (std::size_t i = 0; i < views.size(); ++i) views[i] = matrix_at(kFirstMatrix + kOfMatrix * i);
  image.views = views;
  if (asked.bones != handle.asked.bones || asked.interpolated != handle.asked.interpolated) {
    LevelQualities all;
    all.fill(asked);
    handle.plan = CrowdPlan(all);
    handle.asked = asked;
  }
  const auto done = handle.plan.run(handle.crowd, image);
  const CrowdCounts& counts = handle.plan.counts();
  answer({static_cast<double>(counts.drawn), static_cast<double>(counts.in_picture), static_cast<double>(counts.specks),
          static_cast<double>(counts.vertices), static_cast<double>(counts.triangles)});
  return went_well(done);
}

// Numbers: texels (address, bytes), drawn, meshed, views, and first and count of each level.
THRONG_CALL(throng_planned) void throng_planned(const CrowdHandle& handle, std::uint32_t model) {
  const PlannedModel& planned = handle.plan.model(ModelId(model));
  answer_bytes(planned.texels);
  answer({static_cast<double>(planned.drawn.size()), static_cast<double>(planned.meshed),
          static_cast<double>(planned.views.size())},
         2);
  answer_levels(planned.levels, 5);
}

// Numbers: rows (address, bytes), and first and count of each level.
THRONG_CALL(throng_planned_view)
void throng_planned_view(const CrowdHandle& handle, std::uint32_t model, std::uint32_t view) {
  const PlannedView& seen = handle.plan.model(ModelId(model)).views[view];
  answer_array(seen.rows);
  answer_levels(seen.levels, 2);
}
