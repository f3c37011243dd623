// SPDX-License-Identifier: Apache-2.0
// Guard, attack, hit and death.

#include <cmath>
#include <glm/gtc/constants.hpp>

#include "clips.h"
#include "motion.h"

namespace throng::detail::mannequin {
namespace {

constexpr Channel r(Channel left) { return right(left); }

// clang-format off
// Left foot ahead, weight between the feet, hands before the chest.
Controls on_guard() {
  Controls c = changed(standing(), with_both({{kHipsY, -0.10}, {kHipsYaw, -28}, {kHipsPitch, 6}, {kSpinePitch, 8}, {kSpineYaw, 8}, {kHeadYaw, 18}, {kHeadPitch, -8}},
                                             {{kArmForward, 34}, {kArmOut, 16}, {kArmTwist, 10}, {kElbow, 92}, {kCurl, 68}, {kThumbIn, 36}, {kForearmTwist, 20}}));
  return changed(c, {{kFootAhead, 0.17}, {kFootOut, 0.03}, {kFootYaw, -2}, {r(kFootAhead), -0.19}, {r(kFootOut), 0.05}, {r(kFootYaw), 42},
                     {r(kArmForward), 26}, {r(kElbow), 104}, {r(kArmOut), 22}});
}

// Draws the right arm back behind the head, steps the weight onto the front foot and strikes down across the body.
Clip attack() {
  const double strike = 0.62, reached = strike - 0.035;  // the hand is farthest out before the trunk has followed
  const std::vector<PoseKey> keys{
      {0.30, {{kHipsY, -0.085}, {kHipsZ, -0.075}, {kHipsYaw, -48}, {kHipsPitch, -2}, {kSpineYaw, -26}, {kSpinePitch, -6}, {kSpineRoll, 6}, {kHeadYaw, 62}, {kHeadPitch, -2},
              {r(kArmForward), 24}, {r(kArmOut), 108}, {r(kArmTwist), 74}, {r(kElbow), 112}, {r(kShoulderRaise), 16}, {r(kShoulderForward), -10}, {r(kWristSide), 28},
              {kArmForward, 62}, {kArmOut, 6}, {kElbow, 42}, {kShoulderForward, 10}}},
      {0.52, {{r(kArmForward), 88}, {r(kArmOut), 46}, {r(kArmTwist), 34}, {r(kElbow), 58}}},
      {strike, {{kHipsY, -0.15}, {kHipsZ, 0.085}, {kHipsYaw, 4}, {kHipsPitch, 12}, {kSpineYaw, 26}, {kSpinePitch, 20}, {kSpineRoll, -4}, {kHeadYaw, -16}, {kHeadPitch, -18},
                {r(kArmForward), 76}, {r(kArmOut), 16}, {r(kArmTwist), 6}, {r(kElbow), 16}, {r(kShoulderRaise), 4}, {r(kShoulderForward), 20}, {r(kWristSide), 2},
                {kArmForward, -8}, {kArmOut, 26}, {kElbow, 84}, {kShoulderForward, -10}, {r(kFootPitch), -24}, {r(kToeBend), 24}, {r(kFootYaw), 26}}},
      {0.76, {{kHipsY, -0.175}, {kHipsZ, 0.10}, {kHipsYaw, 12}, {kHipsPitch, 15}, {kSpineYaw, 34}, {kSpinePitch, 27}, {kHeadYaw, -30}, {kHeadPitch, -22},
              {r(kArmForward), 40}, {r(kArmOut), -26}, {r(kElbow), 24}, {r(kWristSide), -14}, {r(kShoulderForward), 24},
              {kArmForward, -26}, {kArmOut, 30}, {kElbow, 92}, {r(kFootPitch), -34}, {r(kToeBend), 34}}},
      {0.92, {{kHipsY, -0.165}, {kHipsYaw, 10}, {kSpineYaw, 30}, {kSpinePitch, 24}, {r(kArmForward), 34}, {r(kArmOut), -28}, {r(kElbow), 36}}},
      {1.20, {{kHipsY, -0.11}, {kHipsZ, 0.01}, {kHipsYaw, -22}, {kSpineYaw, 10}, {kSpinePitch, 9}, {kHeadYaw, 12}, {r(kArmForward), 28}, {r(kArmOut), 14}, {r(kElbow), 92},
              {r(kShoulderForward), 2}, {r(kFootPitch), 0}, {r(kToeBend), 0}, {r(kFootYaw), 42}}}};
  ClipSettings settings{"attack", 42, true};
  settings.events = {{reached, "attack.hit"}};
  return make_clip(settings, keyed_from(on_guard(), keys, 1.4));
}

// Struck on the left of the chest: snaps back, the arms flung after the trunk, catches itself with the right foot, recovers.
Clip hit() {
  const std::vector<PoseKey> keys{
      {0.16, {{kHipsY, -0.03}, {kHipsZ, -0.05}, {kHipsPitch, -7}, {kHipsYaw, 10}, {kSpinePitch, -20}, {kSpineYaw, 22}, {kSpineRoll, 5}, {kHeadPitch, 16}, {kHeadYaw, -12},
              {kShoulderForward, -14}, {r(kFootUp), 0}, {r(kFootAhead), 0}, {r(kFootPitch), 0}}},
      {0.22, {{kArmForward, 30}, {kArmOut, 34}, {kElbow, 52}, {r(kArmForward), 34}, {r(kArmOut), 28}, {r(kElbow), 60}}},
      {0.27, {{kHipsY, -0.07}, {kHipsZ, -0.10}, {kHeadPitch, -22}, {r(kFootUp), 0.05}, {r(kFootAhead), -0.13}, {r(kFootPitch), -16}, {r(kFootYaw), 22}, {kCurl, 44}, {r(kCurl), 44}}},
      {0.40, {{kHipsY, -0.115}, {kHipsZ, -0.12}, {kHipsPitch, 8}, {kHipsYaw, 6}, {kSpinePitch, 18}, {kSpineYaw, 8}, {kSpineRoll, -3}, {kHeadPitch, 10}, {kHeadYaw, -2},
              {kArmForward, 40}, {kArmOut, 8}, {kElbow, 98}, {kShoulderForward, 8}, {r(kArmForward), 16}, {r(kArmOut), 22}, {r(kElbow), 72}, {r(kFootUp), 0}, {r(kFootAhead), -0.22}, {r(kFootPitch), 0}}},
      {0.56, {{kHipsY, -0.105}, {kHipsZ, -0.10}, {kHipsPitch, 7}, {kSpinePitch, 17}, {kHeadPitch, 2}, {kArmForward, 42}, {kElbow, 96}, {r(kFootUp), 0}, {r(kFootAhead), -0.22}}},
      {0.72, {{kHipsY, -0.045}, {kHipsZ, -0.03}, {r(kFootUp), 0.045}, {r(kFootAhead), -0.10}, {r(kFootPitch), -10}}},
      {0.84, {{r(kFootUp), 0}, {r(kFootAhead), 0}, {r(kFootPitch), 0}, {r(kFootYaw), 9}}}};
  return make_clip({"hit", 30, false}, keyed_from(standing(), keys, 1.0));
}

// The knees give, the body sits down hard, rolls onto its back, and the legs slide out.
Clip death() {
  const std::vector<PoseKey> keys{
      {0.14, with_both({{kHipsY, -0.03}, {kHipsZ, -0.03}, {kHipsPitch, -6}, {kHipsYaw, 0}, {kHipsRoll, 0}, {kSpinePitch, -20}, {kSpineYaw, 14}, {kSpineRoll, 0}, {kHeadPitch, -16}, {kHeadYaw, 0}},
                       {{kArmForward, 30}, {kArmOut, 36}, {kElbow, 44}, {kShoulderRaise, 8}, {kKneeOut, 0}, {kFootPitch, 0}, {kFootAhead, 0}, {kFootYaw, 9}, {kCurl, 40}})},
      {0.45, with_both({{kHipsY, -0.20}, {kHipsZ, -0.09}, {kHipsPitch, 14}, {kHipsYaw, 6}, {kHipsRoll, 3}, {kSpinePitch, 18}, {kSpineYaw, 4}, {kSpineRoll, -6}, {kHeadPitch, 24}, {kHeadYaw, -8}},
                       {{kArmForward, 12}, {kArmOut, 16}, {kElbow, 30}, {kArmTwist, 8}, {kShoulderRaise, 0}, {kKneeOut, 8}, {kFootPitch, 0}, {kFootAhead, 0}})},
      {0.76, with_both({{kHipsY, -0.58}, {kHipsZ, -0.22}, {kHipsPitch, 0}, {kHipsYaw, 10}, {kHipsRoll, 5}, {kSpinePitch, 34}, {kHeadPitch, 22}},
                       {{kArmForward, 4}, {kArmOut, 30}, {kElbow, 22}, {kKneeOut, 16}, {kFootPitch, 4}, {kFootAhead, 0.02}, {kFootYaw, 14}})},
      {0.95, with_both({{kHipsY, -0.822}, {kHipsZ, -0.30}, {kHipsPitch, -34}, {kHipsYaw, 12}, {kHipsRoll, 4}, {kSpinePitch, 26}, {kHeadPitch, 28}},
                       {{kArmForward, -12}, {kArmOut, 44}, {kElbow, 26}, {kKneeOut, 20}, {kFootPitch, 10}, {kFootAhead, 0.08}})},
      {1.20, with_both({{kHipsY, -0.838}, {kHipsZ, -0.30}, {kHipsPitch, -84}, {kHipsRoll, 2}, {kSpinePitch, -2}, {kSpineYaw, 0}, {kSpineRoll, 0}, {kHeadPitch, -4}},
                       {{kArmForward, -12}, {kArmOut, 62}, {kElbow, 16}, {kKneeOut, 20}, {kFootPitch, 26}, {kFootAhead, 0.22}})},
      {1.34, {{kHipsPitch, -82}, {kSpinePitch, 3}, {kHeadPitch, 8}}},
      {1.54, with_both({{kHipsY, -0.838}, {kHipsPitch, -88}, {kHipsRoll, 0}, {kSpinePitch, -2}, {kHeadPitch, -4}, {kHeadYaw, 26}},
                       {{kArmForward, -32}, {kArmOut, 58}, {kElbow, 24}, {kArmTwist, 88}, {kCurl, 24}})},
      {1.72, {{r(kFootPitch), 62}, {r(kFootAhead), 0.668}, {r(kFootSplay), 24}, {r(kKneeOut), 24}, {r(kFootUp), 0}, {r(kFootOut), 0.04}}},
      {2.00, {{kFootPitch, 54}, {kFootAhead, 0.590}, {kFootSplay, 38}, {kKneeOut, 56}, {kFootYaw, 16}, {kFootOut, 0.10}, {kHeadYaw, 34}}}};
  return make_clip({"death", 66, false}, keyed_from(standing(), keys, 2.2, true));
}
// clang-format on

// Ready: small shifts between the feet, hands kept up.
Controls guarding(double phase) {
  Controls c = on_guard();
  const auto wave = [](double at) { return std::cos(glm::two_pi<double>() * at); };
  c[kHipsY] += 0.012 * wave(2.0 * phase);
  c[kHipsZ] += 0.022 * wave(phase - 0.1);
  c[kHipsYaw] += 2.0 * wave(phase - 0.2);
  c[kSpinePitch] += 1.4 * wave(2.0 * phase - 0.1);
  c[kHeadPitch] -= 1.6 * wave(2.0 * phase - 0.1);
  for (const Side side : kSides) {
    const double lag = side == Side::left ? 0.12 : 0.18;
    c[of_side(kArmForward, side)] += 3.0 * wave(2.0 * phase - lag);
    c[of_side(kElbow, side)] -= 4.0 * wave(2.0 * phase - lag - 0.06);
  }
  return c;
}

}  // namespace

std::vector<Clip> make_fighting() {
  const ClipSettings guard{"guard", 48, true, Interpolation::cubic_spline, 4};
  return {make_clip(guard, [](double time) { return guarding(time / 1.6); }), attack(), hit(), death()};
}

}  // namespace throng::detail::mannequin
