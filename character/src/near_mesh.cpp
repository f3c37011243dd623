// SPDX-License-Identifier: Apache-2.0
#include "throng/character/near_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "throng/base/names.h"
#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng {

struct NearMesh::State {
  NearMeshData data;
  std::vector<std::vector<std::uint32_t>> bindings;  // piece by piece
  std::vector<PieceBoxes> boxes;                     // piece by piece
  std::uint32_t features = 0;
  std::size_t binding_count = 0;
};

namespace {

constexpr std::uint32_t kFlags = gpu::kSkinEight | gpu::kSkinDual | gpu::kSkinMorphs | gpu::kSkinTangents;
constexpr std::uint32_t k21Bits = 0x1FFFFFu;
constexpr std::uint32_t kRounding = 4;  // steps that rounding each weight may leave too many

bool is_box(const FloatBox& box) {
  return is_finite(box.min) && is_finite(box.max) && glm::all(glm::lessThanEqual(box.min, box.max));
}

// Takes boxes from the front of what is left.
class BoxReader {
 public:
  explicit BoxReader(std::span<const std::uint32_t> words) : words_(words) {}

  Result<PieceBoxes> next() {
    PieceBoxes boxes;
    for (std::uint32_t left = word(); left > 0 && !failed_; --left) {
      BoneBox& box = boxes.linear.emplace_back();
      box.binding = word();
      box.box = this->box();
      box.largest = number();
      box.reaches = reaches();
    }
    for (std::uint32_t left = word(); left > 0 && !failed_; --left) {
      ScrewBox& box = boxes.dual.emplace_back();
      box.binding = word();
      for (std::uint32_t others = word(); others > 0 && !failed_; --others) box.others.push_back(word());
      box.least_weight = number();
      box.box = this->box();
      box.reaches = reaches();
    }
    if (failed_) return fail("its boxes end early");
    return boxes;
  }
  bool is_empty() const { return words_.empty(); }

 private:
  std::uint32_t word() {
    failed_ = failed_ || words_.empty();
    if (failed_) return 0;
    const std::uint32_t first = words_.front();
    words_ = words_.subspan(1);
    return first;
  }
  float number() { return std::bit_cast<float>(word()); }
  glm::vec3 point() {
    const float x = number(), y = number();
    return {x, y, number()};
  }
  FloatBox box() {
    const glm::vec3 min = point();
    return {min, point()};
  }
  std::vector<MorphReach> reaches() {
    std::vector<MorphReach> all;
    for (std::uint32_t left = word(); left > 0 && !failed_; --left) {
      const std::uint32_t target = word();
      all.push_back({target, box()});
    }
    return all;
  }

  std::span<const std::uint32_t> words_;
  bool failed_ = false;
};

class Checker {
 public:
  Checker(const NearMeshData& data, const Motion& motion)
      : data_(data), bindings_(motion.bindings().size()), targets_(motion.rest_morphs().size()) {}

  Result<void> sizes() const;
  // The bindings that move it, ascending.
  Result<std::vector<std::uint32_t>> piece(const NearPiece& piece, const PieceBoxes& boxes);
  Result<void> end() const;

 private:
  Result<void> follows(const NearPiece& piece) const;
  Result<void> chunk(const gpu::ChunkRecord& chunk, const NearPiece& piece, std::uint32_t next_vertex) const;
  Result<void> influences(const gpu::ChunkRecord& chunk) const;
  Result<void> morphs(const gpu::ChunkRecord& chunk, const NearPiece& piece) const;
  Result<void> check_boxes(const NearPiece& piece, const PieceBoxes& boxes) const;
  Result<void> reaches(const std::vector<MorphReach>& all, const NearPiece& piece) const;

