// SPDX-License-Identifier: Apache-2.0
#include "near/near.h"

#include <algorithm>
#include <cmath>

#include "motion/bone_stillness.h"
#include "near/own_channels.h"
#include "throng/base/try.h"
#include "throng/character/decode.h"
#include "throng/character/motion_channels.h"
#include "throng/motion/compile_motion.h"
#include "throng/motion/pack_near_mesh.h"

namespace throng::detail::bake {

namespace {

using GroundKey = MotionSource::GroundKey;

double bound_of(const BakeSettings& settings) { return settings.max_error_mm.value_or(kUsualErrorMm); }

MotionSettings motion_settings(const BakeSettings& settings) {
  MotionSettings motion;
  // Keys for the usual bound and for wider ones are as close as an animator takes them anyway; a narrower bound makes
  // them as much closer.
  const double part = std::min(1.0, bound_of(settings) / kUsualErrorMm);
  motion.angle_tolerance *= static_cast<float>(part);
  motion.distance_tolerance *= static_cast<float>(part);
  return motion;
}

double interval_count(const BakedClip& clip) {
  return std::max(1.0, static_cast<double>(clip.frame_count) - (clip.loops ? 0.0 : 1.0));
}

// Steps in which a clip is looked through: two an interval, and no fewer than its root motion has samples. One whose
// drawn bones stand still has a single frame, and others may move.
double look_count(const BakedClip& clip, double length) {
  return std::max(2.0 * interval_count(clip), static_cast<double>(path_samples(length) - 1));
}

// Where the ground is that was taken off of the poses at ascending times, the first of them 0.
std::vector<GroundMotion> taken_off(const Model& model, const ClipPlan& plan, std::span<const double> times) {
  if (!plan.root) return std::vector<GroundMotion>(times.size());
  return sample_root(model, plan.clip, *plan.root, plan.facts.seam, times);
}

// The words of near characters alone, and which bones they are of.
struct OwnWords {
  const OwnBones& bones;
  const OwnClip& clip;
};

// The same clip in frames of its own.
BakedClip own_frames(const BakedClip& clip, const OwnClip& own) {
  BakedClip out;
  out.length = clip.length;
  out.loops = clip.loops;
  out.frame_count = own.frames.frame_count;
  return out;
}

// How far points so far around a bone may be from where they belong.
double off_around(const glm::dmat4& is, const glm::dmat4& belongs, double radius) {
  constexpr double kNothing = 1e-9;
  double turned = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double length = glm::length(belongs[axis]);
    if (length > kNothing) turned = std::max(turned, glm::length(is[axis] - belongs[axis]) / length);
  }
  return glm::length(is[3] - belongs[3]) + radius * turned;
}

// How far off the source the words of a clip have a bone at most, in the model's units. They are made for what is
// drawn: where the ground was taken off under a bone that the hips walk on, the two undo each other, and the words may
// leave out both. `own`: those of near characters alone; null: other bones are to their parents as in the source.
double worst_bone(const Model& model, const ClipPlan& plan, const CharacterDraft& draft, const BakedClip& clip,
                  const OwnWords* own = nullptr) {
  const double length = std::min(plan.clip.length(), clip.length);
  const double looks = look_count(clip, length);
  std::vector<double> times;
  for (double look = 0.0; look <= looks; look += 1.0) times.push_back(length * look / looks);
  const std::vector<GroundMotion> grounds = taken_off(model, plan, times);
  std::vector<std::optional<std::size_t>> link_of(model.bones().size());
  for (std::size_t link = 0; link < draft.skeleton.size(); ++link)
    if (const auto bone = draft.skeleton[link].bone) link_of[*bone] = link;
  std::vector<const OwnBone*> own_of(model.bones().size());
  if (own != nullptr)
    for (const OwnBone& bone : own->bones.all) own_of[bone.bone] = &bone;
  const BakedClip own_clip = own != nullptr ? own_frames(clip, own->clip) : BakedClip{};
  double worst = 0.0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const ExactCursor at = cursor_at_time(clip, times[i]);
    const std::vector<BoneSample> links = decode_links(draft, clip, at.cursor, at.blend);
    const Pose pose = sample(model, plan.clip, plan.clip.start + times[i]);
    const std::vector<glm::dmat4> truth = model_from_bones(model, pose);
    std::vector<glm::dmat4> near(truth.size());
    std::optional<ChannelReader> reader;
    ChannelFrames own_at;
    if (own != nullptr) {
      const ExactCursor cursor = cursor_at_time(own_clip, times[i]);
      reader.emplace(own->clip.words, own->clip.frames.words);
      own_at = reader->frames_at(cursor.cursor.frame, cursor.cursor.next, cursor.blend);
    }
    for (std::size_t bone = 0; bone < near.size(); ++bone) {
      const auto& parent = model.bones()[bone].parent;
      near[bone] = parent ? near[*parent] * to_matrix(pose.bones[bone]) : truth[bone];
      if (const OwnBone* said = own_of[bone]) {
        const glm::dmat4 local = to_matrix(own_transform(*said, *reader, own_at));
        near[bone] = (parent ? near[*parent] : to_matrix(grounds[i])) * local;
      }
      if (const auto link = link_of[bone]) {
        const BoneSample& said = links[*link];
        near[bone] = to_matrix(grounds[i]) * to_matrix(Transform{said.position, said.rotation, glm::dvec3(said.scale)});
      }
      worst = std::max(worst, glm::distance(glm::dvec3(near[bone][3]), glm::dvec3(truth[bone][3])));
      if (own_of[bone] != nullptr && own_of[bone]->drawn)
        worst = std::max(worst, off_around(near[bone], truth[bone], own_of[bone]->radius));
    }
  }
  return worst;
}

