#include <algorithm>
#include <limits>

#include "soa_pose.h"
#include "throng/animator/pose_jobs.h"

namespace throng {
namespace {

using namespace soa;

// Weights that sum to less leave a bone at rest: dividing by them would make noise of rounding.
constexpr float kNearlyNothing = 1e-6f;

float usable(float weight) { return weight > 0.0f && weight <= std::numeric_limits<float>::max() ? weight : 0.0f; }

bool fits(const BlendJob& job, const BlendInput& input) {
  return input.locals.size() >= job.rig.group_count() && mask_fits(job.rig, input.mask) &&
         morphs_fit(job.rig, input.morphs);
}

SoaTransform blended(std::span<const BlendInput> inputs, std::size_t group, const SoaTransform& rest) {
  Lanes sum{};
  Float4 total{};
  const Quaternion first = load_quaternion(inputs[0].locals[group].rotation);
  for (const BlendInput& input : inputs) {
    const Float4 weight = splat(usable(input.weight)) * masked(input.mask, group);
    const Lanes lanes = load(input.locals[group]);
    total += weight;
    sum.translation = sum.translation + lanes.translation * weight;
    sum.scale = sum.scale + lanes.scale * weight;
    sum.rotation = sum.rotation + lanes.rotation * (dot(first, lanes.rotation) < Float4{} ? -weight : weight);
  }
  const auto some = total > splat(kNearlyNothing);
  const Float4 share = splat(1.0f) / (some ? total : splat(1.0f));
  const Lanes still = load(rest);
  SoaTransform out;
  store(out, {chosen(some, sum.translation * share, still.translation),
              chosen(some, unit_or(sum.rotation * share, first), still.rotation),
              chosen(some, sum.scale * share, still.scale)});
  return out;
}

void blend_morphs(const BlendJob& job) {
  float total = 0.0f;
  for (const BlendInput& input : job.inputs) total += usable(input.weight);
  const auto rest = job.rig.rest_morphs();
  for (std::size_t i = 0; i < rest.size(); ++i) {
    float sum = 0.0f;
    for (const BlendInput& input : job.inputs) {
      sum += usable(input.weight) * (input.morphs.empty() ? rest[i] : input.morphs[i]);
    }
    job.morphs[i] = total > kNearlyNothing ? sum / total : rest[i];
  }
}

}  // namespace

bool BlendJob::run() const {
  if (locals.size() < rig.group_count() || !morphs_fit(rig, morphs)) return false;
  if (!std::all_of(inputs.begin(), inputs.end(), [&](const BlendInput& input) { return fits(*this, input); })) {
    return false;
  }
  const auto rest = rig.rest();
  for (std::size_t group = 0; group < rest.size(); ++group) {
    locals[group] = inputs.empty() ? rest[group] : blended(inputs, group, rest[group]);
  }
  if (!morphs.empty()) blend_morphs(*this);
  return true;
}

}  // namespace throng
