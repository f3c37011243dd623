// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bakes what a battle is fought with.

#include "battle/piece.h"

throng::Result<throng::Character> bake_piece(const Piece& piece);
