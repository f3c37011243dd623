// SPDX-License-Identifier: Apache-2.0
#include "crowd/measures.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "crowd/families.h"
#include "throng/math/directions.h"
#include "throng/playback/controller.h"
#include "throng/playback/deform.h"

using namespace throng;

namespace {

constexpr double kPersonHeight = 1.8;  // metres
// Share of its length: an animal counts as at least this tall.
constexpr double kTallForItsLength = 0.45;
// Share of a surface cut off on each side: a sword's tip, a finger. What lies farther out does not widen a footprint.
constexpr double kTrim = 0.01;
constexpr std::uint32_t kFootprintPoses = 12;
constexpr std::uint32_t kGaitPoses = 64;
constexpr std::size_t kMostVertices = 4000;     // that are looked at
constexpr std::size_t kMostMoved = 40'000'000;  // that are moved, all in all
constexpr double kTouches = 0.015;              // of the height: what is no higher touches the ground
constexpr double kTravels = 0.25;               // of the height: what goes no farther in a cycle stays
constexpr double kSteady = 0.25;                // of what touches the ground: so much must be feet that stand
constexpr double kStandsStill = 0.1;            // of the height, a second: slower feet stand
constexpr double kSinks = 0.03;                 // of the height: soles and claws sink in no deeper
constexpr double kBuried = 0.06;                // of the surface: less of it, as a sword that hangs low, is drawn so
constexpr double kSwims = 0.8;                  // of the size, a second: what has no feet on the ground and goes

// A model's surface at moments of its clips.
class Poses {
 public:
  explicit Poses(const Character& model)
      : model_(model), deformer_(model), controller_(model), positions_(model.vertices().size()) {
    choose_vertices();
  }

  // `phase`: 0 is a clip's first frame, 1 where it begins anew, or its last.
  std::span<const glm::dvec3> at(std::uint32_t clip, double phase) {
    static_cast<void>(controller_.play({ClipId(clip), 0.0, phase * model_.clips()[clip].length}));
    if (!deformer_.run(controller_.record(), controller_.now(), {.positions = positions_})) return {};
    for (std::size_t i = 0; i < chosen_.size(); ++i) looked_at_[i] = glm::dvec3(positions_[chosen_[i]]);
    return looked_at_;
  }

  // How much of the surface each stands for; they sum to one.
  std::span<const double> weights() const { return weights_; }

 private:
  // Some of those that are usually worn.
  void choose_vertices() {
    const PartMask worn = usual_parts(model_.part_groups());
    const auto parts = model_.vertex_parts();
    std::vector<double> areas(positions_.size(), 0.0);
    for (const BakedDraw& draw : model_.draws())
      for (std::uint32_t i = draw.first_index; i + 2 < draw.first_index + draw.index_count; i += 3) {
        const std::span<const std::uint32_t> corner = model_.indices().subspan(i, 3);
        const auto at = [&](std::size_t c) { return glm::dvec3(model_.vertices()[corner[c]].position); };
        const double area = glm::length(glm::cross(at(1) - at(0), at(2) - at(0))) / 6.0;
        for (const std::uint32_t vertex : corner)
          if (parts.empty() || worn.has(PartId(parts[vertex]))) areas[vertex] += area;
      }
    for (std::size_t i = 0; i < areas.size(); ++i) {
      if (areas[i] > 0.0) chosen_.push_back(i);
    }
    // By where they are: levels of detail put vertices in another order, and the crowd should be the same.
    std::ranges::sort(chosen_, {}, [&](std::size_t i) {
      const glm::vec3& at = model_.vertices()[i].position;
      return std::tuple(at.x, at.y, at.z, areas[i], i);
    });
    const std::size_t step = chosen_.size() / kMostVertices + 1;
    std::size_t left = 0;
    for (std::size_t i = 0; i < chosen_.size(); i += step) chosen_[left++] = chosen_[i];
    chosen_.resize(left);
    for (std::size_t i = 0; left == 0 && i < areas.size(); ++i) {
      chosen_.push_back(i);
      areas[i] = 1.0;
    }
    double sum = 0.0;
    for (const std::size_t i : chosen_) sum += areas[i];
    for (const std::size_t i : chosen_) weights_.push_back(areas[i] / sum);
    looked_at_.resize(chosen_.size());
  }

