#pragma once
// Many instances of one baked model, held as the array of records the GPU reads. Time lives on the GPU: an instance is
// touched only when its behaviour changes, never to make time pass.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>
#include <string>
#include <vector>

#include "throng/asset/baked_model.h"
#include "throng/playback/clock.h"
#include "throng/playback/ticker.h"

namespace throng {

// world_from_model.
struct Placement {
  glm::vec3 position{0.0f};
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
  float scale = 1.0f;
};

struct Play {
  std::uint32_t clip = 0;
  double speed = 1.0;
  double offset = 0.0;  // seconds into the clip at the moment play begins
};

struct Tint {
  std::uint8_t red = 255, green = 255, blue = 255, alpha = 255;  // sRGB; multiplies the base colour
};

class Crowd {
 public:
  // Keeps what it needs of the model's clips, not the model.
  explicit Crowd(const BakedModel& model);

  // Adds an instance that begins to play at `now`; its index stays valid until a removal moves it. Refused: a clip that
  // does not exist, numbers that are not finite, a scale of zero or less, a rotation of no
  // length.
  Result<std::uint32_t> add(const Placement& placement, const Play& play, const Tint& tint, Ticks now);

  // The last instance takes the removed one's index.
  Result<void> remove(std::uint32_t instance);
  Result<void> place(std::uint32_t instance, const Placement& placement);
  Result<void> paint(std::uint32_t instance, const Tint& tint);
  Result<void> play(std::uint32_t instance, const Play& play, Ticks now);
  void reserve(std::size_t count) { records_.reserve(count); }

  std::size_t size() const { return records_.size(); }
  // What the renderer uploads; `version` changes whenever they do.
  std::span<const InstanceRecord> records() const { return records_; }
  std::uint64_t version() const { return version_; }

  // What the shader finds for this instance at `now`. `instance` must be less than size().
  Cursor cursor(std::uint32_t instance, Ticks now) const;
  std::uint64_t phase(std::uint32_t instance, Ticks now) const;

  // Fires the events an instance meets in (from, to]; none when that is no time at all, or backwards. An event at the
  // very place where play began fires in the first window that reaches past that moment.
  void fire_events(std::uint32_t instance, Ticks from, Ticks to, const OnEvent& on_event) const;

 private:
  Result<void> check(std::uint32_t instance) const;
  Result<void> start(InstanceRecord& record, const Play& play, Ticks now) const;

  std::vector<ClipTiming> clips_;
  std::vector<InstanceRecord> records_;
  std::uint64_t version_ = 0;
};

}  // namespace throng
