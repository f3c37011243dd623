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

}  // namespace

gpu::SpeckRecord speck_record(const CharacterDraft& model) {
  Bands bands{};
  for (const BakedDraw& draw : model.draws) {
    const SurfacePaint paint(model.materials[draw.material], model.images);
    for (std::uint32_t i = 0; i + 2 < draw.index_count; i += 3)
      add_triangle(bands, model, paint, model.indices.subspan(draw.first_index + i, 3));
  }
  Band whole;
  for (const Band& band : bands) {
    whole.colour += band.colour;
    whole.area += band.area;
    whole.reach += band.reach;
  }
  gpu::SpeckRecord record{};
  for (std::size_t i = 0; i < bands.size(); ++i) {
    // A height without any surface looks like the rest.
    const Band& from = bands[i].area > 0.0 ? bands[i] : whole;
    const double area = std::max(from.area, 1e-30);
    record.bands[i] =
        glm::vec4(glm::vec3(from.colour / area), static_cast<float>(std::min(from.reach / area * 1.3, 0.5)));
  }
  return record;
}

Result<void> check_speck(const gpu::SpeckRecord& speck) {
  for (const glm::vec4& band : speck.bands) {
    for (int i = 0; i < 4; ++i) {
      if (!std::isfinite(band[i]) || band[i] < 0.0f)
        return fail("the speck holds a number that is negative or not finite");
    }
  }
  return {};
}

}  // namespace throng::detail::character
