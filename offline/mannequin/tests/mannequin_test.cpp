// SPDX-License-Identifier: Apache-2.0
// The built-in humanoid: what its mesh, weights and clips promise to everyone who bakes or draws it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "throng/mannequin/mannequin.h"
#include "throng/pose/pose.h"

namespace throng {
namespace {

const Model& mannequin() {
  static const Model model = make_mannequin();
  return model;
}

const Clip& clip_named(std::string_view name) {
  const auto index = mannequin().find_clip(name);
  EXPECT_TRUE(index.has_value()) << name;
  return mannequin().clips()[index.value_or(0)];
}

std::uint32_t bone_named(std::string_view name) {
  const auto& bones = mannequin().bones();
  for (std::uint32_t i = 0; i < bones.size(); ++i) {
    if (bones[i].name == name) return i;
  }
  ADD_FAILURE() << "no bone is named " << name;
  return 0;
}

std::vector<glm::dvec3> skinned(const Pose& pose) {
  const auto palette = skinning_palette(mannequin(), pose);
  std::vector<glm::dvec3> all;
  for (std::size_t m = 0; m < mannequin().meshes().size(); ++m) {
    const auto part = skin_mesh(mannequin(), m, pose, palette);
    all.insert(all.end(), part.positions.begin(), part.positions.end());
  }
  return all;
}

std::vector<glm::dvec3> skinned(const Clip& clip, double time) { return skinned(sample(mannequin(), clip, time)); }

double lowest(const std::vector<glm::dvec3>& points) {
  double y = points.front().y;
  for (const auto& p : points) y = std::min(y, p.y);
  return y;
}

// All meshes as one: indices into what skinned() returns.
std::vector<std::uint32_t> all_indices() {
  std::vector<std::uint32_t> indices;
  std::uint32_t base = 0;
  for (const Mesh& mesh : mannequin().meshes()) {
    for (const std::uint32_t i : mesh.indices) indices.push_back(base + i);
    base += static_cast<std::uint32_t>(mesh.positions.size());
  }
  return indices;
}

double volume(const std::vector<glm::dvec3>& points, const std::vector<std::uint32_t>& indices) {
  double six = 0.0;
  for (std::size_t t = 0; t < indices.size(); t += 3) {
    six += glm::dot(points[indices[t]], glm::cross(points[indices[t + 1]], points[indices[t + 2]]));
  }
  return six / 6.0;
}

struct PositionLess {
  bool operator()(const glm::dvec3& a, const glm::dvec3& b) const {
    return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
  }
};

// Influence by bone name.
std::map<std::string, double> weights_of(const Mesh& mesh, std::size_t vertex) {
  std::map<std::string, double> weights;
  for (std::size_t i = 0; i < kInfluences; ++i) {
    const auto& influences = mesh.influences[vertex];
    if (influences.weights[i] <= 0.0f) continue;
    const Binding& binding = mannequin().bindings()[influences.bindings[i]];
    weights[mannequin().bones()[binding.bone].name] += static_cast<double>(influences.weights[i]);
  }
  return weights;
}

std::string other_side(std::string name) {
  if (name.ends_with(".L")) return name.replace(name.size() - 1, 1, "R");
  if (name.ends_with(".R")) return name.replace(name.size() - 1, 1, "L");
  return name;
}

double difference(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  double sum = 0.0;
  for (const auto& [name, weight] : a) sum += std::abs(weight - (b.contains(name) ? b.at(name) : 0.0));
  for (const auto& [name, weight] : b) sum += a.contains(name) ? 0.0 : weight;
  return 0.5 * sum;
}

// Vertices that follow the named bones and hardly any other.
std::vector<std::size_t> vertices_of(const std::vector<std::string>& bones) {
  std::vector<std::size_t> found;
  std::size_t base = 0;
  for (const Mesh& mesh : mannequin().meshes()) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      auto weights = weights_of(mesh, v);
      double share = 0.0;
      for (const std::string& bone : bones) share += weights[bone];
      if (share > 0.9) found.push_back(base + v);
    }
    base += mesh.positions.size();
  }
  return found;
}

