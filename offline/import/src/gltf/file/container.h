// SPDX-License-Identifier: Apache-2.0
#pragma once
// The outermost layer of a glTF file: its bytes become a JSON document and, for GLB, the binary chunk.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mender.h"
#include "throng/base/bytes.h"
#include "throng/base/result.h"

namespace throng::detail::gltf {

enum class Format { gltf, glb, unknown };

// Tells the format by content alone: the GLB magic, or a '{' after white space and a byte-order mark.
Format sniff(std::span<const std::byte> bytes);

inline bool is_gltf(std::span<const std::byte> bytes) { return sniff(bytes) != Format::unknown; }

struct Container {
  std::string_view json;              // inside the file's bytes
  std::optional<SharedBytes> binary;  // the BIN chunk, sharing the file's bytes
  std::vector<std::string> notes;
};

// Takes a GLB or a .gltf apart. The result refers to the bytes of `file`.
Result<Container> open_container(const SharedBytes& file, import::Mender& mender);

// glTF forbids the mark that some editors put before a text.
Result<std::string_view> without_byte_order_mark(std::string_view text, import::Mender& mender);

// The text as a JSON object, nested no deeper than any sane file, or where and why it is none.
Result<nlohmann::json> parse_json(std::string_view text);
// Forgives NaN and Infinity, which are no JSON: they are read as null.
Result<nlohmann::json> parse_json(std::string_view text, import::Mender& mender);

// A part of `whole` that keeps all of it alive.
SharedBytes part_of(const SharedBytes& whole, std::span<const std::byte> part);

}  // namespace throng::detail::gltf