// Words of near characters alone that, with those of far ones, keep all bones where the source has them; nothing where
// none do. What the others are off already leaves them less than the bound.
std::optional<OwnClip> own_words(const Model& model, const ClipPlan& plan, const CharacterDraft& draft,
                                 const BakedClip& clip, const OwnBones& bones, double bound) {
  const double far = worst_bone(model, plan, draft, clip);
  const auto intervals =
      clip.frame_count > 1 ? static_cast<std::uint32_t>(interval_count(clip)) : plan.frames.frame_count;
  for (const double share : {1.0, 0.5, 0.25}) {
    const double allowed = share * (share == 1.0 ? bound : std::max(bound - far, 0.25 * bound));
    auto own = own_clip(model, plan, bones, intervals, allowed);
    if (!own) return std::nullopt;
    own->words.resize(own->words.size() + kChannelPadding, 0);
    const OwnWords said{bones, *own};
    const bool kept = worst_bone(model, plan, draft, clip, &said) <= bound;
    own->words.resize(own->words.size() - kChannelPadding);
    if (kept) return own;
  }
  return std::nullopt;
}

// What of all clips is in words of near characters alone, put behind one another.
void add_own_words(const Model& model, std::span<const ClipPlan> plans, const CharacterDraft& draft, double bound,
                   Executor& executor, std::vector<MotionSource>& sources, MotionWords& words) {
  const OwnBones bones = own_bones(model, plans, sources, draft, words.still);
  if (bones.all.empty()) return;
  std::vector<std::optional<OwnClip>> clips(plans.size());
  executor.run(plans.size(), [&](std::size_t i) {
    if (sources[i].frames) clips[i] = own_words(model, plans[i], draft, draft.clips[i], bones, bound);
  });
  if (std::ranges::none_of(clips, [](const auto& clip) { return clip.has_value(); })) return;
  words.own.slots = bones.slots;
  words.own.bones.resize(model.bones().size());
  for (const OwnBone& bone : bones.all) words.own.bones[bone.bone] = bone.channels;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    if (!clips[i]) continue;
    sources[i].own_frames = clips[i]->frames;
    sources[i].own_frames->words.first_word = static_cast<std::uint32_t>(words.own_words.size());
    words.own_words.insert(words.own_words.end(), clips[i]->words.begin(), clips[i]->words.end());
  }
  words.own_words.resize(words.own_words.size() + kChannelPadding, 0);
}

// The frames that near characters play, too. Where these could not be held to the bound, because a curve jumps, or have
// a bone elsewhere than the source though all that is drawn is right, keys are closer.
std::optional<MotionFrames> frames_of(const Model& model, const ClipPlan& plan, const CharacterDraft& draft,
                                      const BakedClip& clip, double bound) {
  const std::optional<MotionFrames> frames = motion_frames(clip);
  const double drawn = std::max(clip.error.at_frames.max_mm, clip.error.between.max_mm);
  if (!frames || drawn > bound || static_cast<float>(plan.clip.length()) > static_cast<float>(clip.length))
    return std::nullopt;
  if (worst_bone(model, plan, draft, clip) * draft.error.mm_per_unit > bound) return std::nullopt;
  return frames;
}

// Whether a bone of those that are left may move in the clip at all.
bool may_move(const Model& model, const ClipPlan& plan, const std::vector<std::optional<Transform>>& still) {
  const auto is_left = [&](const BoneTrack& track) { return still[track.bone].has_value(); };
  if (std::ranges::any_of(plan.clip.bones, is_left)) return true;
  for (std::size_t bone = 0; plan.root && bone < still.size(); ++bone)
    if (still[bone] && !model.bones()[bone].parent) return true;
  return false;
}

