// SPDX-License-Identifier: Apache-2.0
#pragma once
// A float as the number people wrote: 0.3f is 0.3, not the 0.300000012 that widening makes of it, so that times meet
// where they were meant to.

#include <fmt/format.h>

#include <cstdlib>

namespace throng::detail::animator {

inline double plain(float value) { return std::strtod(fmt::format("{}", value).c_str(), nullptr); }

}  // namespace throng::detail::animator
