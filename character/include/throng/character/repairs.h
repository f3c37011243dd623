// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an importer mended in a source file.

#include <cstdint>

namespace throng {

// Counted; zero everywhere: the file was as it should be.
struct Repairs {
  std::uint64_t weights_rescaled = 0;     // vertices whose weights did not sum to one
  std::uint64_t influences_dropped = 0;   // beyond the largest that were asked for: four of a vertex, or eight
  std::uint64_t vertices_cut = 0;         // that had more
  double most_weight_dropped = 0.0;       // of one vertex, of 1
  double mean_weight_dropped = 0.0;       // over the vertices cut
  std::uint64_t vertices_unweighted = 0;  // without any weight: bound to the first bone of their skin
  std::uint64_t quaternions_fixed = 0;    // rotation keys normalised
  std::uint64_t normals_fixed = 0;        // of zero length
  std::uint64_t faults_mended = 0;        // whatever else breaks a rule of its format; each kind has its note
};

}  // namespace throng
