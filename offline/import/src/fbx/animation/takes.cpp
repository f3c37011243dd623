// SPDX-License-Identifier: Apache-2.0
#include "fbx/animation/takes.h"

#include <cmath>

#include "fbx/animation/curve_read.h"
#include "fbx/animation/extrapolation.h"
#include "fbx/animation/takes_named.h"
#include "fbx/file/utf8.h"
#include "throng/base/try.h"

namespace throng::detail::fbx {
namespace {

// "d|X", "d|Y", "d|Z"; everything else is one number.
std::size_t component_of(std::string_view property) {
  if (property.ends_with("|Y")) return 1;
  if (property.ends_with("|Z")) return 2;
  return 0;
}

std::optional<Moving> moving_of(std::string_view property) {
  if (property == "Lcl Translation") return Moving::translation;
  if (property == "Lcl Rotation") return Moving::rotation;
  if (property == "Lcl Scaling") return Moving::scale;
  if (property == "DeformPercent") return Moving::percent;
  if (property == "PreRotation") return Moving::rotation_before;
  if (property == "Visibility") return Moving::visibility;
  return std::nullopt;
}

Result<ThreeCurves> read_curves(const Object& node, CurveReading& reading) {
  constexpr const char* kComponents[] = {"d|X", "d|Y", "d|Z"};
  ThreeCurves three;
  for (std::size_t c = 0; c < 3; ++c) three.resting[c] = reading.document.real(node, kComponents[c]);
  for (const Link& link : reading.document.sources_of(node.id)) {
    const Object* curve = reading.document.find(link.object);
    if (!curve || curve->kind != Kind::curve) continue;
    THRONG_TRY(auto keys, read_curve(*curve->element, reading));
    if (keys) three.curves[component_of(link.property)] = std::move(*keys);
  }
  return three;
}

LayerMode mode_of(const Document& document, const Object& layer, Moving what) {
  // 0 adds, 1 replaces what lies below, 2 does so except where nothing moves.
  if (document.integer(layer, "BlendMode", 0) != 0) return LayerMode::replace;
  const bool multiplies = what == Moving::scale && document.integer(layer, "ScaleAccumulationMode", 0) == 0;
  return multiplies ? LayerMode::multiply : LayerMode::add;
}

// Shapes that lie in their geometry, by it and their names.
using ShapesInside = std::map<std::pair<ObjectId, std::string>, ObjectId>;

ShapesInside shapes_inside(const Document& document) {
  ShapesInside shapes;
  for (const Object& geometry : document.objects()) {
    if (geometry.kind != Kind::geometry) continue;
    for (const Object* shape : document.sources_of(geometry.id, Kind::blend_channel)) {
      if (shape->element->name == "Shape") shapes.emplace(std::pair(geometry.id, shape->name), shape->id);
    }
  }
  return shapes;
}

// A shape that lies in its geometry is moved by a property of the geometry or the model that has its name.
std::optional<ObjectId> shape_of(const Document& document, const ShapesInside& shapes, const Link& target) {
  const Object* object = document.find(target.object);
  if (shapes.empty() || !object || target.property.empty()) return std::nullopt;
  auto geometries = document.sources_of(object->id, Kind::geometry);
  if (object->kind == Kind::geometry) geometries.push_back(object);
  for (const Object* geometry : geometries) {
    const auto shape = shapes.find({geometry->id, valid_utf8(target.property)});
    if (shape != shapes.end()) return shape->second;
  }
  return std::nullopt;
}

// What a curve node moves.
struct Target {
  ObjectId object = 0;
  Moving what = Moving::translation;
};

std::optional<Target> target_of(const Document& document, const ShapesInside& shapes, const Link& link) {
  if (const auto what = moving_of(link.property)) return Target{link.object, *what};
  const auto shape = shape_of(document, shapes, link);
  return shape ? std::optional(Target{*shape, Moving::percent}) : std::nullopt;
}

constexpr double kAllOfIt = 100.0;

// The layer's own number, and the curve that moves it, which may lie on any layer of the take.
Result<LayerWeight> read_weight(const Object& layer, CurveReading& reading) {
  LayerWeight weight{.resting = reading.document.real(layer, "Weight").value_or(kAllOfIt) / kAllOfIt, .curve = {}};
  for (const Link& link : reading.document.sources_of(layer.id)) {
    const Object* node = reading.document.find(link.object);
    if (link.property != "Weight" || !node || node->kind != Kind::curve_node) continue;
    THRONG_TRY(ThreeCurves three, read_curves(*node, reading));
    if (!three.curves[0].empty()) weight.curve = std::make_shared<KeyCurve>(std::move(three.curves[0]));
  }
  return weight;
}

constexpr std::string_view kLayers = "animation layers";
constexpr std::uint64_t kBytesOfPlace = 96;  // in a take's list of what moves

// Layers may be shared by takes, curve nodes by layers, and each may move very much.
Result<void> pay_for(const Document& document, const Object& node, const Link& target, import::Budget& budget) {
  constexpr std::uint64_t kSteps = 4;
  std::uint64_t links = document.sources_of(node.id).size();
  if (!moving_of(target.property)) links += document.sources_of(target.object).size() + target.property.size() / 256;
  return budget.look(kSteps + links, kLayers);
}

Result<void> read_layer(const Object& layer, bool first, const ShapesInside& shapes, Take& take,
                        CurveReading& reading) {
  const Document& document = reading.document;
  THRONG_CHECK(reading.budget.look(1 + document.sources_of(layer.id).size(), kLayers));
  LayerWeight weight;
  if (!first) {
    THRONG_TRY(weight, read_weight(layer, reading));
  }
  for (const Object* node : document.sources_of(layer.id, Kind::curve_node)) {
    for (const Link& link : document.targets_of(node->id)) {
      THRONG_CHECK(pay_for(document, *node, link, reading.budget));
      const auto target = target_of(document, shapes, link);
      if (!target) continue;
      THRONG_CHECK(reading.budget.spend(sizeof(LayerPart) + kBytesOfPlace, kLayers));
      THRONG_TRY(ThreeCurves three, read_curves(*node, reading));
      if (three.empty()) continue;
      take.moved[{target->object, target->what}].push_back(
          {first ? LayerMode::replace : mode_of(document, layer, target->what), weight, std::move(three)});
    }
  }
  return {};
}

std::optional<double> seconds(const Document& document, const Object& object, std::string_view property) {
  const auto ticks = document.real(object, property);
  return ticks ? std::optional(*ticks / document.ticks_per_second()) : std::nullopt;
}

// What goes on beyond its keys does so for as long as the take lasts.
Result<void> unroll(const Take& take, KeyCurve& curve, CurveReading& reading) {
  constexpr double kMostKeys = 1 << 18;
  if (curve.empty() || !curve.goes_on()) return {};
  const bool told = take.start && take.stop && *take.stop > *take.start;
  const double keys = told ? unrolled_count(curve, *take.start, *take.stop) : 0.0;
  if (!told || keys > kMostKeys) {
    ++reading.tally.held;
    return {};
  }
  THRONG_CHECK(reading.budget.spend(2 * sizeof(Key), static_cast<std::uint64_t>(keys), "repeated animation keys"));
  curve = unrolled(curve, *take.start, *take.stop);
  return {};
}

Result<void> unroll(Take& take, CurveReading& reading) {
  for (auto& [target, property] : take.moved) {
    for (LayerPart& part : property) {
      for (KeyCurve& curve : part.three.curves) {
        THRONG_CHECK(unroll(take, curve, reading));
      }
      if (!part.weight.curve || !part.weight.curve->goes_on()) continue;
      KeyCurve weight = *part.weight.curve;
      THRONG_CHECK(unroll(take, weight, reading));
      part.weight.curve = std::make_shared<KeyCurve>(std::move(weight));
    }
  }
  return {};
}

// Scales are looked at at every key, through all layers.
Result<void> pay_for_keys_of_layers(const Take& take, import::Budget& budget) {
  for (const auto& [target, property] : take.moved) {
    if (target.second != Moving::scale || property.size() == 1) continue;
    std::uint64_t keys = 0;
    for (const LayerPart& part : property) {
      keys += part.weight.curve ? part.weight.curve->keys.size() : 0;
      for (const KeyCurve& curve : part.three.curves) keys += curve.keys.size();
    }
    THRONG_CHECK(budget.look(keys, property.size(), kLayers));
  }
  return {};
}

Result<Take> read_take(const Object& object, const ShapesInside& shapes, CurveReading& reading) {
  const Document& document = reading.document;
  Take take{.name = object.name,
            .start = seconds(document, object, "LocalStart"),
            .stop = seconds(document, object, "LocalStop"),
            .moved = {}};
  std::size_t layers = 0;
  for (const Object* layer : document.sources_of(object.id, Kind::layer)) {
    if (document.integer(*layer, "Mute", 0) != 0) {
      ++reading.tally.muted;
      continue;
    }
    THRONG_CHECK(read_layer(*layer, layers == 0, shapes, take, reading));
    ++layers;
  }
  reading.tally.layered += layers > 1 ? 1 : 0;
  return take;
}

void note_takes(Document& document, const TakeTally& tally) {
  const auto note = [&](std::size_t count, const char* what) {
    if (count > 0) document.notes.push_back(fmt::format("{} {}", count, what));
  };
  note(tally.broken_curves, "animation curves whose keys do not fit together left out");
  note(tally.keys_out_of_order, "animation keys not after the one before left out");
  note(tally.held, "animation curves that go on beyond their keys, nobody says how long, are held there");
  note(tally.muted, "muted animation layers left out");
  note(tally.layered, "takes of several layers: rotations were added angle by angle");
}

std::optional<double> component_at(const ThreeCurves& three, std::size_t c, double time) {
  if (!three.curves[c].empty()) return value_at(three.curves[c], time);
  return three.resting[c];
}

double combined(double below, double above, LayerMode mode, double weight) {
  if (mode == LayerMode::replace) return below + (above - below) * weight;
  if (mode == LayerMode::add) return below + above * weight;
  return above > 0.0 ? below * std::pow(above, weight) : below;
}

}  // namespace

const MovedProperty* Take::find(ObjectId object, Moving what) const {
  const auto found = moved.find({object, what});
  return found != moved.end() ? &found->second : nullptr;
}

double LayerWeight::at(double time) const { return curve ? value_at(*curve, time) / kAllOfIt : resting; }

Result<std::vector<Take>> read_takes(Document& document, import::Mender& mender, import::Budget& budget) {
  CurveReading reading{.document = document, .mender = mender, .budget = budget, .tally = {}};
  std::vector<Take> takes;
  if (document.version() < 7000) {
    THRONG_TRY(takes, read_named_takes(reading));
  }
  const ShapesInside shapes = shapes_inside(document);
  for (const Object& object : document.objects()) {
    if (object.kind != Kind::take) continue;
    THRONG_TRY(Take take, read_take(object, shapes, reading));
    takes.push_back(std::move(take));
  }
  for (Take& take : takes) {
    THRONG_CHECK(unroll(take, reading));
    THRONG_CHECK(pay_for_keys_of_layers(take, budget));
  }
  note_takes(document, reading.tally);
  return takes;
}

glm::dvec3 vector_at(const MovedProperty* property, const glm::dvec3& otherwise, double time) {
  glm::dvec3 value = otherwise;
  if (!property) return value;
  for (const LayerPart& part : *property) {
    const double weight = part.weight.at(time);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto i = static_cast<glm::length_t>(c);
      const auto above = component_at(part.three, c, time);
      if (above) value[i] = combined(value[i], *above, part.mode, weight);
    }
  }
  return value;
}

double number_at(const MovedProperty* property, double otherwise, double time) {
  return vector_at(property, glm::dvec3(otherwise), time).x;
}

}  // namespace throng::detail::fbx
