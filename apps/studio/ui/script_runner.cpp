// SPDX-License-Identifier: Apache-2.0
#include "ui/script_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "console.h"
#include "core/form/form_fields.h"
#include "report.h"
#include "throng/base/try.h"

namespace throng::studio {
namespace {

constexpr auto kLongestWait = std::chrono::seconds(240);

void say(const std::string& text) {
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

Result<double> number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !std::isfinite(value)) return fail("'{}' is not a number", text);
  return value;
}

// What was waited for and cannot come any more, because of the first problem there is.
Result<bool> unless_failed(bool reached, std::initializer_list<std::string> problems) {
  for (const std::string& problem : problems)
    if (!problem.empty()) return fail("{}", problem);
  return reached;
}

Result<bool> is_reached(PanelState& panels, const std::string& state) {
  const Studio& studio = panels.studio;
  const bool idle = studio.activity() == Activity::idle;
  const Problems& problems = studio.problems();
  if (state == "idle") return idle;
  // What went wrong on the way there counts when nothing is going on that could mend it.
  const std::string open = idle ? problems.open : "";
  if (state == "source") return unless_failed(studio.source() != nullptr, {open, studio.source_problem()});
  if (state == "baked") return idle ? unless_failed(studio.result() != nullptr, {open, problems.bake}) : false;
  if (state == "preview") {
    if (!panels.preview.has_model()) return unless_failed(false, {open, studio.source_problem()});
    return unless_failed(panels.preview.is_current(), {open, panels.preview.drawn().error});
  }
  if (state == "saved")
    return idle ? unless_failed(!studio.saved_as().empty(), {open, problems.bake, problems.save}) : false;
  if (state == "batch") return !panels.batch.running();
  if (state == "workers") return panels.jobs.running() == 0;
  if (state == "never") return false;
  return fail("nothing is named '{}'; wait for idle, source, baked, preview, saved, batch, workers or never", state);
}

std::string state_text(const Studio& studio) {
  constexpr const char* kActivities[] = {"idle", "opening", "baking", "saving"};
  return fmt::format("{}, {}, {}", kActivities[static_cast<std::size_t>(studio.activity())],
                     studio.model() ? "model" : "no model", studio.result() ? "result" : "no result");
}

}  // namespace

ScriptRunner::ScriptRunner(std::vector<ScriptCommand> commands, ScriptHands hands)
    : commands_(std::move(commands)), hands_(std::move(hands)) {}

const std::map<std::string, ScriptRunner::Action>& ScriptRunner::actions() {
  static const std::map<std::string, Action> all{
      {"open", &ScriptRunner::open},
      {"only", &ScriptRunner::only},
      {"loop", &ScriptRunner::loop},
      {"set", &ScriptRunner::set},
      {"output", &ScriptRunner::output},
      {"bake", &ScriptRunner::bake},
      {"cancel", &ScriptRunner::cancel},
      {"save", &ScriptRunner::save},
      {"clip", &ScriptRunner::clip},
      {"time", &ScriptRunner::time},
      {"crowd", &ScriptRunner::crowd},
      {"wait", &ScriptRunner::wait},
      {"print", &ScriptRunner::print},
      {"click", &ScriptRunner::click},
      {"drag", &ScriptRunner::drag},
      {"key", &ScriptRunner::key},
      {"type", &ScriptRunner::type},
      {"drop", &ScriptRunner::drop},
      {"quit", &ScriptRunner::quit},
      {"screenshot", &ScriptRunner::screenshot},
      {"view", &ScriptRunner::view},
      {"level", &ScriptRunner::level},
      {"event", &ScriptRunner::event},
      {"undo", &ScriptRunner::undo},
      {"redo", &ScriptRunner::redo},
      {"parts", &ScriptRunner::parts},
      {"ctrl-click", &ScriptRunner::ctrl_click},
      {"right-click", &ScriptRunner::right_click},
  };
  return all;
}

