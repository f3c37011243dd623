// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "jobs/jobs_kernels.h"
#include "jobs/soa_affine.h"
#include "jobs/soa_pose.h"

namespace throng::detail::animator::kernels {

using namespace soa;

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
