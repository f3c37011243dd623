// SPDX-License-Identifier: Apache-2.0
#include "near/near_plan.h"

#include <algorithm>

#include "throng/plan/view_planes.h"
#include "throng/playback/pack_tint.h"

namespace throng::detail::renderer {
namespace {

// One piece on one drawn character.
struct Entry {
  std::uint32_t piece = 0;  // counted over all models
  const WornPiece* worn = nullptr;
  std::uint32_t views = 0;  // bit n: seen in view n
  bool uneven = false;      // NearCharacterState::uneven
  gpu::NearSkinTask skin{};
  gpu::NearDrawTask draw{};
};

class Planner {
 public:
  Planner(const NearRoster& roster, const RendererImage& image, std::span<const std::uint32_t> column_counts,
          const NearPlanSettings& settings, NearPlan room)
      : roster_(roster),
        column_counts_(column_counts),
        settings_(settings),
        culling_(image.culling),
        plan_(std::move(room)) {
    plan_.clear();
    views_.push_back(view_of(image.clip_from_world));
    for (const glm::mat4& shadow : image.shadows) views_.push_back(view_of(shadow));
  }

  void gather(std::span<const std::uint32_t> asked);
  void group();
  void draw();
  NearPlan take() { return std::move(plan_); }

 private:
  std::uint32_t views_of(const NearCharacterState& character) const;
  void add(std::uint32_t slot, std::uint32_t views);
  std::uint32_t bones_of(const SkeletonMap& map);
  void group_run(std::size_t first, std::size_t count);
  void group_tasks(const Entry& like, std::size_t first, std::vector<gpu::SkinGroup>& groups);
  void add_command(std::uint32_t view, const Entry& entry);
  const PlacedPiece& piece_at(const Entry& entry) const { return *entry.worn->piece; }

