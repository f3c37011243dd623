// SPDX-License-Identifier: Apache-2.0
#include "throng/playback/controller.h"

#include <cmath>

#include "events.h"
#include "root_motion.h"
#include "state.h"
#include "throng/base/try.h"

namespace throng {

using namespace detail::playback;

struct Controller::State {
  std::shared_ptr<const Character> model;
  std::vector<ClipTiming> clips;
  PlayRecord play{};
  Plans plans;
  Clock clock;

  // After the track changed: what comes after it is planned anew.
  void plan() { plan_queue(play, plans, clock.now()); }
};

Controller::Controller(const Character& model) : state_(std::make_unique<State>()) {
  state_->model = std::make_shared<const Character>(model);
  for (const BakedClip& clip : model.clips()) state_->clips.push_back(clip_timing(clip));
  if (!state_->clips.empty()) state_->play.track = make_track(state_->clips[0], {}, 0);
}
Controller::Controller(const Controller& other) : state_(std::make_unique<State>(*other.state_)) {}
Controller::Controller(Controller&& other) noexcept = default;
Controller& Controller::operator=(const Controller& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
Controller& Controller::operator=(Controller&& other) noexcept = default;
Controller::~Controller() = default;

Result<void> Controller::play(const Play& play) {
  THRONG_CHECK(check_play(state_->clips, play));
  state_->plans = {};
  begin_play(state_->clips, state_->play, play, now());
  return {};
}

Result<void> Controller::play(std::string_view clip, Play play) {
  THRONG_TRY(const ClipId found, state_->model->find_clip(clip));
  play.clip = found;
  return this->play(play);
}

Result<void> Controller::queue(const Play& play) {
  THRONG_CHECK(check_play(state_->clips, play));
  state_->plans.queue.push_back(play);
  if (state_->plans.queue.size() == 1) state_->plan();
  return {};
}

Result<void> Controller::queue(std::string_view clip, Play play) {
  THRONG_TRY(const ClipId found, state_->model->find_clip(clip));
  play.clip = found;
  return queue(play);
}

void Controller::clear_queue() {
  state_->plans.queue.clear();
  state_->plan();
}

Result<void> Controller::set_speed(double speed) {
  THRONG_CHECK(check_speed(speed));
  if (state_->clips.empty()) return {};
  change_speed(state_->clips, state_->play, state_->plans, speed, now());
  state_->plan();
  return {};
}

Result<void> Controller::seek(double seconds) {
  THRONG_CHECK(check_seek(seconds));
  if (state_->clips.empty()) return {};
  seek_to(state_->clips, state_->play, seconds, now());
  state_->plan();
  return {};
}

void Controller::pause() {
  pause_play(state_->play, state_->plans, now());
  state_->plan();
}

void Controller::resume() {
  resume_play(state_->play, state_->plans, now());
  state_->plan();
}

GroundMotion Controller::advance(double seconds, const OnEvent& on_event) {
  State& state = *state_;
  Ticks settled = now();
  state.clock.advance(seconds);
  if (state.clips.empty()) return {};
  std::vector<FiredEvent> fired;
  GroundMotion motion;
  const auto settle = [&](Ticks to, std::optional<Position> last) {
    if (on_event) collect_events(state.clips, state.play, {}, settled, to, last, fired);
    motion = compose(motion, motion_between(state.model->clips(), state.play, settled, to));
    settled = to;
  };
  carry_out_until(state.clips, state.play, &state.plans, now(), settle);
  settle(now(), {});
  // Told last: what is told may change what is played.
  for (const FiredEvent& event : fired) on_event(event);
  return motion;
}

Ticks Controller::now() const { return state_->clock.now(); }

PlayState Controller::state() const {
  if (state_->clips.empty()) return {};
  return state_of(state_->clips, state_->play, &state_->plans, now());
}

Result<SocketPlace> Controller::socket(SocketId socket) const {
  if (state_->clips.empty()) return fail("model '{}' has no clips, so its sockets are nowhere", state_->model->name());
  return socket_place(*state_->model, state_->play, socket, now());
}

const PlayRecord& Controller::record() const { return state_->play; }

const Character& Controller::model() const { return *state_->model; }

}  // namespace throng
