// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "jobs/even_turn.h"
#include "jobs/jobs_kernels.h"
#include "jobs/soa_affine.h"
#include "jobs/soa_pose.h"

namespace throng::detail::animator::kernels {

using namespace soa;

namespace {

Word4 mask_of(std::uint8_t lanes) {
  const Word4 bits = Word4{1, 2, 4, 8} & static_cast<std::uint32_t>(lanes);
  return std::bit_cast<Word4>(bits != 0u);
}

Quaternions4 load_eighths(const float* from) { return {load(from), load(from + 8), load(from + 16), load(from + 24)}; }

void store_lanes(float* to, Float4 value, std::uint8_t lanes) {
  store(to, lanes == kAllLanes ? value : (mask_of(lanes) ? value : load(to)));
}

}  // namespace

void mix_frames_narrow(const FramePair& frames, SoaTransform* locals) {
  const float* from = frames.from;
  const float* to = frames.to;
  const EvenTurn turn(frames.blend);
  for (const RotationRow& row : frames.clip.rotations) {
    for (std::size_t half = 0; half < 2 && row.groups[half] != kNoGroup; ++half) {
      const std::size_t first = 4 * half;
      const Quaternions4 a = load_eighths(from + first), b = load_eighths(to + first);
      const Float4 cosine = dot(a, b);
      const Float4 by = turn.at(absolute(cosine));
      const Quaternions4 mix = a * (1.0f - by) + b * (cosine < Float4{} ? -by : by);
      const Quaternions4 unit = mix * (1.0f / square_root(greatest(dot(mix, mix), splat(kNoLength))));
      auto& out = locals[row.groups[half]].rotation;
      store_lanes(out[0], unit.x, row.lanes[half]);
      store_lanes(out[1], unit.y, row.lanes[half]);
      store_lanes(out[2], unit.z, row.lanes[half]);
      store_lanes(out[3], unit.w, row.lanes[half]);
    }
    from += 32;
    to += 32;
  }
  const Float4 blend = splat(frames.blend);
  for (const auto& [rows, channel] : {std::pair(&frames.clip.translations, &SoaTransform::translation),
                                      std::pair(&frames.clip.scales, &SoaTransform::scale)}) {
    for (const ChannelRow& row : *rows) {
      auto& out = locals[row.group].*channel;
      for (int axis = 0; axis < 3; ++axis)
        store_lanes(out[axis], mixed(load(from + 4 * axis), load(to + 4 * axis), blend), row.lanes);
      from += 12;
      to += 12;
    }
  }
}

void sample_narrow(const KeyList& list, std::uint32_t key, float fraction, SoaTransform* locals) {
  const float* from = list.values.data() + key * list.row;
  const float* to = from + list.row;
  const Float4 f = splat(fraction);
  for (const std::uint32_t group : list.rotations) {
    const Quaternions4 rotation{mixed(load(from), load(to), f), mixed(load(from + 4), load(to + 4), f),
                                mixed(load(from + 8), load(to + 8), f), mixed(load(from + 12), load(to + 12), f)};
    store(locals[group].rotation, normalised(rotation));
    from += 16;
    to += 16;
  }
  for (const auto& [groups, channel] :
       {std::pair(&list.translations, &SoaTransform::translation), std::pair(&list.scales, &SoaTransform::scale)}) {
    for (const std::uint32_t group : *groups) {
      auto& out = locals[group].*channel;
      for (int axis = 0; axis < 3; ++axis) store(out[axis], mixed(load(from + 4 * axis), load(to + 4 * axis), f));
      from += 12;
      to += 12;
    }
  }
}

void blend_pair_narrow(const Pair& pair, std::size_t groups, SoaTransform* locals) {
  const Float4 wa = splat(pair.first_weight), wb = splat(pair.second_weight);
  for (std::size_t group = 0; group < groups; ++group) {
    const Lanes a = load(pair.first[group]);
    const Lanes b = load(pair.second[group]);
    const Quaternions4 rotation = a.rotation * wa + b.rotation * (dot(a.rotation, b.rotation) < Float4{} ? -wb : wb);
    store(locals[group], {a.translation * wa + b.translation * wb, normalised(rotation), a.scale * wa + b.scale * wb});
  }
}

void to_models_narrow(const SoaTransform* locals, std::span<const std::int32_t> parents, const Affine& model_from_root,
                      Affine* models) {
  Rows before = load_rows(model_from_root);  // the first bone's parent is −1: the one before it, so to say
  for (std::size_t first = 0; first < parents.size(); first += 4) {
    const FourRows matrices = matrices_of(locals[first / 4]);
    for (std::size_t bone = first; bone < std::min(first + 4, parents.size()); ++bone) {
      const std::int32_t parent = parents[bone];
      // Reading back what was just written would make every bone of a chain wait.
      if (parent != static_cast<std::int32_t>(bone) - 1) {
        before = load_rows(parent < 0 ? model_from_root : models[parent]);
      }
      before = product(before, matrices.bones[bone - first]);
      store(models[bone], before);
    }
  }
}

}  // namespace throng::detail::animator::kernels
