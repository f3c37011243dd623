// SPDX-License-Identifier: Apache-2.0
// The pose pass of models in localv (pose_channels.comp), which unpacks channels from a table of its own, against the
// decoder of C++: link by link of random clips.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "channel_motion.h"
#include "dice.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/character/decode.h"
#include "throng/gpu/gpu_device.h"
#include "throng/renderer/crowd_readback.h"
#include "throng/shaders/shared/channels.h"

namespace throng {
namespace {

constexpr Ticks kNow = 777;  // of random_cast()'s fades
constexpr std::size_t kFewestLinks = 100000;
constexpr double kUlp = 1.1920928955078125e-7;  // 2^-23: of 1
// What a link may be off by, along any axis, for each unit that the point it moves is away: what codec_test.cpp lets a
// rotation of localv be off by.
constexpr double kUlps = 16.0;

enum class Fields { narrow, wide };        // three components in 32 bits together, or in up to 66
enum class Parents { none, of_one_root };  // of the links

struct Shape {
  std::uint32_t links = 1;
  std::uint32_t characters = 1;
  Fields fields = Fields::wide;
  Parents parents = Parents::none;
};

// How many of what the test is about there was.
struct Seen {
  std::size_t links = 0;     // posed
  std::size_t fading = 0;    // of them, while two clips are blended
  std::size_t at_rest = 0;   // slots
  std::size_t constant = 0;  // of no width
  std::size_t fourths = 0;   // rotations whose w is stored
  std::size_t narrow = 0;    // of up to 32 bits
  std::size_t wide = 0;      // of more
  std::uint32_t widest = 0;  // of a component, in bits
  double worst_ulps = 0.0;
};

// A character of links whose columns are just where they are, with three vertices on each: the ends of its axes.
struct Links {
  CharacterDraft draft;
  std::vector<BakedVertex> vertices;
  std::vector<std::uint32_t> words;
};

class Maker {
 public:
  Maker(const Shape& shape, unsigned seed, Seen& seen) : shape_(shape), dice_(seed), seen_(seen) {}

  void make(Links& made) {
    test::ModelShape model{.bones = shape_.links, .layout = {1, 4}, .vertices = 3 * shape_.links};
    model.encodings = {Encoding::localv};
    model.links = shape_.links;
    model.clip_frames = {12, 9, 16, 1, 13, 2};
    model.clip_loops = {true, false};
    made.draft = test::random_draft(model);
    put_links(made);
    for (std::size_t i = 0; i < made.draft.clips.size(); ++i) put_clip(made, made.draft.clips[i], i % 2 == 0);
    made.draft.channel_words = made.words;
  }

 private:
  void put_links(Links& made) {
    made.draft.channel_slots.clear();
    const auto slot = [&](SlotKind kind) {
      made.draft.channel_slots.push_back(kind);
      return static_cast<std::uint32_t>(made.draft.channel_slots.size() - 1);
    };
    for (std::uint32_t i = 0; i < shape_.links; ++i) {
      PoseLink& link = made.draft.skeleton[i];
      link = {};
      if (shape_.parents == Parents::of_one_root && i > 0) link.parent = 0;
      link.rest = {dice_.turn(), dice_.point(0.5), dice_.between(0.8, 1.2)};
      if (dice_.below(8) != 0) link.rotation_slot = slot(SlotKind::rotation);
      if (dice_.below(3) == 0) link.translation_slot = slot(SlotKind::translation);
      if (dice_.below(3) == 0) link.scale_slot = slot(SlotKind::scale);
      made.draft.bones[i].link = i;
      made.draft.bones[i].link_from_mesh = {};
      for (int axis = 0; axis < 3; ++axis) {
        BakedVertex& vertex = made.vertices.emplace_back();
        vertex.position[axis] = vertex.normal[axis] = 1.0f;
        vertex.bones[0] = static_cast<std::uint16_t>(i);
        vertex.weights = {65535, 0, 0, 0};
      }
    }
    made.draft.vertices = made.vertices;
  }

