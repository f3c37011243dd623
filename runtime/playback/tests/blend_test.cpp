// SPDX-License-Identifier: Apache-2.0
// What a cross-fade is, in cases that can be worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "throng/character/decode.h"
#include "throng/playback/deform.h"
#include "two_poses.h"

namespace throng {
namespace {

constexpr double kQuarter = 1.57079632679489662;  // radians
constexpr Ticks kNow = 5 * kTicksPerSecond;
const glm::dvec3 kUp(0.0, 1.0, 0.0);

glm::dquat about_y(double radians) { return glm::angleAxis(radians, kUp); }

struct Row {
  const char* what;
  Encoding first;
  Encoding second;
};

constexpr Row kTurning[]{{"q16", Encoding::q16, Encoding::q16},
                         {"half-quaternion", Encoding::half_quaternion, Encoding::half_quaternion},
                         {"x16 to q12", Encoding::x16, Encoding::q12},
                         {"x16 to q16", Encoding::x16, Encoding::q16}};

// Half-way between standing and a quarter turn is an eighth turn about where the second clip's pivot is half-way.
TEST(CrossFade, TurnsAboutThePivotOfTheClipThatComes) {
  for (const Row& row : kTurning) {
    const bool pivots = row.first != Encoding::half_quaternion;
    const glm::dvec3 first_pivot = pivots ? glm::dvec3(-1.0, 0.0, 0.5) : glm::dvec3(0.0);
    const glm::dvec3 pivot = pivots ? glm::dvec3(1.0, 0.5, 0.0) : glm::dvec3(0.0);
    const double second_scale = row.second == Encoding::q12 ? 4.0 : 3.0;  // q12 has the clip's one
    PosesStorage storage;
    const Character model = two_poses({row.first, first_pivot, {glm::dquat(1, 0, 0, 0), first_pivot, 1.0}},
                                      {row.second, pivot, {about_y(kQuarter), {0.0, 3.0, 2.0}, second_scale}}, storage);
    const PlayRecord play = half_way(model, kNow);
    const DecodedVertices vertices = deform(model, play, kNow);
    const glm::dvec3 v(2.0, 1.0, 0.5);
    const glm::dvec3 moved_pivot = 0.5 * (pivot + glm::dvec3(0.0, 3.0, 2.0));
    const double scale = 0.5 * (1.0 + second_scale);
    const glm::dvec3 expected = moved_pivot + scale * (about_y(kQuarter / 2.0) * (v - pivot));
    const double tolerance = 6e-3;  // half floats, of numbers up to 8
    EXPECT_LT(glm::distance(vertices.positions[0], expected), tolerance) << row.what;
    EXPECT_LT(glm::distance(vertices.normals[0], about_y(kQuarter / 2.0) * glm::dvec3(1.0, 0.0, 0.0)), 1e-3);
    const SocketPlace socket = socket_place(model, play, SocketId(0), kNow).value();
    EXPECT_LT(glm::distance(socket.position, expected), tolerance) << row.what;
    EXPECT_NEAR(socket.scale, 0.5 * scale, 1e-3) << "the socket's own scale, by the bone's";
    EXPECT_GT(std::abs(glm::dot(socket.rotation, about_y(kQuarter / 2.0))), 1.0 - 1e-6) << row.what;
  }
}

struct Arc {
  double from, to, half_way;  // degrees about +Y
};

// Whichever of the two quaternions of a rotation is at hand.
TEST(CrossFade, GoesTheShortWayRound) {
  constexpr double kDegree = kQuarter / 90.0;
  for (const Arc& arc : {Arc{100.0, -100.0, 180.0}, Arc{0.0, -95.0, -47.5}, Arc{0.0, 95.0, 47.5},
                         Arc{-95.0, 0.0, -47.5}, Arc{170.0, -170.0, 180.0}, Arc{30.0, 200.0, 115.0}}) {
    PosesStorage storage;
    const Character model = two_poses({Encoding::q16, {}, {about_y(arc.from * kDegree), {}, 1.0}},
                                      {Encoding::q16, {}, {about_y(arc.to * kDegree), {}, 1.0}}, storage);
    const glm::dvec3 normal = deform(model, half_way(model, kNow), kNow).normals[0];
    EXPECT_LT(glm::distance(normal, about_y(arc.half_way * kDegree) * glm::dvec3(1.0, 0.0, 0.0)), 1e-3)
        << arc.from << " to " << arc.to;
  }
}

// With matrices entries are mixed: a vertex is where the two would put it, half-way.
TEST(CrossFade, MixesMatricesWhereOneOfTheClipsHasThem) {
  const std::vector<Row> rows{{"rows", Encoding::rows, Encoding::rows},
                              {"rows to q16", Encoding::rows, Encoding::q16},
                              {"q16 to rows", Encoding::q16, Encoding::rows},
                              {"x16 to half-rows", Encoding::x16, Encoding::half_rows}};
  for (const Row& row : rows) {
    const glm::dvec3 second_pivot = row.second == Encoding::half_rows ? glm::dvec3(0.0) : glm::dvec3(1.0, 0.5, 0.0);
    PosesStorage storage;
    const Character model = two_poses({row.first, {-1.0, 0.0, 0.5}, {about_y(0.3), {0.0, 1.0, 0.0}, 2.0}},
                                      {row.second, second_pivot, {about_y(2.0), {0.0, 3.0, 2.0}, 1.0}}, storage);
    const glm::dvec3 v(2.0, 1.0, 0.5);
    const glm::dvec3 a = 2.0 * (about_y(0.3) * (v - glm::dvec3(-1.0, 0.0, 0.5))) + glm::dvec3(0.0, 1.0, 0.0);
    const glm::dvec3 b = about_y(2.0) * (v - second_pivot) + glm::dvec3(0.0, 3.0, 2.0);
    const PlayRecord play = half_way(model, kNow);
    EXPECT_LT(glm::distance(deform(model, play, kNow).positions[0], 0.5 * (a + b)), 6e-3) << row.what;
    EXPECT_LT(glm::distance(socket_place(model, play, SocketId(0), kNow)->position, 0.5 * (a + b)), 6e-3) << row.what;
    const glm::dmat3 linear = 0.5 * (2.0 * glm::mat3_cast(about_y(0.3)) + glm::mat3_cast(about_y(2.0)));
    const glm::dvec3 normal = glm::normalize(glm::transpose(glm::inverse(linear)) * glm::dvec3(1.0, 0.0, 0.0));
    EXPECT_LT(glm::distance(deform(model, play, kNow).normals[0], normal), 2e-3) << row.what;
  }
}

TEST(CrossFade, IsOneClipAtItsBeginningAndTheOtherAtItsEnd) {
  PosesStorage storage;
  const Character model = two_poses({Encoding::q16, {1.0, 0.0, 0.0}, {about_y(0.3), {0.0, 1.0, 0.0}, 2.0}},
                                    {Encoding::x16, {0.0, 2.0, 0.0}, {about_y(2.0), {0.0, 3.0, 2.0}, 1.0}}, storage);
  const PlayRecord play = half_way(model, kNow);
  PlayRecord first = play;
  first.fade_ticks = 0;
  PlayRecord second = first;
  first.track = play.previous;
  const Ticks half = kTicksPerSecond / 2;
  EXPECT_LT(glm::distance(deform(model, play, kNow - half).positions[0], deform(model, first, kNow).positions[0]),
            1e-9);
  EXPECT_LT(glm::distance(deform(model, play, kNow + half).positions[0], deform(model, second, kNow).positions[0]),
            1e-9);
}

TEST(Socket, OfACharacterIsWhereItStands) {
  PosesStorage storage;
  const Character model = two_poses({Encoding::q16, {}, {about_y(0.3), {0.0, 1.0, 0.0}, 2.0}},
                                    {Encoding::q16, {}, {about_y(2.0), {0.0, 3.0, 2.0}, 1.0}}, storage);
  Crowd crowd(model);
  Spawn spawn;
  spawn.placement = {{10.0f, 0.0f, -4.0f}, glm::angleAxis(1.1f, glm::vec3(0.0f, 1.0f, 0.0f)), 3.0f};
  const InstanceId id = crowd.add(spawn, 0).value();
  const SocketPlace place = crowd.socket(id, SocketId(0), 5).value();
  const glm::dvec3 in_model = 2.0 * (about_y(0.3) * glm::dvec3(2.0, 1.0, 0.5)) + glm::dvec3(0.0, 1.0, 0.0);
  const glm::dvec3 expected = glm::dvec3(10.0, 0.0, -4.0) + 3.0 * (about_y(1.1) * in_model);
  EXPECT_LT(glm::distance(place.position, expected), 2e-3);
  EXPECT_NEAR(place.scale, 3.0 * 2.0 * 0.5, 1e-3);
  EXPECT_GT(std::abs(glm::dot(place.rotation, about_y(1.4))), 1.0 - 1e-7);
  EXPECT_LT(glm::distance(glm::dvec3(place.matrix * glm::dvec4(0.0, 0.0, 1.0, 1.0)),
                          place.position + place.scale * (place.rotation * glm::dvec3(0.0, 0.0, 1.0))),
            1e-6);
  EXPECT_EQ(crowd.socket(id, SocketId(1), 5).error().message,
            "socket 1 does not exist; model 'two poses' has 1, counted from 0");
  ASSERT_TRUE(crowd.remove(id));
  EXPECT_FALSE(crowd.socket(id, SocketId(0), 5));
}

TEST(Socket, TakesAMirrorApart) {
  glm::dmat4 matrix = glm::mat4_cast(about_y(0.7)) * -2.0;
  matrix[3] = {1.0, 2.0, 3.0, 1.0};
  const SocketPlace place = place_of(matrix);
  EXPECT_NEAR(place.scale, -2.0, 1e-12);
  EXPECT_GT(std::abs(glm::dot(place.rotation, about_y(0.7))), 1.0 - 1e-12);
  EXPECT_EQ(place.position, glm::dvec3(1.0, 2.0, 3.0));
}

}  // namespace
}  // namespace throng
