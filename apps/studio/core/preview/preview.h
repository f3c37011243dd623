// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the preview shows and how: which clip at which time, one character or a crowd, seen from where. Turns that into
// requests to the worker and keeps the newest picture.

#include "core/preview/preview_worker.h"
#include "core/studio.h"

namespace throng::studio {

class Preview {
 public:
  explicit Preview(PreviewWorker::Settings settings) : worker_(std::move(settings)) {}

  // Called once a picture: follows the result, lets `dt` seconds pass, asks for a picture of that many pixels when
  // something has changed, and takes up the one that was drawn. Returns whether there is a new one.
  bool update(const std::shared_ptr<const BakeResult>& result, double dt, std::uint32_t width, std::uint32_t height);

  // Shows a clip from its start, or from a moment of it.
  void choose_clip(std::uint32_t clip, double seconds = 0.0);
  // The moment of a clip that its error is worst at, standing still.
  void show_worst(std::uint32_t clip);
  void step(int frames);
  void look_from_start() { orbit = {}; }

  bool has_model() const { return result_ != nullptr; }
  std::uint32_t clip() const { return clip_; }
  const BakedClip& baked_clip() const { return result_->model.clips()[clip_]; }
  // Whether time goes round the clip, as it does for one character.
  bool shows_one() const { return count == 1; }

  const PreviewFrame& frame() const { return frame_; }
  // The newest picture to be shown; afterwards only its size is kept here.
  Image take_image();
  // Whether a picture of the result is there and, when time stands still, is what was asked for last.
  bool is_current() const;
  PreviewWorker& worker() { return worker_; }

  Orbit orbit;
  PreviewClock clock;
  int count = 1;
  bool every_clip = true;

 private:
  void follow(const std::shared_ptr<const BakeResult>& result);
  void settle_size(double dt, std::uint32_t width, std::uint32_t height);

  std::shared_ptr<const BakeResult> result_;
  std::uint32_t clip_ = 0;
  std::uint32_t width_ = 0, height_ = 0;                // that are drawn
  std::uint32_t wanted_width_ = 0, wanted_height_ = 0;  // by the window
  double settled_for_ = 0.0;                            // seconds since the window's wish changed
  PreviewRequest asked_;
  PreviewFrame frame_;
  PreviewWorker worker_;
};

}  // namespace throng::studio
