// SPDX-License-Identifier: Apache-2.0
#include "throng/base/bytes.h"

// The hash is compiled in: nobody who uses the library needs its package.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "throng/base/try.h"

namespace throng {

SharedBytes::SharedBytes(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  bytes_ = *owner;
  owner_ = std::move(owner);
}

Result<std::span<const std::byte>> ByteReader::take(std::size_t count) {
  if (count > remaining()) {
    return fail("ends at byte {}: {} more bytes expected, {} left", bytes_.size(), count, remaining());
  }
  const auto taken = bytes_.subspan(position_, count);
  position_ += count;
  return taken;
}

Result<std::uint32_t> ByteReader::u32() {
  THRONG_TRY(const std::span<const std::byte> bytes, take(4));
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(bytes[i]) << (8 * i);
  return value;
}

Result<std::span<const std::byte>> slice(std::span<const std::byte> bytes, std::uint64_t offset, std::uint64_t count) {
  if (offset > bytes.size() || count > bytes.size() - offset) {
    return fail("bytes {} to {}+{} lie outside the {} there are", offset, offset, count, bytes.size());
  }
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
}

std::uint64_t hash64(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

// The library makes its states itself: they want an alignment of their own.
struct Hasher64::State {
  XXH3_state_t* xxh = XXH3_createState();

  State() { XXH3_64bits_reset(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { XXH3_freeState(xxh); }
};

Hasher64::Hasher64() : state_(std::make_unique<State>()) {}
Hasher64::Hasher64(Hasher64&&) noexcept = default;
Hasher64& Hasher64::operator=(Hasher64&&) noexcept = default;
Hasher64::~Hasher64() = default;

void Hasher64::add(std::span<const std::byte> bytes) { XXH3_64bits_update(state_->xxh, bytes.data(), bytes.size()); }

std::uint64_t Hasher64::value() const { return XXH3_64bits_digest(state_->xxh); }

}  // namespace throng
