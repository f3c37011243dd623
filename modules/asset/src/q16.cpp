#include "throng/asset/q16.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr double kSnormMax = 32767.0;
constexpr double kUnormMax = 65535.0;

std::uint32_t snorm16(double value) {
  return static_cast<std::uint16_t>(static_cast<std::int16_t>(std::round(std::clamp(value, -1.0, 1.0) * kSnormMax)));
}

std::uint32_t unorm16(double value) {
  return static_cast<std::uint32_t>(std::round(std::clamp(value, 0.0, 1.0) * kUnormMax));
}

// −32768 reads as −1, as unpackSnorm2x16 does it.
double from_snorm16(std::uint32_t bits) {
  return std::max(
      static_cast<double>(static_cast<std::int16_t>(static_cast<std::uint16_t>(bits & 0xFFFFu))) / kSnormMax, -1.0);
}

double from_unorm16(std::uint32_t bits) { return static_cast<double>(bits & 0xFFFFu) / kUnormMax; }

double fraction_of(double value, double whole) { return whole > 0.0 ? value / whole : 0.0; }

}  // namespace

Texel encode_q16(const BoneSample& sample, const Q16Range& range) {
  const glm::dquat& q = sample.rotation;
  glm::dvec3 p;
  for (int axis = 0; axis < 3; ++axis) {
    p[axis] = fraction_of(sample.position[axis] - range.pivot_min[axis], range.pivot_size[axis]);
  }
  return {snorm16(q.x) | snorm16(q.y) << 16, snorm16(q.z) | snorm16(q.w) << 16, unorm16(p.x) | unorm16(p.y) << 16,
          unorm16(p.z) | unorm16(fraction_of(sample.scale, range.scale_max)) << 16};
}

BoneSample decode_q16(const Texel& texel, const Q16Range& range) {
  BoneSample sample;
  sample.rotation = glm::dquat(from_snorm16(texel.y >> 16), from_snorm16(texel.x), from_snorm16(texel.x >> 16),
                               from_snorm16(texel.y));
  const glm::dvec3 p(from_unorm16(texel.z), from_unorm16(texel.z >> 16), from_unorm16(texel.w));
  sample.position = range.pivot_min + p * range.pivot_size;
  sample.scale = from_unorm16(texel.w >> 16) * range.scale_max;
  return sample;
}

BoneSample interpolate(const BoneSample& from, const BoneSample& to, double blend) {
  const double side = glm::dot(from.rotation, to.rotation) < 0.0 ? -1.0 : 1.0;
  const glm::dquat mixed = from.rotation * (1.0 - blend) + to.rotation * (side * blend);
  const double length = glm::length(mixed);
  BoneSample sample;
  if (length > 0.0) sample.rotation = mixed / length;
  sample.position = glm::mix(from.position, to.position, blend);
  sample.scale = glm::mix(from.scale, to.scale, blend);
  return sample;
}

}  // namespace throng