  // From as fine as words can say it to a hundredth; narrow ones so coarse that three components fit in one word.
  double step() { return std::pow(10.0, dice_.between(shape_.fields == Fields::narrow ? -2.5 : -7.0, -2.0)); }

  // Around a mean, or in a circle, of which w is stored. Neighbours are less than a third of a circle apart, so that
  // both decoders turn the same way.
  SlotMotion rotation(std::size_t frames) {
    const bool circle = frames >= 8 && dice_.below(3) == 0;
    const glm::dquat first = dice_.turn();
    const glm::dvec3 axis = dice_.direction();
    std::vector<glm::dquat> values;
    for (std::size_t i = 0; i < frames; ++i) {
      const double angle = circle ? glm::radians(360.0) * static_cast<double>(i) / static_cast<double>(frames) : 0.0;
      values.push_back(glm::normalize(first * glm::angleAxis(angle, axis) + 0.2 * dice_.turn()));
    }
    return test::rotation_motion(std::move(values), step());
  }

  SlotMotion vectors(SlotKind kind, std::size_t frames) {
    std::vector<glm::dvec3> values;
    for (std::size_t i = 0; i < frames; ++i)
      values.push_back(kind == SlotKind::scale ? glm::dvec3(dice_.between(0.8, 1.2)) : dice_.point(0.5));
    return test::vector_motion(kind, values, step());
  }

  void put_clip(Links& made, BakedClip& clip, bool all_frames) {
    std::vector<std::uint32_t> stored{0};
    for (std::uint32_t frame = 1; frame < clip.frame_count; ++frame)
      if (all_frames || frame + 1 == clip.frame_count || dice_.below(2) == 0) stored.push_back(frame);
    std::vector<SlotMotion> slots(made.draft.channel_slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const SlotKind kind = made.draft.channel_slots[i];
      if (dice_.below(6) == 0) {
        ++seen_.at_rest;
        continue;
      }
      slots[i] = kind == SlotKind::rotation ? rotation(stored.size()) : vectors(kind, stored.size());
      if (dice_.below(6) == 0) slots[i].frames.assign(stored.size(), slots[i].frames[0]);
      count(slots[i]);
    }
    test::add_channels(slots, stored, clip, made.words);
  }

  void count(const SlotMotion& slot) {
    std::uint32_t together = 0;
    for (std::size_t axis = 0; axis < (slot.grid.kind == SlotKind::scale ? 1u : 3u); ++axis) {
      const auto step = [axis](const ChannelSteps& steps) { return steps[axis]; };
      const auto [least, most] = std::ranges::minmax(slot.frames, {}, step);
      const std::int32_t range = step(most) - step(least);
      const auto width = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(range)));
      together += width;
      seen_.widest = std::max(seen_.widest, width);
    }
    seen_.constant += together == 0 ? 1 : 0;
    seen_.fourths += slot.grid.four ? 1 : 0;
    ++(together > 32 ? seen_.wide : seen_.narrow);
  }

  Shape shape_;
  test::Dice dice_;
  Seen& seen_;
};

// What the decoder says of every link at a moment.
std::vector<BoneSample> links_of(const Character& model, const gpu::Moment& moment) {
  const auto links_in = [&](std::uint32_t clip, const Cursor& cursor) {
    return decode_links(model.draft(), model.clips()[clip], cursor, double{cursor.blend});
  };
  std::vector<BoneSample> links = links_in(moment.clip, moment.cursor);
  if (moment.previous_clip == gpu::kNoClip || moment.weight >= 1.0f) return links;
  const std::vector<BoneSample> previous = links_in(moment.previous_clip, moment.previous);
  const double weight = moment.weight;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const BoneSample& from = previous[i];
    const double side = glm::dot(from.rotation, links[i].rotation) < 0.0 ? -1.0 : 1.0;
    links[i].rotation = glm::normalize(from.rotation * (1.0 - weight) + links[i].rotation * (side * weight));
    links[i].position = glm::mix(from.position, links[i].position, weight);
    links[i].scale = glm::mix(from.scale, links[i].scale, weight);
  }
  return links;
}

