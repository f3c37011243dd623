// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "jobs/jobs_kernels.h"
#include "jobs/soa_pose.h"
#include "throng/animator/pose_jobs.h"

namespace throng {

using namespace detail::animator;

namespace {

using namespace soa;

// Weights that sum to less leave a bone at rest: dividing by them would make noise of rounding.
constexpr float kNearlyNothing = 1e-6f;

float usable(float weight) { return weight > 0.0f && weight <= std::numeric_limits<float>::max() ? weight : 0.0f; }

// What weights are multiplied by so that no sum of theirs leaves a float's range: by 1 where none is above 1.
float shrinking(std::span<const BlendInput> inputs) {
  float largest = 1.0f;
  for (const BlendInput& input : inputs) largest = std::max(largest, usable(input.weight));
  return 1.0f / largest;
}

// The sum that counts as nearly nothing for weights that were shrunk so.
float nearly_nothing(float shrink) { return std::max(kNearlyNothing * shrink, std::numeric_limits<float>::min()); }

bool fits(const BlendJob& job, const BlendInput& input) {
  return input.locals.size() >= job.rig.group_count() && mask_fits(job.rig, input.mask) &&
         morphs_fit(job.rig, input.morphs);
}

void blend_group(std::span<const BlendInput> inputs, float shrink, std::size_t group, const SoaTransform& rest,
                 SoaTransform& out) {
  Lanes sum{};
  Float4 total{};
  const Quaternions4 first = load_quaternions(inputs[0].locals[group].rotation);
  for (const BlendInput& input : inputs) {
    const Float4 weight = splat(shrink * usable(input.weight)) * masked(input.mask, group);
    const Lanes lanes = load(input.locals[group]);
    total += weight;
    sum.translation = sum.translation + lanes.translation * weight;
    sum.scale = sum.scale + lanes.scale * weight;
    sum.rotation = sum.rotation + lanes.rotation * (dot(first, lanes.rotation) < Float4{} ? -weight : weight);
  }
  const auto some = total > splat(nearly_nothing(shrink));
  const Float4 share = splat(1.0f) / (some ? total : splat(1.0f));
  const Lanes still = load(rest);
  store(out, {chosen(some, sum.translation * share, still.translation),
              chosen(some, unit_or(sum.rotation * share, first), still.rotation),
              chosen(some, sum.scale * share, still.scale)});
}

// Two whole poses, the usual case, need none of the above's care. Returns whether that was it.
bool blend_pair(const BlendJob& job, std::size_t groups) {
  if (job.inputs.size() != 2 || !job.inputs[0].mask.empty() || !job.inputs[1].mask.empty()) return false;
  const float first = usable(job.inputs[0].weight), second = usable(job.inputs[1].weight);
  const double total = static_cast<double>(first) + static_cast<double>(second);
  if (!(total > static_cast<double>(kNearlyNothing))) return false;
  const kernels::Pair pair{job.inputs[0].locals.data(), job.inputs[1].locals.data(),
                           static_cast<float>(static_cast<double>(first) / total),
                           static_cast<float>(static_cast<double>(second) / total)};
  (kernels::has_wide() ? kernels::blend_pair_wide : kernels::blend_pair_narrow)(pair, groups, job.locals.data());
  return true;
}

void blend_morphs(const BlendJob& job, float shrink) {
  float total = 0.0f;
  for (const BlendInput& input : job.inputs) total += shrink * usable(input.weight);
  const auto rest = job.rig.rest_morphs();
  for (std::size_t i = 0; i < rest.size(); ++i) {
    float sum = 0.0f;
    for (const BlendInput& input : job.inputs) {
      sum += shrink * usable(input.weight) * (input.morphs.empty() ? rest[i] : input.morphs[i]);
    }
    job.morphs[i] = total > nearly_nothing(shrink) ? sum / total : rest[i];
  }
}

}  // namespace

bool BlendJob::run() const {
  if (locals.size() < rig.group_count() || !morphs_fit(rig, morphs)) return false;
  if (!std::all_of(inputs.begin(), inputs.end(), [&](const BlendInput& input) { return fits(*this, input); })) {
    return false;
  }
  const auto rest = rig.rest();
  const float shrink = shrinking(inputs);
  if (inputs.empty()) {
    std::copy(rest.begin(), rest.end(), locals.begin());
  } else if (!blend_pair(*this, rest.size())) {
    for (std::size_t group = 0; group < rest.size(); ++group)
      blend_group(inputs, shrink, group, rest[group], locals[group]);
  }
  if (!morphs.empty()) blend_morphs(*this, shrink);
  return true;
}

}  // namespace throng
