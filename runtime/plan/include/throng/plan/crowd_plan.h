// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who is seen of a crowd, how finely, and at which frames, found out on the CPU: what a CharacterRenderer's passes find
// out on the GPU (throng/shaders/shared/culling.h has the rules of both), for where there are no compute shaders.
//
//   CrowdPlan plan;
//   plan.run(crowd, {.now = clock.now(), .views = views, .eye = eye, .pixels = pixels});
//   upload plan.model(knight).drawn; draw each level of each view

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "throng/base/result.h"
#include "throng/plan/crowd_counts.h"
#include "throng/plan/level_quality.h"
#include "throng/playback/crowd.h"
#include "throng/shaders/shared/drawing.h"

namespace throng {

// One image.
struct PlanImage {
  Ticks now = 0;
  std::span<const glm::mat4> views = {};  // clip_from_world: the picture's, then those of shadows; 1 to 8
  glm::vec3 eye{0.0f};
  float pixels = 720.0f;  // how tall one unit is in the picture, one unit away: height / (2 tan(fov / 2))
  bool culling = true;
  float pixel_error = 1.0f;   // how many pixels the surface of a level of detail may be off; 0: full detail always
  float speck_pixels = 6.0f;  // characters no taller are drawn as specks; 0: none
  std::uint32_t vertex_budget = 0;  // what is far away gets coarser until all fit. 0: none
};

// A character that is drawn: where it is and which frames it is between. Shaders read it as five texels of four words.
struct PlannedCharacter {
  InstanceRecord instance;  // `clips` as they are at that moment: nothing fades out any more once it has
  std::uint32_t frame = 0;  // of its clip, as gpu::Cursor has them
  std::uint32_t next = 0;
  float blend = 0.0f;
  float weight = 1.0f;               // of its clip, the rest being what fades out
  std::uint32_t previous_frame = 0;  // of what fades out
  std::uint32_t previous_next = 0;
  float previous_blend = 0.0f;
  std::uint32_t index = 0;  // in Crowd::instances()
  std::uint32_t variation = 0;
  gpu::uvec2 hidden_parts{};  // as PlayRecord has them
  std::uint32_t quality = 0;  // lowest byte: how many of its bones each vertex follows; next: its level
};
static_assert(sizeof(PlannedCharacter) == 80 && std::is_trivially_copyable_v<PlannedCharacter>);

// Characters of one level, in a list that goes level by level.
struct LevelRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  friend bool operator==(const LevelRange&, const LevelRange&) = default;
};
// The full mesh first; behind the last mesh are specks.
using LevelRanges = std::array<LevelRange, gpu::kMostLevels>;

// Who is seen in one view.
struct PlannedView {
  std::span<const std::uint32_t> rows;  // indices into PlannedModel::drawn, level by level
  LevelRanges levels = {};
};

// What became of the characters of one model.
struct PlannedModel {
  std::span<const PlannedCharacter> drawn;  // in any view, level by level; each level in the order of the crowd
  LevelRanges levels = {};                  // in `drawn`
  std::uint32_t meshed = 0;                 // the first of them: specks are behind these
  std::span<const std::byte> texels;        // the same bytes, with zeros behind them up to a whole row of 1024 texels
  std::span<const PlannedView> views;
};

class CrowdPlan {
 public:
  // The level's qualities, finest first, as RendererSettings has them.
  explicit CrowdPlan(const LevelQualities& asked = usual_qualities());
  CrowdPlan(CrowdPlan&&) noexcept;
  CrowdPlan& operator=(CrowdPlan&&) noexcept;
  ~CrowdPlan();

  // Plans an image of all models of a crowd. What it says of the image before is gone. Refused, with nothing changed:
  // no view or more than there may be.
  Result<void> run(const Crowd& crowd, const PlanImage& image);

  std::size_t model_count() const;                 // models of the crowd that was planned last
  const PlannedModel& model(ModelId model) const;  // of that crowd; until the next run
  const CrowdCounts& counts() const;               // of all models; nobody is hidden behind anything

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
