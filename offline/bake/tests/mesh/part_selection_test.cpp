// SPDX-License-Identifier: Apache-2.0
// Which parts a bake takes.
#include <algorithm>
#include <map>

#include "mesh_models.h"
#include "plans.h"
#include "shared_models.h"
#include "throng/character/decode.h"
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
    thing.influences.assign(3, bound_to(binding));
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
  for (const NearPiece& piece : character.near_mesh()->pieces()) names.push_back(piece.name);
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
    for (const BakedDraw& draw : character.draws()) indices += draw.index_count;
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
            "model 'bar': no part is named 'Sheild' or matches it; did you mean 'Shield'?");
  EXPECT_EQ(baked_with(model, {.without = {"*"}}).error().message,
            "model 'bar': `only` and `without` leave none of its parts: 'Body', 'Shield'");
}

TEST(PartSelection, TellsOfHandsThatHoldSeveralThings) {
  const std::string note = "a character wears one of 'hand_l', or none: 'Shield'; only where asked for: 'Sword'";
  EXPECT_TRUE(told(baked_with(with_things({"Shield", "Sword"}), {}).value(), note));
  EXPECT_FALSE(told(baked_with(with_things({"Shield", "Sword"}), {.without = {"Sword"}}).value(), note));
  const Character hatted = baked_with(with_things({"Hat", "Hair"}, "head"), {}).value();
  for (const std::string& about : hatted.notes()) EXPECT_EQ(about.find("wears one"), std::string::npos) << "no hand";
}

std::vector<std::string> names_in(const Character& character, const PartGroup& group) {
  std::vector<std::string> names;
  for (const PartId part : group.parts) names.push_back(character.parts()[part.value].name);
  return names;
}

TEST(NamedParts, AreThoseOfTheModelAndEveryVertexIsOfOne) {
  const Character character = baked_with(with_things({"Shield", "Sword"}), {}).value();
  ASSERT_EQ(character.parts().size(), 3u);
  EXPECT_EQ(character.find_part("Sword").value(), PartId(2));
  for (std::uint8_t part = 0; part < 3; ++part) EXPECT_GE(std::ranges::count(character.vertex_parts(), part), 3);
  for (const NearPiece& piece : character.near_mesh()->pieces())
    EXPECT_EQ(character.parts()[piece.part].name,
              piece.name == "Shield" || piece.name == "Sword" ? piece.name : "Body");
  EXPECT_TRUE(baked_with(with_things({}), {}).value().parts().empty()) << "there is nothing to take off";
}

TEST(NamedParts, AreGroupedByTheHandThatHoldsThem) {
  const Character shields = baked_with(with_things({"Round_Shield", "Spike_Shield", "1H_Sword_Offhand"}), {}).value();
  ASSERT_EQ(shields.part_groups().size(), 1u);
  EXPECT_EQ(shields.part_groups()[0].name, "hand_l");
  EXPECT_TRUE(shields.part_groups()[0].optional) << "a hand that has a shield may be empty";
  EXPECT_EQ(names_in(shields, shields.part_groups()[0]),
            (std::vector<std::string>{"Round_Shield", "Spike_Shield", "1H_Sword_Offhand"}));
  const Character swords = baked_with(with_things({"1H_Sword", "2H_Sword"}, "handslot.r"), {}).value();
  ASSERT_EQ(swords.part_groups().size(), 1u);
  EXPECT_FALSE(swords.part_groups()[0].optional);
}

// How many of each that a seed dresses in so much, by name.
std::map<std::string, int> worn_of(const Character& character, int seeds) {
  std::map<std::string, int> worn;
  for (int seed = 0; seed < seeds; ++seed) {
    const PartMask mask = dressed_parts(character.part_groups(), static_cast<std::uint64_t>(seed));
    for (std::uint32_t i = 0; i < character.parts().size(); ++i) worn[character.parts()[i].name] += mask.has(PartId(i));
  }
  return worn;
}

