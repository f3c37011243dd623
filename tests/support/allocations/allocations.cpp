// SPDX-License-Identifier: Apache-2.0
#include "allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr std::int64_t kNever = INT64_MAX;

std::atomic<std::size_t> g_calls{0};
std::atomic<std::size_t> g_bytes{0};
std::atomic<std::size_t> g_live{0};
std::atomic<std::size_t> g_peak{0};
std::atomic<std::int64_t> g_left{kNever};  // calls until the one that fails; below zero once it has
std::atomic<bool> g_counting_down{false};

bool must_fail() { return g_counting_down.load(std::memory_order_relaxed) && g_left.fetch_sub(1) == 0; }

void* taken(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t size = malloc_usable_size(memory);
  g_calls.fetch_add(1, std::memory_order_relaxed);
  g_bytes.fetch_add(size, std::memory_order_relaxed);
  const std::size_t live = g_live.fetch_add(size, std::memory_order_relaxed) + size;
  std::size_t peak = g_peak.load(std::memory_order_relaxed);
  while (live > peak && !g_peak.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {
  }
  return memory;
}

void give_back(void* memory) {
  if (memory == nullptr) return;
  g_live.fetch_sub(malloc_usable_size(memory), std::memory_order_relaxed);
  std::free(memory);
}

template <class Make>
void* or_null(Make make) noexcept {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

// Every form is replaced: AddressSanitizer has each of them too, and those of the two do not go together.
void* operator new(std::size_t size) {
  if (must_fail()) throw std::bad_alloc();
  return taken(std::malloc(size == 0 ? 1 : size));
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  if (must_fail()) throw std::bad_alloc();
  const auto step = static_cast<std::size_t>(alignment);
  return taken(std::aligned_alloc(step, (size / step + 1) * step));
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return or_null([&] { return operator new(size); });
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return or_null([&] { return operator new(size, alignment); });
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }
void* operator new[](std::size_t size, const std::nothrow_t& or_nothing) noexcept {
  return operator new(size, or_nothing);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t& or_nothing) noexcept {
  return operator new(size, alignment, or_nothing);
}

void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept { give_back(memory); }

namespace throng::test {

Allocations allocations() { return {g_calls, g_bytes, g_live, g_peak}; }

void restart_peak() { g_peak = g_live.load(); }

void fail_after(std::size_t count) {
  g_left = static_cast<std::int64_t>(count);
  g_counting_down = true;
}

bool has_failed() {
  g_counting_down = false;
  return g_left < 0;
}

}  // namespace throng::test