double foot_height(const Clip& clip, double time, const std::string& side) {
  const auto points = skinned(clip, time);
  double y = 1.0;
  for (const std::size_t v : vertices_of({"foot." + side, "toes." + side})) y = std::min(y, points[v].y);
  return y;
}

TEST(Mannequin, StaysWithinItsBudget) {
  std::size_t vertices = 0;
  for (const Mesh& mesh : mannequin().meshes()) vertices += mesh.positions.size();
  EXPECT_GE(vertices, 1500u);
  EXPECT_LE(vertices, 3000u);
  EXPECT_GE(mannequin().bones().size(), 25u);
  EXPECT_LE(mannequin().bones().size(), 35u);
  EXPECT_EQ(mannequin().meshes().size(), mannequin().materials().size());
  EXPECT_LE(mannequin().materials().size(), 3u);
}

TEST(Mannequin, StandsOnTheGroundAMetreEightyTallFacingPlusZ) {
  const Bounds bounds = pose_bounds(mannequin(), rest_pose(mannequin()));
  EXPECT_NEAR(bounds.min.y, 0.0, 0.002);
  EXPECT_NEAR(bounds.max.y, 1.80, 0.005);
  const auto bones = model_from_bones(mannequin(), rest_pose(mannequin()));
  EXPECT_GT(bones[bone_named("toes.L")][3].z, bones[bone_named("foot.L")][3].z + 0.08);
  EXPECT_GT(bones[bone_named("hand.L")][3].x, 0.3) << "the left hand is towards +X";
}

TEST(Mannequin, IsAClosedSurfaceWoundOutwards) {
  const auto points = skinned(rest_pose(mannequin()));
  std::map<glm::dvec3, std::uint32_t, PositionLess> welded;
  std::vector<std::uint32_t> id(points.size());
  for (std::size_t v = 0; v < points.size(); ++v) {
    id[v] = welded.try_emplace(points[v], static_cast<std::uint32_t>(welded.size())).first->second;
  }
  const auto indices = all_indices();
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::size_t next = i % 3 == 2 ? i - 2 : i + 1;
    EXPECT_TRUE(edges.emplace(id[indices[i]], id[indices[next]]).second)
        << "two triangles run along an edge the same way";
  }
  for (const auto& [a, b] : edges) EXPECT_TRUE(edges.contains({b, a})) << "an edge has only one triangle";
  // A body of 60 to 80 kg is about as many litres.
  EXPECT_GT(volume(points, indices), 0.050);
  EXPECT_LT(volume(points, indices), 0.085);
}

TEST(Mannequin, NormalsAreUnitAndAgreeWithTheTriangles) {
  for (const Mesh& mesh : mannequin().meshes()) {
    for (const glm::vec3& normal : mesh.normals) EXPECT_NEAR(glm::length(normal), 1.0f, 1e-5f);
    for (std::size_t t = 0; t < mesh.indices.size(); t += 3) {
      const auto at = [&](std::size_t k) { return mesh.positions[mesh.indices[t + k]]; };
      const glm::vec3 face = glm::normalize(glm::cross(at(1) - at(0), at(2) - at(0)));
      for (std::size_t k = 0; k < 3; ++k) EXPECT_GT(glm::dot(face, mesh.normals[mesh.indices[t + k]]), 0.1f);
    }
  }
}

TEST(Mannequin, LeftMirrorsRight) {
  for (const Mesh& mesh : mannequin().meshes()) {
    std::map<glm::dvec3, std::vector<std::size_t>, PositionLess> at;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) at[glm::dvec3(mesh.positions[v])].push_back(v);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const glm::dvec3 p(mesh.positions[v]);
      const auto twin = at.find(glm::dvec3(p.x == 0.0 ? 0.0 : -p.x, p.y, p.z));
      ASSERT_NE(twin, at.end()) << p.x << " " << p.y << " " << p.z;
      std::map<std::string, double> mirrored;
      for (const auto& [name, weight] : weights_of(mesh, twin->second.front())) mirrored[other_side(name)] = weight;
      EXPECT_LT(difference(weights_of(mesh, v), mirrored), 1e-5);
    }
  }
}

