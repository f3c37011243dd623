// SPDX-License-Identifier: Apache-2.0
#include "measure/looks.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::bake {
namespace {

// All in shares of an interval between two frames.
constexpr double kOnFrame = 1e-3;         // keys nearer to a frame are on it: their times are floats
constexpr double kSameLook = 1.0 / 64.0;  // corners nearer than this to a look are looked at there
constexpr double kBesideJump = 1e-6;      // how far before and behind a jump is looked

template <class Value>
void add_keys(const Curve<Value>& curve, std::vector<Corner>& corners) {
  const bool jumps = curve.interpolation == Interpolation::step;
  for (const float time : curve.times) corners.push_back({static_cast<double>(time), jumps});
}

// Keeps one of the corners at one time: it jumps if any does.
void merge_same(std::vector<Corner>& corners) {
  std::ranges::sort(corners, [](const Corner& a, const Corner& b) {
    return a.time != b.time ? a.time < b.time : a.jumps && !b.jumps;
  });
  const auto same_time = [](const Corner& a, const Corner& b) { return a.time == b.time; };
  corners.erase(std::unique(corners.begin(), corners.end(), same_time), corners.end());
}

class LookList {
 public:
  explicit LookList(int even) : taken_(static_cast<std::size_t>(even), 0) {
    for (int i = 0; i < even; ++i) looks_.push_back({static_cast<double>(i) / even, i == 0});
    taken_[0] = 1;
  }

  void add(double blend) {
    const std::size_t even = taken_.size();
    const auto nearest = static_cast<std::size_t>(std::lround(blend * static_cast<double>(even)));
    const std::size_t slot = std::clamp<std::size_t>(nearest, 1, even - 1);
    if (taken_[slot] == 0) {
      taken_[slot] = 1;
      looks_[slot] = {blend, true};
    } else {
      looks_.push_back({blend, true});
    }
  }

  void add_end() { looks_.push_back({1.0, true}); }

  std::vector<Look> take() && {
    std::ranges::sort(looks_, {}, &Look::blend);
    return std::move(looks_);
  }

  bool has_near(double blend) const {
    return std::ranges::any_of(looks_, [blend](const Look& look) {
      return look.corner && !look.at_frame() && std::abs(look.blend - blend) < kSameLook;
    });
  }

 private:
  std::vector<Look> looks_;          // the even ones first
  std::vector<std::uint8_t> taken_;  // by corners
};

}  // namespace

std::vector<Corner> corners_of(const Clip& clip) {
  std::vector<Corner> corners;
  for (const BoneTrack& track : clip.bones) {
    add_keys(track.translation, corners);
    add_keys(track.rotation, corners);
    add_keys(track.scale, corners);
  }
  for (const MorphTrack& track : clip.morphs) add_keys(track.weights, corners);
  merge_same(corners);
  return corners;
}

std::vector<Look> looks_between(const ClipPlan& plan, const std::vector<Corner>& corners, std::uint32_t frame,
                                bool to_end, int even) {
  const bool last = frame + 1 == plan.frames.frame_count;
  if (last && !plan.frames.loops) return {{0.0, true}};
  const double from = plan.source_time(frame, 0.0);
  const double length = plan.source_time(frame, 1.0) - from;
  LookList looks(even);
  for (auto corner = std::ranges::lower_bound(corners, from, {}, &Corner::time);
       corner != corners.end() && corner->time <= from + length; ++corner) {
    const double blend = (corner->time - from) / length;
    if (corner->jumps) {
      for (const double beside : {blend - kBesideJump, blend + kBesideJump}) {
        if (beside > 0.0 && beside < 1.0) looks.add(beside);
      }
    } else if (blend > kOnFrame && blend < 1.0 - kOnFrame && !looks.has_near(blend)) {
      looks.add(blend);
    }
  }
  if (last || to_end) looks.add_end();
  return std::move(looks).take();
}

std::size_t halfway_look(const std::vector<Look>& looks) {
  const auto nearest = std::ranges::min_element(looks, {}, [](const Look& look) { return std::abs(look.blend - 0.5); });
  return static_cast<std::size_t>(nearest - looks.begin());
}

Bend::Bend(const Look& a, const Look& b, const Look& c, double step)
    : before_(b.blend - a.blend), after_(c.blend - b.blend), scale_(2.0 * step * step / (before_ + after_)) {}

Bend::Bend(const Look& a, const Look& b, const Look& c)
    : Bend(a, b, c, std::max(b.blend - a.blend, c.blend - b.blend)) {}

void Rise::add(double bend_squared, double change_squared) {
  bend = std::max(bend, bend_squared);
  change = std::max(change, change_squared);
}

double Rise::length() const { return 0.125 * (std::sqrt(bend) + 1.5 * std::sqrt(change)); }

}  // namespace throng::detail::bake
