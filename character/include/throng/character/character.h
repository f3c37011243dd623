// SPDX-License-Identifier: Apache-2.0
#pragma once
// A model ready for the GPU: a mesh, the baked frames of its clips, and what a player must know of these. The bake and
// the file reader each fill a CharacterDraft; build_character checks it once; the Character that comes out never
// changes and needs no further checks by anyone who reads it.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/bytes.h"
#include "throng/base/result.h"
#include "throng/character/clip.h"
#include "throng/character/ids.h"
#include "throng/character/image.h"
#include "throng/character/layout.h"
#include "throng/character/material.h"
#include "throng/character/mesh.h"
#include "throng/character/morphs.h"
#include "throng/character/motion.h"
#include "throng/character/near_mesh.h"
#include "throng/character/parts.h"
#include "throng/character/repairs.h"
#include "throng/character/skeleton.h"
#include "throng/character/upload.h"
#include "throng/math/bounds.h"

namespace throng {

// Bones: frames hold how bones move, vertices are skinned by weights. Vertices: every vertex of every frame is stored,
// so anything that deforms can be played.
enum class BakeMode : std::uint8_t { bones, vertices };

// The animation texture, all layers of it.
struct Atlas {
  Layout layout;
  std::uint32_t height = 0;  // texels
  std::uint32_t layer_count = 0;
  std::span<const std::uint32_t> words;  // layer by layer, row by row

  // The words of one frame; they are contiguous. `frame` counts from the top of the layer, and may lie in a later one.
  std::span<const std::uint32_t> frame(const FrameLayout& frames, std::uint32_t layer, std::uint32_t frame) const {
    return words.subspan(first_word(layout, height, frames, layer, frame),
                         std::size_t{frames.texels_per_frame} * layout.texel_words);
  }
};

// Everything a character is, open to change and not yet checked.
struct CharacterDraft {
  std::string name;
  BakeMode mode = BakeMode::bones;
  bool tangents_animated = false;              // vertex mode: the items hold tangents too
  std::vector<BakedBone> bones;                // the columns; one without meaning in vertex mode
  std::vector<PoseLink> skeleton;              // empty unless a clip is local8 or localv; never for both
  std::vector<SlotKind> channel_slots;         // what the slots of localv are; empty unless a clip is localv
  std::vector<BakedDraw> draws;                // of the full mesh
  std::vector<BakedLevel> levels;              // coarser ones, finest first
  std::optional<FewerBones> fewer_bones = {};  // of the full mesh; none where levels do not tell, or there are none
  std::vector<BakedPart> parts;                // at most kMostParts; none: nothing can be taken off
  std::vector<PartGroup> part_groups;
  std::vector<BakedSource> sources;
  std::vector<Material> materials;
  std::vector<ImageSource> images;
  std::vector<BakedClip> clips;
  std::vector<BakedSocket> sockets;
  Bounds bounds;
  ErrorReport error;
  std::uint64_t half_float_bytes = 0;  // what the classic RGBA16F layout would have taken for the same clips
  std::uint64_t key_bytes = 0;         // what the keys of the source's curves take for the same clips, as floats
  Repairs repairs;                     // what the importer mended
  std::vector<std::string> notes;      // repairs, guesses and drops in sentences, from import and bake
  std::vector<std::string> warnings;   // what somebody should look at: doubtful guesses, bounds that were not kept

  MeshVertices vertices;
  std::span<const glm::vec4> tangents;         // at rest, one per vertex, w: −1 or 1; or none
  std::span<const float> vertex_numbers;       // 0, 1, 2 …, for shaders without a vertex id; or none
  std::span<const std::uint32_t> indices;      // of the full mesh, then of the coarser levels
  std::span<const std::uint8_t> vertex_parts;  // which part each vertex is of; none where there are no parts
  // Which vertex each source vertex became, in the order of `sources`: reordered, or merged with others. Empty: the
  // same.
  std::span<const std::uint32_t> baked_from_source;
  std::span<const glm::vec4> table;  // pivots and boxes, clip by clip: see encoding.h
  Atlas atlas;
  std::span<const std::uint32_t> channel_words;  // of clips in localv: channels.h
  BakedMorphs morphs;                            // bone mode: targets that a clip moves
  SharedBytes storage;                           // what the views above look into

