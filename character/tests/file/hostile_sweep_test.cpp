// SPDX-License-Identifier: Apache-2.0
// Small assets with every field changed or gone: refused, or read without harm.
#include "hostile_sweep.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"

namespace throng {
namespace {

using Json = nlohmann::ordered_json;

void expect_decodes(const Character& model) {
  for (const BakedClip& clip : model.clips()) {
    const ExactCursor at = cursor_at_time(clip, 0.17);
    const DecodedVertices decoded = decode_pose(model, clip, at.cursor, at.blend);
    ASSERT_EQ(decoded.positions.size(), model.vertices().size());
    for (const glm::dvec3& p : decoded.positions) ASSERT_TRUE(glm::all(glm::lessThan(glm::abs(p), glm::dvec3(1e300))));
    for (const glm::dvec3& n : decoded.normals) ASSERT_FALSE(glm::any(glm::isnan(n)));
    for (const BakedSocket& socket : model.sockets()) decode_socket(model, clip, socket, at.cursor, at.blend);
  }
  if (const auto motion = model.motion()) model_from_bones_at_rest(*motion);
  if (const auto mesh = model.near_mesh()) {
    ASSERT_EQ(mesh->anchors().size(), mesh->vertex_count());
  }
}

class HostileAssetSweep : public testing::TestWithParam<std::size_t> {
 protected:
  Halves original_ = taken_apart(file_of(small_models()[GetParam()]));
};

// Refused, or read without harm.
TEST_P(HostileAssetSweep, AnyFieldMayHoldAnything) {
  std::size_t refused = 0;
  std::size_t read = 0;
  sweep_fields(original_, [&](std::vector<std::byte> file) {
    const auto model = decode_character(SharedBytes(std::move(file)));
    ++(model ? read : refused);
    if (model) expect_decodes(*model);
  });
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(read, 100u);
}

// Those that may be: an array that is not there, a link without a parent or a slot, a root bone, what only near
// characters need, that they are to stay in place, and parts and what is said of them, morph targets and what fewer
// bones do, which not every file has.
bool may_be_missing(const Json::json_pointer& path) {
  const std::string& field = path.back();
  return path.to_string() == "/parts" || field == "part" || field == "bakedFromSource" || field == "near" ||
         field == "mesh" || field == "parent" || field == "rotationSlot" || field == "translationSlot" ||
         field == "scaleSlot" || field == "faultsMended" || field == "warnings" || field == "frameRows" ||
         field == "morphs" || field == "morphRow" || field == "morphSteps" || field == "fewerBones" ||
         field == "speckParts" || field == "onlyAsked" || field == "rootBone" || field == "inPlace";
}

TEST_P(HostileAssetSweep, NoOtherFieldMayBeMissing) {
  std::size_t refused = 0;
  visit_paths(original_.extension_copy(), Json::json_pointer(), [&](const Json::json_pointer& path) {
    Halves halves = original_;
    Json& parent = halves.extension()[path.parent_pointer()];
    if (!parent.is_object() || may_be_missing(path)) return;
    parent.erase(path.back());
    const auto file = try_put_together(halves);
    if (!file) return;
    EXPECT_NE(refusal(*file), "") << path.to_string();
    ++refused;
  });
  EXPECT_GT(refused, 80u);
}

TEST_P(HostileAssetSweep, AnyByteOfAnyArrayMayBeAnother) {
  std::size_t read = 0;
  std::size_t refused = 0;
  sweep_bytes(original_, [&](std::vector<std::byte> file) {
    const auto model = decode_character(SharedBytes(std::move(file)));
    ++(model ? read : refused);
    if (model) expect_decodes(*model);
  });
  EXPECT_GT(read, 100u);
  EXPECT_GT(refused, 20u);
}

INSTANTIATE_TEST_SUITE_P(EveryModel, HostileAssetSweep, testing::Range(std::size_t{0}, small_models().size()));

TEST(HostileJson, KeysGivenTwiceAreRefused) {
  const Halves halves = taken_apart(small_file());
  std::string json = halves.json.dump();
  const std::string once = "\"frameCount\":3";
  json.replace(json.find(once), once.size(), once + ",\"frameCount\":3");
  const auto file = make_glb(json, {std::span<const std::byte>(halves.bin)});
  EXPECT_NE(refusal(joined(*file)).find("twice"), std::string::npos);
}

TEST(HostileJson, FieldsNobodyKnowsAreIgnored) {
  Halves halves = taken_apart(small_file());
  halves.extension()["version"] = "4.7";
  halves.extension()["future"] = {{"anything", {1, 2, 3}}};
  halves.extension()["clips"][0]["future"] = true;
  halves.json["extras"] = {{"tool", "another"}};
  EXPECT_EQ(refusal(put_together(halves)), "");
}

TEST(HostileJson, ANewerVersionIsNamed) {
  Halves halves = taken_apart(small_file());
  halves.extension()["version"] = "5.1";
  const std::string message = refusal(put_together(halves));
  EXPECT_NE(message.find("5.1"), std::string::npos) << message;
  EXPECT_NE(message.find("newer"), std::string::npos) << message;
}

}  // namespace
}  // namespace throng
