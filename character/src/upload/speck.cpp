// SPDX-License-Identifier: Apache-2.0
#include "upload/speck.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "throng/character/surface_paint.h"

namespace throng::detail::character {
namespace {

struct Band {
  glm::dvec3 colour{0.0};
  double area = 0.0;
  double reach = 0.0;
};

using Bands = std::array<Band, gpu::kSpeckBands>;

void add_triangle(Bands& bands, const CharacterDraft& model, const SurfacePaint& paint,
                  std::span<const std::uint32_t> corners) {
  const BakedVertex& a = model.vertices[corners[0]];
  const BakedVertex& b = model.vertices[corners[1]];
  const BakedVertex& c = model.vertices[corners[2]];
  const glm::dvec3 middle = (glm::dvec3(a.position) + glm::dvec3(b.position) + glm::dvec3(c.position)) / 3.0;
  const double area =
      0.5 * glm::length(glm::cross(glm::dvec3(b.position - a.position), glm::dvec3(c.position - a.position)));
  const double low = model.bounds.min.y;
  const double height = std::max(model.bounds.size().y, 1e-9);
  const double place = (middle.y - low) / height * gpu::kSpeckBands;
  Band& band = bands[std::min<std::size_t>(static_cast<std::size_t>(std::max(place, 0.0)), gpu::kSpeckBands - 1)];
  glm::vec3 vertices(0.0f);  // their colours, 0 to 255, added up
  for (const BakedVertex* vertex : {&a, &b, &c}) {
    vertices += glm::vec3(vertex->colour[0], vertex->colour[1], vertex->colour[2]);
  }
  band.colour += area * glm::dvec3(glm::vec3(paint.at((a.uv + b.uv + c.uv) / 3.0f)) * vertices / (3.0f * 255.0f));
  band.area += area;
  band.reach += area * std::hypot(middle.x - model.bounds.centre().x, middle.z - model.bounds.centre().z) / height;
}

// Divides every sum by `area`.
gpu::SpeckSums sums_of(const Bands& bands, double area) {
  gpu::SpeckSums sums{};
  const double share = area > 0.0 ? 1.0 / area : 0.0;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    sums.painted[i] = glm::vec4(glm::dvec4(bands[i].colour, bands[i].area) * share);
    sums.reach[static_cast<int>(i)] = static_cast<float>(bands[i].reach * share);
  }
  return sums;
}

}  // namespace

Speck speck_of_model(const CharacterDraft& model) {
  std::vector<Bands> parts(std::max<std::size_t>(1, model.parts.size()));
  for (const BakedDraw& draw : model.draws) {
    const SurfacePaint paint(model.materials[draw.material], model.images);
    for (std::uint32_t i = 0; i + 2 < draw.index_count; i += 3) {
      const auto corners = model.indices.subspan(draw.first_index + i, 3);
      const std::size_t part = model.parts.empty() ? 0 : model.vertex_parts[corners[0]];
      add_triangle(parts[part], model, paint, corners);
    }
  }
  Bands whole{};
  for (const Bands& part : parts) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      whole[i].colour += part[i].colour;
      whole[i].area += part[i].area;
      whole[i].reach += part[i].reach;
    }
  }
  double area = 0.0;
  for (const Band& band : whole) area += band.area;
  Speck speck{gpu::speck_of(sums_of(whole, area)), {}};
  if (model.parts.empty()) return speck;
  for (const Bands& part : parts) speck.parts.push_back(sums_of(part, area));
  return speck;
}

Result<void> check_speck(const Speck& speck, std::size_t parts) {
  const auto is_good = [](const glm::vec4& row) {
    for (int i = 0; i < 4; ++i)
      if (!std::isfinite(row[i]) || row[i] < 0.0f) return false;
    return true;
  };
  const auto all_good = [&](const auto& rows) { return std::ranges::all_of(rows, is_good); };
  bool good = all_good(speck.whole.bands);
  for (const gpu::SpeckSums& part : speck.parts) good = good && all_good(part.painted) && is_good(part.reach);
  if (!good) return fail("the speck holds a number that is negative or not finite");
  if (!speck.parts.empty() && speck.parts.size() != parts)
    return fail("the speck is of {} parts; there are {}", speck.parts.size(), parts);
  return {};
}

}  // namespace throng::detail::character
