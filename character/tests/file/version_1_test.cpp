// SPDX-License-Identifier: Apache-2.0
// Files that version 1.0 of the program wrote are read for ever, and say what they said then. data/ holds one.
#include "paths.h"
#include "small_asset.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"

namespace throng {
namespace {

std::vector<std::byte> old_file() {
  const auto bytes = map_file(test::source_folder() / "character/tests/data/version-1.0.throng.glb");
  EXPECT_TRUE(bytes.has_value()) << (bytes ? "" : bytes.error().message);
  return {bytes->span().begin(), bytes->span().end()};
}

Character read_old(const std::vector<std::byte>& file) {
  auto model = decode_character(SharedBytes(file));
  EXPECT_TRUE(model.has_value()) << (model ? "" : model.error().message);
  return *std::move(model);
}

TEST(Version1, HasItsPivotsInATableThatEveryClipShares) {
  const Character model = read_old(old_file());
  EXPECT_EQ(model.mode(), BakeMode::bones);
  EXPECT_EQ(model.atlas().layout, (Layout{2, 4}));
  ASSERT_EQ(model.clips().size(), 2u);
  for (const BakedClip& clip : model.clips()) {
    EXPECT_EQ(clip.encoding, Encoding::q16);
    ASSERT_EQ(table_of(model, clip).size(), 2u);
    EXPECT_EQ(table_of(model, clip)[0], glm::vec4(0.1f, 0.2f, 0.3f, 0.0f));
    EXPECT_EQ(table_of(model, clip)[1], glm::vec4(-1.5f, 0.0f, 1e-7f, 0.0f));
  }
}

struct Seen {
  const char* clip;
  std::size_t vertex;
  glm::dvec3 position;
  glm::dvec3 normal;
};
// At 0.17 s, as version 1.0 decoded it.
const Seen kSeen[] = {
    {"walk",
     0,
     {-0.0598457255526033, 1.48468284822461, 1.65276783539287},
     {0.607503713144863, 0.0105983403686524, 0.794246129166919}},
    {"walk",
     3,
     {0.774658728543746, 1.55627339136376, 1.04094847437993},
     {0.634355419950316, 0.0298503056581395, 0.772464989777384}},
    {"fall",
     0,
     {1.00950370915429, 0.883469679694065, 1.74004112035358},
     {-0.354080215343672, 0.565983328093087, 0.744506597299749}},
    {"fall",
     3,
     {0.529129701881319, 0.068157927461217, 2.15781541845928},
     {-0.356534904466201, 0.533505421357278, 0.766977722805344}},
};

void expect_seen(const Character& model) {
  for (const Seen& seen : kSeen) {
    const BakedClip& clip = model.clips()[model.find_clip(seen.clip).value().value];
    const ExactCursor at = cursor_at_time(clip, 0.17);
    const DecodedVertices decoded = decode_pose(model, clip, at.cursor, at.blend);
    EXPECT_LT(glm::distance(decoded.positions[seen.vertex], seen.position), 1e-12) << seen.clip;
    EXPECT_LT(glm::distance(decoded.normals[seen.vertex], seen.normal), 1e-12) << seen.clip;
  }
}

TEST(Version1, PosesAreWhatTheyWere) { expect_seen(read_old(old_file())); }

TEST(Version1, FoldedFramesAreReadToo) {
  Halves halves = taken_apart(old_file());
  halves.extension()["atlas"]["width"] = 1;
  halves.extension()["atlas"]["height"] = 10;
  halves.extension()["atlas"]["rowsPerFrame"] = 2;
  expect_seen(read_old(put_together(halves)));
}

TEST(Version1, WrittenAgainItIsOfThisVersion) {
  const Character model = read_old(old_file());
  const Halves halves = taken_apart(file_of(model));
  EXPECT_EQ(halves.extension_copy()["version"], "4.2");
  const Character again = read_old(file_of(model));
  expect_seen(again);
  EXPECT_EQ(file_of(again), file_of(model));
}

TEST(Version1, TheTableOutlivesTheBytesItWasReadFrom) {
  std::optional<Character> copy;
  {
    const Character model = read_old(old_file());
    copy = model;
  }
  expect_seen(*copy);
}

TEST(Version1, MinorVersionsMayAddFields) {
  Halves halves = taken_apart(old_file());
  halves.extension()["version"] = "1.7";
  halves.extension()["future"] = {1, 2, 3};
  expect_seen(read_old(put_together(halves)));
}

struct Case {
  const char* name;
  void (*change)(Halves&);
};

const Case kHostile[] = {
    {"another encoding", [](Halves& h) { h.extension()["encoding"] = "rows"; }},
    {"no encoding", [](Halves& h) { h.extension().erase("encoding"); }},
    {"no pivot", [](Halves& h) { h.extension()["bones"][1].erase("pivot"); }},
    {"a pivot past float", [](Halves& h) { h.extension()["bones"][0]["pivot"][0] = 1e39; }},
    {"a bone more than columns", [](Halves& h) { h.extension()["bones"].push_back(h.extension()["bones"][0]); }},
    {"a bone fewer than columns", [](Halves& h) { h.extension()["bones"].erase(1); }},
    {"no rows a frame", [](Halves& h) { h.extension()["atlas"]["rowsPerFrame"] = 0; }},
    {"too many rows a frame", [](Halves& h) { h.extension()["atlas"]["rowsPerFrame"] = 2; }},
    {"no width", [](Halves& h) { h.extension()["atlas"]["width"] = 0; }},
    {"a clip past the atlas", [](Halves& h) { h.extension()["clips"][0]["firstFrame"] = 30; }},
};

TEST(Version1, IsRefusedForTheSameReasonsAsThen) {
  for (const Case& hostile : kHostile) {
    Halves halves = taken_apart(old_file());
    hostile.change(halves);
    const std::string message = refusal(put_together(halves));
    EXPECT_NE(message, "") << hostile.name;
    EXPECT_EQ(message.find("hash does not match"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace throng
