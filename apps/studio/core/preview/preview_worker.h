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

#include "core/preview/orbit.h"
#include "throng/character/character.h"
#include "throng/character/image.h"
#include "throng/playback/clock.h"

namespace throng::studio {

struct PreviewRequest {
  std::shared_ptr<const Character> model;
  std::uint32_t clip = 0;
  bool every_clip = false;  // of a crowd: each its own instead of all `clip`
  std::uint32_t count = 1;
  std::uint32_t width = 0;  // pixels of the pane; what is drawn may be smaller, of the same shape
  std::uint32_t height = 0;
  Orbit orbit;
  double seconds = 0.0;

  friend bool operator==(const PreviewRequest&, const PreviewRequest&) = default;
};

struct PreviewFrame {
  PreviewRequest request;  // what was asked for
  Image image;             // nothing in it when there is an error
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
  std::optional<PreviewFrame> take();

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
  std::optional<PreviewFrame> drawn_;
  std::string device_name_;
  std::vector<std::string> messages_;
  std::thread thread_;
};

}  // namespace throng::studio
