#include "clip_plan.h"

#include <algorithm>
#include <cmath>

#include "loop_guess.h"

namespace throng {
namespace {

Transform mix(const Transform& a, const Transform& b, double blend) {
  return {glm::mix(a.translation, b.translation, blend), glm::slerp(a.rotation, b.rotation, blend),
          glm::mix(a.scale, b.scale, blend)};
}

ClipPlan plan_clip(const Model& model, const Clip& clip, double wanted_rate, double height) {
  ClipPlan plan{clip, {}, false};
  plan.clip.morphs.clear();
  const auto key_rate = key_rate_of(clip);
  const double rate = fitting_rate(wanted_rate, key_rate);
  const LoopGuess guess = guess_loop(model, plan.clip, key_rate.value_or(wanted_rate), key_rate.has_value(), height);
  if (!guess.loops) {
    plan.frames = plan_once(clip.length(), rate);
    return plan;
  }
  plan.open = guess.open;
  const double way_back = guess.open ? 1.0 / key_rate.value_or(rate) : 0.0;
  plan.frames = plan_loop(clip.length() > 0.0 ? clip.length() + way_back : 0.0, rate);
  return plan;
}

constexpr std::size_t kNamesShown = 8;

// The clips that said nothing and were guessed so, the first few by name.
std::string names_of(const std::vector<ClipPlan>& plans, const std::vector<Clip>& clips, bool loops, bool open) {
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    if (clips[i].loops || !(clips[i].length() > 0.0)) continue;
    if (plans[i].frames.loops != loops || plans[i].open != open) continue;
    if (count++ < kNamesShown) names += (names.empty() ? "" : ", ") + clips[i].name;
  }
  return count > kNamesShown ? fmt::format("{} and {} more", names, count - kNamesShown) : names;
}

void note_guesses(const std::vector<ClipPlan>& plans, const std::vector<Clip>& clips, std::vector<std::string>& notes) {
  const auto say = [&notes](const char* text, const std::string& names) {
    if (!names.empty()) notes.push_back(fmt::format("{}: {}", text, names));
  };
  say("guessed to loop, since the last pose is the first", names_of(plans, clips, true, false));
  say("guessed to loop, one key after the last", names_of(plans, clips, true, true));
  say("guessed not to loop", names_of(plans, clips, false, false));
  for (std::size_t i = 0; i < clips.size(); ++i) {
    if (!clips[i].loops || !plans[i].open) continue;
    notes.push_back(fmt::format("clip '{}' loops but ends in another pose than it starts with: one interval leads back",
                                clips[i].name));
  }
}

}  // namespace

double ClipPlan::source_time(std::uint32_t frame, double blend) const {
  const double from = frames.time_of(frame);
  if (blend == 0.0) return clip.start + from;
  return clip.start + from + (frames.time_of(frame + 1) - from) * blend;
}

Pose sample_planned(const Model& model, const ClipPlan& plan, double source_time) {
  if (!plan.open || plan.has_source(source_time)) return sample(model, plan.clip, source_time);
  const double way_back = plan.frames.length - plan.clip.length();
  const double blend = std::clamp((source_time - plan.clip.end) / way_back, 0.0, 1.0);
  Pose pose = sample(model, plan.clip, plan.clip.end);
  const Pose first = sample(model, plan.clip, plan.clip.start);
  for (std::size_t i = 0; i < pose.bones.size(); ++i) pose.bones[i] = mix(pose.bones[i], first.bones[i], blend);
  return pose;
}

std::vector<glm::dmat4> bones_at(const Model& model, const ClipPlan& plan, double source_time) {
  return model_from_bones(model, sample_planned(model, plan, source_time));
}

std::vector<glm::dmat4> palette_at(const Model& model, const ClipPlan& plan, double source_time) {
  return skinning_palette(model, sample_planned(model, plan, source_time));
}

std::vector<ClipPlan> plan_clips(const Model& model, const BakeSettings& settings, double height, Executor& executor,
                                 std::vector<std::string>& notes) {
  if (model.clips().empty()) {
    Clip rest;
    rest.name = "rest";
    return {ClipPlan{rest, {}, false}};
  }
  std::vector<ClipPlan> plans(model.clips().size());
  executor.run(plans.size(),
               [&](std::size_t i) { plans[i] = plan_clip(model, model.clips()[i], settings.frame_rate, height); });
  note_guesses(plans, model.clips(), notes);
  return plans;
}

}  // namespace throng
