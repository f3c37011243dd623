// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the preview's thread draws with: a device, and a scene for the model and the size asked for last.

#include <optional>

#include "core/preview/preview_worker.h"
#include "throng/gpu/device.h"

namespace throng::studio {

class PreviewStage {
 public:
  // Nothing is made until it is needed.
  explicit PreviewStage(DeviceSettings settings) : settings_(std::move(settings)) {}

  Result<Image> draw(const PreviewRequest& request);
  std::string device_name() const { return device_ ? device_->info().name : std::string(); }

 private:
  Result<void> prepare(const PreviewRequest& request);
  Result<void> make_scene(const PreviewRequest& request);
  Result<void> cast(const PreviewRequest& request);
  bool is_software() const { return device_->info().kind == DeviceKind::software; }

  DeviceSettings settings_;
  std::optional<Device> device_;  // outlives the scene
  std::optional<SceneRenderer> scene_;
  PreviewRequest made_for_;  // by the scene
};

// draw(), with memory running out as an error.
Result<Image> run_guarded_draw(PreviewStage& stage, const PreviewRequest& request);

}  // namespace throng::studio
