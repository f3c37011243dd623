// SPDX-License-Identifier: Apache-2.0
#pragma once
// The .throng.glb file: see docs/asset-format.md. Writing replaces atomically. Reading maps the file; a file with any
// byte changed is refused.

#include <filesystem>
#include <span>
#include <vector>

#include "throng/base/bytes.h"
#include "throng/base/result.h"
#include "throng/character/character.h"

namespace throng {

Result<std::vector<std::byte>> encode_character(const Character& model);  // the bytes of the file
// Writes the file whole or not at all.
Result<void> write_character(const Character& model, const std::filesystem::path& path);

// Images that are linked are read from the file's folder by read_character(), and have no bytes from
// decode_character().
Result<Character> decode_character(SharedBytes bytes);
// Maps the file and the images it links. A file that is damaged or newer than this library is refused, in words.
Result<Character> read_character(const std::filesystem::path& path);

// Whether the bytes are a GLB that uses our extension (and so are for decode_character, not for the importer).
bool looks_like_character(std::span<const std::byte> bytes);

}  // namespace throng
