// SPDX-License-Identifier: Apache-2.0
#include "test_device.h"

#include "pin_drivers.h"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace throng::test {
namespace {

std::optional<Device> shared;
std::vector<std::string> said_of_shared;  // kept apart from the device, to hold what is said of its end

// Devices go before the driver's own clean-up at exit, so that nothing of ours is left for a leak checker to see. An
// object that a test or the library forgot to destroy is named by the layer when its device goes.
class Environment : public ::testing::Environment {
 public:
  void SetUp() override { pin_drivers(); }
  void TearDown() override {
    const std::size_t before = said_of_shared.size();
    shared.reset();
    for (std::size_t i = before; i < said_of_shared.size(); ++i) ADD_FAILURE() << said_of_shared[i];
  }
};

[[maybe_unused]] const ::testing::Environment* const kEnvironment =
    ::testing::AddGlobalTestEnvironment(new Environment);

}  // namespace

bool validating() { return std::getenv("THRONG_TEST_WITHOUT_VALIDATION") == nullptr; }

Device& device() {
  if (!shared) {
    DeviceSettings settings{.validation = validating()};
    settings.on_validation_message = [](const std::string& message) { said_of_shared.push_back(message); };
    auto created = Device::create(settings);
    if (!created) {
      std::fprintf(stderr, "no device to test on: %s\n", created.error().message.c_str());
      std::abort();
    }
    shared = std::move(*created);
  }
  return *shared;
}

void OnDevice::TearDown() {
  const auto messages = device().validation_messages();
  for (std::size_t i = messages_before_; i < messages.size(); ++i) ADD_FAILURE() << messages[i];
}

}  // namespace throng::test
