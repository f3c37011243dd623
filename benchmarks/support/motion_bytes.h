// SPDX-License-Identifier: Apache-2.0
#pragma once
// How few bytes the default bake takes for motion within a bound, over every model there is.

#include "measure.h"

namespace throng::bench {

// Prints the table and adds its rows; whether everything is within what is promised. A small run has one clip of one
// model, of which only the error is checked.
bool motion_table(const Options& options, Report& report);

}  // namespace throng::bench
