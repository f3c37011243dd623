// What skin.comp is told for one batch of instances, written once for C++ and GLSL: its push constants, its group size
// and what it writes. Layout std430.
#ifndef THRONG_SHADERS_SKIN_BATCH_H
#define THRONG_SHADERS_SKIN_BATCH_H
#include "throng/shaders/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kSkinGroupSize, 64u);       // vertices
THRONG_CONSTANT(uint, kSkinnedVertexFloats, 6u);  // position, then normal

struct SkinBatch {
  uvec2 now;  // ticks, (low, high)
  uint first_instance;
  uint vertex_count;  // of one instance
  uint world_space;   // 1 or 0: model space
};

THRONG_NAMESPACE_END

#ifdef __cplusplus
#include <cstddef>
#include <type_traits>
namespace throng::gpu {
// C++ pads nothing behind the last number; std430 would, but no byte of a push constant is read there.
static_assert(std::is_trivially_copyable_v<SkinBatch> && sizeof(SkinBatch) == 20);
static_assert(offsetof(SkinBatch, first_instance) == 8 && offsetof(SkinBatch, world_space) == 16);
}  // namespace throng::gpu
#endif
#endif
