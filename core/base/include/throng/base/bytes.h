// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bytes that several owners share and nobody changes: a mapped file, or a buffer made in memory.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "throng/base/result.h"

namespace throng {

// Bytes with an owner that all copies share.
class SharedBytes {
 public:
  SharedBytes() = default;
  explicit SharedBytes(std::vector<std::byte> bytes);  // takes the bytes over
  // `owner` keeps the bytes alive for as long as any copy of this object exists.
  SharedBytes(std::shared_ptr<const void> owner, std::span<const std::byte> bytes)
      : owner_(std::move(owner)), bytes_(bytes) {}

  std::span<const std::byte> span() const { return bytes_; }  // all bytes; valid as long as any copy is there
  std::size_t size() const { return bytes_.size(); }          // how many bytes there are
  const std::byte* data() const { return bytes_.data(); }     // the first byte

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
};

// Reads little-endian values front to back and never past the end.
class ByteReader {
 public:
  // Reads from the first byte on; the bytes must outlive it.
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t position() const { return position_; }                   // bytes read so far
  std::size_t remaining() const { return bytes_.size() - position_; }  // bytes left to read

  // The next `count` bytes, or an error that says how many were missing.
  Result<std::span<const std::byte>> take(std::size_t count);
  Result<std::uint32_t> u32();  // four bytes as a number, the least first

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
};

// bytes[offset, offset + count), or an error; the sum cannot overflow.
Result<std::span<const std::byte>> slice(std::span<const std::byte> bytes, std::uint64_t offset, std::uint64_t count);

// XXH3, 64 bits: the hash that the file format uses.
std::uint64_t hash64(std::span<const std::byte> bytes);

// hash64() of bytes that come in pieces.
class Hasher64 {
 public:
  Hasher64();
  Hasher64(Hasher64&&) noexcept;
  Hasher64& operator=(Hasher64&&) noexcept;
  ~Hasher64();

  void add(std::span<const std::byte> bytes);  // more bytes, as if they followed those before
  // The hash of everything added so far.
  std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The bytes of a vector of trivially copyable values.
template <class T>
std::span<const std::byte> as_bytes(const std::vector<T>& values) {
  return std::as_bytes(std::span<const T>(values));
}

}  // namespace throng
