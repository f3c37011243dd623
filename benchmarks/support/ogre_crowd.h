// SPDX-License-Identifier: Apache-2.0
#pragma once
// A crowd as OGRE draws it: HWInstancingVTF, every character with its own skeleton at its own time, four bones a
// vertex, lambert shading. It is what peers.cpp measures this library against.

#include <memory>
#include <span>

#include "throng/character/image.h"
#include "throng/model/model.h"
#include "throng/scene/scene_renderer.h"

namespace throng::bench {

// Where a character stands, and how far into the clip it is at the beginning, in seconds.
struct Stander {
  glm::dvec3 position{0.0};
  double offset = 0.0;
};

struct OgreScene {
  const Model& model;   // of one mesh, which follows its first clip
  double length = 1.0;  // of a cycle of it, in seconds
  std::span<const Stander> standers;
  Camera camera;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

// Needs a display. What goes wrong in OGRE is thrown, as OGRE does.
class OgreCrowd {
 public:
  explicit OgreCrowd(const OgreScene& scene);
  ~OgreCrowd();

  void draw(double seconds);  // returns when the image is there
  Image picture() const;      // what was drawn last; alpha is 0 where nobody is

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng::bench