TEST(Mannequin, NeighbouringVerticesFollowAlmostTheSameBones) {
  std::vector<double> differences;
  for (const Mesh& mesh : mannequin().meshes()) {
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
      const std::size_t a = mesh.indices[i], b = mesh.indices[i % 3 == 2 ? i - 2 : i + 1];
      differences.push_back(difference(weights_of(mesh, a), weights_of(mesh, b)));
    }
  }
  std::sort(differences.begin(), differences.end());
  EXPECT_LT(differences.back(), 0.85);
  EXPECT_LT(differences[differences.size() * 98 / 100], 0.45);
}

TEST(Mannequin, ArmsAndLegsDoNotStickToEachOther) {
  const std::set<std::string> leg{"thigh", "shin", "foot", "toes"};
  const std::set<std::string> arm{"shoulder", "upper_arm", "forearm", "hand", "fingers", "fingertips", "thumb"};
  for (const Mesh& mesh : mannequin().meshes()) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      double legs = 0.0, arms = 0.0;
      for (const auto& [name, weight] : weights_of(mesh, v)) {
        const std::string stem = name.substr(0, name.find('.'));
        legs += leg.contains(stem) ? weight : 0.0;
        arms += arm.contains(stem) ? weight : 0.0;
      }
      EXPECT_TRUE(legs == 0.0 || arms == 0.0) << mesh.positions[v].x << " " << mesh.positions[v].y;
      const bool beside = mesh.positions[v].x > 0.3f, below = mesh.positions[v].y < 0.4f;
      EXPECT_GT(beside ? arms : 1.0, 0.999) << "a hand that follows the trunk";
      EXPECT_GT(below ? legs : 1.0, 0.999) << "a shin that follows the trunk";
    }
  }
}

TEST(Mannequin, OffersSocketsInThePalmsAndOnTheHead) {
  std::map<std::string, glm::dmat4> sockets;
  const auto bones = model_from_bones(mannequin(), rest_pose(mannequin()));
  for (const Socket& socket : mannequin().sockets()) {
    sockets[socket.name] = bones[socket.bone] * to_matrix(socket.bone_from_socket);
  }
  ASSERT_TRUE(sockets.contains("hand.L") && sockets.contains("hand.R") && sockets.contains("head"));
  for (const std::string side : {"L", "R"}) {
    const glm::dmat4& socket = sockets["hand." + side];
    const glm::dvec3 wrist(bones[bone_named("hand." + side)][3]), knuckles(bones[bone_named("fingers." + side)][3]);
    EXPECT_LT(glm::distance(glm::dvec3(socket[3]), 0.5 * (wrist + knuckles)), 0.04);
    EXPECT_NEAR(socket[1].z, 1.0, 1e-6) << "the grip runs out of the thumb's side, forwards at rest";
    EXPECT_GT(glm::dot(glm::dvec3(socket[2]), glm::normalize(knuckles - wrist)), 0.98);
  }
  EXPECT_NEAR(sockets["head"][3].y, 1.80, 0.01);
  EXPECT_NEAR(sockets["head"][1].y, 1.0, 1e-6);
  EXPECT_NEAR(sockets["head"][2].z, 1.0, 1e-6);
}

TEST(Mannequin, KnowsItsClips) {
  for (const char* name : {"idle", "walk", "run", "jump", "attack", "cheer"}) {
    EXPECT_EQ(clip_named(name).loops, std::optional(true)) << name;
  }
  for (const char* name : {"hit", "death"}) EXPECT_EQ(clip_named(name).loops, std::optional(false)) << name;
  EXPECT_GE(mannequin().clips().size(), 8u);
}

TEST(Mannequin, LoopsCloseOnTheirFirstPose) {
  for (const Clip& clip : mannequin().clips()) {
    if (!clip.loops.value()) continue;
    const auto first = skinned(clip, clip.start), last = skinned(clip, clip.end);
    double worst = 0.0;
    for (std::size_t v = 0; v < first.size(); ++v) worst = std::max(worst, glm::distance(first[v], last[v]));
    EXPECT_LT(worst, 1e-6) << clip.name;
  }
}

