// SPDX-License-Identifier: Apache-2.0
#include "throng/plan/level_quality.h"

#include <algorithm>

namespace throng {
namespace {

constexpr double kOfTheError = 0.25;  // of a level's own error, what fewer bones may add
constexpr std::uint32_t kAllBones = 4;

// How far a level's shape is off, with all bones followed.
double shape_error(const Character& model, std::size_t level) {
  return level == 0 ? 0.0 : model.levels()[level - 1].error;
}

const std::optional<FewerBones>& fewer_bones(const Character& model, std::size_t level) {
  return level == 0 ? model.fewer_bones() : model.levels()[level - 1].fewer_bones;
}

double moved_by(const Character& model, std::size_t level, std::uint32_t bones) {
  const std::optional<FewerBones>& moved = fewer_bones(model, level);
  return moved && bones < kAllBones ? (*moved)[bones - 1] : 0.0;
}

std::uint32_t fewest_bones(const Character& model, std::size_t level) {
  if (!fewer_bones(model, level)) return kAllBones;
  std::uint32_t bones = 1;
  while (bones < kAllBones && moved_by(model, level, bones) > kOfTheError * shape_error(model, level)) ++bones;
  return bones;
}

}  // namespace

LevelQualities qualities_of(const Character& model, const LevelQualities& asked) {
  LevelQualities out = asked;
  for (std::size_t level = 0; level < out.size(); ++level) {
    std::uint32_t& bones = out[level].bones;
    if (bones == 0 && level <= model.levels().size()) bones = fewest_bones(model, level);
    bones = std::clamp(bones, 1u, kAllBones);
  }
  return out;
}

double level_error(const Character& model, std::size_t level, std::uint32_t bones) {
  return shape_error(model, level) + moved_by(model, level, bones);
}

}  // namespace throng