  // For near characters: how all its bones move, and its meshes as they are drawn then. None: it can only be played
  // far.
  std::optional<Motion> motion;
  std::optional<NearMesh> near_mesh;
};

// A character, checked and never changed. Copies share one state, so they cost next to nothing.
class Character {
 public:
  // Whether both were built by the same call of build_character: one is a copy of the other.
  bool same_as(const Character& other) const { return draft_ == other.draft_; }

  // For those who change something: copy, change, build again.
  const CharacterDraft& draft() const { return *draft_; }

  // What renderers upload besides the arrays below.
  const UploadData& upload() const { return *upload_; }

  const std::string& name() const { return draft_->name; }               // the model's name
  BakeMode mode() const { return draft_->mode; }                         // whether bones or vertices were baked
  bool tangents_animated() const { return draft_->tangents_animated; }   // vertex mode: whether frames hold tangents
  const std::vector<BakedBone>& bones() const { return draft_->bones; }  // what vertices follow
  // The links that local8 or localv composes; empty where no clip is either.
  const std::vector<PoseLink>& skeleton() const { return draft_->skeleton; }
  const std::vector<BakedDraw>& draws() const { return draft_->draws; }  // the draws of the full mesh, one a material
  const std::vector<BakedLevel>& levels() const { return draft_->levels; }  // coarser meshes, finest first
  // What fewer bones do to the full mesh; none where it is not known.
  const std::optional<FewerBones>& fewer_bones() const { return draft_->fewer_bones; }
  // What may be worn or not; empty: nothing can be taken off.
  const std::vector<BakedPart>& parts() const { return draft_->parts; }
  // Parts of which one is worn at a time.
  const std::vector<PartGroup>& part_groups() const { return draft_->part_groups; }
  // Which vertices came from which primitive of the file.
  const std::vector<BakedSource>& sources() const { return draft_->sources; }
  const std::vector<Material>& materials() const { return draft_->materials; }  // what the draws look like
  const std::vector<ImageSource>& images() const { return draft_->images; }     // the pictures of the materials
  const std::vector<BakedClip>& clips() const { return draft_->clips; }  // all clips; a ClipId counts in this order
  // All sockets; a SocketId counts in this order.
  const std::vector<BakedSocket>& sockets() const { return draft_->sockets; }
  // A box around the mesh in every pose of every clip, model space.
  const Bounds& bounds() const { return draft_->bounds; }
  const ErrorReport& error() const { return draft_->error; }  // how far the bake is off the model's own curves
  // What the classic RGBA16F layout would have taken for the same clips.
  std::uint64_t half_float_bytes() const { return draft_->half_float_bytes; }
  // What the keys of the source's curves take for the same clips, as floats; 0: not known.
  std::uint64_t key_bytes() const { return draft_->key_bytes; }
  const Repairs& repairs() const { return draft_->repairs; }               // what the importer mended, counted
  const std::vector<std::string>& notes() const { return draft_->notes; }  // repairs, guesses and drops in sentences
  // What somebody should look at, in sentences.
  const std::vector<std::string>& warnings() const { return draft_->warnings; }
  // The vertices of all levels; those of coarse levels come first.
  const MeshVertices& vertices() const { return draft_->vertices; }
  // Tangents at rest, one a vertex, w: −1 or 1; or none.
  std::span<const glm::vec4> tangents() const { return draft_->tangents; }
  bool has_tangents() const { return !draft_->tangents.empty() || draft_->tangents_animated; }  // at rest, or in frames
  // 0, 1, 2 …, for shaders without a vertex id; or none.
  std::span<const float> vertex_numbers() const { return draft_->vertex_numbers; }
  // The indices of the full mesh, then of the coarser levels.
  std::span<const std::uint32_t> indices() const { return draft_->indices; }
  // The part that each vertex is of; none where there are no parts.
  std::span<const std::uint8_t> vertex_parts() const { return draft_->vertex_parts; }
  // Which vertex each source vertex became; empty: the same.
  std::span<const std::uint32_t> baked_from_source() const { return draft_->baked_from_source; }
  // Pivots and boxes that encodings measure by, clip by clip.
  std::span<const glm::vec4> table() const { return draft_->table; }
  const Atlas& atlas() const { return draft_->atlas; }  // the animation texture; empty where all is localv
  // What each slot of localv is.
  const std::vector<SlotKind>& channel_slots() const { return draft_->channel_slots; }
  // The words of clips in localv.
  std::span<const std::uint32_t> channel_words() const { return draft_->channel_words; }
  const BakedMorphs& morphs() const { return draft_->morphs; }  // bone mode: the morph targets that a clip moves

