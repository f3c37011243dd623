// SPDX-License-Identifier: Apache-2.0
// Events drive sound cues: every footstep, take-off and landing of the characters near enough to be heard, once each,
// however long a step of the game is. Printed here; a game would hand them to its mixer.
//   events ASSET.throng.glb

#include <fmt/format.h>
#include <throng/base/try.h>
#include <throng/character/file.h>
#include <throng/playback/crowd.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

struct Cue {
  throng::Ticks when = 0;
  std::uint32_t character = 0;
  std::string sound;
  int volume = 0;  // per cent

  friend bool operator==(const Cue&, const Cue&) = default;
};

// Ten seconds of three characters, in steps of that length.
throng::Result<std::vector<Cue>> play_ten_seconds(const throng::Character& asset, double step) {
  throng::Crowd crowd(asset);
  throng::Clock clock;
  std::vector<throng::InstanceId> cast;
  for (const char* name : {"walk", "run", "jump"}) {
    THRONG_TRY(const throng::ClipId clip, asset.find_clip(name));
    THRONG_TRY(const throng::InstanceId added, crowd.add({.play = {.clip = clip}}, clock.now()));
    cast.push_back(added);
  }
  // The third is too far away to be heard: nobody listens, and it costs nothing.
  for (const throng::InstanceId id : {cast[0], cast[1]}) THRONG_CHECK(crowd.listen(id));
  // The runner slows down over a second, feet in step. While the two clips fade, each is heard by its weight.
  THRONG_TRY(const throng::ClipId walk, asset.find_clip("walk"));
  THRONG_CHECK(crowd.queue(cast[1], {.clip = walk, .fade = 1.0, .in_step = true}, clock.now()));

  std::vector<Cue> cues;
  const throng::Ticks end = throng::ticks_from_seconds(10.0);
  while (clock.now() < end) {
    clock.advance(step);
    crowd.advance(std::min(clock.now(), end), [&](const throng::FiredEvent& fired) {
      cues.push_back(
          {fired.when, fired.instance.slot, std::string(fired.name), static_cast<int>(100.0f * fired.weight + 0.5f)});
    });
  }
  return cues;
}

throng::Result<void> listen(const char* asset_file) {
  THRONG_TRY(const throng::Character asset, throng::read_character(asset_file));
  THRONG_TRY(const std::vector<Cue> cues, play_ten_seconds(asset, 1.0 / 60.0));
  for (const Cue& cue : cues)
    fmt::print("{:6.3f} s  character {}  {:<12} volume {:3} %\n", throng::seconds_from_ticks(cue.when), cue.character,
               cue.sound, cue.volume);

  // A game that stutters hears the same.
  for (const double step : {0.001, 0.37, 10.0}) {
    THRONG_TRY(const std::vector<Cue> again, play_ten_seconds(asset, step));
    if (again != cues) return throng::fail("steps of {} s gave other cues: {} of them", step, again.size());
  }
  fmt::print("{} cues, the same for every step\n", cues.size());
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: events ASSET.throng.glb\n");
    return 2;
  }
  if (const auto done = listen(argv[1]); !done) {
    fmt::print(stderr, "{}\n", done.error().message);
    return 1;
  }
}
