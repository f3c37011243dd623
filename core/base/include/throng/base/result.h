// SPDX-License-Identifier: Apache-2.0
#pragma once
// Errors are values. A function that can fail returns Result<T>; the message names the file, the thing, the rule it
// broke and, where there is one, the way out, in one line. Nothing in the library throws across its API or exits.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace throng {

// What went wrong, in one line.
struct Error {
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

// An error to return: return fail("{}: clip '{}' has no keys", file, clip);
template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(fmt::format_string<Args...> text, Args&&... args) {
  return tl::unexpected<Error>(Error{fmt::format(text, std::forward<Args>(args)...)});
}

// The error of a failed result, to return as that of another type. THRONG_TRY and THRONG_CHECK of try.h do it for you.
template <class T>
[[nodiscard]] tl::unexpected<Error> fail(Result<T>&& failed) {
  return tl::unexpected<Error>(std::move(failed).error());
}
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

// The same error with the file (or the thing) it happened in put before it: "walk.glb: clip 'run' has no keys".
[[nodiscard]] inline Error with_context(std::string_view where, Error error) {
  return Error{fmt::format("{}: {}", where, error.message)};
}

}  // namespace throng
