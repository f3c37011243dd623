// SPDX-License-Identifier: Apache-2.0
#include "bones/encoding_choice.h"

#include <algorithm>
#include <cmath>

#include "bones/channel_search.h"
#include "bones/rate_search.h"
#include "throng/base/try.h"

namespace throng::detail::bake {
namespace {

constexpr double kHardlyWorse = 1.05;  // errors: what is cheaper is taken all the same

std::string kilobytes(std::uint64_t bytes) { return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1000.0); }

// Model-space rotation, translation and scale that are not there for other people's shaders, smallest first.
std::vector<Encoding> rigid_encodings() {
  std::vector<Encoding> out;
  for (const Encoding encoding : kEncodings) {
    const EncodingInfo& info = info_of(encoding);
    if (info.kind == ItemKind::bone && !info.half) out.push_back(encoding);
  }
  std::ranges::stable_sort(out, {}, [](Encoding encoding) { return info_of(encoding).words; });
  return out;
}

// What may be tried on a clip beside localv, smallest first. local8 is not: nothing it holds takes fewer bytes than in
// localv, and a skeleton has slots for one of them.
std::vector<Encoding> encodings_for(const BoneBakeInputs& bake, const ClipPlan& plan, const ColumnSamples& samples,
                                    std::size_t clip) {
  if (bake.settings.encoding) return {*bake.settings.encoding};
  std::vector<Encoding> out;
  for (const Encoding encoding : rigid_encodings()) {
    if (misfit_words(bake, plan, samples, clip, encoding).empty()) out.push_back(encoding);
  }
  if (out.empty()) out.push_back(Encoding::rows);
  return out;
}

bool promises_more(const RateSearch& a, const RateSearch& b) {
  if (a.hopeless() || b.hopeless()) return !a.hopeless() || (b.hopeless() && a.best_mm() < b.best_mm());
  return a.bytes() < b.bytes();
}

std::string words_of(const RateSearch& search) {
  const std::string_view name = name_of(search.encoding());
  if (search.hopeless()) return fmt::format("{} reaches {:.3g} mm at best", name, search.best_mm());
  return fmt::format("{} would take {}{}", name, search.settled() ? "" : "at least ", kilobytes(search.bytes()));
}

std::string at_rate(const ClipPlan& plan) {
  if (plan.frames.frame_count == 1) return "in one frame";
  return fmt::format("at {:.4g} fps", rate_of(plan.frames));
}

// For each encoding but the winner's, what its best series of rates came to.
std::string reasons(const std::vector<RateSearch>& searches, const RateSearch& winner, double millimetres) {
  std::string others;
  for (const RateSearch& search : searches) {
    const bool beaten = std::any_of(searches.begin(), searches.end(), [&](const RateSearch& other) {
      return other.encoding() == search.encoding() && promises_more(other, search);
    });
    if (search.encoding() == winner.encoding() || beaten) continue;
    others += (others.empty() ? "; " : ", ") + words_of(search);
  }
  return fmt::format("{} {}: {:.3g} mm, {}{}", name_of(winner.encoding()), at_rate(winner.plan()), millimetres,
                     kilobytes(winner.bytes()), others);
}

// The cheapest that keeps the bound: until the one that promises most has been measured in full, and keeps it. Nothing
// when none does.
std::optional<EncodingChoice> searched(std::vector<RateSearch>& searches, double bound, SearchBudget& budget) {
  while (!budget.stops()) {
    const auto cheapest = std::min_element(searches.begin(), searches.end(), promises_more);
    if (cheapest->hopeless()) return std::nullopt;
    if (!cheapest->settled()) {
      cheapest->step();
      continue;
    }
    const double millimetres = cheapest->verify();
    if (millimetres <= bound) {
      return EncodingChoice{cheapest->plan(), cheapest->encoding(), reasons(searches, *cheapest, millimetres), {}};
    }
  }
  return std::nullopt;
}

// Why another encoding is not taken instead of localv.
std::string words_beside(const RateSearch& search) {
  const std::string_view name = name_of(search.encoding());
  if (!std::isfinite(search.best_mm()))
    return fmt::format("{} would take at least {}", name, kilobytes(search.fewest_bytes()));
  return fmt::format("{} reaches {:.3g} mm in as many bytes", name, search.best_mm());
}

// One clip, the rates and the encodings it may be tried with.
class ClipSearch {
 public:
  ClipSearch(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
             const std::vector<Encoding>& encodings, SearchBudget& budget)
      : bake_(bake),
        extremes_(extremes),
        plan_(plan),
        encodings_(encodings),
        budget_(budget),
        series_(rate_series(bake, plan)) {
    leave_out_dear(
        plan, [&](const FramePlan& frames) { return column_trial(bake, extremes, plan, frames); }, budget, series_);
  }

