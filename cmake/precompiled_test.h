// SPDX-License-Identifier: Apache-2.0
// For the tests: what precompiled_library.h has, GoogleTest, and JSON, which many of them write files in.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "precompiled_library.h"
