#pragma once
// The GLB container: header, JSON chunk, BIN chunk, and the hash that covers all of it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/result.h"

namespace throng {

struct GlbParts {
  std::string_view json;
  std::span<const std::byte> bin;
};

// Checks the hash over the whole file first, then the container's own lengths. The parts are views into `bytes`.
Result<GlbParts> open_glb(std::span<const std::byte> bytes);

// One file of the two chunks. `json` must hold the hash's marker followed by 16 digits; they are replaced by the hash.
// The BIN chunk's data starts at a multiple of format::kAlignment.
Result<std::vector<std::byte>> make_glb(std::string json, std::span<const std::byte> bin);

// The hash that belongs in a file whose 16 digits start at `digits`: XXH3-64 of two little-endian 64-bit numbers, the
// XXH3-64 of what is before the digits and of what is after them. As 16 lower-case hexadecimal digits.
std::string glb_hash(std::span<const std::byte> bytes, std::size_t digits);

}  // namespace throng
