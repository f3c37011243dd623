// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws a crowd of one or several baked models, each character in its own clip at its own time. The GPU finds out who
// is seen and how finely, animates those, and draws them with one indirect call per material and pass: another moment
// costs the CPU the same for one character as for a million.
//
//   renderer.update(crowd);                         what changed since the last image, if anything did
//   renderer.record_prepare(commands, image);       outside rendering: uploads, culling, levels of detail, skinning
//   renderer.record_shadow(commands, 0); …          inside the caller's dynamic rendering, for each of image.shadows
//   renderer.record_colour(commands, scene, maps);  …
//
// Records into the caller's command buffers, on the caller's device.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>

#include "throng/base/result.h"
#include "throng/character/character.h"
#include "throng/gpu/device.h"
#include "throng/playback/crowd.h"
#include "throng/renderer/depth_pyramid.h"
#include "throng/renderer/prop.h"
#include "throng/shaders/scene.h"

namespace throng {

// What the passes render into.
struct CrowdTargets {
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
  // its model's list, or whose PlayRecord::identity is 0 moves with the camera only. Specks, props and models with
  // local8 clips move with their character's placement and the camera, without what the pose does. Where the surface
  // was behind the eye it is zero. With several samples, resolve one of them: a mean of motions is nobody's.
  VkFormat motion = VK_FORMAT_UNDEFINED;
  std::uint32_t images_in_flight = 2;  // how many prepared images may be pending at once
};

// Where vertices are animated. In a compute pass, once for all passes that draw a character; or by the vertex shader of
// every pass, which needs no memory for them. Automatic is compute: it was faster on every device that was measured,
// with one pass too. Nowhere: characters stand as their mesh was baked, to measure against.
enum class Skinning : std::uint8_t { automatic, compute, vertex, none };

// How much is done for a vertex of one level of detail.
struct LevelQuality {
  std::uint32_t bones = 4;   // 1 to 4: the strongest of its bones
  bool interpolated = true;  // between frames; not: the nearer frame
};

inline constexpr std::size_t kMostLevelQualities = 8;

struct CrowdSettings {
  CrowdTargets targets = {};
  Skinning skinning = Skinning::automatic;
  // The most vertices that are kept for one image, sixteen bytes each; as far as the device can bind. Characters beyond
  // that are skinned by the vertex shaders: the picture is the same.
  std::uint32_t pool_vertices = 32u << 20;
  // Level by level, finest first.
  std::array<LevelQuality, kMostLevelQualities> qualities{
      LevelQuality{4, true}, {4, true}, {2, true}, {1, false}, {1, false}, {1, false}, {1, false}, {1, false}};
};

// One image of a crowd.
struct CrowdImage {
  Ticks now = 0;
  glm::mat4 clip_from_world{1.0f};
  glm::vec3 eye{0.0f};
  float pixels = 720.0f;  // how tall one unit is in the picture, one unit away: height / (2 tan(fov / 2))
  std::span<const glm::mat4> shadows = {};  // clip_from_world of each pass of record_shadow; at most 7
  bool culling = true;
  float pixel_error = 1.0f;   // how many pixels the surface of a level of detail may be off; 0: full detail always
  float speck_pixels = 6.0f;  // characters no taller are drawn as specks; 0: none
  std::uint32_t vertex_budget = 0;  // of all that is drawn; what is far away gets coarser until it fits. 0: none
  // Characters behind these are left out of the picture, not of shadows. Of the last image: what comes out from behind
  // something appears one image late. Not without culling.
  Occluders occluders = {};
};

// What shadow passes wrote, for the colour pass to read, in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL. None: leave
// SceneUniforms::cascade_count, or the contact map's `width`, 0.
struct ShadowMaps {
  VkImageView cascades = VK_NULL_HANDLE;  // a 2D array: layer i is that of SceneUniforms::cascades[i]
  VkImageView contact = VK_NULL_HANDLE;
};

// What the GPU found out about an image.
struct CrowdCounts {
  std::uint64_t drawn = 0;  // characters in any view
  std::uint64_t in_picture = 0;
  std::uint64_t hidden = 0;     // in the view but behind CrowdImage::occluders, and so not in the picture
  std::uint64_t specks = 0;     // of those in the picture
  std::uint64_t vertices = 0;   // animated
  std::uint64_t triangles = 0;  // in the picture, specks not counted
};

// Where sockets are: world_from_socket of every socket of every character of a model, character by character, each
// three rows of four floats (SocketPlace in throng/shaders/sockets.h). For other draws to hang things on.
struct SocketBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;  // none: the model has no sockets, or they were never recorded
  std::uint32_t sockets = 0;         // of a character
  std::uint32_t characters = 0;
};

