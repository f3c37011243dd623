// SPDX-License-Identifier: Apache-2.0
#include "throng/scene/scene_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shadow_view.h"
#include "throng/math/basis.h"
#include "throng/math/directions.h"

namespace throng {
using namespace detail::scene;
namespace {

void set_view(gpu::SceneUniforms& to, const Camera& camera, const ViewSettings& settings) {
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
  to.variation = look.variation;
  to.paving = look.paving;
  to.clouds = look.clouds;
}

}  // namespace

gpu::SceneUniforms scene_uniforms(const Camera& camera, const ViewSettings& settings, const Bounds& casters) {
  gpu::SceneUniforms uniforms{};
  set_view(uniforms, camera, settings);
  set_look(uniforms, settings.look, glm::length(camera.target - camera.eye));
  // The air has the colour of what is behind, and there is nothing.
  if (settings.transparent) uniforms.fog_start = std::numeric_limits<float>::max();
  if (casters.empty()) return uniforms;  // no cascade, no map: no shadows
  fit_cascades(uniforms, camera, settings, casters);
  if (settings.contact_size > 0)
    uniforms.contact_map = fit_contact_map(camera, casters, settings.look, settings.contact_size);
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

Result<void> check_camera(const Camera& camera) {
  if (!is_finite(camera.eye) || !is_finite(camera.target))
    return fail("camera: eye or target is at a place that is not a finite number");
  if (camera.eye == camera.target) return fail("camera: eye and target are the same point");
  if (!(camera.vertical_fov_degrees > 0.0 && camera.vertical_fov_degrees < 180.0))
    return fail("camera: a field of view of {} degrees; it lies between 0 and 180", camera.vertical_fov_degrees);
  return {};
}

}  // namespace throng
