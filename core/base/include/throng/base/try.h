// SPDX-License-Identifier: Apache-2.0
#pragma once
// How an error travels up, in one word. Both return from the calling function, which must return a Result of anything.
//
//   THRONG_TRY(const Model model, read_model(file));   declares `model`, or returns read_model's error
//   THRONG_CHECK(write_file(path, bytes));             goes on, or returns write_file's error
//
// For .cpp files: a header that callers include has no need of it.

#include "throng/base/result.h"

#define THRONG_TRY_JOIN_(a, b) a##b
#define THRONG_TRY_NAME_(a, b) THRONG_TRY_JOIN_(a, b)
#define THRONG_TRY_(result, declaration, ...)            \
  auto result = (__VA_ARGS__);                           \
  if (!result) return ::throng::fail(std::move(result)); \
  declaration = *std::move(result) /* NOLINT(bugprone-macro-parentheses): it declares */

// Declares what a Result holds, or returns its error from the calling function.
#define THRONG_TRY(declaration, ...) THRONG_TRY_(THRONG_TRY_NAME_(throng_try_, __LINE__), declaration, __VA_ARGS__)

// Goes on, or returns the error of a Result from the calling function.
#define THRONG_CHECK(...)                                                                                       \
  do {                                                                                                          \
    if (auto throng_checked = (__VA_ARGS__); !throng_checked) return ::throng::fail(std::move(throng_checked)); \
  } while (false)
