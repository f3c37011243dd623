// SPDX-License-Identifier: Apache-2.0
#pragma once
// The settings of scenes whose pictures are drawn by a processor, many times: one sample, small maps, one of the
// sun's, and nobody a speck.

#include "throng/scene/scene_renderer.h"

namespace throng::test {

inline SceneSettings small_scene() {
  SceneSettings settings{.width = 96, .height = 64, .samples = 1};
  settings.shadow_size = 128;
  settings.contact_size = 64;
  settings.cascades = 1;
  settings.speck_pixels = 0.0f;
  return settings;
}

}  // namespace throng::test
