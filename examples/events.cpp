// SPDX-License-Identifier: Apache-2.0
// Events drive sound cues: every footstep, take-off and landing of the characters near enough to be heard, once each,
// however long a step of the game is. Printed here; a game would hand them to its mixer.
//   events ASSET.throng.glb

#include <fmt/format.h>
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
    auto clip = asset.find_clip(name);
    if (!clip) return fail(std::move(clip));
    auto added = crowd.add({.play = {.clip = *clip}}, clock.now());
    if (!added) return fail(std::move(added));
    cast.push_back(*added);
  }
  // The third is too far away to be heard: nobody listens, and it costs nothing.
  for (const throng::InstanceId id : {cast[0], cast[1]})
    if (auto heard = crowd.listen(id); !heard) return fail(std::move(heard));
  // The runner slows down over a second, feet in step. While the two clips fade, each is heard by its weight.
  if (auto queued = crowd.queue(cast[1], {.clip = *asset.find_clip("walk"), .fade = 1.0, .in_step = true}, clock.now());
      !queued)
    return fail(std::move(queued));

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

int say(const throng::Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: events ASSET.throng.glb\n");
    return 2;
  }
  const auto asset = throng::read_character(argv[1]);
  if (!asset) return say(asset.error());
  const auto cues = play_ten_seconds(*asset, 1.0 / 60.0);
  if (!cues) return say(cues.error());
  for (const Cue& cue : *cues)
    fmt::print("{:6.3f} s  character {}  {:<12} volume {:3} %\n", throng::seconds_from_ticks(cue.when), cue.character,
               cue.sound, cue.volume);

  // A game that stutters hears the same.
  for (const double step : {0.001, 0.37, 10.0}) {
    const auto again = play_ten_seconds(*asset, step);
    if (!again) return say(again.error());
    if (*again != *cues) return say({fmt::format("steps of {} s gave other cues: {} of them", step, again->size())});
  }
  fmt::print("{} cues, the same for every step\n", cues->size());
}
