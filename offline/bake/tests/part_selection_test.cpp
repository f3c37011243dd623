// SPDX-License-Identifier: Apache-2.0
// Which parts a bake takes.
#include <algorithm>

#include "plans.h"
#include "throng/model/parts.h"

namespace throng {
namespace {

// A bar that sways, and what hangs on the bone it ends in.
Model with_things(const std::vector<std::string>& names, const std::string& bone = "hand_l") {
  ModelDraft draft = swaying_bar();
  draft.meshes[0].part = "Body";
  draft.bones.back().name = bone;
  const auto held = static_cast<std::uint32_t>(draft.bones.size() - 1);
  std::uint16_t binding = 0;
  while (draft.bindings[binding].bone != held) ++binding;
  for (const std::string& name : names) {
    Mesh thing;
    thing.name = thing.part = name;
    thing.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    Influences influences;
    influences.bindings[0] = binding;
    thing.influences.assign(3, influences);
    thing.indices = {0, 1, 2};
    draft.meshes.push_back(thing);
  }
  return built(draft);
}

Result<Character> baked_with(const Model& model, const BakeSettings& settings) {
  SerialExecutor executor;
  return bake(model, settings, executor);
}

std::vector<std::string> near_names(const Character& character) {
  std::vector<std::string> names;
  for (const NearPart& part : character.near_mesh()->parts()) names.push_back(part.name);
  return names;
}

bool told(const Character& character, std::string_view note) {
  return std::ranges::find(character.notes(), note) != character.notes().end();
}

TEST(PartSelection, TakesThoseThatAreNamedAndNotLeftOut) {
  const Model model = with_things({"Round_Shield", "Spike_Shield", "Sword"});
  const std::size_t body = parts_of(model)[0].triangles;
  const auto triangles = [&](const BakeSettings& settings) {
    const Character character = baked_with(model, settings).value();
    std::size_t indices = 0;
    for (const BakedPart& part : character.parts()) indices += part.index_count;
    return indices / 3;
  };
  EXPECT_EQ(triangles({.levels = 1}), body + 3);
  EXPECT_EQ(triangles({.only = {"Body"}, .levels = 1}), body);
  EXPECT_EQ(triangles({.without = {"*_Shield"}, .levels = 1}), body + 1);
  EXPECT_EQ(triangles({.only = {"Body", "*Shield"}, .without = {"Spike*"}, .levels = 1}), body + 1);
  EXPECT_EQ(near_names(baked_with(model, {.only = {"Body", "*Shield"}, .without = {"Spike*"}}).value()).back(),
            "Round_Shield")
      << "near characters have the same parts, by their names";
}

TEST(PartSelection, TellsWhatItLeftOut) {
  const Character character = baked_with(with_things({"Shield", "Sword"}), {.without = {"S*"}}).value();
  EXPECT_TRUE(told(character, "2 of 3 parts left out: 'Shield', 'Sword'"));
}

TEST(PartSelection, RefusesPatternsThatMeanNothingAndChoicesThatLeaveNothing) {
  const Model model = with_things({"Shield"});
  EXPECT_EQ(baked_with(model, {.only = {"Sheild"}}).error().message,
            "model 'bar': no part is named 'Sheild' or matches it; there are: 'Body', 'Shield'");
  EXPECT_EQ(baked_with(model, {.without = {"*"}}).error().message,
            "model 'bar': `only` and `without` leave none of its 2 parts: 'Body', 'Shield'");
}

TEST(PartSelection, TellsOfHandsThatHoldSeveralThings) {
  const std::string note =
      "2 parts hang on 'hand_l' at once: 'Shield', 'Sword'; `only` and `without` choose among them";
  EXPECT_TRUE(told(baked_with(with_things({"Shield", "Sword"}), {}).value(), note));
  EXPECT_FALSE(told(baked_with(with_things({"Shield", "Sword"}), {.without = {"Sword"}}).value(), note));
  const Character hatted = baked_with(with_things({"Hat", "Hair"}, "head"), {}).value();
  for (const std::string& about : hatted.notes()) EXPECT_EQ(about.find("hang on"), std::string::npos) << "no hand";
}

}  // namespace
}  // namespace throng
