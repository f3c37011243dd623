// SPDX-License-Identifier: Apache-2.0
#include "fbx/mesh/shapes.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::fbx {
namespace {

constexpr double kAllIn = 100.0;
constexpr std::size_t kMostOffsets = std::size_t{1} << 26;  // over all shapes of a mesh

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

std::vector<glm::dvec3> spread(const std::vector<std::int32_t>& points, const std::vector<double>& offsets,
                               std::size_t count) {
  std::vector<glm::dvec3> all(count, glm::dvec3(0.0));
  for (std::size_t i = 0; i < points.size(); ++i) {
    all[static_cast<std::size_t>(points[i])] += glm::dvec3(offsets[i * 3], offsets[i * 3 + 1], offsets[i * 3 + 2]);
  }
  return all;
}

std::optional<ShapeOffsets> read_offsets(const Element& shape, std::size_t count) {
  const auto points = integers_of(shape.child("Indexes"));
  const auto offsets = reals_of(shape.child("Vertices"));
  const bool fits = points && offsets.size() == points->size() * 3 && all_finite(offsets) &&
                    std::all_of(points->begin(), points->end(), [&](std::int32_t point) {
                      return point >= 0 && static_cast<std::size_t>(point) < count;
                    });
  if (!fits) return std::nullopt;
  ShapeOffsets result{.name = {}, .points = spread(*points, offsets, count), .normals = {}};
  const auto normals = reals_of(shape.child("Normals"));
  const bool turns = std::any_of(normals.begin(), normals.end(), [](double value) { return value != 0.0; });
  if (turns && normals.size() == offsets.size() && all_finite(normals)) {
    result.normals = spread(*points, normals, count);
  }
  return result;
}

// Before 7000 a shape is its own channel.
std::vector<const Element*> shapes_of(const Document& document, const Object& channel) {
  if (channel.element->name == "Shape") return {channel.element};
  std::vector<const Element*> shapes;
  for (const Object* shape : document.sources_of(channel.id, Kind::shape)) shapes.push_back(shape->element);
  return shapes;
}

// Blender writes a child where others write a property; before 7000 it is a property of the model, by the shape's name.
double resting_percent(const Conversion& c, const Object& channel, const MeshSource& mesh) {
  if (channel.element->name == "Shape") {
    const Object* model = c.document.find(c.rig.scene().nodes[mesh.node].id);
    return c.document.real(*model, channel.name).value_or(0.0);
  }
  if (const auto property = c.document.real(channel, "DeformPercent")) return *property;
  const auto child = real_at(channel.element->child("DeformPercent"), 0);
  return child && std::isfinite(*child) ? *child : 0.0;
}

struct ChannelDraft {
  double percent;
  ShapeOffsets offsets;
};

std::vector<ChannelDraft> read_channel_shapes(Conversion& c, const Object& channel, std::size_t points) {
  std::vector<ChannelDraft> drafts;
  const auto shapes = shapes_of(c.document, channel);
  const auto percents = reals_of(channel.element->child("FullWeights"));
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    auto offsets = read_offsets(*shapes[i], points);
    // Without a percentage of its own a shape shares the way to all with the others.
    const double usual = kAllIn * static_cast<double>(i + 1) / static_cast<double>(shapes.size());
    const double percent = i < percents.size() && percents.size() == shapes.size() ? percents[i] : usual;
    if (offsets && std::isfinite(percent) && percent != 0.0)
      drafts.push_back({percent, std::move(*offsets)});
    else
      c.note("blend shape '{}': a shape that does not fit its mesh left out", channel.name);
  }
  std::stable_sort(drafts.begin(), drafts.end(),
                   [](const ChannelDraft& a, const ChannelDraft& b) { return a.percent < b.percent; });
  return drafts;
}

void add_channel(Conversion& c, const Object& channel, const MeshSource& mesh, Shapes& shapes) {
  auto drafts = read_channel_shapes(c, channel, mesh.point_count());
  if (drafts.empty()) return;
  ChannelShapes added{
      .channel = channel.id, .resting_percent = resting_percent(c, channel, mesh), .full_percents = {}, .targets = {}};
  for (ChannelDraft& draft : drafts) {
    const bool last = &draft == &drafts.back();
    draft.offsets.name = last ? channel.name : fmt::format("{} {:g} %", channel.name, draft.percent);
    added.full_percents.push_back(draft.percent);
    added.targets.push_back(shapes.targets.size());
    shapes.targets.push_back(std::move(draft.offsets));
  }
  shapes.source.channels.push_back(std::move(added));
}

// The two shapes that a percentage lies between, no shape at 0 being one of them. Beyond the last the line goes on.
void weigh(const ChannelShapes& channel, double percent, std::vector<double>& weights) {
  struct Stop {
    double percent;
    std::optional<std::size_t> target;
  };
  std::vector<Stop> stops{{0.0, std::nullopt}};
  for (std::size_t i = 0; i < channel.targets.size(); ++i) {
    stops.push_back({channel.full_percents[i], channel.targets[i]});
  }
  std::stable_sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.percent < b.percent; });
  std::size_t above = 1;
  while (above + 1 < stops.size() && stops[above].percent <= percent) ++above;
  const Stop& low = stops[above - 1];
  const Stop& high = stops[above];
  const double way = high.percent - low.percent;
  const double fraction = way > 0.0 ? (percent - low.percent) / way : 1.0;
  if (low.target) weights[*low.target] += 1.0 - fraction;
  if (high.target) weights[*high.target] += fraction;
}

}  // namespace

Shapes read_shapes(Conversion& c, const MeshSource& mesh) {
  Shapes shapes;
  auto channels = c.document.sources_of(mesh.geometry->id, Kind::blend_channel);
  for (const Object* deformer : c.document.sources_of(mesh.geometry->id, Kind::blend_shape)) {
    const auto own = c.document.sources_of(deformer->id, Kind::blend_channel);
    channels.insert(channels.end(), own.begin(), own.end());
  }
  if (channels.size() * mesh.point_count() > kMostOffsets) {
    c.note("mesh '{}': {} blend shapes of {} vertices are more than can be held; left out",
           c.rig.scene().nodes[mesh.node].name, channels.size(), mesh.point_count());
    return shapes;
  }
  for (const Object* channel : channels) add_channel(c, *channel, mesh, shapes);
  shapes.source.targets = shapes.targets.size();
  return shapes;
}

std::vector<double> target_weights(const MorphSource& source, const std::vector<double>& percents) {
  std::vector<double> weights(source.targets, 0.0);
  for (std::size_t i = 0; i < source.channels.size(); ++i) weigh(source.channels[i], percents[i], weights);
  return weights;
}

}  // namespace throng::detail::fbx
