// SPDX-License-Identifier: Apache-2.0
#include "motion/clip_plan.h"

#include <algorithm>
#include <cmath>

#include "atlas/assemble.h"
#include "cost.h"
#include "motion/clip_selection.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::bake {
namespace {

Transform mix(const Transform& a, const Transform& b, double blend) {
  return {glm::mix(a.translation, b.translation, blend), glm::slerp(a.rotation, b.rotation, blend),
          glm::mix(a.scale, b.scale, blend)};
}

// Within the source's own time.
Pose sample_source(const Model& model, const ClipPlan& plan, double time) {
  Pose pose = sample(model, plan.clip, time);
  if (plan.root) take_off(model, ground_of(pose, *plan.root), pose);
  return pose;
}

void plan_frames(double wanted_rate, ClipPlan& plan) {
  const auto key_rate = key_rate_of(plan.clip);
  const double length = plan.facts.length;
  const double rate = fitting_rate(wanted_rate, key_rate, key_rate ? key_intervals(length, *key_rate) : 0);
  plan.frames = plan.facts.loops ? plan_loop(length, rate) : plan_once(length, rate);
}

// Frames of all clips together: hours of motion, and seconds of work for a small skeleton.
constexpr double kMostFrames = 1 << 18;

// The same times bones: some 300 bytes are held of each while it is baked. Where there are more keys, more is baked.
constexpr double kMostBoneFrames = 1 << 21;
constexpr double kBoneFramesAKey = 64.0;

double key_count(const Clip& clip) {
  std::size_t keys = 0;
  for (const BoneTrack& track : clip.bones) {
    keys += track.translation.times.size() + track.rotation.times.size() + track.scale.times.size();
  }
  return static_cast<double>(keys);
}

// Before anything is sampled: a small file may hold a clip of any length.
Result<void> check_lengths(const std::vector<SelectedClip>& clips, std::size_t bones, double rate) {
  double frames = 0.0;
  double keys = 0.0;
  for (const SelectedClip& one : clips) {
    frames += one.clip.length() * rate;
    keys += key_count(one.clip);
    if (frames > kMostFrames) {
      return fail(
          "clip '{}' lasts {:.0f} s: at {:g} frames a second that makes {:.0f} frames in all, and at most {:.0f} "
          "are baked; choose clips or a lower frame rate",
          one.clip.name, one.clip.length(), rate, frames, kMostFrames);
    }
    const double most = std::max(kMostBoneFrames, kBoneFramesAKey * keys);
    if (frames * static_cast<double>(bones) > most) {
      return fail(
          "clip '{}' lasts {:.0f} s: at {:g} frames a second that makes {:.0f} frames of {} bones in all, and at most "
          "{:.0f} are baked from {:.0f} keys; choose clips or a lower frame rate",
          one.clip.name, one.clip.length(), rate, frames, bones, most / static_cast<double>(bones), keys);
    }
  }
  return {};
}

bool was_guessed(const ClipPlan& plan) { return !plan.clip.loops && plan.clip.length() > 0.0; }

template <class Which>
std::vector<std::string> names_of(const std::vector<ClipPlan>& plans, Which&& which) {
  std::vector<std::string> names;
  for (const ClipPlan& plan : plans) {
    if (which(plan)) names.push_back(plan.clip.name);
  }
  return names;
}

void note_guesses(const std::vector<ClipPlan>& plans, std::vector<std::string>& notes) {
  const auto say = [&](const char* text, bool loops, bool open) {
    const auto names = names_of(plans, [&](const ClipPlan& plan) {
      return was_guessed(plan) && plan.facts.loops == loops && plan.facts.open() == open;
    });
    if (!names.empty()) notes.push_back(fmt::format("{}: {}", text, listed(names)));
  };
  say("guessed to loop", true, false);
  say("guessed to loop, one step after the last key", true, true);
  say("guessed not to loop", false, false);
  for (const ClipPlan& plan : plans) {
    if (!plan.clip.loops || !plan.facts.open()) continue;
    notes.push_back(fmt::format("clip '{}' loops but ends in another pose than it starts with: one interval leads back",
                                plan.clip.name));
  }
}

void warn_of_doubts(const std::vector<ClipPlan>& plans, std::span<const LoopDoubt> doubts,
                    std::vector<std::string>& warnings) {
  const auto say = [&](LoopDoubt doubt, const char* text) {
    const auto names = names_of(
        plans, [&](const ClipPlan& plan) { return doubts[static_cast<std::size_t>(&plan - plans.data())] == doubt; });
    if (!names.empty()) warnings.push_back(fmt::format(fmt::runtime(text), listed(names)));
  };
  say(LoopDoubt::poses_differ,
      "named like a loop, but ending in another pose than at the start: {}; looping with a jump, unless named in "
      "`once`");
  say(LoopDoubt::travels,
      "named like a loop, and leading away over the ground: {}; coming back with a jump, unless `root_motion` is "
      "extract");
  say(LoopDoubt::poses_loop,
      "named like what happens once, but going on from the last pose to the first: {}; played once, unless named in "
      "`loops`");
}

// What is closed by less shows nowhere.
constexpr double kClosingTold = 1e-4;  // of the model's height

void note_closing(const std::vector<ClipPlan>& plans, std::span<const double> gaps, double height,
                  std::vector<std::string>& notes) {
  const auto gap_of = [&](const ClipPlan& plan) { return gaps[static_cast<std::size_t>(&plan - plans.data())]; };
  const auto names = names_of(plans, [&](const ClipPlan& plan) { return gap_of(plan) > kClosingTold * height; });
  if (names.empty()) return;
  notes.push_back(
      fmt::format("loops whose last pose is nearly their first are closed over their last step, by up to "
                  "{:.2g} mm on a character 1.8 m tall: {}",
                  std::ranges::max(gaps) / height * kCharacterMillimetres, listed(names)));
}

void note_root(const Model& model, const BakeSettings& settings, std::optional<std::uint32_t> bone,
               std::vector<std::string>& notes) {
  if (settings.root_motion == RootTreatment::keep) return;
  const char* const what = settings.root_motion == RootTreatment::extract ? "extracted from" : "stripped from";
  notes.push_back(bone ? fmt::format("root motion {} bone '{}'", what, model.bones()[*bone].name)
                       : "no bone that carries the whole model goes or turns over the ground: no root motion");
}

}  // namespace

