// SPDX-License-Identifier: Apache-2.0
// What clips are called in public packs, and what their makers meant.
#include "throng/clip_facts/clip_names.h"

#include <gtest/gtest.h>

namespace throng {
namespace {

void expect(NameSays said, std::initializer_list<const char*> names) {
  for (const char* name : names) EXPECT_EQ(name_says(name), said) << name;
}

TEST(ClipNames, OfWhatGoesOnLoop) {
  expect(NameSays::loops, {"walk", "Walking_A", "WalkSlow", "CharacterArmature|Run_Gun", "Armature|TRex_Run", "RUN",
                           "Running_Strafe_Left", "mixamorig:Idle", "2H_Melee_Idle", "swim-01", "sprintForward",
                           "Gallop", "Fly", "falling", "Blocking", "Spellcasting", "idle.001"});
}

TEST(ClipNames, OfWhatHappensOnceDoNot) {
  expect(NameSays::once, {"Death_A", "HitReact", "1H_Melee_Attack_Chop", "swordAttackJump_02", "Jump", "Dodge_Left",
                          "Armature|TRex_Attack", "PickUp", "Lie_StandUp", "Sit_Chair_Down", "GetUp", "Hit_B",
                          "1H_Ranged_Shoot", "Spellcast_Raise"});
}

TEST(ClipNames, LastWordThatSaysAnythingDecides) {
  expect(NameSays::loops, {"Jump_Idle", "Lie_Idle", "Sit_Floor_Idle", "2H_Melee_Attack_Spinning", "Idle_2_HeadLow"});
  expect(NameSays::once, {"Idle_HitReact_Left", "Run_swordAttack", "Gallop_Jump", "Block_Hit"});
}

TEST(ClipNames, SomeWordsDecideWhereverTheyStand) {
  expect(NameSays::loops, {"attack_loop", "LoopJump", "death cycle"});
  expect(NameSays::once, {"Jump_ToIdle", "walk_to_run", "StartWalking", "Run_Stop", "idle-once"});
}

TEST(ClipNames, OfOtherLanguagesAreKnown) {
  expect(NameSays::loops, {"gehen", "Laufen", "marche", "caminar", "aruki", "待機", "行走", "奔跑"});
  expect(NameSays::once, {"Angriff", "tod", "attaque", "muerte", "kougeki", "攻撃", "死亡", "跳"});
}

TEST(ClipNames, MostWordsSayNothing) {
  expect(NameSays::nothing, {"", "clip 0", "Take 001", "mixamo.com", "Survey", "T-Pose", "Runner_Pose", "Walkway",
                             "standard", "Sit_Chair_Pose", "CubeAction", "Walk|Take 1"});
}

}  // namespace
}  // namespace throng
