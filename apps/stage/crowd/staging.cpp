// SPDX-License-Identifier: Apache-2.0
#include "crowd/staging.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "crowd/crowding.h"
#include "crowd/scatter.h"
#include "throng/base/try.h"

using namespace throng;

namespace {

constexpr double kPersonHeight = 1.8;                // metres
constexpr double kSmallest = 0.94, kLargest = 1.06;  // of its model's size
constexpr double kCloseRoom = 0.36;                  // of the height: nobody stands closer to another
constexpr double kUsualSize = 0.9;                   // metres: of a footprint that the square is laid out for
constexpr double kFastest = 4.0;                     // metres a second: of a procession
constexpr std::uint32_t kShownClose = 3;             // of a few, in a close view
constexpr std::uint32_t kPilot = 1500;               // people enough to tell how close they stand

// One of the cast.
struct Act {
  Person person;  // at, in metres
  double scale = 1.0;
  Play play = {};
  std::optional<Walker> walker = {};
};

glm::quat yaw(double radians) {
  return {static_cast<float>(std::cos(radians / 2.0)), 0.0f, static_cast<float>(std::sin(radians / 2.0)), 0.0f};
}

// What a model takes of the ground in a clip, in metres of the picture.
Footprint footprint_in(const Troupe& troupe, const Player& player, ClipId clip) {
  return player.measures.clips[clip.value].footprint.scaled(player.scale / troupe.metre);
}

Play own_play(const Character& model, ClipId id, Scatter& scatter) {
  const BakedClip& clip = model.clips()[id.value];
  const double speed = scatter.between(0.85, 1.15);
  // One that stops is found anywhere between its first frame and a while after its last.
  const double cycles = clip.loops ? scatter.unit() : scatter.between(0.0, 1.5);
  return {id, speed, cycles * clip.length};
}

// Of all models as they stand: the side of a square as large as the largest one's.
double usual_size(const Troupe& troupe) {
  double size = 0.0;
  for (const Player& player : troupe.players) {
    const glm::dvec2 sides = footprint_in(troupe, player, player.only.value_or(player.families.calm())).size();
    size = std::max(size, std::sqrt(sides.x * sides.y));
  }
  return size;
}

class Casting {
 public:
  Casting(const Troupe& troupe, const CastSettings& settings, View view, double aspect)
      : troupe_(troupe),
        settings_(settings),
        view_(view),
        aspect_(aspect),
        scatter_(settings.seed),
        spread_(std::clamp(usual_size(troupe) / kUsualSize, 1.0, 5.0)) {}

  Result<Staged> run() {
    Staged staged;
    staged.look = stage_look(troupe_, view_, settings_.count);
    std::vector<ClosedPath> lanes;
    std::vector<Act> acts;
    if (settings_.count == 1) {
      acts = {alone()};
    } else if (settings_.count < kEnoughToFill) {
      acts = a_few();
    } else {
      acts = many(staged, lanes);
    }
    if (settings_.count < kEnoughToFill) staged.camera = camera_for(acts);
    staged.camera.eye *= troupe_.metre;
    staged.camera.target *= troupe_.metre;
    staged.camera.eye.y += troupe_.ground;
    staged.camera.target.y += troupe_.ground;
    staged.procession = Procession(std::move(lanes), spread_ * troupe_.metre);
    THRONG_CHECK(fill(acts, staged));
    return staged;
  }

 private:
  const Player& player_of(const Person& person) const { return troupe_.players[person.kind]; }

  // Says who somebody is, and takes the room of one who is large.
  Footprint enlist(Person& person) {
    person.kind = scatter_.below(troupe_.players.size());
    const Player& player = player_of(person);
    const ClipId own = player.families.clip_for(person.part, person.company, scatter_);
    person.clip = player.only.value_or(own);
    return footprint_in(troupe_, player, person.clip).scaled(kLargest);
  }