  const NearMeshData& data_;
  std::size_t bindings_;
  std::size_t targets_;
  // What the pieces so far have taken.
  std::uint64_t vertices_ = 0, indices_ = 0, chunks_ = 0, first_target_ = 0;
};

Result<void> Checker::sizes() const {
  if (data_.pieces.empty()) return fail("there are no pieces");
  if (data_.vertices.size() != 2 * data_.surfaces.size()) return fail("vertices and surfaces differ in number");
  if (data_.surfaces.size() > 0xFFFFFFFFu || data_.indices.size() > 0xFFFFFFFFu) return fail("it is too large");
  if (data_.target_names.size() != targets_)
    return fail("{} morph targets have names, {} weights at rest", data_.target_names.size(), targets_);
  for (std::size_t v = 0; v < data_.surfaces.size(); ++v) {
    const glm::uvec4& word = data_.vertices[2 * v];
    const glm::vec3 position(std::bit_cast<float>(word.x), std::bit_cast<float>(word.y), std::bit_cast<float>(word.z));
    const glm::vec2 uv(std::bit_cast<float>(data_.surfaces[v].x), std::bit_cast<float>(data_.surfaces[v].y));
    if (!is_finite(position) || !is_finite(uv)) return fail("vertex {} holds a number that is not finite", v);
  }
  return {};
}

Result<void> Checker::follows(const NearPiece& piece) const {
  const bool in_order = piece.first_vertex == vertices_ && piece.first_index == indices_ &&
                        piece.first_chunk == chunks_ && piece.first_target == first_target_;
  const bool inside =
      vertices_ + piece.vertex_count <= data_.surfaces.size() && indices_ + piece.index_count <= data_.indices.size() &&
      chunks_ + piece.chunk_count <= data_.chunks.size() && first_target_ + piece.target_count <= targets_;
  if (!in_order || !inside) return fail("it does not follow the piece before it");
  if (piece.index_count % 3 != 0) return fail("its triangles are not whole");
  for (const std::uint32_t index : data_.indices.subspan(piece.first_index, piece.index_count))
    if (index >= piece.vertex_count) return fail("a triangle has vertex {} of {}", index, piece.vertex_count);
  return {};
}

Result<void> Checker::chunk(const gpu::ChunkRecord& chunk, const NearPiece& piece, std::uint32_t next_vertex) const {
  if (chunk.first_vertex != next_vertex || chunk.vertex_count == 0 || chunk.vertex_count > gpu::kMostChunkVertices ||
      std::uint64_t{chunk.first_vertex} + chunk.vertex_count > std::uint64_t{piece.first_vertex} + piece.vertex_count)
    return fail("a chunk does not follow the one before it");
  if (chunk.column_count == 0 || chunk.column_count > gpu::kMostChunkColumns ||
      std::uint64_t{chunk.first_column} + chunk.column_count > data_.columns.size())
    return fail("a chunk has {} columns from {}", chunk.column_count, chunk.first_column);
  for (const std::uint32_t binding : data_.columns.subspan(chunk.first_column, chunk.column_count))
    if (binding >= bindings_) return fail("a column is binding {} of {}", binding, bindings_);
  if (chunk.first_binding != 0) return fail("a chunk's bindings do not begin at the character's first");
  if ((chunk.flags & ~kFlags) != 0) return fail("a chunk has flags {:#x}", chunk.flags);
  if ((chunk.flags & gpu::kSkinEight) != 0 &&
      std::uint64_t{chunk.first_extra} + chunk.vertex_count > data_.extra_influences.size())
    return fail("a chunk's influences end early");
  THRONG_CHECK(influences(chunk));
  return morphs(chunk, piece);
}

Result<void> Checker::influences(const gpu::ChunkRecord& chunk) const {
  const auto columns_exist = [&](std::uint32_t word) {
    for (int i = 0; i < 4; ++i, word >>= 8)
      if ((word & 0xFFu) >= chunk.column_count) return false;
    return true;
  };
  const bool eight = (chunk.flags & gpu::kSkinEight) != 0;
  for (std::uint32_t i = 0; i < chunk.vertex_count; ++i) {
    const glm::uvec4& word = data_.vertices[2 * (std::size_t{chunk.first_vertex} + i) + 1];
    const std::uint64_t sum =
        std::uint64_t{word.y & k21Bits} + (((word.y >> 21) | (word.z << 11)) & k21Bits) + (word.z >> 10 & k21Bits);
    if (!columns_exist(word.x) || sum > k21Bits + kRounding)
      return fail("a vertex follows what its chunk does not have");
    if (eight && !columns_exist(data_.extra_influences[chunk.first_extra + i].x))
      return fail("a vertex follows what its chunk does not have");
  }
  return {};
}

Result<void> Checker::morphs(const gpu::ChunkRecord& chunk, const NearPiece& piece) const {
  const bool has = (chunk.flags & gpu::kSkinMorphs) != 0;
  if (has != (piece.target_count > 0)) return fail("a chunk's morph targets are not its piece's");
  if (!has) return {};
  if (std::uint64_t{chunk.first_morph} + chunk.vertex_count + 1 > data_.morph_firsts.size())
    return fail("a chunk's morph targets end early");
  const auto firsts = data_.morph_firsts.subspan(chunk.first_morph, chunk.vertex_count + 1);
  if (!std::is_sorted(firsts.begin(), firsts.end()) || firsts.back() > data_.deltas.size())
    return fail("a vertex's morph targets are not in order");
  for (const gpu::MorphDelta& delta : data_.deltas.subspan(firsts.front(), firsts.back() - firsts.front())) {
    if (delta.target >= piece.target_count) return fail("morph target {} of {}", delta.target, piece.target_count);
    if (!is_finite(delta.position) || !is_finite(delta.normal)) return fail("a morph target is not finite");
  }
  return {};
}

Result<void> Checker::reaches(const std::vector<MorphReach>& all, const NearPiece& piece) const {
  for (const MorphReach& reach : all)
    if (reach.target >= piece.target_count || !is_box(reach.offsets))
      return fail("a box's morph target does not exist");
  return {};
}

Result<void> Checker::check_boxes(const NearPiece& piece, const PieceBoxes& boxes) const {
  for (const BoneBox& box : boxes.linear) {
    if (box.binding >= bindings_ || !is_box(box.box) || !std::isfinite(box.largest)) return fail("a box is no box");
    THRONG_CHECK(reaches(box.reaches, piece));
  }
  for (const ScrewBox& box : boxes.dual) {
    if (box.binding >= bindings_ || !is_box(box.box)) return fail("a box is no box");
    if (!(box.least_weight > 0.0f && box.least_weight <= 1.0f)) return fail("a box's weight is {}", box.least_weight);
    for (const std::uint32_t other : box.others)
      if (other >= bindings_) return fail("a box follows binding {} of {}", other, bindings_);
    THRONG_CHECK(reaches(box.reaches, piece));
  }
  return {};
}

Result<std::vector<std::uint32_t>> Checker::piece(const NearPiece& piece, const PieceBoxes& boxes) {
  THRONG_CHECK(follows(piece));
  std::vector<std::uint32_t> moved_by;
  std::uint32_t vertex = piece.first_vertex;
  for (const gpu::ChunkRecord& record : data_.chunks.subspan(piece.first_chunk, piece.chunk_count)) {
    THRONG_CHECK(chunk(record, piece, vertex));
    vertex += record.vertex_count;
    const auto columns = data_.columns.subspan(record.first_column, record.column_count);
    moved_by.insert(moved_by.end(), columns.begin(), columns.end());
  }
  if (vertex != piece.first_vertex + piece.vertex_count) return fail("its chunks leave vertices out");
  THRONG_CHECK(check_boxes(piece, boxes));
  std::ranges::sort(moved_by);
  moved_by.erase(std::unique(moved_by.begin(), moved_by.end()), moved_by.end());
  const auto is_known = [&](std::uint32_t binding) { return std::ranges::binary_search(moved_by, binding); };
  for (const BoneBox& box : boxes.linear)
    if (!is_known(box.binding)) return fail("a box follows what no vertex does");
  for (const ScrewBox& box : boxes.dual)
    if (!is_known(box.binding) || !std::all_of(box.others.begin(), box.others.end(), is_known))
      return fail("a box follows what no vertex does");
  vertices_ += piece.vertex_count;
  indices_ += piece.index_count;
  chunks_ += piece.chunk_count;
  first_target_ += piece.target_count;
  return moved_by;
}

Result<void> Checker::end() const {
  if (vertices_ != data_.surfaces.size() || indices_ != data_.indices.size() || chunks_ != data_.chunks.size() ||
      first_target_ != targets_)
    return fail("there is more than the pieces take");
  if (std::ranges::none_of(data_.pieces, [](const NearPiece& piece) { return piece.index_count > 0; }))
    return fail("there are no triangles");
  return {};
}

}  // namespace

