// SPDX-License-Identifier: Apache-2.0
#include "crowd/families.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

using namespace throng;

namespace {

using Words = std::initializer_list<std::string_view>;

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::vector<ClipId> named(const Character& model, Words words) {
  std::vector<ClipId> clips;
  for (std::uint32_t i = 0; i < model.clips().size(); ++i) {
    const std::string name = lower(model.clips()[i].name);
    if (std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string::npos; }))
      clips.push_back(ClipId(i));
  }
  return clips;
}

// All but those who fall down or are hurt, unless there are no others.
std::vector<ClipId> peaceful(const Character& model) {
  const auto hurt = named(model, {"death", "die", "dead", "hit", "hurt", "fall", "attack"});
  std::vector<ClipId> clips;
  for (std::uint32_t i = 0; i < model.clips().size(); ++i)
    if (model.clips().size() == hurt.size() || std::ranges::find(hurt, ClipId(i)) == hurt.end())
      clips.push_back(ClipId(i));
  return clips;
}

ClipId any_of(const std::vector<ClipId>& clips, Scatter& scatter) { return clips[scatter.below(clips.size())]; }

}  // namespace

ClipFamilies::ClipFamilies(const Character& model)
    : walking_(named(model, {"walk", "march"})),
      cheering_(named(model, {"cheer", "clap", "wave", "jump"})),
      standing_(named(model, {"idle", "stand", "talk", "look", "survey"})),
      dancing_(named(model, {"danc"})),
      fighting_(named(model, {"guard", "attack", "fight"})) {
  if (walking_.empty()) walking_ = named(model, {"run", "jog", "move"});
  const Clips others = peaceful(model);
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
    case Part::group:
      break;
  }
  // Some groups dance where they stand; in the others somebody waves now and then.
  if (company % 7 == 0) return any_of(dancing_, scatter);
  return any_of(scatter.chance(0.82) ? standing_ : cheering_, scatter);
}
