// SPDX-License-Identifier: Apache-2.0
#include "throng/character/motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "check/rules.h"
#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng {

struct Motion::State {
  MotionData data;
  std::vector<ClipKeys> keys;
};

namespace {

constexpr double kUnitTolerance = 2e-3;  // a Model's rotations are unit length to 1e-3, and are rounded
// Keys of a rotation stay on one side of the four-dimensional sphere, so that nothing between two of them has no
// length.
constexpr float kLeastDot = -0.01f;

bool is_good(const Transform& t) {
  const double length = glm::length(t.rotation);
  return is_finite(t.translation) && is_finite(t.scale) && std::abs(length - 1.0) <= kUnitTolerance;
}

Result<void> check_skeleton(const MotionData& data) {
  if (data.bones.empty()) return fail("there are no bones: there is nothing to animate");
  for (std::size_t bone = 0; bone < data.bones.size(); ++bone) {
    const MotionBone& b = data.bones[bone];
    if (b.parent && *b.parent >= bone)
      return fail("bone {} hangs on bone {}, which does not come before it", bone, *b.parent);
    if (!is_good(b.rest) || (b.still && !is_good(*b.still)))
      return fail("bone {}: its rest is not finite or its rotation not of unit length", bone);
  }
  if (data.root_bone && *data.root_bone >= data.bones.size())
    return fail("the root bone is {} of {}", *data.root_bone, data.bones.size());
  for (const MotionSocket& socket : data.sockets) {
    if (socket.bone >= data.bones.size()) return fail("socket '{}' is on bone {}", socket.name, socket.bone);
    if (!is_good(socket.bone_from_socket))
      return fail("socket '{}' lies nowhere: its numbers are not finite", socket.name);
  }
  for (const MotionBinding& binding : data.bindings) {
    if (binding.bone >= data.bones.size())
      return fail("a binding is to bone {} of {}", binding.bone, data.bones.size());
    if (!is_finite(binding.bone_from_mesh)) return fail("a binding's matrix is not finite");
  }
  if (!are_finite(data.rest_morphs)) return fail("a morph weight at rest is not finite");
  return {};
}

Result<void> check_bone_channels(const MotionData& data, const MotionChannels& channels) {
  if (channels.bones.empty()) return {};
  if (channels.bones.size() != data.bones.size())
    return fail("channels of {} bones, where there are {}", channels.bones.size(), data.bones.size());
  for (std::size_t bone = 0; bone < channels.bones.size(); ++bone) {
    const BoneChannels& one = channels.bones[bone];
    if (!detail::character::are_slots({one.rotation, one.translation, one.scale}, channels.slots))
      return fail("bone {} follows a slot that does not exist, or of another kind", bone);
    if (!one.covered && (one.rotation || one.translation || one.scale))
      return fail("bone {} follows a slot, and keys", bone);
    if (!is_good(one.still)) return fail("bone {} stands still where its numbers are not finite", bone);
  }
  return {};
}

Result<void> check_own_bones(const MotionData& data) {
  const auto& far = data.channels.bones;
  const auto& own = data.own_channels.bones;
  for (std::size_t bone = 0; bone < std::min(far.size(), own.size()); ++bone)
    if (far[bone].covered && own[bone].covered)
      return fail("bone {} follows the words of far characters, and own", bone);
  return {};
}

// Looks at the words of each clip in localv; those that several play, once.
class FrameChecker {
 public:
  explicit FrameChecker(const MotionChannels& channels) : channels_(channels) {}

  Result<void> check(const MotionClip& clip, const std::optional<MotionFrames>& frames) {
    if (!frames) return {};
    if (channels_.bones.empty()) return fail("it is in localv, but no bone is");
    const auto& [words, frame_count] = *frames;
    if (frame_count == 0) return fail("it has no frames");
    if (frame_count > 1 && !(clip.length > 0.0f)) return fail("it has {} frames and no length", frame_count);
    const auto [known, added] =
        seen_.emplace(words.first_word, words.map, words.frames, words.frame_words, words.stored_frames, frame_count);
    if (!added) return {};
    return check_channels(channels_.words, words, channels_.slots, frame_count);
  }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  const MotionChannels& channels_;
  std::set<Key> seen_;
};

Result<void> check_facts(const MotionClip& clip) {
  if (!clip.frames && clip.ground_count != 0) return fail("it moves the ground, and is all keys");
  if (!clip.frames && clip.own_frames) return fail("it has words of its own, and none that far characters have");
  if (!std::isfinite(clip.length) || clip.length < 0.0f) return fail("it lasts {} s", clip.length);
  return detail::character::check_events(clip.events, static_cast<double>(clip.length));
}

// Takes lists from the front of what is left.
class ListReader {
 public:
  explicit ListReader(const MotionData& data)
      : data_(data),
        groups_((data.bones.size() + 3) / 4),
        words_(data.lists),
        times_(data.times),
        values_(data.values),
        root_paths_(data.root_paths) {
    covered_ = covered_groups(false);
    own_covered_ = covered_groups(true);
  }

