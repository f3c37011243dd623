// SPDX-License-Identifier: Apache-2.0
#include "check/draft.h"
#include "check/values.h"
#include "throng/base/try.h"

namespace throng::detail::character {
namespace {

Result<void> check_groups(const CharacterDraft& model) {
  PartMask grouped;
  for (const PartGroup& group : model.part_groups) {
    if (group.parts.empty()) return fail("the group '{}' has no parts", group.name);
    if (group.only_asked >= group.parts.size())
      return fail("the group '{}' keeps {} of its {} parts for the asking; one must be left", group.name,
                  group.only_asked, group.parts.size());
    for (const PartId part : group.parts) {
      if (part.value >= model.parts.size())
        return fail("the group '{}' names part {} of {}", group.name, part.value, model.parts.size());
      if (!grouped.has(part)) return fail("part '{}' is in two groups", model.parts[part.value].name);
      grouped.take_off(part);
    }
  }
  return {};
}

// So that a triangle is worn or not as a whole.
Result<void> check_whole_triangles(const CharacterDraft& model, const std::vector<BakedDraw>& draws) {
  std::uint64_t drawn = 0;
  for (const BakedDraw& draw : draws) drawn += draw.index_count;
  if (drawn > model.indices.size()) return fail("draws that overlap");
  for (const BakedDraw& draw : draws) {
    const std::span<const std::uint32_t> indices = model.indices.subspan(draw.first_index, draw.index_count);
    for (std::size_t i = 0; i < indices.size(); i += 3) {
      const auto corner = [&](std::size_t k) { return model.vertex_parts[indices[i + k]]; };
      if (corner(0) != corner(1) || corner(0) != corner(2))
        return fail("the triangle at index {} is of several parts", draw.first_index + i);
    }
  }
  return {};
}

Result<void> check_vertex_parts(const CharacterDraft& model) {
  if (model.vertex_parts.size() != model.vertices.size())
    return fail("{} of {} vertices have a part", model.vertex_parts.size(), model.vertices.size());
  for (const std::uint8_t part : model.vertex_parts)
    if (part >= model.parts.size()) return fail("a vertex is of part {} of {}", part, model.parts.size());
  THRONG_CHECK(check_whole_triangles(model, model.draws));
  for (const BakedLevel& level : model.levels) THRONG_CHECK(check_whole_triangles(model, level.draws));
  return {};
}

}  // namespace

Result<void> check_parts(const CharacterDraft& model) {
  if (model.parts.empty() && model.part_groups.empty() && model.vertex_parts.empty()) return {};
  if (model.parts.size() > kMostParts) return fail("{} parts; {} are possible", model.parts.size(), kMostParts);
  for (const BakedPart& part : model.parts)
    if (!is_box(part.bounds)) return fail("the bounds of part '{}' are no box", part.name);
  THRONG_CHECK(check_groups(model));
  return check_vertex_parts(model);
}

}  // namespace throng::detail::character
