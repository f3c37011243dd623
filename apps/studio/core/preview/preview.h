// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the preview shows and how: the model or its bake, which clip at which time, one character or a crowd, seen from
// where. Turns that into requests to the worker and keeps the newest picture.

#include "core/studio.h"
#include "preview/preview_worker.h"

namespace throng::studio {

// What there is to be shown. Either may be missing.
struct PreviewSubject {
  std::shared_ptr<const BakeResult> result;
  std::shared_ptr<const SourceModel> source;

  friend bool operator==(const PreviewSubject&, const PreviewSubject&) = default;
};

// A clip that can be played: of the bake, of the model, or of both.
struct ShownClip {
  std::string name;
  double length = 0.0;                      // seconds
  double rate = 0.0;                        // frames a second; of a clip that is not baked, the usual ones
  std::optional<std::uint32_t> baked = {};  // its number there
  std::optional<std::uint32_t> source = {};
  double source_start = 0.0;  // the model's time when it begins
};

class Preview {
 public:
  explicit Preview(PreviewWorker::Settings settings) : worker_(std::move(settings)) {}

  // Called once a picture: follows what there is, lets `dt` seconds pass, asks for a picture of that many pixels when
  // something has changed, and takes up the one that was drawn. Returns whether there is a new one.
  bool update(const PreviewSubject& subject, double dt, std::uint32_t width, std::uint32_t height);

  // Shows a clip from its start, or from a moment of it.
  void choose_clip(std::size_t clip, double seconds = 0.0);
  // The same for a clip of the bake, by its number there.
  void choose_baked(std::uint32_t baked, double seconds = 0.0);
  // Chooses by name; returns whether there is one.
  bool choose_named(const std::string& name);
  // The moment of a clip of the bake that its error is worst at, standing still.
  void show_worst(std::uint32_t baked);
  void step(int frames);
  void look_from_start() { orbit = {}; }

  bool has_model() const { return !clips_.empty(); }
  const std::vector<ShownClip>& clips() const { return clips_; }
  std::size_t clip() const { return clip_; }
  const ShownClip& shown_clip() const { return clips_[clip_]; }
  bool plays_baked(std::uint32_t baked) const { return has_model() && shown_clip().baked == baked; }
  // What is shown of `view`, as far as it is there.
  Shows shows() const;
  // Whether time goes round the clip, as it does for one character.
  bool shows_one() const { return count == 1 || shows() != Shows::bake; }

  const DrawnPreview& drawn() const { return drawn_; }
  // The newest picture to be shown; afterwards only its size is kept here.
  Image take_image();
  // Whether a picture of what there is has come and, when time stands still, is what was asked for last.
  bool is_current() const;
  PreviewWorker& worker() { return worker_; }

  Shows view = Shows::bake;  // that is wanted: where there is no bake yet, the model is shown
  Orbit orbit;
  PreviewClock clock;
  int count = 1;
  bool every_clip = true;
  std::optional<std::uint32_t> level = {};   // of detail, 0 being the full mesh; nothing: as the distance wants
  std::shared_ptr<const HeatMap> heat = {};  // of the bake; nothing: it looks as it is
  double full_heat_mm = 1.0;
  std::vector<std::string> hidden = {};  // parts that are not worn

 private:
  void follow(const PreviewSubject& subject);
  void list_clips();
  void settle_size(double dt, std::uint32_t width, std::uint32_t height);
  PreviewRequest request() const;

  PreviewSubject subject_;
  Shows listed_for_ = Shows::bake;
  std::vector<ShownClip> clips_;
  std::size_t clip_ = 0;
  std::uint32_t width_ = 0, height_ = 0;                // that are drawn
  std::uint32_t wanted_width_ = 0, wanted_height_ = 0;  // by the window
  double settled_for_ = 0.0;                            // seconds since the window's wish changed
  double still_for_ = 0.0;                              // seconds since anything in the picture changed
  PreviewRequest asked_;
  DrawnPreview drawn_;
  PreviewWorker worker_;
};

}  // namespace throng::studio
