// SPDX-License-Identifier: Apache-2.0
#include "throng/clip_facts/clip_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "throng/base/text.h"

namespace throng {
namespace {

using namespace std::string_view_literals;

// Lists of words, a space before and behind each. These decide wherever they stand; "to" as in Walk_to_Idle.
constexpr std::string_view kDecideLoop = " loop looped looping cycle cyclic boucle schleife bucle ";
constexpr std::string_view kDecideOnce =
    " once oneshot to start begin stop end enter exit into from transition intro outro ";

constexpr std::string_view kGoOn =
    " walk walking walks run running runs jog jogging sprint sprinting trot trotting gallop galloping"
    " canter march marching sneak sneaking crawl crawling strafe strafing idle idling breathe breathing"
    " swim swimming fly flying flap hover hovering float floating glide gliding ride riding drive driving"
    " climb climbing dance dancing falling sleep sleeping eat eating talk talking wait waiting patrol"
    " sitting standing lying blocking shooting casting spellcasting spinning cheering clapping"
    " waving working mining digging"
    // German, French, Spanish
    " gehen laufen rennen stehen schwimmen fliegen tanzen warten ruhe marche marcher course courir nage"
    " nager voler danse attente repos caminar andar correr nadar volar bailar reposo espera"
    // Japanese and Chinese in Latin letters
    " aruki aruku hashiri hashiru taiki machi oyogi tobu odori daiji zoulu xingzou paobu youyong feixing"
    " ";

constexpr std::string_view kHappenOnce =
    " death die dies dying dead hit hits hitreact react reaction hurt damage damaged impact flinch stagger"
    " knockback knockdown attack attacks punch kick slash stab chop slice bite strike throw land"
    " landing jump jumps leap dodge roll backflip flip vault reload pickup pick interact open close use"
    " equip unequip draw sheathe standup getup sitdown liedown spawn despawn taunt victory defeat salute"
    " nod collapse explode break shot shoot fire spellcast"
    // German, French, Spanish
    " tod sterben angriff schlag tritt sprung springen treffer wurf mort mourir attaque saut sauter coup"
    " esquive muerte morir ataque salto saltar golpe esquivar"
    // Japanese and Chinese in Latin letters
    " shibou kougeki jampu dageki siwang gongji tiaoyue shouji shoushang"
    " ";

// With "up" or "down" somewhere behind them: Sit_Chair_Down, Lie_StandUp. Alone, people who sit go on doing so.
constexpr std::string_view kPostures = " sit lie stand get kneel crouch lay wake ";

// In their own writing, which has no spaces: looked for anywhere in the name.
constexpr std::array kGoOnSigns{"歩"sv, "走"sv, "待機"sv, "待机"sv,   "跑"sv,   "行走"sv,
                                "泳"sv, "飛"sv, "飞"sv,   "ループ"sv, "循环"sv, "站立"sv};
constexpr std::array kOnceSigns{"攻撃"sv, "攻击"sv, "死"sv, "跳"sv, "ジャンプ"sv, "受伤"sv, "受击"sv, "被弾"sv, "倒"sv};

enum class Kind : std::uint8_t { small, capital, other };

Kind kind_of(char c) {
  if (c >= 'a' && c <= 'z') return Kind::small;
  if (c >= 'A' && c <= 'Z') return Kind::capital;
  return Kind::other;
}

// "swordAttackJump_02" → sword, attack, jump. A run of capitals is one word, its last letter the next one's if small
// letters follow: "TRexRun" → t, rex, run.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(lower(word));
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const Kind kind = kind_of(name[i]);
    const bool small_follows = i + 1 < name.size() && kind_of(name[i + 1]) == Kind::small;
    const bool after_small = !word.empty() && kind_of(word.back()) == Kind::small;
    if (kind == Kind::other || (kind == Kind::capital && (after_small || small_follows))) finish();
    if (kind != Kind::other) word += name[i];
  }
  finish();
  return words;
}

bool has(std::string_view words, const std::string& word) {
  return words.find(' ' + word + ' ') != std::string_view::npos;
}

// Where the name has its last sign of any of these, from 1 on; 0: nowhere.
template <std::size_t kCount>
std::size_t last_of(const std::array<std::string_view, kCount>& signs, std::string_view name) {
  std::size_t last = 0;
  for (const std::string_view sign : signs) {
    const std::size_t at = name.rfind(sign);
    if (at != std::string_view::npos) last = std::max(last, at + 1);
  }
  return last;
}

}  // namespace

NameSays name_says(std::string_view clip_name) {
  const std::string_view name = without_namespace(clip_name);
  const std::vector<std::string> words = words_of(name);
  const auto any = [&](std::string_view of) {
    return std::ranges::any_of(words, [&](const auto& w) { return has(of, w); });
  };
  if (any(kDecideLoop)) return NameSays::loops;
  if (any(kDecideOnce)) return NameSays::once;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    if ((*word == "up" || *word == "down") &&
        std::any_of(word + 1, words.rend(), [](const std::string& before) { return has(kPostures, before); }))
      return NameSays::once;
    if (has(kGoOn, *word)) return NameSays::loops;
    if (has(kHappenOnce, *word)) return NameSays::once;
  }
  const std::size_t goes_on = last_of(kGoOnSigns, name);
  const std::size_t once = last_of(kOnceSigns, name);
  if (goes_on == once) return NameSays::nothing;
  return goes_on > once ? NameSays::loops : NameSays::once;
}

}  // namespace throng
