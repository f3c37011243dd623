// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tests may wait where a window may not.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/studio.h"
#include "throng/mannequin/mannequin.h"

namespace throng::studio::test {

template <class Condition>
bool wait_until(const Condition& condition) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(120);
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

inline void wait_for_rest(Studio& studio) {
  ASSERT_TRUE(wait_until([&] {
    studio.poll();
    return studio.activity() == Activity::idle;
  }));
}

// Made once: it takes a while.
inline const Model& mannequin() {
  static const Model model = make_mannequin();
  return model;
}

// A folder that goes with the test.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / make_name()) { std::filesystem::create_directories(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  static std::string make_name() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    return fmt::format("throng-studio-{}-{}-{}", test->test_suite_name(), test->name(),
                       std::chrono::steady_clock::now().time_since_epoch().count());
  }
  std::filesystem::path path_;
};

}  // namespace throng::studio::test
