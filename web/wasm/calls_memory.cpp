// SPDX-License-Identifier: Apache-2.0
// Memory that JavaScript fills and reads.
#include <algorithm>
#include <cstdlib>

#include "calls.h"

namespace throng::web {
namespace {

std::string text;  // NOLINT(cert-err58-cpp): empty, so nothing is allocated

}  // namespace

double numbers[kNumbers] = {};  // NOLINT(cppcoreguidelines-avoid-c-arrays)

void tell(std::string told) { text = std::move(told); }

void answer(std::initializer_list<double> values, std::size_t first) { std::ranges::copy(values, numbers + first); }

void answer_bytes(std::span<const std::byte> bytes) {
  answer({static_cast<double>(reinterpret_cast<std::uintptr_t>(bytes.data())), static_cast<double>(bytes.size())});
}

}  // namespace throng::web

using namespace throng::web;

// Null: there is not so much memory.
THRONG_CALL(throng_allocate) void* throng_allocate(std::size_t bytes) { return std::malloc(bytes); }
THRONG_CALL(throng_release) void throng_release(void* memory) { std::free(memory); }

// Where `numbers` lie.
THRONG_CALL(throng_numbers) double* throng_numbers() { return numbers; }

// The last text that was told: an error, or what was asked for.
THRONG_CALL(throng_text) void throng_text() { answer_array(std::span(std::as_const(text))); }

// Clang's libraries for WebAssembly are compiled to look after their stacks, and nothing there has these.
extern "C" {
std::uintptr_t __stack_chk_guard = 0x7e11f00d;  // NOLINT(bugprone-reserved-identifier): its name is the compiler's
[[noreturn]] void __stack_chk_fail() { std::abort(); }  // NOLINT(bugprone-reserved-identifier)
}
