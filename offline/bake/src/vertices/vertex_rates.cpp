// SPDX-License-Identifier: Apache-2.0
#include "vertices/vertex_rates.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "measure/vertex_compare.h"
#include "throng/base/try.h"
#include "vertices/vertex_survey.h"

namespace throng::detail::bake {
namespace {

constexpr double kHighestRate = 1000.0;          // frames a second
constexpr std::uint32_t kMostFrames = 1u << 20;  // no layer holds more; a clip may claim any length
constexpr std::uint32_t kFramesAtOnce = 8;       // by one thread: the frame after one is not encoded twice
constexpr double kMostEvaluations = 4e9;         // above it, vertices between frames are taken in turns

struct Off {
  double at_frames = 0.0;  // millimetres
  double between = 0.0;
  double largest() const { return std::max(at_frames, between); }
};

class RateTrial {
 public:
  RateTrial(const VertexCompare& compare, const VertexFrames& frames, double mm_per_unit, Executor& executor)
      : compare_(compare), frames_(frames), mm_per_unit_(mm_per_unit), executor_(executor) {}

  Result<Off> measure(const ClipPlan& plan) {
    THRONG_TRY(const ClipRange range, survey_range(plan, frames_, executor_));
    const std::vector<Corner> corners = corners_of(plan.clip);
    const std::uint32_t count = plan.frames.frame_count;
    std::vector<Off> off((count + kFramesAtOnce - 1) / kFramesAtOnce);
    executor_.run(off.size(), [&](std::size_t job) {
      const auto first = static_cast<std::uint32_t>(job) * kFramesAtOnce;
      off[job] = measure_some({plan, range, corners}, first, std::min(first + kFramesAtOnce, count));
    });
    Off worst;
    for (const Off& one : off) {
      worst.at_frames = std::max(worst.at_frames, one.at_frames);
      worst.between = std::max(worst.between, one.between);
    }
    return worst;
  }

 private:
  Off measure_some(const VertexCompare::ClipInputs& clip, std::uint32_t first, std::uint32_t end) const {
    const ClipPlan& plan = clip.plan;
    const auto encode = [&](std::uint32_t frame, std::vector<std::uint32_t>& words) {
      const std::uint32_t wrapped = frame % plan.frames.frame_count;
      frames_.encode(frames_.skinner().pose_at(plan, plan.source_time(wrapped, 0.0)), clip.range, words);
    };
    std::vector<std::uint32_t> from(frames_.words_per_frame());
    std::vector<std::uint32_t> to(frames_.words_per_frame());
    CompareResult result;
    const double evaluations = static_cast<double>(plan.frames.frame_count) * kLooksPerInterval *
                               static_cast<double>(frames_.skinner().vertex_count());
    const auto stride = 1 + static_cast<std::size_t>(evaluations / kMostEvaluations);
    encode(first, from);
    for (std::uint32_t frame = first; frame < end; ++frame) {
      encode(frame + 1, to);
      compare_.add(clip, {frame, from, to}, stride, result);
      std::swap(from, to);
    }
    return {result.at_frames.max() * mm_per_unit_, result.between.max() * mm_per_unit_};
  }

  const VertexCompare& compare_;
  const VertexFrames& frames_;
  double mm_per_unit_;
  Executor& executor_;
};

// Rates still in question: [low, high); below it all are too low, `high` is enough or past the last.
struct Search {
  const std::vector<double>& rates;
  std::size_t low = 0;
  std::size_t high = 0;
  int trials = 0;

  // Where to look after `from`. What lies between frames falls with the square of the rate; where that leads nowhere
  // soon, by doubling and halving.
  std::size_t next(std::size_t from, const Off& off, double bound) const {
    constexpr int kGuesses = 3;
    if (trials > kGuesses && high < rates.size()) return low + (high - low) / 2;
    const double factor = trials > kGuesses ? 2.0 : std::sqrt(off.between / bound);
    const auto at = std::lower_bound(rates.begin(), rates.end(), rates[from] * factor) - rates.begin();
    return std::clamp(static_cast<std::size_t>(at), low, high - 1);
  }
};

struct Tried {
  FramePlan frames;
  Off off;
};

// `below`: the best of what is cheaper; or nothing is.
std::string words_for(const VertexFrames& frames, const Tried& chosen, const std::optional<Tried>& below) {
  const auto bytes = static_cast<double>(frames.words_per_frame() * sizeof(std::uint32_t) * chosen.frames.frame_count);
  std::string text = fmt::format("{} {}: {:.3g} mm, {:.1f} kB", name_of(frames.encoding()), rate_words(chosen.frames),
                                 chosen.off.largest(), bytes / 1000.0);
  if (below) text += fmt::format("; {} it would be {:.3g} mm", rate_words(below->frames), below->off.largest());
  return text;
}

tl::unexpected<Error> out_of_reach(const ClipPlan& plan, Encoding encoding, double bound, const Tried& best) {
  const bool rounded = best.off.at_frames > bound;
  return fail("clip '{}' comes within {:.3g} mm at best ({} {}), and {:g} mm are asked for: allow more, or {}",
              plan.clip.name, best.off.largest(), name_of(encoding), rate_words(best.frames), bound,
              rounded ? "take its root motion off (vertices are rounded to parts of all the room it takes)"
                      : "key the clip at smaller steps");
}

}  // namespace

std::string rate_words(const FramePlan& frames) {
  if (frames.frame_count == 1) return "in one frame";
  BakedClip clip;
  clip.loops = frames.loops;
  clip.frame_count = frames.frame_count;
  clip.length = frames.length;
  return fmt::format("at {:.4g} fps", clip.rate());
}

Result<RatedClip> cheapest_rate(const Model& source, const std::vector<VertexOrigin>& origins, const ClipPlan& plan,
                                const VertexFrames& frames, const BakeSettings& settings, double mm_per_unit,
                                Executor& executor) {
  const double bound = *settings.max_error_mm;
  const VertexCompare compare(source, origins, frames);
  RateTrial trial(compare, frames, mm_per_unit, executor);
  std::vector<double> rates = candidate_rates(plan, settings.frame_rate, kHighestRate);
  std::erase_if(rates, [&plan](double rate) { return replanned(plan, rate).frames.frame_count > kMostFrames; });
  if (rates.empty()) {
    return fail("clip '{}' is {:.4g} s long: more than {} frames at any rate; cut it", plan.clip.name,
                plan.clip.length(), kMostFrames);
  }
  std::map<std::size_t, Tried> tried;
  Search search{rates, 0, rates.size()};
  const auto wanted = std::lower_bound(rates.begin(), rates.end(), settings.frame_rate) - rates.begin();
  std::size_t at = std::min(static_cast<std::size_t>(wanted), rates.size() - 1);
  while (search.low < search.high) {
    const ClipPlan trial_plan = replanned(plan, rates[at]);
    THRONG_TRY(const Off off, trial.measure(trial_plan));
    tried[at] = {trial_plan.frames, off};
    ++search.trials;
    if (off.at_frames > bound) return out_of_reach(plan, frames.encoding(), bound, tried[at]);
    (off.largest() <= bound ? search.high : search.low) = off.largest() <= bound ? at : at + 1;
    if (search.low < search.high) at = search.next(at, off, bound);
  }
  const std::size_t found = search.high;
  if (found == rates.size()) return out_of_reach(plan, frames.encoding(), bound, tried.rbegin()->second);
  std::optional<Tried> below;
  if (found > 0) below = tried.at(found - 1);
  return RatedClip{replanned(plan, rates[found]), words_for(frames, tried.at(found), below)};
}

}  // namespace throng::detail::bake
