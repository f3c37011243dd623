// What the passes are told for one picture, written once for C++ and GLSL. Layouts are std140 for the uniforms and
// std430 for the push constants: every vec3 is followed by a float.
#ifndef THRONG_SHADERS_SCENE_H
#define THRONG_SHADERS_SCENE_H
#include "throng/shaders/language.h"

THRONG_NAMESPACE_BEGIN

#ifdef __cplusplus
using glm::mat4;
#endif

// An orthographic depth map: clip_from_world, and its measures in world units.
struct MapUniforms {
  mat4 clip_from_world;
  float width;  // of the square it covers; 0: there is no map
  float depth;  // from its nearest to its farthest
  float texel;  // width of one texel
  float softness;
};

// View, light and air. Colours are linear.
struct SceneUniforms {
  mat4 clip_from_world;
  MapUniforms sun_map;      // softness: radius of the sun over its distance
  MapUniforms near_map;     // the same light, finer, around the camera
  MapUniforms contact_map;  // seen from below the ground; softness: how far darkness reaches
  vec3 eye;
  float exposure;
  vec3 view_forward;  // the ray through a point of the picture is forward + right · x + down · y, x and y from −1 to 1
  float picture_width;
  vec3 view_right;
  float picture_height;
  vec3 view_down;
  float ground_extent;  // half the side of the ground's square
  vec3 sun_direction;   // towards the sun, unit length
  float rim;
  vec3 sun_colour;
  float fog_start;
  vec3 sky_colour;
  float fog_length;
  vec3 bounce_colour;
  float ground_height;
  vec3 ground_albedo;
  float metre;
  vec3 zenith_colour;
  float unused_1;
  vec3 horizon_colour;
  float unused_2;
};

// Of one draw of a crowd.
struct DrawUniforms {
  mat4 clip_from_world;
  vec4 base_colour;
  float alpha_cutoff;
  uint material;  // which of its model: differences between characters are taken from it too
  float normal_scale;
  float unused;
};

THRONG_NAMESPACE_END

#ifdef __cplusplus
#include <cstddef>
#include <type_traits>
namespace throng::gpu {
static_assert(std::is_trivially_copyable_v<SceneUniforms> && sizeof(MapUniforms) == 80 && sizeof(SceneUniforms) == 480);
static_assert(offsetof(SceneUniforms, contact_map) == 224 && offsetof(SceneUniforms, eye) == 304);
static_assert(offsetof(SceneUniforms, horizon_colour) == 464);
static_assert(sizeof(DrawUniforms) == 96 && offsetof(DrawUniforms, alpha_cutoff) == 80);
}  // namespace throng::gpu
#endif
#endif
