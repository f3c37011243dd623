#include <cmath>

#include "throng/playback/deform.h"

namespace throng {

glm::dmat4 world_from_model(const InstanceRecord& instance) {
  const gpu::vec4 q = gpu::unpack_rotation(instance.rotation);
  const glm::dmat3 turn = glm::mat3_cast(glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)));
  glm::dmat4 matrix(turn * static_cast<double>(instance.scale));
  matrix[3] = glm::dvec4(instance.position, 1.0);
  return matrix;
}

SocketPlace place_of(const glm::dmat4& matrix) {
  SocketPlace place;
  place.matrix = matrix;
  place.position = glm::dvec3(matrix[3]);
  const glm::dmat3 linear(matrix);
  place.scale = std::cbrt(glm::determinant(linear));
  // +Z is taken at its word, and +X as far as it is at right angles to it; a mirror turns both round.
  const double side = place.scale < 0.0 ? -1.0 : 1.0;
  const double z_length = glm::length(linear[2]);
  if (!(z_length > 0.0)) return place;
  const glm::dvec3 z = linear[2] * (side / z_length);
  const glm::dvec3 flat = side * (linear[0] - z * glm::dot(z, linear[0]));
  const double x_length = glm::length(flat);
  if (!(x_length > 0.0)) return place;
  const glm::dvec3 x = flat / x_length;
  place.rotation = glm::normalize(glm::quat_cast(glm::dmat3(x, glm::cross(z, x), z)));
  return place;
}

}  // namespace throng
