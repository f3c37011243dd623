// SPDX-License-Identifier: Apache-2.0
#include "fbx/animation/takes_named.h"

#include <cmath>

#include "fbx/animation/curve_read.h"
#include "fbx/file/utf8.h"

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
      for (int i = 0; i < 3; ++i) in.number();
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

bool read_cubic(KeyStream& in, std::int64_t version, FileKey& key) {
  key.segment = Segment::cubic;
  key.tangent = Tangent::automatic;
  const auto weights = read_slopes(in, version, key);
  if (!weights) return false;
  for (int i = 0; i < *weights; ++i) {
    if (!read_weight(in, key)) return false;
  }
  const auto usable = [](double weight) { return weight >= 0.0 && weight <= 1.0; };
  return usable(key.weight) && usable(key.next_weight);
}

bool read_key(KeyStream& in, std::int64_t version, FileKey& key) {
  key.time = in.number() / kTicksPerSecond;
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

std::optional<KeyCurve> read_named_curve(const Element& channel, TakeTally& tally) {
  const Element* list = channel.child("Key");
  if (!list) return std::nullopt;
  const std::int64_t version = integer_at(channel.child("KeyVer"), 0).value_or(kOneWeightSince);
  KeyStream in(reals_of(list));
  std::vector<FileKey> keys;
  while (!in.done()) {
    FileKey key;
    if (!read_key(in, version, key)) {
      ++tally.broken_curves;
      return std::nullopt;
    }
    keys.push_back(key);
  }
  return checked_curve(keys, tally);
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
  take.moved[{object, what}] = {LayerPart{LayerMode::replace, 1.0, std::move(three)}};
}

void read_transform(const Element& transform, ObjectId object, Take& take, TakeTally& tally) {
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
      if (auto curve = read_named_curve(*channel, tally)) three.curves[c] = std::move(*curve);
    }
    add(take, object, what, std::move(three));
  }
}

// A channel of a shape's name moves the shape.
void read_shapes(const Document& document, const Element& element, ObjectId model, Take& take, TakeTally& tally) {
  for (const Object* geometry : document.sources_of(model, Kind::geometry)) {
    for (const Object* shape : document.sources_of(geometry->id, Kind::blend_channel)) {
      const Element* channel = channel_of(element, shape->name);
      if (!channel) continue;
      ThreeCurves three;
      if (auto curve = read_named_curve(*channel, tally)) three.curves[0] = std::move(*curve);
      add(take, shape->id, Moving::percent, std::move(three));
    }
  }
}

Take read_take(const Document& document, const Element& element, TakeTally& tally) {
  const std::string* name = text_at(&element, 0);
  Take take{.name = name ? valid_utf8(*name) : std::string(), .start = {}, .stop = {}, .moved = {}};
  const auto span = reals_of(element.child("LocalTime"));
  if (span.size() >= 2 && std::isfinite(span[0]) && std::isfinite(span[1])) {
    take.start = span[0] / kTicksPerSecond;
    take.stop = span[1] / kTicksPerSecond;
  }
  for (const Element& child : element.children) {
    const std::string* model_name = text_at(&child, 0);
    const Object* model = child.name == "Model" && model_name ? document.find_named(*model_name) : nullptr;
    if (!model) continue;
    if (const Element* transform = channel_of(child, "Transform")) read_transform(*transform, model->id, take, tally);
    read_shapes(document, child, model->id, take, tally);
  }
  return take;
}

}  // namespace

std::vector<Take> read_named_takes(const Document& document, TakeTally& tally) {
  std::vector<Take> takes;
  const Element* list = document.root().child("Takes");
  if (!list) return takes;
  for (const Element& element : list->children) {
    if (element.name == "Take") takes.push_back(read_take(document, element, tally));
  }
  return takes;
}

}  // namespace throng::detail::fbx
