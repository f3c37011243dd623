#include "choose.h"

#include <algorithm>
#include <cmath>

#include "rate_search.h"

namespace throng {
namespace {

std::string kilobytes(std::uint64_t bytes) { return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1000.0); }

// What may be tried on a clip, smallest first.
std::vector<Encoding> encodings_for(const BoneBake& bake, const ClipPlan& plan, const ClipMotion& motion,
                                    std::size_t clip) {
  if (bake.settings.encoding) return {*bake.settings.encoding};
  std::vector<Encoding> out;
  for (const Encoding encoding : {Encoding::q8, Encoding::local8, Encoding::q12, Encoding::q16, Encoding::x16}) {
    if (misfit_words(bake, plan, motion, clip, encoding).empty()) out.push_back(encoding);
  }
  if (out.empty()) out.push_back(Encoding::rows);
  return out;
}

std::string words_of(const RateSearch& search) {
  if (search.hopeless())
    return fmt::format("{} reaches {:.3g} mm at best", name_of(search.encoding()), search.best_mm());
  return fmt::format("{} would take {}{}", name_of(search.encoding()), search.settled() ? "" : "at least ",
                     kilobytes(search.bytes()));
}

std::string at_rate(const ClipPlan& plan) {
  if (plan.frames.frame_count == 1) return "in one frame";
  return fmt::format("at {:.4g} fps", rate_of(plan.frames));
}

std::string reasons(const std::vector<RateSearch>& searches, const RateSearch& winner, double millimetres) {
  std::string others;
  for (const RateSearch& search : searches) {
    if (&search != &winner) others += (others.empty() ? "; " : ", ") + words_of(search);
  }
  return fmt::format("{} {}: {:.3g} mm, {}{}", name_of(winner.encoding()), at_rate(winner.plan()), millimetres,
                     kilobytes(winner.bytes()), others);
}

tl::unexpected<Error> out_of_reach(const ClipPlan& plan, const std::vector<RateSearch>& searches, double bound) {
  const auto best = std::min_element(searches.begin(), searches.end(), [](const RateSearch& a, const RateSearch& b) {
    return a.best_mm() < b.best_mm();
  });
  return fail(
      "clip '{}' comes within {:.3g} mm at best ({} at {:.4g} fps), and {:g} mm are asked for: allow more, or "
      "key the clip at smaller steps",
      plan.clip.name, best->best_mm(), name_of(best->encoding()), best->best_rate(), bound);
}

}  // namespace

Result<ClipChoice> choose_plainly(const BoneBake& bake, const ClipPlan& plan, const ClipMotion& motion,
                                  std::size_t clip) {
  ClipChoice choice{plan, bake.settings.encoding.value_or(Encoding::q16), {}, {}};
  const std::string misfit = misfit_words(bake, plan, motion, clip, choice.encoding);
  if (!misfit.empty() && bake.settings.encoding) return fail(refusal_of(bake, plan, motion, clip, choice.encoding));
  std::string why = bake.settings.encoding ? "as asked for" : "the default";
  if (!misfit.empty()) {
    choice.encoding = Encoding::rows;
    choice.note = fmt::format("clip '{}' is baked as rows: {}", plan.clip.name, misfit);
    why = misfit;
  }
  choice.why = fmt::format("{} {}: {}", name_of(choice.encoding), at_rate(plan), why);
  return choice;
}

Result<ClipChoice> choose_by_error(const BoneBake& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                                   const ClipMotion& motion, std::size_t clip) {
  if (bake.settings.encoding && !misfit_words(bake, plan, motion, clip, *bake.settings.encoding).empty()) {
    return fail(refusal_of(bake, plan, motion, clip, *bake.settings.encoding));
  }
  const double bound = *bake.settings.max_error_mm;
  TrialClip trial(bake, extremes, plan, bound);
  std::vector<RateSearch> searches;
  for (const Encoding encoding : encodings_for(bake, plan, motion, clip)) searches.emplace_back(trial, encoding);
  for (;;) {
    const auto cheapest = std::min_element(searches.begin(), searches.end(), [](const auto& a, const auto& b) {
      return !a.hopeless() && (b.hopeless() || a.bytes() < b.bytes());
    });
    if (cheapest->hopeless()) return out_of_reach(plan, searches, bound);
    if (!cheapest->settled()) {
      cheapest->step();
      continue;
    }
    const double millimetres = cheapest->verify();
    if (!(millimetres <= bound)) continue;
    ClipChoice choice{cheapest->plan(), cheapest->encoding(), {}, {}};
    choice.why = reasons(searches, *cheapest, millimetres);
    return choice;
  }
}

ComparedPoints extreme_points(const ComparedPoints& points, std::size_t columns) {
  // The six axes and the eight corners.
  std::vector<glm::dvec3> directions;
  for (int axis = 0; axis < 3; ++axis) {
    glm::dvec3 d(0.0);
    d[axis] = 1.0;
    directions.push_back(d);
    directions.push_back(-d);
  }
  for (int corner = 0; corner < 8; ++corner) {
    directions.emplace_back((corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0,
                            (corner & 4) != 0 ? 1.0 : -1.0);
  }
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> farthest(columns * directions.size(), kNone);
  for (std::size_t i = 0; i < points.positions.size(); ++i) {
    const ComparedPoint& point = points.positions[i];
    for (std::size_t d = 0; d < directions.size(); ++d) {
      std::size_t& best = farthest[point.bound.columns[0] * directions.size() + d];
      if (best == kNone || glm::dot(directions[d], point.baked) > glm::dot(directions[d], points.positions[best].baked))
        best = i;
    }
  }
  std::sort(farthest.begin(), farthest.end());
  farthest.erase(std::unique(farthest.begin(), farthest.end()), farthest.end());
  ComparedPoints out;
  for (const std::size_t i : farthest) {
    if (i != kNone) out.positions.push_back(points.positions[i]);
  }
  return out;
}

}  // namespace throng
