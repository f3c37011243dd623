// SPDX-License-Identifier: Apache-2.0
#pragma once
// A test on a device of its own that fails when it is told to, so that the layers tell at the end of each test what was
// never destroyed.

#include <gtest/gtest.h>

#include <optional>
#include <set>
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

  // Lets each call of `attempt` fail in turn, until none is left; says which functions they were. Each attempt is made
  // on what `prepare` gives, with pipelines of its own: those that the last one compiled would not be asked for again.
  template <class Prepare, class Attempt>
  std::set<std::string> fail_each_call(Prepare prepare, Attempt attempt) {
    std::set<std::string> failed;
    for (std::uint32_t call = 1; call < 1000; ++call) {
      auto prepared = prepare();
      faulty_.set({.call = call});
      const auto made = attempt(prepared);
      faulty_.heal();
      if (!faulty_.happened()) return failed;
      failed.insert(faulty_.failed_function());
      if (made) continue;  // some can be done without: a pipeline cache, a whole block of memory
      EXPECT_NE(made.error().message.find("out of device memory (VkResult -2); draw fewer characters"),
                std::string::npos)
          << faulty_.failed_function() << ": " << made.error().message;
    }
    ADD_FAILURE() << "it never succeeds";
    return failed;
  }

  FaultyDevice faulty_;
  std::vector<std::string> said_;
  std::optional<Device> device_;

 private:
  PipelineKind pipelines_;
};

}  // namespace throng::test
