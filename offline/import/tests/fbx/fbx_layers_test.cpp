// SPDX-License-Identifier: Apache-2.0
// What of a take is more than keys on one layer: weights that move, numbers instead of curves, curves that go on beyond
// their keys, rotations before the rotation, and how long a tick is.

#include "fbx/animation/extrapolation.h"

#include <array>

#include "fbx/animation/tangents.h"
#include "fbx_posed.h"

namespace throng::test {
namespace {

namespace fbx = detail::fbx;

const Clip& only_clip(const Model& model) {
  EXPECT_EQ(model.clips().size(), 1u);
  return model.clips().front();
}

double x_at(const Imported& imported, double time) {
  return sample(imported.model, only_clip(imported.model), time).bones[0].translation.x;
}

// A layer of its own above the take's first; ids `id` and those of the curves are used.
void add_layer(FbxBuilder& b, int id, int take, const Properties& list = {}) {
  b.object("AnimationLayer", id, "AnimLayer", "above", "", properties(list));
  b.connect(id, take);
}

TEST(FbxLayers, AWeightThatMovesFadesItsLayerIn) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.take(10, "fade");
  b.curve(20, 10, 1, "Lcl Translation", "d|X", {0, 4}, {0, 4});
  add_layer(b, 60, 10, {{"Weight", {100}}});
  b.curve(70, 59, 1, "Lcl Translation", "d|X", {0, 4}, {100, 100});
  b.curve(80, 59, 60, "Weight", "d|Weight", {1, 3}, {0, 50});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  for (const auto& [time, wanted] : {std::pair(0.0, 0.0), {1.0, 1.0}, {2.0, 27.0}, {3.0, 53.0}, {4.0, 54.0}}) {
    EXPECT_NEAR(x_at(*imported, time), wanted, 1e-4) << time;
  }
}

TEST(FbxLayers, ANumberInThePlaceOfACurveCounts) {
  FbxBuilder b;
  b.model(1, "node", 0, {{"Lcl Translation", {1, 2, 3}}});
  b.model(2, "still", 0, {{"Lcl Translation", {7, 0, 0}}});
  b.take(10, "lifted");
  b.curve(20, 10, 1, "Lcl Translation", "d|X", {0, 1}, {0, 10});
  add_layer(b, 60, 10);
  for (const auto& [id, node] : {std::pair(70, 1), {71, 2}}) {
    b.object("AnimationCurveNode", id, "AnimCurveNode", "", "", properties({{"d|Y", {5}}}));
    b.connect(id, 60);
    b.connect(id, node, "Lcl Translation");
  }
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Pose pose = sample(imported->model, only_clip(imported->model), 0.5);
  expect_near(pose.bones[0].translation, {5, 7, 3}, 1e-5, "moved and lifted");
  expect_near(pose.bones[1].translation, {7, 5, 0}, 1e-5, "lifted");
}

FbxBuilder with_extrapolation(const char* type, const char* times = "-1", const Numbers& values = {0, 8, 4}) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.take(10, "on and on", 0.0, 10.0);
  b.curve(20, 10, 1, "Lcl Translation", "d|X", {1, 2, 3}, values, kLinearKeys, {0, 0, 0, 0},
          fmt::format("Post-Extrapolation: {{\nType: {0}\nRepetition: {1}\n}}\n"
                      "Pre-Extrapolation: {{\nType: {0}\nRepetition: {1}\n}}\n",
                      type, times));
  return b;
}

struct Case {
  const char* type;
  const char* times;
  std::vector<std::pair<double, double>> shown;
};

// Keys at 1, 2 and 3 s are 0, 8 and 4.
TEST(FbxExtrapolation, CurvesGoOnBeyondTheirKeysAsTheFileSays) {
  const Case cases[] = {
      {"C", "-1", {{1.0, 0}, {2.0, 8}, {3.0, 4}}},
      {"R", "-1", {{0.5, 6}, {1.5, 4}, {3.5, 4}, {4, 8}, {4.5, 6}, {9.5, 4}}},
      {"R", "1", {{0.5, 6}, {3.5, 4}, {4.5, 6}, {5.5, 4}, {9.5, 4}}},
      {"M", "-1", {{0.5, 4}, {2.5, 6}, {3.5, 6}, {4.5, 4}, {5.5, 4}, {6.5, 6}}},
      {"A", "-1", {{0.5, 2}, {3.5, 8}, {4.5, 10}, {5.5, 12}, {9.5, 20}}},
      {"K", "-1", {{0.5, -4}, {2.5, 6}, {3.5, 2}, {9.5, -22}}},
  };
  for (const Case& one : cases) {
    const auto imported = with_extrapolation(one.type, one.times).import();
    ASSERT_TRUE(imported) << imported.error().message;
    for (const auto& [time, wanted] : one.shown) {
      EXPECT_NEAR(x_at(*imported, time), wanted, 1e-4) << one.type << one.times << " at " << time;
    }
    const Clip& clip = only_clip(imported->model);
    EXPECT_NEAR(clip.length(), *one.type == 'C' ? 2.0 : *one.times == '1' ? 5.0 : 10.0, 1e-6) << one.type << one.times;
  }
}

