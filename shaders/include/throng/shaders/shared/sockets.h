// SPDX-License-Identifier: Apache-2.0
// Sockets of characters on the GPU: written once for C++ and GLSL. Layout std430.
#ifndef THRONG_SHADERS_SOCKETS_H
#define THRONG_SHADERS_SOCKETS_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kSocketGroupSize, 64u);
THRONG_CONSTANT(uint, kOnNoPart, 0xFFFFFFFFu);

// throng::BakedSocket.
struct SocketRecord {
  vec4 rotation;  // mesh_from_socket, x y z w
  vec3 position;
  uint bone;  // its column, or the first of its two items
  vec3 scale;
  uint part;  // that it is on, or kOnNoPart
};

// world_from_socket, as the three upper rows of its matrix. Of a socket on a part that is not worn: of no size.
struct SocketPlace {
  vec4 row_x;
  vec4 row_y;
  vec4 row_z;
};

struct SocketBatch {
  uvec2 now;
  uint instance_count;
  uint socket_count;
};

// What the pass for props is told.
struct DrawnSocketBatch {
  uint model;
  uint socket_count;
};

THRONG_NAMESPACE_END
#endif