Result<void> ScriptRunner::step(PanelState& panels) {
  if (!events_.empty()) {
    SDL_PushEvent(&events_.front());
    events_.pop_front();
    images_to_rest_ = 3;
    return {};
  }
  if (images_to_rest_ > 0) {
    --images_to_rest_;
    return {};
  }
  if (next_ == commands_.size()) return {};
  const ScriptCommand& command = commands_[next_];
  const std::string where = fmt::format("script line {}: {}", command.line, command.word);
  const auto action = actions().find(command.word);
  if (action == actions().end()) return fail("{}: there is no such command", where);
  auto done = (this->*action->second)(panels, command.rest);
  if (!done) return fail(with_context(where, std::move(done).error()));
  if (!*done) {
    if (std::chrono::steady_clock::now() - began_ > kLongestWait)
      return fail("{}: waited in vain ({})", where, state_text(panels.studio));
    return {};
  }
  ++next_;
  began_ = std::chrono::steady_clock::now();
  return {};
}

ScriptRunner::Outcome ScriptRunner::open(PanelState& /*panels*/, const std::string& rest) {
  hands_.open(rest);
  return true;
}

ScriptRunner::Outcome ScriptRunner::only(PanelState& panels, const std::string& rest) {
  const std::vector<std::string> names = split_list(rest);
  std::vector<ClipChoice>& clips = panels.studio.form().clips;
  for (const std::string& name : names)
    if (std::ranges::find(clips, name, &ClipChoice::name) == clips.end()) return fail("there is no clip '{}'", name);
  for (ClipChoice& clip : clips) clip.baked = std::ranges::find(names, clip.name) != names.end();
  return true;
}

ScriptRunner::Outcome ScriptRunner::loop(PanelState& panels, const std::string& rest) {
  const auto [how, name] = split_first(rest);
  for (ClipChoice& clip : panels.studio.form().clips) {
    if (clip.name != name) continue;
    for (const LoopChoice choice : {LoopChoice::source, LoopChoice::loops, LoopChoice::once}) {
      if (how != word(choice)) continue;
      clip.loop = choice;
      return true;
    }
    return fail("'{}' is none of: source, loops, once", how);
  }
  return fail("there is no clip '{}'", name);
}

ScriptRunner::Outcome ScriptRunner::set(PanelState& panels, const std::string& rest) {
  const auto [name, value] = split_first(rest);
  THRONG_CHECK(set_field(panels.studio.form(), name, value));
  return true;
}

ScriptRunner::Outcome ScriptRunner::output(PanelState& panels, const std::string& rest) {
  panels.studio.output() = rest;
  return true;
}

ScriptRunner::Outcome ScriptRunner::bake(PanelState& panels, const std::string& /*rest*/) {
  panels.studio.bake();
  return true;
}

ScriptRunner::Outcome ScriptRunner::cancel(PanelState& panels, const std::string& /*rest*/) {
  panels.studio.cancel();
  return true;
}

ScriptRunner::Outcome ScriptRunner::save(PanelState& panels, const std::string& /*rest*/) {
  panels.studio.save();
  return true;
}

ScriptRunner::Outcome ScriptRunner::clip(PanelState& panels, const std::string& rest) {
  if (!panels.preview.has_model()) return unless_failed(false, {panels.studio.source_problem()});
  if (!panels.preview.choose_named(rest)) return fail("the preview has no clip '{}'", rest);
  return true;
}

ScriptRunner::Outcome ScriptRunner::view(PanelState& panels, const std::string& rest) {
  for (const auto& [name, shows] :
       {std::pair{"source", Shows::source}, std::pair{"bake", Shows::bake}, std::pair{"both", Shows::both}}) {
    if (rest != name) continue;
    panels.preview.view = shows;
    return true;
  }
  return fail("'{}' is none of: source, bake, both", rest);
}

