// SPDX-License-Identifier: Apache-2.0
#pragma once
// Things of the battle that are drawn as near characters are: the stairs, and the staffs that fighters carry.

#include <functional>
#include <glm/glm.hpp>
#include <string>

#include "throng/character/character.h"
#include "throng/character/material.h"
#include "throng/renderer/prop.h"

// A mesh that hangs on a bone.
struct Piece {
  std::string name;
  throng::PropMesh mesh;
  std::string bone;
  glm::dmat4 bone_from_mesh{1.0};
  throng::Material material = {};
};

// Makes a character of it, of that one bone. A game would read files; the battle itself bakes nothing.
using MakePiece = std::function<throng::Result<throng::Character>(const Piece& piece)>;
