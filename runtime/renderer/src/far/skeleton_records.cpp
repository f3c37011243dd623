// SPDX-License-Identifier: Apache-2.0
#include "far/skeleton_records.h"

#include <cstddef>

#include "throng/character/skeleton.h"

namespace throng::detail::renderer {
namespace {

using gpu::ColumnRecord;
using gpu::LinkRecord;

static_assert(sizeof(LinkRecord) == 48 && offsetof(LinkRecord, scale) == 28 && offsetof(LinkRecord, parent) == 32);
static_assert(sizeof(ColumnRecord) == 48 && offsetof(ColumnRecord, link) == 32);
// What the smallest device has for a group to share.
static_assert(gpu::kMostSharedLinks * (2 * sizeof(glm::vec4) + sizeof(std::uint32_t)) <= 16384);

glm::vec4 to_vec4(const glm::dquat& q) {
  const glm::dquat unit = glm::normalize(q);
  return {unit.x, unit.y, unit.z, unit.w};
}

}  // namespace

std::vector<LinkRecord> link_records(const Character& model) {
  std::vector<LinkRecord> records;
  for (const PoseLink& link : model.skeleton()) {
    LinkRecord record{};
    record.rotation = to_vec4(link.rest.rotation);
    record.position = glm::vec3(link.rest.position);
    record.scale = static_cast<float>(link.rest.scale);
    record.parent = link.parent.value_or(gpu::kNoLink);
    record.rotation_slot = link.rotation_slot.value_or(gpu::kNoSlot);
    record.translation_slot = link.translation_slot.value_or(gpu::kNoSlot);
    record.scale_slot = link.scale_slot.value_or(gpu::kNoSlot);
    records.push_back(record);
  }
  return records;
}

std::vector<ColumnRecord> column_records(const Character& model) {
  std::vector<ColumnRecord> records;
  for (const BakedBone& bone : model.bones()) {
    ColumnRecord record{};
    record.rotation = to_vec4(bone.link_from_mesh.rotation);
    record.position = glm::vec3(bone.link_from_mesh.position);
    record.scale = static_cast<float>(bone.link_from_mesh.scale);
    record.link = bone.link;
    const glm::vec3 origin(link_origin(bone));
    record.origin_x = origin.x;
    record.origin_y = origin.y;
    record.origin_z = origin.z;
    records.push_back(record);
  }
  return records;
}

}  // namespace throng::detail::renderer
