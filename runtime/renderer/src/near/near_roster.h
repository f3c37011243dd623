// SPDX-License-Identifier: Apache-2.0
#pragma once
// The near characters of a renderer as the CPU holds them: what they wear, their poses, where they are. Knows no
// GPU.

#include <map>
#include <string>

#include "near/near_bounds.h"
#include "near/placed_mesh.h"
#include "throng/base/slot_map.h"
#include "throng/renderer/near_character.h"

namespace throng::detail::renderer {

// What characters need of a model.
struct NearModel {
  NearModel(const Character& character, NearMesh its_mesh, const Motion& motion, std::span<const PlacedPiece> packed,
            std::uint32_t its_first_piece);

  std::string name;
  NearMesh mesh;  // what the pieces look into
  std::vector<std::string> bone_names;
  std::vector<Affine> rest_bones;  // model_from_bones
  std::vector<float> rest_morphs;  // of all pieces, one after another
  std::vector<std::string> target_names;
  std::vector<MotionBinding> bindings;
  std::vector<float> binding_scales;            // of each: even_scale
  std::uint32_t first_piece = 0;                // counted over all models
  std::uint32_t first_call = 0;                 // of the renderer's, as gpu::call_number counts on
  std::uint32_t draw_count = 0;                 // of its model: one for each material
  std::vector<PlacedPiece> pieces;              // by material, those of one material in their order
  std::vector<std::uint32_t> places_of_pieces;  // which of those each piece of the near mesh is
  std::vector<PieceRef> drawn;                  // those that are usually worn and have triangles; `model` is left 0
};

// The pieces with triangles that make up the parts.
std::vector<PieceRef> pieces_in(const NearMesh& mesh, ModelId model, PartMask parts);

inline constexpr std::uint32_t kNoneOfSkeleton = 0xFFFFFFFFu;

// How pieces of one model go on the skeleton of another, or of the same.
struct SkeletonMap {
  std::uint32_t number = 0;            // in the order they were made
  bool own = false;                    // the skeleton is the pieces' own: all numbers stay
  std::vector<std::uint32_t> bones;    // of every binding: its bone in the skeleton, or none
  std::vector<std::uint32_t> targets;  // of every morph target: the one of that name there, or none
};

struct WornPiece {
  PieceRef ref = {};
  const PlacedPiece* piece = nullptr;
  const SkeletonMap* map = nullptr;
};

// Where a character's vertices were put, in an image.
struct History {
  std::uint64_t image = 0;         // 0: none
  std::uint32_t first_vertex = 0;  // of the pool: what it wears lies there, piece by piece
  std::uint32_t outfit = 0;
};

struct NearCharacterState {
  ModelId model = {};
  std::uint32_t outfit = 0;  // which it has; another number after every change
  std::vector<PieceRef> pieces;
  std::vector<WornPiece> worn;  // the same
  std::vector<Affine> bones;
  std::vector<float> morphs;
  Placement placement = {};
  Look look = {};
  FloatBox bounds;      // in world space
  bool uneven = false;  // some bone scales otherwise than the others, or not alike in all directions
  History history;
  History history_before;  // for when the image of `history` is dropped

  std::uint32_t vertex_count() const;
};

class NearRoster {
 public:
  using Characters = SlotMap<NearCharacterState, CharacterId>;

  // The next model, as the renderer counts them.
  void add_model(NearModel model);
  void add_no_model(std::string why);  // one without a near mesh
  const NearModel& model(ModelId id) const { return *models_[id.value]; }
  Result<void> check_model(ModelId model) const;  // that it exists, with a near mesh

  Result<CharacterId> add(ModelId model, std::span<const PieceRef> pieces);
  Result<CharacterId> add(ModelId model);
  Result<void> remove(CharacterId id);
  Result<void> set_pieces(CharacterId id, std::span<const PieceRef> pieces);
  Result<void> set_pose(CharacterId id, const NearPose& pose);

  Result<std::uint32_t> find(CharacterId id) const;  // its slot in characters()
  const Characters& characters() const { return characters_; }
  NearCharacterState& character(std::uint32_t slot) { return characters_[slot]; }
  std::size_t size() const { return characters_.size(); }

  // Writes the weights of the targets of a piece, as many as that has. `morphs`: of who wears it.
  static void put_weights(const NearModel& of_piece, const WornPiece& worn, std::span<const float> morphs,
                          std::span<float> into);

 private:
  Result<std::vector<WornPiece>> dressed(ModelId skeleton, std::span<const PieceRef> pieces);
  const SkeletonMap& map_of(ModelId skeleton, ModelId model);
  // What pieces reach in model space, and NearCharacterState::uneven.
  struct Extent {
    FloatBox box;
    bool uneven = false;
  };
  Extent extent(std::span<const WornPiece> pieces, std::span<const Affine> bones, std::span<const float> morphs) const;
  static void put(const Extent& extent, NearCharacterState& character);

  std::vector<std::unique_ptr<NearModel>> models_;           // null where there is no near mesh
  std::vector<std::string> missing_;                         // why there are none, else empty
  std::map<std::pair<ModelId, ModelId>, SkeletonMap> maps_;  // of skeleton and model; they stay in place
  Characters characters_;
};

}  // namespace throng::detail::renderer