  struct Best {
    EncodingChoice choice;
    double millimetres = 0.0;
    bool kept = true;  // within the bound
  };

  Best choose(double bound) {
    Trials trials = trials_for(bound);
    if (auto choice = searched(trials.searches, bound, budget_)) return {*std::move(choice)};
    return best_there_is(trials, bound);
  }

  // What takes fewer bytes than localv and keeps the bound as well; or localv.
  EncodingChoice choose_below(const ChannelChoice& channels, EncodingChoice choice, double bound) {
    Trials trials = trials_for(bound, channels.clip.bytes());
    if (auto cheaper = searched(trials.searches, bound, budget_)) return *std::move(cheaper);
    for (std::size_t i = 0; i < trials.searches.size(); ++i) {
      const RateSearch& search = trials.searches[i];
      const bool beaten = std::ranges::any_of(trials.searches, [&](const RateSearch& other) {
        return other.encoding() == search.encoding() && other.best_mm() < search.best_mm();
      });
      if (!beaten) choice.why += (i == 0 ? "; " : ", ") + words_beside(search);
    }
    return choice;
  }

 private:
  struct Trials {
    std::vector<TrialClip> clips;
    std::vector<RateSearch> searches;
  };

  Trials trials_for(double bound, std::uint64_t below = std::numeric_limits<std::uint64_t>::max()) {
    Trials trials;
    trials.clips.reserve(series_.size());  // the searches point at them
    for (const std::vector<double>& rates : series_) {
      if (!rates.empty()) trials.clips.emplace_back(bake_, extremes_, plan_, rates, bound, budget_);
    }
    for (const Encoding encoding : encodings_) {
      for (TrialClip& clip : trials.clips) trials.searches.emplace_back(clip, encoding, below);
    }
    return trials;
  }

  // Where a clip jumps, no rate is enough, and the largest error says little of the rest of it. So what is looked for
  // is hardly worse than the best there is, and no coarser in time than clips usually are.
  Best best_there_is(Trials& trials, double bound) {
    const auto is_known = [](const RateSearch& search) { return std::isfinite(search.best_mm()); };
    for (RateSearch& search : trials.searches) {
      if (!budget_.stops()) {
        search.look_at_highest();
      } else if (std::ranges::none_of(trials.searches, is_known)) {
        search.look_at_first_guess();
      }
    }
    const auto best = std::ranges::min_element(trials.searches, {}, &RateSearch::best_mm);
    EncodingChoice choice{best->best_plan(), best->encoding(), {}, {}};
    const double reached = best->best_mm();
    for (std::vector<double>& rates : series_) {
      std::erase_if(rates, [&](double rate) {
        return rate > 0.0 && replanned_frames(plan_, rate).frame_count < plan_.frames.frame_count;
      });
    }
    Trials closer = trials_for(kHardlyWorse * reached);
    if (!closer.searches.empty()) {
      if (auto found = searched(closer.searches, kHardlyWorse * reached, budget_)) choice = *std::move(found);
    }
    choice.why = fmt::format("{} {}: {:.3g} mm at best, where {:g} mm are asked for", name_of(choice.encoding),
                             at_rate(choice.plan), reached, bound);
    return {std::move(choice), reached, false};
  }

