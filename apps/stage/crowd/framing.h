// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the camera of a picture stands, and how much ground it gives the crowd to stand on. A few are placed first and
// the camera is put where it sees all of them; many fill what the camera sees.
//
// Metres, persons being 1.8 tall. The crowd begins at z = 0 and reaches back along −z; the camera is at +z.

#include <cstdint>
#include <span>

#include "crowd/square.h"
#include "throng/math/bounds.h"
#include "throng/scene/camera.h"

enum class View : std::uint8_t { crowd, close, above, sheet };

// So many fill the picture; fewer are framed by it.
inline constexpr std::uint32_t kEnoughToFill = 40;
// So many make a square with a procession, in views that show one.
inline constexpr std::uint32_t kEnoughForASquare = 200;

// Parts of the picture that are left free around the subject.
struct Margins {
  double side = 0.06;
  double top = 0.1;
  double bottom = 0.08;
};

// The nearest camera that looks that way and has all boxes in the picture, in the middle of its width and a little
// below that of its height where there is room left. `yaw` around +Y (0: from +Z), `pitch` above the horizon.
throng::Camera fit_camera(std::span<const throng::Bounds> boxes, double aspect, double yaw_degrees,
                          double pitch_degrees, double fov_degrees, const Margins& margins);

// How much of the picture each of these takes where no nearer one hides it: the sum of the square roots, so that one
// who is not seen costs more than a large one gains.
double seen_of_all(std::span<const throng::Bounds> boxes, const throng::Camera& camera, double aspect);

// The picture of `count` characters of whom `density` stand on a square metre; it shows at least kEnoughToFill of them.
struct Composition {
  throng::Camera camera;
  Region region;
  double near = 0.0;  // how far before z = 0 one must go to be out of the picture; 0: everything is in it
};
Composition compose(View view, std::uint32_t count, double density, double aspect);

// The angles from which a few are looked at.
struct Angle {
  double yaw = 0.0;
  double pitch = 0.0;
  double fov = 28.0;
  Margins margins = {};
};
Angle angle_for(View view, std::uint32_t count);
