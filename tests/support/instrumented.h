// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sanitizers make a program five to twenty times slower. Tests that go through everything there is look at a part of it
// then: what each file does was seen in full without them, and what they look for is in the code, not in the number.

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
template <class T>
std::vector<T> a_part_if_instrumented(std::vector<T> all) {
  constexpr std::size_t kEvery = 5;
  if (!kInstrumented) return all;
  std::vector<T> some;
  for (std::size_t i = 0; i < all.size(); i += kEvery) some.push_back(std::move(all[i]));
  return some;
}

}  // namespace throng::test
