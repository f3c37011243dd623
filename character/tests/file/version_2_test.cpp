// SPDX-License-Identifier: Apache-2.0
// Files that version 2.0 of the program wrote are read for ever, and say what they said then. data/ holds one: a panel
// that turns, and one that goes its way, baked with sockets, tangents and root motion.
#include "paths.h"
#include "small_asset.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"

namespace throng {
namespace {

std::filesystem::path old_path() { return test::source_folder() / "character/tests/data/version-2.0.throng.glb"; }

Halves old_halves() {
  const auto bytes = map_file(old_path());
  EXPECT_TRUE(bytes.has_value()) << (bytes ? "" : bytes.error().message);
  return taken_apart({bytes->span().begin(), bytes->span().end()});
}

struct Seen {
  const char* clip;
  std::size_t vertex;
  glm::dvec3 position;
};
// At 0.17 s, as version 2.0 of the program printed it.
const Seen kSeen[] = {
    {"turn", 0, {-8.850204687889385e-06, -2.2694855443511353e-05, 4.919369479914476e-10}},
    {"turn", 2, {0.33055955634950174, 1.37501349688215, 4.919369479914476e-10}},
    {"go", 0, {-7.310829719386902e-11, 0.0849973500034143, 3.3448249402620567e-10}},
    {"go", 2, {0.9999999999268917, 1.0849973500034142, 3.3448249402620567e-10}},
};

void expect_seen(const Character& model) {
  ASSERT_TRUE(model.baked_from_source().empty()) << "vertices are in the source's order";
  for (const Seen& seen : kSeen) {
    const auto clip = std::ranges::find(model.clips(), std::string(seen.clip), &BakedClip::name);
    ASSERT_NE(clip, model.clips().end()) << seen.clip;
    const ExactCursor at = cursor_at_time(*clip, 0.17);
    const DecodedVertices decoded = decode_pose(model, *clip, at.cursor, at.blend);
    EXPECT_LT(glm::distance(decoded.positions[seen.vertex], seen.position), 1e-12) << seen.clip;
  }
}

TEST(Version2, SaysWhatItSaid) {
  EXPECT_EQ(old_halves().extension_copy()["version"], "2.0");
  const auto model = read_character(old_path());
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(model->half_float_bytes(), 1920u);
  EXPECT_EQ(model->sockets().size(), 3u);
  EXPECT_EQ(model->tangents().size(), 4u);
  EXPECT_EQ(model->clips()[1].root_motion.size(), 31u);
  expect_seen(*model);
}

TEST(Version2, GetsWhatRenderersUploadWorkedOutOnReading) {
  const auto model = read_character(old_path());
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_TRUE(model->upload().uniform_scale);
  EXPECT_EQ(model->upload().skin_vertices.size(), 2 * model->vertices().size());
  for (const glm::vec4& band : model->upload().speck.bands)
    EXPECT_EQ(glm::vec3(band), glm::vec3(1.0f)) << "it is white";
}

TEST(Version2, WrittenAgainItIsOfThisVersionAndSaysTheSame) {
  const auto model = read_character(old_path());
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(taken_apart(file_of(*model)).extension_copy()["version"], "4.2");
  const auto again = decode_character(SharedBytes(file_of(*model)));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  expect_seen(*again);
  EXPECT_EQ(file_of(*again), file_of(*model));
}

TEST(Version2, NeedsItsOwnFields) {
  Halves halves = old_halves();
  halves.extension().erase("documentsBytes");
  EXPECT_NE(refusal(put_together(halves)), "");
}

}  // namespace
}  // namespace throng
