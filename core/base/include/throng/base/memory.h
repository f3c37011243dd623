// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory that runs out is an error like any other: in words, at the doors of the library. In a build without
// exceptions, as for WebAssembly, it ends the program there and then.

#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "throng/base/result.h"

namespace throng {

// "knight.glb: out of memory"; without what it was about when nothing is said or no memory is left for that either.
[[nodiscard]] inline Error out_of_memory(std::string_view where) noexcept {
#ifdef __cpp_exceptions
  try {
    return Error{fmt::format("{}{}out of memory", where, where.empty() ? "" : ": ")};
  } catch (...) {
    return Error{"out of memory"};  // so short that a string holds it without allocating
  }
#else
  return Error{fmt::format("{}{}out of memory", where, where.empty() ? "" : ": ")};
#endif
}

// Calls `work`, which returns a Result. Where memory runs out on the way, everything it had taken is freed and that is
// the error. `where` says what the work was about: a file, or a thing. For functions that callers outside of a module
// use; within one, exceptions pass through.
template <class Work>
auto within_memory(std::string_view where, Work&& work) -> decltype(std::forward<Work>(work)()) {
#ifdef __cpp_exceptions
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    return fail(out_of_memory(where));
  } catch (const std::length_error&) {  // more than any memory has
    return fail(out_of_memory(where));
  }
#else
  static_cast<void>(where);
  return std::forward<Work>(work)();
#endif
}

}  // namespace throng
