#include "scene_view.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng {
namespace {

struct Basis {
  glm::dvec3 x, y, z;
};

// x, y across; z along `forward`.
Basis basis_along(const glm::dvec3& forward) {
  const glm::dvec3 z = glm::normalize(forward);
  const glm::dvec3 helper = std::abs(z.y) > 0.999 ? glm::dvec3(0.0, 0.0, 1.0) : glm::dvec3(0.0, 1.0, 0.0);
  const glm::dvec3 x = glm::normalize(glm::cross(z, helper));
  return {x, glm::cross(z, x), z};
}

glm::dvec3 in_basis(const Basis& basis, const glm::dvec3& p) {
  return {glm::dot(basis.x, p), glm::dot(basis.y, p), glm::dot(basis.z, p)};
}

std::array<glm::dvec3, 8> corners(const Bounds& box) {
  std::array<glm::dvec3, 8> result;
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = {(i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                 (i & 4) != 0 ? box.max.z : box.min.z};
  return result;
}

Bounds box_in(const Basis& basis, const Bounds& box) {
  Bounds result;
  for (const glm::dvec3& corner : corners(box)) result.add(in_basis(basis, corner));
  return result;
}

// The square around `seen` (in basis coordinates) as clip space: −1 to 1 across, 0 to 1 along.
gpu::MapUniforms make_map(const Basis& basis, const Bounds& seen, double margin, std::uint32_t texels) {
  const double width = std::max(seen.size().x, seen.size().y) + 2.0 * margin;
  const double depth = seen.size().z;
  const glm::dvec3 scale(2.0 / width, 2.0 / width, 1.0 / depth);
  const glm::dvec3 offset(-seen.centre().x * scale.x, -seen.centre().y * scale.y, -seen.min.z * scale.z);
  glm::dmat4 clip_from_world(1.0);
  for (int column = 0; column < 3; ++column)
    clip_from_world[column] =
        glm::dvec4(basis.x[column] * scale.x, basis.y[column] * scale.y, basis.z[column] * scale.z, 0.0);
  clip_from_world[3] = glm::dvec4(offset, 1.0);

  gpu::MapUniforms map{};
  map.clip_from_world = glm::mat4(clip_from_world);
  map.width = static_cast<float>(width);
  map.depth = static_cast<float>(depth);
  map.texel = static_cast<float>(width / texels);
  return map;
}

// How far along the basis the ground is behind the four corners of `seen`, at most.
double farthest_ground(const Basis& basis, const Bounds& seen, double ground_height) {
  double farthest = seen.max.z;
  for (int corner = 0; corner < 4; ++corner) {
    const glm::dvec3 across = basis.x * ((corner & 1) != 0 ? seen.max.x : seen.min.x) +
                              basis.y * ((corner & 2) != 0 ? seen.max.y : seen.min.y);
    farthest = std::max(farthest, (ground_height - across.y) / basis.z.y);
  }
  return farthest;
}

}  // namespace

namespace {

// What the sun's map must hold, in the sun's basis.
Bounds seen_by_sun(const Basis& basis, const Bounds& casters, const SceneLook& look) {
  const double metre = look.metre;
  Bounds seen = box_in(basis, casters);
  seen.min -= glm::dvec3(0.3 * metre);  // room for the widest penumbra
  seen.max += glm::dvec3(0.3 * metre);
  // The map is square; what it holds beside the crowd must be inside its depth too.
  const double half = 0.5 * std::max(seen.size().x, seen.size().y);
  const glm::dvec3 centre = seen.centre();
  for (int axis = 0; axis < 2; ++axis) {
    seen.min[axis] = centre[axis] - half;
    seen.max[axis] = centre[axis] + half;
  }
  // A sun below or on the horizon throws no shadow on the ground.
  constexpr double kLowestSun = 0.02;
  if (basis.z.y < -kLowestSun) seen.max.z = farthest_ground(basis, seen, look.ground_height) + metre;
  return seen;
}

}  // namespace

gpu::MapUniforms fit_sun_map(const Bounds& casters, const SceneLook& look, std::uint32_t texels) {
  const Basis basis = basis_along(-glm::dvec3(look.sun_direction));
  gpu::MapUniforms map = make_map(basis, seen_by_sun(basis, casters, look), 0.0, texels);
  map.softness = look.sun_softness;
  return map;
}

gpu::MapUniforms fit_near_map(const Camera& camera, const Bounds& casters, const SceneLook& look,
                              const gpu::MapUniforms& whole, std::uint32_t texels) {
  constexpr double kWidth = 30.0, kAhead = 11.0, kFarAway = 25.0;  // metres
  constexpr double kFineEnough = 0.6;                              // of the whole map's width: not worth another pass
  const double metre = look.metre;
  const double distance = glm::length(camera.target - camera.eye);
  const double width = std::min(kWidth * metre, 2.0 * distance);
  const glm::dvec3 nearest = glm::clamp(camera.eye, casters.min, casters.max);
  if (width > kFineEnough * whole.width || glm::distance(nearest, camera.eye) > kFarAway * metre) return {};

  const Basis basis = basis_along(-glm::dvec3(look.sun_direction));
  const glm::dvec3 forward = (camera.target - camera.eye) / distance;
  glm::dvec3 focus = camera.eye + forward * std::min(distance, kAhead * metre);
  focus.y = std::clamp(focus.y, casters.min.y, casters.max.y);
  const double texel = width / texels;
  glm::dvec3 at = in_basis(basis, focus);
  for (int axis = 0; axis < 2; ++axis) at[axis] = std::floor(at[axis] / texel) * texel;
  Bounds seen = seen_by_sun(basis, casters, look);  // all of its depth: far casters throw shadows here too
  for (int axis = 0; axis < 2; ++axis) {
    seen.min[axis] = at[axis] - 0.5 * width;
    seen.max[axis] = at[axis] + 0.5 * width;
  }
  gpu::MapUniforms map = make_map(basis, seen, 0.0, texels);
  map.softness = look.sun_softness;
  return map;
}

gpu::MapUniforms fit_contact_map(const Bounds& casters, const SceneLook& look, std::uint32_t texels) {
  constexpr double kReach = 0.55;  // metres around a foot that its darkness spreads
  const double metre = look.metre;
  const Basis basis{{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}};
  Bounds seen = box_in(basis, casters);
  seen.min.z = look.ground_height - 0.05 * metre;
  seen.max.z = std::max(seen.max.z, seen.min.z + metre);
  gpu::MapUniforms map = make_map(basis, seen, kReach * metre, texels);
  map.softness = static_cast<float>(kReach * metre);
  return map;
}

namespace {

void set_view(gpu::SceneUniforms& to, const Camera& camera, const SceneSettings& settings) {
  const double distance = std::max(glm::length(camera.target - camera.eye), 1e-6);
  const Basis basis = basis_along(camera.target - camera.eye);  // y points down
  const double aspect = static_cast<double>(settings.width) / settings.height;
  const double half_height = std::tan(glm::radians(camera.vertical_fov_degrees) * 0.5);
  const double near = std::min(0.1 * settings.look.metre, 0.02 * distance);

  const glm::dvec3 eye = in_basis(basis, camera.eye);
  glm::dmat4 view(1.0);
  for (int column = 0; column < 3; ++column)
    view[column] = glm::dvec4(basis.x[column], basis.y[column], basis.z[column], 0.0);
  view[3] = glm::dvec4(-eye, 1.0);
  // Reversed depth with no far end: 1 at `near`, 0 at infinity, where floats are finest.
  glm::dmat4 projection(0.0);
  projection[0][0] = 1.0 / (half_height * aspect);
  projection[1][1] = 1.0 / half_height;
  projection[2][3] = 1.0;
  projection[3][2] = near;

  to.clip_from_world = glm::mat4(projection * view);
  to.eye = glm::vec3(camera.eye);
  to.view_forward = glm::vec3(basis.z);
  to.view_right = glm::vec3(basis.x * half_height * aspect);
  to.view_down = glm::vec3(basis.y * half_height);
  to.picture_width = static_cast<float>(settings.width);
  to.picture_height = static_cast<float>(settings.height);
}

void set_look(gpu::SceneUniforms& to, const SceneLook& look, double distance) {
  const bool automatic = look.fog_start == 0.0f && look.fog_end == 0.0f;
  to.fog_start = automatic ? static_cast<float>(0.8 * distance) : look.fog_start * look.metre;
  to.fog_length =
      automatic ? static_cast<float>(5.0 * distance) : std::max(look.fog_end - look.fog_start, 1e-3f) * look.metre;
  to.ground_extent = to.fog_start + 30.0f * to.fog_length;
  to.exposure = look.exposure;
  to.sun_direction = glm::normalize(look.sun_direction);
  to.rim = look.rim;
  to.sun_colour = look.sun_colour;
  to.sky_colour = look.sky_colour;
  to.bounce_colour = look.bounce_colour;
  to.ground_height = look.ground_height;
  to.ground_albedo = look.ground_albedo;
  to.metre = look.metre;
  to.zenith_colour = look.zenith_colour;
  to.horizon_colour = look.horizon_colour;
}

}  // namespace

gpu::SceneUniforms scene_uniforms(const Camera& camera, const SceneSettings& settings, const Bounds& casters) {
  gpu::SceneUniforms uniforms{};
  set_view(uniforms, camera, settings);
  set_look(uniforms, settings.look, glm::length(camera.target - camera.eye));
  if (casters.empty()) return uniforms;  // maps of width 0: no shadows
  uniforms.sun_map = fit_sun_map(casters, settings.look, settings.shadow_size);
  uniforms.near_map = fit_near_map(camera, casters, settings.look, uniforms.sun_map, settings.shadow_size);
  if (settings.contact_size > 0) uniforms.contact_map = fit_contact_map(casters, settings.look, settings.contact_size);
  return uniforms;
}

Camera frame_bounds(const Bounds& bounds, double aspect, double yaw_degrees, double pitch_degrees,
                    double vertical_fov_degrees) {
  const double yaw = glm::radians(yaw_degrees);
  const double pitch = glm::radians(pitch_degrees);
  const glm::dvec3 away(std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch));
  const Basis basis = basis_along(-away);
  const double half_height = std::tan(glm::radians(vertical_fov_degrees) * 0.5) * 0.92;  // a margin around the subject
  const glm::dvec2 half(half_height * aspect, half_height);
  glm::dvec3 target = bounds.centre();
  double distance = 1e-3;
  // Near things look larger, so the middle of the box is not the middle of its picture; a few steps centre it.
  for (int step = 0; step < 8; ++step) {
    distance = 1e-3;
    for (const glm::dvec3& corner : corners(bounds)) {
      const glm::dvec3 at = in_basis(basis, corner - target);
      distance = std::max({distance, std::abs(at.x) / half.x - at.z, std::abs(at.y) / half.y - at.z});
    }
    glm::dvec2 low(1e30), high(-1e30);
    for (const glm::dvec3& corner : corners(bounds)) {
      const glm::dvec3 at = in_basis(basis, corner - target);
      const glm::dvec2 seen = glm::dvec2(at) / (at.z + distance);
      low = glm::min(low, seen);
      high = glm::max(high, seen);
    }
    const glm::dvec2 middle = 0.5 * (low + high) * distance;
    target += basis.x * middle.x + basis.y * middle.y;
  }
  return {target + away * distance, target, vertical_fov_degrees};
}

}  // namespace throng
