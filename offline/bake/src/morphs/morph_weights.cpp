// SPDX-License-Identifier: Apache-2.0
#include "morphs/morph_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "throng/base/keep.h"

namespace throng::detail::bake {
namespace {

constexpr double kMostRows = 240.0;  // a second
constexpr double kMostWeight = 65535.0;
// Bones that stand still have frames a second apart, and more.
constexpr std::array<std::uint32_t, 21> kSteps{1,  2,  3,  4,  5,  6,   8,   10,  12,  16, 20,
                                               24, 32, 48, 64, 96, 128, 192, 256, 384, 512};
constexpr std::array<double, 3> kLooks{0.25, 0.5, 0.75};  // between two rows

// The source's weights, by channel.
class SourceWeights {
 public:
  SourceWeights(const Model& model, const MorphPlan& morphs, const ClipPlan& plan)
      : model_(model), plan_(weights_alone(plan)), firsts_(morphs.channels.size()) {
    for (const MovingTarget& moving : morphs.moving) {
      if (moving.channel) firsts_[*moving.channel] = moving;
    }
  }

  std::vector<double> at(double time) const {
    const Pose pose = sample_planned(model_, plan_, time);
    std::vector<double> weights;
    for (const MovingTarget& moving : firsts_) weights.push_back(weight_in(model_, pose, moving));
    return weights;
  }

 private:
  const Model& model_;
  ClipPlan plan_;
  std::vector<MovingTarget> firsts_;  // one target of each channel
};

std::uint32_t intervals_of(const FramePlan& frames) {
  return frames.loops ? frames.frame_count : frames.frame_count - 1;
}

// Between two rows: at the looks, and at every key of the weights that lies there.
std::vector<double> looks_after(const ClipPlan& plan, double from, double to) {
  std::vector<double> times;
  for (const double look : kLooks) times.push_back(glm::mix(from, to, look));
  for (const MorphTrack& track : plan.clip.morphs) {
    const std::vector<float>& keys = track.weights.times;
    for (auto key = std::ranges::upper_bound(keys, static_cast<float>(from)); key != keys.end(); ++key) {
      if (static_cast<double>(*key) >= to) break;
      times.push_back(static_cast<double>(*key));
    }
  }
  std::erase_if(times, [&](double time) { return !plan.has_source(time); });
  return times;
}

double error_between(const MorphPlan& morphs, const SourceWeights& source, const ClipPlan& plan, double from, double to,
                     std::span<const double> first, std::span<const double> second) {
  double worst = 0.0;
  for (const double time : looks_after(plan, from, to)) {
    const std::vector<double> truth = source.at(time);
    const double blend = (time - from) / (to - from);
    double off = 0.0;
    for (std::size_t i = 0; i < truth.size(); ++i)
      off += morphs.channels[i].reach * std::abs(glm::mix(first[i], second[i], blend) - truth[i]);
    worst = std::max(worst, off);
  }
  return worst;
}

MorphTrackRows sampled(const MorphPlan& morphs, const SourceWeights& source, const ClipPlan& plan,
                       std::uint32_t steps) {
  MorphTrackRows out;
  out.steps = steps;
  const std::uint64_t intervals = intervals_of(plan.frames);
  const std::size_t channels = morphs.channels.size();
  std::vector<double> times;
  for (std::uint64_t i = 0; i <= intervals * steps; ++i) {
    const auto frame = static_cast<std::uint32_t>(i / steps);
    times.push_back(plan.source_time(frame, static_cast<double>(i % steps) / steps));
    const std::vector<double> weights = source.at(times.back());
    out.weights.insert(out.weights.end(), weights.begin(), weights.end());
  }
  // A loop comes back to its first row, whatever the source's last key says.
  if (plan.frames.loops)
    std::copy_n(out.weights.begin(), channels, out.weights.end() - static_cast<std::ptrdiff_t>(channels));
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const auto row = std::span<const double>(out.weights).subspan(i * channels, 2 * channels);
    out.error = std::max(out.error, error_between(morphs, source, plan, times[i], times[i + 1], row.first(channels),
                                                  row.last(channels)));
  }
  if (plan.frames.loops) out.weights.resize(out.weights.size() - channels);
  return out;
}

// What integers of a target's weights are measured in.
void set_range(const std::vector<MorphTrackRows>& tracks, std::size_t channel, std::size_t channels,
               BakedTarget& target) {
  double low = 0.0;
  double high = 0.0;
  for (const MorphTrackRows& track : tracks) {
    for (std::size_t i = channel; i < track.weights.size(); i += channels) {
      low = std::min(low, track.weights[i]);
      high = std::max(high, track.weights[i]);
    }
  }
  target.weight_min = static_cast<float>(low);
  target.weight_step = static_cast<float>((high - low) / kMostWeight);
}

std::vector<std::uint16_t> quantised(const std::vector<double>& weights, const std::vector<BakedTarget>& targets) {
  std::vector<std::uint16_t> out;
  out.reserve(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const BakedTarget& target = targets[i % targets.size()];
    const double step = static_cast<double>(target.weight_step);
    const double steps = step > 0.0 ? (weights[i] - static_cast<double>(target.weight_min)) / step : 0.0;
    out.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(steps, 0.0, kMostWeight))));
  }
  return out;
}

}  // namespace

MorphTrackRows sample_weights(const Model& model, const MorphPlan& morphs, const ClipPlan& plan, bool moves) {
  const SourceWeights source(model, morphs, plan);
  if (!moves || intervals_of(plan.frames) == 0) return {0, source.at(plan.clip.start), 0.0};
  std::optional<MorphTrackRows> best;
  for (const std::uint32_t steps : kSteps) {
    const double rate = static_cast<double>(intervals_of(plan.frames)) * steps / plan.frames.length;
    if (best && rate > kMostRows) break;
    MorphTrackRows track = sampled(morphs, source, plan, steps);
    if (!best || track.error < best->error) best = std::move(track);
    if (best->error <= kWeightShare * morphs.bound) break;
  }
  return *std::move(best);
}

void store_morphs(MorphDeltas deltas, const std::vector<MorphTrackRows>& tracks, CharacterDraft& model) {
  if (deltas.deltas.empty()) return;
  const std::size_t channels = deltas.targets.size();
  for (std::size_t i = 0; i < channels; ++i) set_range(tracks, i, channels, deltas.targets[i]);
  std::vector<std::uint16_t> weights;
  std::map<std::vector<std::uint16_t>, std::uint32_t> places;  // clips that are alike share their rows
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const std::vector<std::uint16_t> rows = quantised(tracks[i].weights, deltas.targets);
    const auto next = static_cast<std::uint32_t>(weights.size() / channels);
    const auto [place, is_new] = places.try_emplace(rows, next);
    if (is_new) weights.insert(weights.end(), rows.begin(), rows.end());
    model.clips[i].first_morph_row = place->second;
    model.clips[i].morph_steps = tracks[i].steps;
  }
  model.morphs = {std::move(deltas.targets), keep(model.storage, std::move(weights)),
                  keep(model.storage, std::move(deltas.vertices)), keep(model.storage, std::move(deltas.deltas))};
}

}  // namespace throng::detail::bake
