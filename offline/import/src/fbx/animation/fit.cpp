// SPDX-License-Identifier: Apache-2.0
#include "fbx/animation/fit.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::fbx {
namespace {

// Slopes are taken over this part of the way to the next sample.
constexpr double kBesides = 1.0 / 256.0;

// The slope from three values, the first at the sample and the others `step` and twice that to one side of it.
std::vector<double> slope(const std::vector<double>& at, const std::vector<double>& near,
                          const std::vector<double>& far, double step) {
  std::vector<double> slopes(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) slopes[i] = (4.0 * near[i] - 3.0 * at[i] - far[i]) / (2.0 * step);
  return slopes;
}

bool straight(const Watched& watched, std::size_t first, std::size_t width, double tolerance) {
  for (std::size_t s = 0; s < watched.between.size(); ++s) {
    for (std::size_t i = first; i < first + width; ++i) {
      const double middle = 0.5 * (watched.at[s][i] + watched.at[s + 1][i]);
      if (std::abs(watched.between[s][i] - middle) > tolerance) return false;
    }
  }
  return true;
}

void append(const std::vector<double>& from, std::size_t first, std::size_t width, std::vector<double>& to) {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
  to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
}

// Where a sample is the same as both its neighbours there is nothing to keep.
Fitted fit_lines(const Watched& watched, const std::vector<Sample>& samples, std::size_t first, std::size_t width) {
  const auto same = [&](std::size_t a, std::size_t b) {
    const auto begin = watched.at[a].begin() + static_cast<std::ptrdiff_t>(first);
    return std::equal(begin, begin + static_cast<std::ptrdiff_t>(width),
                      watched.at[b].begin() + static_cast<std::ptrdiff_t>(first));
  };
  Fitted fitted;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const bool inside = s > 0 && s + 1 < samples.size();
    if (inside && same(s - 1, s) && same(s, s + 1)) continue;
    fitted.times.push_back(samples[s].time);
    append(watched.at[s], first, width, fitted.values);
  }
  return fitted;
}

}  // namespace

Watched watch(const Motion& motion, const std::vector<Sample>& samples, bool smooth) {
  Watched watched;
  for (const Sample& sample : samples) {
    watched.at.push_back(motion(sample.moment, watched.at.empty() ? nullptr : &watched.at.back()));
  }
  if (!smooth) return watched;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const double moment = samples[s].moment;
    const std::vector<double>& at = watched.at[s];
    const auto beside = [&](double step) {
      return slope(at, motion(moment + step, &at), motion(moment + 2.0 * step, &at), step);
    };
    const std::vector<double> still(at.size(), 0.0);
    const bool last = s + 1 == samples.size();
    const double after = last ? 0.0 : samples[s + 1].moment - moment;
    if (!last) watched.between.push_back(motion(moment + 0.5 * after, &at));
    watched.slope_after.push_back(last ? still : beside(kBesides * after));
    watched.slope_before.push_back(s == 0 ? still : beside(kBesides * (samples[s - 1].moment - moment)));
  }
  return watched;
}

Fitted fit(const Watched& watched, const std::vector<Sample>& samples, std::size_t first, std::size_t width,
           double tolerance) {
  if (straight(watched, first, width, tolerance)) return fit_lines(watched, samples, first, width);
  Fitted fitted;
  fitted.interpolation = Interpolation::cubic_spline;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    fitted.times.push_back(samples[s].time);
    append(watched.slope_before[s], first, width, fitted.values);
    append(watched.at[s], first, width, fitted.values);
    append(watched.slope_after[s], first, width, fitted.values);
  }
  return fitted;
}

}  // namespace throng::detail::fbx
