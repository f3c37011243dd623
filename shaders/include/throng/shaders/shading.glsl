// Shading as functions: what a surface, the ground and the sky look like. Passes decide where to call them. Binds the scene as set 0.
#ifndef THRONG_SHADERS_SHADING_GLSL
#define THRONG_SHADERS_SHADING_GLSL
#include "throng/shaders/colour.glsl"
#include "throng/shaders/scene.h"
#include "throng/shaders/shadow.glsl"

layout(std140, set = 0, binding = 0) uniform Scene { SceneUniforms scene; };
layout(set = 0, binding = 1) uniform sampler2DShadow sun_compare;
layout(set = 0, binding = 2) uniform sampler2D sun_depths;
layout(set = 0, binding = 3) uniform sampler2D contact_depths;
layout(set = 0, binding = 4) uniform sampler2DShadow near_compare;
layout(set = 0, binding = 5) uniform sampler2D near_depths;

struct Surface {
  vec3 position;
  vec3 normal;
  vec3 albedo;
  float openness;  // how much of the sky it sees, 0 to 1
  vec2 pixel;      // where it is in the picture, in pixels
};

// Unit direction from the eye through a pixel.
vec3 view_direction(vec2 pixel) {
  vec2 place = pixel / vec2(scene.picture_width, scene.picture_height) * 2.0 - 1.0;
  return normalize(scene.view_forward + scene.view_right * place.x + scene.view_down * place.y);
}

// A pale horizon that deepens upwards and warms towards the sun.
vec3 sky_light(vec3 direction) {
  float up = max(direction.y, 0.0);
  vec3 gradient = mix(scene.horizon_colour, scene.zenith_colour, 1.0 - exp(-3.6 * up));
  float towards_sun = max(dot(direction, scene.sun_direction), 0.0);
  return gradient + scene.sun_colour * (0.06 * pow(towards_sun, 4.0) + 0.10 * pow(towards_sun, 60.0));
}

// Aerial perspective: the farther, the more of it is the horizon.
vec3 through_air(vec3 light, vec3 position) {
  vec3 ray = position - scene.eye;
  float far = max(length(ray) - scene.fog_start, 0.0) / scene.fog_length;
  vec3 horizon = sky_light(normalize(vec3(ray.x, 0.0, ray.z)));
  return mix(horizon, light, exp(-far * (0.5 + 0.5 * min(far, 1.0))));
}

vec3 tone_map(vec3 light) { return filmic(light * scene.exposure); }

// The fine map where it reaches, fading into the one of the whole crowd at its edge.
float sun_at(vec3 position, vec3 normal, vec2 pixel) {
  // Where the sun grazes, flat triangles under smooth normals shade themselves in patches; looking from further out avoids it.
  float grazing = 1.0 - max(dot(normal, scene.sun_direction), 0.0);
  position += normal * (0.025 * scene.metre * grazing * grazing);
  float fine = map_weight(scene.near_map, position);
  float lit = 0.0;
  if (fine > 0.0)
    lit += fine * sun_visibility(scene.near_map, near_compare, near_depths, position, normal, scene.metre, pixel);
  if (fine < 1.0)
    lit += (1.0 - fine) * sun_visibility(scene.sun_map, sun_compare, sun_depths, position, normal, scene.metre, pixel);
  return lit;
}

// In a crowd, legs see less of the sky than heads.
float crowd_openness(vec3 position) {
  float height = (position.y - scene.ground_height) / scene.metre;
  return mix(0.45, 1.0, smoothstep(-0.1, 1.3, height));
}

vec3 ambient_light(vec3 normal, float openness) {
  return mix(scene.bounce_colour, scene.sky_colour, normal.y * 0.5 + 0.5) * openness;
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

vec3 shade_character(Surface surface) {
  const float kWrap = 0.12;  // light reaches a little past the terminator, as through skin and cloth
  vec3 to_eye = normalize(scene.eye - surface.position);
  float cosine = dot(surface.normal, scene.sun_direction);
  float lambert = max((cosine + kWrap) / (1.0 + kWrap), 0.0);
  float sun = lambert > 0.0 ? sun_at(surface.position, surface.normal, surface.pixel) : 0.0;

  vec3 diffuse = surface.albedo * (scene.sun_colour * lambert * sun + ambient_light(surface.normal, surface.openness));
  float gloss = highlight(surface.normal, to_eye, scene.sun_direction, 0.5);
  float grazing = pow(1.0 - max(dot(surface.normal, to_eye), 0.0), 4.0);
  vec3 rim = scene.sky_colour * (scene.rim * grazing * surface.openness * (0.4 + 0.6 * max(surface.normal.y, 0.0)));
  return diffuse + scene.sun_colour * (gloss * sun) + rim;
}

vec3 shade_ground(vec3 position, vec2 pixel) {
  const vec3 kUp = vec3(0.0, 1.0, 0.0);
  float contact = contact_visibility(scene.contact_map, contact_depths, position, scene.metre, pixel);
  float sun = sun_at(position, kUp, pixel);
  vec3 light = scene.sun_colour * (max(scene.sun_direction.y, 0.0) * sun) + scene.sky_colour * contact;
  return scene.ground_albedo * light * mix(0.8, 1.0, contact);
}

#endif
