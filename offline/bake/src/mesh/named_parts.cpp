// SPDX-License-Identifier: Apache-2.0
#include "mesh/named_parts.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "mesh/part_bounds.h"
#include "motion/socket_choice.h"
#include "throng/base/names.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/model/drawn.h"
#include "throng/model/parts.h"

namespace throng::detail::bake {
namespace {

constexpr std::string_view kOthers = "others";  // the part that holds those for which there is no number left

std::vector<std::string> part_names(const std::vector<ModelPart>& parts) {
  std::vector<std::string> names;
  for (const ModelPart& part : parts) names.push_back(part.name);
  if (names.size() > kMostParts) {
    names.resize(kMostParts);
    names.back() = kOthers;
  }
  return names;
}

// Whether things are held by it, as far as its name tells.
bool holds_things(const std::string& bone) {
  const std::string name = lower(bone);
  constexpr std::array kWords{"hand", "grip", "slot", "weapon", "palm", "fist", "wrist"};
  return std::ranges::any_of(kWords, [&](const char* word) { return name.find(word) != std::string::npos; });
}

// "Knight_Helmet2" → knight, helmet, 2.
std::vector<std::string> words_of(std::string_view name) {
  enum class Kind : std::uint8_t { none, lower, upper, digit };
  const auto kind_of_letter = [](char c) {
    if (c >= '0' && c <= '9') return Kind::digit;
    if (c >= 'a' && c <= 'z') return Kind::lower;
    return c >= 'A' && c <= 'Z' ? Kind::upper : Kind::none;
  };
  std::vector<std::string> words;
  Kind last = Kind::none;
  for (const char c : name) {
    const Kind kind = kind_of_letter(c);
    if (kind != Kind::none) {
      if (last == Kind::none || (kind != last && !(last == Kind::upper && kind == Kind::lower))) words.emplace_back();
      words.back() += c;
    }
    last = kind;
  }
  for (std::string& word : words) word = lower(word);
  return words;
}

// What a name says a thing is, among things of which one is worn at a time; nothing: it is worn with the rest.
std::string kind_of(std::string_view name) {
  constexpr std::array kKinds{"helmet", "helm",  "hat",  "hood",  "cap",      "crown", "mask",
                              "hair",   "beard", "cape", "cloak", "backpack", "quiver"};
  for (const std::string& word : words_of(name))
    for (const char* kind : kKinds)
      if (word == kind) return kind == std::string_view("helm") ? "helmet" : kind;
  return {};
}

// What a name says that it is, without numbers and sides: "Hand_Axe.L" → axe.
std::string thing_of(std::string_view name) {
  constexpr std::string_view kSides[]{"l", "r", "left", "right"};
  std::string thing;
  for (const std::string& word : words_of(name))
    if (word.find_first_not_of("0123456789") != std::string::npos &&
        std::ranges::find(kSides, word) == std::end(kSides))
      thing = word;
  return thing;
}

// Whether it is of the hand itself, or on it whatever it holds: the fingers of a robot are not a choice.
bool is_of_hand(std::string_view name) {
  constexpr std::string_view kWords[]{"arm",   "forearm", "hand",    "hands", "palm",  "fist",
                                      "wrist", "finger",  "fingers", "thumb", "glove", "gauntlet",
                                      "cuff",  "sleeve",  "bracer",  "ring",  "watch", "body"};
  return std::ranges::find(kWords, thing_of(name)) != std::end(kWords);
}

// Whether it is a piece of a thing that is worn with the other pieces: "Hair_Front", "Cape_Left".
bool is_piece(std::string_view name) {
  constexpr std::string_view kWords[]{"l",     "r",     "left",  "right",  "front",  "back", "side",
                                      "upper", "lower", "inner", "middle", "bottom", "top",  "strap"};
  return std::ranges::any_of(
      words_of(name), [&](const std::string& word) { return std::ranges::find(kWords, word) != std::end(kWords); });
}

bool names_a_shield(std::string_view name) {
  const std::string lowered = lower(name);
  return lowered.find("shield") != std::string::npos || lowered.find("offhand") != std::string::npos ||
         lowered.find("off_hand") != std::string::npos;
}

// What one hand holds, or things of one kind on one bone: a pack has them all, a character wears one. A hand that has a
// shield may have nothing, as may a back or a head; one of weapons holds one of them. What else a hand with shields
// could hold is only for the asking: whoever is dressed by a seed has a weapon in the other hand already.
std::vector<PartGroup> guessed_groups(const Model& model, const std::vector<ModelPart>& parts) {
  std::map<std::pair<std::uint32_t, std::string>, PartGroup> groups;
  const std::size_t named = parts.size() > kMostParts ? kMostParts - 1 : parts.size();
  for (std::uint32_t i = 0; i < named; ++i) {
    if (!parts[i].bone) continue;
    const std::string& bone = model.bones()[*parts[i].bone].name;
    const bool held = holds_things(bone);
    if (held && is_of_hand(parts[i].name) && !names_a_shield(parts[i].name)) continue;
    const std::string kind = held || is_piece(parts[i].name) ? std::string() : kind_of(parts[i].name);
    if (!held && kind.empty()) continue;
    PartGroup& group = groups[{*parts[i].bone, kind}];
    group.name = held ? bone : kind;
    group.optional = group.optional || !held || names_a_shield(parts[i].name);
    group.parts.emplace_back(i);
  }
  std::vector<PartGroup> out;
  for (auto& [key, group] : groups) {
    if (group.parts.size() < 2) continue;
    const auto is_shield = [&](PartId part) {
      return lower(parts[part.value].name).find("shield") != std::string::npos;
    };
    // The first is what is worn unless something is said: a shield rather than a second sword.
    std::ranges::stable_sort(group.parts, std::greater{}, is_shield);
    const auto shields = static_cast<std::size_t>(std::ranges::count_if(group.parts, is_shield));
    if (shields > 0) group.only_asked = static_cast<std::uint32_t>(group.parts.size() - shields);
    out.push_back(std::move(group));
  }
  return out;
}

// "shield?=*_Shield*|Buckler": a name, a question mark where none may be worn, and patterns.
Result<PartGroup> asked_group(const std::string& text, const std::vector<std::string>& names) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || text.starts_with("?"))
    return fail("a group is NAME=PATTERN|PATTERN, or NAME?=… where none may be worn, not '{}'", text);
  PartGroup group;
  group.optional = text[equals - 1] == '?';
  group.name = text.substr(0, equals - (group.optional ? 1 : 0));
  std::vector<std::string> patterns;
  for (std::size_t begin = equals + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    patterns.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  // In the order they are asked for: the first is worn as usual.
  for (const std::string& pattern : patterns) {
    THRONG_TRY(const std::vector<bool> meant, meant_by({pattern}, "part", names));
    for (std::uint32_t i = 0; i < meant.size(); ++i)
      if (meant[i] && std::ranges::find(group.parts, PartId(i)) == group.parts.end()) group.parts.emplace_back(i);
  }
  return group;
}

// Of which no two share a part.
Result<std::vector<PartGroup>> asked_groups(const std::vector<std::string>& texts,
                                            const std::vector<std::string>& names) {
  std::vector<PartGroup> groups;
  PartMask taken;
  for (const std::string& text : texts) {
    THRONG_TRY(PartGroup group, asked_group(text, names));
    for (const PartId part : group.parts) {
      if (!taken.has(part)) return fail("part '{}' is in two groups", names[part.value]);
      taken.take_off(part);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

bool share(const PartGroup& a, const PartGroup& b) {
  return a.name == b.name ||
         std::ranges::any_of(a.parts, [&](PartId part) { return std::ranges::count(b.parts, part) > 0; });
}

// Adds groups that have less of a say. One that shares a part or its name with some that are there gives way as a
// whole, since two groups of one hand would fill it twice: what only it has is from now on for the asking, in the first
// of those. `gave_way` is told of it.
template <class GaveWay>
void add_below(std::vector<PartGroup> weaker, std::vector<PartGroup>& groups, const GaveWay& gave_way) {
  const std::size_t strong = groups.size();
  PartMask taken;
  for (const PartGroup& group : groups)
    for (const PartId part : group.parts) taken.take_off(part);
  for (PartGroup& group : weaker) {
    const auto end = groups.begin() + static_cast<std::ptrdiff_t>(strong);
    const auto over = std::find_if(groups.begin(), end, [&](const PartGroup& one) { return share(one, group); });
    if (over == end) {
      groups.push_back(std::move(group));
      continue;
    }
    gave_way(group, *over);
    for (const PartId part : group.parts) {
      if (!taken.has(part)) continue;
      over->parts.push_back(part);
      ++over->only_asked;
      taken.take_off(part);
    }
  }
}

// Those of the settings, then those of the side file, then what is guessed.
Result<std::vector<PartGroup>> groups_of(const BakeSettings& settings, std::vector<PartGroup> guessed,
                                         const std::vector<std::string>& names, std::vector<std::string>& notes) {
  THRONG_TRY(std::vector<PartGroup> groups, asked_groups(settings.groups, names));
  auto side = asked_groups(settings.side_groups, names);
  if (!side) return fail(with_context("groups of the side file", std::move(side).error()));
  add_below(*std::move(side), groups, [&](const PartGroup& weaker, const PartGroup& stronger) {
    notes.push_back(fmt::format("the side file's group '{}' gives way to '{}'", weaker.name, stronger.name));
  });
  add_below(std::move(guessed), groups, [](const PartGroup&, const PartGroup&) {});
  return groups;
}

void note_groups(const std::vector<PartGroup>& groups, const std::vector<std::string>& names,
                 std::vector<std::string>& notes) {
  for (const PartGroup& group : groups) {
    std::vector<std::string> members;
    for (const PartId part : group.parts) members.push_back(names[part.value]);
    const std::vector<std::string> asked(members.end() - group.only_asked, members.end());
    members.resize(members.size() - asked.size());
    const std::string rest = asked.empty() ? "" : "; only where asked for: " + listed(asked);
    notes.push_back(fmt::format("a character wears one of '{}'{}: {}{}", group.name, group.optional ? ", or none" : "",
                                listed(members), rest));
  }
}

// For every bone, the part that it goes with: where a thing that hangs whole on a node of its own is that node, or
// above it.
std::vector<std::optional<PartId>> parts_of_bones(const Model& model) {
  std::vector<std::optional<PartId>> parts(model.bones().size());
  const std::vector<std::uint8_t> numbers = part_numbers(model, kMostParts);
  for (std::size_t i = 0; i < model.meshes().size(); ++i) {
    const Mesh& mesh = model.meshes()[i];
    if (mesh.influences.empty() || !is_drawn(mesh)) continue;
    const auto bone_of = [&](const Influences& influences) { return model.bindings()[influences.bindings[0]].bone; };
    const std::uint32_t bone = bone_of(mesh.influences[0]);
    const bool whole = std::ranges::all_of(mesh.influences, [&](const Influences& influences) {
      return influences.weights[1] <= 0.0f && bone_of(influences) == bone;
    });
    if (whole && model.bones()[bone].name == (mesh.part.empty() ? mesh.name : mesh.part))
      parts[bone] = PartId(numbers[i]);
  }
  // Parents come first.
  for (std::size_t bone = 0; bone < parts.size(); ++bone)
    if (!parts[bone] && model.bones()[bone].parent) parts[bone] = parts[*model.bones()[bone].parent];
  return parts;
}

Result<void> tell_sockets(const Model& model, const BakeSettings& settings, std::vector<BakedSocket>& baked) {
  if (baked.empty()) return {};
  THRONG_TRY(const std::vector<Socket> sockets, chosen_sockets(model, settings));
  const std::vector<std::optional<PartId>> parts = parts_of_bones(model);
  for (BakedSocket& socket : baked) {
    const auto from = std::ranges::find(sockets, socket.name, &Socket::name);
    if (from != sockets.end()) socket.part = parts[from->bone];
  }
  return {};
}

}  // namespace

Result<std::vector<PartGroup>> part_groups(const Model& model, const BakeSettings& settings,
                                           std::vector<std::string>& notes) {
  const std::vector<ModelPart> parts = parts_of(model);
  return groups_of(settings, guessed_groups(model, parts), part_names(parts), notes);
}

Result<void> add_parts(const Model& model, const BakeSettings& settings, Executor& executor, CharacterDraft& draft) {
  const std::vector<std::string> names = part_names(parts_of(model));
  THRONG_TRY(draft.part_groups, part_groups(model, settings, draft.notes));
  if (names.size() < 2) {
    draft.part_groups.clear();
    draft.vertex_parts = {};
    return {};
  }
  note_groups(draft.part_groups, names, draft.notes);
  THRONG_CHECK(tell_sockets(model, settings, draft.sockets));
  const std::vector<Bounds> bounds = part_bounds(draft, names.size(), executor);
  for (std::size_t i = 0; i < names.size(); ++i) draft.parts.push_back({names[i], bounds[i]});
  return {};
}

}  // namespace throng::detail::bake
