// SPDX-License-Identifier: Apache-2.0
#include "bones/channel_motion.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "measure/looks.h"
#include "motion/bone_stillness.h"
#include "throng/base/try.h"

namespace throng::detail::bake {
namespace {

constexpr double kStillAngle = 1e-6;  // radians: no movement
constexpr double kStillShift = 1e-7;  // of the model's size
constexpr double kStillScale = 1e-6;  // of 1
constexpr double kLeastReach = 0.03;  // of the model's size: links that move nothing seen may still carry something
constexpr double kLeastScale = 1e-9;
constexpr double kHidden = 1e-3;          // of a link's largest scale: below, what it carries is not seen
constexpr double kFineStep = 1e-6;        // what does not move takes no bits, however fine it is
constexpr int kMostLooks = 4;             // an interval, where the source turns no corner
constexpr double kLooksASecond = 240.0;   // are enough
constexpr double kRoom = 5.0;             // steps of a range that are left to make up for the links above
constexpr double kShareOfMany = 0.5;      // see find_reaches()
constexpr std::size_t kReachFrames = 12;  // looked at for reaches

// Angles are twice the distance of two quaternions.
double angle_between(const glm::dquat& a, const glm::dquat& b) {
  return 2.0 * glm::length(glm::dot(a, b) < 0.0 ? a + b : a - b);
}

}  // namespace

ChannelMotion::ChannelMotion(const BoneBakeInputs& bake, const ComparedPoints& points, const ClipPlan& plan)
    : bake_(bake),
      skeleton_(*bake.skeleton),
      plan_(plan),
      frames_(plan.frames.frame_count),
      link_count_(skeleton_.links.size()),
      largest_(link_count_, 0.0),
      looks_(find_looks(bytes_of_look(bake, points))),
      looked_at_(link_count_),
      error_(bake, points, plan_, looks_, [this](const ChannelLook& look) { return sample_links(look); }) {
  sample_frames(frames_);
  find_still_links();
  find_reaches();
  gather_slots();
}

std::uint64_t ChannelMotion::bytes() const { return sizeof(BoneSample) * links_.size() + error_.bytes(); }

double ChannelMotion::bytes_of_look(const BoneBakeInputs& bake, const ComparedPoints& points) {
  return static_cast<double>(bake.skeleton->links.size() * ChannelError::kBytesALook +
                             points.all.size() * ChannelError::kBytesALeftOver);
}

int ChannelMotion::even_looks(const FramePlan& frames) {
  const double looks_a_frame = kLooksASecond * frames.length / static_cast<double>(frames.frame_count);
  return static_cast<int>(std::clamp(std::ceil(looks_a_frame), 2.0, static_cast<double>(kMostLooks)));
}

// In the order of their times: a frame is looked at first at the frame itself.
std::vector<ChannelLook> ChannelMotion::find_looks(double bytes_a_look) {
  const int even = even_looks(plan_.frames);
  const std::vector<Corner> corners = corners_of(plan_.clip);
  const auto most = static_cast<double>(frames_ * static_cast<std::uint64_t>(even) + corners.size());
  const auto every = 1 + static_cast<std::uint64_t>(most * bytes_a_look / kMostLookBytes);
  std::vector<ChannelLook> looks;
  for (std::uint32_t frame = 0; frame < frames_; ++frame) {
    first_looks_.push_back(looks.size());
    if (frame % every != 0) continue;
    for (const Look& look : looks_between(plan_, corners, frame, false, even)) looks.push_back({frame, look.blend});
  }
  first_looks_.push_back(looks.size());
  return looks;
}

std::span<const BoneSample> ChannelMotion::sample_links(const ChannelLook& look) {
  sample_frames(look.frame + (look.blend > 0.0 ? 1u : 0u));
  sample_at(look);
  return looked_at_;
}

// Those that were not, one after the other.
void ChannelMotion::sample_frames(std::size_t before) {
  while (sampled_ < before) sample_at({static_cast<std::uint32_t>(sampled_), 0.0});
}

std::vector<BoneSample> ChannelMotion::models_at(std::size_t frame) const {
  const auto links = frame_of(links_, frame);
  std::vector<BoneSample> models(links.begin(), links.end());
  for (std::size_t i = 0; i < link_count_; ++i) {
    const auto& parent = skeleton_.links[i].parent;
    if (parent) models[i] = composed(models[*parent], models[i]);
  }
  return models;
}

// Where the links are in the source; at frames that is kept.
void ChannelMotion::sample_at(const ChannelLook& look) {
  const bool at_frame = look.blend == 0.0;
  const Pose pose = sample_planned(bake_.source, plan_, plan_.source_time(look.frame, look.blend));
  for (std::size_t i = 0; i < link_count_; ++i) {
    const PoseLink& link = skeleton_.links[i];
    BoneSample sample = link.rest;
    if (link.rotation_slot || link.translation_slot || link.scale_slot) {
      const BoneSample moved = moved_link(skeleton_.sources[i], pose.bones[skeleton_.sources[i].bone]);
      if (link.rotation_slot) sample.rotation = glm::normalize(moved.rotation);
      if (link.translation_slot) sample.position = moved.position;
      if (link.scale_slot) sample.scale = moved.scale;
    }
    looked_at_[i] = link.parent ? composed(looked_at_[*link.parent], sample) : sample;
    if (!at_frame) continue;
    // Neighbours in one hemisphere, so that components do not jump.
    if (look.frame > 0 && glm::dot(links_[links_.size() - link_count_].rotation, sample.rotation) < 0.0)
      sample.rotation = -sample.rotation;
    links_.push_back(sample);
    largest_[i] = std::max(largest_[i], std::abs(looked_at_[i].scale));
  }
  sampled_ += at_frame ? 1 : 0;
}

double ChannelMotion::scale_above(std::size_t link) const {
  const auto& parent = skeleton_.links[link].parent;
  return parent ? std::max(largest_[*parent], kLeastScale) : 1.0;
}

void ChannelMotion::find_still_links() {
  turns_.assign(link_count_, 0);
  shifts_.assign(link_count_, 0);
  grows_.assign(link_count_, 0);
  for (std::size_t frame = 1; frame < frames_; ++frame) {
    for (std::size_t i = 0; i < link_count_; ++i) {
      const BoneSample& first = links_[i];
      const BoneSample& now = links_[frame * link_count_ + i];
      if (angle_between(first.rotation, now.rotation) > kStillAngle) turns_[i] = 1;
      if (glm::distance(first.position, now.position) > kStillShift * bake_.shape.size / scale_above(i)) shifts_[i] = 1;
      if (std::abs(first.scale - now.scale) > kStillScale) grows_[i] = 1;
    }
  }
}

// What a link carries ends where another one turns, and puts right what is below it. But for where it is: that error
// goes on to all ends of the chains below. So links that carry many ends are taken for longer than they are: the few of
// a trunk then take more bits, and the many of its twigs fewer. (Minimising the sum of bits while the errors along a
// chain add up to the same at every end makes steps inverse to the root of the number of ends.)
void ChannelMotion::find_reaches() {
  std::vector<std::size_t> carrier(link_count_);
  for (std::size_t i = 0; i < link_count_; ++i) {
    const auto& parent = skeleton_.links[i].parent;
    carrier[i] = turns_[i] != 0 || !parent ? i : carrier[*parent];
  }
  reach_.assign(link_count_, kLeastReach * bake_.shape.size);
  const std::size_t step = std::max<std::size_t>(1, frames_ / kReachFrames);
  std::size_t next = 0;
  for (std::size_t at = 0; at < looks_.size(); ++at) {
    const std::size_t frame = looks_[at].frame;
    if (looks_[at].blend != 0.0 || frame < next) continue;
    next += step;
    const std::vector<BoneSample> models = models_at(frame);
    const auto reach_to = [&](std::size_t link, const glm::dvec3& place, double weight) {
      const double distance = weight * glm::distance(models[carrier[link]].position, place);
      reach_[carrier[link]] = std::max(reach_[carrier[link]], distance);
    };
    for (std::size_t i = 0; i < link_count_; ++i) {
      if (skeleton_.links[i].parent) reach_to(*skeleton_.links[i].parent, models[i].position, 1.0);
    }
    error_.for_each_place(at, reach_to);
  }
  std::vector<double> ends(link_count_, 0.0);
  for (std::size_t i = link_count_; i-- > 0;) {
    if (turns_[i] != 0 && ends[i] == 0.0) ends[i] = 1.0;
    if (skeleton_.links[i].parent) ends[*skeleton_.links[i].parent] += ends[i];
  }
  for (std::size_t i = 0; i < link_count_; ++i) reach_[i] *= std::pow(std::max(1.0, ends[i]), kShareOfMany);
}

void ChannelMotion::take(const glm::dvec4& components, std::size_t frame, Slot& slot) {
  if (frame == 0) slot.first = components;
  for (int c = 0; c < 4; ++c) {
    const auto k = static_cast<std::size_t>(c);
    slot.least[k] = frame == 0 ? components[c] : std::min(slot.least[k], components[c]);
    slot.most[k] = frame == 0 ? components[c] : std::max(slot.most[k], components[c]);
  }
}

ChannelMotion::Slot ChannelMotion::rotation_slot(std::size_t link) const {
  std::vector<glm::dquat> values;
  for (std::size_t frame = 0; frame < frames_; ++frame) values.push_back(links_[frame * link_count_ + link].rotation);
  Slot slot;
  slot.grid = rotation_grid(values);
  slot.component_count = slot.grid.four ? 4 : 3;
  for (std::size_t frame = 0; frame < frames_; ++frame) take(components_of(slot.grid, values[frame]), frame, slot);
  slot.moves = turns_[link] != 0;
  slot.at_rest = !slot.moves && angle_between(values[0], skeleton_.links[link].rest.rotation) <= kStillAngle;
  slot.link = link;
  slot.unit = 1.0 / reach_[link];
  slot.fine = kFineStep;
  return slot;
}

template <class ValueOf>
ChannelMotion::Slot ChannelMotion::vector_slot(std::size_t link, SlotKind kind, bool moves, double unit, double fine,
                                               const ValueOf& value_of) const {
  Slot slot;
  slot.grid.kind = kind;
  for (std::size_t frame = 0; frame < frames_; ++frame)
    take(glm::dvec4(value_of(links_[frame * link_count_ + link]), 0.0), frame, slot);
  slot.moves = moves;
  slot.at_rest = !moves && glm::distance(slot.first, glm::dvec4(value_of(skeleton_.links[link].rest), 0.0)) <= fine;
  slot.link = link;
  slot.unit = unit;
  slot.fine = fine;
  return slot;
}

void ChannelMotion::gather_slots() {
  slots_.resize(skeleton_.slot_kinds.size());
  for (std::size_t i = 0; i < link_count_; ++i) {
    const PoseLink& link = skeleton_.links[i];
    if (link.rotation_slot) slots_[*link.rotation_slot] = rotation_slot(i);
    if (link.translation_slot)
      slots_[*link.translation_slot] =
          vector_slot(i, SlotKind::translation, shifts_[i] != 0, 1.0 / scale_above(i),
                      kStillShift * bake_.shape.size / scale_above(i), [](const BoneSample& s) { return s.position; });
    if (link.scale_slot)
      slots_[*link.scale_slot] = vector_slot(i, SlotKind::scale, grows_[i] != 0, 1.0 / reach_[i], kStillScale,
                                             [](const BoneSample& s) { return glm::dvec3(s.scale); });
  }
}

namespace {

// The numbers that a component may have: as many as its bits tell apart.
struct Range {
  std::int32_t first = 0;
  std::int32_t last = 0;
};

std::int64_t width_of(std::int64_t span) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(span)));
}

}  // namespace

