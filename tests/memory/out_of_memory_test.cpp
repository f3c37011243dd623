// SPDX-License-Identifier: Apache-2.0
// Every allocation fails once, one after another: nothing ends the program, leaks, or is left half-written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <new>

#include "allocations.h"
#include "bar_model.h"
#include "instrumented.h"
#include "throng/bake/bake.h"
#include "throng/base/memory.h"
#include "throng/character/file.h"
#include "throng/playback/crowd.h"

namespace throng {
namespace {

// AddressSanitizer makes all of it ten times as long: there, only some allocations are failed.
constexpr std::size_t kStep = test::kInstrumented ? 61 : 1;

// After the first thousand every 29th: what comes then is loops, whose rounds fail alike.
constexpr std::size_t step_after(std::size_t count) { return count < 1000 ? kStep : 29 * kStep; }

// Runs `work` with its first allocation failing, then with the one `every` later, and so on until it needs no more;
// what it took it must have given back each time. `check` is told how it went. About the number of allocations.
std::size_t fail_each(const std::function<Result<void>()>& work, const std::function<void(Result<void>)>& check,
                      std::size_t every = 1) {
  check(work());  // what is made once and kept is made now
  std::size_t count = 0;
  for (bool failed = true; failed && !testing::Test::HasFailure(); count += every * step_after(count)) {
    const std::size_t before = test::allocations().live;
    test::fail_after(count);
    Result<void> done = work();
    failed = test::has_failed();
    EXPECT_TRUE(done.has_value() || failed) << "allocation " << count;  // a sort does without its buffer
    check(std::move(done));
    EXPECT_EQ(test::allocations().live, before) << "allocation " << count;
  }
  return count;
}

Result<void> outcome(auto&& result) {
  if (!result) return fail(std::move(result).error());
  return {};
}

std::function<void(Result<void>)> expect_words(std::string words) {
  return [words](const Result<void>& done) {
    if (done) return;
    EXPECT_EQ(done.error().message, words);
  };
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class OutOfMemory : public testing::Test {
 protected:
  OutOfMemory() {
    std::string name = (std::filesystem::temp_directory_path() / "throng-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~OutOfMemory() override { std::filesystem::remove_all(folder_); }

  // A short clip of a short bar, so that trying thousands of times is quick.
  static Model small_model() {
    ModelDraft draft = bar_draft();
    draft.meshes[0].indices.resize(3 * 32);
    draft.clips = {clip_of("bend", {turning(1, {0, 0, 1}, 3, 30.0, 0.0, [](double t) { return 5.0 * t; })})};
    return built(std::move(draft));
  }
  static Character small_character() {
    SerialExecutor executor;
    return bake(small_model(), {}, executor).value();
  }

  std::filesystem::path folder_;
};

TEST_F(OutOfMemory, InABakeIsAnErrorInWords) {
  const Model model = small_model();
  for (const unsigned threads : {1u, 2u}) {
    for (const BakeMode mode : {BakeMode::bones, BakeMode::vertices}) {
      ThreadExecutor executor(threads);
      BakeSettings settings{.mode = mode, .levels = 2};
      settings.max_error_mm = 50.0;  // no more rates are tried than it takes to try some
      ASSERT_EQ(bake(model, settings, executor).value().levels().size(), 1u) << "coarser levels are part of it";
      // One thread went through them all; with two every third is failed, in whatever order they come.
      EXPECT_GT(fail_each([&] { return outcome(bake(model, settings, executor)); }, expect_words("bar: out of memory"),
                          threads == 1 ? 1 : 3),
                500u);
    }
  }
}

TEST_F(OutOfMemory, InLoadingIsAnErrorInWords) {
  const std::filesystem::path path = folder_ / "bar.throng.glb";
  ASSERT_TRUE(write_character(small_character(), path));
  EXPECT_GT(fail_each([&] { return outcome(read_character(path)); }, expect_words(path.string() + ": out of memory")),
            100u);
}

TEST_F(OutOfMemory, InWritingLeavesTheFileThatWasThere) {
  const Character character = small_character();
  const std::filesystem::path path = folder_ / "bar.throng.glb";
  const auto check = [&](const Result<void>& done) {
    expect_words(path.string() + ": out of memory")(done);
    EXPECT_EQ(text_of(path) == "old", !done);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
    std::ofstream(path) << "old";
  };
  std::ofstream(path) << "old";
  EXPECT_GT(fail_each([&] { return write_character(character, path); }, check), 100u);
}

// Most functions of a crowd return nothing that could say so: there it is the exception it always was.
TEST_F(OutOfMemory, InACrowdReachesTheCaller) {
  const Character character = small_character();
  const auto live = [&] {
    Crowd crowd(character);
    for (int i = 0; i < 20; ++i) {
      const InstanceId id = crowd.add({}, 0).value();
      (void)crowd.queue(id, {.fade = 0.1}, 0);
      (void)crowd.listen(id);
      if (i % 3 == 0) (void)crowd.remove(id);
    }
    Crowd copy = crowd;
    copy.advance(2 * kTicksPerSecond);
  };
  const auto work = [&]() -> Result<void> {
    try {
      live();
    } catch (const std::bad_alloc&) {
      return fail(out_of_memory("crowd"));
    }
    return {};
  };
  EXPECT_GT(fail_each(work, [](const Result<void>&) {}), 50u);
}

}  // namespace
}  // namespace throng