  const BoneBakeInputs& bake_;
  const ComparedPoints& extremes_;
  const ClipPlan& plan_;
  const std::vector<Encoding>& encodings_;
  SearchBudget& budget_;
  std::vector<std::vector<double>> series_;
};

std::string words_of(const ChannelChoice& choice, std::optional<double> bound) {
  return fmt::format("localv {}: {:.3g} mm{}, {}", at_rate(choice.plan), choice.millimetres,
                     choice.kept || !bound ? "" : fmt::format(" at best, where {:g} mm are asked for", *bound),
                     kilobytes(choice.clip.bytes()));
}

// What the search for rate and steps came to.
EncodingChoice as_channels(const ChannelChoice& found, std::optional<double> bound) {
  return {found.plan, Encoding::localv, words_of(found, bound), {}, found.clip, found.measured};
}

std::string rows_note(const ClipPlan& plan, const std::string& misfit) {
  return fmt::format("clip '{}' is baked as rows: {}", plan.clip.name, misfit);
}

}  // namespace

Result<EncodingChoice> choose_plainly(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                                      const ColumnSamples& samples, std::size_t clip, SearchBudget& budget) {
  EncodingChoice choice{plan, bake.settings.encoding.value_or(Encoding::q16), {}, {}};
  const std::string misfit = misfit_words(bake, plan, samples, clip, choice.encoding);
  if (!misfit.empty() && bake.settings.encoding) return fail(refusal_of(bake, plan, samples, clip, choice.encoding));
  if (choice.encoding == Encoding::localv) {
    THRONG_TRY(const ChannelChoice found, channels_as_planned(bake, extremes, plan, kUsualErrorMm, budget));
    return as_channels(found, std::nullopt);
  }
  std::string why = bake.settings.encoding ? "as asked for" : "the default";
  if (!misfit.empty()) {
    choice.encoding = Encoding::rows;
    choice.note = rows_note(plan, misfit);
    why = misfit;
  }
  choice.why = fmt::format("{} {}: {}", name_of(choice.encoding), at_rate(plan), why);
  return choice;
}

Result<EncodingChoice> choose_by_error(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                                       const ColumnSamples& samples, std::size_t clip, SearchBudget& budget) {
  if (bake.settings.encoding && !misfit_words(bake, plan, samples, clip, *bake.settings.encoding).empty()) {
    return fail(refusal_of(bake, plan, samples, clip, *bake.settings.encoding));
  }
  const double bound = bake.bound_share * *bake.settings.max_error_mm;
  if (bake.settings.encoding == Encoding::localv) {
    THRONG_TRY(const ChannelChoice found, choose_channels(bake, extremes, plan, bound, budget));
    return as_channels(found, bound);
  }
  const std::vector<Encoding> encodings = encodings_for(bake, plan, samples, clip);
  if (!bake.settings.encoding && misfit_words(bake, plan, samples, clip, Encoding::localv).empty()) {
    THRONG_TRY(ChannelChoice channels, choose_channels(bake, extremes, plan, bound, budget));
    EncodingChoice choice = as_channels(channels, bound);
    // Near characters play localv as it is; beside other encodings they need the clip's keys, which take more.
    if (budget.is_spent() || (channels.kept && bake.settings.near)) return choice;
    ClipSearch others(bake, extremes, plan, encodings, budget);
    if (channels.kept) return others.choose_below(channels, std::move(choice), bound);
    ClipSearch::Best best = others.choose(bound);
    if (best.kept || channels.millimetres > kHardlyWorse * best.millimetres) return std::move(best.choice);
    return choice;
  }
  ClipSearch others(bake, extremes, plan, encodings, budget);
  EncodingChoice choice = others.choose(bound).choice;
  if (!bake.settings.encoding && encodings[0] == Encoding::rows) {
    choice.note = rows_note(plan, misfit_words(bake, plan, samples, clip, Encoding::q16));
  }
  return choice;
}

}  // namespace throng::detail::bake
