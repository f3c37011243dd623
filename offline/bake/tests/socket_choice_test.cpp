// SPDX-License-Identifier: Apache-2.0
// Which bones become sockets, and what carries them.
#include "motion/socket_choice.h"

#include "small_models.h"

namespace throng {
using namespace detail::bake;
namespace {

// A bar whose upper bone has a hand that nothing is bound to, and a ring on the hand's finger.
ModelDraft bar_with_hand() {
  ModelDraft draft = swaying_bar();
  Bone hand{"hand", 1u, {}};
  hand.rest.translation = {0.2, 0.9, 0.0};
  hand.rest.rotation = glm::angleAxis(0.7, glm::normalize(glm::dvec3(1, 2, 3)));
  hand.rest.scale = glm::dvec3(2.0);
  Bone ring{"hand_ring", 2u, {}};
  ring.rest.translation = {0.0, 0.1, 0.05};
  ring.rest.rotation = glm::angleAxis(-1.1, glm::dvec3(0, 1, 0));
  draft.bones.push_back(hand);
  draft.bones.push_back(ring);
  return draft;
}

std::vector<Socket> sockets(const Model& model, const std::string& expression, BakeSettings settings = {}) {
  settings.sockets = expression;
  auto out = chosen_sockets(model, settings);
  if (!out) ADD_FAILURE() << out.error().message;
  return out ? *std::move(out) : std::vector<Socket>{};
}

std::string refused(const Model& model, const std::string& expression) {
  BakeSettings settings;
  settings.sockets = expression;
  const auto out = chosen_sockets(model, settings);
  return out ? "" : out.error().message;
}

double largest_difference(const glm::dmat4& a, const glm::dmat4& b) {
  double worst = 0.0;
  for (int i = 0; i < 4; ++i) worst = std::max(worst, glm::length(a[i] - b[i]));
  return worst;
}

TEST(Sockets, ABoneWithVerticesCarriesItself) {
  const auto out = sockets(built(bar_with_hand()), "upper");
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].name, "upper");
  EXPECT_EQ(out[0].bone, 1u);
  EXPECT_LT(largest_difference(to_matrix(out[0].bone_from_socket), glm::dmat4(1.0)), 1e-12);
}

// Spec A13 and F7: the nearest bone ancestor, with the full orientation.
TEST(Sockets, WhatNeverMovesHangsOnTheBoneAboveWithItsFullOrientation) {
  const Model model = built(bar_with_hand());
  const auto out = sockets(model, "hand.*");
  ASSERT_EQ(out.size(), 2u);
  const auto rest = model_from_bones(model, rest_pose(model));
  for (const Socket& socket : out) {
    EXPECT_EQ(socket.bone, 1u) << socket.name;
    const std::uint32_t own = socket.name == "hand" ? 2 : 3;
    EXPECT_LT(largest_difference(rest[1] * to_matrix(socket.bone_from_socket), rest[own]), 1e-12) << socket.name;
  }
}

TEST(Sockets, WhatMovesIsCarriedByItself) {
  ModelDraft draft = bar_with_hand();
  draft.clips.push_back(clip_of("wave", {turning(2, {0, 0, 1}, 31, 30.0, 0.0, [](double t) { return t; })}));
  const Model model = built(draft);
  const auto out = sockets(model, "hand.*");
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].bone, 2u);
  EXPECT_EQ(out[1].bone, 3u) << "what hangs on something that moves moves too";
  const auto without = sockets(model, "hand.*", {.clips = {"sway"}});
  EXPECT_EQ(without[0].bone, 1u) << "a clip that is not baked moves nothing";
}

// Exporters write a key for every bone whether it moves or not.
TEST(Sockets, KeysThatOnlyRepeatTheRestPoseAreNoMovement) {
  ModelDraft draft = bar_with_hand();
  BoneTrack still;
  still.bone = 2;
  still.rotation.interpolation = Interpolation::cubic_spline;
  still.rotation.times = {0.0f, 1.0f};
  const glm::quat none(0.0f, 0.0f, 0.0f, 0.0f);
  const glm::quat rest(draft.bones[2].rest.rotation);
  still.rotation.values = {none, rest, none, none, -rest, none};
  draft.clips[0].bones.push_back(still);
  EXPECT_EQ(sockets(built(draft), "hand")[0].bone, 1u);
  draft.clips[0].bones.back().rotation.values[2] = glm::quat(0.0f, 1.0f, 0.0f, 0.0f);
  EXPECT_EQ(sockets(built(draft), "hand")[0].bone, 2u) << "a tangent that swings out and back is";
}

TEST(Sockets, ABoneUnderNothingDrawnCarriesItself) {
  ModelDraft draft = bar_with_hand();
  draft.bones.push_back({"camera", std::nullopt, {}});
  EXPECT_EQ(sockets(built(draft), "camera")[0].bone, 4u);
}

// Turned between two uneven scales: that is a shear, which no socket can hold.
TEST(Sockets, WhatIsShearedCarriesItself) {
  ModelDraft draft = bar_with_hand();
  draft.bones[2].rest.scale = {1.0, 3.0, 1.0};
  const auto out = sockets(built(draft), "hand.*");
  EXPECT_EQ(out.at(0).bone, 1u);
  ASSERT_EQ(out.at(1).name, "hand_ring");
  EXPECT_EQ(out.at(1).bone, 1u) << "a turn about the long axis shears nothing";
  draft.bones[3].rest.rotation = glm::angleAxis(0.8, glm::dvec3(0, 0, 1));
  EXPECT_EQ(sockets(built(draft), "hand_ring").at(0).bone, 3u);
}

TEST(Sockets, TheModelsOwnComeFirstAndKeepTheirNames) {
  ModelDraft draft = bar_with_hand();
  draft.sockets = {{"hand", 0, {}}, {"hat", 1, {}}};
  draft.bones.push_back({"hand_ring", 1u, {}});
  const Model model = built(draft);
  EXPECT_EQ(sockets(model, "").size(), 2u);
  const auto out = sockets(model, "hand.*");
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].bone, 0u);
  EXPECT_EQ(out[1].name, "hat");
  EXPECT_EQ(out[2].name, "hand_ring");
}

TEST(Sockets, TheExpressionIsForTheWholeName) {
  EXPECT_NE(refused(built(bar_with_hand()), "han"), "");
  EXPECT_EQ(sockets(built(bar_with_hand()), "(lower|upper)").size(), 2u);
}

TEST(Sockets, AnExpressionThatMatchesNothingNamesBones) {
  const std::string error = refused(built(bar_with_hand()), "foot_.*");
  EXPECT_EQ(
      error,
      "sockets 'foot_.*': no bone of model 'bar' has such a name; there are: 'lower', 'upper', 'hand', 'hand_ring'");
}

TEST(Sockets, ABadExpressionIsRefusedInWords) {
  for (const char* bad : {"hand(", "[", "*", "a{2"}) {
    const std::string error = refused(built(bar_with_hand()), bad);
    EXPECT_NE(error.find("regular expression"), std::string::npos) << bad << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(Sockets, ANameOfAMegabyteMatchesNothing) {
  ModelDraft draft = bar_with_hand();
  draft.bones.push_back({std::string(1 << 20, 'x'), std::nullopt, {}});
  EXPECT_EQ(sockets(built(draft), "(h|x|a|n|d)*").size(), 1u);
}

}  // namespace
}  // namespace throng
