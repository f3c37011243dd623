#pragma once
// The shader-shared structures as C++ sees them, with their layout asserted.

#include <cstddef>
#include <type_traits>

#include "throng/shaders/records.h"
#include "throng/shaders/timing.h"

namespace throng {

using gpu::ClipRecord;
using gpu::Cursor;
using gpu::InstanceRecord;

static_assert(std::is_trivially_copyable_v<InstanceRecord> && sizeof(InstanceRecord) == 64);
static_assert(offsetof(InstanceRecord, rotation) == 16 && offsetof(InstanceRecord, clip) == 32);
static_assert(offsetof(InstanceRecord, phase) == 40 && offsetof(InstanceRecord, start) == 56);
static_assert(std::is_trivially_copyable_v<ClipRecord> && sizeof(ClipRecord) == 64);
static_assert(offsetof(ClipRecord, pivot_size) == 16 && offsetof(ClipRecord, first_frame) == 32);
static_assert(offsetof(ClipRecord, encoding) == 44 && offsetof(ClipRecord, table) == 60);

}  // namespace throng
