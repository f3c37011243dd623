// SPDX-License-Identifier: Apache-2.0
// What decoding gives, for every encoding in every kind of layout, against matrices worked out by hand.
#include <gtest/gtest.h>

#include <glm/gtc/matrix_inverse.hpp>

#include "made_model.h"
#include "throng/character/decode.h"

namespace throng {
namespace {

struct Case {
  Encoding encoding;
  Layout layout;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << name_of(c.encoding) << " in rows of " << c.layout.width << " texels of " << c.layout.texel_words << " words";
}

// Rows that hold several frames, hardly one, and a part of one.
std::vector<Case> cases_of(bool vertices) {
  std::vector<Case> cases;
  for (const Encoding encoding : kEncodings) {
    if (is_vertex_encoding(encoding) != vertices) continue;
    for (const std::uint32_t words : {2u, 4u}) {
      if (is_half(encoding) && words != 2) continue;
      for (const std::uint32_t width : {2u, 13u, 64u}) cases.push_back({encoding, {width, words}});
    }
  }
  return cases;
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name(name_of(info.param.encoding));
  std::replace(name.begin(), name.end(), '-', '_');
  return fmt::format("{}_{}x{}", name, info.param.layout.width, info.param.layout.texel_words);
}

struct Step {
  std::uint32_t frame;
  std::uint32_t next;
  double blend;
};
constexpr Step kSteps[] = {{0, 1, 0.0}, {0, 1, 0.25}, {1, 2, 0.5}, {2, 3, 0.875}, {3, 0, 0.5}, {2, 2, 0.0}};

Cursor cursor_of(const BakedClip& clip, const Step& step) {
  return {clip.first_frame + step.frame, clip.first_frame + step.next, static_cast<float>(step.blend)};
}

class Decode : public testing::TestWithParam<Case> {
 protected:
  Character model_ = made_model(GetParam().encoding, GetParam().layout);
  const BakedClip& clip_ = model_.clips()[0];
  double tolerance_ = made_tolerance(GetParam().encoding);
};

class DecodeBones : public Decode {};
class DecodeVertices : public Decode {};

TEST_P(DecodeBones, EveryColumnMovesAsItWasMade) {
  for (const Step& step : kSteps) {
    const std::vector<ColumnMove> moves = decode_columns(model_, clip_, cursor_of(clip_, step), step.blend);
    ASSERT_EQ(moves.size(), model_.bones().size());
    for (std::uint32_t column = 0; column < moves.size(); ++column) {
      const glm::dmat4 truth = made_column(model_, column, step.frame, step.next, step.blend);
      for (const glm::dvec3 v : {glm::dvec3(0.0), glm::dvec3(1.0, 0.0, 0.0), glm::dvec3(-0.5, 1.0, 2.0)}) {
        const glm::dvec3 moved = moves[column].linear * v + moves[column].offset;
        EXPECT_LT(glm::distance(moved, glm::dvec3(truth * glm::dvec4(v, 1.0))), tolerance_ * (1.0 + glm::length(v)))
            << "column " << column << ", frame " << step.frame;
      }
      const glm::dvec3 n = glm::normalize(glm::dvec3(1.0, 2.0, -1.0));
      const glm::dvec3 turned = glm::normalize(glm::inverseTranspose(glm::dmat3(truth)) * n);
      EXPECT_LT(glm::distance(glm::normalize(moves[column].normal * n), turned), 3.0 * tolerance_);
    }
  }
}

TEST_P(DecodeBones, VerticesFollowTheirBonesByWeight) {
  for (const Step& step : kSteps) {
    const DecodedVertices decoded = decode_pose(model_, clip_, cursor_of(clip_, step), step.blend);
    ASSERT_EQ(decoded.positions.size(), model_.vertices().size());
    for (std::size_t v = 0; v < decoded.positions.size(); ++v) {
      const BakedVertex& vertex = model_.vertices()[v];
      glm::dvec3 position(0.0);
      glm::dvec3 normal(0.0);
      for (std::size_t i = 0; i < 2; ++i) {
        const double weight = vertex.weights[i] / 65535.0;
        const glm::dmat4 truth = made_column(model_, vertex.bones[i], step.frame, step.next, step.blend);
        position += weight * glm::dvec3(truth * glm::dvec4(vertex.position, 1.0));
        normal += weight * glm::normalize(glm::inverseTranspose(glm::dmat3(truth)) * glm::dvec3(vertex.normal));
      }
      EXPECT_LT(glm::distance(decoded.positions[v], position), 2.5 * tolerance_) << v;
      EXPECT_LT(glm::distance(decoded.normals[v], glm::normalize(normal)), 5.0 * tolerance_) << v;
      EXPECT_NEAR(glm::length(decoded.normals[v]), 1.0, 1e-12);
    }
  }
}

TEST_P(DecodeBones, SocketsFollowTheirBoneWithTheirOwnPlaceAndScale) {
  const BakedSocket& socket = model_.sockets()[0];
  for (const Step& step : kSteps) {
    const glm::dmat4 got = decode_socket(model_, clip_, socket, cursor_of(clip_, step), step.blend);
    const glm::dmat4 truth =
        made_column(model_, socket.bone, step.frame, step.next, step.blend) * to_matrix(socket.mesh_from_socket);
    for (int i = 0; i < 4; ++i) EXPECT_LT(glm::distance(got[i], truth[i]), 4.0 * tolerance_) << i;
  }
}

TEST_P(DecodeVertices, VerticesAreWhereTheyWerePut) {
  for (const Step& step : kSteps) {
    const DecodedVertices decoded = decode_pose(model_, clip_, cursor_of(clip_, step), step.blend);
    ASSERT_EQ(decoded.positions.size(), model_.vertices().size());
    for (std::uint32_t v = 0; v < decoded.positions.size(); ++v) {
      const glm::dvec3 position = glm::mix(made_position(v, step.frame), made_position(v, step.next), step.blend);
      const glm::dvec3 normal = glm::mix(made_normal(v, step.frame), made_normal(v, step.next), step.blend);
      EXPECT_LT(glm::distance(decoded.positions[v], position), tolerance_) << v;
      EXPECT_LT(glm::distance(decoded.normals[v], glm::normalize(normal)), 3.0 * tolerance_) << v;
    }
  }
}

TEST_P(DecodeVertices, SocketsHaveTheirPlaceAndAxesFromTheirTwoItems) {
  const BakedSocket& socket = model_.sockets()[0];
  for (std::uint32_t frame = 0; frame < kMadeFrames; ++frame) {
    const glm::dmat4 got = decode_socket(model_, clip_, socket, cursor_of(clip_, {frame, frame, 0.0}), 0.0);
    const glm::dvec3 z = made_normal(4, frame);
    const glm::dvec3 x = made_normal(5, frame);
    const glm::dvec3 scale = socket.mesh_from_socket.scale;
    EXPECT_LT(glm::distance(glm::dvec3(got[0]), x * scale.x), 4.0 * tolerance_);
    EXPECT_LT(glm::distance(glm::dvec3(got[1]), glm::cross(z, x) * scale.y), 6.0 * tolerance_);
    EXPECT_LT(glm::distance(glm::dvec3(got[2]), z * scale.z), 4.0 * tolerance_);
    EXPECT_LT(glm::distance(glm::dvec3(got[3]), made_position(4, frame)), tolerance_);
    EXPECT_NEAR(glm::dot(glm::dvec3(got[0]), glm::dvec3(got[2])), 0.0, 1e-12);
    EXPECT_GT(glm::determinant(glm::dmat3(got)), 0.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Encodings, DecodeBones, testing::ValuesIn(cases_of(false)), case_name);
INSTANTIATE_TEST_SUITE_P(Encodings, DecodeVertices, testing::ValuesIn(cases_of(true)), case_name);

TEST(DecodeSocket, AxesThatFellTogetherStillMakeAFrame) {
  CharacterDraft model = made_draft(Encoding::half_vertex, {64, 2});
  const BakedClip& clip = model.clips[0];
  std::vector<std::uint32_t> words(model.atlas.words.begin(), model.atlas.words.end());
  const FrameLayout frames = frame_layout(model, clip);
  const auto first =
      static_cast<std::size_t>(model.atlas.frame(frames, 1, clip.first_frame).data() - model.atlas.words.data());
  std::copy_n(&words[first + 4 * 6], 6, &words[first + 5 * 6]);  // the second item says what the first does
  model.atlas.words = words;
  const glm::dmat4 got = decode_socket(model, clip, model.sockets[0], cursor_of(clip, {0, 0, 0.0}), 0.0);
  const glm::dvec3 scale = model.sockets[0].mesh_from_socket.scale;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(glm::length(glm::dvec3(got[i])), scale[i], 1e-9);
  EXPECT_NEAR(glm::determinant(glm::dmat3(got)), scale.x * scale.y * scale.z, 1e-9);
}

TEST(ClipRecord, TellsTheShaderWhereTheClipIs) {
  const Character model = made_model(Encoding::q8, {13, 2});
  const BakedClip& clip = model.clips()[0];
  const ClipRecord record = clip_record(model, clip);
  EXPECT_EQ(record.encoding, gpu::kEncodingQ8);
  EXPECT_EQ(record.texels_per_frame, 5u);  // a header of two texels and a texel a column
  EXPECT_EQ(record.frames_per_row, 2u);
  EXPECT_EQ(record.frames_per_layer, 2 * model.atlas().height);
  EXPECT_EQ(record.first_frame, 2u);
  EXPECT_EQ(record.frame_count, kMadeFrames);
  EXPECT_EQ(record.layer, 1u);
  EXPECT_EQ(record.table, 2u);
  EXPECT_EQ(record.loops, 1u);
  EXPECT_EQ(record.pivot_min, glm::vec3(clip.range.pivot_min));
  EXPECT_EQ(record.pivot_size, glm::vec3(clip.range.pivot_size));
  EXPECT_EQ(record.scale_max, 1.25f);
  EXPECT_EQ(table_of(model, clip).size(), 9u);
}

TEST(ItemCount, IsColumnsSlotsOrVerticesAndSockets) {
  const Character bones = made_model(Encoding::local8, {64, 2});
  EXPECT_EQ(item_count(bones, Encoding::q16), 3u);
  EXPECT_EQ(rotation_slots(bones), 3u);
  EXPECT_EQ(translation_slots(bones), 2u);
  EXPECT_EQ(item_count(bones, Encoding::local8), 5u);
  EXPECT_EQ(item_count(made_model(Encoding::v8, {64, 2}), Encoding::v8), 6u);
}

}  // namespace
}  // namespace throng