TEST(NamedParts, InAHandWithShieldsAreShieldsOrNoneUnlessAskedFor) {
  const Model model = with_things({"1H_Sword_Offhand", "Round_Shield", "Spike_Shield", "Torch"});
  const Character character = baked_with(model, {.levels = 1}).value();
  ASSERT_EQ(character.part_groups().size(), 1u);
  EXPECT_EQ(character.part_groups()[0].only_asked, 2u);
  std::map<std::string, int> worn = worn_of(character, 1152);
  EXPECT_EQ(worn["1H_Sword_Offhand"], 0);
  EXPECT_EQ(worn["Torch"], 0);
  for (const char* shield : {"Round_Shield", "Spike_Shield"}) EXPECT_NEAR(worn[shield], 384, 60) << shield;
}

// Whoever names a group speaks for the whole hand: what was guessed to be in it besides would fill it twice, and is
// worn where it is asked for.
TEST(NamedParts, OfWhichAGroupIsNamedFollowItAloneHoweverTheyWereGuessed) {
  const Model model = with_things({"1H_Sword_Offhand", "Round_Shield", "Spike_Shield", "Torch"});
  using Names = std::vector<std::string>;
  struct Case {
    std::vector<std::string> groups, side_groups;
    Names parts;  // of the one group there is
    std::uint32_t only_asked;
  };
  const Names all{"Round_Shield", "Spike_Shield", "Torch", "1H_Sword_Offhand"};
  const Names round_first{"Round_Shield", "Spike_Shield", "1H_Sword_Offhand", "Torch"};
  const Names torch_first{"Torch", "Round_Shield", "Spike_Shield", "1H_Sword_Offhand"};
  const Case cases[] = {
      {{}, {}, round_first, 2},
      {{"left?=*Shield|Torch"}, {}, all, 1},
      {{}, {"left?=*Shield|Torch"}, all, 1},
      {{"cover?=*Shield"}, {}, round_first, 2},
      {{}, {"light?=Torch"}, torch_first, 3},
      {{"light?=Torch"}, {"cover?=*Shield"}, {}, 0},                // which share nothing: both hold
      {{"light?=Torch"}, {"left?=*Shield|Torch"}, torch_first, 3},  // one part
      {{"light?=Torch"}, {"light?=*Shield"}, torch_first, 3},       // the name
      {{"hand_l?=Torch"}, {}, torch_first, 3},                      // a guess's name
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(fmt::format("{} over {}", fmt::join(one.groups, " "), fmt::join(one.side_groups, " ")));
    BakeSettings settings{.groups = one.groups, .levels = 1};
    settings.side_groups = one.side_groups;
    const Character character = baked_with(model, settings).value();
    const std::vector<PartGroup>& groups = character.part_groups();
    if (one.parts.empty()) {
      ASSERT_EQ(groups.size(), 2u);
      EXPECT_EQ(names_in(character, groups[0]), (Names{"Torch", "1H_Sword_Offhand"}));
      EXPECT_EQ(groups[0].only_asked, 1u) << "the guess gives way to the first of them";
      EXPECT_EQ(names_in(character, groups[1]), (Names{"Round_Shield", "Spike_Shield"}));
      continue;
    }
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(names_in(character, groups[0]), one.parts);
    EXPECT_EQ(groups[0].only_asked, one.only_asked);
    std::map<std::string, int> worn = worn_of(character, 1152);
    for (std::size_t i = 0; i < one.parts.size(); ++i) {
      const bool chosen = i + one.only_asked < one.parts.size();
      EXPECT_EQ(worn[one.parts[i]] > 0, chosen) << one.parts[i];
    }
    const bool told = std::ranges::any_of(
        character.notes(), [](const std::string& note) { return note.find("gives way to") != std::string::npos; });
    EXPECT_EQ(told, !one.groups.empty() && !one.side_groups.empty());
  }
  BakeSettings twice{.levels = 1};
  twice.side_groups = {"a=Torch", "b=T*"};
  EXPECT_EQ(baked_with(model, twice).error().message,
            "model 'bar': groups of the side file: part 'Torch' is in two groups");
}