class PoseItems : public test::OnDevice {
 protected:
  void compare(const Shape& shape, unsigned seed) {
    SCOPED_TRACE(fmt::format("{} links, {} fields{}", shape.links, shape.fields == Fields::wide ? "wide" : "narrow",
                             shape.parents == Parents::none ? "" : ", of one root"));
    Links made;
    Maker(shape, seed, seen_).make(made);
    const Character model = test::built(made.draft);
    const test::Cast cast = test::random_cast(model, shape.characters, seed, true);
    const auto crowd = skin_on_gpu(context(), model, cast.instances, cast.plays, kNow, SkinSpace::model);
    ASSERT_TRUE(crowd) << crowd.error().message;
    for (std::size_t i = 0; i < cast.size() && !HasFailure(); ++i) compare(model, *crowd, i);
  }

  void compare(const Character& model, const SkinnedCrowd& crowd, std::size_t character) {
    const gpu::Moment& moment = crowd.moments[character];
    const std::vector<BoneSample> links = links_of(model, moment);
    const bool fades = moment.previous_clip != gpu::kNoClip && moment.weight > 0.0f && moment.weight < 1.0f;
    for (std::size_t i = 0; i < links.size(); ++i) {
      ++seen_.links;
      seen_.fading += fades ? 1 : 0;
      for (int axis = 0; axis < 3; ++axis) {
        glm::dvec3 end(0.0);
        end[axis] = links[i].scale;
        const glm::dvec3 expected = links[i].position + links[i].rotation * end;
        const std::size_t vertex = character * crowd.vertices_per_instance + 3 * i + static_cast<std::size_t>(axis);
        const glm::dvec3 off = glm::abs(glm::dvec3(crowd.positions[vertex]) - expected);
        const double reach = glm::length(links[i].position) + links[i].scale;
        const double ulps = std::max({off.x, off.y, off.z}) / (kUlp * reach);
        seen_.worst_ulps = std::max(seen_.worst_ulps, ulps);
        ASSERT_LE(ulps, kUlps) << "character " << character << " in clip " << moment.clip << ", link " << i << ", axis "
                               << axis;
      }
    }
  }

  Seen seen_;
};

// Few links: a subgroup takes a character where the device has them, and has threads to spare for translations. Many:
// a group does, through shared memory, and its threads take several each.
TEST_F(PoseItems, AreWhatTheDecoderSaysLinkByLink) {
  const std::uint32_t threads = GpuDevice::create(context()).value()->shuffled_threads();
  const std::uint32_t few = threads >= 4 ? threads - 2 : 6;
  unsigned seed = 1;
  for (const Fields fields : {Fields::narrow, Fields::wide}) {
    compare({.links = few, .characters = 1500, .fields = fields}, seed++);
    compare({.links = 211, .characters = 300, .fields = fields}, seed++);
  }
  compare({.links = few, .characters = 500, .parents = Parents::of_one_root}, seed++);
  compare({.links = 90, .characters = 100, .parents = Parents::of_one_root}, seed++);
  RecordProperty("worst_ulps", fmt::format("{:.2f}", seen_.worst_ulps));
  EXPECT_GE(seen_.links, kFewestLinks);
  EXPECT_GT(seen_.fading, seen_.links / 10);
  EXPECT_GT(seen_.at_rest, 200u);
  EXPECT_GT(seen_.constant, 200u);
  EXPECT_GT(seen_.fourths, 200u);
  EXPECT_GT(seen_.narrow, 1000u);
  EXPECT_GT(seen_.wide, 500u);
  EXPECT_GE(seen_.widest, gpu::kMostWidth - 1);
  EXPECT_GT(seen_.worst_ulps, 0.0) << "floats are not doubles";
}

}  // namespace
}  // namespace throng
