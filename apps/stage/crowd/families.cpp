// SPDX-License-Identifier: Apache-2.0
#include "crowd/families.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

using namespace throng;

namespace {

using Words = std::span<const std::string_view>;
using Clips = ClipFamilies::Clips;

// What a word of a name may begin with, by what its clip shows: in English, then German, French, Spanish, and Japanese
// and Chinese in Latin letters, as for loops (throng/clip_facts/clip_names.h).
constexpr auto kWalks = std::to_array<std::string_view>(
    {"walk", "march", "stroll", "gehen", "caminar", "andar", "aruk", "zoulu", "xingzou"});
constexpr auto kRuns = std::to_array<std::string_view>({"run", "jog", "trot", "gallop", "move", "swim", "fly", "crawl",
                                                        "rennen", "laufen", "courir", "correr", "hashir", "paobu"});
constexpr auto kStands =
    std::to_array<std::string_view>({"idle", "stand", "talk", "look", "survey", "wait", "breath", "rest", "stehen",
                                     "warten", "ruhe", "attente", "repos", "espera", "taiki", "daiji"});
constexpr auto kCheers =
    std::to_array<std::string_view>({"cheer", "clap", "wave", "waving", "victory", "yes", "thumbs"});
constexpr auto kDances = std::to_array<std::string_view>({"danc", "samba", "rumba", "salsa", "twist", "wiggle"});
constexpr auto kFights =
    std::to_array<std::string_view>({"guard", "attack", "fight", "strike", "slash", "chop", "stab", "punch", "block"});
// Words for what nobody does among friends.
constexpr auto kHurts = std::to_array<std::string_view>(
    {"death",  "die",     "dying",  "dead",    "hit",   "hurt",  "fall",   "attack", "impact",  "knock",
     "damage", "kick",    "shoot",  "reload",  "aim",   "throw", "spell",  "spawn",  "duck",    "crouch",
     "roll",   "dodge",   "block",  "strike",  "punch", "slash", "chop",   "stab",   "reset",   "static",
     "pose",   "tpose",   "lie",    "lying",   "sit",   "sleep", "swap",   "pick",   "use",     "interact",
     "tod",    "sterb",   "mort",   "mourir",  "muert", "morir", "shibou", "siwang", "angriff", "attaque",
     "ataque", "kougeki", "gongji", "treffer", "schlag"});
constexpr auto kElsewhere = std::to_array<std::string_view>(
    {"back", "strafe", "left", "right", "sneak", "crouch", "hurt", "jump", "start", "stop", "turn"});

constexpr auto kFalls = std::to_array<std::string_view>({"death", "hit", "react"});
constexpr auto kNotAtEase = std::to_array<std::string_view>(
    {"jump", "melee", "ranged", "gun",  "sword", "shoot", "swim", "chair",  "floor", "lie",
     "sit",  "sleep", "death",  "pose", "rest",  "hit",   "fall", "crouch", "eat",   "drink"});
constexpr auto kJumps = std::to_array<std::string_view>({"jump", "hop"});
constexpr auto kPhases = std::to_array<std::string_view>({"idle", "land", "start", "stop", "gallop", "run"});

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool begins = std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0;
    if ((std::isalpha(c) == 0 || begins) && !words.back().empty()) words.emplace_back();
    if (std::isalpha(c) != 0) words.back() += static_cast<char>(std::tolower(c));
  }
  return words;
}

template <class Test>
Clips clips_that(const Character& model, const Test& test) {
  Clips clips;
  for (std::uint32_t i = 0; i < model.clips().size(); ++i)
    if (test(model.clips()[i])) clips.push_back(ClipId(i));
  return clips;
}

// Prefers clips that loop, where there are any: who plays another one stands still at its end.
Clips rather_loops(const Character& model, Clips clips) {
  Clips loops;
  std::ranges::copy_if(clips, std::back_inserter(loops), [&](ClipId id) { return model.clips()[id.value].loops; });
  return loops.empty() ? clips : loops;
}

Clips named(const Character& model, Words words, Words but_not) {
  return rather_loops(model, clips_that(model, [&](const BakedClip& clip) {
                        return names_any(clip.name, words) && !names_any(clip.name, but_not);
                      }));
}

// The clips but those of falling down and being hurt, unless there are no others.
Clips peaceful(const Character& model) {
  Clips clips = clips_that(model, [](const BakedClip& clip) { return !names_any(clip.name, kHurts); });
  if (clips.empty()) clips = clips_that(model, [](const BakedClip&) { return true; });
  return rather_loops(model, std::move(clips));
}

ClipId any_of(const Clips& clips, Scatter& scatter) { return clips[scatter.below(clips.size())]; }

}  // namespace

bool names_any(std::string_view name, std::span<const std::string_view> words) {
  constexpr std::size_t kTelling = 4;  // letters
  const std::vector<std::string> own = words_of(name);
  std::string together;
  for (const std::string& word : own) together += word;
  return std::ranges::any_of(words, [&](std::string_view word) {
    if (word.size() >= kTelling && together.find(word) != std::string::npos) return true;
    return std::ranges::any_of(own, [&](const std::string& one) { return one.starts_with(word); });
  });
}

bool names_a_walk(std::string_view name) {
  return (names_any(name, kWalks) || names_any(name, kRuns)) && !names_any(name, kElsewhere);
}

ClipFamilies::ClipFamilies(const Character& model)
    : walking_(named(model, kWalks, kElsewhere)),
      cheering_(named(model, kCheers, kHurts)),
      standing_(named(model, kStands, kHurts)),
      dancing_(named(model, kDances, kHurts)),
      fighting_(named(model, kFights, kFalls)) {
  // Of a hold of arms, of a jump: one who stands with nothing in its hands looks most at ease.
  const Clips plain = named(model, kStands, kNotAtEase);
  if (!plain.empty()) standing_ = plain;
  if (walking_.empty()) walking_ = named(model, kRuns, kElsewhere);
  const Clips others = peaceful(model);
  calm_ = !standing_.empty() ? standing_.front() : !walking_.empty() ? walking_.front() : others.front();
  if (cheering_.empty()) cheering_ = standing_;
  if (dancing_.empty()) dancing_ = named(model, kJumps, kPhases);
  for (Clips* family : {&walking_, &cheering_, &standing_, &dancing_})
    if (family->empty()) *family = others;
  if (fighting_.empty()) fighting_ = dancing_;
}

ClipId ClipFamilies::clip_for(Part part, std::uint32_t company, Scatter& scatter) const {
  switch (part) {
    case Part::procession:
      return any_of(walking_, scatter);
    case Part::watcher:
      return any_of(scatter.chance(0.6) ? cheering_ : standing_, scatter);
    case Part::dancer:
      return any_of(company % 4 == 0 ? fighting_ : dancing_, scatter);
    case Part::posing:
      if (scatter.chance(0.45)) return any_of(standing_, scatter);
      return any_of(scatter.chance(0.6) ? cheering_ : dancing_, scatter);
    case Part::group:
      break;
  }
  // Some groups dance where they stand; in the others somebody waves now and then.
  if (company % 7 == 0) return any_of(dancing_, scatter);
  return any_of(scatter.chance(0.82) ? standing_ : cheering_, scatter);
}
