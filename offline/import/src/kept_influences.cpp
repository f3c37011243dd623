// SPDX-License-Identifier: Apache-2.0
#include "kept_influences.h"

#include <algorithm>
#include <cmath>

#include "throng/base/text.h"

namespace throng::detail::import {
namespace {

// A sum this far from one is worth a word; exporters round their weights, and 8-bit weights of four bones are off by no
// more through that.
constexpr double kWeightSumTolerance = 0.01;

double total(const std::vector<BoundWeight>& weights, std::size_t count) {
  double sum = 0.0;
  for (std::size_t i = 0; i < std::min(count, weights.size()); ++i) sum += weights[i].weight;
  return sum;
}

void count_repairs(std::size_t kept_count, std::size_t count, double all, double kept, Repairs& repairs) {
  if (std::abs(all - 1.0) > kWeightSumTolerance) ++repairs.weights_rescaled;
  if (count <= kept_count) return;
  const double dropped = (all - kept) / all;
  ++repairs.vertices_cut;
  repairs.influences_dropped += count - kept_count;
  repairs.mean_weight_dropped += dropped;
  repairs.most_weight_dropped = std::max(repairs.most_weight_dropped, dropped);
}

}  // namespace

KeptInfluences keep_strongest(const std::vector<BoundWeight>& weights, std::size_t limit, Repairs& repairs) {
  const double kept = total(weights, limit);
  count_repairs(limit, weights.size(), total(weights, weights.size()), kept, repairs);
  KeptInfluences out = bound_rigidly(weights.front().binding);
  for (std::size_t i = 0; i < std::min(limit, weights.size()); ++i) {
    Influences& influences = i < kInfluences ? out.strongest : out.more;
    influences.bindings[i % kInfluences] = weights[i].binding;
    influences.weights[i % kInfluences] = static_cast<float>(weights[i].weight / kept);
  }
  return out;
}

KeptInfluences bound_rigidly(std::uint16_t binding) {
  KeptInfluences out{bound_to(binding), {}};
  out.strongest.bindings.fill(binding);
  out.more.bindings.fill(binding);
  return out;
}

void add_influences(const KeptInfluences& kept, Mesh& mesh) {
  mesh.influences.push_back(kept.strongest);
  mesh.extra_influences.push_back(kept.more);
}

void drop_unused_influences(Mesh& mesh) {
  const auto& more = mesh.extra_influences;
  if (std::any_of(more.begin(), more.end(), [](const Influences& i) { return i.weights[0] > 0.0f; })) return;
  mesh.extra_influences = {};
}

void finish_repairs(Repairs& repairs) {
  if (repairs.vertices_cut > 0) repairs.mean_weight_dropped /= static_cast<double>(repairs.vertices_cut);
}

std::vector<std::string> notes_of(const Repairs& repairs, std::size_t limit, std::string_view unweighted) {
  std::vector<std::string> notes;
  if (repairs.vertices_cut > 0)
    notes.push_back(fmt::format(
        "{} more than {} influences; the {} strongest were kept, {:.2f} % of the weight was dropped on average, "
        "{:.2f} % at most",
        in_number(repairs.vertices_cut, "[vertex has|vertices have]"), limit, limit,
        100.0 * repairs.mean_weight_dropped, 100.0 * repairs.most_weight_dropped));
  const std::string bound = fmt::format("[vertex has|vertices have] no weight; bound to {}", unweighted);
  const std::pair<std::uint64_t, std::string_view> told[] = {
      {repairs.weights_rescaled, "[vertex has|vertices have] weights that do not sum to one; rescaled"},
      {repairs.vertices_unweighted, bound},
      {repairs.normals_fixed, "[normal has|normals have] no length; made to point up"}};
  for (const auto& [count, sentence] : told)
    if (count > 0) notes.push_back(in_number(count, sentence));
  return notes;
}

Result<void> check_influence_limit(const ImportSettings& settings) {
  if (settings.influences == kInfluences || settings.influences == kMostInfluences) return {};
  return fail("{} influences a vertex are asked for; {} or {} are possible", settings.influences, kInfluences,
              kMostInfluences);
}

}  // namespace throng::detail::import
