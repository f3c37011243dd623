#include "soa_affine.h"
#include "throng/animator/pose_jobs.h"

namespace throng {

using namespace soa;

bool LocalToModelJob::run() const {
  const std::size_t bones = rig.bone_count();
  if (locals.size() < rig.group_count() || models.size() < bones || from >= bones) return false;
  const std::int32_t* parents = rig.parents().data();
  const auto place = [&](const FourRows& matrices, std::size_t bone) {
    const std::int32_t parent = parents[bone];
    const Affine& base = parent < 0 ? model_from_root : models[static_cast<std::size_t>(parent)];
    store(models[bone], product(load_rows(base), matrices.bones[bone % 4]));
  };
  if (from == 0) {
    const std::size_t whole = bones / 4;
    for (std::size_t group = 0; group < whole; ++group) {
      const FourRows matrices = matrices_of(locals[group]);
      for (std::size_t lane = 0; lane < 4; ++lane) place(matrices, 4 * group + lane);
    }
    if (bones % 4 == 0) return true;
    const FourRows matrices = matrices_of(locals[whole]);
    for (std::size_t bone = 4 * whole; bone < bones; ++bone) place(matrices, bone);
    return true;
  }
  const std::uint32_t last = rig.last_below(from);
  for (std::uint32_t group = from / 4; group <= last / 4; ++group) {
    const FourRows matrices = matrices_of(locals[group]);
    for (std::uint32_t bone = std::max(4 * group, from); bone <= std::min(4 * group + 3, last); ++bone) {
      if (rig.is_below(bone, from)) place(matrices, bone);
    }
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
