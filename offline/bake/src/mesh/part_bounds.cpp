// SPDX-License-Identifier: Apache-2.0
#include "mesh/part_bounds.h"

#include <algorithm>
#include <array>
#include <map>

#include "throng/character/decode.h"

namespace throng::detail::bake {
namespace {

constexpr double kPartRounding = 1e-5;  // of how far from the origin a box reaches

// The vertices of one part that follow one column at all.
struct ColumnBox {
  std::size_t part = 0;
  std::uint16_t column = 0;
  Bounds box;
};

// Where morph targets may put a vertex before its bones move it, each as far in as any clip has it.
Bounds morph_box(const BakedMorphs& morphs, std::span<const BakedDelta> deltas, const glm::dvec3& position) {
  Bounds box;
  box.min = box.max = position;
  for (const BakedDelta& delta : deltas) {
    const BakedTarget& target = morphs.targets[delta.target];
    const glm::dvec3 offset =
        static_cast<double>(target.position_step) * glm::dvec3(delta.position[0], delta.position[1], delta.position[2]);
    const double low = static_cast<double>(target.weight_min);
    const double high = low + 65535.0 * static_cast<double>(target.weight_step);
    box.min += glm::min(low * offset, high * offset);
    box.max += glm::max(low * offset, high * offset);
  }
  return box;
}

std::vector<ColumnBox> column_boxes(const CharacterDraft& draft) {
  std::map<std::pair<std::size_t, std::uint16_t>, Bounds> boxes;
  const auto add = [&](std::size_t v, const Bounds& box) {
    const BakedVertex& vertex = draft.vertices[v];
    for (std::size_t i = 0; i < 4; ++i)
      if (vertex.weights[i] != 0) boxes[{draft.vertex_parts[v], vertex.bones[i]}].add(box);
  };
  for (std::size_t v = 0; v < draft.vertices.size(); ++v) add(v, morph_box({}, {}, draft.vertices[v].position));
  std::size_t next = 0;
  for (const MorphedVertex& moved : draft.morphs.vertices) {
    const auto deltas = draft.morphs.deltas.subspan(next, moved.delta_count);
    add(moved.vertex, morph_box(draft.morphs, deltas, draft.vertices[moved.vertex].position));
    next += moved.delta_count;
  }
  std::vector<ColumnBox> out;
  for (const auto& [key, box] : boxes) out.push_back({key.first, key.second, box});
  return out;
}

// Where it looks from a frame to the next: at both and at the quarters between.
constexpr std::array kBlends{0.0, 0.25, 0.5, 0.75, 1.0};
using Moves = std::array<std::vector<ColumnMove>, kBlends.size()>;

// How far a point of the box goes round instead of straight, around the moment `at`: a path bulges past where it was
// looked at by an eighth of that, as long as it bends evenly, and twice as much is granted.
double bulge_of(const Bounds& box, const Moves& moves, std::size_t column, std::size_t at) {
  const ColumnMove &a = moves[at - 1][column], &b = moves[at][column], &c = moves[at + 1][column];
  const glm::dmat3 linear = a.linear - 2.0 * b.linear + c.linear;
  double bend = glm::length(linear * box.centre() + a.offset - 2.0 * b.offset + c.offset);
  for (int axis = 0; axis < 3; ++axis) bend += glm::length(linear[axis]) * 0.5 * box.size()[axis];
  return 0.25 * bend;
}

void add_moved(const ColumnBox& box, const Moves& moves, Bounds& into) {
  double bulge = 0.0;
  for (std::size_t at = 1; at + 1 < moves.size(); ++at)
    bulge = std::max(bulge, bulge_of(box.box, moves, box.column, at));
  for (const std::vector<ColumnMove>& columns : moves) {
    const ColumnMove& move = columns[box.column];
    const glm::dvec3 centre = move.linear * box.box.centre() + move.offset;
    glm::dvec3 reach(bulge);
    for (int axis = 0; axis < 3; ++axis) reach += glm::abs(move.linear[axis]) * (0.5 * box.box.size()[axis]);
    into.add(centre - reach);
    into.add(centre + reach);
  }
}

// What a clip adds to each part's box. A vertex lies between where its columns would take it alone.
void add_bones(const CharacterDraft& draft, const std::vector<ColumnBox>& boxes, const BakedClip& clip,
               std::vector<Bounds>& parts) {
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const std::uint32_t next = frame + 1 < clip.frame_count ? frame + 1 : clip.loops ? 0u : frame;
    Moves moves;
    for (std::size_t i = 0; i < moves.size(); ++i)
      moves[i] = decode_columns(draft, clip, {clip.first_frame + frame, clip.first_frame + next, 0.0f}, kBlends[i]);
    for (const ColumnBox& box : boxes) add_moved(box, moves, parts[box.part]);
  }
}

// Between frames vertices go straight, so frames are all there is to look at.
void add_vertices(const CharacterDraft& draft, const BakedClip& clip, std::vector<Bounds>& parts) {
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const std::uint32_t at = clip.first_frame + frame;
    const DecodedVertices decoded = decode_pose(draft, clip, {at, at, 0.0f}, 0.0);
    for (std::size_t v = 0; v < decoded.positions.size(); ++v) parts[draft.vertex_parts[v]].add(decoded.positions[v]);
  }
}

Bounds grown(const Bounds& box) {
  if (box.empty()) return {glm::dvec3(0.0), glm::dvec3(0.0)};
  const glm::dvec3 margin = kPartRounding * glm::max(glm::abs(box.min), glm::abs(box.max));
  return {box.min - margin, box.max + margin};
}

}  // namespace

std::vector<Bounds> part_bounds(const CharacterDraft& draft, std::size_t parts, Executor& executor) {
  const bool bones = draft.mode == BakeMode::bones;
  const std::vector<ColumnBox> boxes = bones ? column_boxes(draft) : std::vector<ColumnBox>();
  std::vector<std::vector<Bounds>> of_clip(draft.clips.size(), std::vector<Bounds>(parts));
  executor.run(draft.clips.size(), [&](std::size_t i) {
    if (bones)
      add_bones(draft, boxes, draft.clips[i], of_clip[i]);
    else
      add_vertices(draft, draft.clips[i], of_clip[i]);
  });
  std::vector<Bounds> out(parts);
  for (const std::vector<Bounds>& clip : of_clip)
    for (std::size_t p = 0; p < parts; ++p)
      if (!clip[p].empty()) out[p].add(clip[p]);
  std::ranges::transform(out, out.begin(), grown);
  return out;
}

}  // namespace throng::detail::bake