TEST(FbxExtrapolation, WhereARepetitionBeginsElsewhereThereIsAStep) {
  const auto imported = with_extrapolation("R").import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_NEAR(x_at(*imported, 3.0 - 1e-4), 4.0, 1e-2);
  EXPECT_NEAR(x_at(*imported, 3.0 + 1e-4), 0.0, 1e-2);
}

TEST(FbxExtrapolation, BackwardsACubicIsTheSameCurve) {
  fbx::KeyCurve curve;
  curve.keys = {{.time = 0, .value = 1, .segment = fbx::Segment::cubic, .slope = 5, .next_slope = -3, .weight = 0.5},
                {.time = 2, .value = 4, .segment = fbx::Segment::constant},
                {.time = 3, .value = 2}};
  curve.after.how = fbx::Beyond::mirrored;
  const fbx::KeyCurve on = fbx::unrolled(curve, 0.0, 6.0);
  for (const double time : {0.25, 0.5, 1.0, 1.75, 2.5}) {
    EXPECT_NEAR(fbx::value_at(on, 6.0 - time), fbx::value_at(curve, time), 1e-9) << time;
  }
}

TEST(FbxExtrapolation, IsHeldWhereNobodySaysHowLongOrItIsTooLong) {
  FbxBuilder endless = with_extrapolation("R");
  endless.take(30, "ages", 0.0, 1e9);
  endless.curve(40, 30, 1, "Lcl Translation", "d|X", {0, 1}, {0, 1}, kLinearKeys, {0, 0, 0, 0},
                "Post-Extrapolation: {\nType: R\nRepetition: -1\n}\n");
  endless.take(50, "untold");
  endless.curve(60, 50, 1, "Lcl Translation", "d|X", {0, 1}, {0, 1}, kLinearKeys, {0, 0, 0, 0},
                "Post-Extrapolation: {\nType: R\nRepetition: -1\n}\n");
  const auto imported = endless.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.clips().size(), 3u);
  EXPECT_NEAR(imported->model.clips()[1].length(), 1.0, 1e-9);
  EXPECT_NEAR(imported->model.clips()[2].length(), 1.0, 1e-9);
  EXPECT_TRUE(noted(*imported, "2 animation curves that go on beyond their keys"));
}

// The header's version counts, not the file's.
TEST(FbxTicks, AreAsLongAsTheDefinitionOfTimeSays) {
  constexpr double kLonger = 46186158000.0 / 141120000.0;
  for (const auto& [version, header, seconds] :
       {std::tuple(7700, "FBXHeaderVersion: 1004\nOtherFlags: {\nTCDefinition: 127\n}\n", 1.0),
        {7700, "FBXHeaderVersion: 1004\nOtherFlags: {\nTCDefinition: 0\n}\n", kLonger},
        {7700, "FBXHeaderVersion: 1004\nOtherFlags: {\n}\n", 1.0},
        {7700, "FBXHeaderVersion: 1004\n", 1.0},
        {7500, "FBXHeaderVersion: 1004\nOtherFlags: {\nTCDefinition: 0\n}\n", kLonger},
        {7700, "FBXHeaderVersion: 1003\nOtherFlags: {\nTCDefinition: 0\n}\n", 1.0},
        {7700, "OtherFlags: {\nTCDefinition: 0\n}\n", 1.0}}) {
    FbxBuilder b;
    b.version = version;
    b.header = header;
    b.model(1, "node", 0);
    b.take(10, "walk");
    b.curve(20, 10, 1, "Lcl Translation", "d|X", {0, 1}, {0, 10});
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_NEAR(only_clip(imported->model).length(), seconds, 1e-6) << version << header;
  }
}

TEST(FbxClips, ARotationBeforeTheRotationMaySwing) {
  FbxBuilder b;
  b.model(1, "node", 0, {{"RotationActive", {1}}, {"PreRotation", {0, 0, 90}}, {"Lcl Rotation", {0, 90, 0}}});
  b.take(10, "swing");
  b.curve(20, 10, 1, "PreRotation", "d|Z", {0, 1}, {90, 0});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Clip& clip = only_clip(imported->model);
  // The rotation turns x to −z, which stays; y is turned by what comes before alone.
  const auto y_at = [&](double time) {
    return sample(imported->model, clip, time).bones[0].rotation * glm::dvec3(0, 1, 0);
  };
  expect_near(y_at(0.0), {-1, 0, 0}, 1e-5, "at first");
  expect_near(y_at(0.5), {-std::sqrt(0.5), std::sqrt(0.5), 0}, 1e-4, "half way");
  expect_near(y_at(1.0), {0, 1, 0}, 1e-5, "at last");
}

