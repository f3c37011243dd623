// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws characters, far and near, of one or several models, with one indirect call per material of each model and pass.
//
// Far ones are a Crowd's, each in its own clip at its own time: the GPU finds out who is seen and how finely and
// animates those; another moment costs the CPU the same for one character as for a million. Near ones have their poses
// from the CPU, from an Animator, and are skinned by one compute dispatch for all of them. Their vertices lie in one
// pool, and they look alike.
//
//   const ModelId knight = *renderer.add(character);
//   renderer.update(crowd);                         what changed since the last image, if anything did
//   const CharacterId hero = *renderer.add_near(knight);
//   renderer.set_pose(hero, {.model_from_bones = …, .placement = …});   for every near character that moved
//   renderer.record_prepare(commands, image);       outside rendering: uploads, culling, levels of detail, skinning
//   renderer.record_shadow(commands, 0); …          inside the caller's dynamic rendering, for each of image.shadows
//   renderer.record_colour(commands, scene, maps);  …
//
// Records into the caller's command buffers, on the caller's device. Used by one thread at a time, but for set_pose:
// that may be called for different characters by several threads at once.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "throng/base/result.h"
#include "throng/character/character.h"
#include "throng/playback/crowd.h"
#include "throng/renderer/near_character.h"
#include "throng/renderer/prop.h"
#include "throng/renderer/renderer_settings.h"
#include "throng/shaders/shared/scene.h"

namespace throng {

class CharacterRenderer {
 public:
  // A renderer on a device of the caller's. Refused: a device that lacks what is needed, in words, and formats it
  // cannot draw into.
  static Result<CharacterRenderer> create(const VulkanContext& context, const RendererSettings& settings = {});
  // The same on a device that several renderers share, with its memory and compiled pipelines.
  static Result<CharacterRenderer> create(std::shared_ptr<GpuDevice> gpu, const RendererSettings& settings = {});
  CharacterRenderer(CharacterRenderer&&) noexcept;
  CharacterRenderer& operator=(CharacterRenderer&&) noexcept;
  // Frees what command buffers read: all work that was recorded with it and submitted must have finished.
  ~CharacterRenderer();

  // Uploads a model, compiles what draws far characters of it and waits for both; no image may be recorded and not yet
  // submitted. Refused in words: a model larger than the device's limits, alone or with those that were added. The
  // character shares its storage.
  Result<ModelId> add(const Character& character, const ModelSettings& settings = {});
  // The first model that was added from this character, or from a copy of it; one with near meshes before others.
  std::optional<ModelId> find(const Character& character) const;
  // The same by the character's name, or an error that names those spelled like it. Ids are this renderer's own: those
  // of a crowd or a cast may differ.
  Result<ModelId> find_model(std::string_view name) const;
  std::size_t model_count() const;  // models that were added

  // Hangs a mesh on a socket of every far character of a model, for all images from the next on. Refused in words: a
  // model or socket that does not exist, a mesh whose numbers contradict each other.
  Result<void> add_prop(const PropMesh& mesh, ModelId model, SocketId socket);

  // Takes over what changed in the crowd since it was last called: costs what changed. Its characters must have been
  // added, in any order; models that it does not have keep what they show. Refused in words, and then the old ones
  // stay.
  Result<void> update(const Crowd& crowd);

  // All far characters of one model, for those who keep records of their own.
  Result<void> set_instances(ModelId model, std::span<const InstanceRecord> instances,
                             std::span<const PlayRecord> plays);

  // Compiles what draws near characters of a model, which otherwise happens with its first one: for programs that load
  // before they play.
  Result<void> prepare_near(ModelId model);

  // A near character on the skeleton of a model, at rest at the origin, that wears what is usually worn of the model,
  // or `pieces`. With the first of a model its near pipelines are compiled: far ones alone are drawn faster without.
  // Refused in words: a model without a near mesh (the error says to bake it again), a piece that follows a bone which
  // the skeleton does not have.
  Result<CharacterId> add_near(ModelId model);
  Result<CharacterId> add_near(ModelId model, std::span<const PieceRef> pieces);
  // Takes it out. From here on a character that was removed is an error, and nothing is changed by what returns one.
  Result<void> remove(CharacterId id);

  // What it wears from now on. Pieces of other models go on too when every bone that moves them is in the character's
  // skeleton, by name; the error names the one that is not. Nobody else is touched. Until the image after the next its
  // surface moves with the camera only, as far as motion vectors know.
  Result<void> set_pieces(CharacterId id, std::span<const PieceRef> pieces);
  Result<std::span<const PieceRef>> pieces(CharacterId id) const;  // what it wears now

  // Its pose, from the next image on. Refused in words, and then it stays at the pose it had: another number of
  // bones or weights than its model has, numbers that are not finite, a scale of zero or less.
  Result<void> set_pose(CharacterId id, const NearPose& pose);

  // A box in world space around all it wears, as its bones are: every skinned vertex lies inside. Found from the bones
  // without looking at vertices.
  Result<Bounds> bounds(CharacterId id) const;
  // Around everybody: far ones whatever frame they are at (it grows with changes and shrinks when all are set anew),
  // near ones as they are.
  Bounds bounds() const;

  // Uploads what was taken over, finds out who is seen, and animates them. Outside rendering; the passes below draw
  // this image until the next call. Takes the next of images_in_flight slots: the image that had it last must have
  // finished.
  Result<void> record_prepare(VkCommandBuffer commands, const RendererImage& image);

  // Finds all sockets of a model's far characters at `now`: outside rendering, after record_prepare. Compute, vertex
  // shaders and copies recorded later may read them. Props do not: they hang where the image draws their characters.
  Result<SocketBuffer> record_sockets(VkCommandBuffer commands, ModelId model, Ticks now);

  // For when the last prepared image is never submitted after all: what it carried over goes with the next one. After a
  // call of record_prepare that was refused there is nothing to drop.
  void drop_image();

  // Draws depth only, for shadow pass i of the image. The caller has begun rendering with a depth attachment of
  // `targets.shadow`, one sample, and set viewport and scissor. Returns how many draw calls it recorded.
  std::uint32_t record_shadow(VkCommandBuffer commands, std::uint32_t shadow) const;

  // Draws the lit characters, once for a prepared image. The caller has begun rendering with attachments of `targets`
  // and set viewport and scissor.
  std::uint32_t record_colour(VkCommandBuffer commands, const gpu::SceneUniforms& scene, const ShadowMaps& shadows);

  // Asks for the vertices of a piece of a near character, as the next prepared image has them, seen or not. Nothing
  // waits for it: they come out of poll() once that image is known to have finished. Returns the request's number.
  // Refused in words: a piece it does not wear, more than most_readbacks at once.
  Result<std::uint64_t> request_vertices(CharacterId id, const PieceRef& piece);
  // The vertices that have come since the last call. Never waits. A request whose character was removed before the next
  // image comes back empty.
  std::vector<VertexReadback> poll();
  // Tells that every image prepared so far has finished, for callers who waited for it: otherwise that is known of an
  // image only when its slot comes round again, images_in_flight images later.
  void all_finished();

  CrowdCounts far_counts() const;  // of the last prepared image, whose work must have finished
  NearCounts near_counts() const;  // of the last prepared image

  Skinning skinning() const;        // which way was picked for far ones
  std::uint64_t far_count() const;  // far characters of all models
  std::size_t near_count() const;   // near characters of all models

 private:
  struct State;
  explicit CharacterRenderer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