// Rounds the slots of one clip, frame by frame and from the root outwards.
class ChannelMotion::Rounder {
 public:
  Rounder(const ChannelMotion& motion, std::vector<std::uint32_t> stored, double distance,
          std::span<const double> shares)
      : motion_(motion), ranges_(motion.slots_.size()) {
    out_.stored = std::move(stored);
    out_.slots.resize(motion.slots_.size());
    for (std::size_t i = 0; i < motion.slots_.size(); ++i)
      begin(motion.slots_[i], shares.empty() ? distance : distance * shares[motion.slots_[i].link], out_.stored.size(),
            out_.slots[i], ranges_[i]);
  }

  RoundedMotion run() && {
    const std::size_t links = motion_.link_count_;
    out_.links.resize(out_.stored.size() * links);
    std::vector<BoneSample> models(links);
    for (std::size_t number = 0; number < out_.stored.size(); ++number) {
      const std::size_t frame = out_.stored[number];
      const std::vector<BoneSample> belongs = motion_.models_at(frame);
      for (std::size_t i = 0; i < links; ++i) {
        const auto& parent = motion_.skeleton_.links[i].parent;
        const BoneSample above = parent ? models[*parent] : BoneSample{};
        BoneSample& sample = out_.links[number * links + i];
        sample = place(i, number, above, motion_.links_[frame * links + i], belongs[i]);
        models[i] = composed(above, sample);
      }
    }
    return std::move(out_);
  }

