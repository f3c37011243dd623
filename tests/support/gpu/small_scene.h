// SPDX-License-Identifier: Apache-2.0
#pragma once
// The settings of scenes whose pictures are drawn by a processor, many times: one sample and small maps.

#include "throng/scene/scene_renderer.h"

namespace throng::test {

// With one map of the sun's, and nobody a speck.
inline SceneSettings small_scene() {
  SceneSettings settings{.width = 96, .height = 64, .samples = 1};
  settings.shadow_size = 128;
  settings.contact_size = 64;
  settings.cascades = 1;
  settings.speck_pixels = 0.0f;
  return settings;
}

// For what is drawn some hundred times, once for every call that may fail.
inline SceneSettings tiny_scene() {
  SceneSettings settings{.width = 32, .height = 32, .samples = 1};
  settings.shadow_size = 64;
  settings.contact_size = 32;
  return settings;
}

}  // namespace throng::test