// The jolt where a loop closes is no harder than the hardest within it (a heel strikes, a fist stops).
TEST(Mannequin, LoopsKeepTheirSpeedOverTheSeam) {
  constexpr double kStep = 1.0 / 30.0;
  for (const Clip& clip : mannequin().clips()) {
    if (!clip.loops.value()) continue;
    const auto frames = static_cast<std::size_t>(std::lround(clip.length() / kStep));
    std::vector<std::vector<glm::dvec3>> points;
    for (std::size_t f = 0; f < frames; ++f)
      points.push_back(skinned(clip, clip.start + static_cast<double>(f) * kStep));
    const auto jolt = [&](std::size_t f) {
      const auto &before = points[(f + frames - 1) % frames], &here = points[f], &after = points[(f + 1) % frames];
      double worst = 0.0;
      for (std::size_t v = 0; v < here.size(); ++v) {
        worst = std::max(worst, glm::length(after[v] - 2.0 * here[v] + before[v]) / kStep);
      }
      return worst;
    };
    double inside = 0.0;
    for (std::size_t f = 1; f < frames; ++f) inside = std::max(inside, jolt(f));
    EXPECT_LT(jolt(0), 1.1 * inside) << clip.name;
  }
}

TEST(Mannequin, NothingSinksIntoTheGround) {
  for (const Clip& clip : mannequin().clips()) {
    const int steps = static_cast<int>(std::lround(clip.length() * 60.0));
    for (int i = 0; i <= steps; ++i) {
      const double time = clip.start + clip.length() * i / steps;
      EXPECT_GT(lowest(skinned(clip, time)), -0.015) << clip.name << " at " << time;
    }
  }
}

TEST(Mannequin, KeepsItsVolumeInEveryPose) {
  const auto indices = all_indices();
  const double rest = volume(skinned(rest_pose(mannequin())), indices);
  for (const Clip& clip : mannequin().clips()) {
    for (int i = 0; i <= 12; ++i) {
      const double posed = volume(skinned(clip, clip.start + clip.length() * i / 12), indices);
      EXPECT_NEAR(posed / rest, 1.0, 0.06) << clip.name << " at " << i << "/12";
    }
  }
}

TEST(Mannequin, DiesLyingOnTheGround) {
  const auto points = skinned(clip_named("death"), clip_named("death").end);
  double highest = 0.0;
  for (const auto& p : points) highest = std::max(highest, p.y);
  EXPECT_LT(highest, 0.6);
  EXPECT_NEAR(lowest(points), 0.0, 0.01);
  for (const char* part : {"hips", "upper_chest", "head", "hand.L", "hand.R", "foot.L", "foot.R"}) {
    double y = 1.0;
    for (const std::size_t v : vertices_of({part})) y = std::min(y, points[v].y);
    EXPECT_LT(y, 0.035) << part << " floats above the ground";
  }
}

struct Stride {
  const char* clip;
  double speed;                   // metres a second
  double flat_from, flat_to;      // phases between which the sole lies flat
  double stance_from, stance_to;  // phases in which this foot carries
};
constexpr Stride kStrides[] = {{"walk", 1.25, 0.12, 0.30, 0.0, 0.58}, {"run", 3.3, 0.06, 0.13, 0.0, 0.28}};

TEST(Mannequin, PlantedFeetStayOnTheGround) {
  for (const Stride& stride : kStrides) {
    const Clip& clip = clip_named(stride.clip);
    for (int i = 0; i <= 10; ++i) {
      const double phase = glm::mix(stride.stance_from, stride.stance_to, i / 10.0);
      EXPECT_NEAR(foot_height(clip, phase * clip.length(), "L"), 0.0, 0.02) << clip.name << " at phase " << phase;
      const double other = std::fmod(phase + 0.5, 1.0) * clip.length();
      EXPECT_NEAR(foot_height(clip, other, "R"), 0.0, 0.02) << clip.name << " at phase " << phase;
    }
  }
}

