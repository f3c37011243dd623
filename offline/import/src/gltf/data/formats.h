// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which accessor formats a use allows, as tables, and the tolerances that decide between "slightly off" and "wrong".

#include <optional>
#include <span>
#include <string_view>

#include "gltf/file/document.h"

namespace throng::detail::gltf {

// What 8-bit storage does to a unit vector or quaternion at worst, as the Khronos validator allows it.
inline constexpr double kUnitVectorTolerance = 0.00674;
inline constexpr double kUnitQuaternionTolerance = 0.00769;

struct ElementFormat {
  ElementType type;
  int component_type;
  bool normalized;
  bool quantized = false;  // allowed only with KHR_mesh_quantization
};

std::span<const ElementFormat> index_formats();
std::span<const ElementFormat> key_time_formats();
// The formats of an animation channel's values: "translation", "rotation", "scale" or "weights".
std::span<const ElementFormat> key_value_formats(std::string_view path);
// The formats of a vertex attribute by its name without the set number ("TEXCOORD"); empty for a name glTF does not
// define.
std::span<const ElementFormat> attribute_formats(std::string_view semantic);
// The formats of a morph target's offsets.
std::span<const ElementFormat> morph_formats(std::string_view semantic);

bool allowed(const Document& document, std::size_t accessor, std::span<const ElementFormat> formats);

// The same for a file that uses KHR_mesh_quantization without saying so.
bool allowed_quantized(const Document& document, std::size_t accessor, std::span<const ElementFormat> formats);

// "VEC3 of FLOAT", for messages.
std::string describe_format(const Document& document, std::size_t accessor);

// A vertex attribute's name: "TEXCOORD_1" is set 1 of "TEXCOORD". Names that start with '_' are the application's own.
struct Semantic {
  std::string_view name;
  std::optional<unsigned> set;
};
// Nothing for a name glTF does not allow.
std::optional<Semantic> parse_semantic(std::string_view attribute);

}  // namespace throng::detail::gltf
