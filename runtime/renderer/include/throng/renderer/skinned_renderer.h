// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws characters whose poses come from the CPU, from an Animator: skinned by one compute dispatch for all characters
// of all models, and drawn straight from GPU memory, one indirect call per material and pass. They look as the crowd's
// characters of the same model do, and are drawn beside them.
//
//   const auto knight = renderer.add_model(character);
//   const CharacterId id = *renderer.add(*knight);
//   renderer.set_pose(id, {.model_from_bones = …, .placement = …});   for every character that moved
//   renderer.record_prepare(commands, image);                         outside rendering: one upload, one dispatch
//   renderer.record_shadow(commands, 0); …                            inside the caller's dynamic rendering
//   renderer.record_colour(commands, scene, maps);                    …
//
// Records into the caller's command buffers, on the caller's device. A SkinnedRenderer is used by one thread at a time,
// but for set_pose: that may be called for different characters by several threads at once.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "throng/animator/rig.h"
#include "throng/base/result.h"
#include "throng/character/character.h"
#include "throng/character/skin_method.h"
#include "throng/gpu/device.h"
#include "throng/playback/play.h"
#include "throng/renderer/crowd_renderer.h"

namespace throng {

struct SkinnedSettings {
  CrowdTargets targets = {};  // motion vectors as told there: where a motion attachment is, last positions are kept
  std::uint32_t most_readbacks = 16;  // requests for vertices that may be under way at once
};

struct SkinnedModelSettings {
  SkinMethod method = SkinMethod::linear;
};

// One mesh of a model (NearMesh::parts() of its character), for characters to wear.
struct PartRef {
  std::uint32_t model = 0;
  std::uint32_t mesh = 0;

  friend bool operator==(const PartRef&, const PartRef&) = default;
};

// A character, until it is removed; ids are not used twice.
struct CharacterId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;

  friend bool operator==(const CharacterId&, const CharacterId&) = default;
};

// What a character is at. Spans are copied.
struct SkinnedPose {
  std::span<const Affine> model_from_bones = {};  // of every bone of its model
  // How far morph targets are in: those of all meshes of its model, one after another (Rig::morph_count). Empty: as the
  // meshes are at rest. Parts of other models take the weights of targets of the same name, and are at rest elsewhere.
  std::span<const float> morph_weights = {};
  Placement placement = {};
  Look look = {};
};

// One image: what CrowdImage asks for, as far as it means something here.
struct SkinnedImage {
  glm::mat4 clip_from_world{1.0f};
  std::span<const glm::mat4> shadows = {};  // clip_from_world of each pass of record_shadow; at most 7
  bool culling = true;
  // For those who measure: two timestamps are written here, before and after the dispatch, when there is one. The
  // caller has reset them.
  VkQueryPool timestamps = VK_NULL_HANDLE;
  std::uint32_t first_timestamp = 0;
};

// What became of an image, known when it is recorded.
struct SkinnedCounts {
  std::uint64_t characters = 0;  // there are
  std::uint64_t drawn = 0;       // in any view
  std::uint64_t in_picture = 0;
  std::uint64_t vertices = 0;      // skinned
  std::uint64_t triangles = 0;     // in the picture
  std::uint64_t upload_bytes = 0;  // of the one upload
  std::uint32_t dispatches = 0;    // 1, or 0 when nobody is seen
};

// The vertices of one part of a character, as they were drawn: in world space, in the order of its mesh.
struct VertexReadback {
  CharacterId character = {};
  PartRef part = {};
  std::uint64_t request = 0;  // what request_vertices returned
  std::uint64_t latency = 0;  // images that were prepared between the one it is of and when it was known to be here
  std::vector<glm::vec3> positions = {};
  std::vector<glm::vec3> normals = {};
};

class SkinnedRenderer {
 public:
  static Result<SkinnedRenderer> create(const VulkanContext& context, const SkinnedSettings& settings = {});
  // The same on a device that several renderers share, with its memory and compiled pipelines.
  static Result<SkinnedRenderer> create(std::shared_ptr<GpuDevice> gpu, const SkinnedSettings& settings = {});
  SkinnedRenderer(SkinnedRenderer&&) noexcept;
  SkinnedRenderer& operator=(SkinnedRenderer&&) noexcept;
  // Frees what command buffers read: all work that was recorded with it and submitted must have finished.
  ~SkinnedRenderer();

  // Uploads vertices, weights, morph targets and textures, once; compiles what pipelines it needs first; waits for
  // both. No image may be recorded and not yet submitted. Returns its number. Refused: a character without meshes for
  // near ones (the error says to bake its model again), one that is larger than the device's limits together with those
  // that were added.
  Result<std::uint32_t> add_model(const Character& character, const SkinnedModelSettings& settings = {});
  // The first model that was added from this character, or from a copy of it.
  std::optional<std::uint32_t> find_model(const Character& character) const;

  // A character on the skeleton of a model, at rest at the origin, that wears all meshes of the model, or `parts`.
  Result<CharacterId> add(std::uint32_t model);
  Result<CharacterId> add(std::uint32_t model, std::span<const PartRef> parts);
  // From here on a character that was removed is an error, and nothing is changed by what returns one.
  Result<void> remove(CharacterId id);

  // What it wears from now on. Parts of other models go on too when every bone that moves them is in the character's
  // skeleton, by name; the error names the one that is not. Nobody else is touched. Until the image after the next its
  // surface moves with the camera only, as far as motion vectors know.
  Result<void> set_parts(CharacterId id, std::span<const PartRef> parts);
  Result<std::span<const PartRef>> parts(CharacterId id) const;

  // What it is at, from the next image on. Refused in words, and then it stays at the pose it had: another number of
  // bones or weights than its model has, numbers that are not finite, a scale of zero or less.
  Result<void> set_pose(CharacterId id, const SkinnedPose& pose);

  // A box in world space around all it wears, as its bones are: every skinned vertex lies inside. Found from the bones
  // without looking at vertices.
  Result<Bounds> bounds(CharacterId id) const;
  Bounds bounds() const;  // around everybody

  // Uploads poses and skins who is seen in any view, or asked for below. Outside rendering; the passes below draw this
  // image until the next call. Takes the next of images_in_flight slots: the image that had it last must have finished.
  Result<void> record_prepare(VkCommandBuffer commands, const SkinnedImage& image);

  // For when the last prepared image is never submitted after all.
  void drop_image();

  // As CrowdRenderer's. Both return how many draw calls they recorded.
  std::uint32_t record_shadow(VkCommandBuffer commands, std::uint32_t shadow) const;
  std::uint32_t record_colour(VkCommandBuffer commands, const gpu::SceneUniforms& scene, const ShadowMaps& shadows);

  // Asks for the vertices of a part of a character, as the next prepared image has them, seen or not. Nothing waits for
  // it: they come out of poll() once that image is known to have finished. Returns the request's number. Refused in
  // words: a part it does not wear, more than most_readbacks at once.
  Result<std::uint64_t> request_vertices(CharacterId id, const PartRef& part);
  // Those that have come since the last call. Never waits. A request whose character was removed before the next image
  // comes back empty.
  std::vector<VertexReadback> poll();
  // Tells that every image prepared so far has finished, for callers who waited for it: otherwise that is known of an
  // image only when its slot comes round again, images_in_flight images later.
  void all_finished();

  SkinnedCounts counts() const;  // of the last prepared image
  std::size_t model_count() const;
  std::size_t character_count() const;

 private:
  struct State;
  explicit SkinnedRenderer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
