// SPDX-License-Identifier: Apache-2.0
#include "vertices/vertex_rates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "cost.h"
#include "measure/vertex_compare.h"
#include "throng/base/try.h"
#include "vertices/vertex_survey.h"

namespace throng::detail::bake {
namespace {

constexpr double kHighestRate = 1000.0;          // frames a second
constexpr std::uint32_t kMostFrames = 1u << 20;  // no layer holds more; a clip may claim any length
constexpr std::uint32_t kFramesAtOnce = 8;       // by one thread: the frame after one is not encoded twice
constexpr double kHardlyWorse = 1.05;            // than the best there is
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

std::string words_at_best(const VertexFrames& frames, const Tried& chosen, double bound) {
  return fmt::format("{} {}: {:.3g} mm at best, where {:g} mm are asked for", name_of(frames.encoding()),
                     rate_words(chosen.frames), chosen.off.largest(), bound);
}

RatedClip best_tried(const ClipPlan& plan, const VertexFrames& frames, const std::map<std::size_t, Tried>& tried,
                     std::size_t usual, double bound) {
  double best = std::numeric_limits<double>::infinity();
  for (const auto& [rate, one] : tried) best = std::min(best, one.off.largest());
  const auto good = std::find_if(tried.lower_bound(usual), tried.end(),
                                 [&](const auto& one) { return one.second.off.largest() <= kHardlyWorse * best; });
  const Tried& chosen = good == tried.end() ? tried.rbegin()->second : good->second;
  RatedClip out{plan, words_at_best(frames, chosen, bound)};
  out.plan.frames = chosen.frames;
  return out;
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
                                SearchBudget& budget, Executor& executor) {
  double bound = *settings.max_error_mm;
  const VertexCompare compare(source, origins, frames);
  RateTrial trial(compare, frames, mm_per_unit, executor);
  std::vector<double> rates = candidate_rates(plan, kUsualFrameRate, kHighestRate);
  std::erase_if(rates, [&plan](double rate) { return replanned_frames(plan, rate).frame_count > kMostFrames; });
  const auto cost = [&](const FramePlan& trial_frames) {
    return cost_of_vertex_frames(trial_frames.frame_count, static_cast<double>(origins.size()));
  };
  std::erase_if(rates, [&](double rate) {
    const FramePlan trial_frames = replanned_frames(plan, rate);
    if (trial_frames.frame_count <= plan.frames.frame_count) return false;
    return !budget.allows(cost(trial_frames).bytes, 2.0 * cost(trial_frames).seconds);
  });
  if (rates.empty()) {
    return fail("clip '{}' is {:.4g} s long: more than {} frames at any rate; cut it", plan.clip.name,
                plan.clip.length(), kMostFrames);
  }
  std::map<std::size_t, Tried> tried;
  Search search{rates, 0, rates.size()};
  const auto wanted = std::lower_bound(rates.begin(), rates.end(), kUsualFrameRate) - rates.begin();
  const std::size_t usual = std::min(static_cast<std::size_t>(wanted), rates.size() - 1);
  std::size_t at = usual;
  bool reached = true;
  while (search.low < search.high) {
    const ClipPlan trial_plan = replanned(plan, rates[at]);
    budget.spend(cost(trial_plan.frames).seconds);
    THRONG_TRY(const Off off, trial.measure(trial_plan));
    tried[at] = {trial_plan.frames, off};
    ++search.trials;
    // What is off at the frames themselves no rate mends: hardly worse than that is the best there is.
    if (off.at_frames > bound) {
      bound = kHardlyWorse * off.at_frames;
      reached = false;
    }
    (off.largest() <= bound ? search.high : search.low) = off.largest() <= bound ? at : at + 1;
    // Where a clip jumps, none is enough: of those that were tried the coarsest that is hardly worse than the best, and
    // no coarser than clips usually are.
    const bool spent = search.low < search.high && budget.stops();
    if (spent && search.high < rates.size()) break;
    if (spent || search.low == rates.size()) return best_tried(plan, frames, tried, usual, bound);
    if (search.low < search.high) at = search.next(at, off, bound);
  }
  const std::size_t found = search.high;
  if (!reached)
    return RatedClip{replanned(plan, rates[found]), words_at_best(frames, tried.at(found), *settings.max_error_mm)};
  std::optional<Tried> below;
  if (found > 0 && tried.contains(found - 1)) below = tried.at(found - 1);
  return RatedClip{replanned(plan, rates[found]), words_for(frames, tried.at(found), below)};
}

}  // namespace throng::detail::bake
