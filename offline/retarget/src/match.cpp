// SPDX-License-Identifier: Apache-2.0
#include "throng/retarget/match.h"

#include <algorithm>
#include <map>

#include "bone_pairs.h"
#include "throng/base/bone_names.h"
#include "throng/base/text.h"

namespace throng {
namespace {

// Pairs what has the same key on both sides and no partner yet, in order. An empty key pairs with nothing.
template <class Key, class KeyOf>
void pair_up(std::size_t from_count, std::size_t onto_count, KeyOf key_of, Partners& partners,
             std::vector<bool>& taken) {
  std::multimap<Key, std::uint32_t> waiting;
  for (std::uint32_t i = 0; i < onto_count; ++i) {
    if (!taken[i]) waiting.emplace(key_of(false, i), i);
  }
  for (std::uint32_t i = 0; i < from_count; ++i) {
    if (partners[i]) continue;
    const Key key = key_of(true, i);
    // Equal keys keep their order in a multimap, so this is the first of them.
    const auto found = key == Key{} ? waiting.end() : waiting.lower_bound(key);
    if (found == waiting.end() || found->first != key) continue;
    partners[i] = found->second;
    taken[found->second] = true;
    waiting.erase(found);
  }
}

}  // namespace

void detail::retarget::match_remaining(const std::vector<Bone>& from, const std::vector<Bone>& onto,
                                       NameMatching matching, const std::vector<bool>& excluded, Partners& partners) {
  std::vector<bool> taken(onto.size());
  for (const auto& partner : partners) {
    if (partner) taken[*partner] = true;
  }
  const auto by = [&](auto key_of_name) {
    const auto key = [&](bool of_from, std::uint32_t i) -> std::string {
      if (of_from && excluded[i]) return {};
      return std::string(key_of_name(of_from ? from[i].name : onto[i].name));
    };
    pair_up<std::string>(from.size(), onto.size(), key, partners, taken);
  };
  by([](const std::string& name) { return name; });
  by([](const std::string& name) { return without_namespace(name); });
  if (matching == NameMatching::names) return;
  by([](const std::string& name) { return lower(without_namespace(name)); });
  by([](const std::string& name) { return meant_bone(name); });
}

Partners match_bones(const std::vector<Bone>& from, const std::vector<Bone>& onto, NameMatching matching) {
  Partners partners(from.size());
  detail::retarget::match_remaining(from, onto, matching, std::vector<bool>(from.size()), partners);
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

}  // namespace throng
