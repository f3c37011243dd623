// SPDX-License-Identifier: Apache-2.0
#pragma once
// When the bake and the source are compared: at every frame, at seven moments before the next, and wherever the source
// turns a corner.
//
// Between two keys a vertex of the source moves smoothly, and so does a decoded one between two frames. What the error
// does between two neighbouring moments then shows in how much it bends from one to the next; at a key it may peak in a
// corner, of which moments to the left and right of it say nothing.

#include <cstdint>
#include <vector>

#include "motion/clip_plan.h"

namespace throng::detail::bake {

inline constexpr int kLooksPerInterval = 8;  // a frame and seven moments after it; more where there are many keys

// A moment of the source at which its path may turn a corner, or from which on it is elsewhere at once.
struct Corner {
  double time = 0.0;  // the source's
  bool jumps = false;
};

// The key times of a clip's curves, ascending.
std::vector<Corner> corners_of(const Clip& clip);

// One moment of an interval.
struct Look {
  double blend = 0.0;   // on the way from the frame to the next
  bool corner = false;  // the source may turn one here
  bool at_frame() const { return blend == 0.0; }
  bool at_end() const { return blend == 1.0; }
};

// The looks from a frame to before the next, ascending, the frame itself first. There are about as many as `even` asks
// for, evenly spread, each moved to the corner next to it; corners that are not had yet come on top. `to_end`: and the
// next frame at last, for the largest error alone. A loop's last interval always has that: the source's last pose may
// be a little off its first one. Behind the last frame of a clip that ends there is nothing.
std::vector<Look> looks_between(const ClipPlan& plan, const std::vector<Corner>& corners, std::uint32_t frame,
                                bool to_end, int even = kLooksPerInterval);

// Which of the looks is nearest to half-way, where normals are compared.
std::size_t halfway_look(const std::vector<Look>& looks);

// What a path bends on two steps in a row: its second difference, as if both were as long as the longer one of them, or
// as long as is asked for. A smooth path strays by at most an eighth of that from the straight line between two looks.
class Bend {
 public:
  Bend(const Look& a, const Look& b, const Look& c);
  Bend(const Look& a, const Look& b, const Look& c, double step);

  template <class Point>
  Point operator()(const Point& a, const Point& b, const Point& c) const {
    return (scale_ / after_) * (c - b) - (scale_ / before_) * (b - a);
  }
  // What makes a bend of the difference of two rates of change.
  double scale() const { return scale_; }

 private:
  double before_, after_, scale_;
};

// How far an error may rise above what is seen of it, from its longest bend and the longest difference of two bends in
// a row, where the source turns no corner. Bends are known around the looks inside an interval, one and a half steps
// from its ends.
struct Rise {
  double bend = 0.0;    // squared
  double change = 0.0;  // squared

  void add(double bend_squared, double change_squared);
  double length() const;
};

}  // namespace throng::detail::bake
