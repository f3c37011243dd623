// SPDX-License-Identifier: Apache-2.0
#include "shadow_view.h"

#include <algorithm>

#include "throng/math/basis.h"
#include "throng/scene/scene_view.h"

namespace throng::detail::scene {
namespace {

// A sun below or on the horizon throws no shadow on the ground.
constexpr double kLowestSun = 0.02;
// Share of a cascade's reach, before its end, over which it fades into the next. The shader says the same.
constexpr double kFade = 0.15;

double tangent_to_corner(const Camera& camera, double aspect) {
  return std::tan(glm::radians(camera.vertical_fov_degrees) * 0.5) * std::hypot(1.0, aspect);
}

// Where shadows of `casters` can be: themselves, and the ground behind them as the sun sees it.
Bounds shaded_by(const Bounds& casters, const SceneLook& look) {
  const glm::dvec3 sun = glm::normalize(glm::dvec3(look.sun_direction));
  Bounds shaded = casters;
  if (sun.y < kLowestSun) return shaded;
  for (const glm::dvec3& corner : corners(casters))
    shaded.add(corner - sun * (std::max(corner.y - look.ground_height, 0.0) / sun.y));
  return shaded;
}

// The next of ½, 1, 2 … below, or of 1, 2^¼, 2^½ … above: what hangs on it changes seldom while the camera moves.
double step_below(double value) { return std::exp2(std::floor(std::log2(value))); }
double step_above(double value) { return std::exp2(std::ceil(std::log2(value) * 4.0) / 4.0); }

double farthest_corner(const Bounds& box, const glm::dvec3& from) {
  double farthest = 0.0;
  for (const glm::dvec3& corner : corners(box)) farthest = std::max(farthest, glm::distance(corner, from));
  return farthest;
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

// The square that holds all casters as the sun sees them, and the ground their shadows fall on.
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
  if (basis.z.y < -kLowestSun) seen.max.z = farthest_ground(basis, seen, look.ground_height) + metre;
  return seen;
}

struct Ball {
  double along = 0.0;  // of its centre from the eye
  double radius = 0.0;
};

// The smallest around the slice of a pyramid of view between two depths, whose corner edges rise by `tangent`.
Ball ball_around(double begin, double end, double tangent) {
  const double t2 = tangent * tangent;
  if (t2 >= (end - begin) / (end + begin)) return {end, end * tangent};
  const double along = 0.5 * (end + begin) * (1.0 + t2);
  return {along, std::hypot(end - along, end * tangent)};
}

// The square around a ball, at a whole number of texels; along the light, all that can throw a shadow into the ball.
Bounds square_around(const Basis& basis, const glm::dvec3& centre, double radius, double texel, const Bounds& whole,
                     const Bounds& casters, const SceneLook& look) {
  const glm::dvec3 at = in_basis(basis, centre);
  Bounds seen;
  for (int axis = 0; axis < 2; ++axis) {
    seen.min[axis] = std::floor((at[axis] - radius) / texel) * texel;
    seen.max[axis] = seen.min[axis] + 2.0 * radius;
  }
  // A ray from the ground to the sun leaves the casters' height after this much; what is beyond shades nothing here.
  const double height = std::max(casters.max.y - look.ground_height, 0.0) + look.metre;
  const double reach = basis.z.y < -kLowestSun ? height / -basis.z.y : 1e30;
  seen.min.z = std::max(whole.min.z, at.z - radius - reach);
  seen.max.z = std::max(std::min(whole.max.z, at.z + radius + look.metre), seen.min.z + look.metre);
  return seen;
}

gpu::CascadeUniforms cascade_of(const Bounds& seen, double end, std::uint32_t texels) {
  gpu::CascadeUniforms cascade{};
  cascade.origin = glm::vec3(seen.min);
  cascade.width = static_cast<float>(seen.size().x);
  cascade.depth = static_cast<float>(seen.size().z);
  cascade.texel = static_cast<float>(seen.size().x / texels);
  cascade.end = static_cast<float>(end);
  return cascade;
}

}  // namespace

CascadeSplits split_view(const Camera& camera, double aspect, const Bounds& casters, const SceneLook& look,
                         std::uint32_t most) {
  constexpr double kGeometric = 0.75;
  constexpr double kWorthOne = 2.5;  // how much farther than the last a cascade should reach to be worth a pass
  const Bounds shaded = shaded_by(casters, look);
  const double nearest = glm::distance(glm::clamp(camera.eye, shaded.min, shaded.max), camera.eye);
  // Depth along the view is less than distance, at the corners of the picture the most so.
  const double depth = nearest / std::hypot(1.0, tangent_to_corner(camera, aspect));
  const double begin = step_below(std::max(depth, 0.4 * look.metre));
  const double end = step_above(std::max(farthest_corner(shaded, camera.eye), 1.01 * begin));
  const double steps = std::ceil(std::log(end / begin) / std::log(kWorthOne));
  const auto count = static_cast<std::uint32_t>(std::clamp(steps, 1.0, static_cast<double>(most)));
  CascadeSplits splits{begin, {}};
  for (std::uint32_t i = 1; i <= count; ++i) {
    const double share = static_cast<double>(i) / count;
    splits.ends.push_back(glm::mix(glm::mix(begin, end, share), begin * std::pow(end / begin, share), kGeometric));
  }
  return splits;
}

void fit_cascades(gpu::SceneUniforms& to, const Camera& camera, const ViewSettings& settings, const Bounds& casters) {
  const SceneLook& look = settings.look;
  const Basis basis = basis_along(-glm::dvec3(look.sun_direction));
  to.light_x = glm::vec3(basis.x);
  to.light_y = glm::vec3(basis.y);
  to.light_z = glm::vec3(basis.z);
  to.sun_softness = look.sun_softness;
  const double aspect = static_cast<double>(settings.width) / settings.height;
  const double tangent = tangent_to_corner(camera, aspect);
  const Bounds whole = seen_by_sun(basis, casters, look);
  const glm::dvec3 forward = glm::normalize(camera.target - camera.eye);
  const auto most = std::clamp(settings.cascades, 1u, gpu::kMostCascades);
  const CascadeSplits splits = split_view(camera, aspect, casters, look, most);
  double begin = splits.begin;
  for (const double end : splits.ends) {
    const Ball ball = ball_around(begin, end, tangent);
    // Room for the widest penumbra, and for what placing it in whole texels takes.
    const double radius = (ball.radius + 0.15 * look.metre) * (1.0 + 2.0 / settings.shadow_size);
    const double width = 2.0 * radius;
    gpu::CascadeUniforms& cascade = to.cascades[to.cascade_count++];
    if (width >= whole.size().x) {
      cascade = cascade_of(whole, splits.ends.back(), settings.shadow_size);
      return;
    }
    const glm::dvec3 centre = camera.eye + forward * ball.along;
    const double texel = width / settings.shadow_size;
    cascade = cascade_of(square_around(basis, centre, radius, texel, whole, casters, look), end, settings.shadow_size);
    begin = (1.0 - kFade) * end;
  }
}

gpu::MapUniforms fit_contact_map(const Camera& camera, const Bounds& casters, const SceneLook& look,
                                 std::uint32_t texels) {
  constexpr double kReach = 0.55;   // metres around a foot that its darkness spreads
  constexpr double kWidest = 40.0;  // metres
  constexpr double kTop = 1.2;      // metres above the ground: what is higher hardly darkens it
  constexpr double kEdge = 0.85;    // of the width: where the shader begins to fade it out
  const double metre = look.metre;
  const glm::dvec3 size = casters.size();
  const double all = (std::max(size.x, size.z) + 2.0 * kReach * metre) / kEdge;
  const double width = std::min(all, kWidest * metre);
  glm::dvec3 centre = casters.centre();
  if (width < all) {
    const glm::dvec3 forward = glm::normalize(camera.target - camera.eye);
    const double texel = width / texels;
    centre = camera.eye + glm::dvec3(forward.x, 0.0, forward.z) * (0.42 * width);
    centre = glm::floor(centre / texel) * texel;
  }
  const double ground = look.ground_height - 0.05 * metre;
  const double depth = kTop * metre;
  glm::dmat4 matrix(0.0);
  matrix[0][0] = 2.0 / width;
  matrix[2][1] = 2.0 / width;
  matrix[1][2] = 1.0 / depth;
  matrix[3] = {-centre.x * 2.0 / width, -centre.z * 2.0 / width, -ground / depth, 1.0};
  gpu::MapUniforms map{};
  map.clip_from_world = glm::mat4(matrix);
  map.width = static_cast<float>(width);
  map.depth = static_cast<float>(depth);
  map.texel = static_cast<float>(width / texels);
  map.softness = static_cast<float>(kReach * metre);
  return map;
}

glm::mat4 clip_from_world(const gpu::SceneUniforms& scene, const gpu::CascadeUniforms& cascade) {
  const glm::vec3 scale(2.0f / cascade.width, 2.0f / cascade.width, 1.0f / cascade.depth);
  glm::mat4 result(1.0f);
  for (int column = 0; column < 3; ++column)
    result[column] = {scene.light_x[column] * scale.x, scene.light_y[column] * scale.y, scene.light_z[column] * scale.z,
                      0.0f};
  result[3] = glm::vec4(-cascade.origin * scale - glm::vec3(1.0f, 1.0f, 0.0f), 1.0f);
  return result;
}

}  // namespace throng::detail::scene

namespace throng {

std::vector<glm::mat4> shadow_passes(const gpu::SceneUniforms& scene) {
  std::vector<glm::mat4> passes;
  for (std::uint32_t i = 0; i < scene.cascade_count; ++i)
    passes.push_back(detail::scene::clip_from_world(scene, scene.cascades[i]));
  if (scene.contact_map.width > 0.0f) passes.push_back(scene.contact_map.clip_from_world);
  return passes;
}

}  // namespace throng
