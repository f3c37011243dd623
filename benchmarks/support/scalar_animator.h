// SPDX-License-Identifier: Apache-2.0
#pragma once
// The same work as the animator's jobs do, written as it is written when nobody looks at the clock: a track a bone, a
// transform a bone, one bone after another, glm throughout. What the jobs are measured against.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <vector>

#include "throng/model/model.h"

namespace throng::bench {

enum class Turning { slerp, nlerp };

struct ScalarTransform {
  glm::vec3 translation{0.0f};
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
  glm::vec3 scale{1.0f};
};

// Where each track of a bone was last.
struct ScalarCursor {
  std::size_t translation = 0, rotation = 0, scale = 0;
};

class ScalarRig {
 public:
  explicit ScalarRig(const Model& model);

  std::size_t bone_count() const { return parents_.size(); }
  void sample(std::size_t clip, float time, Turning turning, std::vector<ScalarCursor>& cursors,
              std::vector<ScalarTransform>& locals) const;
  static void blend(const std::vector<ScalarTransform>& a, const std::vector<ScalarTransform>& b, float weight,
                    std::vector<ScalarTransform>& out);
  void local_to_model(const std::vector<ScalarTransform>& locals, glm::mat4* models) const;

 private:
  struct Track {
    Curve<glm::vec3> translation, scale;
    Curve<glm::quat> rotation;
  };

  std::vector<int> parents_;
  std::vector<ScalarTransform> rest_;
  std::vector<std::vector<Track>> clips_;  // a track a bone
};

}  // namespace throng::bench
