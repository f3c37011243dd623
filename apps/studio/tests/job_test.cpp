#include "core/job.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/lookup.h"
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
  Workshop workshop;
  const auto door = std::make_shared<Door>();
  auto job = workshop.start<int>([door](const Progress& progress) -> Result<int> {
    report(progress, "half", 0.5);
    door->wait();
    return 42;
  });
  ASSERT_TRUE(test::wait_until([&] { return job.progress().done == 0.5; }));
  EXPECT_EQ(job.progress().what, "half");
  EXPECT_FALSE(job.done());
  EXPECT_EQ(workshop.running(), 1u);
  door->open = true;
  ASSERT_TRUE(test::wait_until([&] { return job.done(); }));
  EXPECT_EQ(*job.take(), 42);
  EXPECT_TRUE(test::wait_until([&] { return workshop.running() == 0; }));
}

TEST(Job, IsAnErrorWhenItsWorkThrows) {
  Workshop workshop;
  auto job = workshop.start<int>([](const Progress&) -> Result<int> { throw std::runtime_error("out of paint"); });
  ASSERT_TRUE(test::wait_until([&] { return job.done(); }));
  const auto result = job.take();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "the work was given up: out of paint");
}

TEST(Job, RunsOnWhenNobodyIsLeftToHearOfIt) {
  Workshop workshop;
  const auto door = std::make_shared<Door>();
  std::atomic<bool> finished = false;
  {
    auto job = workshop.start<int>([&finished, door](const Progress&) -> Result<int> {
      door->wait();
      finished = true;
      return 1;
    });
  }
  EXPECT_EQ(workshop.running(), 1u);
  door->open = true;
  EXPECT_TRUE(test::wait_until([&] { return workshop.running() == 0; }));
  EXPECT_TRUE(finished);
}

Result<int> twice(const int& question) {
  if (question < 0) return fail("{} is too small", question);
  return 2 * question;
}

TEST(Lookup, AnswersTheNewestQuestion) {
  Workshop workshop;
  Lookup<int, int> lookup(workshop, twice);
  EXPECT_FALSE(lookup.answer());
  for (int question = 1; question <= 5; ++question) lookup.ask(question);
  ASSERT_TRUE(test::wait_until([&] {
    lookup.ask(5);
    return lookup.is_current(5);
  }));
  EXPECT_EQ(**lookup.answer(), 10);
  EXPECT_FALSE(lookup.is_current(4));
  ASSERT_TRUE(test::wait_until([&] {
    lookup.ask(-1);
    return lookup.is_current(-1);
  }));
  EXPECT_FALSE(*lookup.answer());
  EXPECT_FALSE(lookup.busy());
}

}  // namespace
}  // namespace throng::studio
