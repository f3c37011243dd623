// SPDX-License-Identifier: Apache-2.0
#pragma once
// How JavaScript calls the library: web/throng.js is the only caller, and the two change together.
//
// A handle is a pointer. Up to three numbers are passed as they are; more go through `numbers`, in both directions, and
// so does what a call answers. Texts go in as an address and a length, in memory that throng_allocate() gave. A call
// that can fail returns false, or a handle of null, and tells why: throng_text() has the sentence.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "throng/base/result.h"

// Before the definition of what JavaScript calls.
#define THRONG_CALL(name) extern "C" __attribute__((export_name(#name), used))

namespace throng::web {

inline constexpr std::size_t kNumbers = 1024;
// Floats of 64 bits hold what either side says: indices, addresses, and floats of 32 bits exactly.
extern double numbers[kNumbers];  // NOLINT(cppcoreguidelines-avoid-c-arrays): JavaScript knows its address

// What throng_text() gives from now on.
void tell(std::string text);

// Writes answers to `numbers`, from one of them on.
void answer(std::initializer_list<double> values, std::size_t first = 0);

// Where an array lies, and how many bytes it has: numbers 0 and 1.
void answer_bytes(std::span<const std::byte> bytes);

template <class T>
void answer_array(std::span<const T> values) {
  answer_bytes(std::as_bytes(values));
}

// A number that JavaScript wrote, as an index.
inline std::uint32_t index_at(std::size_t number) { return static_cast<std::uint32_t>(numbers[number]); }
inline float float_at(std::size_t number) { return static_cast<float>(numbers[number]); }
inline bool bool_at(std::size_t number) { return numbers[number] != 0.0; }

inline std::string_view text_at(const char* text, std::size_t size) { return {text, size}; }

// Whether it went well; tells why not.
template <class T>
bool went_well(const Result<T>& result) {
  if (!result) tell(result.error().message);
  return result.has_value();
}

}  // namespace throng::web
