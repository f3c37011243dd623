// SPDX-License-Identifier: Apache-2.0
#include "core/history.h"

#include <gtest/gtest.h>

#include <string>

namespace throng::studio {
namespace {

using Words = History<std::string>;

TEST(History, GoesBackAndOnAgainStepByStep) {
  Words history;
  history.reset("a");
  EXPECT_FALSE(history.can_undo());
  history.note("b", false);
  history.note("c", false);
  history.note("c", false);  // nothing changed
  EXPECT_EQ(history.undo(), "b");
  EXPECT_EQ(history.undo(), "a");
  EXPECT_EQ(history.undo(), std::nullopt);
  EXPECT_EQ(history.redo(), "b");
  EXPECT_EQ(history.redo(), "c");
  EXPECT_EQ(history.redo(), std::nullopt);
}

TEST(History, TakesADragAsOneStep) {
  Words history;
  history.reset("0");
  for (const char* value : {"1", "2", "3"}) history.note(value, true);
  EXPECT_FALSE(history.can_undo()) << "it is still held";
  history.note("3", false);
  EXPECT_EQ(history.undo(), "0");
  EXPECT_EQ(history.redo(), "3");
}

TEST(History, ForgetsWhatWasUndoneWhenSomethingElseIsDone) {
  Words history;
  history.reset("a");
  history.note("b", false);
  history.undo();
  history.note("c", false);
  EXPECT_FALSE(history.can_redo());
  EXPECT_EQ(history.undo(), "a");
}

TEST(History, KeepsTheNewestStepsWhenThereAreTooMany) {
  History<int> history;
  history.reset(0);
  const int last = static_cast<int>(History<int>::kMostSteps) + 5;
  for (int i = 1; i <= last; ++i) history.note(i, false);
  int steps = 0;
  int state = last;
  while (const auto before = history.undo()) {
    EXPECT_EQ(*before, state - 1);
    state = *before;
    ++steps;
  }
  EXPECT_EQ(steps, static_cast<int>(History<int>::kMostSteps));
}

}  // namespace
}  // namespace throng::studio
