// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random movements written into an atlas with the codecs, for every encoding.

#include "dice.h"
#include "test_models.h"

namespace throng::test {

// Chains of links with rotations, translations, both or neither, and every column of the model hung on one of them.
void add_skeleton(CharacterDraft& model, std::uint32_t links, Dice& dice);

// The same links with slots of localv, some with a scale of their own.
void add_channel_slots(CharacterDraft& model, Dice& dice);

// The clip's rows of the table: random pivots and boxes as its encoding wants them.
void add_table_rows(const CharacterDraft& model, BakedClip& clip, Dice& dice, std::vector<glm::vec4>& table);

// The words of every clip in localv. Neighbouring frames are up to a third of a circle apart, some slots turn right
// round, some stay at rest; of every second clip not all frames are stored.
void fill_channels(CharacterDraft& model, Dice& dice, std::vector<std::uint32_t>& words);

// Every frame of every other clip. Neighbouring quaternions often differ in sign.
void fill_frames(const CharacterDraft& model, std::span<const glm::vec4> table, Dice& dice,
                 std::vector<std::uint32_t>& words);

}  // namespace throng::test
