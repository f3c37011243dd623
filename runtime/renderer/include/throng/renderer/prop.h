// SPDX-License-Identifier: Apache-2.0
#pragma once
// A thing that characters carry: a mesh that hangs on a socket of every character of a model.

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

namespace throng {

// The triangles of such a thing, in the space of the socket it hangs on.
struct PropMesh {
  std::vector<glm::vec3> positions;  // in the socket's space
  std::vector<glm::vec3> normals;    // one per position
  std::vector<glm::vec3> colours;    // one per position, linear light
  std::vector<std::uint32_t> indices;
};

}  // namespace throng