 private:
  static void begin(const Slot& slot, double distance, std::size_t frames, SlotMotion& out,
                    std::array<Range, 4>& ranges) {
    if (slot.at_rest) return;
    out.grid = slot.grid;
    const double most = std::max({-*std::ranges::min_element(slot.least), *std::ranges::max_element(slot.most)});
    out.grid.step = channel_step(slot.grid.kind, slot.moves ? slot.unit * distance : slot.fine, most);
    if (slot.moves) out.grid.step = finest_in_as_many_bits(slot, out.grid.step, most);
    out.frames.assign(frames, steps_of(out.grid, slot.first));
    for (std::size_t c = 0; c < slot.component_count; ++c) {
      const Range raw = raw_range(slot, c, out.grid.step);
      if (!slot.moves || raw.first == raw.last) {
        ranges[c] = {out.frames[0][c], out.frames[0][c]};
        continue;
      }
      // Making up for the links above must not cost a bit more: there is room up to the next power of two.
      const std::int32_t all = static_cast<std::int32_t>((std::int64_t{1} << width_of(raw.last - raw.first)) - 1);
      const std::int32_t spare = all - (raw.last - raw.first);
      ranges[c] = {raw.first - spare / 2, raw.first - spare / 2 + all};
    }
  }

  // The bits that a step takes often hold a finer one, but for a little room to make up for the links above.
  static float finest_in_as_many_bits(const Slot& slot, float step, double most) {
    std::int64_t bits = 0;
    double finest = 0.0;
    for (std::size_t c = 0; c < slot.component_count; ++c) {
      const std::int64_t width = width_in(slot, c, step);
      bits += width;
      const double numbers = static_cast<double>(std::int64_t{1} << width) - 1.0 - kRoom;
      if (numbers > 0.0) finest = std::max(finest, (slot.most[c] - slot.least[c]) / numbers);
    }
    if (!(finest < static_cast<double>(step))) return step;
    const float finer = channel_step(slot.grid.kind, finest, most);
    std::int64_t finer_bits = 0;
    for (std::size_t c = 0; c < slot.component_count; ++c) finer_bits += width_in(slot, c, finer);
    return finer < step && finer_bits <= bits ? finer : step;
  }

