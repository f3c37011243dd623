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

// Of what is as small as can be, which allocations are failed: all of them.
constexpr std::size_t each_of_all(std::size_t) { return kStep; }
// Of what is larger: after the first thousand every 29th. What comes then is loops, whose rounds fail alike.
constexpr std::size_t each_at_first(std::size_t count) { return count < 1000 ? kStep : 29 * kStep; }
// Of what two threads do, in whatever order they come.
constexpr std::size_t each_third(std::size_t count) { return 3 * each_at_first(count); }

// Runs `work` with its first allocation failing, then with the one step(number) later, and so on until it needs no
// more; what it took it must have given back each time. `check` is told how it went. About the number of allocations.
std::size_t fail_each(const std::function<Result<void>()>& work, const std::function<void(Result<void>)>& check,
                      std::size_t (*step)(std::size_t) = each_at_first) {
  check(work());  // what is made once and kept is made now
  std::size_t count = 0;
  for (bool failed = true; failed && !testing::Test::HasFailure(); count += step(count)) {
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
  // A prism of twelve triangles that turns once: as little as a bake with a level of detail can be of.
  static Model tiny_model() {
    ModelDraft draft = bar_draft();
    draft.meshes[0].indices.resize(3 * 12);
    draft.clips = {clip_of("bend", {turning(1, {0, 0, 1}, 2, 30.0, 0.0, [](double t) { return 5.0 * t; })})};
    return built(std::move(draft));
  }
  static BakeSettings tiny_settings() {
    BakeSettings settings{.levels = 2};
    settings.max_error_mm = 50.0;
    return settings;
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
      EXPECT_GT(fail_each([&] { return outcome(bake(model, settings, executor)); }, expect_words("bar: out of memory"),
                          threads == 1 ? each_at_first : each_third),
                500u);
    }
  }
}

// Not one is left out: of a bake with 1 and 2 threads, its file read and written, and a crowd of it.
TEST_F(OutOfMemory, AtAnyAllocationOfABakeIsAnErrorInWords) {
  const Model model = tiny_model();
  for (const unsigned threads : {1u, 2u}) {
    ThreadExecutor executor(threads);
    const auto work = [&] { return outcome(bake(model, tiny_settings(), executor)); };
    const std::size_t all = fail_each(work, expect_words("bar: out of memory"), each_of_all);
    EXPECT_GT(all, 500u);
    RecordProperty(fmt::format("allocations with {} threads", threads), static_cast<int>(all));
  }
}

TEST_F(OutOfMemory, AtAnyAllocationOfReadingIsAnErrorInWords) {
  SerialExecutor executor;
  const Character character = bake(tiny_model(), tiny_settings(), executor).value();
  const std::filesystem::path path = folder_ / "bar.throng.glb";
  const auto words = expect_words(path.string() + ": out of memory");
  ASSERT_TRUE(write_character(character, path));
  EXPECT_GT(fail_each([&] { return outcome(read_character(path)); }, words, each_of_all), 100u);
}

TEST_F(OutOfMemory, InLoadingIsAnErrorInWords) {
  const std::filesystem::path path = folder_ / "bar.throng.glb";
  ASSERT_TRUE(write_character(small_character(), path));
  EXPECT_GT(fail_each([&] { return outcome(read_character(path)); }, expect_words(path.string() + ": out of memory")),
            100u);
}

TEST_F(OutOfMemory, InWritingLeavesTheFileThatWasThere) {
  SerialExecutor executor;
  const Character character = bake(tiny_model(), tiny_settings(), executor).value();
  const std::filesystem::path path = folder_ / "bar.throng.glb";
  const auto check = [&](const Result<void>& done) {
    expect_words(path.string() + ": out of memory")(done);
    EXPECT_EQ(text_of(path) == "old", !done);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
    std::ofstream(path) << "old";
  };
  std::ofstream(path) << "old";
  EXPECT_GT(fail_each([&] { return write_character(character, path); }, check, each_of_all), 100u);
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
  EXPECT_GT(fail_each(
                work, [](const Result<void>&) {}, each_of_all),
            50u);
}

}  // namespace
}  // namespace throng