  const Character& model_;
  Deformer deformer_;
  Controller controller_;
  std::vector<glm::vec3> positions_;
  std::vector<std::size_t> chosen_;
  std::vector<double> weights_;
  std::vector<glm::dvec3> looked_at_;
};

glm::dvec2 on_ground(const glm::dvec3& p) { return {p.x, p.z}; }

glm::dvec2 left_of(const glm::dvec2& forward) { return {forward.y, -forward.x}; }

glm::dvec3 middle_of(std::span<const glm::dvec3> pose, std::span<const double> weights) {
  glm::dvec3 sum(0.0);
  for (std::size_t i = 0; i < pose.size(); ++i) sum += weights[i] * pose[i];
  return sum;
}

// Where all of a pose but the outermost hundredth on each side lies along a direction.
std::pair<double, double> extent_along(std::span<const glm::dvec3> pose, std::span<const double> weights,
                                       const glm::dvec2& direction) {
  std::vector<std::pair<double, double>> places;
  places.reserve(pose.size());
  for (std::size_t i = 0; i < pose.size(); ++i)
    places.emplace_back(glm::dot(on_ground(pose[i]), direction), weights[i]);
  std::ranges::sort(places);
  std::size_t first = 0, last = places.size() - 1;
  for (double left = kTrim - places[first].second; left > 0.0 && first < last; left -= places[first].second) ++first;
  for (double left = kTrim - places[last].second; left > 0.0 && last > first; left -= places[last].second) --last;
  return {places[first].first, places[last].first};
}

// How far a clip's poses themselves go from their first to their last, on to where it begins anew.
glm::dvec2 travel_in_poses(Poses& poses, const Character& model, std::uint32_t clip) {
  const BakedClip& played = model.clips()[clip];
  if (played.frame_count < 3 || !played.root_motion.empty()) return glm::dvec2(0.0);
  // The last interval of a loop leads back to its first pose.
  const double frames = played.frame_count;
  const double last = played.loops ? (frames - 1.0) / frames : 1.0;
  const glm::dvec3 from = middle_of(poses.at(clip, 0.0), poses.weights());
  const glm::dvec3 to = middle_of(poses.at(clip, last), poses.weights());
  return on_ground(to - from) / last;
}

// How a piece of the surface moved over the ground while it was on it.
struct Touch {
  glm::dvec2 speed{0.0};  // units a second
  double weight = 0.0;
};

std::vector<Touch> touches_in(Poses& poses, const BakedClip& played, std::uint32_t clip, const Stature& stature) {
  std::vector<Touch> touches;
  const auto count = std::clamp(static_cast<std::uint32_t>(played.length * 40.0), 16u, kGaitPoses);
  // A loop's last frame leads back to its first; one that stops has no such step.
  const double span = played.loops ? 1.0 : 1.0 - 1.0 / count;
  const double seconds = span * played.length / count;
  const double touching = stature.ground + kTouches * stature.height;
  std::vector<glm::dvec3> before;
  for (std::uint32_t i = 0; i <= count; ++i) {
    const auto now = poses.at(clip, std::fmod(span * i / count, 1.0));
    for (std::size_t v = 0; v < before.size(); ++v)
      if (std::max(now[v].y, before[v].y) < touching)
        touches.push_back({on_ground(now[v] - before[v]) / seconds, poses.weights()[v]});
    before.assign(now.begin(), now.end());
  }
  return touches;
}

// Feet that stand are all pushed back at one speed, whatever else brushes the ground: where most of what touches it is
// as fast as the rest of it, give or take, that is how fast the body goes the other way.
struct Stance {
  double speed = 0.0;
  double share = 0.0;  // of all that touches
};
Stance stance_along(const std::vector<Touch>& touches, const glm::dvec2& ahead, double least) {
  constexpr double kSameSpeed = 1.3;            // times the slowest
  constexpr double kAside = 0.4;                // of the speed: what moves more to the side is no stance
  std::vector<std::pair<double, double>> back;  // speed, weight
  double all = 0.0;
  for (const Touch& touch : touches) {
    all += touch.weight;
    const double speed = -glm::dot(touch.speed, ahead);
    if (speed > least && std::abs(glm::dot(touch.speed, left_of(ahead))) < kAside * speed)
      back.emplace_back(speed, touch.weight);
  }
  std::ranges::sort(back);
  Stance best;
  double within = 0.0, moved = 0.0;
  for (std::size_t low = 0, high = 0; low < back.size(); ++low) {
    for (; high < back.size() && back[high].first <= kSameSpeed * back[low].first; ++high) {
      within += back[high].second;
      moved += back[high].second * back[high].first;
    }
    if (within > best.share * all) best = {moved / within, within / all};
    within -= back[low].second;
    moved -= back[low].second * back[low].first;
  }
  return best;
}

// Where feet are never quite still, what most of them do that push at all.
double push_along(const std::vector<Touch>& touches, const glm::dvec2& ahead) {
  constexpr double kMost = 0.75;  // of the weight is slower
  std::vector<std::pair<double, double>> back;
  double all = 0.0;
  for (const Touch& touch : touches) {
    back.emplace_back(-glm::dot(touch.speed, ahead), touch.weight);
    all += touch.weight;
  }
  std::ranges::sort(back);
  double below = 0.0;
  for (const auto& [speed, weight] : back)
    if ((below += weight) >= kMost * all) return speed;
  return 0.0;
}

Gait gait_from_feet(const std::vector<Touch>& touches, double height, double length) {
  constexpr double kRather = 1.5;  // times as sure must be who says that a model looks elsewhere than along +Z
  const double least = kStandsStill * height;
  Gait gait;
  Stance best = stance_along(touches, gait.ahead, least);
  for (const glm::dvec2& ahead : {glm::dvec2(0.0, -1.0), glm::dvec2(1.0, 0.0), glm::dvec2(-1.0, 0.0)}) {
    const Stance stance = stance_along(touches, ahead, least);
    if (stance.share <= kRather * best.share) continue;
    best = stance;
    gait.ahead = ahead;
  }
  const double speed = best.share > kSteady ? best.speed : push_along(touches, gait.ahead);
  if (speed > least) gait.cycle = speed * length;
  return gait;
}

Gait gait_of_root(const BakedClip& clip, double least) {
  Gait gait;
  const glm::dvec2 whole = on_ground(clip.root_motion.back().translation);
  if (glm::length(whole) < least) return gait;
  gait.cycle = glm::length(whole);
  gait.ahead = whole / gait.cycle;
  for (const RootSample& sample : clip.root_motion)
    gait.way.push_back(glm::dot(on_ground(sample.translation), gait.ahead));
  return gait;
}

Gait gait_of(Poses& poses, const Character& model, std::uint32_t clip, const Stature& stature) {
  const BakedClip& played = model.clips()[clip];
  if (!(played.length > 0.0)) return {};
  const double least = kTravels * stature.height;
  if (!played.root_motion.empty())
    if (Gait gait = gait_of_root(played, least); gait.cycle > 0.0) return gait;
  if (const glm::dvec2 travel = travel_in_poses(poses, model, clip); glm::length(travel) > least)
    return {.cycle = glm::length(travel), .ahead = glm::normalize(travel), .in_poses = true};
  return gait_from_feet(touches_in(poses, played, clip, stature), stature.height, played.length);
}

// Where most of its walks go.
glm::dvec2 forward_of(const Character& model, const std::vector<ClipMeasures>& clips) {
  glm::dvec2 sum(0.0);
  for (std::size_t i = 0; i < clips.size(); ++i)
    if (clips[i].gait.cycle > 0.0 && names_a_walk(model.clips()[i].name)) sum += clips[i].gait.ahead;
  return glm::length(sum) > 0.5 ? glm::normalize(sum) : glm::dvec2(0.0, 1.0);
}

// Whether more of a pose lies below a height than soles, claws and what hangs low.
bool is_buried(std::span<const glm::dvec3> pose, std::span<const double> weights, double ground, double height) {
  double below = 0.0;
  for (std::size_t i = 0; i < pose.size(); ++i) below += pose[i].y < ground - kSinks * height ? weights[i] : 0.0;
  return below >= kBuried;
}

// Over its clip, as seen from where it is placed.
void measure_clip(Poses& poses, const Character& model, std::uint32_t clip, std::uint32_t count,
                  const Measures& measures, ClipMeasures& to) {
  const glm::dvec2& forward = measures.forward;
  bool buried = false;
  to.lowest = 1e300;
  to.highest = -1e300;
  to.footprint = to.reach = {glm::dvec2(1e300), glm::dvec2(-1e300)};
  const double frames = std::max(model.clips()[clip].frame_count, 1u);
  for (std::uint32_t i = 0; i < count; ++i) {
    // From the first frame to the last.
    const double phase = count > 1 ? i * (1.0 - 1.0 / frames) / (count - 1) : 0.0;
    const auto pose = poses.at(clip, phase);
    const glm::dvec2 gone = to.gait.in_poses ? to.gait.ahead * (to.gait.cycle * phase) : glm::dvec2(0.0);
    const auto [right, left] = extent_along(pose, poses.weights(), left_of(forward));
    const auto [back, front] = extent_along(pose, poses.weights(), forward);
    const glm::dvec2 off(glm::dot(gone, left_of(forward)), glm::dot(gone, forward));
    to.footprint.add({glm::dvec2(right, back) - off, glm::dvec2(left, front) - off});
    buried |= is_buried(pose, poses.weights(), measures.stature.ground, measures.stature.height);
    for (const glm::dvec3& p : pose) {
      to.lowest = std::min(to.lowest, p.y);
      to.highest = std::max(to.highest, p.y);
      const glm::dvec2 at = glm::dvec2(glm::dot(on_ground(p), left_of(forward)), glm::dot(on_ground(p), forward)) - off;
      to.reach.add({at, at});
    }
  }
  const bool stays = to.gait.cycle == 0.0 && (model.clips()[clip].loops || model.clips().size() == 1);
  if (buried && stays) to.raised = measures.stature.ground - to.lowest;
}

Stature stature_in(std::span<const glm::dvec3> pose, std::span<const double> weights) {
  Bounds bounds;
  for (const glm::dvec3& p : pose) bounds.add(p);
  Stature stature;
  stature.height = bounds.size().y;
  stature.length = std::max(bounds.size().x, bounds.size().z);
  stature.ground = is_buried(pose, weights, 0.0, stature.height) ? bounds.min.y : 0.0;
  return stature;
}

// What never touches its ground and does not fly stands on what it touches lowest.
double ground_of(const Character& model, const Measures& measures) {
  double lowest = 1e300;
  for (std::size_t i = 0; i < measures.clips.size(); ++i) {
    if (names_any(model.clips()[i].name, {"fly", "swim", "hover", "float", "glide"})) return measures.stature.ground;
    lowest = std::min(lowest, measures.clips[i].lowest);
  }
  const bool hangs = lowest < 1e300 && lowest > 0.06 * measures.stature.height;
  return hangs ? lowest : measures.stature.ground;
}

}  // namespace

