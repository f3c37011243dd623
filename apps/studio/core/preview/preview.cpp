// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview.h"

#include <algorithm>

#include "crowd/families.h"
#include "throng/bake/bake.h"

namespace throng::studio {
namespace {

constexpr const char* kRest = "rest";  // what a bake calls the only clip of a model that has none

std::optional<std::uint32_t> find_source(const Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.clips(), name, &Clip::name);
  if (found == model.clips().end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - model.clips().begin());
}

std::vector<ShownClip> clips_of_bake(const BakeResult& result, const SourceModel* source) {
  std::vector<ShownClip> clips;
  for (const BakedClip& clip : result.model.clips()) {
    ShownClip shown{clip.name, clip.length,      clip.rate(), static_cast<std::uint32_t>(clips.size()),
                    {},        clip.source_start};
    if (source != nullptr) shown.source = find_source(source->model(), clip.name);
    clips.push_back(std::move(shown));
  }
  return clips;
}

std::vector<ShownClip> clips_of_source(const Model& model, const BakeResult* result) {
  std::vector<ShownClip> clips;
  for (const Clip& clip : model.clips()) {
    ShownClip shown{clip.name, clip.length(), kUsualFrameRate, {}, static_cast<std::uint32_t>(clips.size()),
                    clip.start};
    if (result != nullptr) {
      const auto& baked = result->model.clips();
      const auto found = std::ranges::find(baked, clip.name, &BakedClip::name);
      if (found != baked.end()) shown.baked = static_cast<std::uint32_t>(found - baked.begin());
    }
    clips.push_back(std::move(shown));
  }
  if (clips.empty()) clips.push_back({.name = kRest, .length = 0.0, .rate = kUsualFrameRate});
  return clips;
}

// What a model is looked at in first: standing or walking rather than dying, as far as names tell. Of several the one
// with the shortest name: "Idle" rather than "2H_Melee_Idle".
std::size_t first_clip(const std::vector<ShownClip>& clips) {
  const auto shortest = [&](const auto& suits) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < clips.size(); ++i)
      if (suits(clips[i].name) && (!found || clips[i].name.size() < clips[*found].name.size())) found = i;
    return found;
  };
  const auto standing = shortest([](const std::string& name) { return names_any(name, {"idle", "stand"}); });
  if (standing) return *standing;
  return shortest(names_a_walk).value_or(0);
}

}  // namespace

Shows Preview::shows() const {
  if (!subject_.result) return Shows::source;
  return subject_.source && !subject_.result->from_file ? view : Shows::bake;
}

void Preview::list_clips() {
  listed_for_ = shows();
  if (listed_for_ == Shows::source) {
    clips_ =
        subject_.source ? clips_of_source(subject_.source->model(), subject_.result.get()) : std::vector<ShownClip>{};
  } else {
    clips_ = clips_of_bake(*subject_.result, subject_.source.get());
  }
}

void Preview::follow(const PreviewSubject& subject) {
  const bool another = subject != subject_;
  if (!another && listed_for_ == shows()) return;
  // Another bake of the same clip goes on where the last one was.
  const std::string was = has_model() ? shown_clip().name : "";
  if (another) {
    if (subject.source != subject_.source) hidden.clear();
    if (subject.result != subject_.result) {
      heat.reset();
      level.reset();
    }
    drawn_.error.clear();
  }
  subject_ = subject;
  list_clips();
  const auto same = std::ranges::find(clips_, was, &ShownClip::name);
  if (same != clips_.end()) {
    clip_ = static_cast<std::size_t>(same - clips_.begin());
    clock.seconds = std::min(clock.seconds, same->length);
  } else {
    clip_ = first_clip(clips_);
    clock.seconds = 0.0;
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

PreviewRequest Preview::request() const {
  PreviewRequest request;
  request.shows = shows();
  if (subject_.result) request.model = std::shared_ptr<const Character>(subject_.result, &subject_.result->model);
  request.source = subject_.source;
  request.clip = shown_clip().baked;
  request.source_clip = shown_clip().source;
  request.source_start = shown_clip().source_start;
  request.every_clip = every_clip;
  request.count = shows_one() ? 1 : static_cast<std::uint32_t>(std::max(count, 1));
  request.width = width_;
  request.height = height_;
  request.orbit = orbit;
  request.seconds = clock.seconds;
  if (request.shows != Shows::source) {
    request.level = level;
    request.heat = heat;
    if (heat) request.full_heat_mm = full_heat_mm;
  }
  request.hidden = hidden;
  return request;
}

bool Preview::update(const PreviewSubject& subject, double dt, std::uint32_t width, std::uint32_t height) {
  constexpr double kStandsStill = 0.2;  // seconds
  follow(subject);
  settle_size(dt, width, height);
  if (!has_model()) return false;
  clock.advance(dt, shows_one() ? shown_clip().length : 0.0);
  PreviewRequest next = request();
  next.still = asked_.still;
  still_for_ = next == asked_ ? still_for_ + dt : 0.0;
  next.still = still_for_ >= kStandsStill;
  if (width_ > 0 && height_ > 0 && next != asked_) {
    asked_ = next;
    worker_.ask(asked_);
  }
  auto drawn = worker_.take();
  if (!drawn || drawn->request.model != next.model || drawn->request.source != next.source) return false;
  // A picture that failed says why; the last good one stays.
  const bool good = drawn->error.empty();
  if (!good) drawn->picture = std::move(drawn_.picture);
  drawn_ = *std::move(drawn);
  return good;
}

Image Preview::take_image() {
  Image& image = drawn_.picture.image;
  return {image.width, image.height, std::exchange(image.rgba, {})};
}

bool Preview::is_current() const {
  if (!has_model() || drawn_.request.shows != shows()) return false;
  if (clock.playing) return drawn_.request.model == asked_.model && drawn_.request.source == asked_.source;
  PreviewRequest now = request();
  now.still = true;
  return now == asked_ && drawn_.request == asked_;
}

void Preview::choose_clip(std::size_t clip, double seconds) {
  if (clip >= clips_.size()) return;
  clip_ = clip;
  clock.seconds = std::clamp(seconds, 0.0, shown_clip().length);
}

void Preview::choose_baked(std::uint32_t baked, double seconds) {
  for (std::size_t i = 0; i < clips_.size(); ++i)
    if (clips_[i].baked == baked) return choose_clip(i, seconds);
}

bool Preview::choose_named(const std::string& name) {
  const auto found = std::ranges::find(clips_, name, &ShownClip::name);
  if (found == clips_.end()) return false;
  choose_clip(static_cast<std::size_t>(found - clips_.begin()));
  return true;
}

void Preview::show_worst(std::uint32_t baked) {
  if (!subject_.result || baked >= subject_.result->model.clips().size()) return;
  const BakedClip& worst = subject_.result->model.clips()[baked];
  choose_baked(baked, worst.error.worst_time - worst.source_start);
  clock.playing = false;
  count = 1;
}

void Preview::step(int frames) {
  if (has_model() && shows_one()) clock.step(frames, shown_clip().rate, shown_clip().length);
}

}  // namespace throng::studio