TEST(Mannequin, PlantedFeetDoNotSlideOverTheGroundThatPasses) {
  for (const Stride& stride : kStrides) {
    const Clip& clip = clip_named(stride.clip);
    const auto foot = [&](double phase) {
      const Pose pose = sample(mannequin(), clip, phase * clip.length());
      return glm::dvec3(model_from_bones(mannequin(), pose)[bone_named("foot.L")][3]);
    };
    const glm::dvec3 start = foot(stride.flat_from);
    for (int i = 1; i <= 8; ++i) {
      const double phase = glm::mix(stride.flat_from, stride.flat_to, i / 8.0);
      const double seconds = (phase - stride.flat_from) * clip.length();
      const glm::dvec3 ground = start - glm::dvec3(0.0, 0.0, stride.speed * seconds);
      EXPECT_LT(glm::distance(foot(phase), ground), 0.006) << clip.name << " at phase " << phase;
    }
  }
}

TEST(Mannequin, FootstepsSoundWhenTheFootComesDown) {
  for (const Stride& stride : kStrides) {
    const Clip& clip = clip_named(stride.clip);
    std::set<std::string> heard;
    for (const Event& event : clip.events) {
      const std::string side = event.name.substr(event.name.size() - 1);
      heard.insert(event.name);
      const double before = std::fmod(event.time + 0.92 * clip.length(), clip.length());
      EXPECT_LT(foot_height(clip, event.time, side), 0.012) << clip.name << " " << event.name;
      EXPECT_GT(foot_height(clip, before, side), 0.015) << clip.name << " " << event.name;
    }
    EXPECT_EQ(heard, (std::set<std::string>{"footstep.L", "footstep.R"})) << clip.name;
  }
}

TEST(Mannequin, TheAttackHitsWhenTheHandIsFastAndFarOut) {
  const Clip& clip = clip_named("attack");
  const auto hand = [&](double time) {
    return glm::dvec3(model_from_bones(mannequin(), sample(mannequin(), clip, time))[bone_named("hand.R")][3]);
  };
  ASSERT_EQ(clip.events.size(), 1u);
  EXPECT_EQ(clip.events[0].name, "attack.hit");
  double fastest = 0.0;
  for (double t = 0.0; t + 0.02 < clip.end; t += 0.01)
    fastest = std::max(fastest, glm::distance(hand(t), hand(t + 0.02)));
  const double strike = clip.events[0].time;
  EXPECT_GT(hand(strike).z, 0.7) << "the hand is out in front";
  EXPECT_GT(glm::distance(hand(strike - 0.01), hand(strike + 0.01)), 0.5 * fastest);
}

// A recoil that happens within a frame or two is a jump cut at any frame rate a crowd is baked at.
TEST(Mannequin, TheHitThrowsItBackWithinAFifthOfASecondButNotWithinAFrame) {
  const Clip& clip = clip_named("hit");
  constexpr double kFrame = 1.0 / 30.0;
  const auto place = [&](const char* bone, double time) {
    return glm::dvec3(model_from_bones(mannequin(), sample(mannequin(), clip, time))[bone_named(bone)][3]);
  };
  EXPECT_LT(place("neck", 0.2).z, place("neck", 0.0).z - 0.15) << "the chest goes back";
  for (const char* bone : {"fingertips.L", "fingertips.R", "head"}) {
    for (double t = 0.0; t + kFrame <= clip.end; t += kFrame) {
      EXPECT_LT(glm::distance(place(bone, t), place(bone, t + kFrame)), 0.25) << bone << " at " << t;
    }
  }
}

TEST(Mannequin, IsTheSameEveryTime) {
  const Model again = make_mannequin();
  ASSERT_EQ(again.meshes().size(), mannequin().meshes().size());
  for (std::size_t m = 0; m < again.meshes().size(); ++m) {
    EXPECT_EQ(again.meshes()[m].positions, mannequin().meshes()[m].positions);
    EXPECT_EQ(again.meshes()[m].indices, mannequin().meshes()[m].indices);
  }
}

}  // namespace
}  // namespace throng
