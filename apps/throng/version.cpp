// SPDX-License-Identifier: Apache-2.0
#include "version.h"

#include <fmt/format.h>

#include "throng/import/import.h"

std::string version_text() {
  const std::string commit = build_facts::kCommit;
  return fmt::format("throng {}{}\nreads {}; films through ffmpeg; ragdolls: {}\nbuilt by {}", THRONG_VERSION,
                     commit.empty() ? "" : fmt::format(" (commit {})", commit), throng::model_formats(),
                     build_facts::kHasRagdolls ? "yes" : "no", build_facts::kCompiler);
}
