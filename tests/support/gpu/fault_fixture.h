// SPDX-License-Identifier: Apache-2.0
#pragma once
// A test on a device of its own that fails when it is told to, so that the layers tell at the end of each test what was
// never destroyed.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "fault_injection.h"
#include "test_device.h"

namespace throng::test {

class OnFaultyDevice : public ::testing::Test {
 protected:
  explicit OnFaultyDevice(PipelineKind pipelines) : pipelines_(pipelines) {}

  void SetUp() override {
    DeviceSettings settings{.validation = validating()};
    settings.on_validation_message = [this](const std::string& message) { said_.push_back(message); };
    device_ = Device::create(settings).value();
    faulty_.make_pipelines(pipelines_);
  }

  void TearDown() override {
    faulty_.heal();
    EXPECT_EQ(faulty_.live_pipelines(), 0u) << "shaders or pipelines were never destroyed";
    faulty_.destroy_shared_pipelines();
    device_.reset();
    for (const std::string& message : said_) ADD_FAILURE() << message;
  }

  VulkanContext context() const { return FaultyDevice::behind(device_->context()); }

  FaultyDevice faulty_;
  std::vector<std::string> said_;
  std::optional<Device> device_;

 private:
  PipelineKind pipelines_;
};

}  // namespace throng::test
