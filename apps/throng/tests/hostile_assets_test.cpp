// SPDX-License-Identifier: Apache-2.0
// Whatever the reader lets through, every command can be run on: assets are checked when they are read, not where they
// are used.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "command.h"
#include "crowd/staging.h"
#include "hostile_sweep.h"
#include "render/baked.h"
#include "throng/base/file.h"

namespace throng {
namespace {

// What is printed in its life goes nowhere.
class Silence {
 public:
  Silence() {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (const int stream : kStreams) ::dup2(nowhere, stream);
    ::close(nowhere);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    std::fflush(nullptr);
    for (std::size_t i = 0; i < kStreams.size(); ++i) {
      ::dup2(before_[i], kStreams[i]);
      ::close(before_[i]);
    }
  }

 private:
  static constexpr std::array<int, 2> kStreams{STDOUT_FILENO, STDERR_FILENO};
  std::array<int, 2> before_{::dup(STDOUT_FILENO), ::dup(STDERR_FILENO)};
};

using AddCommand = void (*)(CLI::App&, Action&);

// One command line, as main() runs it, but for the commands that it does not name.
std::string error_of(AddCommand add_command, std::vector<std::string> words) {
  CLI::App app;
  Action action;
  add_command(app, action);
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  app.parse(words);
  const Silence silence;
  const auto done = action();
  return done ? "" : done.error().message;
}

class HostileAssets : public testing::TestWithParam<std::size_t> {
 protected:
  // Writes what the reader takes and runs `commands` on it.
  void run_on(std::vector<std::byte> file, const std::function<void()>& commands, std::size_t every = 1) {
    if (!decode_character(SharedBytes(file)) || read_++ % every != 0) return;
    // Not with write_file(), which waits for the disk.
    std::ofstream(asset_, std::ios::binary).write(reinterpret_cast<const char*>(file.data()), std::ssize(file));
    commands();
  }

  static void expect_done(AddCommand add_command, const std::vector<std::string>& words) {
    EXPECT_EQ(error_of(add_command, words), "") << fmt::format("{}", fmt::join(words, " "));
  }

  // Every command; render up to where it needs a device.
  void look_at() {
    expect_done(add_inspect_command, {"inspect", asset_});
    expect_done(add_inspect_command, {"inspect", asset_, "--json"});
    expect_done(add_pose_command, {"pose", asset_});
    expect_done(add_pose_command, {"pose", asset_, "--clip-index", "0", "--time", "0.1", "--json"});
    EXPECT_NE(error_of(add_bake_command, {"bake", asset_, "-o", folder_ / "again.throng.glb"}), "");
    (void)error_of(add_graph_command, {"graph", graph_, "--model", asset_});  // its clips may have lost their names
    stage_a_crowd();
  }

  // Laying out many takes its time: some of the assets stand for all.
  void stage_a_crowd() {
    constexpr std::size_t kStaged = 53;
    auto character = load_baked(asset_);
    ASSERT_TRUE(character) << character.error().message;
    std::vector<Character> characters;
    characters.push_back(*std::move(character));
    const Troupe troupe = make_troupe(std::move(characters));
    if (looked_at_++ % kStaged != 0) return;
    auto staged = stage_crowd(troupe, {.count = 3}, View{}, 1.5);
    EXPECT_TRUE(staged || !staged.error().message.empty());
    if (staged) staged->crowd.advance(kTicksPerSecond);
  }

  HostileAssets() { original_.extension()["notes"] = nlohmann::ordered_json::array(); }  // which would be printed

  Halves original_ = taken_apart(file_of(small_models()[GetParam()]));
  TemporaryFolder folder_;
  std::string asset_ = folder_ / "hostile.throng.glb";
  std::string graph_ = folder_ / "graph.json";
  std::size_t read_ = 0;
  std::size_t looked_at_ = 0;
};

TEST_P(HostileAssets, WithAnyFieldChangedGoThroughEveryCommand) {
  ASSERT_TRUE(write_file(graph_, R"({"layers": [{"name": "all", "states": [{"name": "go", "clip": "walk"}]}]})"));
  sweep_fields(original_, [this](std::vector<std::byte> file) { run_on(std::move(file), [this] { look_at(); }); });
  EXPECT_GT(read_, 100u);
}

// That each byte may be wrong is shown where files are read (character/tests); here a part goes through every command.
TEST_P(HostileAssets, WithBytesChangedGoThroughEveryCommand) {
  constexpr std::size_t kEvery = 3;  // and so each byte of a word
  sweep_bytes(
      original_, [this](std::vector<std::byte> file) { run_on(std::move(file), [this] { look_at(); }); }, kEvery);
  EXPECT_GT(read_, 80u);
}

// Drawing takes its time: some of them stand for all.
TEST_P(HostileAssets, AreDrawnOrRefusedInWords) {
  constexpr std::size_t kTried = 5, kDrawn = 61;  // primes, so that they walk through the kinds of change
  const auto draw = [this] {
    (void)error_of(add_render_command,
                   {"render", asset_, "-o", folder_ / "picture.png", "--size", "16x16", "--count", "2"});
  };
  sweep_fields(
      original_, [&](std::vector<std::byte> file) { run_on(std::move(file), draw, kDrawn); }, kTried);
}

INSTANTIATE_TEST_SUITE_P(EveryModel, HostileAssets, testing::Range(std::size_t{0}, small_models().size()));

}  // namespace
}  // namespace throng
