// SPDX-License-Identifier: Apache-2.0
#include "near/near_roster.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng::detail::renderer {
namespace {

Affine affine_of(const glm::dmat4& matrix) {
  const glm::mat4 rows(glm::transpose(matrix));
  return {{rows[0], rows[1], rows[2]}};
}

// The first of every name.
std::unordered_map<std::string_view, std::uint32_t> places_of(const std::vector<std::string>& names, bool own) {
  std::unordered_map<std::string_view, std::uint32_t> places;
  for (std::uint32_t i = 0; i < names.size(); ++i) places.try_emplace(own ? without_namespace(names[i]) : names[i], i);
  return places;
}

// For every one of `names` its place in `among`: by its whole name, else by its own.
std::vector<std::uint32_t> find_all(const std::vector<std::string>& names, const std::vector<std::string>& among) {
  const auto whole = places_of(among, false);
  const auto own = places_of(among, true);
  std::vector<std::uint32_t> found;
  for (const std::string& name : names) {
    const auto exact = whole.find(name);
    const auto near = own.find(without_namespace(name));
    found.push_back(exact != whole.end() ? exact->second : near != own.end() ? near->second : kNoneOfSkeleton);
  }
  return found;
}

Result<void> check_sizes(const NearPose& pose, const NearModel& model) {
  if (pose.model_from_bones.size() != model.rest_bones.size())
    return fail("a pose of {} bones for a skeleton of {}", pose.model_from_bones.size(), model.rest_bones.size());
  if (!pose.morph_weights.empty() && pose.morph_weights.size() != model.rest_morphs.size())
    return fail("{} morph weights for a model of {} targets", pose.morph_weights.size(), model.rest_morphs.size());
  return check_placement(pose.placement);
}

Result<void> check_numbers(const NearPose& pose, const NearModel& model) {
  if (!all_finite(pose.model_from_bones))
    for (std::size_t bone = 0; bone < pose.model_from_bones.size(); ++bone)
      if (!all_finite(pose.model_from_bones.subspan(bone, 1)))
        return fail("the matrix of bone '{}' holds a number that is not finite; the character keeps the pose it had",
                    model.bone_names[bone]);
  if (!are_finite(pose.morph_weights)) return fail("a morph weight is not a finite number");
  return {};
}

// Of thousands of characters neither the matrices that are given nor where they go to is in a cache: all lines are
// asked for at once, and in the order in which they are needed, since a processor waits for so many and no more.
template <class T>
void ask_for(std::span<const T> values) {
  constexpr std::size_t kLine = 64;
  const auto* const bytes = reinterpret_cast<const char*>(values.data());
  for (std::size_t at = 0; at < values.size_bytes(); at += kLine) __builtin_prefetch(bytes + at);
}

FloatBox placed(const FloatBox& box, const Placement& placement) {
  if (box.empty()) return box;
  const glm::mat3 turn(placement.scale * glm::mat3_cast(placement.rotation));
  const glm::vec3 centre = turn * (0.5f * (box.min + box.max)) + placement.position;
  const glm::vec3 half = 0.5f * (box.max - box.min);
  glm::vec3 reach = glm::abs(turn[0]) * half.x + glm::abs(turn[1]) * half.y + glm::abs(turn[2]) * half.z;
  reach += 1e-6f * (glm::abs(centre) + reach);  // what is rounded here and in the shader, far from the origin
  return {centre - reach, centre + reach};
}

}  // namespace

std::vector<PieceRef> pieces_in(const NearMesh& mesh, ModelId model, PartMask parts) {
  std::vector<PieceRef> pieces;
  for (std::uint32_t i = 0; i < mesh.pieces().size(); ++i)
    if (mesh.pieces()[i].index_count > 0 && parts.has(PartId(mesh.pieces()[i].part))) pieces.push_back({model, i});
  return pieces;
}

