// SPDX-License-Identifier: Apache-2.0
#pragma once
// The names, numbers and limits of the .throng.glb format, for its writer and its reader. docs/asset-format.md explains
// them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "throng/character/character.h"

namespace throng::detail::character::format {

inline constexpr std::string_view kExtension = "THRONG_animation_textures";
inline constexpr std::uint32_t kVersionMajor = 4;
inline constexpr std::uint32_t kVersionMinor = 2;
inline constexpr std::string_view kModeBones = "bones";
inline constexpr std::string_view kModeVertices = "vertices";
inline constexpr std::string_view kRgba32Ui = "rgba32ui";
inline constexpr std::string_view kRg32Ui = "rg32ui";
inline constexpr std::string_view kRgba16F = "rgba16f";
inline constexpr std::string_view kRgba8 = "rgba8";
inline constexpr std::array<std::string_view, 3> kSlotKinds{"rotation", "translation", "scale"};  // by SlotKind

inline constexpr std::uint32_t kMagic = 0x46546C67;      // "glTF"
inline constexpr std::uint32_t kChunkJson = 0x4E4F534A;  // "JSON"
inline constexpr std::uint32_t kChunkBin = 0x004E4942;   // "BIN"
inline constexpr std::size_t kHeaderSize = 12;
inline constexpr std::size_t kChunkHeaderSize = 8;
inline constexpr std::size_t kAlignment = 16;  // of every buffer view, counted from the file's first byte

// The hash's digits are the 16 characters after the first place these bytes occur in the JSON chunk.
inline constexpr std::string_view kHashMarker = "\"hash\":\"";
inline constexpr std::size_t kHashDigits = 16;

inline constexpr std::size_t kMaxJsonSize = std::size_t{16} << 20;
inline constexpr std::size_t kMaxJsonDepth = 32;
inline constexpr std::uint32_t kMaxSize = 16384;  // of an atlas, texels each way
inline constexpr std::uint32_t kMaxLayers = 256;
inline constexpr std::uint32_t kMaxColumns = 65535;
inline constexpr std::uint32_t kMaxVertices = 1u << 28;  // so that items count in 32 bits
inline constexpr std::uint32_t kMaxLevels = 16;          // of detail, besides the full mesh

enum ComponentType : std::uint32_t { kUnsignedByte = 5121, kUnsignedShort = 5123, kUnsignedInt = 5125, kFloat = 5126 };
inline constexpr std::uint32_t kArrayBuffer = 34962;
inline constexpr std::uint32_t kElementArrayBuffer = 34963;
inline constexpr std::uint32_t kTriangles = 4;
inline constexpr std::uint32_t kNearest = 9728;
inline constexpr std::uint32_t kLinear = 9729;
inline constexpr std::uint32_t kNearestMipmapNearest = 9984;
inline constexpr std::uint32_t kLinearMipmapLinear = 9987;
inline constexpr std::uint32_t kClampToEdge = 33071;
inline constexpr std::uint32_t kMirroredRepeat = 33648;
inline constexpr std::uint32_t kRepeat = 10497;

// Where a member of a vertex is, as glTF says it.
struct Attribute {
  std::string_view semantic;
  std::uint32_t offset;
  std::uint32_t component_type;
  std::string_view type;
  bool normalised;
};
// Where each member of SurfaceVertex is: vertex mode.
inline constexpr std::array kSurfaceAttributes{
    Attribute{"POSITION", offsetof(SurfaceVertex, position), kFloat, "VEC3", false},
    Attribute{"TEXCOORD_0", offsetof(SurfaceVertex, uv), kFloat, "VEC2", false},
    Attribute{"COLOR_0", offsetof(SurfaceVertex, colour), kUnsignedByte, "VEC4", true},
};

// Where each member of BakedVertex is: bone mode.
inline constexpr std::array kAttributes{
    Attribute{"POSITION", offsetof(BakedVertex, position), kFloat, "VEC3", false},
    Attribute{"NORMAL", offsetof(BakedVertex, normal), kFloat, "VEC3", false},
    Attribute{"TEXCOORD_0", offsetof(BakedVertex, uv), kFloat, "VEC2", false},
    Attribute{"COLOR_0", offsetof(BakedVertex, colour), kUnsignedByte, "VEC4", true},
    Attribute{"_BONES", offsetof(BakedVertex, bones), kUnsignedShort, "VEC4", false},
    Attribute{"_WEIGHTS", offsetof(BakedVertex, weights), kUnsignedShort, "VEC4", true},
};

// These lie in views of their own, since not every asset has them. Numbers are floats because glTF has no attributes of
// 32-bit integers.
inline constexpr Attribute kTangent{"TANGENT", 0, kFloat, "VEC4", false};
inline constexpr Attribute kVertexNumber{"_VERTEX", 0, kFloat, "SCALAR", false};

}  // namespace throng::detail::character::format
