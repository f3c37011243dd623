// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bones that move alike in every clip need only one column.

#include "motion/column_sample_cache.h"

namespace throng::detail::bake {

// Joins columns that are never farther apart than a billionth, at the frames and half-way between them; renumbers
// bindings and sockets. Returns how many were saved.
std::size_t share_columns(ColumnSampleCache& cache, Columns& columns, Executor& executor);

}  // namespace throng::detail::bake
