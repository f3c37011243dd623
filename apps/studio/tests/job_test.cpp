// SPDX-License-Identifier: Apache-2.0
#include "core/job.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/latest_answer.h"
#include "waiting.h"

namespace throng::studio {
namespace {

// A door that a job waits at until the test opens it.
struct Door {
  std::atomic<bool> open = false;
  void wait() const {
    while (!open) std::this_thread::yield();
  }
};

TEST(Job, GivesItsResultWhenItIsDoneAndItsProgressBefore) {
  JobRunner jobs;
  const auto door = std::make_shared<Door>();
  auto job = jobs.start<int>([door](const Progress& progress) -> Result<int> {
    report(progress, "half", 0.5);
    door->wait();
    return 42;
  });
  ASSERT_TRUE(test::wait_until([&] { return job.progress().done == 0.5; }));
  EXPECT_EQ(job.progress().what, "half");
  EXPECT_FALSE(job.done());
  EXPECT_EQ(jobs.running(), 1u);
  door->open = true;
  ASSERT_TRUE(test::wait_until([&] { return job.done(); }));
  EXPECT_EQ(*job.take(), 42);
  EXPECT_TRUE(test::wait_until([&] { return jobs.running() == 0; }));
}

TEST(Job, IsAnErrorWhenItsWorkThrows) {
  JobRunner jobs;
  auto job = jobs.start<int>([](const Progress&) -> Result<int> { throw std::runtime_error("out of paint"); });
  ASSERT_TRUE(test::wait_until([&] { return job.done(); }));
  const auto result = job.take();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "the work was given up: out of paint");
}

TEST(Job, RunsOnWhenNobodyIsLeftToHearOfIt) {
  JobRunner jobs;
  const auto door = std::make_shared<Door>();
  std::atomic<bool> finished = false;
  {
    auto job = jobs.start<int>([&finished, door](const Progress&) -> Result<int> {
      door->wait();
      finished = true;
      return 1;
    });
  }
  EXPECT_EQ(jobs.running(), 1u);
  door->open = true;
  EXPECT_TRUE(test::wait_until([&] { return jobs.running() == 0; }));
  EXPECT_TRUE(finished);
}

Result<int> twice(const int& question) {
  if (question < 0) return fail("{} is too small", question);
  return 2 * question;
}

TEST(LatestAnswer, AnswersTheNewestQuestion) {
  JobRunner jobs;
  LatestAnswer<int, int> latest(jobs, twice);
  EXPECT_FALSE(latest.answer());
  for (int question = 1; question <= 5; ++question) latest.ask(question);
  ASSERT_TRUE(test::wait_until([&] {
    latest.ask(5);
    return latest.is_current(5);
  }));
  EXPECT_EQ(**latest.answer(), 10);
  EXPECT_FALSE(latest.is_current(4));
  ASSERT_TRUE(test::wait_until([&] {
    latest.ask(-1);
    return latest.is_current(-1);
  }));
  EXPECT_FALSE(*latest.answer());
}

}  // namespace
}  // namespace throng::studio
