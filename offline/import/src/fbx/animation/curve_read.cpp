// SPDX-License-Identifier: Apache-2.0
#include "fbx/animation/curve_read.h"

#include <bit>
#include <cmath>

#include "fbx/animation/extrapolation.h"
#include "throng/base/try.h"

namespace throng::detail::fbx {
namespace {

constexpr std::uint32_t kConstant = 0x2;
constexpr std::uint32_t kCubic = 0x8;
constexpr std::uint32_t kConstantNext = 0x100;
constexpr std::uint32_t kTcb = 0x200;
constexpr std::uint32_t kUser = 0x400;
constexpr std::uint32_t kClamp = 0x1000;
constexpr std::uint32_t kTimeIndependent = 0x2000;
constexpr std::uint32_t kClampProgressive = 0x4000;
constexpr std::uint32_t kWeightedRight = 0x1000000;
constexpr std::uint32_t kWeightedNextLeft = 0x2000000;
// A key may have velocities too (0x30000000, and the fourth number). MotionBuilder has worked them into the key's
// weights and into how it leans by the time it writes them, so applying them would count them twice.

constexpr std::size_t kNumbersPerRun = 4;

struct Runs {
  std::vector<std::int64_t> flags;
  std::vector<float> numbers;
  std::vector<std::int64_t> lengths;
};

// ASCII files hold the numbers' bits as integers.
std::vector<float> attribute_numbers(const Element* element) {
  std::vector<float> numbers;
  if (!element || element->values.empty()) return numbers;
  if (const auto* bits = std::get_if<std::vector<std::int64_t>>(&element->values[0])) {
    for (const std::int64_t value : *bits) numbers.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(value)));
    return numbers;
  }
  for (const double value : reals_of(element)) numbers.push_back(static_cast<float>(value));
  return numbers;
}

std::optional<Runs> read_runs(const Element& curve) {
  auto flags = long_integers_of(curve.child("KeyAttrFlags"));
  auto lengths = long_integers_of(curve.child("KeyAttrRefCount"));
  if (!flags || !lengths) return std::nullopt;
  Runs runs{std::move(*flags), attribute_numbers(curve.child("KeyAttrDataFloat")), std::move(*lengths)};
  const bool fits =
      runs.lengths.size() == runs.flags.size() && runs.numbers.size() == runs.flags.size() * kNumbersPerRun;
  return fits ? std::optional(std::move(runs)) : std::nullopt;
}

// Two 16-bit numbers in ten-thousandths, in the bits of a float.
void read_weights(std::uint32_t flags, float packed, FileKey& key) {
  constexpr double kUnit = 1.0 / 10000.0;
  const auto bits = std::bit_cast<std::uint32_t>(packed);
  if (flags & kWeightedRight) key.weight = std::min(1.0, (bits & 0xFFFFu) * kUnit);
  if (flags & kWeightedNextLeft) key.next_weight = std::min(1.0, (bits >> 16) * kUnit);
}

FileKey key_of(double time, double value, std::uint32_t flags, const float* numbers) {
  FileKey key{.time = time,
              .value = value,
              .segment = Segment::linear,
              .tangent = Tangent::user,
              .clamp = (flags & kClamp) != 0,
              .clamp_progressive = (flags & kClampProgressive) != 0,
              .time_independent = (flags & kTimeIndependent) != 0,
              .right = static_cast<double>(numbers[0]),
              .next_left = static_cast<double>(numbers[1]),
              .bias = 0.0};
  if (flags & kConstant) {
    key.segment = (flags & kConstantNext) ? Segment::constant_next : Segment::constant;
    return key;
  }
  if (!(flags & kCubic)) return key;
  key.segment = Segment::cubic;
  if (flags & kTcb)
    key.tangent = Tangent::tension_continuity_bias;
  else if (!(flags & kUser))
    key.tangent = Tangent::automatic;
  const bool weighted = (flags & (kWeightedRight | kWeightedNextLeft)) != 0;
  if (weighted)
    read_weights(flags, numbers[2], key);
  else if (flags & kTcb)
    key.bias = static_cast<double>(numbers[2]);
  return key;
}

// One entry a key; what the runs leave over goes on as the last one.
std::vector<FileKey> keys_of(const std::vector<std::int64_t>& times, const std::vector<double>& values,
                             const Runs& runs, CurveReading& reading) {
  std::vector<FileKey> keys;
  keys.reserve(times.size());
  const double ticks_per_second = reading.document.ticks_per_second();
  std::size_t run = 0;
  std::int64_t left = runs.lengths.empty() ? 0 : runs.lengths[0];
  for (std::size_t i = 0; i < times.size(); ++i) {
    while (left <= 0 && run + 1 < runs.flags.size()) left = runs.lengths[++run];
    const double time = static_cast<double>(times[i]) / ticks_per_second;
    constexpr float kNone[kNumbersPerRun] = {};
    const bool described = run < runs.flags.size();
    const std::uint32_t flags = described ? static_cast<std::uint32_t>(runs.flags[run]) : 0u;
    const float* numbers = described ? &runs.numbers[run * kNumbersPerRun] : kNone;
    keys.push_back(key_of(time, values[i], flags, numbers));
    --left;
  }
  return keys;
}

}  // namespace

Result<KeyCurve> checked_curve(const std::vector<FileKey>& keys, CurveReading& reading) {
  std::vector<FileKey> kept;
  kept.reserve(keys.size());
  for (const FileKey& key : keys) {
    const bool finite = std::isfinite(key.time) && std::isfinite(key.value) && std::isfinite(key.right) &&
                        std::isfinite(key.next_left) && std::isfinite(key.bias);
    if (!finite) {
      THRONG_CHECK(reading.mender.forgive(import::Fault::key, "has an animation key that is not finite"));
    } else if (!kept.empty() && key.time <= kept.back().time) {
      ++reading.tally.keys_out_of_order;
    } else {
      kept.push_back(key);
    }
  }
  return solve_tangents(kept);
}

Result<std::optional<KeyCurve>> read_curve(const Element& curve, CurveReading& reading) {
  constexpr std::size_t kBytesOfKey = 2 * sizeof(FileKey) + sizeof(Key) + 2 * sizeof(double);
  constexpr std::string_view kKeys = "animation keys";
  // Whatever uses the curve reads it anew: also lists that turn out not to fit, in whatever else lies there.
  THRONG_CHECK(reading.budget.look(1 + curve.children.size() / 16, kKeys));
  THRONG_CHECK(reading.budget.spend(kBytesOfKey, number_count(curve.child("KeyTime")), kKeys));
  for (const char* list : {"KeyValueFloat", "KeyAttrFlags", "KeyAttrDataFloat", "KeyAttrRefCount"})
    THRONG_CHECK(reading.budget.spend(sizeof(double), number_count(curve.child(list)), kKeys));
  const auto times = long_integers_of(curve.child("KeyTime"));
  const auto values = reals_of(curve.child("KeyValueFloat"));
  const auto runs = read_runs(curve);
  if (!times || !runs || times->size() != values.size()) {
    ++reading.tally.broken_curves;
    return std::nullopt;
  }
  THRONG_TRY(KeyCurve keys, checked_curve(keys_of(*times, values, *runs, reading), reading));
  keys.before = read_extrapolation(curve, false);
  keys.after = read_extrapolation(curve, true);
  return keys;
}

}  // namespace throng::detail::fbx
