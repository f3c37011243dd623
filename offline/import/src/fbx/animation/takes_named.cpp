// SPDX-License-Identifier: Apache-2.0
#include "fbx/animation/takes_named.h"

#include <cmath>

#include "fbx/animation/curve_read.h"
#include "fbx/animation/extrapolation.h"
#include "fbx/file/utf8.h"
#include "throng/base/try.h"

namespace throng::detail::fbx {
namespace {

// Letters are their codes in both containers.
class KeyStream {
 public:
  explicit KeyStream(std::vector<double> numbers) : numbers_(std::move(numbers)) {}

  bool done() const { return at_ >= numbers_.size(); }
  // Zero past the end; `cut_short` tells.
  double number() {
    if (done()) {
      cut_short_ = true;
      return 0.0;
    }
    return numbers_[at_++];
  }
  char letter() {
    const double code = number();
    return code >= 0.0 && code <= 127.0 ? static_cast<char>(code) : '\0';
  }
  bool cut_short() const { return cut_short_; }

 private:
  std::vector<double> numbers_;
  std::size_t at_ = 0;
  bool cut_short_ = false;
};

constexpr std::int64_t kOneWeightSince = 4005;  // KeyVer

// How many weights follow the slopes; nothing where the letter is unknown.
std::optional<int> read_slopes(KeyStream& in, std::int64_t version, FileKey& key) {
  const bool newer = version >= kOneWeightSince;
  switch (in.letter()) {
    case 's':
    case 'b':
      key.tangent = Tangent::user;
      key.right = in.number();
      key.next_left = in.number();
      return version == 4003 ? 0 : 1;
    case 'a':
      return newer ? 1 : 0;
    case 'p':
    case 'q':
      in.number();
      in.number();
      return newer ? 2 : 1;
    case 't':
      key.tangent = Tangent::tension_continuity_bias;
      key.right = in.number();
      key.next_left = in.number();
      key.bias = in.number();
      return 0;
    case 'd':
      in.number();
      return 1;
    default:
      return std::nullopt;
  }
}

bool read_weight(KeyStream& in, FileKey& key) {
  switch (in.letter()) {
    case 'n':
    case 'c':
      return true;
    case 'a':
      key.weight = in.number();
      key.next_weight = in.number();
      return true;
    case 'r':
      key.weight = in.number();
      return true;
    case 'l':
      key.next_weight = in.number();
      return true;
    default:
      return false;
  }
}

// Velocities may follow the weights, in the same form: passed over, as in curve_read.cpp.
bool read_cubic(KeyStream& in, std::int64_t version, FileKey& key) {
  key.segment = Segment::cubic;
  key.tangent = Tangent::automatic;
  const auto lists = read_slopes(in, version, key);
  if (!lists) return false;
  if (*lists > 0 && !read_weight(in, key)) return false;
  FileKey velocity;
  if (*lists > 1 && !read_weight(in, velocity)) return false;
  const auto usable = [](double weight) { return weight >= 0.0 && weight <= 1.0; };
  return usable(key.weight) && usable(key.next_weight);
}

bool read_key(KeyStream& in, std::int64_t version, FileKey& key, CurveReading& reading) {
  key.time = in.number() / reading.document.ticks_per_second();
  key.value = in.number();
  key.tangent = Tangent::user;
  switch (in.letter()) {
    case 'U':
      return read_cubic(in, version, key) && !in.cut_short();
    case 'L':
      key.segment = Segment::linear;
      return !in.cut_short();
    case 'C':
      key.segment = version >= 4004 && in.letter() == 'n' ? Segment::constant_next : Segment::constant;
      return !in.cut_short();
    default:
      return false;
  }
}

Result<KeyCurve> read_named_curve(const Element& channel, CurveReading& reading) {
  const Element* list = channel.child("Key");
  if (!list) return KeyCurve{};
  constexpr std::size_t kBytesOfNumber = 2 * sizeof(double) + sizeof(FileKey);
  THRONG_CHECK(reading.budget.spend(kBytesOfNumber, number_count(list), "animation keys"));
  const std::int64_t version = integer_at(channel.child("KeyVer"), 0).value_or(kOneWeightSince);
  KeyStream in(reals_of(list));
  std::vector<FileKey> keys;
  while (!in.done()) {
    FileKey key;
    if (!read_key(in, version, key, reading)) {
      ++reading.tally.broken_curves;
      return KeyCurve{};
    }
    keys.push_back(key);
  }
  THRONG_TRY(KeyCurve curve, checked_curve(keys, reading));
  curve.before = read_extrapolation(channel, false);
  curve.after = read_extrapolation(channel, true);
  return curve;
}

const Element* channel_of(const Element& parent, std::string_view name) {
  for (const Element& child : parent.children) {
    const std::string* text = text_at(&child, 0);
    if (child.name == "Channel" && text && *text == name) return &child;
  }
  return nullptr;
}

void add(Take& take, ObjectId object, Moving what, ThreeCurves three) {
  if (three.empty()) return;
  take.moved[{object, what}] = {LayerPart{LayerMode::replace, {}, std::move(three)}};
}

Result<void> read_transform(const Element& transform, ObjectId object, Take& take, CurveReading& reading) {
  constexpr std::pair<const char*, Moving> kParts[] = {
      {"T", Moving::translation}, {"R", Moving::rotation}, {"S", Moving::scale}};
  constexpr const char* kComponents[] = {"X", "Y", "Z"};
  for (const auto& [name, what] : kParts) {
    const Element* part = channel_of(transform, name);
    if (!part) continue;
    ThreeCurves three;
    for (std::size_t c = 0; c < 3; ++c) {
      const Element* channel = channel_of(*part, kComponents[c]);
      if (!channel) continue;
      three.resting[c] = real_at(channel->child("Default"), 0);
      THRONG_TRY(three.curves[c], read_named_curve(*channel, reading));
    }
    add(take, object, what, std::move(three));
  }
  return {};
}

// A channel of a shape's name moves the shape.
Result<void> read_shapes(const Element& element, ObjectId model, Take& take, CurveReading& reading) {
  const Document& document = reading.document;
  for (const Object* geometry : document.sources_of(model, Kind::geometry)) {
    for (const Object* shape : document.sources_of(geometry->id, Kind::blend_channel)) {
      const Element* channel = channel_of(element, shape->name);
      if (!channel) continue;
      ThreeCurves three;
      THRONG_TRY(three.curves[0], read_named_curve(*channel, reading));
      add(take, shape->id, Moving::percent, std::move(three));
    }
  }
  return {};
}

Result<void> read_visibility(const Element& element, ObjectId model, Take& take, CurveReading& reading) {
  const Element* channel = channel_of(element, "Visibility");
  if (!channel) return {};
  ThreeCurves three;
  THRONG_TRY(three.curves[0], read_named_curve(*channel, reading));
  add(take, model, Moving::visibility, std::move(three));
  return {};
}

Result<Take> read_take(const Element& element, CurveReading& reading) {
  const Document& document = reading.document;
  const std::string* name = text_at(&element, 0);
  Take take{.name = name ? valid_utf8(*name) : std::string(), .start = {}, .stop = {}, .moved = {}};
  const auto span = reals_of(element.child("LocalTime"));
  if (span.size() >= 2 && std::isfinite(span[0]) && std::isfinite(span[1])) {
    take.start = span[0] / document.ticks_per_second();
    take.stop = span[1] / document.ticks_per_second();
  }
  for (const Element& child : element.children) {
    const std::string* model_name = text_at(&child, 0);
    const Object* model = child.name == "Model" && model_name ? document.find_named(*model_name) : nullptr;
    if (!model) continue;
    if (const Element* transform = channel_of(child, "Transform")) {
      THRONG_CHECK(read_transform(*transform, model->id, take, reading));
    }
    THRONG_CHECK(read_shapes(child, model->id, take, reading));
    THRONG_CHECK(read_visibility(child, model->id, take, reading));
  }
  return take;
}

}  // namespace

Result<std::vector<Take>> read_named_takes(CurveReading& reading) {
  std::vector<Take> takes;
  const Element* list = reading.document.root().child("Takes");
  if (!list) return takes;
  for (const Element& element : list->children) {
    if (element.name != "Take") continue;
    THRONG_TRY(Take take, read_take(element, reading));
    takes.push_back(std::move(take));
  }
  return takes;
}

}  // namespace throng::detail::fbx
