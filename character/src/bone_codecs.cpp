// SPDX-License-Identifier: Apache-2.0
#include "throng/character/codecs/bone_codecs.h"

#include "encodings/entry.h"

namespace throng {

using detail::character::entry_of;

void encode_bone(Encoding encoding, const BoneSample& sample, const ClipRange& range, std::span<std::uint32_t> words) {
  entry_of(encoding).encode_bone(sample, range, words);
}

BoneSample decode_bone(Encoding encoding, std::span<const std::uint32_t> words, const ClipRange& range) {
  return entry_of(encoding).decode_bone(words, range);
}

void encode_affine(Encoding encoding, const AffineSample& sample, const ClipRange& range,
                   std::span<std::uint32_t> words) {
  entry_of(encoding).encode_affine(sample, range, words);
}

AffineSample decode_affine(Encoding encoding, std::span<const std::uint32_t> words, const ClipRange& range) {
  return entry_of(encoding).decode_affine(words, range);
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

AffineSample interpolate(const AffineSample& from, const AffineSample& to, double blend) {
  return {from.linear * (1.0 - blend) + to.linear * blend, glm::mix(from.position, to.position, blend)};
}

}  // namespace throng
