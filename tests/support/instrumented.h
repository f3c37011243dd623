// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sanitizers make a program five to twenty times slower. Tests that go through everything there is look at a part of it
// then: what each file does was seen in full without them, and what they look for is in the code, not in the number.

#include <iterator>
#include <type_traits>
#include <vector>

namespace throng::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kInstrumented = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kInstrumented = true;
#else
inline constexpr bool kInstrumented = false;
#endif
#else
inline constexpr bool kInstrumented = false;
#endif

// All of them, or every fifth under a sanitizer.
template <class Range>
auto a_part_if_instrumented(const Range& all) {
  constexpr std::size_t kEvery = kInstrumented ? 5 : 1;
  std::vector<std::remove_cvref_t<decltype(*std::begin(all))>> some;
  std::size_t number = 0;
  for (const auto& one : all) {
    if (number++ % kEvery == 0) some.push_back(one);
  }
  return some;
}

}  // namespace throng::test
