// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a vertex keeps of the bones that weigh on it: the four or eight strongest, rescaled to sum to one. What is cut
// or rescaled is counted.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "throng/import/import.h"

namespace throng::detail::import {

struct BoundWeight {
  std::uint16_t binding = 0;
  double weight = 0.0;  // above zero
};

// The arrays of Mesh of the same meaning. `more` has nothing but zeroes where four are kept.
struct KeptInfluences {
  Influences strongest;
  Influences more;
};

// `weights` has each binding once, the heaviest first, and is not empty. Until finish_repairs, mean_weight_dropped is
// the sum.
KeptInfluences keep_strongest(const std::vector<BoundWeight>& weights, std::size_t limit, Repairs& repairs);

// Bound to one thing alone.
KeptInfluences bound_rigidly(std::uint16_t binding);

void add_influences(const KeptInfluences& kept, Mesh& mesh);

// Takes extra_influences out again where no vertex has any.
void drop_unused_influences(Mesh& mesh);

void finish_repairs(Repairs& repairs);

// What is told of them, a sentence each, once they are finished. `limit`: of keep_strongest. `unweighted`: what
// vertices without weights are bound to ("the node of [its|their] mesh").
std::vector<std::string> notes_of(const Repairs& repairs, std::size_t limit, std::string_view unweighted);

// 4 or 8 are possible.
Result<void> check_influence_limit(const ImportSettings& settings);

}  // namespace throng::detail::import
