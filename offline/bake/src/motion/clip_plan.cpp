#include "motion/clip_plan.h"

#include <algorithm>
#include <cmath>

#include "motion/clip_selection.h"
#include "motion/loop_guess.h"
#include "motion/patterns.h"

namespace throng::detail::bake {
namespace {

constexpr int kYawSteps = 8;  // between two frames, so that a fast turn is not taken for one the other way
constexpr double kPi = 3.14159265358979323846;

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

RootSample ground_at(const Model& model, const ClipPlan& plan, double time) {
  return ground_of(sample(model, plan.clip, time), *plan.root);
}

double way_back(const ClipPlan& plan) { return plan.frames.length - plan.clip.length(); }

// The source leaves out the last step of an open loop: it goes on as on both sides of it.
RootSample step_over_seam(const Model& model, const ClipPlan& plan) {
  const double step = std::min(way_back(plan), plan.clip.length());
  const RootSample last = ground_at(model, plan, plan.clip.end);
  const RootSample before = between(ground_at(model, plan, plan.clip.end - step), last);
  const RootSample after = ground_at(model, plan, plan.clip.start + step);
  // Each is a short way, whose yaw may be a turn off.
  const double yaw = 0.5 * (std::remainder(before.yaw, 2.0 * kPi) + after.yaw);
  return {0.5 * (before.translation + after.translation), yaw};
}

void plan_frames(const Model& model, double wanted_rate, double height, ClipPlan& plan) {
  const Clip& clip = plan.clip;
  const auto key_rate = key_rate_of(clip);
  const auto pose_at = [&](double time) { return sample_source(model, plan, time); };
  const LoopGuess guess =
      guess_loop(model, clip, pose_at, {key_rate.value_or(wanted_rate), key_rate.has_value(), height});
  const double back = guess.open ? 1.0 / key_rate.value_or(wanted_rate) : 0.0;
  const double length = clip.length() > 0.0 ? clip.length() + back : 0.0;
  const double rate = fitting_rate(wanted_rate, key_rate, key_rate ? key_intervals(length, *key_rate) : 0);
  plan.open = guess.open;
  plan.frames = guess.loops ? plan_loop(length, rate) : plan_once(length, rate);
  if (plan.root && plan.open) plan.root->over_seam = step_over_seam(model, plan);
}

constexpr std::size_t kNamesShown = 8;

bool was_guessed(const ClipPlan& plan) { return !plan.clip.loops && plan.clip.length() > 0.0; }

void note_guesses(const std::vector<ClipPlan>& plans, std::vector<std::string>& notes) {
  const auto say = [&](const char* text, bool loops, bool open) {
    std::vector<std::string> names;
    for (const ClipPlan& plan : plans) {
      if (was_guessed(plan) && plan.frames.loops == loops && plan.open == open) names.push_back(plan.clip.name);
    }
    if (!names.empty()) notes.push_back(fmt::format("{}: {}", text, listed(names, kNamesShown)));
  };
  say("guessed to loop, since the last pose is the first", true, false);
  say("guessed to loop, one key after the last", true, true);
  say("guessed not to loop", false, false);
  for (const ClipPlan& plan : plans) {
    if (!plan.clip.loops || !plan.open) continue;
    notes.push_back(fmt::format("clip '{}' loops but ends in another pose than it starts with: one interval leads back",
                                plan.clip.name));
  }
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
  if (!plan.open || plan.has_source(source_time)) return sample_source(model, plan, source_time);
  const double blend = std::clamp((source_time - plan.clip.end) / way_back(plan), 0.0, 1.0);
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

std::vector<RootSample> root_samples(const Model& model, const ClipPlan& plan) {
  if (!plan.root || !plan.root->stored) return {};
  ClipPlan chain = plan;
  chain.clip = only_chain(model, plan.clip, plan.root->bone);
  const std::uint32_t count = plan.frames.frame_count + (plan.frames.loops ? 1 : 0);
  std::vector<RootSample> samples;
  double yaw = 0.0;
  for (std::uint32_t frame = 0; frame < count; ++frame) {
    RootSample here;
    for (int step = frame == 0 ? kYawSteps : 1; step <= kYawSteps; ++step) {
      const double from = frame == 0 ? 0.0 : plan.frames.time_of(frame - 1);
      const double time = plan.clip.start + glm::mix(from, plan.frames.time_of(frame), step / double{kYawSteps});
      here = ground_at(model, chain, std::min(time, plan.clip.end));
      yaw += std::remainder(here.yaw - yaw, 2.0 * kPi);
    }
    here.yaw = yaw;
    const double past = plan.source_time(frame, 0.0) - plan.clip.end;
    if (plan.open && past > 0.0) {
      const double blend = std::min(1.0, past / way_back(plan));
      here = compose(here, {plan.root->over_seam.translation * blend, plan.root->over_seam.yaw * blend});
    }
    samples.push_back(here);
  }
  return samples;
}

ClipPlan replanned(const ClipPlan& plan, double rate) {
  ClipPlan out = plan;
  out.frames = plan.frames.loops ? plan_loop(plan.frames.length, rate) : plan_once(plan.frames.length, rate);
  return out;
}

std::vector<double> candidate_rates(const ClipPlan& plan, double wanted, double highest) {
  return throng::candidate_rates(key_rate_of(plan.clip), plan.frames.length, wanted, highest);
}

Result<std::vector<ClipPlan>> plan_clips(const Model& model, const BakeSettings& settings, double height,
                                         Executor& executor, std::vector<std::string>& notes) {
  auto chosen = selected_clips(model, settings);
  if (!chosen) return fail(std::move(chosen));
  auto root = find_root_bone(model, *chosen, settings, height);
  if (!root) return fail(std::move(root));
  std::vector<ClipPlan> plans(chosen->size());
  executor.run(plans.size(), [&](std::size_t i) {
    ClipPlan& plan = plans[i];
    plan.clip = std::move((*chosen)[i].clip);
    plan.source = (*chosen)[i].source;
    if (settings.mode == BakeMode::bones) plan.clip.morphs.clear();
    if (*root) {
      plan.root = root_path(model, plan.clip, **root);
      plan.root->stored = settings.root_motion == RootTreatment::extract;
    }
    plan_frames(model, settings.frame_rate, height, plan);
  });
  note_guesses(plans, notes);
  note_root(model, settings, *root, notes);
  return plans;
}

}  // namespace throng::detail::bake
