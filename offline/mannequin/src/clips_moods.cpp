// SPDX-License-Identifier: Apache-2.0
// What a crowd does while nobody attacks it: idle, jump, cheer, wave, dance.

#include <cmath>
#include <glm/gtc/constants.hpp>

#include "clips.h"
#include "motion.h"

namespace throng::detail::mannequin {
namespace {

double wave(double phase) { return std::cos(glm::two_pi<double>() * phase); }

// Two breaths and one shift of weight from leg to leg.
Controls idling(double phase) {
  Controls c = standing();
  const double breath = wave(2.0 * phase), shift = wave(phase - 0.12), look = wave(phase - 0.35);
  c[kHipsX] = 0.020 * shift;
  c[kHipsY] += -0.003 + 0.0015 * breath - 0.002 * shift * shift;
  c[kHipsRoll] = 1.8 * shift;
  c[kHipsYaw] = 2.0 * shift;
  c[kSpinePitch] += -1.1 * breath;
  c[kSpineRoll] = -2.4 * shift;
  c[kSpineYaw] = -1.5 * look;
  c[kHeadYaw] = 7.0 * look;
  c[kHeadPitch] = 1.0 + 0.9 * wave(2.0 * phase - 0.10);
  c[kHeadRoll] = 0.8 * shift;
  for (const Side side : kSides) {
    const double sign = side == Side::left ? 1.0 : -1.0;
    const auto add = [&](Channel left, double value) { c[of_side(left, side)] += value; };
    add(kShoulderRaise, 1.2 * wave(2.0 * phase - 0.05));
    add(kArmOut, 1.0 * wave(2.0 * phase - 0.12) + sign * 1.2 * shift);
    add(kArmForward, 1.6 * wave(phase - 0.20 + 0.1 * sign));
    add(kElbow, 1.8 * wave(2.0 * phase - 0.18));
    add(kCurl, 2.5 * wave(phase - 0.3));
  }
  return c;
}

// Slow and smooth: splines with few keys carry it.
Clip idle() {
  return make_clip({"idle", 120, true, Interpolation::cubic_spline, 6}, [](double time) { return idling(time / 4.0); });
}

// In the air the hips follow a thrown body.
double thrown(double top, double from_top) { return top - 0.5 * 9.81 * from_top * from_top; }

// clang-format off
Clip jump() {
  const double off = 0.42, top = 0.62, down = 0.82, height = 0.262;  // seconds; metres above standing
  const auto hips_at = [&](double time) { return thrown(height, time - top); };
  const std::vector<PoseKey> keys{
      {0.28, with_both({{kHipsY, -0.30}, {kHipsZ, -0.10}, {kHipsPitch, 34}, {kSpinePitch, 22}, {kHeadPitch, -34}},
                       {{kArmForward, -52}, {kArmOut, 14}, {kElbow, 22}, {kKneeOut, 6}, {kFootPitch, 0}, {kToeBend, 0}, {kFootUp, 0}, {kCurl, 40}})},
      {off, with_both({{kHipsY, hips_at(off)}, {kHipsZ, 0.03}, {kHipsPitch, 4}, {kSpinePitch, -6}, {kHeadPitch, -6}},
                      {{kArmForward, 84}, {kArmOut, 16}, {kElbow, 34}, {kKneeOut, 0}, {kFootPitch, -50}, {kToeBend, 48}, {kFootUp, 0}})},
      {0.52, with_both({{kHipsY, hips_at(0.52)}},
                       {{kFootUp, 0.175}, {kFootPitch, -56}, {kToeBend, 8}, {kArmForward, 122}, {kElbow, 20}})},
      {top, with_both({{kHipsY, height}, {kHipsPitch, 8}, {kSpinePitch, 2}, {kHeadPitch, -2}},
                      {{kFootUp, 0.280}, {kFootPitch, -46}, {kToeBend, 0}, {kArmForward, 132}, {kArmOut, 24}})},
      {0.72, with_both({{kHipsY, hips_at(0.72)}},
                       {{kFootUp, 0.180}, {kFootPitch, -38}, {kArmForward, 112}, {kToeBend, 6}})},
      {down, with_both({{kHipsY, hips_at(down)}, {kHipsZ, -0.01}, {kHipsPitch, 12}, {kSpinePitch, 10}, {kHeadPitch, -6}},
                       {{kFootUp, 0}, {kFootPitch, -34}, {kToeBend, 30}, {kArmForward, 70}, {kArmOut, 34}, {kElbow, 34}})},
      {0.99, with_both({{kHipsY, -0.27}, {kHipsZ, -0.09}, {kHipsPitch, 30}, {kSpinePitch, 22}, {kHeadPitch, -26}},
                       {{kFootUp, 0}, {kFootPitch, 0}, {kToeBend, 0}, {kArmForward, 10}, {kArmOut, 30}, {kElbow, 44}, {kKneeOut, 8}})},
      {1.27, with_both({{kHipsY, -0.030}, {kHipsZ, -0.01}, {kHipsPitch, 3}, {kSpinePitch, 1}, {kHeadPitch, -2}},
                       {{kArmForward, -5}, {kArmOut, 12}, {kElbow, 18}, {kCurl, 20}})}};
  ClipSettings settings{"jump", 45, true};
  settings.events = {{off, "takeoff"}, {down, "land"}};
  return make_clip(settings, keyed_from(standing(), keys, 1.5));
}

// Two hops a loop, fists in the air, the chest turning from one to the other.
Clip cheer() {
  const double beat = 0.6;
  const Controls base = changed(standing(), with_both({}, {{kFootOut, 0.05}, {kCurl, 62}, {kThumbIn, 34}, {kArmTwist, 60}, {kForearmTwist, 0}}));
  std::vector<PoseKey> keys;
  for (int hop = 0; hop < 2; ++hop) {
    const double start = hop * beat, sign = hop == 0 ? 1.0 : -1.0;
    const double air = 0.13;  // seconds from the top of the hop to the ground
    const double top = 0.062 + 0.5 * 9.81 * air * air;
    keys.push_back({start, with_both({{kHipsY, -0.125}, {kHipsZ, -0.03}, {kHipsPitch, 12}, {kSpinePitch, 6}, {kSpineYaw, -9 * sign}, {kSpineRoll, 4 * sign}, {kHeadPitch, -14}, {kHeadYaw, 6 * sign}},
                                     {{kArmForward, 16}, {kArmOut, 102}, {kElbow, 100}, {kShoulderRaise, 8}, {kFootUp, 0}, {kFootPitch, 0}, {kToeBend, 0}, {kKneeOut, 7}})});
    keys.push_back({start + 0.17, with_both({{kHipsY, thrown(top, air)}, {kHipsZ, 0}}, {{kFootUp, 0}, {kFootPitch, -48}, {kToeBend, 46}, {kKneeOut, 0}})});
    keys.push_back({start + 0.30, with_both({{kHipsY, top}, {kHipsPitch, -2}, {kSpinePitch, -8}, {kSpineYaw, 4 * sign}, {kSpineRoll, 0}, {kHeadPitch, -14}, {kHeadYaw, 0}},
                                            {{kArmForward, -4}, {kArmOut, 148}, {kElbow, 20}, {kShoulderRaise, 22}, {kFootUp, 0.085}, {kFootPitch, -52}, {kToeBend, 8}, {kKneeOut, 0}})});
    keys.push_back({start + 0.43, with_both({{kHipsY, thrown(top, air)}}, {{kFootUp, 0}, {kFootPitch, -42}, {kToeBend, 40}, {kKneeOut, 2}})});
  }
  ClipSettings settings{"cheer", 36, true};
  settings.events = {{0.43, "land"}, {beat + 0.43, "land"}};
  return make_clip(settings, keyed_motion(base, keys, 2.0 * beat));
}
// clang-format on

// The right hand waves three times a loop; the rest keeps breathing.
Controls waving(double phase) {
  Controls c = idling(phase);
  const double swing = wave(3.0 * phase), late = wave(3.0 * phase - 0.09);
  c[right(kArmOut)] = 84.0 + 4.0 * swing;
  c[right(kArmForward)] = 24.0;
  c[right(kArmTwist)] = 76.0;
  c[right(kElbow)] = 76.0 + 17.0 * swing;
  c[right(kForearmTwist)] = 0.0;
  c[right(kWrist)] = 6.0;
  c[right(kWristSide)] = 16.0 * late;
  c[right(kCurl)] = 4.0;
  c[right(kThumbIn)] = -6.0;
  c[right(kShoulderRaise)] = 8.0 + 1.0 * swing;
  c[kSpineRoll] = 4.0 - 0.8 * late;
  c[kSpineYaw] = -5.0;
  c[kHeadRoll] = -5.0;
  c[kHeadYaw] = 4.0;
  return c;
}

// Two bars of a side-to-side groove: weight goes left and right, hips and chest against each other, a dip on every
// beat.
Controls dancing(double phase) {
  Controls c = standing();
  const double side = wave(phase), beat = wave(2.0 * phase), late = wave(phase - 0.08);
  c[kHipsX] = 0.085 * side;
  c[kHipsY] = -0.062 + 0.030 * beat;
  c[kHipsRoll] = 7.0 * side;
  c[kHipsYaw] = -12.0 * late;
  c[kHipsPitch] = 5.0;
  c[kSpineRoll] = -12.0 * wave(phase - 0.05);
  c[kSpineYaw] = 26.0 * late;
  c[kSpinePitch] = 3.0 - 4.0 * beat;
  c[kHeadRoll] = 6.0 * wave(phase - 0.12);
  c[kHeadYaw] = -12.0 * late;
  c[kHeadPitch] = -4.0 + 7.0 * wave(2.0 * phase - 0.15);
  for (const Side which : kSides) {
    const double sign = which == Side::left ? 1.0 : -1.0, own = sign * side, own_late = sign * wave(phase - 0.1);
    const auto set = [&](Channel left, double value) { c[of_side(left, which)] = value; };
    set(kArmForward, 30.0 + 22.0 * own_late);
    set(kArmOut, 34.0 - 14.0 * own);
    set(kArmTwist, 20.0);
    set(kElbow, 88.0 + 16.0 * sign * wave(phase - 0.2));
    set(kShoulderRaise, 5.0 - 5.0 * own);
    set(kCurl, 46.0);
    set(kThumbIn, 20.0);
    set(kFootOut, 0.085);
    set(kFootYaw, 14.0);
    // The foot without weight comes up on its ball.
    const double light = 0.5 - 0.5 * own;
    set(kFootPitch, -30.0 * light * light);
    set(kToeBend, 30.0 * light * light);
    set(kKneeOut, 4.0);
  }
  return c;
}

}  // namespace

std::vector<Clip> make_moods() {
  const Motion wave_motion = [](double time) { return waving(time / 2.0); };
  const Motion dance_motion = [](double time) { return dancing(time / 1.0); };
  return {idle(), jump(), cheer(), make_clip({"wave", 60, true}, wave_motion),
          make_clip({"dance", 30, true}, dance_motion)};
}

}  // namespace throng::detail::mannequin
