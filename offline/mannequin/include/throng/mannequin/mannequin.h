// SPDX-License-Identifier: Apache-2.0
#pragma once
// The built-in humanoid, made by code: a model for demos, tests and first tries where there is no file.

#include "throng/model/model.h"

namespace throng {

// About 1.8 m tall, feet on y = 0, facing +Z, with eight or more clips, sockets and events.
Model make_mannequin();

}  // namespace throng
