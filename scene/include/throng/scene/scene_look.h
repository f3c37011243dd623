// SPDX-License-Identifier: Apache-2.0
#pragma once
// The light, the ground and the air of a picture.

#include <glm/glm.hpp>

namespace throng {

// How the scene looks. Colours are linear light, 1 being white paper in full sun before exposure.
struct SceneLook {
  glm::vec3 sun_direction{-0.62f, 0.58f, 0.42f};  // towards the sun; any length but 0
  glm::vec3 sun_colour{2.95f, 2.52f, 1.92f};
  glm::vec3 sky_colour{0.40f, 0.54f, 0.78f};     // light from above
  glm::vec3 bounce_colour{0.36f, 0.31f, 0.27f};  // light from below
  glm::vec3 ground_albedo{0.47f, 0.465f, 0.455f};
  glm::vec3 zenith_colour{0.20f, 0.44f, 0.88f};   // of the background
  glm::vec3 horizon_colour{1.28f, 1.25f, 1.20f};  // of the background, and of the fog
  float rim = 0.35f;                              // strength of the light on silhouettes
  float exposure = 0.9f;
  float ground_height = 0.0f;
  float fog_start = 0.0f;  // metres from the camera; both 0: from the camera's distance to its target
  float fog_end = 0.0f;    // metres from the camera to where 63 % of what is seen is fog
  // How fast shadows soften with distance from what casts them: the sun's radius over its distance.
  float sun_softness = 0.035f;
  float variation = 1.0f;  // how much characters of one material differ in colour; 0: not at all
  float paving = 1.0f;     // how much the ground's slabs and stains show; 0: plain
  float clouds = 0.35f;    // how much of the sky they cover
  float metre = 1.0f;      // how long a metre is in world units: softness and bias are measured in it
};

}  // namespace throng
