#pragma once
// The q16 encoding: one RGBA32UI texel a bone and frame. x, y: quaternion as four SNORM16; z, w: where the bone's pivot
// goes as three UNORM16 in the clip's box, and the uniform scale as UNORM16 of the clip's largest. A vertex moves to
// scale · R (v − pivot) + pivot'. The shader's twin is shaders/include/throng/shaders/q16.glsl; a test compares them
// texel by texel.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace throng {

struct Texel {
  std::uint32_t x = 0, y = 0, z = 0, w = 0;

  friend constexpr bool operator==(const Texel&, const Texel&) = default;
};
static_assert(sizeof(Texel) == 16);

// What the integers of one clip are measured in.
struct Q16Range {
  glm::dvec3 pivot_min{0.0};
  glm::dvec3 pivot_size{0.0};
  double scale_max = 1.0;
};

// A bone's movement from the baked mesh to model space: v' = scale · rotation · (v − pivot) + position.
struct BoneSample {
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
  glm::dvec3 position{0.0};
  double scale = 1.0;
};

Texel encode_q16(const BoneSample& sample, const Q16Range& range);

// What the integers say: the quaternion is of unit length only to within their rounding until interpolate() normalises
// it.
BoneSample decode_q16(const Texel& texel, const Q16Range& range);

// Between two frames as the shader does it: the second quaternion brought into the first's hemisphere, all mixed
// linearly, the quaternion normalised.
BoneSample interpolate(const BoneSample& from, const BoneSample& to, double blend);

}  // namespace throng