// One weapon, one shield or none, one helmet: whatever the seed.
TEST(NamedParts, OfTheKnightAreOneWeaponAtMostOneShieldAndOneHelmet) {
  const auto imported = load("kaykit/Knight.glb");
  if (!imported) GTEST_SKIP() << "no shared/ folder";
  const Character character = baked_with(imported->model, {.clips = {"Idle"}, .levels = 1}).value();
  const auto count = [&](const PartMask& mask, const std::vector<std::string>& words) {
    int worn = 0;
    for (std::uint32_t i = 0; i < character.parts().size(); ++i)
      worn += mask.has(PartId(i)) && std::ranges::any_of(words, [&](const std::string& word) {
                return character.parts()[i].name.find(word) != std::string::npos;
              });
    return worn;
  };
  for (std::uint64_t seed = 0; seed < 1152; ++seed) {
    const PartMask mask = dressed_parts(character.part_groups(), seed);
    ASSERT_EQ(count(mask, {"Sword", "Axe"}), 1) << seed;
    ASSERT_LE(count(mask, {"Shield"}), 1) << seed;
    ASSERT_EQ(count(mask, {"Helmet"}), 1) << seed;
  }
}

TEST(NamedParts, AreGroupedByTheirKindElsewhere) {
  const Character hats = baked_with(with_things({"Knight_Helmet", "KnightHelm2", "Eyes", "Hat"}, "head"), {}).value();
  ASSERT_EQ(hats.part_groups().size(), 1u) << "one hat is no choice";
  EXPECT_EQ(names_in(hats, hats.part_groups()[0]), (std::vector<std::string>{"Knight_Helmet", "KnightHelm2"}));
  EXPECT_TRUE(hats.part_groups()[0].optional) << "a head may be bare";
}

TEST(NamedParts, AreWornTogetherWhereTheyAreOfTheHandOrPiecesOfOneThing) {
  const Character robot = baked_with(with_things({"Hand.L", "Thumb_L", "Finger1", "Finger2"}), {}).value();
  EXPECT_TRUE(robot.part_groups().empty());
  const Character armed = baked_with(with_things({"Glove", "HandAxe", "Off_Hand", "Sword_2"}), {}).value();
  ASSERT_EQ(armed.part_groups().size(), 1u);
  EXPECT_EQ(names_in(armed, armed.part_groups()[0]), (std::vector<std::string>{"HandAxe", "Off_Hand", "Sword_2"}));
  EXPECT_TRUE(baked_with(with_things({"Hair_Front", "Hair_Back"}, "head"), {}).value().part_groups().empty());
  EXPECT_EQ(baked_with(with_things({"Hair_1", "Hair_2"}, "head"), {}).value().part_groups().size(), 1u);
}

// The body is the first of them.
TEST(NamedParts, AreGroupedUpToTheLastNumber) {
  std::vector<std::string> names;
  for (int i = 0; i < 61; ++i) names.push_back(fmt::format("Hand {}", i));
  names.insert(names.end(), {"Axe", "Sword"});
  const Character character = baked_with(with_things(names), {.levels = 1}).value();
  ASSERT_EQ(character.parts().size(), kMostParts);
  ASSERT_EQ(character.part_groups().size(), 1u);
  EXPECT_EQ(names_in(character, character.part_groups()[0]), (std::vector<std::string>{"Axe", "Sword"}));
}

// Two spheres in one place, of one material: what lies together is not one, and no triangle is of both.
TEST(NamedParts, ShareNoVertexWhereTheyLieTogether) {
  std::vector<Mesh> halves = two_coloured_sphere(32, 32);
  for (Mesh& half : halves) half.material = 0;
  halves[0].part = "north", halves[1].part = "south";
  Mesh twin = halves[1];
  twin.part = "twin";
  halves.push_back(twin);
  const Model model = built(still_draft(halves));
  for (const BakeMode mode : {BakeMode::bones, BakeMode::vertices}) {
    const auto character = baked_with(model, {.mode = mode, .merge_vertices = mode == BakeMode::vertices});
    ASSERT_TRUE(character) << character.error().message;
    ASSERT_GE(character->levels().size(), 1u);
    std::array<std::size_t, 3> corners{};
    for (const BakedDraw& draw : character->draws())
      for (const std::uint32_t index : character->indices().subspan(draw.first_index, draw.index_count))
        ++corners[character->vertex_parts()[index]];
    for (std::size_t part = 0; part < 3; ++part) EXPECT_EQ(corners[part], model.meshes()[part].indices.size()) << part;
  }
}