  static std::int64_t width_in(const Slot& slot, std::size_t component, float step) {
    const Range raw = raw_range(slot, component, step);
    return width_of(std::int64_t{raw.last} - raw.first);
  }

  static Range raw_range(const Slot& slot, std::size_t component, float step) {
    return {static_cast<std::int32_t>(std::llround(slot.least[component] / static_cast<double>(step))),
            static_cast<std::int32_t>(std::llround(slot.most[component] / static_cast<double>(step)))};
  }

  const ChannelSteps& put(std::uint32_t slot, std::size_t frame, const glm::dvec4& wanted) {
    ChannelSteps& steps = out_.slots[slot].frames[frame];
    const ChannelSteps next = steps_of(out_.slots[slot].grid, wanted);
    for (std::size_t c = 0; c < 4; ++c) steps[c] = std::clamp(next[c], ranges_[slot][c].first, ranges_[slot][c].last);
    return steps;
  }

  bool is_stored(std::optional<std::uint32_t> slot) const { return slot && !out_.slots[*slot].frames.empty(); }

  // parent_from_link that brings it from where its parent is to where it belongs, as near as steps allow. Below a link
  // that is scaled to nothing there is nothing to make up for, and it would be divided by.
  BoneSample place(std::size_t number, std::size_t frame, const BoneSample& above, const BoneSample& own,
                   const BoneSample& belongs) {
    const PoseLink& link = motion_.skeleton_.links[number];
    const bool hidden = std::abs(above.scale) < kHidden * motion_.scale_above(number);
    BoneSample sample = link.rest;
    if (is_stored(link.rotation_slot)) {
      const ChannelGrid& grid = out_.slots[*link.rotation_slot].grid;
      glm::dquat wanted = glm::conjugate(above.rotation) * belongs.rotation;
      if (glm::dot(wanted, own.rotation) < 0.0) wanted = -wanted;
      sample.rotation = rotation_at(grid, put(*link.rotation_slot, frame, components_of(grid, wanted)));
    }
    if (is_stored(link.translation_slot)) {
      const glm::dvec3 wanted =
          hidden ? own.position : (glm::conjugate(above.rotation) * (belongs.position - above.position)) / above.scale;
      sample.position = vector_at(out_.slots[*link.translation_slot].grid,
                                  put(*link.translation_slot, frame, glm::dvec4(wanted, 0.0)));
    }
    if (is_stored(link.scale_slot)) {
      const glm::dvec4 wanted(glm::dvec3(hidden ? own.scale : belongs.scale / above.scale), 0.0);
      sample.scale = vector_at(out_.slots[*link.scale_slot].grid, put(*link.scale_slot, frame, wanted)).x;
    }
    return sample;
  }

