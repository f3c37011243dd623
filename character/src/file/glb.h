// SPDX-License-Identifier: Apache-2.0
#pragma once
// The GLB container: header, JSON chunk, BIN chunk, and the hash that covers all of it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/result.h"

namespace throng::detail::character {

struct GlbParts {
  std::string_view json;
  std::span<const std::byte> bin;
};

// Checks the hash over the whole file first, then the container's own lengths. The parts are views into `bytes`.
Result<GlbParts> open_glb(std::span<const std::byte> bytes);

// A file that is not yet in one piece: `head` (header, JSON chunk with the hash in its place, the BIN chunk's header),
// then the pieces of the BIN chunk one after another.
struct GlbPieces {
  std::string head;
  std::vector<std::span<const std::byte>> bin;

  // All of them in order; views into this object and what `bin` looks into.
  std::vector<std::span<const std::byte>> all() const;
  std::size_t size() const;
};

// `json` must hold the hash's marker followed by 16 digits; they are replaced by the hash. The BIN chunk's data starts
// at a multiple of format::kAlignment and is padded to whole words.
Result<GlbPieces> make_glb(std::string json, std::vector<std::span<const std::byte>> bin);
std::vector<std::byte> joined(const GlbPieces& pieces);

}  // namespace throng::detail::character