Result<NearMesh> build_near_mesh(NearMeshData data, const Motion& motion) {
  auto state = std::make_shared<NearMesh::State>();
  Checker checker(data, motion);
  THRONG_CHECK(checker.sizes());
  BoxReader boxes(data.boxes);
  for (const NearPiece& piece : data.pieces) {
    auto moved_by = boxes.next().and_then([&](PieceBoxes&& read) {
      state->boxes.push_back(std::move(read));
      return checker.piece(piece, state->boxes.back());
    });
    if (!moved_by) return fail(with_context(fmt::format("piece '{}'", piece.name), std::move(moved_by).error()));
    state->bindings.push_back(*std::move(moved_by));
  }
  THRONG_CHECK(checker.end());
  if (!boxes.is_empty()) return fail("there are boxes that belong to no piece");
  for (const gpu::ChunkRecord& chunk : data.chunks) state->features |= chunk.flags;
  state->binding_count = motion.bindings().size();
  state->data = std::move(data);
  return NearMesh(std::move(state));
}

const NearMeshData& NearMesh::data() const { return state_->data; }
std::span<const NearPiece> NearMesh::pieces() const { return state_->data.pieces; }
std::span<const std::string> NearMesh::target_names() const { return state_->data.target_names; }
std::size_t NearMesh::vertex_count() const { return state_->data.surfaces.size(); }

