// How a skinned vertex lies in the pool between the skinning pass and the passes that draw: four words, position and
// normal; and one more, elsewhere, for the tangent of models that have them. In world space.
#ifndef THRONG_SHADERS_POOL_H
#define THRONG_SHADERS_POOL_H
#include "throng/shaders/language.h"

THRONG_NAMESPACE_BEGIN
THRONG_CONSTANT(uint, kPoolWords, 4u);
THRONG_NAMESPACE_END

#endif