  // What near characters are made from. A character that was baked without, or read from a file before version 3, has
  // none: the error says so, and to bake the model again with `near`.
  Result<Motion> motion() const;
  Result<NearMesh> near_mesh() const;  // the meshes as they are drawn near; refused as motion() is

  // The first of that name, or the only one it matches as a pattern; or an error that names those spelled like it.
  Result<ClipId> find_clip(std::string_view wanted) const;
  Result<SocketId> find_socket(std::string_view wanted) const;  // the socket of that name; refused as find_clip() is
  Result<PartId> find_part(std::string_view wanted) const;      // the part of that name; refused as find_clip() is
  Result<BoneId> find_bone(std::string_view wanted) const;      // the column of that name; refused as find_clip() is

 private:
  friend Result<Character> build_character(CharacterDraft draft);
  friend Result<Character> build_character(CharacterDraft draft, const UploadData& stored);
  Character(CharacterDraft draft, std::shared_ptr<const UploadData> upload)
      : draft_(std::make_shared<const CharacterDraft>(std::move(draft))), upload_(std::move(upload)) {}

  std::shared_ptr<const CharacterDraft> draft_;
  std::shared_ptr<const UploadData> upload_;
};

// Checks everything the types above promise and docs/asset-format.md says a reader must refuse, in time proportional to
// the draft; the first broken promise is the error. Puts the strongest bone of every vertex first, leaves surfaces of
// the vertices of vertex mode, and works out what renderers upload.
Result<Character> build_character(CharacterDraft draft);

// The same with what renderers upload as a file has it: checked where a wrong value could do harm, not worked out.
// It lies in what the draft's storage keeps alive.
Result<Character> build_character(CharacterDraft draft, const UploadData& stored);

// How many items a frame of this encoding has: columns; local8: rotation slots, then translation slots (at least one
// slot in all); vertices and two for each socket.
std::uint32_t item_count(const CharacterDraft& model, Encoding encoding);
std::uint32_t rotation_slots(const CharacterDraft& model);     // how many rotations a frame of local8 has
std::uint32_t translation_slots(const CharacterDraft& model);  // how many translations a frame of local8 has
// How the frames of a clip lie in the atlas.
FrameLayout frame_layout(const CharacterDraft& model, const BakedClip& clip);

// Which of throng/shaders/shared/frame_shapes.h any of its clips has: what shaders are told of the atlas.
std::uint32_t frame_shapes(const CharacterDraft& model);

// Bytes of the frames of a clip, with what its encoding needs to read them by; clips may share them.
std::uint64_t frame_bytes(const CharacterDraft& model, const BakedClip& clip);
// Bytes of the frames of all clips: the animation texture, and the words of localv.
std::uint64_t frame_bytes(const CharacterDraft& model);

// The clip's rows of the table.
std::span<const glm::vec4> table_of(const CharacterDraft& model, const BakedClip& clip);

// What the shader reads for a clip.
ClipRecord clip_record(const CharacterDraft& model, const BakedClip& clip);

inline std::uint32_t item_count(const Character& model, Encoding encoding) {
  return item_count(model.draft(), encoding);
}
inline std::uint32_t rotation_slots(const Character& model) { return rotation_slots(model.draft()); }
inline std::uint32_t translation_slots(const Character& model) { return translation_slots(model.draft()); }
inline FrameLayout frame_layout(const Character& model, const BakedClip& clip) {
  return frame_layout(model.draft(), clip);
}
inline std::uint32_t frame_shapes(const Character& model) { return frame_shapes(model.draft()); }
inline std::uint64_t frame_bytes(const Character& model, const BakedClip& clip) {
  return frame_bytes(model.draft(), clip);
}
inline std::uint64_t frame_bytes(const Character& model) { return frame_bytes(model.draft()); }
inline std::span<const glm::vec4> table_of(const Character& model, const BakedClip& clip) {
  return table_of(model.draft(), clip);
}
inline ClipRecord clip_record(const Character& model, const BakedClip& clip) {
  return clip_record(model.draft(), clip);
}

}  // namespace throng
