#include "test_device.h"

#include "pin_drivers.h"

#include <cstdio>
#include <cstdlib>
#include <optional>

namespace throng::test {
namespace {

std::optional<Device> shared;

// Devices go before the driver's own clean-up at exit, so that nothing of ours is left for a leak checker to see.
class Environment : public ::testing::Environment {
 public:
  void SetUp() override { pin_drivers(); }
  void TearDown() override { shared.reset(); }
};

[[maybe_unused]] const ::testing::Environment* const kEnvironment =
    ::testing::AddGlobalTestEnvironment(new Environment);

}  // namespace

bool validating() { return std::getenv("THRONG_TEST_WITHOUT_VALIDATION") == nullptr; }

Device& device() {
  if (!shared) {
    auto created = Device::create({.validation = validating()});
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
