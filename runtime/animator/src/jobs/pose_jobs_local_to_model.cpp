// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "jobs/jobs_kernels.h"
#include "jobs/soa_affine.h"
#include "throng/animator/pose_jobs.h"

namespace throng {

using namespace detail::animator;

namespace {

using namespace soa;

void renew_below(const LocalToModelJob& job) {
  const auto parents = job.rig.parents();
  const std::uint32_t last = job.rig.last_below(job.from);
  for (std::uint32_t group = job.from / 4; group <= last / 4; ++group) {
    const FourRows matrices = matrices_of(job.locals[group]);
    for (std::uint32_t bone = std::max(4 * group, job.from); bone <= std::min(4 * group + 3, last); ++bone) {
      if (!job.rig.is_below(bone, job.from)) continue;
      const std::int32_t parent = parents[bone];
      const Affine& base = parent < 0 ? job.model_from_root : job.models[static_cast<std::size_t>(parent)];
      store(job.models[bone], product(load_rows(base), matrices.bones[bone % 4]));
    }
  }
}

}  // namespace

bool LocalToModelJob::run() const {
  const auto parents = rig.parents();
  if (4 * locals.size() < parents.size() || models.size() < parents.size() || from >= parents.size()) return false;
  if (from != 0) {
    renew_below(*this);
  } else if (kernels::has_wide()) {
    kernels::to_models_wide(locals.data(), parents, model_from_root, models.data());
  } else {
    kernels::to_models_narrow(locals.data(), parents, model_from_root, models.data());
  }
  return true;
}

bool PaletteJob::run() const {
  const auto bound = rig.bound_bones();
  if (models.size() < rig.bone_count() || palette.size() < bound.size()) return false;
  const auto bone_from_meshes = rig.bone_from_meshes();
  for (std::size_t i = 0; i < bound.size(); ++i) {
    store(palette[i], product(load_rows(models[bound[i]]), load_rows(bone_from_meshes[i])));
  }
  return true;
}

}  // namespace throng
