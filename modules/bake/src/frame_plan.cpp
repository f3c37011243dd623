#include "throng/bake/frame_plan.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr double kGridTolerance = 0.02;     // of the grid's spacing
constexpr double kFloatTimeError = 1e-5;    // seconds: key times are floats
constexpr double kHighestKeyRate = 500.0;   // keys nearer than this are two edits of one key, not a rate
constexpr double kMostFrames = 4294967000;  // what a frame count can hold

std::vector<double> key_times(const Clip& clip) {
  std::vector<double> times;
  const auto add = [&times](const std::vector<float>& keys) { times.insert(times.end(), keys.begin(), keys.end()); };
  for (const BoneTrack& track : clip.bones) {
    add(track.translation.times);
    add(track.rotation.times);
    add(track.scale.times);
  }
  std::sort(times.begin(), times.end());
  const auto same = [](double a, double b) { return b - a <= kFloatTimeError; };
  times.erase(std::unique(times.begin(), times.end(), same), times.end());
  return times;
}

std::uint32_t whole_frames(double frames) {
  return static_cast<std::uint32_t>(std::clamp(std::round(frames), 0.0, kMostFrames));
}

}  // namespace

double FramePlan::time_of(std::uint32_t frame) const {
  const std::uint32_t intervals = loops ? frame_count : frame_count - 1;
  return intervals == 0 ? 0.0 : length * frame / intervals;
}

std::optional<double> key_rate_of(const Clip& clip) {
  const std::vector<double> times = key_times(clip);
  if (times.size() < 2 || !(clip.length() > 0.0)) return std::nullopt;
  double spacing = clip.length();
  for (std::size_t i = 1; i < times.size(); ++i) spacing = std::min(spacing, times[i] - times[i - 1]);
  if (spacing < 1.0 / kHighestKeyRate) return std::nullopt;
  const double cells = std::round(clip.length() / spacing);
  spacing = clip.length() / cells;
  const double tolerance = std::max(kGridTolerance * spacing, kFloatTimeError);
  for (const double time : times) {
    const double offset = time - clip.start;
    if (std::abs(offset - std::round(offset / spacing) * spacing) > tolerance) return std::nullopt;
  }
  return 1.0 / spacing;
}

double fitting_rate(double wanted, std::optional<double> key_rate) {
  if (!key_rate) return wanted;
  if (*key_rate <= wanted) return std::max(1.0, std::round(wanted / *key_rate)) * *key_rate;
  const double fewer_skipped = *key_rate / std::floor(*key_rate / wanted);
  const double more_skipped = *key_rate / (std::floor(*key_rate / wanted) + 1.0);
  // On a tie the faster: it loses less.
  return fewer_skipped - wanted <= wanted - more_skipped ? fewer_skipped : more_skipped;
}

FramePlan plan_loop(double length, double rate) {
  if (!(length > 0.0)) return {};
  return {true, std::max(1u, whole_frames(length * rate)), length};
}

FramePlan plan_once(double length, double rate) {
  if (!(length > 0.0)) return {};
  return {false, std::max(2u, whole_frames(length * rate) + 1), length};
}

}  // namespace throng