  Result<ClipKeys> clip(const MotionClip& clip) {
    ClipKeys keys;
    keys.length = clip.length;
    std::array<std::vector<bool>, 3> seen;
    for (auto& channel : seen) channel.assign(groups_, false);
    std::vector<bool> morphs(data_.rest_morphs.size());
    for (std::uint64_t i = 0; i <= clip.list_count; ++i) {
      THRONG_TRY(const KeyList list, next());
      THRONG_CHECK(check_times(list, i == 0, clip.length));
      THRONG_CHECK(check_values(list));
      THRONG_CHECK(mark(list, seen, morphs));
      if (i == 0) keys.still = list;
      if (i > 0) keys.lists.push_back(list);
    }
    const std::vector<bool>& covered = clip.own_frames ? own_covered_ : covered_;
    for (const auto& channel : seen) {
      for (std::size_t group = 0; group < groups_; ++group)
        if (channel[group] == (clip.frames && covered[group]))
          return fail("its keys {}",
                      channel[group] ? "are of bones that are in localv" : "leave a bone without a value");
    }
    THRONG_TRY(keys.ground, ground(clip));
    THRONG_TRY(keys.root_path, root_path(clip));
    return keys;
  }

  bool is_empty() const { return words_.empty() && times_.empty() && values_.empty() && root_paths_.empty(); }

 private:
  // All of whose bones the words cover; with near characters' own.
  std::vector<bool> covered_groups(bool own) const {
    const auto covers = [](const MotionChannels& channels, std::size_t bone) {
      return bone < channels.bones.size() && channels.bones[bone].covered;
    };
    std::vector<bool> covered(groups_, true);
    for (std::size_t bone = 0; bone < data_.bones.size(); ++bone)
      if (!covers(data_.channels, bone) && !(own && covers(data_.own_channels, bone))) covered[bone / 4] = false;
    return covered;
  }

  template <class T>
  static Result<std::span<const T>> take(std::span<const T>& from, std::uint64_t count) {
    if (count > from.size()) return fail("its keys end early");
    const std::span<const T> taken = from.first(static_cast<std::size_t>(count));
    from = from.subspan(taken.size());
    return taken;
  }

  Result<KeyList> next() {
    THRONG_TRY(const auto counts, take(words_, 5));
    KeyList list;
    THRONG_TRY(list.times, take(times_, counts[0]));
    THRONG_TRY(list.rotations, take(words_, counts[1]));
    THRONG_TRY(list.translations, take(words_, counts[2]));
    THRONG_TRY(list.scales, take(words_, counts[3]));
    THRONG_TRY(const auto runs, take(words_, 2 * std::uint64_t{counts[4]}));
    static_assert(sizeof(MorphRun) == 2 * sizeof(std::uint32_t));
    list.morphs = {reinterpret_cast<const MorphRun*>(runs.data()), counts[4]};
    std::uint64_t row = 16 * std::uint64_t{counts[1]} + 12 * (std::uint64_t{counts[2]} + counts[3]);
    for (const MorphRun& run : list.morphs) row += run.count;
    if (counts[0] > 0 && row > values_.size() / counts[0]) return fail("its keys end early");
    list.row = static_cast<std::size_t>(row);
    THRONG_TRY(list.values, take(values_, row * counts[0]));
    return list;
  }

  Result<GroundKeys> ground(const MotionClip& clip) {
    GroundKeys keys;
    if (clip.ground_count == 0) return keys;
    THRONG_TRY(keys.times, take(times_, clip.ground_count));
    THRONG_TRY(keys.values, take(values_, 3 * std::uint64_t{clip.ground_count}));
    THRONG_CHECK(check_times(keys.times, clip.length));
    if (!are_finite(keys.values)) return fail("the ground under it is not finite");
    return keys;
  }

  Result<std::optional<std::vector<GroundMotion>>> root_path(const MotionClip& clip) {
    std::optional<std::vector<GroundMotion>> path;
    if (!clip.root_steps) return path;
    if (*clip.root_steps == 1) return fail("its root's path is a single place");
    THRONG_TRY(const std::span<const float> numbers, take(root_paths_, 3 * std::uint64_t{*clip.root_steps}));
    if (!are_finite(numbers)) return fail("its root's path is not finite");
    path.emplace();
    for (std::size_t i = 0; i < numbers.size(); i += 3)
      path->push_back({{static_cast<double>(numbers[i]), 0.0, static_cast<double>(numbers[i + 1])},
                       static_cast<double>(numbers[i + 2])});
    return path;
  }

  static Result<void> check_times(const KeyList& list, bool still, float length) {
    if (still)
      return list.times.size() == 1 ? Result<void>{} : fail("what stands still has {} keys", list.times.size());
    return check_times(list.times, length);
  }

  static Result<void> check_times(std::span<const float> times, float length) {
    if (times.size() < 2) return fail("what moves has {} keys", times.size());
    if (times.front() != 0.0f || times.back() != length) return fail("its keys are not from its start to its end");
    for (std::size_t i = 1; i < times.size(); ++i)
      if (!(times[i] >= times[i - 1])) return fail("a key comes before the one it follows");
    return {};
  }

