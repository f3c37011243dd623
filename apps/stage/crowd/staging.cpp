// SPDX-License-Identifier: Apache-2.0
#include "crowd/staging.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "crowd/families.h"
#include "crowd/scatter.h"
#include "crowd/square.h"

using namespace throng;

namespace {

constexpr double kPersonHeight = 1.8;  // metres
constexpr std::uint32_t kEnoughForASquare = 200;

// Warm whites and clays with a few strong colours: reads as one crowd, and no two neighbours alike.
constexpr std::array<Tint, 12> kTints{{{236, 228, 214, 255},
                                       {224, 205, 178, 255},
                                       {205, 184, 160, 255},
                                       {188, 196, 200, 255},
                                       {232, 141, 92, 255},
                                       {214, 92, 78, 255},
                                       {240, 186, 92, 255},
                                       {96, 150, 160, 255},
                                       {70, 104, 138, 255},
                                       {128, 158, 118, 255},
                                       {168, 130, 158, 255},
                                       {92, 90, 98, 255}}};

// A texture has colours of its own: the tint only leans on them.
Tint lighter(const Tint& tint) {
  const auto lift = [](std::uint8_t channel) { return static_cast<std::uint8_t>(255 - (255 - channel) / 3); };
  return {lift(tint.red), lift(tint.green), lift(tint.blue), tint.alpha};
}

glm::quat yaw(double radians) {
  return {static_cast<float>(std::cos(radians / 2.0)), 0.0f, static_cast<float>(std::sin(radians / 2.0)), 0.0f};
}

Bounds standing_bounds(const Character& model) {
  Bounds standing;
  for (const BakedVertex& vertex : model.vertices()) standing.add(glm::dvec3(vertex.position));
  return standing;
}

// Room one character takes on the ground when it stands; a clip that falls over may reach into its neighbour's.
double elbow_room(const Character& model) {
  const glm::dvec3 size = standing_bounds(model).size();
  return std::max({size.x, size.z, 0.35 * size.y});
}

// The same among people who stand close, with arms that hang down whatever the pose their model was bound in.
double close_room(const Character& model) {
  const glm::dvec3 size = standing_bounds(model).size();
  return std::max({std::min(size.x, 0.38 * size.y), size.z, 0.36 * size.y});
}

Play own_play(const Character& model, ClipId id, Scatter& scatter) {
  const BakedClip& clip = model.clips()[id.value];
  const double speed = scatter.between(0.85, 1.15);
  // One that stops is found anywhere between its first frame and a while after its last.
  const double turns = clip.loops ? scatter.unit() : scatter.between(0.0, 1.5);
  return {id, speed, turns * clip.length};
}

// The procession's reds and golds run through a crowd in stone, sand and slate: one strong colour, and a way to follow.
constexpr std::array<Tint, 6> kProcessionTints{{{226, 60, 38, 255},
                                                {236, 92, 36, 255},
                                                {244, 128, 40, 255},
                                                {248, 166, 58, 255},
                                                {206, 42, 52, 255},
                                                {250, 196, 92, 255}}};
constexpr std::array<Tint, 9> kCrowdTints{{{232, 224, 210, 255},
                                           {214, 200, 180, 255},
                                           {190, 176, 160, 255},
                                           {160, 158, 156, 255},
                                           {122, 132, 146, 255},
                                           {86, 104, 132, 255},
                                           {60, 74, 104, 255},
                                           {84, 82, 88, 255},
                                           {148, 128, 112, 255}}};
constexpr std::array<Tint, 4> kDancerTints{
    {{244, 240, 230, 255}, {52, 150, 160, 255}, {248, 190, 84, 255}, {36, 112, 132, 255}}};
constexpr std::array<Tint, 3> kAccentTints{{{52, 128, 138, 255}, {196, 96, 62, 255}, {214, 168, 84, 255}}};

Tint tint_of(const Person& person, Scatter& scatter) {
  if (person.part == Part::procession) return kProcessionTints[scatter.below(kProcessionTints.size())];
  if (person.part == Part::dancer) return kDancerTints[(person.company + scatter.below(2)) % kDancerTints.size()];
  if (scatter.chance(0.06)) return kAccentTints[person.company % kAccentTints.size()];
  // People who belong together dress alike, more or less.
  if (person.part == Part::group && scatter.chance(0.5)) return kCrowdTints[person.company % kCrowdTints.size()];
  return kCrowdTints[scatter.below(kCrowdTints.size())];
}

// What one of the cast does.
struct Act {
  Placement placement;
  Play play;
  Tint tint;
};

// In loose rows, twice as wide as deep.
std::vector<Act> small_cast(const Character& model, const CastSettings& settings, Scatter& scatter) {
  std::vector<Act> acts(settings.count);
  const double room = 1.08 * elbow_room(model);
  const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(2.0 * settings.count)));
  for (std::uint32_t i = 0; i < settings.count; ++i) {
    const std::uint32_t row = i / columns;
    const double column = i % columns + (row % 2 == 0 ? 0.0 : 0.5) - 0.5 * columns;
    Act& act = acts[i];
    act.placement.position.x = static_cast<float>(room * (column + scatter.between(-0.12, 0.12)));
    act.placement.position.z = static_cast<float>(-room * (row + scatter.between(-0.12, 0.12)));
    act.placement.rotation = yaw(scatter.between(-0.45, 0.45));
    const ClipId any(scatter.below(model.clips().size()));
    act.play = own_play(model, settings.clip.value_or(any), scatter);
    act.tint = kTints[scatter.below(kTints.size())];
  }
  return acts;
}