TEST(NamedParts, AreGroupedAsIsAskedFor) {
  const Model model = with_things({"Round_Shield", "Spike_Shield", "Sword", "Axe"});
  const Character character = baked_with(model, {.groups = {"arms=Axe|Sword|A*", "cover?=*Shield"}}).value();
  ASSERT_EQ(character.part_groups().size(), 2u);
  EXPECT_EQ(character.part_groups()[0].name, "arms");
  EXPECT_FALSE(character.part_groups()[0].optional);
  EXPECT_EQ(names_in(character, character.part_groups()[0]), (std::vector<std::string>{"Axe", "Sword"}))
      << "the first of the patterns is worn as usual";
  EXPECT_TRUE(character.part_groups()[1].optional);
  EXPECT_EQ(character.part_groups()[1].parts.size(), 2u);
  EXPECT_EQ(baked_with(model, {.groups = {"arms=Sword", "more=S*"}}).error().message,
            "model 'bar': part 'Sword' is in two groups");
  EXPECT_EQ(baked_with(model, {.side_groups = {"arms=Sword", "more=S*"}}).error().message,
            "model 'bar': groups of the side file: part 'Sword' is in two groups");
  EXPECT_EQ(baked_with(model, {.groups = {"Sword"}}).error().message,
            "model 'bar': a group is NAME=PATTERN|PATTERN, or NAME?=… where none may be worn, not 'Sword'");
  EXPECT_EQ(baked_with(model, {.groups = {"arms=Sowrd"}}).error().message,
            "model 'bar': no part is named 'Sowrd' or matches it; did you mean 'Sword'?");
}

// A sword on a node of its own below the hand, whose tip is one below that.
TEST(NamedParts, AreToldOfTheSocketsThatAreOnThem) {
  ModelDraft draft = with_things({"Sword"}, "hand").draft();
  const auto hand = static_cast<std::uint32_t>(draft.bones.size() - 1);
  draft.bones.push_back({"Sword", hand, {}});
  draft.bones.push_back({"Sword_Tip", hand + 1, {}});
  draft.bindings.push_back({hand + 1, glm::dmat4(1.0)});
  for (Influences& influences : draft.meshes.back().influences)
    influences.bindings[0] = static_cast<std::uint16_t>(draft.bindings.size() - 1);
  const Model model = built(draft);
  for (const BakeMode mode : {BakeMode::bones, BakeMode::vertices}) {
    const Character character = baked_with(model, {.mode = mode, .sockets = "hand|Sword.*", .levels = 1}).value();
    const auto part_of = [&](std::string_view name) {
      return character.sockets()[character.find_socket(name).value().value].part;
    };
    EXPECT_EQ(part_of("hand"), std::nullopt);
    EXPECT_EQ(part_of("Sword"), character.find_part("Sword").value());
    EXPECT_EQ(part_of("Sword_Tip"), character.find_part("Sword").value());
  }
  // Where there is one part, nothing can be taken off.
  const Character alone = baked_with(model, {.sockets = "Sword.*", .only = {"Sword"}, .levels = 1}).value();
  EXPECT_EQ(alone.sockets().at(0).part, std::nullopt);
}

TEST(NamedParts, PastTheLastNumberAreOne) {
  std::vector<std::string> names;
  for (int i = 0; i < 80; ++i) names.push_back(fmt::format("thing {}", i));
  const Character character = baked_with(with_things(names), {.levels = 1}).value();
  ASSERT_EQ(character.parts().size(), kMostParts);
  EXPECT_EQ(character.parts()[63].name, "others");
  EXPECT_EQ(std::ranges::count(character.vertex_parts(), 63), 3 * (1 + 80 - 63));
}

