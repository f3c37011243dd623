// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where tests and benchmarks find files. The folders are known to paths.cpp alone, so that no other object depends on
// where the project lies, and a clone elsewhere finds what this one compiled.

#include <filesystem>

namespace throng::test {

// The root of the project.
std::filesystem::path source_folder();

// Models from elsewhere: the folder named by the environment's THRONG_SHARED, else the one the build was configured
// with. It may be missing.
std::filesystem::path shared_folder();

}  // namespace throng::test
