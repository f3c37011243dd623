#pragma once
// Bones that move alike in every clip need only one column.

#include "motions.h"

namespace throng {

// Joins columns that are never farther apart than a billionth, at the frames and half-way between them; renumbers
// bindings and sockets. Returns how many were saved.
std::size_t share_columns(Motions& motions, Columns& columns, Executor& executor);

}  // namespace throng
