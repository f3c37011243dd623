// SPDX-License-Identifier: Apache-2.0
#pragma once
// One device with validation for the whole test program: making one is slow, and what the layers say about any test
// must fail it.

#include <gtest/gtest.h>

#include "throng/gpu/device.h"

namespace throng::test {

// False only where THRONG_TEST_WITHOUT_VALIDATION is set, for machines that have a GPU but no layers.
bool validating();

// The shared device. Aborts the program with the reason when there is none: without a device nothing here means
// anything.
Device& device();

// A fixture whose test fails when the validation layers said anything during it.
class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override { messages_before_ = device().validation_messages().size(); }
  void TearDown() override;

  const VulkanContext& context() const { return device().context(); }

 private:
  std::size_t messages_before_ = 0;
};

}  // namespace throng::test
