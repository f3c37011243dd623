// SPDX-License-Identifier: Apache-2.0
#include "fbx/mesh/shapes.h"

#include <algorithm>
#include <cmath>

#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng::detail::fbx {
namespace {

constexpr double kAllIn = 100.0;

std::vector<glm::dvec3> spread(const std::vector<std::int32_t>& points, const std::vector<double>& offsets,
                               std::size_t count) {
  std::vector<glm::dvec3> all(count, glm::dvec3(0.0));
  for (std::size_t i = 0; i < points.size(); ++i) {
    all[static_cast<std::size_t>(points[i])] += glm::dvec3(offsets[i * 3], offsets[i * 3 + 1], offsets[i * 3 + 2]);
  }
  return all;
}

// Blender's vertex groups: every offset of a shape has a percentage of its own.
void weigh_offsets(const std::vector<double>& percents, std::vector<double>& offsets) {
  for (std::size_t i = 0; i < percents.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) offsets[i * 3 + k] *= percents[i] / kAllIn;
  }
}

// An offset that is NaN or infinite moves nothing: 0 takes its place.
void drop_non_finite(std::vector<double>& offsets, import::Mender& mender) {
  for (double& offset : offsets) {
    if (std::isfinite(offset)) continue;
    offset = 0.0;
    mender.count(import::Fault::attribute_value);
  }
}

// `percents`: those of the offsets, or none.
std::optional<ShapeOffsets> read_offsets(const Element& shape, std::size_t count, const std::vector<double>& percents,
                                         import::Mender& mender) {
  const auto points = integers_of(shape.child("Indexes"));
  auto offsets = reals_of(shape.child("Vertices"));
  const bool fits = points && offsets.size() == points->size() * 3 &&
                    std::all_of(points->begin(), points->end(), [&](std::int32_t point) {
                      return point >= 0 && static_cast<std::size_t>(point) < count;
                    });
  if (!fits) return std::nullopt;
  drop_non_finite(offsets, mender);
  weigh_offsets(percents, offsets);
  ShapeOffsets result{.name = {}, .points = spread(*points, offsets, count), .normals = {}};
  auto normals = reals_of(shape.child("Normals"));
  const bool turns = std::any_of(normals.begin(), normals.end(), [](double value) { return value != 0.0; });
  if (turns && normals.size() == offsets.size()) {
    drop_non_finite(normals, mender);
    weigh_offsets(percents, normals);
    result.normals = spread(*points, normals, count);
  }
  return result;
}

// A shape that lies in its geometry is its own channel.
std::vector<const Element*> shapes_of(const Document& document, const Object& channel) {
  if (channel.element->name == "Shape") return {channel.element};
  std::vector<const Element*> shapes;
  for (const Object* shape : document.sources_of(channel.id, Kind::shape)) shapes.push_back(shape->element);
  return shapes;
}

// Blender writes a child where others write a property; a shape that lies in its geometry has a property of the
// geometry or the model, by the shape's name.
double resting_percent(const Conversion& c, const Object& channel, const MeshSource& mesh) {
  if (channel.element->name == "Shape") {
    if (const auto own = c.document.real(*mesh.geometry, channel.name)) return *own;
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

// FullWeights has the percentage at which each shape is all there is of the channel; where there is one shape, and a
// number for each of its offsets, they are the offsets' own.
bool weighs_offsets(const std::vector<double>& full_weights, const std::vector<const Element*>& shapes) {
  if (shapes.size() != 1 || full_weights.size() < 2) return false;
  const auto points = integers_of(shapes.front()->child("Indexes"));
  return points && points->size() == full_weights.size() && are_finite(full_weights);
}

// Every node that shows the channel's geometry reads its shapes anew, and they may list points over and over.
Result<void> pay_for(Conversion& c, const Object& channel, const std::vector<const Element*>& shapes) {
  constexpr std::uint64_t kSteps = 8;
  constexpr std::string_view kShapes = "blend shapes";
  THRONG_CHECK(c.budget.look(kSteps + c.document.sources_of(channel.id).size(), kShapes));
  THRONG_CHECK(c.budget.spend(sizeof(double), number_count(channel.element->child("FullWeights")), kShapes));
  for (const Element* shape : shapes) {
    for (const char* list : {"Indexes", "Vertices", "Normals"})
      THRONG_CHECK(c.budget.spend(2 * sizeof(double), number_count(shape->child(list)), kShapes));
  }
  return {};
}

Result<std::vector<ChannelDraft>> read_channel_shapes(Conversion& c, const Object& channel, std::size_t points) {
  std::vector<ChannelDraft> drafts;
  const auto shapes = shapes_of(c.document, channel);
  THRONG_CHECK(pay_for(c, channel, shapes));
  const auto full_weights = reals_of(channel.element->child("FullWeights"));
  const bool per_offset = weighs_offsets(full_weights, shapes);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    constexpr std::size_t kBytesOfPoint = 2 * sizeof(glm::dvec3);
    THRONG_CHECK(c.budget.spend(kBytesOfPoint, points, "blend shapes"));
    auto offsets = read_offsets(*shapes[i], points, per_offset ? full_weights : std::vector<double>(), c.mender);
    // Without a percentage of its own a shape shares the way to all with the others.
    const double usual = kAllIn * static_cast<double>(i + 1) / static_cast<double>(shapes.size());
    const double percent = full_weights.size() == shapes.size() ? full_weights[i] : usual;
    if (offsets && std::isfinite(percent) && percent != 0.0)
      drafts.push_back({percent, std::move(*offsets)});
    else
      c.note("blend shape '{}': a shape that does not fit its mesh left out", channel.name);
  }
  std::stable_sort(drafts.begin(), drafts.end(),
                   [](const ChannelDraft& a, const ChannelDraft& b) { return a.percent < b.percent; });
  return drafts;
}

Result<void> add_channel(Conversion& c, const Object& channel, const MeshSource& mesh, Shapes& shapes) {
  THRONG_TRY(auto drafts, read_channel_shapes(c, channel, mesh.point_count()));
  if (drafts.empty()) return {};
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
  return {};
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

Result<Shapes> read_shapes(Conversion& c, const MeshSource& mesh) {
  Shapes shapes;
  auto channels = c.document.sources_of(mesh.geometry->id, Kind::blend_channel);
  for (const Object* deformer : c.document.sources_of(mesh.geometry->id, Kind::blend_shape)) {
    const auto own = c.document.sources_of(deformer->id, Kind::blend_channel);
    channels.insert(channels.end(), own.begin(), own.end());
  }
  for (const Object* channel : channels) {
    THRONG_CHECK(add_channel(c, *channel, mesh, shapes));
  }
  shapes.source.targets = shapes.targets.size();
  return shapes;
}

std::vector<double> target_weights(const MorphSource& source, const std::vector<double>& percents) {
  std::vector<double> weights(source.targets, 0.0);
  for (std::size_t i = 0; i < source.channels.size(); ++i) weigh(source.channels[i], percents[i], weights);
  return weights;
}

}  // namespace throng::detail::fbx
