// SPDX-License-Identifier: Apache-2.0
#pragma once
// One column of a bone-mode model, for those who need no more: see decode_columns().

#include "throng/character/decode.h"

namespace throng::detail::character {

ColumnMove decode_column(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor, double blend,
                         std::uint32_t column);

}  // namespace throng::detail::character