// How the bones stand that no clip in localv moves, and that are no link: as in the first pose of the first clip, where
// the skeleton's chains have them, too.
std::vector<std::optional<Transform>> still_bones(const SourceMeshes& source, std::span<const ClipPlan> plans,
                                                  std::span<const MotionSource> clips, const CharacterDraft& draft) {
  const Model& model = source.model;
  const double size = standing_height(model);
  const Pose first = sample_planned(model, plans[0], plans[0].clip.start);
  std::vector<std::optional<Transform>> still(first.bones.begin(), first.bones.end());
  for (const PoseLink& link : draft.skeleton)
    if (link.bone) still[*link.bone].reset();
  const auto look = [&](const ClipPlan& plan, double seconds) {
    const Pose pose = sample_planned(model, plan, plan.clip.start + seconds);
    for (std::size_t bone = 0; bone < still.size(); ++bone)
      if (still[bone] && has_moved(first.bones[bone], pose.bones[bone], size)) still[bone].reset();
  };
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (!clips[i].frames) continue;
    const double looks = may_move(model, plans[i], still) ? look_count(draft.clips[i], draft.clips[i].length) : 1.0;
    for (double at = 0.0; at < looks; at += 1.0) look(plans[i], draft.clips[i].length * at / looks);
  }
  return still;
}

// Keeps as few of the keys as hold the others within the tolerances.
std::vector<GroundKey> thinned(const std::vector<GroundKey>& keys, double distance, double angle) {
  constexpr std::size_t kMostLeftOut = 255;  // one after another: each is looked at again for the next
  const auto goes_straight = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from + 1; i < to; ++i) {
      const double part = (keys[i].time - keys[from].time) / (keys[to].time - keys[from].time);
      const GroundMotion off = interpolate(keys[from].place, keys[to].place, part);
      if (glm::distance(off.translation, keys[i].place.translation) > distance ||
          std::abs(off.yaw - keys[i].place.yaw) > angle)
        return false;
    }
    return true;
  };
  std::vector<GroundKey> out{keys.front()};
  for (std::size_t from = 0; from + 1 < keys.size();) {
    std::size_t to = from + 1;
    while (to + 1 < keys.size() && to - from <= kMostLeftOut && goes_straight(from, to + 1)) ++to;
    out.push_back(keys[to]);
    from = to;
  }
  return out;
}

bool stays(const std::vector<GroundKey>& keys, double distance, double angle) {
  return std::ranges::all_of(keys, [&](const GroundKey& key) {
    return glm::length(key.place.translation) <= distance && std::abs(key.place.yaw) <= angle;
  });
}

// What leads from the poses in localv to those of near characters, which have their root motion in them. An open loop
// whose root motion stays in the poses comes back where far characters jump: near ones have gone on by then.
std::vector<GroundKey> ground_keys(const Model& model, const ClipPlan& plan, const BakedClip& clip,
                                   const MotionSettings& settings) {
  std::vector<GroundKey> keys;
  if (plan.root) {
    constexpr double kSteps = 4.0;  // a frame
    std::vector<double> times;
    const double steps = std::max(kSteps * interval_count(clip), static_cast<double>(path_samples(clip.length) - 1));
    for (double step = 0.0; step <= steps; step += 1.0) times.push_back(clip.length * step / steps);
    if (plan.facts.open()) times.push_back(plan.clip.length());
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    const std::vector<GroundMotion> places = taken_off(model, plan, times);
    for (std::size_t i = 0; i < times.size(); ++i) keys.push_back({times[i], places[i]});
  } else if (plan.facts.open() && !plan.facts.root_path.empty()) {
    keys = {{0.0, {}}, {plan.clip.length(), {}}, {clip.length, plan.facts.root_path.back()}};
  }
  const double distance = static_cast<double>(settings.distance_tolerance) * standing_height(model);
  const auto angle = static_cast<double>(settings.angle_tolerance);
  if (keys.size() < 2 || stays(keys, distance, angle)) return {};
  return thinned(keys, distance, angle);
}

}  // namespace

Result<void> add_near(const SourceMeshes& source, const BakeSettings& settings, std::span<const ClipPlan> plans,
                      Executor& executor, CharacterDraft& draft) {
  const Model& model = source.model;
  if (model.bones().empty() || model.bindings().empty()) return {};
  std::vector<Clip> clips;
  for (const ClipPlan& plan : plans) {
    clips.push_back(plan.clip);
    if (plan.source) clips.back().morphs = model.clips()[*plan.source].morphs;
  }
  const MotionSettings close = motion_settings(settings);
  std::vector<MotionSource> sources;
  MotionWords words;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    sources.push_back(
        {&clips[i], plans[i].facts, frames_of(model, plans[i], draft, draft.clips[i], bound_of(settings)), {}});
    sources[i].in_place = plans[i].root.has_value();
    if (!sources[i].frames) continue;
    sources[i].ground = ground_keys(model, plans[i], draft.clips[i], close);
    words.character = &draft;
  }
  if (words.character != nullptr) {
    words.still = still_bones(source, plans, sources, draft);
    add_own_words(model, plans, draft, bound_of(settings) / draft.error.mm_per_unit, executor, sources, words);
  }
  THRONG_TRY(Motion motion, compile_motion(model, sources, close, words));
  THRONG_TRY(NearMesh mesh, pack_near_mesh(model, motion, {.surfaces = *source.surfaces}));
  draft.motion = std::move(motion);
  draft.near_mesh = std::move(mesh);
  return {};
}

}  // namespace throng::detail::bake
