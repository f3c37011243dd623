#include "staging.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

using namespace throng;

namespace {

constexpr double kPersonHeight = 1.8;  // metres

// splitmix64: small, good enough to scatter a crowd, and the same on every machine and standard library.
class Scatter {
 public:
  explicit Scatter(std::uint64_t seed) : state_(seed) {}

  // In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(unit() * static_cast<double>(count)); }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

// Warm whites and clays with a few strong colours: reads as one crowd, and no two neighbours alike.
constexpr std::array<Tint, 12> kTints{{{236, 228, 214, 255},
                                       {224, 205, 178, 255},
                                       {205, 184, 160, 255},
                                       {188, 196, 200, 255},
                                       {232, 141, 92, 255},
                                       {214, 92, 78, 255},
                                       {240, 186, 92, 255},
                                       {96, 150, 160, 255},
                                       {70, 104, 138, 255},
                                       {128, 158, 118, 255},
                                       {168, 130, 158, 255},
                                       {92, 90, 98, 255}}};

// A texture has colours of its own: the tint only leans on them.
Tint lighter(const Tint& tint) {
  const auto lift = [](std::uint8_t channel) { return static_cast<std::uint8_t>(255 - (255 - channel) / 3); };
  return {lift(tint.red), lift(tint.green), lift(tint.blue), tint.alpha};
}

glm::quat yaw(double radians) {
  return {static_cast<float>(std::cos(radians / 2.0)), 0.0f, static_cast<float>(std::sin(radians / 2.0)), 0.0f};
}

Bounds standing_bounds(const BakedModel& model) {
  Bounds standing;
  for (const BakedVertex& vertex : model.vertices) standing.add(glm::dvec3(vertex.position));
  return standing;
}

// Room one character takes on the ground when it stands; a clip that falls over may reach into its neighbour's.
double elbow_room(const BakedModel& model) {
  const glm::dvec3 size = standing_bounds(model).size();
  return std::max({size.x, size.z, 0.35 * size.y});
}

Play own_play(const BakedModel& model, std::uint32_t index, Scatter& scatter) {
  const BakedClip& clip = model.clips[index];
  const double speed = scatter.between(0.85, 1.15);
  // One that stops is found anywhere between its first frame and a while after its last.
  const double turns = clip.loops ? scatter.unit() : scatter.between(0.0, 1.5);
  return {index, speed, turns * clip.length};
}

}  // namespace

double metre_of(const BakedModel& model) {
  const glm::dvec3 size = standing_bounds(model).size();
  const double height = size.y > 0.1 * std::max(size.x, size.z) ? size.y : std::max(size.x, size.z);
  return height > 0.0 ? height / kPersonHeight : 1.0;
}

double ground_of(const BakedModel& model) {
  const Bounds standing = standing_bounds(model);
  // Soles and claws that sink in a little are drawn so.
  const bool sinks_in = standing.min.y >= -0.03 * standing.size().y;
  return sinks_in ? 0.0 : standing.min.y;
}

Result<Crowd> cast_crowd(const BakedModel& model, const CastSettings& settings) {
  Crowd crowd(model);
  crowd.reserve(0, settings.count);
  Scatter scatter(settings.seed);
  const double room = 1.08 * elbow_room(model);
  // Twice as wide as deep: 48 × 24 for 1,152.
  const auto columns = static_cast<std::uint32_t>(std::max(1.0, std::ceil(std::sqrt(2.0 * settings.count))));
  for (std::uint32_t i = 0; i < settings.count; ++i) {
    Placement placement;
    Play play{settings.clip.value_or(0), 1.0, 0.0};
    Tint tint = kTints[0];
    if (settings.count > 1) {
      const std::uint32_t row = i / columns;
      const double column = i % columns + (row % 2 == 0 ? 0.0 : 0.5) - 0.5 * columns;
      placement.position.x = static_cast<float>(room * (column + scatter.between(-0.22, 0.22)));
      placement.position.z = static_cast<float>(-room * (row + scatter.between(-0.22, 0.22)));
      placement.rotation = yaw(scatter.between(-0.45, 0.45));
      placement.scale = static_cast<float>(scatter.between(0.94, 1.06));
      const std::uint32_t any = scatter.below(model.clips.size());
      play = own_play(model, settings.clip.value_or(any), scatter);
      tint = kTints[scatter.below(kTints.size())];
    }
    if (!model.images.empty()) tint = lighter(tint);
    if (auto added = crowd.add({.placement = placement, .play = play, .look = {.tint = tint, .variation = i}}, 0);
        !added)
      return fail(std::move(added));
  }
  return crowd;
}

Result<Crowd> cast_sheet(const BakedModel& model, std::uint32_t clip) {
  const BakedClip& shown = model.clips[clip];
  const glm::dvec3 size = shown.bounds.size();
  const double width = 1.1 * size.x;
  const double depth = 1.1 * (size.z + 0.4 * size.y);
  // Wider than deep: seen from above at an angle, depth is foreshortened.
  const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(1.2 * shown.frame_count * depth / width)));
  Crowd crowd(model);
  for (std::uint32_t frame = 0; frame < shown.frame_count; ++frame) {
    const double time = shown.rate() > 0.0 ? frame / shown.rate() : 0.0;
    Placement placement;
    const std::uint32_t row = frame / columns;
    placement.position.x = static_cast<float>(width * (frame - row * columns));
    placement.position.z = static_cast<float>(depth * row);
    Tint tint = kTints[frame % 2];
    if (!model.images.empty()) tint = {};
    if (auto added = crowd.add({.placement = placement, .play = {clip, 0.0, time}, .look = {.tint = tint}}, 0); !added)
      return fail(std::move(added));
  }
  return crowd;
}

Camera stage_camera(const BakedModel& model, const Bounds& crowd, View view, double aspect) {
  const double metre = metre_of(model);
  if (view == View::close) return frame_bounds(crowd, aspect, 28.0, 6.0, 24.0);
  if (view == View::sheet) return frame_bounds(crowd, aspect, 0.0, 30.0, 14.0);
  if (view == View::above) return frame_bounds(crowd, aspect, 20.0, 38.0, 30.0);
  if (crowd.size().x < 24.0 * metre) return frame_bounds(crowd, aspect, 24.0, 14.0, 30.0);
  // From the front corner, a little above their heads: the near ones large, the far ones to the horizon.
  const glm::dvec3 centre = crowd.centre();
  const glm::dvec3 size = crowd.size();
  Camera camera;
  camera.vertical_fov_degrees = 30.0;
  camera.eye = {centre.x + 0.1 * size.x, crowd.min.y + 4.3 * metre, crowd.max.z + 7.4 * metre};
  camera.target = {centre.x, crowd.min.y - 0.3 * metre, crowd.max.z - std::max(0.3 * size.z, 2.0 * metre)};
  return camera;
}