Result<std::uint32_t> NearMesh::find_piece(std::string_view wanted) const {
  std::vector<std::string> names;
  for (const NearPiece& piece : pieces()) names.push_back(piece.name);
  return find_name("piece", wanted, names).map([](std::size_t i) { return static_cast<std::uint32_t>(i); });
}

Result<std::uint32_t> NearMesh::find_target(std::string_view wanted) const {
  return find_name("morph target", wanted, state_->data.target_names).map([](std::size_t i) {
    return static_cast<std::uint32_t>(i);
  });
}

std::span<const std::uint32_t> NearMesh::bindings(std::uint32_t piece) const { return state_->bindings[piece]; }
const PieceBoxes& NearMesh::boxes(std::uint32_t piece) const { return state_->boxes[piece]; }
std::size_t NearMesh::binding_count() const { return state_->binding_count; }
std::uint32_t NearMesh::features() const { return state_->features; }

std::vector<NearMesh::Anchor> NearMesh::anchors() const {
  const NearMeshData& data = state_->data;
  std::vector<Anchor> anchors;
  anchors.reserve(data.surfaces.size());
  for (const gpu::ChunkRecord& chunk : data.chunks) {
    for (std::size_t v = chunk.first_vertex; v < std::size_t{chunk.first_vertex} + chunk.vertex_count; ++v) {
      const glm::uvec4& word = data.vertices[2 * v];
      const std::uint32_t column = data.vertices[2 * v + 1].x & 0xFFu;
      anchors.push_back({{std::bit_cast<float>(word.x), std::bit_cast<float>(word.y), std::bit_cast<float>(word.z)},
                         data.columns[chunk.first_column + column]});
    }
  }
  return anchors;
}

void append_boxes(const PieceBoxes& boxes, std::vector<std::uint32_t>& words) {
  const auto add = [&](std::size_t count) { words.push_back(static_cast<std::uint32_t>(count)); };
  const auto add_float = [&](float number) { words.push_back(std::bit_cast<std::uint32_t>(number)); };
  const auto add_box = [&](const FloatBox& box) {
    for (const glm::vec3& corner : {box.min, box.max})
      for (glm::length_t i = 0; i < 3; ++i) add_float(corner[i]);
  };
  const auto add_reaches = [&](const std::vector<MorphReach>& reaches) {
    add(reaches.size());
    for (const MorphReach& reach : reaches) {
      add(reach.target);
      add_box(reach.offsets);
    }
  };
  add(boxes.linear.size());
  for (const BoneBox& box : boxes.linear) {
    add(box.binding);
    add_box(box.box);
    add_float(box.largest);
    add_reaches(box.reaches);
  }
  add(boxes.dual.size());
  for (const ScrewBox& box : boxes.dual) {
    add(box.binding);
    add(box.others.size());
    words.insert(words.end(), box.others.begin(), box.others.end());
    add_float(box.least_weight);
    add_box(box.box);
    add_reaches(box.reaches);
  }
}

}  // namespace throng
