// SPDX-License-Identifier: Apache-2.0
// Shading as functions: what a surface, the ground and the sky look like. Passes decide where to call them. Binds the
// scene as set 0; in WebGL 2, which binds by name, as the block Scene.
#ifndef THRONG_SHADERS_SHADING_GLSL
#define THRONG_SHADERS_SHADING_GLSL
#include "throng/shaders/scene/colour.glsl"
#include "throng/shaders/scene/ground.glsl"
#include "throng/shaders/shared/scene.h"
#include "throng/shaders/scene/shadow.glsl"

// throng::Shading: the same functions, with what plain shading does without compiled away.
#ifdef THRONG_PLAIN
const bool kPlain = true;
#else
const bool kPlain = false;
#endif

// kSunShadows is 0: the pass is for scenes without shadows of the sun (SceneUniforms::cascade_count is 0), and looks
// for none.
#ifdef GL_ES
#define THRONG_BINDING(number)
const uint kSunShadows = THRONG_SUN_SHADOWS;
#else
#define THRONG_BINDING(number) layout(set = 0, binding = number)
layout(constant_id = 0) const uint kSunShadows = 1u;
#endif

layout(std140) THRONG_BINDING(0) uniform Scene { SceneUniforms scene; };
THRONG_BINDING(1) uniform sampler2DArrayShadow cascade_compare;
THRONG_BINDING(2) uniform sampler2DArray cascade_depths;
THRONG_BINDING(3) uniform sampler2D contact_depths;

struct Surface {
  vec3 position;
  vec3 normal;
  vec3 albedo;
  float roughness;
  float openness;  // how much of the sky it sees, 0 to 1
};

const float kDullRoughness = 0.5;  // of materials that say nothing else

// Unit direction from the eye through a pixel.
vec3 view_direction(vec2 pixel) {
  vec2 place = pixel / vec2(scene.picture_width, scene.picture_height) * 2.0 - 1.0;
  return normalize(scene.view_forward + scene.view_right * place.x + scene.view_down * place.y);
}

// What the sun adds to the clear sky around it.
vec3 sun_glow(vec3 direction) {
  float towards_sun = max(dot(direction, scene.sun_direction), 0.0);
  float second = towards_sun * towards_sun;
  float fourth = second * second;
  float eighth = fourth * fourth;
  float sixteenth = eighth * eighth;
  return scene.sun_colour * (0.07 * fourth + 0.12 * sixteenth * sixteenth * sixteenth);
}

// The clear sky: a pale horizon that deepens upwards and warms towards the sun.
vec3 clear_sky(vec3 direction) {
  float up = max(direction.y, 0.0);
  return mix(scene.horizon_colour, scene.zenith_colour, 1.0 - exp(-6.5 * up)) + sun_glow(direction);
}

// Thin clouds high up, drawn out by the wind: how much of the sky they hide.
float cloud_cover(vec3 direction) {
  if (kPlain || scene.clouds == 0.0 || direction.y < 0.005) return 0.0;
  vec2 place = direction.xz / (direction.y + 0.06);
  place = vec2(0.8 * place.x + 0.6 * place.y, 0.8 * place.y - 0.6 * place.x) * vec2(0.35, 1.3);
  float bend = smooth_noise(place * 0.7 + 3.0);
  float sum = 0.0;
  float weight = 0.5;
  for (int octave = 0; octave < 4; ++octave) {
    sum += weight * smooth_noise(place + bend);
    place = place * vec2(1.9, 2.3) + 11.7;
    weight *= 0.55;
  }
  float cover = smoothstep(0.64 - 0.28 * scene.clouds, 0.86 - 0.28 * scene.clouds, sum);
  return 0.8 * cover * smoothstep(0.005, 0.05, direction.y);
}

