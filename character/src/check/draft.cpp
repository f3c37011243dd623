// SPDX-License-Identifier: Apache-2.0
#include "check/draft.h"

#include <algorithm>

#include "check/values.h"
#include "file/format.h"
#include "file/image_links.h"
#include "throng/base/try.h"

namespace throng::detail::character {
namespace {

constexpr double kTangentTolerance = 0.005;  // what glTF's validator takes for a unit vector

Result<void> check_surfaces(std::span<const SurfaceVertex> surfaces) {
  for (std::size_t v = 0; v < surfaces.size(); ++v) {
    if (!is_finite(surfaces[v].position) || !is_finite(surfaces[v].uv)) return fail("vertex {} is not finite", v);
  }
  return {};
}

Result<void> check_vertices(const CharacterDraft& model) {
  if (model.vertices.empty() || model.vertices.size() > format::kMaxVertices) {
    return fail("{} vertices; 1 to {} are possible", model.vertices.size(), format::kMaxVertices);
  }
  const std::span<const BakedVertex> whole = model.vertices.whole();
  if (whole.empty() && model.mode == BakeMode::bones)
    return fail("its vertices follow no bones, which bone mode needs");
  if (whole.empty()) return check_surfaces(model.vertices.surfaces());
  for (std::size_t v = 0; v < whole.size(); ++v) {
    const BakedVertex& vertex = whole[v];
    if (!is_finite(vertex.position) || !is_finite(vertex.normal) || !is_finite(vertex.uv))
      return fail("vertex {} is not finite", v);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < vertex.bones.size(); ++i) {
      sum += vertex.weights[i];
      if (vertex.bones[i] >= model.bones.size()) {
        return fail("vertex {} names bone {} of {}", v, vertex.bones[i], model.bones.size());
      }
    }
    if (sum != 65535) return fail("vertex {} has weights that sum to {} instead of 65535", v, sum);
  }
  return {};
}

Result<void> check_vertex_numbers(const CharacterDraft& model) {
  const std::span<const float> numbers = model.vertex_numbers;
  if (numbers.empty()) return {};
  if (numbers.size() != model.vertices.size()) {
    return fail("{} vertex numbers for {} vertices", numbers.size(), model.vertices.size());
  }
  if (numbers.size() > kMostNumberedVertices) {
    return fail("{} vertices have numbers; floats tell {} apart", numbers.size(), kMostNumberedVertices);
  }
  for (std::size_t v = 0; v < numbers.size(); ++v) {
    if (numbers[v] != static_cast<float>(v)) return fail("vertex {} has the number {}", v, numbers[v]);
  }
  return {};
}

// What the source's vertices became. Whoever takes the mesh apart again finds every vertex of it, and each source
// vertex once.
Result<void> check_sources(const CharacterDraft& model) {
  const bool same = model.baked_from_source.empty();
  const std::uint64_t count = same ? model.vertices.size() : model.baked_from_source.size();
  std::uint64_t next = 0;
  for (const BakedSource& source : model.sources) {
    if (source.first_vertex != next || source.vertex_count > count - next) {
      return fail("a source has vertices {}+{} where those from {} to {} are left", source.first_vertex,
                  source.vertex_count, next, count);
    }
    next += source.vertex_count;
  }
  if (next != count) return fail("its sources have {} vertices of {}", next, count);
  std::vector<bool> found(model.vertices.size(), same);
  for (const std::uint32_t vertex : model.baked_from_source) {
    if (vertex >= model.vertices.size()) {
      return fail("a source vertex became vertex {} of {}", vertex, model.vertices.size());
    }
    found[vertex] = true;
  }
  const auto lost = std::ranges::find(found, false);
  if (lost != found.end()) return fail("no source vertex became vertex {}", lost - found.begin());
  return {};
}

Result<void> check_tangents(const CharacterDraft& model) {
  if (model.tangents.empty()) return {};
  if (model.tangents.size() != model.vertices.size()) {
    return fail("{} tangents for {} vertices", model.tangents.size(), model.vertices.size());
  }
  for (std::size_t v = 0; v < model.tangents.size(); ++v) {
    const glm::vec4& t = model.tangents[v];
    const bool unit = std::abs(glm::length(glm::dvec3(t)) - 1.0) <= kTangentTolerance;
    if (!unit || std::abs(t.w) != 1.0f)
      return fail("the tangent of vertex {} is not of unit length, or has no side", v);
  }
  return {};
}

Result<void> check_draws(const CharacterDraft& model, const std::vector<BakedDraw>& draws) {
  if (draws.empty()) return fail("there are no triangles");
  std::vector<bool> drawn(model.materials.size());
  for (const BakedDraw& draw : draws) {
    const std::uint64_t end = std::uint64_t{draw.first_index} + draw.index_count;
    if (draw.index_count == 0 || draw.index_count % 3 != 0 || end > model.indices.size()) {
      return fail("a draw of indices {}+{} is no whole number of the {} there are", draw.first_index, draw.index_count,
                  model.indices.size());
    }
    if (draw.material >= model.materials.size()) {
      return fail("a draw names material {} of {}", draw.material, model.materials.size());
    }
    if (drawn[draw.material]) return fail("material {} is drawn twice at one level; join its triangles", draw.material);
    drawn[draw.material] = true;
  }
  return {};
}

Result<void> check_fewer_bones(const std::optional<FewerBones>& errors) {
  for (const double error : errors.value_or(FewerBones{})) {
    if (!is_amount(error)) return fail("an error of fewer bones of {}", error);
  }
  return {};
}

Result<void> check_level(const CharacterDraft& model, const BakedLevel& level) {
  if (!is_amount(level.error)) return fail("an error of {}", level.error);
  THRONG_CHECK(check_fewer_bones(level.fewer_bones));
  if (level.vertex_count > model.vertices.size()) {
    return fail("{} of {} vertices", level.vertex_count, model.vertices.size());
  }
  THRONG_CHECK(check_draws(model, level.draws));
  std::uint64_t drawn = 0;
  for (const BakedDraw& draw : level.draws) drawn += draw.index_count;
  if (drawn > model.indices.size()) return fail("draws that overlap");
  for (const BakedDraw& draw : level.draws) {
    for (const std::uint32_t index : model.indices.subspan(draw.first_index, draw.index_count)) {
      if (index >= level.vertex_count) return fail("index {} past its {} vertices", index, level.vertex_count);
    }
  }
  return {};
}

Result<void> check_triangles(const CharacterDraft& model) {
  for (const std::uint32_t index : model.indices) {
    if (index >= model.vertices.size()) {
      return fail("index {} is past the last of {} vertices", index, model.vertices.size());
    }
  }
  THRONG_CHECK(check_draws(model, model.draws));
  THRONG_CHECK(check_fewer_bones(model.fewer_bones));
  if (model.levels.size() > format::kMaxLevels) {
    return fail("{} levels of detail; {} are possible", model.levels.size(), format::kMaxLevels);
  }
  for (std::size_t i = 0; i < model.levels.size(); ++i) {
    if (auto ok = check_level(model, model.levels[i]); !ok)
      return fail(with_context(fmt::format("level {}", i + 1), std::move(ok).error()));
  }
  return {};
}

Result<void> check_looks(const CharacterDraft& model) {
  for (const Material& material : model.materials) {
    const glm::vec4& c = material.base_colour;
    if (!glm::all(glm::greaterThanEqual(c, glm::vec4(0.0f))) || !glm::all(glm::lessThanEqual(c, glm::vec4(1.0f)))) {
      return fail("material '{}' has a colour outside 0 to 1", material.name);
    }
    if (!std::isfinite(material.alpha_cutoff) || material.alpha_cutoff < 0.0f) {
      return fail("material '{}' has an alpha cut-off of {}", material.name, material.alpha_cutoff);
    }
    if (material.base_image && *material.base_image >= model.images.size()) {
      return fail("material '{}' names image {} of {}", material.name, *material.base_image, model.images.size());
    }
    if (material.normal_image && *material.normal_image >= model.images.size()) {
      return fail("material '{}' names image {} of {}", material.name, *material.normal_image, model.images.size());
    }
    if (!std::isfinite(material.normal_scale)) {
      return fail("material '{}' has a normal scale of {}", material.name, material.normal_scale);
    }
  }
  for (const ImageSource& image : model.images) {
    const bool known = image.mime_type == "image/png" || image.mime_type == "image/jpeg";
    const bool linked = !image.uri.empty();
    if (!known || (!linked && image.bytes.size() == 0)) {
      return fail("image '{}' is neither PNG nor JPEG, or is empty", image.name);
    }
    if (linked && !is_link(image.uri)) {
      return fail("image '{}' is linked as '{}', which is not in the asset's folder", image.name, image.uri);
    }
  }
  return {};
}

Result<void> check_sockets(const CharacterDraft& model) {
  const bool bones = model.mode == BakeMode::bones;
  for (std::size_t i = 0; i < model.sockets.size(); ++i) {
    const BakedSocket& socket = model.sockets[i];
    const Transform& t = socket.mesh_from_socket;
    if (bones && socket.bone >= model.bones.size()) {
      return fail("socket '{}' names bone {} of {}", socket.name, socket.bone, model.bones.size());
    }
    if (!bones && socket.bone != model.vertices.size() + 2 * i) {
      return fail("socket '{}' names item {}, not {}", socket.name, socket.bone, model.vertices.size() + 2 * i);
    }
    if (!is_finite(t.translation) || !is_finite(t.scale) || !is_unit(t.rotation)) {
      return fail("socket '{}' has a transform that is not finite or not a rotation", socket.name);
    }
    if (socket.part && socket.part->value >= model.parts.size()) {
      return fail("socket '{}' is on part {} of {}", socket.name, socket.part->value, model.parts.size());
    }
  }
  return {};
}

Result<void> check_report(const CharacterDraft& model) {
  if (!are_amounts(model.error.at_frames) || !are_amounts(model.error.between))
    return fail("the error report holds a number that is negative or not finite");
  if (!is_amount(model.error.mm_per_unit) || !std::isfinite(model.error.worst_time)) {
    return fail("the error report is not finite");
  }
  if (!is_amount(model.repairs.most_weight_dropped) || !is_amount(model.repairs.mean_weight_dropped)) {
    return fail("the repairs hold a weight that is negative or not finite");
  }
  return {};
}

}  // namespace

Result<void> check_draft(const CharacterDraft& model) {
  if (!is_box(model.bounds)) return fail("its bounds are no box");
  using Check = Result<void> (*)(const CharacterDraft&);
  // The encodings first: the others ask for what they are.
  constexpr Check kChecks[] = {check_encodings, check_vertices, check_atlas,    check_clips,
                               check_frames,    check_tangents, check_sources,  check_triangles,
                               check_parts,     check_looks,    check_sockets,  check_report,
                               check_morphs,    check_near,     check_far_only, check_vertex_numbers};
  for (const Check check : kChecks) {
    THRONG_CHECK(check(model));
  }
  return {};
}

}  // namespace throng::detail::character
