// SPDX-License-Identifier: Apache-2.0
#include "fbx/animation/clips.h"

#include <algorithm>
#include <cmath>

#include "fbx/animation/fit.h"
#include "fbx/mesh/shapes.h"
#include "throng/base/try.h"

namespace throng::detail::fbx {
namespace {

// More frames than this, on one node or over all of a take, and only its keys are kept.
constexpr double kMostFrames = 1 << 17;
constexpr double kMostFramesInAll = 1 << 21;
constexpr std::size_t kBytesOfSample = 96;  // of a clip's curves

// How far lines may be from the motion, of its own extent, and for rotations of a quaternion's numbers.
constexpr double kStraightEnough = 1e-4;
constexpr double kStraightTurn = 2e-5;

// Where a node's numbers lie in its motion.
constexpr std::size_t kTranslation = 0;
constexpr std::size_t kRotation = 3;
constexpr std::size_t kScale = 7;
constexpr std::size_t kWholeScale = 10;
constexpr std::size_t kNumbersOfNode = 13;

constexpr std::size_t kValuesOfCubicKey = 3;

// A smooth motion is looked at six times: at the sample, half way to the next, and twice on either side.
constexpr std::size_t kLooksAtSmooth = 6;

// What a sample takes while a curve is fitted to it: what is seen of it, which is four lists where motion is smooth,
// and the curve, which grows by doubling.
std::size_t watched_bytes(std::size_t numbers, bool smooth) {
  constexpr std::size_t kBytesOfList = 3 * sizeof(std::vector<double>);
  const std::size_t lists = smooth ? 4 : 1;
  const std::size_t values = smooth ? kValuesOfCubicKey : 1;
  return lists * (kBytesOfList + numbers * sizeof(double)) + 3 * values * numbers * sizeof(double);
}

// The rotation in the hemisphere of the one beside it.
std::vector<double> numbers_of(const Rig::Placed& placed, const std::vector<double>* beside) {
  const Transform& t = placed.bone;
  glm::dquat r = t.rotation;
  if (beside) {
    const double* b = beside->data() + kRotation;
    if (r.x * b[0] + r.y * b[1] + r.z * b[2] + r.w * b[3] < 0.0) r = -r;
  }
  const glm::dvec3& whole = placed.whole_scale;
  return {t.translation.x, t.translation.y, t.translation.z, r.x,     r.y,     r.z,    r.w,
          t.scale.x,       t.scale.y,       t.scale.z,       whole.x, whole.y, whole.z};
}

double extent(const Watched& watched, std::size_t first, std::size_t width) {
  double widest = 0.0;
  for (const auto& numbers : watched.at) {
    for (std::size_t i = first; i < first + width; ++i) {
      widest = std::max(widest, std::abs(numbers[i] - watched.at.front()[i]));
    }
  }
  return widest;
}

template <class T>
T value_of(const double* numbers);
template <>
glm::vec3 value_of(const double* numbers) {
  return glm::vec3(numbers[0], numbers[1], numbers[2]);
}
template <>
glm::quat value_of(const double* numbers) {
  return glm::quat(glm::dquat(numbers[3], numbers[0], numbers[1], numbers[2]));
}

// What stays the same is one key, or none where it stays at rest.
template <class T>
void drop_stillness(Curve<T>& curve, const T& rest) {
  const bool still = curve.interpolation == Interpolation::linear &&
                     std::all_of(curve.values.begin(), curve.values.end(),
                                 [&](const T& value) { return value == curve.values.front(); });
  if (curve.empty() || !still) return;
  const std::ptrdiff_t kept = curve.values.front() == rest ? 0 : 1;
  curve.times.erase(curve.times.begin() + kept, curve.times.end());
  curve.values.erase(curve.values.begin() + kept, curve.values.end());
}

template <class T>
Curve<T> curve_of(const Watched& watched, const std::vector<Sample>& samples, std::size_t first, const T& rest) {
  constexpr std::size_t kWidth = sizeof(T) / sizeof(float);
  const double tolerance = first == kRotation ? kStraightTurn : kStraightEnough * extent(watched, first, kWidth);
  Fitted fitted = fit(watched, samples, first, kWidth, tolerance);
  Curve<T> curve{.interpolation = fitted.interpolation, .times = std::move(fitted.times), .values = {}};
  for (std::size_t i = 0; i < fitted.values.size(); i += kWidth) {
    curve.values.push_back(value_of<T>(fitted.values.data() + i));
  }
  drop_stillness(curve, rest);
  return curve;
}

void add_track(Clip& clip, BoneTrack track) {
  if (track.translation.empty() && track.rotation.empty() && track.scale.empty()) return;
  clip.bones.push_back(std::move(track));
}

// Cubics to follow, and no step in the way.
bool is_smooth(const std::vector<const KeyCurve*>& curves) {
  bool cubic = false;
  for (const KeyCurve* curve : curves) {
    for (const Key& key : curve->keys) {
      if (key.segment == Segment::constant || key.segment == Segment::constant_next) return false;
      cubic = cubic || key.segment == Segment::cubic;
    }
  }
  return cubic;
}

// What does not move may still lie elsewhere than at rest.
bool is_moved(const Take& take, ObjectId node) {
  return take.find(node, Moving::translation) || take.find(node, Moving::rotation) || take.find(node, Moving::scale) ||
         take.find(node, Moving::rotation_before);
}

// `numbers` that move together, at so many samples, which cost so many `steps` each time; `kept`: bytes of a sample in
// the clip. Counted before any is looked at.
struct Looks {
  std::size_t samples = 0;
  bool smooth = false;
  std::size_t numbers = 0;
  std::size_t kept = 0;
  std::size_t steps = 0;
};
Result<void> pay_for(const Looks& looks, import::Budget& budget, std::string_view on) {
  THRONG_CHECK(budget.spend(looks.kept, looks.samples, on));
  THRONG_CHECK(budget.lend(looks.samples * watched_bytes(looks.numbers, looks.smooth), on));
  return budget.look(looks.samples * (looks.smooth ? kLooksAtSmooth : 1), looks.steps, on);
}

Result<std::vector<Sample>> node_samples(Conversion& c, std::uint32_t node, const Take& take,
                                         const Sampling& sampling) {
  const Rig& rig = c.rig;
  auto samples = sample_moments(rig.curves_of(node, take), sampling);
  if (samples.empty() && is_moved(take, rig.scene().nodes[node].id)) {
    samples.push_back({sampling.span.start, static_cast<float>(sampling.span.start + sampling.shift)});
  }
  const std::size_t effort = rig.effort(node, take);
  // The angles are looked at once more, through all layers.
  if (effort > 1) THRONG_CHECK(c.budget.look(effort - 1, samples.size(), "clips"));
  std::vector<double> turns;
  for (const Sample& sample : samples) {
    const glm::dvec3 angles = values_at(take, rig.scene().nodes[node], sample.moment).angles;
    turns.insert(turns.end(), {angles.x, angles.y, angles.z});
  }
  THRONG_CHECK(add_between_turns(samples, turns, c.budget));
  return samples;
}

Result<void> add_node(Conversion& c, std::uint32_t node, const Take& take, const Sampling& sampling, Clip& clip) {
  const Rig& rig = c.rig;
  THRONG_TRY(const auto samples, node_samples(c, node, take, sampling));
  if (samples.empty()) return {};
  const bool smooth = is_smooth(rig.curves_of(node, take));
  const Looks looks{samples.size(), smooth, kNumbersOfNode, kBytesOfSample, rig.effort(node, take)};
  THRONG_CHECK(pay_for(looks, c.budget, "clips"));
  const NodeBones bones = rig.bones_of()[node];
  const Transform& rest = rig.bones()[bones.bone].rest;
  const Motion motion = [&](double moment, const std::vector<double>* beside) {
    return numbers_of(rig.placed_at(node, take, moment), beside);
  };
  const Watched watched = watch(motion, samples, smooth);
  add_track(clip, {.bone = bones.bone,
                   .translation = curve_of(watched, samples, kTranslation, glm::vec3(rest.translation)),
                   .rotation = curve_of(watched, samples, kRotation, glm::quat(rest.rotation)),
                   .scale = curve_of(watched, samples, kScale, glm::vec3(rest.scale))});
  if (!bones.split()) return {};
  const glm::vec3 whole(rig.bones()[bones.whole].rest.scale);
  add_track(clip, {.bone = bones.whole,
                   .translation = {},
                   .rotation = {},
                   .scale = curve_of(watched, samples, kWholeScale, whole)});
  return {};
}

std::vector<const KeyCurve*> percent_curves(const MorphSource& source, const Take& take) {
  std::vector<const KeyCurve*> curves;
  for (const ChannelShapes& channel : source.channels) {
    const MovedProperty* moved = take.find(channel.channel, Moving::percent);
    if (!moved) continue;
    for (const LayerPart& part : *moved) {
      if (part.weight.curve && !part.weight.curve->empty()) curves.push_back(part.weight.curve.get());
      if (!part.three.curves[0].empty()) curves.push_back(&part.three.curves[0]);
    }
  }
  return curves;
}

Result<void> add_morph(Conversion& c, std::uint32_t mesh, const Take& take, const Sampling& sampling, Clip& clip) {
  const MorphSource& source = c.morphs[mesh];
  const auto curves = percent_curves(source, take);
  const auto samples = sample_moments(curves, sampling);
  if (samples.empty()) return {};
  const bool smooth = is_smooth(curves);
  const std::size_t kept = sizeof(float) * (1 + source.targets * (smooth ? kValuesOfCubicKey : 1));
  const Looks looks{samples.size(), smooth, source.targets, kept, source.channels.size()};
  THRONG_CHECK(pay_for(looks, c.budget, "weights of shapes"));
  const Motion motion = [&](double moment, const std::vector<double>*) {
    std::vector<double> percents;
    for (const ChannelShapes& channel : source.channels) {
      percents.push_back(number_at(take.find(channel.channel, Moving::percent), channel.resting_percent, moment));
    }
    return target_weights(source, percents);
  };
  const Watched watched = watch(motion, samples, smooth);
  const double tolerance = kStraightEnough * extent(watched, 0, source.targets);
  const Fitted fitted = fit(watched, samples, 0, source.targets, tolerance);
  clip.morphs.push_back({.mesh = mesh,
                         .weights = {.interpolation = fitted.interpolation,
                                     .times = fitted.times,
                                     .values = {fitted.values.begin(), fitted.values.end()}}});
  return {};
}

// The span from the first key of what moves here to the last, within what the take declares.
Result<std::optional<Span>> span_of(Conversion& c, const Take& take) {
  std::vector<const KeyCurve*> curves;
  for (std::uint32_t node = 0; node < c.rig.scene().nodes.size(); ++node) {
    // To see which curves there are takes as many steps as to look at them once.
    THRONG_CHECK(c.budget.look(c.rig.effort(node, take), "clips"));
    const auto own = c.rig.curves_of(node, take);
    THRONG_CHECK(c.budget.lend((curves.size() + own.size()) * 2 * sizeof(void*), "clips"));
    curves.insert(curves.end(), own.begin(), own.end());
  }
  for (const MorphSource& source : c.morphs) {
    const auto own = percent_curves(source, take);
    curves.insert(curves.end(), own.begin(), own.end());
  }
  if (curves.empty()) return std::optional<Span>();
  Span span{curves.front()->keys.front().time, curves.front()->keys.back().time};
  for (const KeyCurve* curve : curves) {
    span.start = std::min(span.start, curve->keys.front().time);
    span.end = std::max(span.end, curve->keys.back().time);
  }
  if (!take.start || !take.stop || *take.stop <= *take.start) return std::optional(span);
  const Span within{std::max(span.start, *take.start), std::min(span.end, *take.stop)};
  return std::optional(within.start <= within.end ? within : span);
}

Sampling sampling_of(Conversion& c, const Take& take, const Span& span) {
  Sampling sampling{.span = span, .shift = std::max(0.0, -span.start), .frame_rate = c.rig.scene().frame_rate};
  const auto nodes = static_cast<double>(c.rig.scene().nodes.size() + c.morphs.size());
  const double frames = (span.end - span.start) * sampling.frame_rate;
  if (frames > kMostFrames || frames * nodes > kMostFramesInAll) {
    sampling.frame_rate = 0.0;
    c.note("take '{}' lasts {} s: only its keys were read, and joined by straight lines", take.name,
           span.end - span.start);
  }
  if (sampling.shift > 0.0) c.note("take '{}' begins at {} s: moved to 0", take.name, span.start);
  return sampling;
}

void note_stillness(Conversion& c, const Take& take, const Span& span) {
  const double frame = 1.0 / c.rig.scene().frame_rate;
  if (!take.start || !take.stop || *take.stop <= *take.start) return;
  if (*take.start > span.start - frame && *take.stop < span.end + frame) return;
  c.note(
      "take '{}' is declared from {:.3f} to {:.3f} s, its keys are from {:.3f} to {:.3f} s; the clip is as long as "
      "the keys",
      take.name, *take.start, *take.stop, span.start, span.end);
}

}  // namespace

Result<void> convert_clips(Conversion& c, const Progress& progress) {
  for (std::size_t t = 0; t < c.rig.takes().size(); ++t) {
    const Take& take = c.rig.takes()[t];
    const double takes = static_cast<double>(c.rig.takes().size());
    report(progress, "read", static_cast<double>(t) / takes);
    THRONG_TRY(const auto span, span_of(c, take));
    if (!span) {
      c.note("take '{}' moves nothing; left out", take.name);
      continue;
    }
    note_stillness(c, take, *span);
    const Sampling sampling = sampling_of(c, take, *span);
    Clip clip{.name = take.name.empty() ? fmt::format("clip {}", t) : take.name,
              .start = span->start + sampling.shift,
              .end = span->end + sampling.shift,
              .loops = {},
              .bones = {},
              .morphs = {},
              .events = {}};
    const auto nodes = static_cast<std::uint32_t>(c.rig.scene().nodes.size());
    for (std::uint32_t node = 0; node < nodes; ++node) {
      report(progress, "read", (static_cast<double>(t) + static_cast<double>(node) / nodes) / takes);
      THRONG_CHECK(add_node(c, node, take, sampling, clip));
    }
    for (std::uint32_t mesh = 0; mesh < c.morphs.size(); ++mesh) {
      THRONG_CHECK(add_morph(c, mesh, take, sampling, clip));
    }
    c.draft.clips.push_back(std::move(clip));
  }
  return {};
}

}  // namespace throng::detail::fbx