// In bone and in vertex mode, in smooth motion and where limbs swing far from one frame to the next; and far from where
// it never is.
TEST(NamedParts, StayInTheirBounds) {
  ModelDraft draft = with_things({"Shield", "Sword"}).draft();
  const auto swing = [](double t) { return 8.0 * t; };
  draft.clips.push_back(clip_of("swing", {turning(1, {0, 0, 1}, 4, 4.0, 0.0, swing)}));
  const Model model = built(draft);
  for (const auto& [mode, fps] :
       {std::pair{BakeMode::bones, 30.0}, {BakeMode::vertices, 30.0}, {BakeMode::bones, 4.0}}) {
    const Character character = baked_with(model, {.mode = mode, .frame_rate = fps}).value();
    std::vector<Bounds> seen(character.parts().size());
    for (const BakedClip& clip : character.clips())
      for (std::uint32_t frame = 0; frame + 1 < clip.frame_count; ++frame)
        for (const double blend : {0.0, 0.1, 0.3, 0.45, 0.6, 0.8, 0.9}) {
          const std::uint32_t at = clip.first_frame + frame;
          const auto decoded = decode_pose(character, clip, {at, at + 1, 0.0f}, blend);
          for (std::size_t v = 0; v < decoded.positions.size(); ++v)
            seen[character.vertex_parts()[v]].add(decoded.positions[v]);
        }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const Bounds& box = character.parts()[i].bounds;
      EXPECT_TRUE(glm::all(glm::lessThanEqual(box.min, seen[i].min))) << i;
      EXPECT_TRUE(glm::all(glm::greaterThanEqual(box.max, seen[i].max))) << i;
      EXPECT_LT(box.diagonal(), 1.5 * seen[i].diagonal()) << "for it to mean something";
    }
  }
}

// Sixteen starts, so that in some what goes round is furthest out half-way between two moments that are looked at.
TEST(NamedParts, StayInTheirBoundsWhereTheyAreFurthestOut) {
  for (int start = 0; start < 16; ++start) {
    ModelDraft draft = with_things({"Shield", "Sword"}).draft();
    const auto round = [&](double t) { return kPi * (start / 32.0 + 2.0 * t); };
    draft.clips = {clip_of("round", {turning(1, {0, 0, 1}, 5, 4.0, 0.0, round)}, true)};
    const Character character = baked_with(built(draft), {.frame_rate = 4.0, .levels = 1}).value();
    const BakedClip& clip = character.clips()[0];
    for (std::uint32_t frame = 0; frame + 1 < clip.frame_count; ++frame) {
      for (const double blend : {0.06, 0.125, 0.19, 0.31, 0.375, 0.44, 0.56, 0.625, 0.69, 0.81, 0.875, 0.94}) {
        const std::uint32_t at = clip.first_frame + frame;
        const auto decoded = decode_pose(character, clip, {at, at + 1, 0.0f}, blend);
        for (std::size_t v = 0; v < decoded.positions.size(); ++v) {
          const Bounds& box = character.parts()[character.vertex_parts()[v]].bounds;
          const glm::dvec3 off = glm::max(box.min - decoded.positions[v], decoded.positions[v] - box.max);
          EXPECT_LE(std::max({off.x, off.y, off.z}), 0.0) << "start " << start << ", blended by " << blend;
        }
      }
    }
  }
}

// A limb that goes round in four frames is furthest out, on one side, between the last and the first.
TEST(NamedParts, StayInTheirBoundsWhileALoopCloses) {
  for (const double from : {0.0, 0.4, 0.8, 1.2}) {
    ModelDraft draft = with_things({"Shield", "Sword"}).draft();
    const auto round = [&](double t) { return from + 2.0 * kPi * t; };
    draft.clips = {clip_of("round", {turning(1, {0, 0, 1}, 5, 4.0, 0.0, round)}, true)};
    const Character character = baked_with(built(draft), {.frame_rate = 4.0, .levels = 1}).value();
    const BakedClip& clip = character.clips()[0];
    ASSERT_TRUE(clip.loops);
    ASSERT_EQ(clip.frame_count, 4u);
    for (const double blend : {0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9}) {
      const auto decoded = decode_pose(character, clip, {clip.first_frame + 3, clip.first_frame, 0.0f}, blend);
      for (std::size_t v = 0; v < decoded.positions.size(); ++v) {
        const Bounds& box = character.parts()[character.vertex_parts()[v]].bounds;
        const glm::dvec3 off = glm::max(box.min - decoded.positions[v], decoded.positions[v] - box.max);
        EXPECT_LE(std::max({off.x, off.y, off.z}), 0.0) << "from " << from << ", blended by " << blend;
      }
    }
  }
}

}  // namespace
}  // namespace throng
