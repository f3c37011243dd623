// SPDX-License-Identifier: Apache-2.0
// An animation texture of a classic layout, read by its plain formulas and by nothing of the library: RGBA16F texels at
// normalised coordinates, y = frame. One body for GLSL and ESSL.
//   bones:    x = bone · 2 + channel, a quaternion and a translation; or x = bone · 3 + row, three rows of a matrix
//   vertices: linear = vertex · 2 + channel, x = linear mod width, y = frame · rowsPerFrame + linear / width
// A clip says in which texture it is and at which row it begins. Textures of a fixed size are filled frame by frame: a
// frame is in texture ⌊frame / framesPerTexture⌋ behind that.

vec4 sample_anim(vec2 coordinates, float layer);  // the texel there, unfiltered: the includer's

struct Anim {
  vec2 size;             // of a texture, texels
  int rows_per_frame;    // of vertices
  int frames_per_layer;  // that fit in a texture
  int layer;             // the clip's first
};

struct AnimVertex {
  vec3 position;
  vec3 normal;
};

vec4 anim_texel(Anim anim, int linear, int frame) {
  int width = int(anim.size.x);
  vec2 pixel = vec2(linear % width, (frame % anim.frames_per_layer) * anim.rows_per_frame + linear / width);
  return sample_anim((pixel + 0.5) / anim.size, float(anim.layer + frame / anim.frames_per_layer));
}

// Transposed: its columns are the rows of the matrix, as those of rows_of_bone are.
mat4 matrix_of_quaternion(vec4 q, vec3 t) {
  vec3 d = 2.0 * q.xyz;
  vec3 s = d * q.xyz;
  vec3 w = d * q.w;
  float xy = d.x * q.y, xz = d.x * q.z, yz = d.y * q.z;
  return mat4(vec4(1.0 - s.y - s.z, xy - w.z, xz + w.y, t.x), vec4(xy + w.z, 1.0 - s.x - s.z, yz - w.x, t.y),
              vec4(xz - w.y, yz + w.x, 1.0 - s.x - s.y, t.z), vec4(0.0, 0.0, 0.0, 1.0));
}

// The short way round: q and −q are one rotation, and keeping w above 0 does not keep neighbours together.
mat4 rigid_bone(Anim anim, int bone, int frame, int next, float blend) {
  vec4 q0 = anim_texel(anim, bone * 2, frame);
  vec4 q1 = anim_texel(anim, bone * 2, next);
  vec3 t0 = anim_texel(anim, bone * 2 + 1, frame).xyz;
  vec3 t1 = anim_texel(anim, bone * 2 + 1, next).xyz;
  return matrix_of_quaternion(normalize(mix(q0, dot(q0, q1) < 0.0 ? -q1 : q1, blend)), mix(t0, t1, blend));
}

mat4 rows_of_bone(Anim anim, int bone, int frame) {
  return mat4(anim_texel(anim, bone * 3, frame), anim_texel(anim, bone * 3 + 1, frame),
              anim_texel(anim, bone * 3 + 2, frame), vec4(0.0, 0.0, 0.0, 1.0));
}

mat4 moved_bone(Anim anim, bool rows, int bone, int frame, int next, float blend) {
  if (!rows) return rigid_bone(anim, bone, frame, next, blend);
  return rows_of_bone(anim, bone, frame) * (1.0 - blend) + rows_of_bone(anim, bone, next) * blend;
}

AnimVertex skinned_vertex(Anim anim, bool rows, AnimVertex vertex, ivec4 bones, vec4 weights, int frame, int next,
                          float blend) {
  mat4 sum = mat4(0.0);
  for (int i = 0; i < 4; ++i) sum += moved_bone(anim, rows, bones[i], frame, next, blend) * weights[i];
  mat4 columns = transpose(sum);
  return AnimVertex((columns * vec4(vertex.position, 1.0)).xyz, normalize(mat3(columns) * vertex.normal));
}

AnimVertex stored_vertex(Anim anim, int vertex, int frame, int next, float blend) {
  vec3 position = mix(anim_texel(anim, vertex * 2, frame).xyz, anim_texel(anim, vertex * 2, next).xyz, blend);
  vec3 normal = mix(anim_texel(anim, vertex * 2 + 1, frame).xyz, anim_texel(anim, vertex * 2 + 1, next).xyz, blend);
  return AnimVertex(position, normalize(normal));
}