ScriptRunner::Outcome ScriptRunner::level(PanelState& panels, const std::string& rest) {
  panels.preview.level.reset();
  if (rest == "auto") return true;
  const auto level = number(rest);
  const auto& result = panels.studio.result();
  if (!result || !level || !(*level >= 0.0 && *level <= static_cast<double>(result->model.levels().size())))
    return fail("'{}' is no level of the bake, nor auto", rest);
  panels.preview.level = static_cast<std::uint32_t>(*level);
  return true;
}

// event 0.25 left foot: on the clip that plays.
ScriptRunner::Outcome ScriptRunner::event(PanelState& panels, const std::string& rest) {
  const auto [time, name] = split_first(rest);
  THRONG_TRY(const double seconds, number(time));
  if (name.empty()) return fail("an event has a name behind its time");
  ClipEvents* clip =
      panels.preview.has_model() ? panels.studio.events().find(panels.preview.shown_clip().name) : nullptr;
  if (clip == nullptr) return fail("no clip of a model plays");
  THRONG_CHECK(add_event(*clip, seconds, name));
  return true;
}

ScriptRunner::Outcome ScriptRunner::undo(PanelState& panels, const std::string& /*rest*/) {
  panels.studio.undo();
  return true;
}

ScriptRunner::Outcome ScriptRunner::redo(PanelState& panels, const std::string& /*rest*/) {
  panels.studio.redo();
  return true;
}

ScriptRunner::Outcome ScriptRunner::parts(PanelState& panels, const std::string& rest) {
  const std::vector<std::string> names = split_list(rest);
  auto& choices = panels.studio.form().parts;
  for (const std::string& name : names)
    if (std::ranges::find(choices, name, &PartChoice::name) == choices.end())
      return fail("there is no part '{}'", name);
  for (PartChoice& part : choices) part.baked = std::ranges::find(names, part.name) != names.end();
  return true;
}

ScriptRunner::Outcome ScriptRunner::time(PanelState& panels, const std::string& rest) {
  THRONG_TRY(panels.preview.clock.seconds, number(rest));
  panels.preview.clock.playing = false;
  return true;
}

ScriptRunner::Outcome ScriptRunner::crowd(PanelState& panels, const std::string& rest) {
  const auto count = number(rest);
  if (!count || !(*count >= 1.0 && *count <= 1e5)) return fail("'{}' is no number of characters", rest);
  panels.preview.count = static_cast<int>(*count);
  return true;
}

ScriptRunner::Outcome ScriptRunner::wait(PanelState& panels, const std::string& rest) {
  return is_reached(panels, rest);
}

ScriptRunner::Outcome ScriptRunner::print(PanelState& panels, const std::string& rest) {
  const Studio& studio = panels.studio;
  const auto [what, name] = split_first(rest);
  if (what == "state") {
    say("state: " + state_text(studio));
  } else if (what == "problems") {
    say(fmt::format("open: {}\nbake: {}\nsave: {}", studio.problems().open, studio.problems().bake,
                    studio.problems().save));
  } else if (what == "playing") {
    say(fmt::format("playing: {} at {:.4f} s", panels.preview.clock.playing ? "yes" : "no",
                    panels.preview.clock.seconds));
  } else if (what == "command") {
    say(studio.command());
  } else if (what == "report") {
    if (!studio.result()) return fail("nothing is baked");
    say(to_text(report_json(studio.result()->model)));
  } else if (what == "place") {
    const auto box = panels.marks.find(name);
    if (!box) return fail("nothing in the window is marked '{}'", name);
    say(fmt::format("place: {} {} {} {}", box->min.x, box->min.y, box->max.x, box->max.y));
  } else {
    return fail("'{}' is none of: state, problems, playing, command, report, place", what);
  }
  return true;
}

ScriptRunner::Outcome ScriptRunner::screenshot(PanelState& /*panels*/, const std::string& rest) {
  hands_.take_picture(rest);
  return true;
}

ScriptRunner::Outcome ScriptRunner::quit(PanelState& /*panels*/, const std::string& /*rest*/) {
  hands_.quit();
  return true;
}

}  // namespace throng::studio
