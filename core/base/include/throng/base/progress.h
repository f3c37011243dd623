// SPDX-License-Identifier: Apache-2.0
#pragma once
// Long work reports how far it is through a callback; who asked decides whether to show it.

#include <functional>
#include <string_view>

namespace throng {

// `done` runs from 0 to 1 and never falls within one `what`. Called from one thread at a time. May be empty.
using Progress = std::function<void(std::string_view what, double done)>;

inline void report(const Progress& progress, std::string_view what, double done) {
  if (progress) progress(what, done);
}

}  // namespace throng
