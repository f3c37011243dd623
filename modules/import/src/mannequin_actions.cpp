// Clips keyed pose by pose.

#include <cmath>
#include <glm/gtc/constants.hpp>

#include "mannequin_clips.h"
#include "mannequin_motion.h"

namespace throng::mannequin {
namespace {

using Changes = std::vector<std::pair<Channel, double>>;

// Adds the same value for the left and the right side of each.
Changes with_both(Changes changes, const Changes& sides) {
  for (const auto& [channel, value] : sides) {
    changes.emplace_back(channel, value);
    changes.emplace_back(right(channel), value);
  }
  return changes;
}

// The channels of `keys` at `time`, as `pose` has them.
PoseKey back_to(const Controls& pose, double time, const std::vector<PoseKey>& keys) {
  std::array<bool, kChannelCount> used{};
  for (const PoseKey& key : keys) {
    for (const auto& change : key.changes) used[change.first] = true;
  }
  PoseKey result{time, {}};
  for (std::size_t c = 0; c < kChannelCount; ++c) {
    if (used[c]) result.changes.emplace_back(static_cast<Channel>(c), pose.values[c]);
  }
  return result;
}

Controls changed(Controls controls, const Changes& changes) {
  for (const auto& [channel, value] : changes) controls[channel] = value;
  return controls;
}

// From `pose` through the keys and back to it, at rest at both ends.
Motion there_and_back(const Controls& pose, std::vector<PoseKey> keys, double seconds) {
  std::vector<PoseKey> all{back_to(pose, 0.0, keys)};
  all.insert(all.end(), keys.begin(), keys.end());
  all.push_back(back_to(pose, seconds, keys));
  return keyed_motion(pose, all, 0.0);
}

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
  c[kHeadYaw] = 6.0 * look;
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

Clip idle() {
  return make_clip({"idle", 120, true, Interpolation::cubic_spline, 6}, [](double time) { return idling(time / 4.0); });
}

// In the air the hips follow a thrown body: half of g times the square of the time from the top.
double thrown(double top, double from_top) { return top - 0.5 * 9.81 * from_top * from_top; }

Clip jump() {
  const double top = 0.62, up = 0.285;
  std::vector<PoseKey> keys{
      {0.28, with_both({{kHipsY, -0.30}, {kHipsZ, -0.10}, {kHipsPitch, 34.0}, {kSpinePitch, 22.0}, {kHeadPitch, -34.0}},
                       {{kArmForward, -52.0},
                        {kArmOut, 14.0},
                        {kElbow, 22.0},
                        {kKneeOut, 6.0},
                        {kFootPitch, 0.0},
                        {kToeBend, 0.0},
                        {kFootUp, 0.0},
                        {kCurl, 40.0}})},
      {0.42, with_both({{kHipsY, thrown(up, top - 0.42)},
                        {kHipsZ, 0.03},
                        {kHipsPitch, 4.0},
                        {kSpinePitch, -6.0},
                        {kHeadPitch, -6.0}},
                       {{kArmForward, 96.0},
                        {kArmOut, 16.0},
                        {kElbow, 30.0},
                        {kKneeOut, 0.0},
                        {kFootPitch, -52.0},
                        {kToeBend, 50.0},
                        {kFootUp, 0.0}})},
      {0.52, with_both({{kHipsY, thrown(up, top - 0.52)}},
                       {{kFootUp, 0.185}, {kFootPitch, -58.0}, {kToeBend, 8.0}, {kArmForward, 124.0}, {kElbow, 18.0}})},
      {0.62,
       with_both({{kHipsY, up}, {kHipsPitch, 8.0}, {kSpinePitch, 2.0}},
                 {{kFootUp, 0.290}, {kFootPitch, -46.0}, {kToeBend, 0.0}, {kArmForward, 132.0}, {kArmOut, 22.0}})},
      {0.72,
       with_both({{kHipsY, thrown(up, top - 0.72)}}, {{kFootUp, 0.190}, {kFootPitch, -36.0}, {kArmForward, 108.0}})},
      {0.82, with_both({{kHipsY, thrown(up, top - 0.82)},
                        {kHipsZ, -0.01},
                        {kHipsPitch, 12.0},
                        {kSpinePitch, 10.0},
                        {kHeadPitch, -4.0}},
                       {{kFootUp, 0.0},
                        {kFootPitch, -30.0},
                        {kToeBend, 24.0},
                        {kArmForward, 70.0},
                        {kArmOut, 34.0},
                        {kElbow, 34.0}})},
      {0.98, with_both({{kHipsY, -0.27}, {kHipsZ, -0.09}, {kHipsPitch, 30.0}, {kSpinePitch, 22.0}, {kHeadPitch, -26.0}},
                       {{kFootUp, 0.0},
                        {kFootPitch, 0.0},
                        {kToeBend, 0.0},
                        {kArmForward, 12.0},
                        {kArmOut, 30.0},
                        {kElbow, 44.0},
                        {kKneeOut, 8.0}})},
      {1.26, with_both({{kHipsY, -0.035}, {kHipsZ, -0.01}, {kHipsPitch, 3.0}, {kSpinePitch, 1.0}, {kHeadPitch, -2.0}},
                       {{kArmForward, -4.0}, {kArmOut, 12.0}, {kElbow, 18.0}, {kCurl, 20.0}})}};
  ClipSettings settings{"jump", 45, true};
  settings.events = {{0.42, "takeoff"}, {0.82, "land"}};
  return make_clip(settings, there_and_back(standing(), keys, 1.5));
}

// Left foot ahead, weight between the feet, hands before the chest.
Controls on_guard() {
  Controls c = changed(standing(), with_both({{kHipsY, -0.10},
                                              {kHipsYaw, -28.0},
                                              {kHipsPitch, 6.0},
                                              {kSpinePitch, 8.0},
                                              {kSpineYaw, 8.0},
                                              {kHeadYaw, 18.0},
                                              {kHeadPitch, -8.0}},
                                             {{kArmForward, 34.0},
                                              {kArmOut, 16.0},
                                              {kArmTwist, 10.0},
                                              {kElbow, 92.0},
                                              {kCurl, 70.0},
                                              {kThumbIn, 40.0},
                                              {kForearmTwist, 20.0}}));
  c[kFootAhead] = 0.17, c[kFootOut] = 0.03, c[kFootYaw] = -2.0;
  c[right(kFootAhead)] = -0.19, c[right(kFootOut)] = 0.05, c[right(kFootYaw)] = 42.0;
  c[right(kArmForward)] = 26.0, c[right(kElbow)] = 104.0, c[right(kArmOut)] = 22.0;
  return c;
}

Clip attack() {
  const auto r = [](Channel c) { return right(c); };
  std::vector<PoseKey> keys{{0.34, {{kHipsY, -0.085},        {kHipsZ, -0.075},          {kHipsYaw, -48.0},
                                    {kHipsPitch, -2.0},      {kSpineYaw, -26.0},        {kSpinePitch, -6.0},
                                    {kSpineRoll, 6.0},       {kHeadYaw, 62.0},          {kHeadPitch, -2.0},
                                    {r(kArmForward), 24.0}, {r(kArmOut), 108.0},        {r(kArmTwist), 74.0},
                                    {r(kElbow), 112.0},      {r(kShoulderRaise), 16.0}, {r(kShoulderForward), -10.0},
                                    {r(kWristSide), 28.0},   {kArmForward, 62.0},       {kArmOut, 6.0},
                                    {kElbow, 42.0},          {kShoulderForward, 10.0}}},
                            {0.50, {{kHipsY, -0.15},        {kHipsZ, 0.085},           {kHipsYaw, 4.0},
                                    {kHipsPitch, 12.0},     {kSpineYaw, 26.0},         {kSpinePitch, 20.0},
                                    {kSpineRoll, -4.0},     {kHeadYaw, -16.0},         {kHeadPitch, -18.0},
                                    {r(kArmForward), 96.0}, {r(kArmOut), 8.0},         {r(kArmTwist), 0.0},
                                    {r(kElbow), 16.0},      {r(kShoulderRaise), 4.0},  {r(kShoulderForward), 20.0},
                                    {r(kWristSide), 2.0},   {kArmForward, -8.0},       {kArmOut, 26.0},
                                    {kElbow, 84.0},         {kShoulderForward, -10.0}, {r(kFootPitch), -24.0},
                                    {r(kToeBend), 24.0},    {r(kFootYaw), 26.0}}},
                            {0.64,
                             {{kHipsY, -0.175},
                              {kHipsZ, 0.10},
                              {kHipsYaw, 12.0},
                              {kHipsPitch, 15.0},
                              {kSpineYaw, 34.0},
                              {kSpinePitch, 27.0},
                              {kHeadYaw, -30.0},
                              {kHeadPitch, -22.0},
                              {r(kArmForward), 38.0},
                              {r(kArmOut), -28.0},
                              {r(kElbow), 24.0},
                              {r(kWristSide), -14.0},
                              {r(kShoulderForward), 24.0},
                              {kArmForward, -26.0},
                              {kArmOut, 30.0},
                              {kElbow, 92.0},
                              {r(kFootPitch), -34.0},
                              {r(kToeBend), 34.0}}},
                            {0.80,
                             {{kHipsY, -0.165},
                              {kHipsYaw, 10.0},
                              {kSpineYaw, 30.0},
                              {kSpinePitch, 24.0},
                              {r(kArmForward), 32.0},
                              {r(kArmOut), -30.0},
                              {r(kElbow), 36.0}}},
                            {1.10,
                             {{kHipsY, -0.11},
                              {kHipsZ, 0.01},
                              {kHipsYaw, -22.0},
                              {kSpineYaw, 10.0},
                              {kSpinePitch, 9.0},
                              {kHeadYaw, 12.0},
                              {r(kArmForward), 28.0},
                              {r(kArmOut), 12.0},
                              {r(kElbow), 92.0},
                              {r(kShoulderForward), 2.0},
                              {r(kFootPitch), 0.0},
                              {r(kToeBend), 0.0},
                              {r(kFootYaw), 42.0}}}};
  ClipSettings settings{"attack", 40, true};
  settings.events = {{0.50, "attack.hit"}};
  return make_clip(settings, there_and_back(on_guard(), keys, 40.0 / 30.0));
}

// Two hops a loop, fists in the air; the right arm pumps half a beat after the left.
Clip cheer() {
  const double beat = 0.6, period = 2.0 * beat;
  Controls base = changed(
      standing(),
      with_both({}, {{kFootOut, 0.05}, {kCurl, 82.0}, {kThumbIn, 45.0}, {kArmTwist, 60.0}, {kForearmTwist, 0.0}}));
  std::vector<PoseKey> keys;
  for (int hop = 0; hop < 2; ++hop) {
    const double start = hop * beat, sign = hop == 0 ? 1.0 : -1.0;
    keys.push_back({start, with_both({{kHipsY, -0.115},
                                      {kHipsZ, -0.03},
                                      {kHipsPitch, 12.0},
                                      {kSpinePitch, 6.0},
                                      {kSpineYaw, -7.0 * sign},
                                      {kHeadPitch, -14.0},
                                      {kHeadRoll, 3.0 * sign}},
                                     {{kArmForward, 14.0},
                                      {kArmOut, 104.0},
                                      {kElbow, 98.0},
                                      {kShoulderRaise, 10.0},
                                      {kFootUp, 0.0},
                                      {kFootPitch, 0.0},
                                      {kToeBend, 0.0},
                                      {kKneeOut, 6.0}})});
    keys.push_back({start + 0.17, with_both({{kHipsY, 0.055}, {kHipsZ, 0.0}},
                                            {{kFootUp, 0.0}, {kFootPitch, -48.0}, {kToeBend, 46.0}})});
    keys.push_back({start + 0.30, with_both({{kHipsY, thrown(0.138, 0.0)},
                                             {kHipsPitch, -2.0},
                                             {kSpinePitch, -8.0},
                                             {kSpineYaw, 0.0},
                                             {kHeadPitch, -12.0},
                                             {kHeadRoll, 0.0}},
                                            {{kArmForward, -4.0},
                                             {kArmOut, 150.0},
                                             {kElbow, 20.0},
                                             {kShoulderRaise, 22.0},
                                             {kFootUp, 0.085},
                                             {kFootPitch, -50.0},
                                             {kToeBend, 6.0},
                                             {kKneeOut, 0.0}})});
    keys.push_back(
        {start + 0.43, with_both({{kHipsY, 0.055}}, {{kFootUp, 0.0}, {kFootPitch, -40.0}, {kToeBend, 36.0}})});
  }
  ClipSettings settings{"cheer", 36, true};
  settings.events = {{0.43, "land"}, {1.03, "land"}};
  return make_clip(settings, keyed_motion(base, keys, period));
}

// Struck on the left of the chest: snaps back, catches itself with the right foot, recovers.
Clip hit() {
  const auto r = [](Channel c) { return right(c); };
  std::vector<PoseKey> keys{
      {0.10,
       {{kHipsY, -0.03},     {kHipsZ, -0.05},   {kHipsPitch, -7.0},        {kHipsYaw, 10.0},       {kSpinePitch, -20.0},
        {kSpineYaw, 22.0},   {kSpineRoll, 5.0}, {kHeadPitch, 16.0},        {kHeadYaw, -12.0},      {kArmForward, 30.0},
        {kArmOut, 34.0},     {kElbow, 52.0},    {kShoulderForward, -14.0}, {r(kArmForward), 34.0}, {r(kArmOut), 28.0},
        {r(kElbow), 60.0},   {kCurl, 44.0},     {r(kCurl), 44.0},          {r(kFootUp), 0.0},      {r(kFootAhead), 0.0},
        {r(kFootPitch), 0.0}}},
      {0.20,
       {{kHipsY, -0.07},
        {kHipsZ, -0.10},
        {kHeadPitch, -22.0},
        {r(kFootUp), 0.05},
        {r(kFootAhead), -0.13},
        {r(kFootPitch), -16.0},
        {r(kFootYaw), 22.0}}},
      {0.30,
       {{kHipsY, -0.115},
        {kHipsZ, -0.12},
        {kHipsPitch, 8.0},
        {kHipsYaw, 6.0},
        {kSpinePitch, 18.0},
        {kSpineYaw, 8.0},
        {kSpineRoll, -3.0},
        {kHeadPitch, 10.0},
        {kHeadYaw, -2.0},
        {kArmForward, 40.0},
        {kArmOut, 8.0},
        {kElbow, 98.0},
        {kShoulderForward, 8.0},
        {r(kArmForward), 16.0},
        {r(kArmOut), 22.0},
        {r(kElbow), 72.0},
        {r(kFootUp), 0.0},
        {r(kFootAhead), -0.22},
        {r(kFootPitch), 0.0}}},
      {0.48,
       {{kHipsY, -0.105},
        {kHipsZ, -0.10},
        {kHipsPitch, 7.0},
        {kSpinePitch, 17.0},
        {kHeadPitch, 2.0},
        {kArmForward, 42.0},
        {kElbow, 96.0},
        {r(kFootUp), 0.0},
        {r(kFootAhead), -0.22}}},
      {0.66, {{kHipsY, -0.045}, {kHipsZ, -0.03}, {r(kFootUp), 0.045}, {r(kFootAhead), -0.10}, {r(kFootPitch), -10.0}}},
      {0.78, {{r(kFootUp), 0.0}, {r(kFootAhead), 0.0}, {r(kFootPitch), 0.0}, {r(kFootYaw), 9.0}}}};
  return make_clip({"hit", 30, false}, there_and_back(standing(), keys, 1.0));
}

// Knees give, the body sits back and rolls down onto its back.
Clip death() {
  const auto r = [](Channel c) { return right(c); };
  const Controls base = standing();
  std::vector<PoseKey> keys{{0.16, with_both({{kHipsY, -0.04},
                                              {kHipsZ, -0.03},
                                              {kHipsPitch, -6.0},
                                              {kSpinePitch, -20.0},
                                              {kSpineYaw, 14.0},
                                              {kSpineRoll, 0.0},
                                              {kHeadPitch, -18.0},
                                              {kHeadYaw, 0.0},
                                              {kHeadRoll, 0.0},
                                              {kHipsRoll, 0.0},
                                              {kHipsYaw, 0.0},
                                              {kHipsX, 0.0}},
                                             {{kArmForward, 30.0},
                                              {kArmOut, 34.0},
                                              {kElbow, 40.0},
                                              {kKneeOut, 0.0},
                                              {kFootPitch, 0.0},
                                              {kFootAhead, 0.0},
                                              {kFootUp, 0.0},
                                              {kFootOut, 0.012},
                                              {kFootRoll, 0.0},
                                              {kCurl, 40.0}})},
                            {0.45, with_both({{kHipsY, -0.22},
                                              {kHipsZ, -0.10},
                                              {kHipsPitch, 14.0},
                                              {kSpinePitch, 16.0},
                                              {kSpineYaw, 4.0},
                                              {kHeadPitch, 22.0},
                                              {kHipsYaw, 6.0}},
                                             {{kArmForward, 14.0},
                                              {kArmOut, 18.0},
                                              {kElbow, 34.0},
                                              {kKneeOut, 8.0},
                                              {kFootPitch, 0.0},
                                              {kFootAhead, 0.0},
                                              {kFootUp, 0.0}})},
                            {0.80, with_both({{kHipsY, -0.60},
                                              {kHipsZ, -0.26},
                                              {kHipsPitch, -6.0},
                                              {kSpinePitch, 30.0},
                                              {kHeadPitch, 18.0},
                                              {kHipsYaw, 10.0},
                                              {kHipsRoll, 4.0}},
                                             {{kArmForward, 6.0},
                                              {kArmOut, 30.0},
                                              {kElbow, 22.0},
                                              {kKneeOut, 16.0},
                                              {kFootAhead, 0.02},
                                              {kFootPitch, 6.0}})},
                            {1.02, with_both({{kHipsY, -0.832},
                                              {kHipsZ, -0.36},
                                              {kHipsPitch, -44.0},
                                              {kSpinePitch, 14.0},
                                              {kHeadPitch, 24.0},
                                              {kHipsYaw, 12.0},
                                              {kHipsRoll, 4.0}},
                                             {{kArmForward, -4.0},
                                              {kArmOut, 48.0},
                                              {kElbow, 18.0},
                                              {kKneeOut, 22.0},
                                              {kFootAhead, 0.10},
                                              {kFootPitch, 14.0}})},
                            {1.24, with_both({{kHipsY, -0.855},
                                              {kHipsZ, -0.38},
                                              {kHipsPitch, -84.0},
                                              {kSpinePitch, -2.0},
                                              {kHeadPitch, -6.0},
                                              {kHipsYaw, 12.0},
                                              {kHipsRoll, 2.0}},
                                             {{kArmForward, -2.0},
                                              {kArmOut, 62.0},
                                              {kElbow, 14.0},
                                              {kKneeOut, 24.0},
                                              {kFootAhead, 0.24},
                                              {kFootPitch, 30.0}})},
                            {1.40, {{kHipsPitch, -81.0}, {kSpinePitch, 2.0}, {kHeadPitch, 6.0}, {kHipsY, -0.850}}},
                            {1.62, with_both({{kHipsY, -0.858},
                                              {kHipsZ, -0.38},
                                              {kHipsPitch, -87.0},
                                              {kSpinePitch, -1.0},
                                              {kSpineYaw, 0.0},
                                              {kHeadPitch, -3.0},
                                              {kHeadYaw, 30.0},
                                              {kHipsYaw, 12.0},
                                              {kHipsRoll, 0.0}},
                                             {{kArmForward, -1.0}, {kArmOut, 60.0}, {kElbow, 20.0}, {kCurl, 26.0}})},
                            {1.80,
                             {{kKneeOut, 58.0},
                              {kFootAhead, 0.10},
                              {kFootPitch, 34.0},
                              {kFootRoll, -30.0},
                              {kFootYaw, 30.0},
                              {kFootOut, 0.03},
                              {kFootUp, 0.0},
                              {r(kKneeOut), 20.0},
                              {r(kFootAhead), 0.44},
                              {r(kFootPitch), 60.0},
                              {r(kFootYaw), 14.0},
                              {r(kFootOut), 0.04},
                              {r(kFootUp), 0.0}}},
                            {2.00, {{kHipsY, -0.858}}}};
  std::vector<PoseKey> all{back_to(base, 0.0, keys)};
  all.insert(all.end(), keys.begin(), keys.end());
  return make_clip({"death", 66, false}, keyed_motion(base, all, 0.0));
}

}  // namespace

std::vector<Clip> make_actions() { return {idle(), jump(), attack(), cheer(), hit(), death()}; }

}  // namespace throng::mannequin
