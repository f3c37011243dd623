// SPDX-License-Identifier: Apache-2.0
#include "fbx/animation/extrapolation.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace throng::detail::fbx {
namespace {

std::optional<Beyond> beyond_of(char letter) {
  switch (letter) {
    case 'R':
      return Beyond::repeated;
    case 'M':
      return Beyond::mirrored;
    case 'K':
      return Beyond::straight_on;
    case 'A':
      return Beyond::repeated_from_there;
    default:
      return std::nullopt;
  }
}

// A bare letter is its code.
char letter_of(const Element* type) {
  if (const std::string* text = text_at(type, 0); text && !text->empty()) return text->front();
  const auto code = integer_at(type, 0);
  return code && *code > 0 && *code < 128 ? static_cast<char>(*code) : '\0';
}

bool repeats(const Extrapolation& extrapolation) {
  return extrapolation.how != Beyond::held && extrapolation.how != Beyond::straight_on;
}

double duration_of(const KeyCurve& curve) { return curve.keys.back().time - curve.keys.front().time; }

// Whole repetitions that reach over this much time.
double repetitions(const KeyCurve& curve, const Extrapolation& extrapolation, double seconds) {
  const double duration = curve.keys.size() > 1 ? duration_of(curve) : 0.0;
  if (!repeats(extrapolation) || !(seconds > 0.0) || !(duration > 0.0)) return 0.0;
  return std::min(std::ceil(seconds / duration), extrapolation.times);
}

struct Repetitions {
  double before = 0.0;
  double after = 0.0;
};

Repetitions repetitions(const KeyCurve& curve, double from, double to) {
  return {repetitions(curve, curve.before, curve.keys.front().time - from),
          repetitions(curve, curve.after, to - curve.keys.back().time)};
}

Segment run_backwards(Segment segment) {
  if (segment == Segment::constant) return Segment::constant_next;
  return segment == Segment::constant_next ? Segment::constant : segment;
}

// The same keys in the other direction, over the same time.
std::vector<Key> mirrored(const std::vector<Key>& keys) {
  std::vector<Key> back;
  back.reserve(keys.size());
  const double ends = keys.front().time + keys.back().time;
  for (std::size_t i = keys.size(); i-- > 0;) {
    Key key = keys[i];
    key.time = ends - keys[i].time;
    if (i > 0) {
      const Key& way = keys[i - 1];
      key.segment = run_backwards(way.segment);
      key.slope = -way.next_slope;
      key.next_slope = -way.slope;
      key.weight = way.next_weight;
      key.next_weight = way.weight;
    }
    back.push_back(key);
  }
  return back;
}

// The keys of a repetition: the first behind the last key is 1, the one before the first key is −1.
std::vector<Key> repetition(const KeyCurve& curve, const Extrapolation& extrapolation, double number) {
  const bool back = extrapolation.how == Beyond::mirrored && std::fmod(number, 2.0) != 0.0;
  std::vector<Key> keys = back ? mirrored(curve.keys) : curve.keys;
  const double rise = curve.keys.back().value - curve.keys.front().value;
  for (Key& key : keys) {
    key.time += number * duration_of(curve);
    if (extrapolation.how == Beyond::repeated_from_there) key.value += number * rise;
  }
  return keys;
}

bool joins(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

// Two keys cannot be at one time: the earlier gives way by a moment that is long for a float and too short to see.
void append(std::vector<Key> more, std::vector<Key>& keys) {
  if (!keys.empty()) {
    Key& last = keys.back();
    const double moment = 1e-6 * std::max(1.0, std::abs(last.time));
    const bool room = keys.size() < 2 || keys[keys.size() - 2].time < last.time - moment;
    if (joins(last.value, more.front().value) || !room) {
      keys.pop_back();
    } else {
      last.time -= moment;
      last.segment = Segment::constant;
    }
  }
  keys.insert(keys.end(), more.begin(), more.end());
}

double slope_out_of(const Key& from, const Key& to) {
  if (from.segment == Segment::linear) return (to.value - from.value) / (to.time - from.time);
  return from.segment == Segment::cubic ? from.slope : 0.0;
}

double slope_into(const Key& from, const Key& to) {
  if (from.segment == Segment::linear) return (to.value - from.value) / (to.time - from.time);
  return from.segment == Segment::cubic ? from.next_slope : 0.0;
}

Key line_from(double time, double value) {
  Key key;
  key.time = time;
  key.value = value;
  return key;
}

void go_straight_on(const KeyCurve& curve, double from, double to, std::vector<Key>& keys) {
  if (curve.keys.size() < 2) return;
  const Key first = curve.keys.front();
  const Key last = curve.keys.back();
  if (curve.after.how == Beyond::straight_on && to > last.time) {
    const double slope = slope_into(curve.keys[curve.keys.size() - 2], last);
    keys.back().segment = Segment::linear;
    keys.push_back(line_from(to, last.value + slope * (to - last.time)));
  }
  if (curve.before.how == Beyond::straight_on && from < first.time) {
    const double slope = slope_out_of(first, curve.keys[1]);
    keys.insert(keys.begin(), line_from(from, first.value - slope * (first.time - from)));
  }
}

}  // namespace

Extrapolation read_extrapolation(const Element& curve, bool behind) {
  const Element* element = curve.child(behind ? "Post-Extrapolation" : "Pre-Extrapolation");
  if (!element) element = curve.child(behind ? "Post_Extrapolation" : "Pre_Extrapolation");
  const auto how = element ? beyond_of(letter_of(element->child("Type"))) : std::nullopt;
  if (!how) return {};
  Extrapolation extrapolation;
  extrapolation.how = *how;
  const auto times = integer_at(element->child("Repetition"), 0);
  if (times && *times >= 0) extrapolation.times = static_cast<double>(*times);
  return extrapolation;
}

double unrolled_count(const KeyCurve& curve, double from, double to) {
  if (curve.empty()) return 0.0;
  const Repetitions more = repetitions(curve, from, to);
  return (more.before + more.after + 1.0) * static_cast<double>(curve.keys.size()) + 2.0;
}

KeyCurve unrolled(const KeyCurve& curve, double from, double to) {
  KeyCurve out;
  if (curve.empty()) return out;
  const Repetitions more = repetitions(curve, from, to);
  for (double i = -more.before; i <= more.after; i += 1.0) {
    append(repetition(curve, i < 0.0 ? curve.before : curve.after, i), out.keys);
  }
  go_straight_on(curve, from, to, out.keys);
  return out;
}

}  // namespace throng::detail::fbx