  const ChannelMotion& motion_;
  RoundedMotion out_;
  std::vector<std::array<Range, 4>> ranges_;
};

RoundedMotion ChannelMotion::rounded(std::vector<std::uint32_t> stored, double distance,
                                     std::span<const double> shares) const {
  return Rounder(*this, std::move(stored), distance, shares).run();
}

std::vector<double> ChannelMotion::errors_below(const RoundedMotion& motion) const {
  std::vector<float> worst(error_.point_count(), 0.0f);
  error_of(motion.stored, motion.links, std::numeric_limits<double>::infinity(), worst);
  std::vector<double> below(link_count_, 0.0);
  for (std::size_t p = 0; p < worst.size(); ++p) {
    const double error = std::sqrt(static_cast<double>(worst[p]));
    error_.for_each_link(p, [&](std::size_t link) { below[link] = std::max(below[link], error); });
  }
  for (std::size_t i = link_count_; i-- > 0;) {
    if (!skeleton_.links[i].parent) continue;
    double& above = below[*skeleton_.links[i].parent];
    above = std::max(above, below[i]);
  }
  return below;
}

std::vector<std::uint32_t> ChannelMotion::every_frame() const {
  std::vector<std::uint32_t> stored(frames_);
  for (std::uint32_t frame = 0; frame < frames_; ++frame) stored[frame] = frame;
  return stored;
}