  Act alone() {
    Act act;
    act.person.part = Part::posing;
    const Player& player = troupe_.players.front();
    act.person.clip = player.only.value_or(player.families.calm());
    act.play = {act.person.clip, 1.0, 0.0};
    return act;
  }

  // In loose rows, each in a cell as large as what any of them takes.
  std::vector<Act> a_few() {
    std::vector<Act> acts(settings_.count);
    std::vector<Footprint> footprints;
    glm::dvec2 cell(0.8, kCloseRoom * kPersonHeight);
    for (std::uint32_t i = 0; i < settings_.count; ++i) {
      acts[i].person.part = Part::posing;
      acts[i].person.company = i * 5;  // neighbours wear different things
      footprints.push_back(enlist(acts[i].person));
      // Long ones turn less to the side.
      const glm::dvec2 size = footprints.back().size();
      const double most = 0.35 * std::min(1.0, size.x / std::max(size.y, 1e-6));
      const double angle = scatter_.between(-most, most);
      acts[i].person.facing = {std::sin(angle), std::cos(angle)};
      const GroundBox box{{}, acts[i].person.facing, 0.5 * size};
      cell = glm::max(cell, 2.0 * glm::dvec2(box.along({1.0, 0.0}), box.along({0.0, 1.0})) + 0.06);
      acts[i].scale = scatter_.between(kSmallest, kLargest);
      acts[i].play = own_play(player_of(acts[i].person).character, acts[i].person.clip, scatter_);
    }
    place_in_rows(acts, footprints, cell, best_columns(acts, footprints, cell));
    return acts;
  }

  // So many abreast that most is seen of everybody.
  std::uint32_t best_columns(std::vector<Act>& acts, const std::vector<Footprint>& footprints, const glm::dvec2& cell) {
    if (view_ == View::close) return std::min(settings_.count, kShownClose);
    std::uint32_t best = 1;
    double most = 0.0;
    for (std::uint32_t columns = 1; columns <= settings_.count; ++columns) {
      place_in_rows(acts, footprints, cell, columns);
      std::vector<Bounds> boxes;
      for (const Act& act : acts) boxes.push_back(box_around(act));
      const double seen = seen_of_all(boxes, camera_for(acts), aspect_);
      if (seen <= most) continue;
      most = seen;
      best = columns;
    }
    return best;
  }

  static void place_in_rows(std::vector<Act>& acts, const std::vector<Footprint>& footprints, const glm::dvec2& cell,
                            std::uint32_t columns) {
    const auto count = static_cast<std::uint32_t>(acts.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t row = i / columns;
      const std::uint32_t abreast = std::min(columns, count - row * columns);
      // A full row stands in the gaps of the one before it; what is left over stands in the middle.
      const double shift = abreast < columns || count == columns ? 0.0 : row % 2 == 0 ? -0.25 : 0.25;
      const double column = i % columns - 0.5 * (abreast - 1) + shift;
      const GroundBox box = ground_box(glm::dvec2(0.0), acts[i].person.facing, footprints[i]);
      acts[i].person.at = glm::dvec2(cell.x * column, -cell.y * row) - box.centre;
    }
  }

  Camera camera_for(const std::vector<Act>& acts) const {
    const Angle angle = angle_for(view_, settings_.count);
    // A close view is of those in front.
    const std::size_t shown = view_ == View::close ? std::min<std::size_t>(acts.size(), kShownClose) : acts.size();
    std::vector<Bounds> boxes;
    for (std::size_t i = 0; i < shown; ++i) boxes.push_back(box_around(acts[i]));
    return fit_camera(boxes, aspect_, angle.yaw, angle.pitch, angle.fov, angle.margins);
  }