  static Result<void> check_values(const KeyList& list) {
    if (!are_finite(list.values)) return fail("a value is not finite");
    for (std::size_t key = 0; key < list.times.size(); ++key) {
      for (std::size_t lane = 0; lane < 4 * list.rotations.size(); ++lane) {
        const std::size_t at = key * list.row + lane / 4 * 16 + lane % 4;
        const glm::vec4 here = rotation_at(list.values, at);
        if (std::abs(static_cast<double>(glm::length(here)) - 1.0) > kUnitTolerance)
          return fail("a rotation is not of unit length");
        if (key > 0 && !(glm::dot(here, rotation_at(list.values, at - list.row)) > kLeastDot))
          return fail("a rotation goes the long way round");
      }
    }
    return {};
  }

  static glm::vec4 rotation_at(std::span<const float> values, std::size_t at) {
    return {values[at], values[at + 4], values[at + 8], values[at + 12]};
  }

  Result<void> mark(const KeyList& list, std::array<std::vector<bool>, 3>& seen, std::vector<bool>& morphs) const {
    const std::array channels{list.rotations, list.translations, list.scales};
    for (std::size_t channel = 0; channel < channels.size(); ++channel) {
      for (const std::uint32_t group : channels[channel]) {
        if (group >= groups_) return fail("its keys are of bones that do not exist");
        if (seen[channel][group]) return fail("a bone has two lists of keys");
        seen[channel][group] = true;
      }
    }
    for (const MorphRun& run : list.morphs) {
      if (std::uint64_t{run.first} + run.count > morphs.size())
        return fail("its keys are of morph targets that do not exist");
      for (std::uint32_t i = 0; i < run.count; ++i) {
        if (morphs[run.first + i]) return fail("a morph target has two lists of keys");
        morphs[run.first + i] = true;
      }
    }
    return {};
  }

  const MotionData& data_;
  std::size_t groups_;
  std::vector<bool> covered_;      // groups of which clips in localv have no keys
  std::vector<bool> own_covered_;  // the same of clips with words of near characters alone
  std::span<const std::uint32_t> words_;
  std::span<const float> times_;
  std::span<const float> values_;
  std::span<const float> root_paths_;
};

}  // namespace

Result<Motion> build_motion(MotionData data) {
  THRONG_CHECK(check_skeleton(data));
  THRONG_CHECK(check_bone_channels(data, data.channels));
  THRONG_CHECK(check_bone_channels(data, data.own_channels));
  THRONG_CHECK(check_own_bones(data));
  auto state = std::make_shared<Motion::State>();
  FrameChecker frames(data.channels);
  FrameChecker own_frames(data.own_channels);
  ListReader reader(data);
  for (const MotionClip& clip : data.clips) {
    auto keys = check_facts(clip)
                    .and_then([&] { return frames.check(clip, clip.frames); })
                    .and_then([&] { return own_frames.check(clip, clip.own_frames); })
                    .and_then([&] { return reader.clip(clip); });
    if (!keys) return fail(with_context(fmt::format("clip '{}'", clip.name), std::move(keys).error()));
    state->keys.push_back(*std::move(keys));
  }
  if (!reader.is_empty()) return fail("there are keys that belong to no clip");
  state->data = std::move(data);
  return Motion(std::move(state));
}

std::span<const MotionBone> Motion::bones() const { return state_->data.bones; }
std::span<const MotionSocket> Motion::sockets() const { return state_->data.sockets; }
std::span<const float> Motion::rest_morphs() const { return state_->data.rest_morphs; }
std::span<const MotionBinding> Motion::bindings() const { return state_->data.bindings; }
std::optional<std::uint32_t> Motion::root_bone() const { return state_->data.root_bone; }
std::span<const MotionClip> Motion::clips() const { return state_->data.clips; }
const ClipKeys& Motion::keys(std::uint32_t clip) const { return state_->keys[clip]; }
const MotionChannels& Motion::channels() const { return state_->data.channels; }
const MotionChannels& Motion::own_channels() const { return state_->data.own_channels; }
std::size_t Motion::group_count() const { return (state_->data.bones.size() + 3) / 4; }
const MotionData& Motion::data() const { return state_->data; }

bool is_same_character(const Motion& a, const Motion& b) {
  if (a.state_ == b.state_) return true;
  const auto same_names = [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const auto& one, const auto& other) { return one.name == other.name; });
  };
  return same_names(a.bones(), b.bones()) && same_names(a.clips(), b.clips());
}

std::vector<glm::dmat4> model_from_bones_at_rest(const Motion& motion) {
  std::vector<glm::dmat4> matrices;
  for (const MotionBone& bone : motion.bones()) {
    const glm::dmat4 parent_from_bone = to_matrix(bone.rest);
    matrices.push_back(bone.parent ? matrices[*bone.parent] * parent_from_bone : parent_from_bone);
  }
  return matrices;
}

}  // namespace throng