NearModel::NearModel(const Character& character, NearMesh its_mesh, const Motion& motion,
                     std::span<const PlacedPiece> packed, std::uint32_t its_first_piece)
    : name(character.name()), mesh(std::move(its_mesh)), first_piece(its_first_piece) {
  for (const MotionBone& bone : motion.bones()) bone_names.push_back(bone.name);
  for (const glm::dmat4& matrix : model_from_bones_at_rest(motion)) rest_bones.push_back(affine_of(matrix));
  rest_morphs.assign(motion.rest_morphs().begin(), motion.rest_morphs().end());
  target_names.assign(mesh.target_names().begin(), mesh.target_names().end());
  bindings.assign(motion.bindings().begin(), motion.bindings().end());
  for (const MotionBinding& binding : bindings) binding_scales.push_back(even_scale(affine_of(binding.bone_from_mesh)));
  std::vector<std::uint32_t> order(packed.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t piece) { return packed[piece].material; });
  places_of_pieces.resize(order.size());
  for (const std::uint32_t piece : order) {
    places_of_pieces[piece] = static_cast<std::uint32_t>(pieces.size());
    pieces.push_back(packed[piece]);
  }
  drawn = pieces_in(mesh, ModelId(), usual_parts(character.part_groups()));
}

std::uint32_t NearCharacterState::vertex_count() const {
  std::uint32_t count = 0;
  for (const WornPiece& piece : worn) count += piece.piece->vertex_count;
  return count;
}

void NearRoster::add_model(NearModel model) {
  models_.push_back(std::make_unique<NearModel>(std::move(model)));
  missing_.emplace_back();
}

void NearRoster::add_no_model(std::string why) {
  models_.emplace_back();
  missing_.push_back(std::move(why));
}

const SkeletonMap& NearRoster::map_of(ModelId skeleton, ModelId model) {
  const auto [known, is_new] = maps_.try_emplace({skeleton, model});
  if (!is_new) return known->second;
  SkeletonMap& map = known->second;
  map.number = static_cast<std::uint32_t>(maps_.size());
  const NearModel& from = this->model(model);
  std::vector<std::uint32_t> bones(from.bone_names.size());
  map.targets.resize(from.target_names.size());
  map.own = skeleton == model;
  if (map.own) {
    std::iota(bones.begin(), bones.end(), 0u);
    std::iota(map.targets.begin(), map.targets.end(), 0u);
  } else {
    bones = find_all(from.bone_names, models_[skeleton.value]->bone_names);
    map.targets = find_all(from.target_names, models_[skeleton.value]->target_names);
  }
  for (const MotionBinding& binding : from.bindings) map.bones.push_back(bones[binding.bone]);
  return map;
}

Result<void> NearRoster::check_model(ModelId model) const {
  if (model.value >= models_.size()) return fail("model {} does not exist; {} were added", model.value, models_.size());
  if (models_[model.value] == nullptr) return fail("{}", missing_[model.value]);
  return {};
}

Result<std::vector<WornPiece>> NearRoster::dressed(ModelId skeleton, std::span<const PieceRef> pieces) {
  std::vector<WornPiece> worn;
  for (const PieceRef& ref : pieces) {
    THRONG_CHECK(check_model(ref.model));
    const NearModel& from = model(ref.model);
    if (ref.piece >= from.pieces.size())
      return fail("piece {} of '{}' does not exist; it has {}", ref.piece, from.name, from.pieces.size());
    const WornPiece piece{ref, &from.pieces[from.places_of_pieces[ref.piece]], &map_of(skeleton, ref.model)};
    for (const std::uint32_t binding : piece.piece->bindings)
      if (piece.map->bones[binding] == kNoneOfSkeleton)
        return fail("piece {} of '{}' needs bone '{}', which the skeleton of '{}' does not have", ref.piece, from.name,
                    from.bone_names[from.bindings[binding].bone], models_[skeleton.value]->name);
    worn.push_back(piece);
  }
  return worn;
}

void NearRoster::put_weights(const NearModel& of_piece, const WornPiece& worn, std::span<const float> morphs,
                             std::span<float> into) {
  for (std::uint32_t i = 0; i < worn.piece->target_count; ++i) {
    const std::uint32_t target = worn.piece->first_target + i;
    const std::uint32_t own = worn.map->targets[target];
    into[i] = own == kNoneOfSkeleton ? of_piece.rest_morphs[target] : morphs[own];
  }
}

