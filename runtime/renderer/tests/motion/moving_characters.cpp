// SPDX-License-Identifier: Apache-2.0
#include "moving_characters.h"

#include <algorithm>

#include "motion_check.h"
#include "throng/playback/deform.h"

namespace throng::test {
namespace {

constexpr std::size_t kFewestSeen = 10;  // pixels, for a comparison to mean something

Corners corners_in_clip_space(const Character& model, const Snapshot& shot) {
  Corners corners;
  const glm::dmat4 clip_from_model = shot.clip_from_world * world_from_model(shot.instance);
  for (const glm::dvec3& position : deform(model, shot.play, shot.now).positions)
    corners.push_back(clip_from_model * glm::dvec4(position, 1.0));
  return corners;
}

glm::dvec2 in_picture(const glm::dvec4& clip) { return 0.5 * glm::dvec2(clip) / clip.w + 0.5; }

// How far what a pixel shows has moved; none where it shows nothing, an edge, or one of two that are nearly as far.
std::optional<glm::dvec2> expected_motion(const Surfaces& shown, const glm::dvec2& pixel) {
  const glm::dvec2 place = pixel * 2.0 - 1.0;
  // The weights whose sum of corners lies behind the pixel: x − place.x · w = 0, y − place.y · w = 0, sum 1.
  const auto equation = [&](const glm::dvec4& to) {
    return glm::dvec3(to.x - place.x * to.w, to.y - place.y * to.w, 1.0);
  };
  std::optional<glm::dvec2> nearest;
  double depth = 1e30, next_depth = 1e30;
  for (std::size_t i = 0; i < shown.indices.size(); i += 3) {
    const std::uint32_t a = shown.indices[i], b = shown.indices[i + 1], c = shown.indices[i + 2];
    const glm::dmat3 equations(equation(shown.to[a]), equation(shown.to[b]), equation(shown.to[c]));
    if (std::abs(glm::determinant(equations)) < 1e-9) continue;
    const glm::dvec3 weights = glm::inverse(equations) * glm::dvec3(0.0, 0.0, 1.0);
    const double least = std::min({weights.x, weights.y, weights.z});
    if (least < -0.01) continue;
    const double here = weights.x * shown.to[a].w + weights.y * shown.to[b].w + weights.z * shown.to[c].w;
    next_depth = std::min(next_depth, std::max(here, depth));
    if (here >= depth) continue;
    depth = here;
    nearest.reset();
    if (least >= 0.01)
      nearest = pixel - in_picture(weights.x * shown.from[a] + weights.y * shown.from[b] + weights.z * shown.from[c]);
  }
  // The depth buffer of these tests has 16 bits.
  return next_depth > 1.03 * depth ? nearest : std::nullopt;
}

}  // namespace

void Surfaces::add(std::span<const std::uint32_t> more, const Corners& more_from, const Corners& more_to) {
  for (const std::uint32_t index : more) indices.push_back(index + static_cast<std::uint32_t>(from.size()));
  from.insert(from.end(), more_from.begin(), more_from.end());
  to.insert(to.end(), more_to.begin(), more_to.end());
}

void MotionOnDevice::begin(Skinning skinning, const Character& character) {
  model = character;
  crowd = Crowd(model);
  auto made = CharacterRenderer::create(context(), {.targets = OwnRenderer::targets(true), .skinning = skinning});
  ASSERT_TRUE(made) << made.error().message;
  renderer.emplace(std::move(*made));
  ASSERT_TRUE(renderer->add(model));
  own.emplace(context(), true);
}

Snapshot MotionOnDevice::show(Ticks now, std::size_t index) {
  const auto done = renderer->update(crowd);
  EXPECT_TRUE(done) << done.error().message;
  colour = own->draw(*renderer, now);
  return {crowd.instances(ModelId(0))[index], crowd.plays(ModelId(0))[index], now, glm::dmat4(own->clip_from_world())};
}

Surfaces MotionOnDevice::surfaces_of(const Snapshot& before, const Snapshot& now) const {
  Surfaces shown;
  shown.add(model.indices(), corners_in_clip_space(model, before), corners_in_clip_space(model, now));
  return shown;
}

// A tenth of a pixel.
constexpr double kMostOff = 0.1 / kSize;

// How far off motion may be besides: a GPU moves corners to a grid of 256ths of a pixel, and on a small triangle motion
// changes by many pixels from corner to corner. So a pixel may show what is right a 128th of one beside it; none where
// that is another surface.
std::optional<double> off_by_the_grid(const Surfaces& shown, const glm::dvec2& pixel, const glm::dvec2& right) {
  constexpr double kAside = 1.0 / 128.0 / kSize;
  double most = 0.0;
  for (const glm::dvec2& aside :
       {glm::dvec2(kAside, 0), glm::dvec2(-kAside, 0), glm::dvec2(0, kAside), glm::dvec2(0, -kAside)}) {
    const auto motion = expected_motion(shown, pixel + aside);
    if (!motion) return std::nullopt;
    most = std::max(most, glm::distance(*motion, right));
  }
  return most;
}

void MotionOnDevice::expect_motion(const Surfaces& shown, double least_motion, std::span<const float> drawn) {
  std::size_t seen = 0;
  double longest = 0.0;
  for (std::size_t i = 0; i < own->motion().size(); ++i) {
    const glm::dvec2 pixel = (glm::dvec2(i % kSize, i / kSize) + 0.5) / static_cast<double>(kSize);
    const auto expected = expected_motion(shown, pixel);
    if (!expected || (!drawn.empty() && drawn[i] == 0.0f)) continue;
    const auto off = off_by_the_grid(shown, pixel, *expected);
    if (!off) continue;
    ++seen;
    longest = std::max(longest, glm::length(*expected));
    ASSERT_LT(glm::distance(*expected, glm::dvec2(own->motion()[i])), kMostOff + *off)
        << "pixel " << i % kSize << " " << i / kSize << ": " << own->motion()[i].x << " " << own->motion()[i].y
        << " but " << expected->x << " " << expected->y << " is right";
  }
  EXPECT_GT(seen, kFewestSeen) << "for anything to be seen";
  EXPECT_GE(longest, least_motion) << "for the comparison to mean something";
}

void MotionOnDevice::expect_no_motion() { test::expect_no_motion(own->motion()); }

}  // namespace throng::test
