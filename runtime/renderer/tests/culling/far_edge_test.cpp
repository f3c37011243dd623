// SPDX-License-Identifier: Apache-2.0
// Nobody is lost at the edges of a view: far characters are drawn as soon as any vertex of theirs is inside, in the
// picture and for each shadow, whatever they play, wear and fade to; and a step further out they are not.
#include <gtest/gtest.h>

#include <algorithm>

#include "chain_of_bars.h"
#include "culling/culling_stage.h"
#include "culling/edges.h"
#include "dice.h"
#include "encodings_where.h"
#include "instrumented.h"
#include "mannequin_model.h"
#include "own_renderer.h"
#include "small_scene.h"
#include "test_device.h"
#include "throng/bake/bake.h"
#include "throng/playback/crowd.h"
#include "throng/playback/deform.h"
#include "throng/playback/pack_rotation.h"
#include "throng/shaders/shared/parts.h"

namespace throng {
namespace {

constexpr Ticks kNow = 1000;
constexpr double kInside = 5e-4;  // how far past the edge the outermost vertex is: half a millimetre

// A moment of what somebody plays: what is there, and what culling is told may be.
struct Moment {
  test::TestCharacter who;
  std::vector<glm::dvec3> surface;  // the vertices of what is worn, in model space
  Bounds box;
  std::string what;
  std::optional<glm::dvec3> outermost = {};  // the direction along which it reaches farther than at other moments
};

// A moment whose surface is to face an edge from one side.
struct PosedSurface {
  const Moment* moment = nullptr;
  glm::dvec3 direction{0.0};  // of the model, towards the inside of the view
  double roll = 0.0;
  float scale = 1.0f;
};

TrackRecord track_at(const Character& model, std::uint32_t clip, double share) {
  TrackRecord track{};
  track.clip = clip;
  track.wrap = model.clips()[clip].loops ? gpu::kWrapLoop : gpu::kWrapClamp;
  const auto phase = static_cast<std::uint64_t>(std::min(share, 0.999999) * 18446744073709551615.0);
  track.phase = {static_cast<std::uint32_t>(phase), static_cast<std::uint32_t>(phase >> 32)};
  return track;
}

std::vector<glm::dvec3> worn_surface(const Character& model, const PlayRecord& play, Ticks now) {
  const DecodedVertices all = deform(model, play, now);
  std::vector<glm::dvec3> worn;
  for (std::size_t v = 0; v < all.positions.size(); ++v)
    if (model.vertex_parts().empty() || gpu::is_worn(play.hidden_parts, model.vertex_parts()[v]))
      worn.push_back(all.positions[v]);
  return worn;
}

Moment moment_of(const Character& model, std::uint32_t clip, double share) {
  Moment moment{.who = test::standing(clip), .surface = {}, .box = model.clips()[clip].bounds, .what = {}};
  moment.who.play.track = track_at(model, clip, share);
  moment.surface = worn_surface(model, moment.who.play, kNow);
  moment.what = fmt::format("'{}' at {:.3f}", model.clips()[clip].name, share);
  return moment;
}

// `elapsed`: of a thousand ticks.
Moment fade_of(const Character& model, std::uint32_t from, double from_share, std::uint32_t to, double to_share,
               std::uint32_t elapsed) {
  Moment moment = moment_of(model, to, to_share);
  moment.who.instance.clips = to | from << 16;
  moment.who.play.previous = track_at(model, from, from_share);
  moment.who.play.fade_start = {static_cast<std::uint32_t>(kNow) - elapsed, 0};
  moment.who.play.fade_ticks = 1000;
  moment.surface = worn_surface(model, moment.who.play, kNow);
  moment.box = reached(clip_boxes(model), to, from);
  moment.what =
      fmt::format("'{}' at {:.3f} fading to {} for {}", model.clips()[from].name, from_share, moment.what, elapsed);
  return moment;
}

const std::array<glm::dvec3, 6> kAxes{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};

// The moments of a clip at which it reaches farthest along its own axes.
std::vector<Moment> outermost_moments(const Character& model, std::uint32_t clip) {
  constexpr int kLooks = 60;
  std::vector<Moment> moments(kAxes.size());
  std::array<double, 6> most{};
  most.fill(-1e300);
  for (int i = 0; i <= kLooks; ++i) {
    const Moment moment = moment_of(model, clip, static_cast<double>(i) / kLooks);
    for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
      const double reach = test::reach_along(moment.surface, kAxes[axis]);
      if (reach <= most[axis]) continue;
      most[axis] = reach;
      moments[axis] = moment;
      moments[axis].outermost = kAxes[axis];
    }
  }
  return moments;
}

// Those of many random fades that are farthest outside of the boxes of both their clips; `farthest`: by how much.
std::vector<Moment> outermost_fades(const Character& model, std::size_t tries, test::Dice& dice, double& farthest) {
  constexpr std::size_t kKept = 12;
  std::vector<std::pair<double, Moment>> found;
  const auto clips = static_cast<std::uint32_t>(model.clips().size());
  for (std::size_t i = 0; i < tries; ++i) {
    const std::uint32_t from = dice.below(clips);
    const std::uint32_t to = dice.below(clips);
    const double before = dice.between(0.0, 1.0);
    Moment moment = fade_of(model, from, before, to, dice.between(0.0, 1.0), 200 + dice.below(600));
    Bounds both = model.clips()[from].bounds;
    both.add(model.clips()[to].bounds);
    double out = -1e300;
    for (const glm::dvec3& axis : kAxes) {
      const double past = test::reach_along(moment.surface, axis) - test::reach_along(both, axis);
      if (past > out) moment.outermost = axis;
      out = std::max(out, past);
    }
    found.emplace_back(out, std::move(moment));
  }
  std::ranges::stable_sort(found, std::greater{}, [](const auto& one) { return one.first; });
  farthest = found.front().first;
  std::vector<Moment> moments;
  for (std::size_t i = 0; i < std::min(kKept, found.size()); ++i) moments.push_back(std::move(found[i].second));
  return moments;
}

// Where a character is when its outermost vertex is just inside of an edge; or so much further out that its box is out.
struct Placed {
  test::TestCharacter who;
  std::string what;
};
Placed placed(const PosedSurface& pose, const test::Edge& edge, bool inside) {
  const Moment& moment = *pose.moment;
  Placed result{moment.who, fmt::format("{}, facing {:.2f} {:.2f} {:.2f}, scaled by {}: {}", moment.what,
                                        pose.direction.x, pose.direction.y, pose.direction.z, pose.scale, edge.name)};
  InstanceRecord& instance = result.who.instance;
  instance.rotation = pack_rotation(glm::quat(test::facing(pose.direction, edge.inwards, pose.roll)));
  instance.scale = pose.scale;
  const glm::dmat3 world(world_from_model(instance));
  const glm::dvec3 along = glm::transpose(world) * edge.inwards;
  const double slack = test::reach_along(moment.box, along) - test::reach_along(moment.surface, along);
  EXPECT_GE(slack, 0.0) << result.what << ": its box does not hold it";
  const double size = glm::dot(glm::abs(along), moment.box.size());
  // What culling allows itself for rounding: a thousandth of half the box; and a millimetre.
  const double past = inside ? kInside : -(slack + 0.001 * size + 1e-3);
  instance.position = glm::vec3(edge.point + past * edge.inwards - world * test::outermost(moment.surface, along));
  return result;
}

// A picture and two shadows, far from each other, so that nobody at the edge of one is near another.
std::vector<test::EdgedView> three_views() {
  return {test::eye_view({3, 2, 5}, {0.4, -0.2, -1.0}, 50.0, 1.5),
          test::flat_view({200, 30, 0}, {0.5, -1, 0.3}, {8, 6, 9}),
          test::eye_view({0, 10, 300}, {0.0, -1.0, 0.0}, 70.0, 1.0)};
}

class FarEdges : public test::OnDevice {
 protected:
  // Every pose at every edge of every view: just inside, and a step further out.
  // As drivers without a GPU look for them, box by box, and as GPUs do, by spheres at first.
  void expect_edges(const Character& model, const std::vector<PosedSurface>& poses, bool motion = false) {
    for (const bool spheres : {false, true}) expect_edges(model, poses, motion, spheres);
  }