// Scales are those of bones and bindings apart: what is uneven in both and even together counts as uneven, which costs
// time only.
NearRoster::Extent NearRoster::extent(std::span<const WornPiece> pieces, std::span<const Affine> bones,
                                      std::span<const float> morphs) const {
  FloatBox all;
  ScaleRange scales;
  std::vector<float> of_others;
  for (const WornPiece& worn : pieces) {
    const NearModel& from = model(worn.ref.model);
    std::span<const float> weights;
    if (worn.map->own) {
      weights = morphs.subspan(worn.piece->first_target, worn.piece->target_count);
    } else {
      of_others.resize(worn.piece->target_count);
      put_weights(from, worn, morphs, of_others);
      weights = of_others;
    }
    const BoxMoves moves{bones, worn.map->bones, weights};
    all.add(worn.piece->method == SkinMethod::linear ? worn.piece->linear_boxes.moved(moves)
                                                     : worn.piece->screw_boxes.moved(moves));
    scales.add(scales_of(worn.piece->bindings, moves, from.binding_scales));
  }
  return {all, !std::isfinite(scales.most) || scales.most > scales.least * (1.0f + kEven)};
}

void NearRoster::put(const Extent& extent, NearCharacterState& character) {
  character.bounds = placed(extent.box, character.placement);
  character.uneven = extent.uneven;
}

Result<CharacterId> NearRoster::add(ModelId model) {
  THRONG_CHECK(check_model(model));
  std::vector<PieceRef> pieces = models_[model.value]->drawn;
  for (PieceRef& piece : pieces) piece.model = model;
  return add(model, pieces);
}

Result<CharacterId> NearRoster::add(ModelId model, std::span<const PieceRef> pieces) {
  THRONG_CHECK(check_model(model));
  THRONG_TRY(auto worn, dressed(model, pieces));
  NearCharacterState made;
  made.model = model;
  made.pieces.assign(pieces.begin(), pieces.end());
  made.worn = std::move(worn);
  made.bones = models_[model.value]->rest_bones;
  made.morphs = models_[model.value]->rest_morphs;
  put(extent(made.worn, made.bones, made.morphs), made);
  return characters_.add(std::move(made));
}

Result<std::uint32_t> NearRoster::find(CharacterId id) const {
  if (characters_.has(id)) return id.slot;
  if (id.slot >= characters_.slot_count()) return fail("character {} does not exist", id.slot);
  return fail("character {} of generation {} was removed", id.slot, id.generation);
}

Result<void> NearRoster::remove(CharacterId id) {
  THRONG_CHECK(find(id));
  characters_.remove(id);
  return {};
}

Result<void> NearRoster::set_pieces(CharacterId id, std::span<const PieceRef> pieces) {
  THRONG_TRY(const auto slot, find(id));
  NearCharacterState& character = characters_[slot];
  THRONG_TRY(auto worn, dressed(character.model, pieces));
  std::vector<PieceRef> copy(pieces.begin(), pieces.end());
  character.pieces = std::move(copy);
  character.worn = std::move(worn);
  ++character.outfit;
  put(extent(character.worn, character.bones, character.morphs), character);
  return {};
}

Result<void> NearRoster::set_pose(CharacterId id, const NearPose& pose) {
  THRONG_TRY(const auto slot, find(id));
  NearCharacterState& character = characters_[slot];
  ask_for(std::span<const WornPiece>(character.worn));
  ask_for(pose.model_from_bones);
  ask_for(std::span(&std::as_const(character), 1));
  ask_for(std::span<const Affine>(character.bones));
  const NearModel& model = this->model(character.model);
  const auto refused = [&](Error error) {
    return fail(with_context(fmt::format("character {}", id.slot), std::move(error)));
  };
  if (auto checked = check_sizes(pose, model); !checked) return refused(std::move(checked).error());
  const std::span<const float> weights =
      pose.morph_weights.empty() ? std::span<const float>(model.rest_morphs) : pose.morph_weights;
  // Before the check, for there is most to do here while the matrices come from memory.
  const Extent found = extent(character.worn, pose.model_from_bones, weights);
  if (auto checked = check_numbers(pose, model); !checked) return refused(std::move(checked).error());
  std::ranges::copy(pose.model_from_bones, character.bones.begin());
  std::ranges::copy(weights, character.morphs.begin());
  character.placement = pose.placement;
  // In double: the squares of a very short one leave the range of floats.
  character.placement.rotation = glm::quat(glm::normalize(glm::dquat(pose.placement.rotation)));
  character.look = pose.look;
  put(found, character);
  return {};
}

}  // namespace throng::detail::renderer

namespace throng {

Result<std::vector<PieceRef>> pieces_of(const Character& character, ModelId model, PartMask parts) {
  THRONG_TRY(const NearMesh mesh, character.near_mesh());
  return detail::renderer::pieces_in(mesh, model, parts);
}

}  // namespace throng