double ClipPlan::source_time(std::uint32_t frame, double blend) const {
  const double from = frames.time_of(frame);
  if (blend == 0.0) return clip.start + from;
  return clip.start + from + (frames.time_of(frame + 1) - from) * blend;
}

Pose sample_planned(const Model& model, const ClipPlan& plan, double source_time) {
  if (!plan.facts.open() || plan.has_source(source_time)) return sample_source(model, plan, source_time);
  const double blend = std::clamp((source_time - plan.clip.end) / plan.facts.seam, 0.0, 1.0);
  Pose pose = sample_source(model, plan, plan.clip.end);
  const Pose first = sample_source(model, plan, plan.clip.start);
  for (std::size_t i = 0; i < pose.bones.size(); ++i) pose.bones[i] = mix(pose.bones[i], first.bones[i], blend);
  for (std::size_t mesh = 0; mesh < pose.morph_weights.size(); ++mesh) {
    auto& weights = pose.morph_weights[mesh];
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = glm::mix(weights[i], first.morph_weights[mesh][i], blend);
  }
  return pose;
}

std::vector<glm::dmat4> bones_at(const Model& model, const ClipPlan& plan, double source_time) {
  return model_from_bones(model, sample_planned(model, plan, source_time));
}

std::vector<glm::dmat4> palette_at(const Model& model, const ClipPlan& plan, double source_time) {
  return skinning_palette(model, sample_planned(model, plan, source_time));
}

std::vector<GroundMotion> root_samples(const Model& model, const ClipPlan& plan) {
  if (!plan.root || !plan.stores_root) return {};
  const std::uint32_t count = plan.frames.frame_count + (plan.frames.loops ? 1 : 0);
  std::vector<double> times;
  for (std::uint32_t frame = 0; frame < count; ++frame) times.push_back(plan.frames.time_of(frame));
  return sample_root(model, plan.clip, *plan.root, plan.facts.seam, times);
}

FramePlan replanned_frames(const ClipPlan& plan, double rate) {
  return plan.frames.loops ? plan_loop(plan.frames.length, rate) : plan_once(plan.frames.length, rate);
}

ClipPlan replanned(const ClipPlan& plan, const FramePlan& frames) {
  ClipPlan out = plan;
  out.frames = frames;
  return out;
}

ClipPlan replanned(const ClipPlan& plan, double rate) { return replanned(plan, replanned_frames(plan, rate)); }

std::vector<double> candidate_rates(const ClipPlan& plan, double wanted, double highest) {
  return throng::candidate_rates(key_rate_of(plan.clip), plan.frames.length, wanted, highest);
}

Result<std::vector<ClipPlan>> plan_clips(const Model& model, const BakeSettings& settings, Executor& executor,
                                         Remarks& remarks) {
  THRONG_TRY(std::vector<SelectedClip> selected, selected_clips(model, settings));
  const double rate = settings.frame_rate.value_or(kUsualFrameRate);
  THRONG_CHECK(check_lengths(selected, model.bones().size(), rate));
  THRONG_CHECK(check_cost(model, settings, selected));
  std::vector<Clip> clips;
  for (SelectedClip& one : selected) {
    if (settings.mode == BakeMode::bones && settings.drop_morphs) one.clip.morphs.clear();
    clips.push_back(std::move(one.clip));
  }
  const bool taken_off = settings.root_motion != RootTreatment::keep;
  const ClipFactsSettings deciding{taken_off, settings.root_bone, rate};
  THRONG_TRY(std::vector<DecidedClip> decided, decide_clip_facts(model, clips, deciding, executor));
  const std::optional<std::uint32_t> root_bone = decided.at(0).facts.root_bone;
  std::vector<ClipPlan> plans(clips.size());
  std::vector<LoopDoubt> doubts;
  std::vector<double> gaps;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    ClipPlan& plan = plans[i];
    plan.clip = decided[i].closed ? *std::move(decided[i].closed) : std::move(clips[i]);
    doubts.push_back(decided[i].doubt);
    gaps.push_back(decided[i].gap);
    plan.source = selected[i].source;
    plan.facts = std::move(decided[i].facts);
    if (taken_off) plan.root = std::move(decided[i].root);
    plan.stores_root = settings.root_motion == RootTreatment::extract;
    plan_frames(rate, plan);
  }
  note_guesses(plans, remarks.notes);
  note_closing(plans, gaps, standing_height(model), remarks.notes);
  warn_of_doubts(plans, doubts, remarks.warnings);
  note_root(model, settings, root_bone, remarks.notes);
  return plans;
}

}  // namespace throng::detail::bake
