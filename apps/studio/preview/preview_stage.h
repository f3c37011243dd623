// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the preview's thread draws with: a device, and scenes for the model and the size asked for last.

#include <array>
#include <optional>

#include "preview/preview_scene.h"
#include "throng/gpu/device.h"

namespace throng::studio {

class PreviewStage {
 public:
  // Nothing is made until it is needed.
  explicit PreviewStage(DeviceSettings settings) : settings_(std::move(settings)) {}

  Result<PreviewPicture> draw(const PreviewRequest& request);
  std::string device_name() const { return device_ ? device_->info().name : std::string(); }

 private:
  Result<PreviewScene*> scene_for(const PreviewRequest& request);

  DeviceSettings settings_;
  std::optional<Device> device_;  // outlives the scenes
  std::optional<PreviewScene> moving_;
  std::optional<PreviewScene> still_;
};

// draw(), with memory running out as an error.
Result<PreviewPicture> run_guarded_draw(PreviewStage& stage, const PreviewRequest& request);

}  // namespace throng::studio
