// SPDX-License-Identifier: Apache-2.0
// Characters that changed since the last image, on their way to the GPU: written once for C++ and GLSL.
#ifndef THRONG_SHADERS_CHANGES_H
#define THRONG_SHADERS_CHANGES_H
#include "throng/shaders/shared/records.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kChangeGroupSize, 64u);

struct ChangeRecord {
  InstanceRecord instance;
  PlayRecord play;
};

struct ChangeBatch {
  uint count;
  uint unused;
};

THRONG_NAMESPACE_END
#endif
