// SPDX-License-Identifier: Apache-2.0
// Where the passes that draw characters get their vertices from. Each is compiled for one of these: specialisation
// constants of drawn.glsl and drawn_surface.glsl. Written once for C++ and GLSL.
#ifndef THRONG_SHADERS_VERTEX_SOURCE_H
#define THRONG_SHADERS_VERTEX_SOURCE_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

// kVertexSource: of far characters.
THRONG_CONSTANT(uint, kVerticesAsDrawn, 0u);        // the pass that draws skins them itself
THRONG_CONSTANT(uint, kVerticesPooled, 1u);         // skin.comp has put them into the pool
THRONG_CONSTANT(uint, kVerticesAtRest, 2u);         // nobody skins them, for measuring
THRONG_CONSTANT(uint, kVerticesPooledOrDrawn, 3u);  // pooled where the pool had room, as drawn elsewhere

// kNearVertices: of near characters, which are in the pool always.
THRONG_CONSTANT(uint, kNoNearVertices, 0u);       // no near characters are drawn
THRONG_CONSTANT(uint, kNearWithoutTangents, 1u);  // no mesh of the model has any
THRONG_CONSTANT(uint, kNearWithTangents, 2u);

THRONG_NAMESPACE_END
#endif
