// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws the preview on a thread and a Vulkan device of its own, so that the window stays quick whatever the picture
// takes. It draws only what was asked for last.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "preview/heat.h"
#include "preview/orbit.h"
#include "preview/source_view.h"
#include "throng/character/character.h"
#include "throng/character/image.h"
#include "throng/playback/clock.h"

namespace throng::studio {

// The bake, the model it is made from, or both side by side: the model on the left.
enum class Shows : std::uint8_t { bake, source, both };

struct PreviewRequest {
  Shows shows = Shows::bake;
  std::shared_ptr<const Character> model;    // the bake; needed unless the source is shown alone
  std::shared_ptr<const SourceView> source;  // needed unless the bake is shown alone; bones are its
  std::optional<std::uint32_t> clip;         // of the bake, needed where it is shown; nothing: it is not in the bake
  std::optional<std::uint32_t> source_clip;  // of the model; nothing: at rest
  double source_start = 0.0;                 // the model's time when the clip begins
  bool every_clip = false;                   // of a crowd: each its own instead of all `clip`
  std::uint32_t count = 1;
  std::uint32_t width = 0;  // pixels of the pane; what is drawn may be smaller, of the same shape
  std::uint32_t height = 0;
  Orbit orbit;
  double seconds = 0.0;                 // from the clip's start
  std::optional<std::uint32_t> level;   // of detail, the full mesh being 0; nothing: as the distance wants
  std::shared_ptr<const HeatMap> heat;  // of the bake, to be painted with; nothing: it looks as it is
  double full_heat_mm = 1.0;
  std::vector<std::string> hidden;  // parts that one character does not wear; none: it wears what is usual
  bool still = false;               // nothing moves: the picture may take its time

  friend bool operator==(const PreviewRequest&, const PreviewRequest&) = default;
};

struct BonePlace {
  glm::dvec3 position{0.0};  // in the picture's world
  std::optional<std::uint32_t> parent;
};

// A picture and what is needed to draw over it.
struct PreviewPicture {
  Image image;
  Camera camera;
  std::vector<BonePlace> bones;  // of the model, as it is in the picture; none of a crowd, or without a model
  glm::dvec3 source_at{0.0};     // where the model stands, and the bake: beside each other where both are shown
  glm::dvec3 bake_at{0.0};
};

struct DrawnPreview {
  PreviewRequest request;  // what was asked for
  PreviewPicture picture;  // nothing in it when there is an error
  std::string error;
  double seconds = 0.0;  // that it took to draw
};

class PreviewWorker {
 public:
  struct Settings {
    std::string device = {};  // as in DeviceSettings::choice
    bool validation = false;
  };

  explicit PreviewWorker(Settings settings);
  PreviewWorker(const PreviewWorker&) = delete;
  PreviewWorker& operator=(const PreviewWorker&) = delete;
  ~PreviewWorker();  // waits for the picture that is being drawn

  // Replaces what was asked for before and not begun.
  void ask(const PreviewRequest& request);
  // The newest picture, once.
  std::optional<DrawnPreview> take();

  // "llvmpipe …"; empty until it is known.
  std::string device_name() const;
  // What the validation layer said about the preview's drawing. Whole only when the worker has ended.
  std::vector<std::string> validation_messages() const;
  // Ends the thread and lets the device go; done by the destructor otherwise.
  void stop();

 private:
  void run();
  std::optional<PreviewRequest> next();

  const Settings settings_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::optional<PreviewRequest> asked_;
  std::optional<DrawnPreview> drawn_;
  std::string device_name_;
  std::vector<std::string> messages_;
  std::thread thread_;
};

}  // namespace throng::studio