  Bounds box_around(const Act& act) const {
    const Player& player = player_of(act.person);
    const ClipMeasures& clip = player.measures.clips[act.person.clip.value];
    const double unit = act.scale * player.scale / troupe_.metre;
    const Footprint footprint = clip.footprint.scaled(unit);
    const GroundBox box = ground_box(act.person.at, act.person.facing, footprint);
    const double ground = player.measures.stature.ground - clip.raised;
    Bounds bounds;
    for (const double height : {std::max(clip.lowest - ground, 0.0), clip.highest - ground})
      for (const double left : {-1.0, 1.0})
        for (const double front : {-1.0, 1.0}) {
          const glm::dvec2 corner = box.corner(left, front);
          bounds.add({corner.x, height * unit, corner.y});
        }
    return bounds;
  }

  bool has_procession() const { return settings_.count >= kEnoughForASquare && view_ != View::close; }

  const Player& player_of_lane(std::size_t lane) const { return troupe_.players[lane % troupe_.players.size()]; }

  // What one who walks takes, in the metres of the square.
  Footprint walking_footprint(const Player& player) const {
    Footprint all;
    std::vector<ClipId> clips = player.families.walking();
    if (player.only) clips = {*player.only};
    for (const ClipId clip : clips) all.add(footprint_in(troupe_, player, clip).scaled(kLargest / spread_));
    return all;
  }

  // A lane for each model, two at least.
  LanePlan lane_plan() const {
    std::vector<Footprint> walkers(std::clamp<std::size_t>(troupe_.players.size(), 2, 4));
    for (std::size_t lane = 0; lane < walkers.size(); ++lane) walkers[lane] = walking_footprint(player_of_lane(lane));
    return plan_lanes(walkers);
  }

  // The square's own metres are `spread_` of the picture's.
  SquareSettings square_settings(const Composition& composition, const LanePlan& plan, std::uint32_t count) const {
    SquareSettings square{.count = count, .seed = settings_.seed, .region = composition.region};
    square.region.front_half /= spread_;
    square.room = kCloseRoom * kPersonHeight;
    if (!has_procession()) return square;
    square.way_half = plan.half;
    square.walkers_a_metre = plan.walkers_a_metre();
    return square;
  }

  // People to a square metre of the picture, all told.
  double density_in(const Composition& composition, const LanePlan& plan) {
    const std::uint32_t count = std::min(settings_.count, kPilot);
    const SquareSettings settings = square_settings(composition, plan, count);
    const double depth = place_square(settings).depth;
    const double ground = 2.0 * depth * settings.region.front_half + settings.region.opening * depth * depth;
    return count / std::max(ground * spread_ * spread_, 1e-6);
  }

  Square place_square(const SquareSettings& settings) {
    return people_on_square(settings, [this](Person& person) {
      if (!has_procession()) pose(person);
      return enlist(person).scaled(1.0 / spread_);
    });
  }

  // Where nothing else goes on they look at the camera.
  void pose(Person& person) {
    person.part = Part::posing;
    person.company = scatter_.below(1000);
    const double angle = scatter_.between(-0.5, 0.5);
    person.facing = {std::sin(angle), std::cos(angle)};
  }

  std::vector<Act> many(Staged& staged, std::vector<ClosedPath>& lanes) {
    const LanePlan plan = lane_plan();
    // How close they stand depends on the ground they are given, and that on how close they stand: a few rounds agree.
    Composition composition = compose(view_, settings_.count, 1.0, aspect_);
    for (int round = 0; round < 3; ++round)
      composition = compose(view_, settings_.count, density_in(composition, plan), aspect_);
    staged.camera = composition.camera;
    scatter_ = Scatter(settings_.seed);
    const Square square = place_square(square_settings(composition, plan, settings_.count));
    std::vector<Act> acts;
    acts.reserve(settings_.count);
    for (const Person& person : square.people) {
      Act& act = acts.emplace_back();
      act.person = person;
      act.person.at *= spread_;
      act.scale = scatter_.between(kSmallest, kLargest);
      act.play = own_play(player_of(person).character, person.clip, scatter_);
    }
    if (has_procession()) add_procession(composition, plan, square.depth, acts, lanes);
    return acts;
  }