// Finds for each frame about the farthest next one that will do. How far that was from the last one is tried first;
// then twice as far, or half.
std::vector<std::uint32_t> ChannelMotion::fewest_frames(double allowed) const {
  const auto end = static_cast<std::uint32_t>(plan_.frames.loops ? frames_ : frames_ - 1);
  const auto most = static_cast<float>(allowed * allowed);
  ChannelError::Scratch scratch;
  const auto will_do = [&](std::uint32_t from, std::uint32_t length) {
    ChannelError::Interval interval{frame_of(links_, from), frame_of(links_, (from + length) % frames_), from, length};
    const std::size_t first = first_looks_[from];
    const std::size_t last = first_looks_[from + length];
    // Test the middle first: most failures are there.
    for (const auto& [a, b] : {std::pair{(first + last) / 2, last}, std::pair{first, (first + last) / 2}}) {
      interval.first_look = a;
      interval.end_look = b;
      if (error_.largest(interval, most, scratch) > most) return false;
    }
    return true;
  };
  std::vector<std::uint32_t> stored{0};
  std::uint32_t does = 1;
  for (std::uint32_t from = 0; from < end;) {
    const std::uint32_t longest = std::min(kMostFramesApart, end - from);
    std::uint32_t tried = std::min(does, longest);
    std::uint32_t fails = longest + 1;
    does = 1;
    while (does + 1 < fails) {
      tried = std::clamp(tried, does + 1, fails - 1);
      if (will_do(from, tried)) {
        does = tried;
        tried = fails > longest ? 2 * does : (does + fails) / 2;
      } else {
        fails = tried;
        tried = (does + fails) / 2;
      }
    }
    from += does;
    if (from < frames_) stored.push_back(from);
  }
  return stored;
}

double ChannelMotion::error_of(std::span<const std::uint32_t> stored, std::span<const BoneSample> links, double enough,
                               std::span<float> worst) const {
  const auto most_allowed = static_cast<float>(enough * enough);
  ChannelError::Scratch scratch;
  float most = 0.0f;
  for (std::size_t number = 0; number < stored.size() && most <= most_allowed; ++number) {
    const bool last = number + 1 == stored.size();
    const std::uint32_t from = stored[number];
    const std::uint32_t to = last ? plan_.frames.frame_count : stored[number + 1];
    const ChannelError::Interval interval{
        frame_of(links, number), frame_of(links, last ? 0 : number + 1), from, to - from, first_looks_[from],
        first_looks_[to]};
    most = std::max(most, error_.largest(interval, most_allowed, scratch, worst));
  }
  return std::sqrt(static_cast<double>(most));
}

double ChannelMotion::error_between(std::span<const std::uint32_t> stored) const {
  if (stored.size() == frames_) return error_of(stored, links_, std::numeric_limits<double>::infinity());
  std::vector<BoneSample> links;
  links.reserve(stored.size() * link_count_);
  for (const std::uint32_t frame : stored) {
    const auto all = frame_of(links_, frame);
    links.insert(links.end(), all.begin(), all.end());
  }
  return error_of(stored, links, std::numeric_limits<double>::infinity());
}

double ChannelMotion::error_at_frames(const RoundedMotion& motion) const {
  ChannelError::Scratch scratch;
  float most = 0.0f;
  for (std::size_t number = 0; number < motion.stored.size(); ++number) {
    const std::uint32_t frame = motion.stored[number];
    const auto links = frame_of(motion.links, number);
    const std::size_t look = first_looks_[frame];
    if (look == first_looks_[frame + 1]) continue;  // it is not looked at
    most = std::max(most, error_.largest({links, links, frame, 1, look, look + 1},
                                         std::numeric_limits<float>::infinity(), scratch));
  }
  return std::sqrt(static_cast<double>(most));
}

Result<EncodedClip> ChannelMotion::encoded(const RoundedMotion& motion) const {
  THRONG_TRY(EncodedChannels channels, encode_channels(motion.slots, motion.stored, plan_.frames.frame_count));
  EncodedClip clip;
  clip.encoding = Encoding::localv;
  clip.frame_count = plan_.frames.frame_count;
  clip.channels = channels.clip;
  clip.words = std::move(channels.words);
  return clip;
}

}  // namespace throng::detail::bake