class CrowdRenderer {
 public:
  static Result<CrowdRenderer> create(const VulkanContext& context, const CrowdSettings& settings = {});
  // The same on a device that several renderers share, with its memory and compiled pipelines.
  static Result<CrowdRenderer> create(std::shared_ptr<GpuDevice> gpu, const CrowdSettings& settings = {});
  CrowdRenderer(CrowdRenderer&&) noexcept;
  CrowdRenderer& operator=(CrowdRenderer&&) noexcept;
  // Frees what command buffers read: all work that was recorded with it and submitted must have finished.
  ~CrowdRenderer();

  // Uploads a model, compiles its pipelines and waits for both; no image may be recorded and not yet submitted. Returns
  // its number, as the crowd counts them. Refused in words: a model with parts, bones or clips out of range, or larger
  // than the device's limits. `model` may go away.
  Result<std::uint32_t> add_model(const Character& model);

  // Hangs a mesh on a socket of every character of a model, for all images from the next on. Refused in words: a model
  // or socket that does not exist, a mesh whose numbers contradict each other.
  Result<void> add_prop(const PropMesh& mesh, std::uint32_t model, std::uint32_t socket);

  // Takes over what changed in the crowd since it was last called: costs what changed. The crowd's models must be those
  // that were added, in that order. Refused in words, and then the old characters stay.
  Result<void> update(const Crowd& crowd);

  // All characters of one model, for those who keep records of their own.
  Result<void> set_instances(std::uint32_t model, std::span<const InstanceRecord> instances,
                             std::span<const PlayRecord> plays);

  // Uploads what was taken over, finds out who is seen, and animates them. Outside rendering; the passes below draw
  // this image until the next call. Takes the next of images_in_flight slots: the image that had it last must have
  // finished.
  Result<void> record_prepare(VkCommandBuffer commands, const CrowdImage& image);

  // Finds all sockets of a model's characters at `now`: outside rendering, after record_prepare. Compute, vertex
  // shaders and copies recorded later may read them. Props hang on them too: with another `now` than the image's they
  // move.
  Result<SocketBuffer> record_sockets(VkCommandBuffer commands, std::uint32_t model, Ticks now);

  // For when the last prepared image is never submitted after all: what it carried over goes with the next one.
  void drop_image();

  // Draws depth only, for shadow pass i of the image. The caller has begun rendering with a depth attachment of
  // `targets.shadow`, one sample, and set viewport and scissor. Returns how many draw calls it recorded.
  std::uint32_t record_shadow(VkCommandBuffer commands, std::uint32_t shadow) const;

  // Draws the lit crowd, once for a prepared image. The caller has begun rendering with attachments of `targets` and
  // set viewport and scissor.
  std::uint32_t record_colour(VkCommandBuffer commands, const gpu::SceneUniforms& scene, const ShadowMaps& shadows);

  // What the last prepared image came to. Its work must have finished.
  CrowdCounts counts() const;

  Skinning skinning() const;  // which way was picked
  std::uint64_t instance_count() const;
  // A box around every character, whatever frame it is at; it grows with changes and shrinks when all are set anew.
  Bounds bounds() const;

 private:
  struct State;
  explicit CrowdRenderer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
