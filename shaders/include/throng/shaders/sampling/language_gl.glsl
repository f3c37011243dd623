// SPDX-License-Identifier: Apache-2.0
// What GLSL and ESSL say alike and others do not.
#ifndef THRONG_SHADERS_LANGUAGE_GL_GLSL
#define THRONG_SHADERS_LANGUAGE_GL_GLSL

#define THRONG_NAMESPACE_BEGIN
#define THRONG_NAMESPACE_END
#define THRONG_FUNCTION
#define THRONG_CONSTANT(type, name, value) const type name = value
#define THRONG_FLOAT(value) float(value)
#define THRONG_SQRT(value) sqrt(value)

// Matrices multiply columns from the left in every language; how they are made and taken apart differs.
mat3 mat3_of_columns(vec3 x, vec3 y, vec3 z) { return mat3(x, y, z); }
mat3 mat3_of_rows(vec3 x, vec3 y, vec3 z) { return transpose(mat3(x, y, z)); }
vec3 column_of(mat3 m, int index) { return m[index]; }
vec3 mat3_times(mat3 m, vec3 v) { return m * v; }

#endif
