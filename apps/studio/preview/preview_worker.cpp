// SPDX-License-Identifier: Apache-2.0
#include "preview/preview_worker.h"

#include <chrono>

#include "preview/preview_stage.h"

namespace throng::studio {

PreviewWorker::PreviewWorker(Settings settings) : settings_(std::move(settings)), thread_([this] { run(); }) {}

PreviewWorker::~PreviewWorker() { stop(); }

void PreviewWorker::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void PreviewWorker::ask(const PreviewRequest& request) {
  {
    const std::lock_guard lock(mutex_);
    asked_ = request;
  }
  changed_.notify_one();
}

std::optional<DrawnPreview> PreviewWorker::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(drawn_, std::nullopt);
}

std::string PreviewWorker::device_name() const {
  const std::lock_guard lock(mutex_);
  return device_name_;
}

std::vector<std::string> PreviewWorker::validation_messages() const {
  const std::lock_guard lock(mutex_);
  return messages_;
}

std::optional<PreviewRequest> PreviewWorker::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopping_ || asked_; });
  if (stopping_) return std::nullopt;
  return std::exchange(asked_, std::nullopt);
}

void PreviewWorker::run() {
  const auto listen = [this](const std::string& message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(message);
  };
  PreviewStage stage({.choice = settings_.device, .validation = settings_.validation, .on_validation_message = listen});
  while (auto request = next()) {
    const auto began = std::chrono::steady_clock::now();
    auto picture = run_guarded_draw(stage, *request);
    DrawnPreview drawn{.request = *std::move(request), .picture = {}, .error = {}, .seconds = 0.0};
    drawn.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (picture) {
      drawn.picture = *std::move(picture);
    } else {
      drawn.error = std::move(picture).error().message;
    }
    const std::lock_guard lock(mutex_);
    drawn_ = std::move(drawn);
    device_name_ = stage.device_name();
  }
}

}  // namespace throng::studio
