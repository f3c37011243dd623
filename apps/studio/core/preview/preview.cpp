// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview.h"

#include <algorithm>

namespace throng::studio {

void Preview::follow(const std::shared_ptr<const BakeResult>& result) {
  if (result == result_) return;
  // Another bake of the same clip goes on where the last one was.
  const std::string was = result_ && clip_ < result_->model.clips().size() ? baked_clip().name : "";
  result_ = result;
  frame_.error.clear();
  if (!result_) return;
  const auto& clips = result_->model.clips();
  const auto same = std::ranges::find(clips, was, &BakedClip::name);
  if (same != clips.end()) {
    clip_ = static_cast<std::uint32_t>(same - clips.begin());
    clock.seconds = std::min(clock.seconds, same->length);
  } else {
    choose_clip(0);
  }
}

// Another size takes another scene, which takes a while: it is made when the window has come to rest.
void Preview::settle_size(double dt, std::uint32_t width, std::uint32_t height) {
  constexpr double kAtRest = 0.25;
  const bool changed = width != wanted_width_ || height != wanted_height_;
  wanted_width_ = width;
  wanted_height_ = height;
  settled_for_ = changed ? 0.0 : settled_for_ + dt;
  if (width_ != 0 && settled_for_ < kAtRest) return;
  width_ = width;
  height_ = height;
}

bool Preview::update(const std::shared_ptr<const BakeResult>& result, double dt, std::uint32_t width,
                     std::uint32_t height) {
  follow(result);
  settle_size(dt, width, height);
  if (!result_ || result_->model.clips().empty()) return false;
  clock.advance(dt, shows_one() ? baked_clip().length : 0.0);
  PreviewRequest request;
  request.model = std::shared_ptr<const Character>(result_, &result_->model);
  request.clip = clip_;
  request.every_clip = every_clip;
  request.count = static_cast<std::uint32_t>(std::max(count, 1));
  request.width = width_;
  request.height = height_;
  request.orbit = orbit;
  request.seconds = clock.seconds;
  if (width_ > 0 && height_ > 0 && request != asked_) {
    asked_ = request;
    worker_.ask(asked_);
  }
  auto drawn = worker_.take();
  if (!drawn || drawn->request.model.get() != &result_->model) return false;
  // A picture that failed says why; the last good one stays.
  const bool good = drawn->error.empty();
  if (!good) drawn->image = std::move(frame_.image);
  frame_ = *std::move(drawn);
  return good;
}

Image Preview::take_image() { return {frame_.image.width, frame_.image.height, std::exchange(frame_.image.rgba, {})}; }

bool Preview::is_current() const {
  if (!has_model() || frame_.request.model.get() != &result_->model) return false;
  return clock.playing || frame_.request == asked_;
}

void Preview::choose_clip(std::uint32_t clip, double seconds) {
  if (!result_ || clip >= result_->model.clips().size()) return;
  clip_ = clip;
  clock.seconds = std::clamp(seconds, 0.0, baked_clip().length);
}

void Preview::show_worst(std::uint32_t clip) {
  if (!result_ || clip >= result_->model.clips().size()) return;
  const BakedClip& shown = result_->model.clips()[clip];
  choose_clip(clip, shown.error.worst_time - shown.source_start);
  clock.playing = false;
  count = 1;
}

void Preview::step(int frames) {
  if (result_ && shows_one()) clock.step(frames, baked_clip().rate(), baked_clip().length);
}

}  // namespace throng::studio
