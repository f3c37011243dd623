// SPDX-License-Identifier: Apache-2.0
// For the command line and the window: what precompiled_library.h has, the command line's parser, and JSON.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "precompiled_library.h"
