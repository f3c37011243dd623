// SPDX-License-Identifier: Apache-2.0
#pragma once
// Things for characters to carry.

#include <string>

#include "throng/character/character.h"
#include "throng/import/imported.h"
#include "throng/renderer/prop.h"

// "staff": one that needs no file, in the size of `metre`; else a model (glTF, FBX) as it stands at rest, which is in
// the socket's own space and units.
throng::Result<throng::PropMesh> load_prop(const std::string& name, double metre,
                                           const throng::ImportSettings& settings = {});

// The socket of that name, or the first one when `name` is empty.
throng::Result<throng::SocketId> find_socket(const throng::Character& model, const std::string& name);