vec3 sky_light(vec3 direction) {
  vec3 clear = clear_sky(direction);
  float towards_sun = max(dot(direction, scene.sun_direction), 0.0);
  vec3 cloud = scene.horizon_colour * 0.9 + scene.sun_colour * (0.06 + 0.25 * pow(towards_sun, 5.0));
  vec3 disc = scene.sun_colour * (6.0 * smoothstep(0.99988, 0.99994, towards_sun));
  return mix(clear + disc, cloud, cloud_cover(direction));
}

// Aerial perspective: the farther, the more of it is the horizon.
vec3 through_air(vec3 light, vec3 position) {
  vec3 ray = position - scene.eye;
  float far = max(length(ray) - scene.fog_start, 0.0) / scene.fog_length;
  vec3 horizon = scene.horizon_colour + sun_glow(normalize(vec3(ray.x, 0.0, ray.z)));  // the clear sky's, at its foot
  return mix(horizon, light, exp(-far * (0.5 + 0.5 * min(far, 1.0))));
}

vec3 tone_map(vec3 light) { return filmic(light * scene.exposure); }

float sun_in_cascade(uint cascade, vec3 position, vec3 normal) {
  return sun_visibility(scene.cascades[cascade], float(cascade), cascade_compare, cascade_depths, position, normal,
                        kPlain ? 0.0 : scene.sun_softness, scene.metre);
}

// The sunlight by the cascade of that distance, fading into the next before its end.
float sun_at(vec3 position, vec3 normal) {
  if (kSunShadows == 0u) return 1.0;
  float depth = dot(position - scene.eye, scene.view_forward);
  uint cascade = 0u;
  while (cascade < scene.cascade_count && depth > scene.cascades[cascade].end) ++cascade;
  if (cascade >= scene.cascade_count) return 1.0;
  // Where the sun grazes, flat triangles under smooth normals shade themselves in patches; looking from further out
  // avoids it.
  float grazing = 1.0 - max(dot(normal, scene.sun_direction), 0.0);
  position += normal * (0.025 * scene.metre * grazing * grazing);
  mat3 world_from_light = mat3(scene.light_x, scene.light_y, scene.light_z);
  vec3 light_position = position * world_from_light;
  vec3 light_normal = normal * world_from_light;
  float lit = sun_in_cascade(cascade, light_position, light_normal);
  const float kFade = 0.15;  // of its end
  float end = scene.cascades[cascade].end;
  float past = clamp((depth - (1.0 - kFade) * end) / (kFade * end), 0.0, 1.0);
  if (!kPlain && past > 0.0 && cascade + 1u < scene.cascade_count)
    lit = mix(lit, sun_in_cascade(cascade + 1u, light_position, light_normal), past);
  return lit;
}

// `normal` as a normal map's texel bends it. Without a tangent (zero) it stays.
vec3 bent_normal(vec3 normal, vec4 tangent, vec3 texel, float scale) {
  vec3 along = tangent.xyz - normal * dot(normal, tangent.xyz);
  float length_squared = dot(along, along);
  if (length_squared <= 0.0) return normal;
  along *= inversesqrt(length_squared);
  vec3 across = cross(normal, along) * (tangent.w < 0.0 ? -1.0 : 1.0);
  vec3 bend = (texel * 2.0 - 1.0) * vec3(scale, scale, 1.0);
  return normalize(along * bend.x + across * bend.y + normal * bend.z);
}

// In a crowd, legs see less of the sky than heads.
float crowd_openness(vec3 position) {
  float height = (position.y - scene.ground_height) / scene.metre;
  return mix(0.45, 1.0, smoothstep(-0.1, 1.3, height));
}

// Light from above, from below, and from the bright half of the sky around the sun.
vec3 ambient_light(vec3 normal, float openness) {
  float towards_sun = dot(normal, scene.sun_direction) * 0.5 + 0.5;
  vec3 sky = mix(scene.bounce_colour, scene.sky_colour, normal.y * 0.5 + 0.5);
  return (sky + scene.sun_colour * (0.07 * towards_sun * towards_sun)) * openness;
}

