// SPDX-License-Identifier: Apache-2.0
#pragma once
// The shader-shared structures as C++ sees them, with their layout asserted.

#include <cstddef>
#include <type_traits>

#include "throng/shaders/shared/records.h"
#include "throng/shaders/shared/rotation.h"
#include "throng/shaders/shared/timing.h"

namespace throng {

using gpu::ClipRecord;
using gpu::Cursor;
using gpu::InstanceRecord;
using gpu::PlayRecord;
using gpu::TrackRecord;

static_assert(std::is_trivially_copyable_v<InstanceRecord> && sizeof(InstanceRecord) == 32);
static_assert(offsetof(InstanceRecord, rotation) == 16 && offsetof(InstanceRecord, tint) == 28);
static_assert(std::is_trivially_copyable_v<TrackRecord> && sizeof(TrackRecord) == 32);
static_assert(offsetof(TrackRecord, phase) == 8 && offsetof(TrackRecord, start) == 24);
static_assert(std::is_trivially_copyable_v<PlayRecord> && sizeof(PlayRecord) == 96);
static_assert(offsetof(PlayRecord, previous) == 32 && offsetof(PlayRecord, identity) == 80 &&
              offsetof(PlayRecord, hidden_parts) == 88);
static_assert(std::is_trivially_copyable_v<ClipRecord> && sizeof(ClipRecord) == 64);
static_assert(offsetof(ClipRecord, pivot_size) == 16 && offsetof(ClipRecord, first_frame) == 32);
static_assert(offsetof(ClipRecord, encoding) == 44 && offsetof(ClipRecord, table) == 60);

}  // namespace throng
