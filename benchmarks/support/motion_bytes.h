// SPDX-License-Identifier: Apache-2.0
#pragma once
// How few bytes the default bake takes for motion within a bound, over every model there is.

#include <span>

#include "measure.h"
#include "models.h"

namespace throng::bench {

// Prints the table and adds its rows; whether everything is within what is promised. `models`: others of the shared
// folder join them. A small run has only those, and only the error is checked. `unchecked`: gets a line for each
// promise that could not be looked at, and each file that could not be read.
bool motion_table(const Options& options, std::span<const BenchModel> models, Report& report,
                  std::vector<std::string>& unchecked);

}  // namespace throng::bench
