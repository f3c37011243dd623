// SPDX-License-Identifier: Apache-2.0
#include "preview/variant.h"

#include <array>
#include <cmath>

#include "throng/base/keep.h"

namespace throng::studio {
namespace {

std::array<std::uint8_t, 4> as_bytes(const glm::vec3& colour) {
  const auto byte = [](float value) { return static_cast<std::uint8_t>(std::lround(255.0f * value)); };
  return {byte(colour.x), byte(colour.y), byte(colour.z), 255};
}

// Leaves out what near characters need: only far ones are drawn of it.
void drop_near(CharacterDraft& draft) {
  draft.motion.reset();
  draft.near_mesh.reset();
}

template <class Vertex>
void recolour(CharacterDraft& draft, std::span<const Vertex> vertices, const HeatMap& heat, double full_mm) {
  std::vector<Vertex> coloured(vertices.begin(), vertices.end());
  for (std::size_t i = 0; i < coloured.size(); ++i)
    coloured[i].colour = as_bytes(heat_colour(heat.errors_mm[i], full_mm));
  draft.vertices = keep(draft.storage, std::move(coloured));
}

}  // namespace

Result<Character> with_heat(const Character& character, const HeatMap& heat, double full_mm) {
  if (heat.errors_mm.size() != character.vertices().size()) return fail("the errors are those of another bake");
  CharacterDraft draft = character.draft();
  drop_near(draft);
  if (!draft.vertices.whole().empty()) {
    recolour(draft, draft.vertices.whole(), heat, full_mm);
  } else {
    recolour(draft, draft.vertices.surfaces(), heat, full_mm);
  }
  for (Material& material : draft.materials) {
    material.base_colour = glm::vec4(1.0f);
    material.base_image.reset();
    material.normal_image.reset();
    material.alpha_mode = AlphaMode::opaque;
  }
  return build_character(std::move(draft));
}

Result<Character> at_level(const Character& character, std::uint32_t level) {
  if (level > character.levels().size())
    return fail("there is no level {}; there are {}", level, character.levels().size());
  CharacterDraft draft = character.draft();
  drop_near(draft);
  if (level > 0) draft.draws = draft.levels[level - 1].draws;
  draft.levels.clear();
  return build_character(std::move(draft));
}

}  // namespace throng::studio
