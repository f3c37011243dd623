// SPDX-License-Identifier: Apache-2.0
// What the passes are told for one picture, written once for C++ and GLSL. Layouts are std140 for the uniforms and
// std430 for the push constants: every vec3 is followed by a float.
#ifndef THRONG_SHADERS_SCENE_H
#define THRONG_SHADERS_SCENE_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

#ifdef __cplusplus
using glm::mat4;
#endif

// The pictures of a material.
THRONG_CONSTANT(uint, kBasePicture, 1u);
THRONG_CONSTANT(uint, kNormalPicture, 2u);
THRONG_CONSTANT(uint, kAllPictures, 3u);

// Shadow maps of the sun, one for each range of distance from the eye, layers of one image.
THRONG_CONSTANT(uint, kMostCascades, 4u);

// One of them, in the light's coordinates (SceneUniforms::light_x, y, z) and world units.
struct CascadeUniforms {
  vec3 origin;  // of its first texel's corner, at its nearest depth
  float width;  // of the square it covers
  float depth;  // from its nearest to its farthest
  float texel;  // width of one texel
  float end;    // how far along the view it serves; before that it fades into the next
  float unused;
};

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
  mat4 last_clip_from_world;                // of the image before, for motion vectors: CharacterRenderer fills it in
  CascadeUniforms cascades[kMostCascades];  // finest and nearest first
  MapUniforms contact_map;                  // seen from below the ground; softness: how far darkness reaches
  vec3 light_x;                             // across the cascades, unit length
  uint cascade_count;                       // 0: no shadows of the sun
  vec3 light_y;
  float sun_softness;  // radius of the sun over its distance
  vec3 light_z;        // away from the sun
  float variation;     // how strongly instances differ; 0: not at all
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
  float paving;  // how much the ground's slabs show
  vec3 horizon_colour;
  float clouds;  // how much of the sky they cover
};

// What one draw of a crowd is told.
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
static_assert(std::is_trivially_copyable_v<SceneUniforms> && sizeof(CascadeUniforms) == 32 &&
              sizeof(MapUniforms) == 80);
static_assert(offsetof(SceneUniforms, contact_map) == 256 && offsetof(SceneUniforms, light_x) == 336);
static_assert(offsetof(SceneUniforms, eye) == 384 && offsetof(SceneUniforms, clouds) == 556);
static_assert(sizeof(SceneUniforms) == 560);
static_assert(sizeof(DrawUniforms) == 96 && offsetof(DrawUniforms, alpha_cutoff) == 80);
}  // namespace throng::gpu
#endif
#endif
