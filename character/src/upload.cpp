// SPDX-License-Identifier: Apache-2.0
#include "throng/character/upload.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "throng/character/character.h"

namespace throng {
namespace {

using gpu::ColumnRecord;
using gpu::LinkRecord;

constexpr std::size_t kTexelBytes = 16;  // of four words
static_assert(sizeof(LinkRecord) == gpu::kLinkTexels * kTexelBytes && offsetof(LinkRecord, scale) == 28 &&
              offsetof(LinkRecord, parent) == 32);
static_assert(sizeof(ColumnRecord) == gpu::kColumnTexels * kTexelBytes && offsetof(ColumnRecord, link) == 32);
static_assert(gpu::kTexelsInRow == 1u << gpu::kRowShift);

glm::vec4 to_vec4(const glm::dquat& q) {
  const glm::dquat unit = glm::normalize(q);
  return {unit.x, unit.y, unit.z, unit.w};
}

// Whole rows of them, one at least.
Texels texels_of(std::uint32_t texel_words, std::span<const std::span<const std::byte>> parts) {
  std::size_t bytes = 0;
  for (const std::span<const std::byte> part : parts) bytes += part.size();
  const std::size_t row_words = std::size_t{gpu::kTexelsInRow} * texel_words;
  const std::size_t rows = std::max<std::size_t>(1, (bytes / 4 + row_words - 1) / row_words);
  Texels texels{gpu::kTexelsInRow, static_cast<std::uint32_t>(rows), texel_words, {}};
  texels.words.resize(rows * row_words);
  std::byte* at = reinterpret_cast<std::byte*>(texels.words.data());
  for (const std::span<const std::byte> part : parts) {
    if (!part.empty()) std::memcpy(at, part.data(), part.size());
    at += part.size();
  }
  return texels;
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

Texels channel_texels(const Character& model) { return texels_of(1, std::array{std::as_bytes(model.channel_words())}); }

Texels skeleton_texels(const Character& model) {
  const std::vector<ColumnRecord> columns = column_records(model);
  const std::vector<LinkRecord> links = link_records(model);
  return texels_of(4, std::array{std::as_bytes(std::span(columns)), std::as_bytes(std::span(links))});
}

}  // namespace throng