// Microfacet highlight of a dull, dielectric surface, the sun's light times the cosine included.
float highlight(vec3 normal, vec3 to_eye, vec3 to_light, float roughness) {
  vec3 halfway = normalize(to_eye + to_light);
  float n_h = max(dot(normal, halfway), 0.0);
  float n_l = max(dot(normal, to_light), 0.0);
  float l_h = max(dot(to_light, halfway), 0.0);
  float a2 = roughness * roughness * roughness * roughness;
  float spread = n_h * n_h * (a2 - 1.0) + 1.0;
  float fresnel = 0.04 + 0.96 * pow(1.0 - l_h, 5.0);
  return n_l * fresnel * a2 / (4.0 * spread * spread * max(l_h * l_h, 0.1) * (roughness + 0.5));
}

// The sky as a dull surface mirrors it: strongest along silhouettes, where crowds against the light glow.
vec3 sheen(vec3 normal, vec3 to_eye, float roughness, float openness) {
  float grazing = 1.0 - max(dot(normal, to_eye), 0.0);
  float fresnel = grazing * grazing;
  fresnel *= fresnel;
  vec3 mirrored = reflect(-to_eye, normal);
  vec3 seen = mix(scene.bounce_colour, clear_sky(mirrored), smoothstep(-0.3, 0.2, mirrored.y));
  return seen * (scene.rim * (1.3 - roughness) * (0.03 + fresnel) * openness);
}

vec3 shade_character(Surface surface) {
  const float kWrap = 0.12;  // light reaches a little past the terminator, as through skin and cloth
  vec3 to_eye = normalize(scene.eye - surface.position);
  float cosine = dot(surface.normal, scene.sun_direction);
  float lambert = max((cosine + kWrap) / (1.0 + kWrap), 0.0);
  float sun = lambert > 0.0 ? sun_at(surface.position, surface.normal) : 0.0;

  vec3 diffuse = surface.albedo * (scene.sun_colour * lambert * sun + ambient_light(surface.normal, surface.openness));
  if (kPlain) return diffuse;
  float gloss = highlight(surface.normal, to_eye, scene.sun_direction, surface.roughness);
  return diffuse + scene.sun_colour * (gloss * sun) +
         sheen(surface.normal, to_eye, surface.roughness, surface.openness);
}

// The normal of a surface, of unit length, towards the eye's side of it.
vec3 facing_normal(vec3 normal, vec3 position, bool front) {
  // Opposite normals may meet in a triangle's middle: facing the eye is better than not being a number.
  float length_squared = dot(normal, normal);
  vec3 unit = length_squared > 0.0 ? normal * inversesqrt(length_squared) : normalize(scene.eye - position);
  return front ? unit : -unit;
}

// A character's surface as it is shown: lit, through the air.
vec3 seen_character(vec3 position, vec3 normal, vec3 albedo) {
  Surface surface;
  surface.position = position;
  surface.normal = normal;
  surface.albedo = albedo;
  surface.roughness = kDullRoughness;
  surface.openness = crowd_openness(position);
  return tone_map(through_air(shade_character(surface), position));
}

// `footprint`: of a pixel along x and z, in world units.
vec3 shade_ground(vec3 position, vec2 footprint) {
  const vec3 kUp = vec3(0.0, 1.0, 0.0);
  float tone = mix(1.0, paved(position.xz / scene.metre, footprint / scene.metre), scene.paving);
  float contact = contact_visibility(scene.contact_map, contact_depths, position, scene.metre);
  float sun = sun_at(position, kUp);
  vec3 to_eye = normalize(scene.eye - position);
  vec3 light = scene.sun_colour * (max(scene.sun_direction.y, 0.0) * sun) + scene.sky_colour * contact;
  if (kPlain) return scene.ground_albedo * light * (tone * mix(0.8, 1.0, contact));
  float gloss = highlight(kUp, to_eye, scene.sun_direction, 0.75 - 0.35 * (tone - 1.0)) * (0.45 * scene.paving);
  return scene.ground_albedo * light * (tone * mix(0.8, 1.0, contact)) + scene.sun_colour * (gloss * sun);
}

#endif
