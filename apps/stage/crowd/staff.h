// SPDX-License-Identifier: Apache-2.0
#pragma once
// The thing to carry that needs no file.

#include "throng/renderer/prop.h"

// A staff of a man's height, held at y = 0, pointing along +Y. `metre`: how many units of the socket's space that is.
throng::PropMesh make_staff(double metre);
