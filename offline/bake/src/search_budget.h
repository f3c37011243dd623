// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the search for one clip's rate and encoding may take: what a bake's budget leaves when all that it cannot do
// without is taken from it.
//
// Work is counted in seconds that it takes one core, about, and never timed: the same is found on every machine.

#include <limits>

namespace throng::detail::bake {

class SearchBudget {
 public:
  SearchBudget() = default;  // whatever it takes
  SearchBudget(double bytes, double seconds) : bytes_(bytes), seconds_(seconds), left_(seconds) {}

  // Whether a trial that takes that much may be made: it leaves half of the time to others.
  bool allows(double bytes, double seconds) {
    const bool allowed = bytes <= bytes_ && seconds <= 0.5 * seconds_;
    cut_short_ = cut_short_ || !allowed;
    return allowed;
  }
  void spend(double seconds) { left_ -= seconds; }
  bool is_spent() const { return left_ <= 0.0; }
  // Whether it is time to take what has been found, though there is more to try.
  bool stops() {
    cut_short_ = cut_short_ || is_spent();
    return is_spent();
  }
  // Whether anything was left out for it.
  bool cut_short() const { return cut_short_; }

 private:
  double bytes_ = std::numeric_limits<double>::infinity();
  double seconds_ = std::numeric_limits<double>::infinity();
  double left_ = std::numeric_limits<double>::infinity();
  bool cut_short_ = false;
};

}  // namespace throng::detail::bake
