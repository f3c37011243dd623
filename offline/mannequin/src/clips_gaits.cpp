// SPDX-License-Identifier: Apache-2.0
// Walking and running: one description of a stride, two sets of numbers.

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "clips.h"
#include "motion.h"

namespace throng::detail::mannequin {
namespace {

// Phases run from 0 to 1 over a stride (two steps) and start where the left heel strikes. The right side is half a
// stride behind.
struct Gait {
  int frames;
  double speed;    // metres a second
  double stance;   // share of the stride a foot is on the ground
  double reach;    // how far ahead of the hips the foot lands, metres
  double lift;     // of the swinging foot, metres
  double lift_at;  // share of the swing at which it is highest
  KeyTrack foot_pitch;
  double height, bob, highest;  // of the hips: mean, amplitude, phase
  double sway, drop, pelvis_turn, chest_turn, lean, nod;
  double arm_mean, arm_swing, arm_out, elbow, elbow_swing, curl;
};

double wave(double phase) { return std::cos(glm::two_pi<double>() * phase); }
double fraction(double phase) { return phase - std::floor(phase); }
double ease(double u) { return u * u * (3.0 - 2.0 * u); }

double seconds(const Gait& g) { return g.frames / 30.0; }

// Backwards with the ground while planted, then a swing that leaves and arrives at the ground's speed.
double foot_ahead(const Gait& g, double phase) {
  const double stride = g.speed * seconds(g);
  if (phase <= g.stance) return g.reach - stride * phase;
  const double span = 1.0 - g.stance, u = (phase - g.stance) / span, u2 = u * u, u3 = u2 * u;
  const double from = g.reach - stride * g.stance, slope = -stride * span;
  return (2 * u3 - 3 * u2 + 1) * from + (u3 - 2 * u2 + u) * slope + (3 * u2 - 2 * u3) * g.reach + (u3 - u2) * slope;
}

double foot_up(const Gait& g, double phase) {
  if (phase <= g.stance) return 0.0;
  const double u = (phase - g.stance) / (1.0 - g.stance);
  const double v = u < g.lift_at ? u / g.lift_at : (1.0 - u) / (1.0 - g.lift_at);
  return g.lift * (u < g.lift_at ? v * (2.0 - v) : ease(v));
}

void step(const Gait& g, Controls& c, Side side, double phase) {
  const auto set = [&](Channel left, double value) { c[of_side(left, side)] = value; };
  const double pitch = g.foot_pitch.at(phase);
  set(kFootAhead, foot_ahead(g, phase));
  set(kFootUp, foot_up(g, phase));
  set(kFootPitch, pitch);
  set(kFootOut, -0.030);
  set(kFootYaw, 4.0);
  // Toes stay flat on the ground until they leave it, then fall back in line.
  const double leaving = std::clamp((phase - g.stance) / 0.18, 0.0, 1.0);
  set(kToeBend, std::clamp(-pitch, 0.0, 60.0) * (1.0 - ease(leaving)) * (phase > 0.0 ? 1.0 : 0.0));
}

void swing_arm(const Gait& g, Controls& c, Side side, double phase) {
  const auto set = [&](Channel left, double value) { c[of_side(left, side)] = value; };
  set(kArmForward, g.arm_mean - g.arm_swing * wave(phase));
  set(kArmOut, g.arm_out);
  set(kArmTwist, 12.0);
  // Elbow and wrist arrive later than the arm that carries them.
  set(kElbow, g.elbow - g.elbow_swing * wave(phase - 0.07));
  set(kForearmTwist, 10.0);
  set(kWrist, 3.0 - 6.0 * wave(phase - 0.16));
  set(kShoulderForward, -0.16 * g.arm_swing * wave(phase));
  set(kCurl, g.curl);
  set(kThumbIn, 0.5 * g.curl);
}

Controls stride(const Gait& g, double phase) {
  Controls c;
  c[kHipsX] = g.sway * wave(phase - 0.5 * g.stance);
  c[kHipsY] = g.height + g.bob * wave(2.0 * (phase - g.highest));
  c[kHipsZ] = 0.006 * wave(2.0 * phase - 0.15);
  c[kHipsPitch] = 0.4 * g.lean + 0.4 * g.nod * wave(2.0 * phase);
  c[kHipsYaw] = -g.pelvis_turn * wave(phase);
  c[kHipsRoll] = g.drop * wave(phase - 0.5 * g.stance + 0.10);
  c[kSpinePitch] = 0.6 * g.lean + g.nod * wave(2.0 * phase - 0.12);
  c[kSpineYaw] = (g.pelvis_turn + g.chest_turn) * wave(phase - 0.02);
  c[kSpineRoll] = -1.3 * c[kHipsRoll];
  // The head looks ahead whatever the trunk does.
  c[kHeadPitch] = -0.75 * (c[kHipsPitch] + c[kSpinePitch]);
  c[kHeadYaw] = -(c[kHipsYaw] + c[kSpineYaw]);
  c[kHeadRoll] = -0.8 * (c[kHipsRoll] + c[kSpineRoll]);
  for (const Side side : kSides) {
    const double own = fraction(phase + (side == Side::left ? 0.0 : 0.5));
    step(g, c, side, own);
    swing_arm(g, c, side, own);
  }
  return c;
}

Clip gait_clip(const std::string& name, const Gait& g) {
  ClipSettings settings{name, g.frames, true};
  settings.events = {{0.0, "footstep.L"}, {0.5 * seconds(g), "footstep.R"}};
  return make_clip(settings, [g](double time) { return stride(g, time / seconds(g)); });
}

Gait walking() {
  return {.frames = 30,
          .speed = kWalkSpeed,
          .stance = 0.60,
          .reach = 0.285,
          .lift = 0.055,
          .lift_at = 0.40,
          .foot_pitch = KeyTrack({{0.0, 18.0},
                                  {0.09, 0.0},
                                  {0.32, 0.0},
                                  {0.48, -18.0},
                                  {0.60, -46.0},
                                  {0.67, -52.0},
                                  {0.80, -14.0},
                                  {0.92, 15.0}},
                                 1.0),
          .height = -0.034,
          .bob = 0.017,
          .highest = 0.31,
          .sway = 0.020,
          .drop = 4.0,
          .pelvis_turn = 6.0,
          .chest_turn = 6.0,
          .lean = 4.0,
          .nod = 1.0,
          .arm_mean = 3.0,
          .arm_swing = 21.0,
          .arm_out = 7.0,
          .elbow = 19.0,
          .elbow_swing = 11.0,
          .curl = 18.0};
}

Gait running() {
  return {.frames = 20,
          .speed = kRunSpeed,
          .stance = 0.30,
          .reach = 0.20,
          .lift = 0.30,
          .lift_at = 0.46,
          .foot_pitch = KeyTrack({{0.0, 9.0},
                                  {0.05, 0.0},
                                  {0.14, 0.0},
                                  {0.22, -24.0},
                                  {0.30, -56.0},
                                  {0.42, -78.0},
                                  {0.62, -42.0},
                                  {0.85, 4.0},
                                  {0.95, 10.0}},
                                 1.0),
          .height = -0.050,
          .bob = 0.040,
          .highest = 0.39,
          .sway = 0.010,
          .drop = 4.5,
          .pelvis_turn = 10.0,
          .chest_turn = 11.0,
          .lean = 15.0,
          .nod = 2.0,
          .arm_mean = 2.0,
          .arm_swing = 40.0,
          .arm_out = 13.0,
          .elbow = 84.0,
          .elbow_swing = 16.0,
          .curl = 62.0};
}

}  // namespace

std::vector<Clip> make_gaits() { return {gait_clip("walk", walking()), gait_clip("run", running())}; }

}  // namespace throng::detail::mannequin