std::vector<Act> square_cast(const Character& model, const CastSettings& settings, Scatter& scatter) {
  const double metre = metre_of(model);
  const ClipFamilies families(model);
  std::vector<Act> acts;
  acts.reserve(settings.count);
  for (const Person& person : people_on_square(settings.count, close_room(model) / metre, settings.seed)) {
    Act act;
    act.placement.position = glm::vec3(metre * person.at.x, 0.0, metre * person.at.y);
    act.placement.rotation = yaw(std::atan2(person.facing.x, person.facing.y));
    const ClipId own = families.clip_for(person.part, person.company, scatter);
    act.play = own_play(model, settings.clip.value_or(own), scatter);
    act.tint = tint_of(person, scatter);
    acts.push_back(act);
  }
  return acts;
}

std::vector<Act> cast_of(const Character& model, const CastSettings& settings) {
  Scatter scatter(settings.seed);
  if (settings.count == 1) return {Act{{}, {settings.clip.value_or(ClipId()), 1.0, 0.0}, kTints[0]}};
  std::vector<Act> acts =
      settings.count < kEnoughForASquare ? small_cast(model, settings, scatter) : square_cast(model, settings, scatter);
  for (Act& act : acts) {
    act.placement.scale = static_cast<float>(scatter.between(0.94, 1.06));
    if (!model.images().empty()) act.tint = lighter(act.tint);
  }
  return acts;
}

}  // namespace

double metre_of(const Character& model) {
  const glm::dvec3 size = standing_bounds(model).size();
  const double height = size.y > 0.1 * std::max(size.x, size.z) ? size.y : std::max(size.x, size.z);
  return height > 0.0 ? height / kPersonHeight : 1.0;
}

double ground_of(const Character& model) {
  const Bounds standing = standing_bounds(model);
  // Soles and claws that sink in a little are drawn so.
  const bool sinks_in = standing.min.y >= -0.03 * standing.size().y;
  return sinks_in ? 0.0 : standing.min.y;
}

Result<Crowd> cast_crowd(const Character& model, const CastSettings& settings) {
  Crowd crowd(model);
  crowd.reserve(crowd.add(model), settings.count);
  for (const Act& act : cast_of(model, settings)) {
    const auto variation = static_cast<std::uint32_t>(crowd.size() + 1);
    const Look look{.tint = act.tint,
                    .variation = variation,
                    .parts = dressed_parts(model.part_groups(), settings.seed + variation)};
    const Spawn spawn{.placement = act.placement, .play = act.play, .look = look};
    if (auto added = crowd.add(spawn, 0); !added) return fail(std::move(added));
  }
  return crowd;
}

Result<Crowd> cast_sheet(const Character& model, ClipId clip) {
  const BakedClip& shown = model.clips()[clip.value];
  const glm::dvec3 size = shown.bounds.size();
  const double width = 1.1 * size.x;
  const double depth = 1.1 * (size.z + 0.4 * size.y);
  // Wider than deep: seen from above at an angle, depth is foreshortened.
  const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(1.2 * shown.frame_count * depth / width)));
  Crowd crowd(model);
  for (std::uint32_t frame = 0; frame < shown.frame_count; ++frame) {
    const double time = shown.rate() > 0.0 ? frame / shown.rate() : 0.0;
    Placement placement;
    const std::uint32_t row = frame / columns;
    placement.position.x = static_cast<float>(width * (frame - row * columns));
    placement.position.z = static_cast<float>(depth * row);
    Tint tint = kTints[frame % 2];
    if (!model.images().empty()) tint = {};
    if (auto added = crowd.add({.placement = placement, .play = {clip, 0.0, time}, .look = {.tint = tint}}, 0); !added)
      return fail(std::move(added));
  }
  return crowd;
}

Camera stage_camera(const Character& model, const Bounds& crowd, View view, double aspect) {
  const double metre = metre_of(model);
  if (view == View::close) return frame_bounds(crowd, aspect, 28.0, 6.0, 24.0);
  if (view == View::sheet) return frame_bounds(crowd, aspect, 0.0, 30.0, 14.0);
  if (view == View::above) return frame_bounds(crowd, aspect, 20.0, 38.0, 30.0);
  if (crowd.size().x < 24.0 * metre) return frame_bounds(crowd, aspect, 24.0, 14.0, 30.0);
  // A long lens from a first floor: the near ones to look at, and the way through all of them to the horizon.
  Camera camera;
  camera.vertical_fov_degrees = 23.0;
  camera.eye = {crowd.centre().x + 2.0 * metre, crowd.min.y + 8.0 * metre, crowd.max.z + 13.5 * metre};
  camera.target = {crowd.centre().x - 0.8 * metre, crowd.min.y, crowd.max.z - 25.0 * metre};
  return camera;
}

SceneLook stage_look(const Character& model, View view, std::uint32_t count) {
  SceneLook look;
  look.metre = static_cast<float>(metre_of(model));
  look.ground_height = static_cast<float>(ground_of(model));
  if (view != View::crowd || count < kEnoughForASquare) return look;
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
  look.fog_start = 40.0f;
  look.fog_end = 300.0f;
  return look;
}