// Cubics at 0, 1 and 3 s.
std::vector<fbx::FileKey> keys_with(const std::array<double, 3>& values, bool clamp_progressive,
                                    bool time_independent) {
  std::vector<fbx::FileKey> keys(3);
  const double times[] = {0, 1, 3};
  for (std::size_t i = 0; i < 3; ++i) {
    keys[i].time = times[i];
    keys[i].value = values[i];
    keys[i].segment = fbx::Segment::cubic;
    keys[i].clamp_progressive = clamp_progressive;
    keys[i].time_independent = time_independent;
  }
  return keys;
}

double middle_slope(const std::array<double, 3>& values, double lean) {
  auto keys = keys_with(values, false, false);
  keys[1].right = lean;
  return fbx::solve_tangents(keys).keys[1].slope;
}

// Keys of 0, 1 and 9: slopes of 1 and 4 on the sides, 3 across, 2 with the nearer counting more.
TEST(FbxTangents, LeanToANeighbourAndBeyond) {
  const auto slope_of = [](double lean) { return middle_slope({0, 1, 9}, lean); };
  EXPECT_NEAR(slope_of(0), 2.5, 1e-12);
  EXPECT_NEAR(slope_of(50), 3.25, 1e-12);
  EXPECT_NEAR(slope_of(100), 4.0, 1e-12);
  EXPECT_NEAR(slope_of(200), 5.5, 1e-12);
  EXPECT_NEAR(slope_of(-200), -0.5, 1e-12);
  // From five times the way on MotionBuilder adds 40 for the square of what is more, the way the key leans.
  EXPECT_NEAR(slope_of(500), 2.5 + 5 * 1.5, 1e-12);
  EXPECT_NEAR(slope_of(600), 2.5 + 6 * 1.5 + 40.0, 1e-12);
  EXPECT_NEAR(slope_of(700), 2.5 + 7 * 1.5 + 160.0, 1e-12);
  EXPECT_NEAR(slope_of(-700), 2.5 - 7 * 1.5 - 160.0, 1e-12);
}

// The same keys upside down: right of the key the curve falls faster, so leaning to the right is downwards.
TEST(FbxTangents, LeanDownwardsOnAFallingCurve) {
  EXPECT_NEAR(middle_slope({0, -1, -9}, 700), -2.5 - 7 * 1.5 - 160.0, 1e-12);
  EXPECT_NEAR(middle_slope({0, -1, -9}, -700), -2.5 + 7 * 1.5 + 160.0, 1e-12);
  // On a straight line there is nothing to lean to: up for the right, down for the left.
  EXPECT_NEAR(middle_slope({0, -1, -3}, 700), -1.0 + 160.0, 1e-12);
  EXPECT_NEAR(middle_slope({0, -1, -3}, -700), -1.0 - 160.0, 1e-12);
}

// At both ends too, where there is one neighbour only; the first key leans to the right, the last to the left.
TEST(FbxTangents, LeanAtTheEndsBeyondFiveTimesTheWay) {
  const auto ends = [](double lean, bool clamp_progressive, bool time_independent) {
    auto keys = keys_with({0, 1, 9}, clamp_progressive, time_independent);
    keys[0].right = lean;
    keys[1].next_left = lean;
    const auto curve = fbx::solve_tangents(keys);
    return std::pair(curve.keys[0].slope, curve.keys[1].next_slope);
  };
  EXPECT_EQ(ends(400, false, false), std::pair(1.0, 4.0));
  EXPECT_EQ(ends(700, false, false), std::pair(1.0 + 160.0, 4.0 - 160.0));
  EXPECT_EQ(ends(-700, false, false), std::pair(1.0 - 160.0, 4.0 + 160.0));
  EXPECT_EQ(ends(700, false, true), std::pair(1.0, 4.0));
  EXPECT_EQ(ends(700, true, false), std::pair(0.0, 0.0));
}

// MotionBuilder has worked velocities into weights and leaning before it writes them beside.
TEST(FbxTangents, VelocitiesAreInTheWeightsAlready) {
  const auto places = [](std::uint32_t velocities, double number) {
    FbxBuilder b;
    b.model(1, "node", 0);
    b.take(10, "rush");
    const auto weights = std::bit_cast<float>(std::uint32_t{9000u << 16 | 1000u});
    b.curve(20, 10, 1, "Lcl Translation", "d|X", {0, 1, 3}, {0, 10, 4}, 0x8 | 0x3000000 | velocities,
            {50, -50, static_cast<double>(weights), number});
    const auto imported = b.import();
    EXPECT_TRUE(imported) << imported.error().message;
    EXPECT_TRUE(imported->notes.empty()) << testing::PrintToString(imported->notes);
    std::vector<double> all;
    for (double time = 0.0; time <= 3.0; time += 0.1)
      all.push_back(sample(imported->model, only_clip(imported->model), time).bones[0].translation.x);
    return all;
  };
  const auto plain = places(0, 0.0);
  EXPECT_GT(plain[5], 0.0);
  EXPECT_EQ(places(0x30000000, 0.5), plain);
}

}  // namespace
}  // namespace throng::test