  void add_procession(const Composition& composition, const LanePlan& plan, double depth, std::vector<Act>& acts,
                      std::vector<ClosedPath>& lanes) {
    const auto left = static_cast<std::uint32_t>(settings_.count - acts.size());
    // Out of the picture they turn about where nobody sees it; in a view of everything, on the square.
    const double near = view_ == View::above ? -plan.half : composition.near / spread_;
    // As deep as the square, or deeper where they need it.
    std::vector<double> room;
    // Not in steps from where persons fit to where something as large as numbers go does.
    double least = depth;
    for (const Lane& lane : plan.lanes) least = std::max(least, lane.spacing);
    for (double far = least; lanes.empty(); far *= 1.1) {
      room.clear();
      for (const Lane& lane : plan.lanes) room.push_back(lane_path(lane.aside, near, far).length() / lane.spacing);
      if (std::accumulate(room.begin(), room.end(), -static_cast<double>(room.size())) < left) continue;
      for (const Lane& lane : plan.lanes) lanes.push_back(lane_path(lane.aside, near, far));
    }
    const double all = std::accumulate(room.begin(), room.end(), 0.0);
    double gone = 0.0;
    std::uint32_t placed = 0;
    for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
      gone += room[lane];
      const auto until = static_cast<std::uint32_t>(std::lround(left * gone / all));
      const double spacing = plan.lanes[lane].spacing;
      add_lane(lane, lanes[lane], lane_places(lanes[lane].length(), until - placed, spacing, settings_.seed + lane),
               acts);
      placed = until;
    }
  }

  // All of a lane are of one model and equally fast.
  void add_lane(std::uint32_t lane, const ClosedPath& path, const std::vector<double>& places, std::vector<Act>& acts) {
    const auto kind = static_cast<std::uint32_t>(lane % troupe_.players.size());
    const Player& player = player_of_lane(lane);
    const double metres = player.scale / (troupe_.metre * spread_);  // of the square, a unit of the model
    const double fastest = kFastest / spread_;
    const double natural = walking_speed(player) * metres;
    const double speed = std::min(natural * (1.0 + 0.04 * (lane % 2)), fastest);
    for (const double place : places) {
      Act& act = acts.emplace_back();
      act.person.part = Part::procession;
      act.person.kind = kind;
      act.person.clip = player.only.value_or(player.families.clip_for(Part::procession, 0, scatter_));
      act.scale = scatter_.between(kSmallest, kLargest);
      act.play = own_play(player.character, act.person.clip, scatter_);
      const BakedClip& clip = player.character.clips()[act.person.clip.value];
      Walker walker{.lane = lane, .start = place, .gait = player.measures.clips[act.person.clip.value].gait};
      walker.unit = metres * act.scale;
      const double own = speed_of(walker.gait, clip) * walker.unit;
      if (own > 0.0) {
        act.play.speed = speed / own;
        act.play.mode = PlayMode::loop;
        walker.cycles = act.play.offset / clip.length;
        walker.rate = act.play.speed / clip.length;
      } else {
        walker.gait = {.ahead = player.measures.forward};
      }
      act.person.at = path.at(place) * spread_;
      act.person.facing = path.ahead(place);
      act.walker = walker;
    }
  }

  // The mean of its walks, in its own units a second.
  double walking_speed(const Player& player) const {
    std::vector<ClipId> clips = player.families.walking();
    if (player.only) clips = {*player.only};
    double sum = 0.0, count = 0.0;
    for (const ClipId clip : clips) {
      const double speed = speed_of(player.measures.clips[clip.value].gait, player.character.clips()[clip.value]);
      if (speed <= 0.0) continue;
      sum += speed;
      count += 1.0;
    }
    return count > 0.0 ? sum / count : 0.0;
  }