void Footprint::add(const Footprint& other) {
  least = glm::min(least, other.least);
  most = glm::max(most, other.most);
}

double Gait::way_after(double cycles) const {
  const double whole = std::floor(cycles);
  if (in_poses) return cycle * whole;
  if (way.size() < 2) return cycle * cycles;
  const double at = (cycles - whole) * static_cast<double>(way.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(at), way.size() - 2);
  return cycle * whole + glm::mix(way[first], way[first + 1], at - static_cast<double>(first));
}

double Stature::metre() const {
  const double size = std::max(height, kTallForItsLength * length);
  return size > 0.0 ? size / kPersonHeight : 1.0;
}

Stature stature_of(const Character& model) {
  Poses poses(model);
  return stature_in(poses.at(ClipFamilies(model).calm().value, 0.0), poses.weights());
}

Measures measure(const Character& model) {
  Poses poses(model);
  Measures measures;
  measures.stature = stature_in(poses.at(ClipFamilies(model).calm().value, 0.0), poses.weights());
  measures.clips.resize(model.clips().size());
  for (std::uint32_t i = 0; i < measures.clips.size(); ++i) {
    if (names_a_walk(model.clips()[i].name) || measures.clips.size() == 1)
      measures.clips[i].gait = gait_of(poses, model, i, measures.stature);
  }
  measures.forward = forward_of(model, measures.clips);
  const std::size_t each = std::max<std::size_t>(model.vertices().size() * measures.clips.size(), 1);
  const auto count = static_cast<std::uint32_t>(std::clamp<std::size_t>(kMostMoved / each, 2, kFootprintPoses));
  for (std::uint32_t i = 0; i < measures.clips.size(); ++i) {
    const std::uint32_t frames = std::max(model.clips()[i].frame_count, 1u);
    ClipMeasures& clip = measures.clips[i];
    measure_clip(poses, model, i, std::min(frames, count), measures, clip);
    const bool goes_without_feet = clip.gait.cycle == 0.0 && names_any(model.clips()[i].name, {"swim", "fly", "glide"});
    if (goes_without_feet) {
      clip.gait.cycle = kSwims * measures.stature.metre() * kPersonHeight * model.clips()[i].length;
      clip.gait.ahead = measures.forward;
    }
  }
  measures.stature.ground = ground_of(model, measures);
  return measures;
}

double speed_of(const Gait& gait, const BakedClip& clip) { return clip.length > 0.0 ? gait.cycle / clip.length : 0.0; }
