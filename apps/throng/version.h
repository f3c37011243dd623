// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which throng this is.

#include <string>

// The number, the commit it was built from where that is known, and what it was built with.
std::string version_text();

namespace build_facts {
// Facts of the build; the file that defines them is written by cmake/write_build_facts.cmake.
extern const char* const kCommit;  // "" where there is no repository
extern const char* const kCompiler;
extern const bool kHasRagdolls;
}  // namespace build_facts
