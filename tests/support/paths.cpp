// SPDX-License-Identifier: Apache-2.0
#include "paths.h"

#include <cstdlib>

namespace throng::test {

std::filesystem::path source_folder() { return THRONG_SOURCE_DIR; }

std::filesystem::path shared_folder() {
  const char* const named = std::getenv("THRONG_SHARED");
  return named != nullptr ? named : THRONG_SHARED_DIR;
}

}  // namespace throng::test