  Result<void> fill(const std::vector<Act>& acts, Staged& staged) {
    std::vector<ModelId> ids;
    for (const Player& player : troupe_.players) ids.push_back(staged.crowd.add(player.character));
    for (const ModelId id : ids) staged.crowd.reserve(id, acts.size() / ids.size());
    for (const Act& act : acts) {
      const Player& player = player_of(act.person);
      const auto number = static_cast<std::uint32_t>(staged.crowd.size() + 1);
      Spawn spawn{.model = ids[act.person.kind], .play = act.play};
      const double scale = act.scale * player.scale;
      const glm::dvec2 at = act.person.at * troupe_.metre;
      const glm::dvec2 looks = player.measures.forward, facing = act.person.facing;
      spawn.placement.position = glm::vec3(at.x, troupe_.floor_of(player, act.person.clip, scale), at.y);
      spawn.placement.rotation = yaw(std::atan2(facing.x, facing.y) - std::atan2(looks.x, looks.y));
      spawn.placement.scale = static_cast<float>(scale);
      if (act.walker) spawn.placement = staged.procession.place_of(*act.walker, 0.0, spawn.placement);
      const bool dressed = settings_.count > 1;
      const Tinting tinting = tinting_for(player.character, settings_.tinting);
      spawn.look = look_of(player.character, tinting, act.person, dressed ? number : 0, scatter_);
      if (dressed) spawn.look.parts = dressed_parts(player.character.part_groups(), settings_.seed + number);
      THRONG_TRY(const InstanceId id, staged.crowd.add(spawn, 0));
      staged.people.push_back(id);
      if (act.walker && act.walker->rate > 0.0) staged.procession.add(*act.walker, id, spawn.placement);
    }
    return {};
  }

  const Troupe& troupe_;
  const CastSettings& settings_;
  View view_;
  double aspect_;
  Scatter scatter_;
  double spread_;  // how much wider than for people everything is laid out, in metres
};

}  // namespace

double metre_of(const Character& model) { return stature_of(model).metre(); }

double ground_of(const Character& model) { return stature_of(model).ground; }

Result<Staged> stage_crowd(const Troupe& troupe, const CastSettings& settings, View view, double aspect) {
  return Casting(troupe, settings, view, aspect).run();
}

Result<Crowd> cast_crowd(const Character& model, const CastSettings& settings) {
  Troupe troupe = make_troupe({model});
  troupe.players.front().only = settings.clip;
  THRONG_TRY(Staged staged, stage_crowd(troupe, settings, View::crowd, 16.0 / 9.0));
  return std::move(staged.crowd);
}

SceneLook stage_look(const Troupe& troupe, View view, std::uint32_t count) {
  SceneLook look;
  look.metre = static_cast<float>(troupe.metre);
  look.ground_height = static_cast<float>(troupe.ground);
  if (view != View::sheet) {
    look.fog_start = 25.0f;
    look.fog_end = 260.0f;
  }
  if (view == View::close || view == View::sheet || count < kEnoughForASquare) return look;
  // Late in the day, against the light: long shadows come towards the camera, and edges glow.
  look.sun_direction = {-0.84f, 0.34f, -0.42f};
  look.sun_colour = {8.2f, 4.7f, 1.95f};
  look.sky_colour = {0.30f, 0.38f, 0.60f};
  look.bounce_colour = {0.36f, 0.25f, 0.17f};
  look.ground_albedo = {0.40f, 0.37f, 0.34f};
  look.zenith_colour = {0.06f, 0.17f, 0.50f};
  look.horizon_colour = {1.05f, 0.76f, 0.58f};
  look.rim = 1.2f;
  look.exposure = 0.88f;
  look.clouds = 0.6f;
  if (view == View::above) look.fog_start = look.fog_end = 0.0f;  // no distance to lose itself in
  if (view == View::above) return look;
  look.fog_start = 40.0f;
  look.fog_end = 300.0f;
  return look;
}