  void expect_edges(const Character& model, const std::vector<PosedSurface>& poses, bool motion, bool spheres) {
    test::CullingStage stage(context(), model, motion, {}, spheres);
    const std::vector<test::EdgedView> views = three_views();
    std::vector<glm::mat4> matrices;
    for (const test::EdgedView& view : views) matrices.push_back(view.clip_from_world);
    for (std::size_t view = 0; view < views.size(); ++view)
      for (const bool inside : {true, false}) {
        test::Cast cast;
        std::vector<std::string> names;
        for (const test::Edge& edge : views[view].edges)
          for (const PosedSurface& pose : poses) {
            const Placed one = placed(pose, edge, inside);
            cast.add(one.who);
            names.push_back(one.what);
          }
        const test::Seen seen = stage.look(cast, kNow, matrices);
        for (std::size_t other = 0; other < views.size(); ++other)
          EXPECT_EQ(seen.in_view[other], inside && other == view ? cast.size() : 0u)
              << model.name() << (spheres ? ", by spheres" : "") << ": in view " << other
              << ", of those at the edges of view " << view;
        int told = 0;
        for (std::size_t i = 0; i < cast.size() && told < 5; ++i) {
          if (seen.drawn[i] == inside) continue;
          ADD_FAILURE() << (inside ? "lost: " : "drawn for nothing: ") << names[i] << " of view " << view;
          ++told;
        }
      }
  }
};

// Each of them with its outermost side to the edge, and turned any other way; of several sizes.
std::vector<PosedSurface> poses_of(const std::vector<Moment>& moments, test::Dice& dice) {
  std::vector<PosedSurface> poses;
  for (const Moment& moment : moments) {
    const float scale = std::array{1.0f, 0.5f, 2.0f}[poses.size() % 3];
    if (moment.outermost) poses.push_back({&moment, *moment.outermost, dice.between(0.0, 6.0), scale});
    poses.push_back({&moment, dice.direction(), dice.between(0.0, 6.0), scale});
  }
  return poses;
}

Character baked(const Model& model, const BakeSettings& settings) {
  SerialExecutor executor;
  auto out = bake(model, settings, executor);
  EXPECT_TRUE(out) << out.error().message;
  return std::move(out).value();
}

BakeSettings plainly(Encoding encoding, double rate) {
  BakeSettings settings{.encoding = encoding, .frame_rate = rate, .max_error_mm = std::nullopt, .levels = 1};
  settings.mode = is_vertex_encoding(encoding) ? BakeMode::vertices : BakeMode::bones;
  settings.near = false;
  return settings;
}

// What is tested of one character: its clips where they reach farthest, its fades, and other moments.
struct Tried {
  std::vector<Moment> moments;
  std::vector<PosedSurface> poses;
  double farthest_fade = 0.0;  // how far a fade was out of the boxes of both its clips
};
Tried tried(const Character& model, std::size_t fades, unsigned seed) {
  test::Dice dice(seed);
  Tried all;
  for (std::uint32_t clip = 0; clip < model.clips().size(); ++clip)
    for (Moment& moment : outermost_moments(model, clip)) all.moments.push_back(std::move(moment));
  if (fades > 0)
    for (Moment& moment : outermost_fades(model, fades, dice, all.farthest_fade))
      all.moments.push_back(std::move(moment));
  for (std::uint32_t clip = 0; clip < model.clips().size(); ++clip)
    for (int i = 0; i < 4; ++i) all.moments.push_back(moment_of(model, clip, dice.between(0.0, 1.0)));
  all.poses = poses_of(all.moments, dice);
  return all;
}

class FarEdgesOfEncodings : public FarEdges, public ::testing::WithParamInterface<Encoding> {};

// A limb that swings far from where it rests. Frames of the last clip are 36° apart at each of its three joints.
TEST_P(FarEdgesOfEncodings, AreWhereTheFirstVertexIsInAtEveryMoment) {
  const Character chain = baked(built(test::swinging_chain()), plainly(GetParam(), 10.0));
  const Tried all = tried(chain, 300, 5);
  expect_edges(chain, all.poses);
  // Matrices and vertices go straight from one clip to the other.
  const EncodingInfo& info = info_of(GetParam());
  if (info.kind == ItemKind::vertex || info.kind == ItemKind::affine)
    EXPECT_LE(all.farthest_fade, 1e-9);
  else
    EXPECT_GT(all.farthest_fade, 0.1) << "fades are to leave the boxes of both clips";
}

INSTANTIATE_TEST_SUITE_P(Encodings, FarEdgesOfEncodings, ::testing::ValuesIn(test::a_part_if_instrumented(kEncodings)),
                         [](const auto& tested) {
                           std::string name(name_of(tested.param));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Frames a third of a turn apart at each of three joints: between two of them the chain's end goes round once.
TEST_F(FarEdges, AreWhereTheFirstVertexIsInFarBetweenFrames) {
  ModelDraft draft = test::chain_of_bars(3);
  const auto round = [](double t) { return 0.5 + 2.0 * kPi * t; };
  draft.clips = {test::turning_chain("round", 3, {0, 0, 1}, 3, round, true)};
  const Model model = built(std::move(draft));
  for (const Encoding encoding : {Encoding::localv, Encoding::local8, Encoding::q16}) {
    const Character chain = baked(model, plainly(encoding, 3.0));
    expect_edges(chain, tried(chain, 0, 6).poses);
  }
}

// The last link lies to one side in one clip and to the other in the other, and stands up between them: farther from
// the chain's foot than anything of either clip.
TEST_F(FarEdges, AreWhereTheFirstVertexIsInThatAFadeLiftsUp) {
  ModelDraft draft = test::chain_of_bars(3);
  for (const double side : {-1.0, 1.0}) {
    const auto lying = [side](double t) { return side * (1.5 + 0.02 * t); };
    draft.clips.push_back(clip_of(side < 0.0 ? "right" : "left", {turning(2, {0, 0, 1}, 5, 4.0, 0.0, lying)}, false));
  }
  const Character chain = baked(built(std::move(draft)), plainly(Encoding::localv, 4.0));
  const Tried all = tried(chain, 300, 14);
  double reach = 0.0, in_fades = 0.0;
  for (const BakedClip& clip : chain.clips())
    reach = std::max(reach, glm::length(glm::max(glm::abs(clip.bounds.min), glm::abs(clip.bounds.max))));
  for (const Moment& moment : all.moments)
    for (const glm::dvec3& point : moment.surface) in_fades = std::max(in_fades, glm::length(point));
  EXPECT_GT(in_fades, 1.2 * reach) << "a fade is to leave the sphere around both clips";
  expect_edges(chain, all.poses);
}

TEST_F(FarEdges, AreWhereTheFirstVertexIsInWhereMotionVectorsAreDrawn) {
  const Character chain = baked(built(test::swinging_chain()), plainly(Encoding::localv, 10.0));
  expect_edges(chain, tried(chain, 50, 7).poses, true);
}

TEST_F(FarEdges, AreWhereTheFirstVertexOfAPersonIsIn) {
  BakeSettings settings = plainly(Encoding::localv, 15.0);
  settings.clips = {"run", "cheer", "death"};
  const Character person = baked(test::mannequin_model(), settings);
  const Tried all = tried(person, 60, 8);
  EXPECT_GT(all.farthest_fade, 0.02) << "fades are to leave the boxes of both clips";
  expect_edges(person, all.poses);
}

TEST_F(FarEdges, AreWhereTheFirstVertexIsInThatAMorphTargetMoves) {
  const Model model = test::bar_that_blinks();
  for (const Encoding encoding : {Encoding::localv, Encoding::q16, Encoding::v8}) {
    const Character bar = baked(model, plainly(encoding, 30.0));
    ASSERT_EQ(bar.morphs().empty(), encoding == Encoding::v8);
    ASSERT_GT(bar.clips()[0].bounds.max.z, bar.clips()[1].bounds.max.z + 1.0);
    expect_edges(bar, tried(bar, 60, 9).poses);
  }
}

// The chain with a flag at its end, which reaches far to one side.
Model chain_with_a_flag() {
  ModelDraft draft = test::swinging_chain();
  draft.meshes[0].part = "chain";
  Mesh flag = draft.meshes[0];
  flag.name = "flag";
  flag.part = "flag";
  flag.node = 1;
  for (glm::vec3& p : flag.positions) p = {2.0f * p.y, 1.4f + p.x, p.z};
  for (glm::vec3& n : flag.normals) n = {n.y, n.x, n.z};
  for (Influences& influences : flag.influences) influences = bound_to(2);
  draft.meshes.push_back(std::move(flag));
  return built(std::move(draft));
}

// Puts the outfit on, as a Crowd does.
void wear(const Character& model, PartMask parts, Moment& moment) {
  Crowd crowd(model);
  ASSERT_TRUE(crowd.add({.look = {.parts = parts}}, 0));
  PlayRecord& play = moment.who.play;
  play.hidden_parts = crowd.plays(ModelId())[0].hidden_parts;
  play.parts_box = crowd.plays(ModelId())[0].parts_box;
  moment.surface = worn_surface(model, play, kNow);
  if (moment.who.instance.clips >> 16 != gpu::kNoClip) return;  // then all that is there counts
  Bounds worn;
  for (std::uint32_t i = 0; i < model.parts().size(); ++i)
    if (parts.has(PartId(i))) worn.add(model.parts()[i].bounds);
  // A record has room for 31 steps of the model's size.
  const glm::dvec3 step = model.bounds().size() / double{gpu::kBoxSteps};
  moment.box.min = glm::max(moment.box.min, worn.min - step);
  moment.box.max = glm::min(moment.box.max, worn.max + step);
}

TEST_F(FarEdges, AreWhereTheFirstVertexIsInOfWhatIsWorn) {
  const Model model = chain_with_a_flag();
  for (const Encoding encoding : {Encoding::localv, Encoding::v8}) {
    const Character character = baked(model, plainly(encoding, 10.0));
    ASSERT_EQ(character.parts().size(), 2u);
    for (std::uint32_t off = 0; off < 2; ++off) {
      PartMask parts;
      parts.take_off(PartId(off));
      Tried all = tried(character, 40, 10 + off);
      for (Moment& moment : all.moments) wear(character, parts, moment);
      expect_edges(character, all.poses);
    }
  }
}

// Where a clip reaches farthest along its axes, its box has little to spare: what paths bulge between frames, and what
// is rounded.
TEST_F(FarEdges, AreNoFurtherOutThanTwoHundredthsOfTheClipsSize) {
  const Character chain = baked(built(test::swinging_chain()), plainly(Encoding::localv, 30.0));
  test::CullingStage stage(context(), chain);
  const test::EdgedView view = three_views()[0];
  for (const bool inside : {true, false}) {
    test::Cast cast;
    for (std::uint32_t clip = 0; clip < chain.clips().size(); ++clip) {
      const std::vector<Moment> moments = outermost_moments(chain, clip);
      for (std::size_t axis = 0; axis < moments.size(); ++axis)
        for (const test::Edge& edge : view.edges) {
          Placed one = placed({&moments[axis], kAxes[axis], 0.7, 1.0f}, edge, true);
          const double step = 0.02 * chain.clips()[clip].bounds.diagonal();
          if (!inside) one.who.instance.position -= glm::vec3((kInside + step) * edge.inwards);
          cast.add(one.who);
        }
    }
    EXPECT_EQ(stage.look(cast, kNow, std::array{view.clip_from_world}).in_view[0], inside ? cast.size() : 0u);
  }
}

// How far an eye sees has no end.
TEST_F(FarEdges, HaveNoEndInTheDistance) {
  const Character chain = baked(built(test::swinging_chain()), plainly(Encoding::localv, 10.0));
  test::CullingStage stage(context(), chain);
  const test::EdgedView view = test::eye_view({0, 1, 0}, {0, 0, -1}, 50.0, 1.5);
  const test::Cast cast{test::standing(0, {0, 0, -99}), test::standing(0, {0, 0, -5000}), test::standing(0, {0, 0, 5})};
  EXPECT_EQ(stage.look(cast, kNow, std::array{view.clip_from_world}).drawn, (std::vector<bool>{true, true, false}));
}

// A fade as a game has it, by as many as the view has edges: at every moment of it the outermost vertex of each is just
// inside, and in the box that shadows are fitted to.
TEST_F(FarEdges, HoldThroughAFadeThatACrowdPlays) {
  const Character chain = baked(built(test::swinging_chain()), plainly(Encoding::localv, 10.0));
  test::CullingStage stage(context(), chain);
  const test::EdgedView view = three_views()[0];
  Bounds both = chain.clips()[0].bounds;
  both.add(chain.clips()[1].bounds);
  Crowd crowd(chain);
  std::vector<InstanceId> ids;
  for (std::size_t i = 0; i < view.edges.size(); ++i) {
    ids.push_back(crowd.add({.play = {.clip = ClipId(0)}}, 0).value());
    ASSERT_TRUE(crowd.play(ids.back(), {.clip = ClipId(1), .fade = 1.0}, kTicksPerSecond));
  }
  int outside = 0;
  for (int step = 0; step <= 24; ++step) {
    const Ticks now = kTicksPerSecond + kTicksPerSecond / 20 * static_cast<Ticks>(step);
    crowd.advance(now);
    const std::vector<glm::dvec3> surface = worn_surface(chain, crowd.plays(ModelId())[0], now);
    outside += test::reach_along(surface, {0, 1, 0}) > both.max.y + 0.05 ? 1 : 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const test::Edge& edge = view.edges[i];
      Placement place;
      place.rotation = glm::quat(test::facing({0, 1, 0}, edge.inwards, 0.3 * step));
      const glm::dmat3 turn = glm::mat3_cast(glm::dquat(place.rotation));
      const glm::dvec3 along = glm::transpose(turn) * edge.inwards;
      place.position = glm::vec3(edge.point + kInside * edge.inwards - turn * test::outermost(surface, along));
      ASSERT_TRUE(crowd.place(ids[i], place));
    }
    test::Cast cast;
    for (std::size_t i = 0; i < ids.size(); ++i) cast.add({crowd.instances(ModelId())[i], crowd.plays(ModelId())[i]});
    EXPECT_EQ(stage.look(cast, now, std::array{view.clip_from_world}).in_view[0], ids.size()) << "step " << step;
    const Bounds all = stage.bounds();
    double off = -1e300;
    for (const InstanceRecord& instance : cast.instances)
      for (const glm::dvec3& point : surface) {
        const glm::dvec3 at(world_from_model(instance) * glm::dvec4(point, 1.0));
        const glm::dvec3 past = glm::max(all.min - at, at - all.max);
        off = std::max({off, past.x, past.y, past.z});
      }
    EXPECT_LE(off, 1e-4) << "step " << step;
  }
  EXPECT_GT(outside, 3) << "on its way from one side to the other it is to rise above both";
}

// A spear, twice as long as who carries it.
PropMesh spear() {
  PropMesh mesh;
  mesh.positions = {{-0.2f, 0.0f, 0.0f}, {3.0f, 0.0f, 0.0f}, {3.0f, 0.1f, 0.0f}};
  mesh.normals.assign(3, {0.0f, 0.0f, 1.0f});
  mesh.colours.assign(3, glm::vec3(1.0f));
  mesh.indices = {0, 1, 2};
  return mesh;
}

TEST_F(FarEdges, AreWhereTheFirstVertexIsInOfWhatIsCarried) {
  const PropMesh prop = spear();
  for (const Encoding encoding : {Encoding::localv, Encoding::v8}) {
    BakeSettings settings = plainly(encoding, 10.0);
    settings.sockets = "link 2";
    const Character chain = baked(built(test::swinging_chain()), settings);
    ASSERT_EQ(chain.sockets().size(), 1u);
    Tried all = tried(chain, 40, 13);
    const double beyond = carried_reach(chain, SocketId(0), 3.0017);
    EXPECT_LT(beyond, 3.2);
    for (Moment& moment : all.moments) {
      const glm::dmat4 place = socket_place(chain, moment.who.play, SocketId(0), kNow).value().matrix;
      moment.surface.clear();
      for (const glm::vec3& p : prop.positions) moment.surface.emplace_back(place * glm::dvec4(glm::dvec3(p), 1.0));
      moment.box.min -= beyond;
      moment.box.max += beyond;
    }
    auto renderer = CharacterRenderer::create(context(), {.targets = test::OwnRenderer::targets()}).value();
    ASSERT_TRUE(renderer.add(chain));
    ASSERT_TRUE(renderer.add_prop(prop, ModelId(), SocketId(0)));
    test::OwnRenderer own(context());
    const Camera& camera = own.camera;
    const test::EdgedView view =
        test::eye_view(camera.eye, camera.target - camera.eye, camera.vertical_fov_degrees, 1.0);
    for (const bool inside : {true, false}) {
      test::Cast cast;
      for (const test::Edge& edge : view.edges)
        for (const PosedSurface& pose : all.poses) cast.add(placed(pose, edge, inside).who);
      ASSERT_TRUE(renderer.set_instances(ModelId(), cast.instances, cast.plays));
      own.draw(renderer, kNow);
      EXPECT_EQ(renderer.far_counts().in_picture, inside ? cast.size() : 0u) << name_of(encoding);
      const Bounds bounds = renderer.bounds();
      for (std::size_t i = 0; i < cast.size(); ++i) {
        const Moment& moment = *all.poses[i % all.poses.size()].moment;
        for (const glm::dvec3& point : moment.surface) {
          const glm::dvec3 at(world_from_model(cast.instances[i]) * glm::dvec4(point, 1.0));
          const glm::dvec3 off = glm::max(bounds.min - at, at - bounds.max);
          ASSERT_LE(std::max({off.x, off.y, off.z}), 1e-4) << "shadows are fitted to it";
        }
      }
    }
  }
}

// Some of each kind around the sides of what a camera sees, with as much inside as takes a few pixels.
test::Cast cast_around(const Camera& camera, double aspect, const Tried& all) {
  const glm::dvec3 along = glm::normalize(camera.target - camera.eye);
  const test::EdgedView view = test::eye_view(camera.eye, along, camera.vertical_fov_degrees, aspect);
  test::Cast cast;
  for (std::size_t i = 0; i < all.poses.size(); i += 3)
    for (std::size_t side = 0; side < 4; ++side) {
      const test::Edge& edge = view.edges[side];
      test::TestCharacter who = placed(all.poses[i], edge, true).who;
      const double aside = static_cast<double>(i) / static_cast<double>(all.poses.size()) - 0.5;
      who.instance.position += glm::vec3(0.15 * edge.inwards + 3.0 * aside * glm::cross(edge.inwards, along));
      who.play.identity = static_cast<std::uint32_t>(cast.size() + 1);
      cast.add(who);
    }
  return cast;
}

// The sun's shadows of those who are not in the picture fall into it, too.
TEST_F(FarEdges, ShowInPicturesAndShadowsWhatIsThereWithoutCulling) {
  constexpr Camera kCamera{{0.0, 3.0, 9.0}, {0.0, 1.0, 0.0}, 40.0};
  const Character chain = baked(built(test::swinging_chain()), plainly(Encoding::localv, 10.0));
  const Tried all = tried(chain, 40, 11);
  auto scene = SceneRenderer::create(context(), test::small_scene()).value();
  ASSERT_TRUE(scene.add(chain));
  const Image nobody = scene.render(kCamera, kNow).value();
  const test::Cast cast = cast_around(kCamera, 1.5, all);
  ASSERT_TRUE(scene.set_instances(ModelId(), cast.instances, cast.plays));
  scene.set_detail(false, 1.0f, 0.0f, 0);
  const Image whole = scene.render(kCamera, kNow).value();
  scene.set_detail(true, 1.0f, 0.0f, 0);
  EXPECT_EQ(scene.render(kCamera, kNow)->rgba, whole.rgba);
  std::size_t different = 0;
  for (std::size_t i = 0; i < whole.rgba.size(); i += 4) different += whole.rgba[i] != nobody.rgba[i] ? 1 : 0;
  EXPECT_GT(different, 300u) << "for it to mean something";
}

TEST_F(FarEdges, ShowInMotionVectorsWhatIsThereWithoutCulling) {
  const Character chain = baked(built(test::swinging_chain()), plainly(Encoding::localv, 10.0));
  const Tried all = tried(chain, 40, 12);
  auto renderer = CharacterRenderer::create(context(), {.targets = test::OwnRenderer::targets(true)}).value();
  ASSERT_TRUE(renderer.add(chain));
  test::OwnRenderer own(context(), true);
  const auto drawn = [&](bool culling) {
    own.culling = culling;
    test::Cast cast = cast_around(own.camera, 1.0, all);
    for (const float moved : {0.0f, 0.1f}) {
      for (InstanceRecord& instance : cast.instances) instance.position.y += moved;
      EXPECT_TRUE(renderer.set_instances(ModelId(), cast.instances, cast.plays));
      own.draw(renderer, kNow);
    }
    return std::vector<glm::vec2>(own.motion().begin(), own.motion().end());
  };
  const std::vector<glm::vec2> whole = drawn(false);
  EXPECT_EQ(drawn(true), whole);
  EXPECT_GT(std::ranges::count_if(whole, [](const glm::vec2& motion) { return motion.y != 0.0f; }), 200);
}

}  // namespace
}  // namespace throng
