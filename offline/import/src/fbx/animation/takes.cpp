// SPDX-License-Identifier: Apache-2.0
#include "fbx/animation/takes.h"

#include <cmath>

#include "fbx/animation/curve_read.h"
#include "fbx/animation/takes_named.h"

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
  return std::nullopt;
}

ThreeCurves read_curves(const Document& document, const Object& node, TakeTally& tally) {
  constexpr const char* kComponents[] = {"d|X", "d|Y", "d|Z"};
  ThreeCurves three;
  for (std::size_t c = 0; c < 3; ++c) three.resting[c] = document.real(node, kComponents[c]);
  for (const Link& link : document.sources_of(node.id)) {
    const Object* curve = document.find(link.object);
    if (!curve || curve->kind != Kind::curve) continue;
    auto keys = read_curve(*curve->element, tally);
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

void read_layer(const Document& document, const Object& layer, bool first, Take& take, TakeTally& tally) {
  const double weight = first ? 1.0 : document.real(layer, "Weight").value_or(100.0) / 100.0;
  for (const Object* node : document.sources_of(layer.id, Kind::curve_node)) {
    for (const Link& target : document.targets_of(node->id)) {
      const auto what = moving_of(target.property);
      if (!what) continue;
      ThreeCurves three = read_curves(document, *node, tally);
      if (three.empty()) continue;
      take.moved[{target.object, *what}].push_back(
          {first ? LayerMode::replace : mode_of(document, layer, *what), weight, std::move(three)});
    }
  }
}

std::optional<double> seconds(const Document& document, const Object& object, std::string_view property) {
  const auto ticks = document.real(object, property);
  return ticks ? std::optional(*ticks / kTicksPerSecond) : std::nullopt;
}

Take read_take(const Document& document, const Object& object, TakeTally& tally) {
  Take take{.name = object.name,
            .start = seconds(document, object, "LocalStart"),
            .stop = seconds(document, object, "LocalStop"),
            .moved = {}};
  std::size_t layers = 0;
  for (const Object* layer : document.sources_of(object.id, Kind::layer)) {
    if (document.integer(*layer, "Mute", 0) != 0) {
      ++tally.muted;
      continue;
    }
    read_layer(document, *layer, layers == 0, take, tally);
    ++layers;
  }
  tally.layered += layers > 1 ? 1 : 0;
  return take;
}

void note_takes(Document& document, const TakeTally& tally) {
  const auto note = [&](std::size_t count, const char* what) {
    if (count > 0) document.notes.push_back(fmt::format("{} {}", count, what));
  };
  note(tally.broken_curves, "animation curves whose keys do not fit together or are not finite left out");
  note(tally.keys_out_of_order, "animation keys not after the one before left out");
  note(tally.extrapolated, "animation curves that go on beyond their keys are held there");
  note(tally.muted, "muted animation layers left out");
  note(tally.layered, "takes of several layers: rotations were added angle by angle");
}

std::optional<double> component_at(const ThreeCurves& three, std::size_t c, double time) {
  if (!three.curves[c].empty()) return value_at(three.curves[c], time);
  return three.resting[c];
}

double combined(double below, double above, const LayerPart& part) {
  if (part.mode == LayerMode::replace) return below + (above - below) * part.weight;
  if (part.mode == LayerMode::add) return below + above * part.weight;
  return above > 0.0 ? below * std::pow(above, part.weight) : below;
}

}  // namespace

const MovedProperty* Take::find(ObjectId object, Moving what) const {
  const auto found = moved.find({object, what});
  return found != moved.end() ? &found->second : nullptr;
}

std::vector<Take> read_takes(Document& document) {
  TakeTally tally;
  std::vector<Take> takes = document.version() < 7000 ? read_named_takes(document, tally) : std::vector<Take>();
  for (const Object& object : document.objects()) {
    if (object.kind == Kind::take) takes.push_back(read_take(document, object, tally));
  }
  note_takes(document, tally);
  return takes;
}

glm::dvec3 vector_at(const MovedProperty* property, const glm::dvec3& otherwise, double time) {
  glm::dvec3 value = otherwise;
  if (!property) return value;
  for (const LayerPart& part : *property) {
    for (std::size_t c = 0; c < 3; ++c) {
      const auto i = static_cast<glm::length_t>(c);
      const auto above = component_at(part.three, c, time);
      if (above) value[i] = combined(value[i], *above, part);
    }
  }
  return value;
}

double number_at(const MovedProperty* property, double otherwise, double time) {
  return vector_at(property, glm::dvec3(otherwise), time).x;
}

}  // namespace throng::detail::fbx
