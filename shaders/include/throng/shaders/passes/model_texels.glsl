// SPDX-License-Identifier: Apache-2.0
// Some of the buffers of set 1 as texels, for passes that are compiled with THRONG_TEXELS: drivers without a GPU read
// storage buffers number by number, thread by thread, in a loop, and texels four numbers of all threads at once.
#ifndef THRONG_SHADERS_MODEL_TEXELS_GLSL
#define THRONG_SHADERS_MODEL_TEXELS_GLSL

layout(set = 1, binding = 26) uniform usamplerBuffer instance_texels;
layout(set = 1, binding = 27) uniform usamplerBuffer play_texels;
layout(set = 1, binding = 28) uniform usamplerBuffer drawn_texels;
layout(set = 1, binding = 29) uniform usamplerBuffer view_list_texels;
layout(set = 1, binding = 30) uniform samplerBuffer palette_texels;
layout(set = 1, binding = 31) uniform usamplerBuffer pool_texels;
layout(set = 1, binding = 32) uniform usamplerBuffer vertex_texels;
layout(set = 1, binding = 33) uniform usamplerBuffer skin_vertex_texels;

#endif
