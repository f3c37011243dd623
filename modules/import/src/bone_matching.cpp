#include "bone_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace throng {
namespace {

using Partners = std::vector<std::optional<std::uint32_t>>;

// Pairs what has the same key on both sides and no partner yet, in order. An empty key pairs with nothing.
template <class Key, class KeyOf>
void pair_up(std::size_t from_count, std::size_t onto_count, KeyOf key_of, Partners& partners,
             std::vector<bool>& taken) {
  std::multimap<Key, std::uint32_t> waiting;
  for (std::uint32_t i = 0; i < onto_count; ++i) {
    if (!taken[i]) waiting.emplace(key_of(false, i), i);
  }
  for (std::uint32_t i = 0; i < from_count; ++i) {
    if (partners[i] || key_of(true, i) == Key{}) continue;
    // Equal keys keep their order in a multimap, so this is the first of them.
    const auto found = waiting.lower_bound(key_of(true, i));
    if (found == waiting.end() || found->first != key_of(true, i)) continue;
    partners[i] = found->second;
    taken[found->second] = true;
    waiting.erase(found);
  }
}

}  // namespace

std::string_view without_namespace(std::string_view name) {
  const std::size_t last = name.find_last_of(":|");
  return last == std::string_view::npos ? name : name.substr(last + 1);
}

Partners match_bones(const std::vector<Bone>& from, const std::vector<Bone>& onto) {
  Partners partners(from.size());
  std::vector<bool> taken(onto.size());
  const auto name = [&](bool of_from, std::uint32_t i) -> std::string_view {
    return of_from ? from[i].name : onto[i].name;
  };
  pair_up<std::string_view>(from.size(), onto.size(), name, partners, taken);
  const auto short_name = [&](bool of_from, std::uint32_t i) { return without_namespace(name(of_from, i)); };
  pair_up<std::string_view>(from.size(), onto.size(), short_name, partners, taken);
  return partners;
}

Partners match_morphs(const std::vector<Mesh>& from, const std::vector<Mesh>& onto) {
  Partners partners(from.size());
  std::vector<bool> taken(onto.size());
  using Key = std::pair<std::string_view, std::size_t>;
  const auto key = [&](bool of_from, std::uint32_t i) -> Key {
    const Mesh& mesh = of_from ? from[i] : onto[i];
    return mesh.morph_targets.empty() ? Key{} : Key{mesh.name, mesh.morph_targets.size()};
  };
  pair_up<Key>(from.size(), onto.size(), key, partners, taken);
  return partners;
}

std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text.empty() ? "none" : text;
}

}  // namespace throng