  const NearRoster& roster_;
  std::span<const std::uint32_t> column_counts_;
  const NearPlanSettings& settings_;
  bool culling_;
  std::vector<gpu::ViewRecord> views_;
  std::vector<Entry> entries_;
  std::map<const SkeletonMap*, std::uint32_t> maps_;
  std::vector<gpu::SkinGroup> uneven_groups_;
  NearPlan plan_;
};

std::uint32_t Planner::views_of(const NearCharacterState& character) const {
  const glm::vec3 centre = 0.5f * (character.bounds.min + character.bounds.max);
  const glm::vec3 half = 0.5f * (character.bounds.max - character.bounds.min);
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < views_.size(); ++i)
    if (!culling_ || may_show(views_[i], centre, half)) seen |= 1u << i;
  return seen;
}

void Planner::add(std::uint32_t slot, std::uint32_t views) {
  const NearCharacterState& character = roster_.characters()[slot];
  const auto number = static_cast<std::uint32_t>(plan_.drawn.size());
  const bool known = settings_.motion && character.history.image != 0 &&
                     character.history.image + 1 == settings_.image && character.history.outfit == character.outfit;
  plan_.drawn.push_back(slot);
  plan_.first_vertex.push_back(static_cast<std::uint32_t>(plan_.vertices));
  gpu::NearRecord record{};
  const glm::quat& turn = character.placement.rotation;
  record.position = character.placement.position;
  record.scale = character.placement.scale;
  record.rotation = {turn.x, turn.y, turn.z, turn.w};
  record.first_bone = static_cast<std::uint32_t>(plan_.bones);
  record.tint = pack_tint(character.look.tint);
  record.variation = character.look.variation;
  plan_.characters.push_back(record);
  plan_.bones += character.bones.size();
  if ((views & 1u) != 0) ++plan_.in_picture;
  std::uint32_t last_vertex = character.history.first_vertex;
  for (const WornPiece& worn : character.worn) {
    const NearModel& from = roster_.model(worn.ref.model);
    Entry entry{.worn = &worn, .views = views, .uneven = character.uneven};
    entry.piece = from.first_piece + from.places_of_pieces[worn.ref.piece];
    entry.skin.character = entry.draw.character = number;
    entry.skin.offset = entry.draw.offset = static_cast<std::uint32_t>(plan_.vertices) - worn.piece->first_vertex;
    entry.skin.first_weight = static_cast<std::uint32_t>(plan_.weights.size());
    entry.draw.known = known ? 1 : 0;
    entry.draw.last_offset = last_vertex - worn.piece->first_vertex;
    plan_.weights.resize(plan_.weights.size() + worn.piece->target_count);
    NearRoster::put_weights(from, worn, character.morphs, std::span(plan_.weights).subspan(entry.skin.first_weight));
    plan_.vertices += worn.piece->vertex_count;
    last_vertex += worn.piece->vertex_count;
    entries_.push_back(entry);
  }
}

void Planner::gather(std::span<const std::uint32_t> asked) {
  entries_.reserve(roster_.size());
  for (std::uint32_t slot = 0; slot < roster_.characters().slot_count(); ++slot) {
    if (!roster_.characters().holds(slot)) continue;
    const NearCharacterState& character = roster_.characters()[slot];
    if (character.worn.empty()) continue;
    const std::uint32_t views = views_of(character);
    if (views != 0 || std::ranges::find(asked, slot) != asked.end()) add(slot, views);
  }
  // Entries of one piece that have the same skeleton lie together; otherwise in the order of their characters.
  const auto before = [](const Entry& a, const Entry& b) {
    return a.piece != b.piece ? a.piece < b.piece : a.worn->map->number < b.worn->map->number;
  };
  if (!std::ranges::is_sorted(entries_, before)) std::ranges::stable_sort(entries_, before);
}

// Where a skeleton's list of bones begins.
std::uint32_t Planner::bones_of(const SkeletonMap& map) {
  const auto [known, is_new] = maps_.try_emplace(&map, static_cast<std::uint32_t>(plan_.bound_bones.size()));
  if (is_new) plan_.bound_bones.insert(plan_.bound_bones.end(), map.bones.begin(), map.bones.end());
  return known->second;
}

// Makes groups of the tasks from `first` on.
void Planner::group_tasks(const Entry& like, std::size_t first, std::vector<gpu::SkinGroup>& groups) {
  const std::size_t count = plan_.skin_tasks.size() - first;
  const PlacedPiece& piece = piece_at(like);
  const std::uint32_t bones = bones_of(*like.worn->map);
  for (std::uint32_t chunk = piece.first_chunk; chunk < piece.first_chunk + piece.chunk_count; ++chunk) {
    const std::size_t together =
        std::clamp<std::size_t>(gpu::kMostNearColumns / column_counts_[chunk], 1, gpu::kMostTogether);
    for (std::size_t at = 0; at < count; at += together)
      groups.push_back({chunk, bones, static_cast<std::uint32_t>(first + at),
                        static_cast<std::uint32_t>(std::min(together, count - at))});
  }
}

// Makes groups of entries of one piece and skeleton. One that takes the longer way does not take others along.
void Planner::group_run(std::size_t first, std::size_t count) {
  const std::span run = std::span(entries_).subspan(first, count);
  for (const bool uneven : {false, true}) {
    const std::size_t begin = plan_.skin_tasks.size();
    for (const Entry& entry : run)
      if (entry.uneven == uneven) plan_.skin_tasks.push_back(entry.skin);
    group_tasks(run.front(), begin, uneven ? uneven_groups_ : plan_.groups);
  }
}

void Planner::group() {
  for (std::size_t first = 0; first < entries_.size();) {
    std::size_t end = first;
    while (end < entries_.size() && entries_[end].piece == entries_[first].piece &&
           entries_[end].worn->map == entries_[first].worn->map)
      ++end;
    group_run(first, end - first);
    first = end;
  }
  plan_.even_groups = plan_.groups.size();
  plan_.groups.insert(plan_.groups.end(), uneven_groups_.begin(), uneven_groups_.end());
}

// One command for each piece that is seen in a view, by the material it is drawn with: entries are in that order.
void Planner::draw() {
  plan_.calls.resize(settings_.call_count);
  for (std::uint32_t view = 0; view < views_.size(); ++view) {
    const Entry* last = nullptr;
    for (const Entry& entry : entries_) {
      const PlacedPiece& piece = piece_at(entry);
      if ((entry.views >> view & 1u) == 0 || piece.index_count == 0) continue;
      if (last == nullptr || last->piece != entry.piece) add_command(view, entry);
      last = &entry;
      ++plan_.commands.back().instance_count;
      plan_.draw_tasks.push_back(entry.draw);
      if (view == 0) plan_.triangles += piece.index_count / 3;
    }
  }
}

void Planner::add_command(std::uint32_t view, const Entry& entry) {
  const PlacedPiece& piece = piece_at(entry);
  const NearModel& model = roster_.model(entry.worn->ref.model);
  gpu::NearCall& call = plan_.calls[model.first_call + gpu::call_number(model.draw_count, view, piece.draw)];
  plan_.drawn_models.insert(entry.worn->ref.model);
  if (call.count++ == 0) call.first = static_cast<std::uint32_t>(plan_.commands.size());
  plan_.commands.push_back({piece.index_count, 0, piece.first_index, piece.first_vertex,
                            gpu::kFirstNear + static_cast<std::uint32_t>(plan_.draw_tasks.size())});
}

}  // namespace

void NearPlan::clear() {
  drawn.clear();
  first_vertex.clear();
  characters.clear();
  weights.clear();
  bound_bones.clear();
  skin_tasks.clear();
  groups.clear();
  draw_tasks.clear();
  commands.clear();
  calls.clear();
  drawn_models.clear();
  bones = vertices = in_picture = triangles = 0;
  even_groups = 0;
}

NearPlan make_plan(const NearRoster& roster, const RendererImage& image, std::span<const std::uint32_t> asked,
                   std::span<const std::uint32_t> column_counts, const NearPlanSettings& settings, NearPlan room) {
  Planner planner(roster, image, column_counts, settings, std::move(room));
  planner.gather(asked);
  planner.group();
  planner.draw();
  return planner.take();
}

}  // namespace throng::detail::renderer
