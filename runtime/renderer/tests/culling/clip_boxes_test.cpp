// SPDX-License-Identifier: Apache-2.0
// The boxes that culling goes by hold what they promise, at the edge of it.
#include "throng/plan/clip_boxes.h"

#include "bar_model.h"
#include "throng/bake/bake.h"

namespace throng::detail::renderer {
namespace {

// A triangle that lies low in one clip and in another one, where it has turned half a circle and a morph target has
// moved it as far as it could: low on the other side. On its way it rises above both.
TEST(ClipBoxes, HoldThroughAFadeWhatTurnsWhileAMorphTargetMovesIt) {
  constexpr double kTurn = 170.0 / 180.0 * kPi;
  ModelDraft draft = bar_draft();
  draft.meshes.resize(1);
  Mesh mesh;
  mesh.positions = {{0.7f, -0.7f, 0.0f}, {0.71f, -0.7f, 0.0f}, {0.7f, -0.69f, 0.0f}};
  mesh.indices = {0, 1, 2};
  mesh.influences.assign(3, bound_to(0));
  mesh.morph_targets = {{"up", std::vector<glm::vec3>(3, {0.0f, 1.4f, 0.0f}), {}}};
  mesh.morph_weights = {0.0f};
  draft.meshes = {mesh};
  for (const double part : {0.0, 1.0}) {
    Clip clip = clip_of(part == 0.0 ? "low" : "high",
                        {turning(0, {0, 0, 1}, 2, 1.0, 0.0, [&](double) { return part * kTurn; })});
    MorphTrack track;
    track.weights.times = {0.0f, 1.0f};
    track.weights.values.assign(2, static_cast<float>(part));
    clip.morphs = {track};
    draft.clips.push_back(clip);
  }
  SerialExecutor executor;
  const Character character =
      bake(built(std::move(draft)), {.encoding = Encoding::localv, .levels = 1}, executor).value();
  ASSERT_FALSE(character.morphs().empty());
  const std::vector<ClipBox> boxes = clip_boxes(character);
  for (const std::uint32_t to : {0u, 1u}) {
    const Bounds box = reached(boxes, to, 1 - to);
    double highest = -1.0;
    for (double blend = 0.0; blend <= 1.0; blend += 0.05) {
      const glm::dvec3 at =
          glm::angleAxis(blend * kTurn, glm::dvec3(0, 0, 1)) * glm::dvec3(0.7, -0.7 + blend * 1.4, 0.0);
      EXPECT_LE(at.y, box.max.y) << blend;
      EXPECT_GE(at.y, box.min.y) << blend;
      highest = std::max(highest, at.y);
    }
    EXPECT_GT(highest, std::max(boxes[0].bounds.max.y, boxes[1].bounds.max.y) + 1.2) << "above both";
  }
}

}  // namespace
}  // namespace throng::detail::renderer
