// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a CharacterRenderer is told and tells: what it draws into, how, one image, and what that came to.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <span>

#include "throng/character/skin_method.h"
#include "throng/gpu/device.h"
#include "throng/plan/crowd_counts.h"
#include "throng/plan/level_quality.h"
#include "throng/playback/clock.h"
#include "throng/renderer/depth_pyramid.h"

namespace throng {

// What the passes render into.
struct RendererTargets {
  // The passes write linear light, tone-mapped to 0 … 1, and leave the curve to an _SRGB format: a UNORM target
  // receives linear values, for the caller to encode.
  VkFormat colour = VK_FORMAT_R8G8B8A8_SRGB;
  VkFormat depth = VK_FORMAT_D32_SFLOAT;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_4_BIT;
  VkCompareOp depth_compare = VK_COMPARE_OP_GREATER;  // of the colour pass; GREATER: depth runs from 1 (near) to 0
  VkFormat shadow = VK_FORMAT_D32_SFLOAT;             // always LESS
  // A second colour attachment of the colour pass, of two floats: how far the surface of a pixel moved in the picture
  // since the image that was prepared last, in widths and heights of the picture, y down; add it to where the surface
  // was to find where it is. R16G16_SFLOAT does. Undefined: there is none, and it costs nothing.
  //
  // It is measured from what was shown: a clip that is cut, a fade that begins, a character that is put elsewhere all
  // count from the pose and place it had. One that was not drawn in the last image, that took a removed one's place in
  // its model's list, or whose PlayRecord::identity is 0 moves with the camera only. Poses count in every encoding, and
  // for props too; a speck is a card that faces the eye, and moves as that card does. Where the surface was behind the
  // eye it is zero. With several samples, resolve one of them: a mean of motions is nobody's.
  VkFormat motion = VK_FORMAT_UNDEFINED;
  std::uint32_t images_in_flight = 2;  // how many prepared images may be pending at once
};

// Where vertices are animated. In a compute pass, once for all passes that draw a character; or by the vertex shader of
// every pass, which needs no memory for them. Automatic is compute: it was faster on every device that was measured,
// with one pass too. Nowhere: characters stand as their mesh was baked, to measure against.
enum class Skinning : std::uint8_t { automatic, compute, vertex, none };

// How much light is worked out for a pixel. Full: soft shadows, highlights, and the sky as a dull surface mirrors it.
// Plain: the sun and the sky on a matt surface, shadows with firm edges. Colours, fog and silhouettes are the same.
enum class Shading : std::uint8_t { full, plain };

// What drawing is made to suit. Automatic: what the device is. The picture is the same.
enum class DrawnOn : std::uint8_t { automatic, gpu, software };

struct RendererSettings {
  RendererTargets targets = {};
  Skinning skinning = Skinning::automatic;
  Shading shading = Shading::full;
  // A software driver goes through both sides of a branch: for it, characters (not their specks or props) of scenes
  // without shadows have pipelines of their own, which look for none. It sets up every triangle on one thread: those
  // of pictures of known size that face away or cover no sample are sorted out before (RendererImage::width).
  DrawnOn drawn_on = DrawnOn::automatic;
  // The most vertices of far characters that are kept for one image, sixteen bytes each; as far as the device can bind.
  // Characters beyond that are skinned by the vertex shaders: the picture is the same.
  std::uint32_t pool_vertices = 32u << 20;
  // Level by level, the full mesh first. What fewer bones add to a level's error counts when levels are chosen.
  std::array<LevelQuality, kMostLevelQualities> qualities = usual_qualities();
  std::uint32_t most_readbacks = 16;  // requests for vertices that may be under way at once
};

// How a model is added.
struct ModelSettings {
  // What it is drawn as, and what is uploaded and compiled for it. A character of a file before 3.0 has no meshes for
  // near ones: those are far only.
  bool far = true;
  bool near = true;
  // Bytes that its pictures may take, decoded; 0: what is usual for so many bytes of pictures
  // (throng/base/memory_budget.h).
  std::uint64_t picture_budget = 0;
  std::optional<SkinMethod> near_method = {};  // nothing: each mesh as its author skinned it
};

// Where a timestamp is written while far characters are prepared: before the first pass, then after each. Without a
// budget of vertices, planning and counting are a part of culling.
enum class FarMark : std::uint8_t { begun, culled, planned, counted, scanned, arranged, gathered, posed, skinned };
// How many those are.
inline constexpr std::uint32_t kFarMarks = 9;

// One image.
struct RendererImage {
  Ticks now = 0;
  glm::mat4 clip_from_world{1.0f};
  glm::vec3 eye{0.0f};
  float pixels = 720.0f;  // how tall one unit is in the picture, one unit away: height / (2 tan(fov / 2))
  // Pixels of the picture, which the viewport of record_colour covers; its corner is a pixel's. Without a GPU,
  // triangles that cover none of its samples are then sorted out before they are drawn; 0: its size is not known.
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::span<const glm::mat4> shadows = {};  // clip_from_world of each pass of record_shadow; at most 7
  bool culling = true;
  float pixel_error = 1.0f;   // how many pixels the surface of a level of detail may be off; 0: full detail always
  float speck_pixels = 6.0f;  // characters no taller are drawn as specks; 0: none
  std::uint32_t vertex_budget = 0;  // of far characters; what is far away gets coarser until it fits. 0: none
  // Characters behind these are left out of the picture, not of shadows. Of the last image: what comes out from behind
  // something appears one image late. Not without culling.
  Occluders occluders = {};
  // For those who measure: two timestamps are written here, before and after the dispatch that skins near characters,
  // when there is one. The caller has reset them.
  VkQueryPool near_timestamps = VK_NULL_HANDLE;
  std::uint32_t first_near_timestamp = 0;
  // Likewise kFarMarks timestamps of what prepares far characters, FarMark by FarMark.
  VkQueryPool far_timestamps = VK_NULL_HANDLE;
  std::uint32_t first_far_timestamp = 0;
};

// What shadow passes wrote, for the colour pass to read, in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL. None: leave
// SceneUniforms::cascade_count, or the contact map's `width`, 0.
struct ShadowMaps {
  VkImageView cascades = VK_NULL_HANDLE;  // a 2D array: layer i is that of SceneUniforms::cascades[i]
  VkImageView contact = VK_NULL_HANDLE;
};

// Where sockets are: world_from_socket of every socket of every character of a model, character by character, each
// three rows of four floats (SocketPlace in throng/shaders/shared/sockets.h). For other draws to hang things on.
struct SocketBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;  // none: the model has no sockets, or they were never recorded
  std::uint32_t sockets = 0;         // of a character
  std::uint32_t characters = 0;
};

// What became of near characters of an image, known when it is recorded.
struct NearCounts {
  std::uint64_t characters = 0;  // there are
  std::uint64_t drawn = 0;       // in any view
  std::uint64_t in_picture = 0;
  std::uint64_t vertices = 0;      // skinned
  std::uint64_t triangles = 0;     // in the picture
  std::uint64_t upload_bytes = 0;  // of the one upload
  std::uint32_t dispatches = 0;    // 1, one more where bones of some scale unevenly; 0 when nobody is seen
};

}  // namespace throng
