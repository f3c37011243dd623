// SPDX-License-Identifier: Apache-2.0
// What layers do to a pose: take its place, and differ from it.

#include <algorithm>
#include <cmath>

#include "jobs/soa_pose.h"
#include "throng/animator/pose_jobs.h"

namespace throng {

using namespace detail::animator;

namespace {

using namespace soa;

// A difference is added at most this many times over: rotations repeat, so more says nothing, and lengths would leave
// a float's range.
constexpr int kMostTimes = 16;

float or_none(float weight) { return std::isfinite(weight) ? weight : 0.0f; }

template <class Job>
bool fits(const Job& job, std::span<const SoaTransform> a, std::span<const SoaTransform> b,
          std::span<const float> a_morphs, std::span<const float> b_morphs) {
  const std::size_t groups = job.rig.group_count();
  return a.size() >= groups && b.size() >= groups && job.locals.size() >= groups && morphs_fit(job.rig, a_morphs) &&
         morphs_fit(job.rig, b_morphs) && morphs_fit(job.rig, job.morphs);
}

// The side of `rotation` that is nearer to `than`: the same rotation by the short arc.
Quaternions4 nearer(const Quaternions4& rotation, const Quaternions4& than) {
  return rotation * (dot(rotation, than) < Float4{} ? splat(-1.0f) : splat(1.0f));
}

Quaternions4 identity() { return {Float4{}, Float4{}, Float4{}, splat(1.0f)}; }

// Both ends are given back exactly.
Vectors4 between(const Vectors4& from, const Vectors4& to, Float4 weight) {
  return from * (splat(1.0f) - weight) + to * weight;
}
Quaternions4 between(const Quaternions4& from, const Quaternions4& to, Float4 weight) {
  return unit_or(from * (splat(1.0f) - weight) + nearer(to, from) * weight, from);
}

Float4 over_nonzero(Float4 a, Float4 b) {
  const auto zero = b == Float4{};
  return zero ? splat(1.0f) : a / (zero ? splat(1.0f) : b);
}

// The rotation done `times` times, which need not be whole, and backwards for fewer than none: whole turns one after
// another and the part of one that is left.
Quaternions4 repeated(const Quaternions4& rotation, Float4 times) {
  const auto back = times < Float4{};
  const Quaternions4 step = chosen(back, conjugate(rotation), rotation);
  Float4 left = back ? -times : times;
  Quaternions4 out = identity();
  for (int i = 0; i < kMostTimes; ++i) {
    out = out * between(identity(), step, least(left, splat(1.0f)));
    left = greatest(left - splat(1.0f), Float4{});
    if (left[0] + left[1] + left[2] + left[3] <= 0.0f) break;
  }
  return out;
}

}  // namespace

bool OverrideJob::run() const {
  if (!fits(*this, under, over, under_morphs, over_morphs) || !mask_fits(rig, mask)) return false;
  const float most = std::clamp(or_none(weight), 0.0f, 1.0f);
  for (std::size_t group = 0; group < rig.group_count(); ++group) {
    const Float4 share = splat(most) * masked(mask, group);
    const Lanes a = load(under[group]);
    const Lanes b = load(over[group]);
    store(locals[group], {between(a.translation, b.translation, share), between(a.rotation, b.rotation, share),
                          between(a.scale, b.scale, share)});
  }
  const auto rest = rig.rest_morphs();
  for (std::size_t i = 0; !morphs.empty() && i < rest.size(); ++i) {
    const float a = under_morphs.empty() ? rest[i] : under_morphs[i];
    morphs[i] = over_morphs.empty() ? a : a * (1.0f - most) + over_morphs[i] * most;
  }
  return true;
}

bool DifferenceJob::run() const {
  if (!fits(*this, reference, pose, reference_morphs, pose_morphs)) return false;
  for (std::size_t group = 0; group < rig.group_count(); ++group) {
    const Lanes a = load(reference[group]);
    const Lanes b = load(pose[group]);
    const Vectors4 ratio{over_nonzero(b.scale.x, a.scale.x), over_nonzero(b.scale.y, a.scale.y),
                         over_nonzero(b.scale.z, a.scale.z)};
    const Quaternions4 rotation = unit_or(conjugate(a.rotation) * b.rotation, identity());
    store(locals[group], {b.translation - a.translation, nearer(rotation, identity()), ratio});
  }
  const auto rest = rig.rest_morphs();
  for (std::size_t i = 0; !morphs.empty() && i < rest.size(); ++i) {
    morphs[i] =
        (pose_morphs.empty() ? rest[i] : pose_morphs[i]) - (reference_morphs.empty() ? rest[i] : reference_morphs[i]);
  }
  return true;
}

bool AddJob::run() const {
  if (!fits(*this, under, difference, under_morphs, difference_morphs) || !mask_fits(rig, mask)) return false;
  const float times = std::clamp(or_none(weight), -static_cast<float>(kMostTimes), static_cast<float>(kMostTimes));
  const Float4 one = splat(1.0f);
  for (std::size_t group = 0; group < rig.group_count(); ++group) {
    const Float4 share = splat(times) * masked(mask, group);
    const Lanes a = load(under[group]);
    const Lanes d = load(difference[group]);
    const Vectors4 grown = between({one, one, one}, d.scale, share);
    store(locals[group],
          {a.translation + d.translation * share,
           unit_or(a.rotation * repeated(nearer(d.rotation, identity()), share), a.rotation), a.scale * grown});
  }
  const auto rest = rig.rest_morphs();
  for (std::size_t i = 0; !morphs.empty() && i < rest.size(); ++i) {
    const float a = under_morphs.empty() ? rest[i] : under_morphs[i];
    morphs[i] = a + (difference_morphs.empty() ? 0.0f : difference_morphs[i] * times);
  }
  return true;
}

}  // namespace throng
