// SPDX-License-Identifier: Apache-2.0
#pragma once
// What can be undone: every state that somebody came to rest in, up to a number of them.

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

namespace throng::studio {

template <class State>
class History {
 public:
  // Forgets everything: there is nothing before `now`.
  void reset(State now) {
    states_.assign(1, std::move(now));
    at_ = 0;
  }

  // Called as often as one likes with the state as it is. While it is `changing` (a slider is held, a word is being
  // typed) nothing is kept, so that a drag is undone as one step.
  void note(const State& now, bool changing) {
    if (states_.empty()) return reset(now);
    if (changing || states_[at_] == now) return;
    states_.resize(at_ + 1);
    states_.push_back(now);
    if (states_.size() > kMostSteps + 1) states_.pop_front();
    at_ = states_.size() - 1;
  }

  bool can_undo() const { return at_ > 0; }
  bool can_redo() const { return at_ + 1 < states_.size(); }
  // The state to go back to, or on to again; nothing where there is none.
  std::optional<State> undo() { return can_undo() ? std::optional(states_[--at_]) : std::nullopt; }
  std::optional<State> redo() { return can_redo() ? std::optional(states_[++at_]) : std::nullopt; }

  static constexpr std::size_t kMostSteps = 200;

 private:
  std::deque<State> states_;
  std::size_t at_ = 0;
};

}  // namespace throng::studio
