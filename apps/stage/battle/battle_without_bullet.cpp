// SPDX-License-Identifier: Apache-2.0
// In the place of battle.cpp where Bullet is not there.
#include "battle/battle.h"

using namespace throng;

struct Battle::State {};

Battle::Battle(std::unique_ptr<State> state) : state_(std::move(state)) {}
Battle::Battle(Battle&&) noexcept = default;
Battle::~Battle() = default;

Result<Battle> Battle::stage(Troupe, const BattleSettings&, const MakePiece&, SceneRenderer&) {
  return fail(
      "this throng was built without Bullet, which makes its characters fall; install libbullet-dev and build again");
}

Result<void> Battle::advance_to(double, SceneRenderer&, const Progress&) { return {}; }
Camera Battle::camera() { return {}; }
SceneLook Battle::look() { return {}; }
