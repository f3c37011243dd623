// SPDX-License-Identifier: Apache-2.0
#pragma once
// A scene that shows what near characters can do: twenty of them on a flight of stairs, some coming down it with their
// feet on its steps, some aiming, some hit and falling, in front of an army of far ones. Of any models: those with a
// socket in the right hand carry a staff and point with it, the others look; who has no legs by name slides down.

#include <cstdint>
#include <memory>

#include "battle/piece.h"
#include "crowd/tints.h"
#include "crowd/troupe.h"
#include "throng/base/progress.h"
#include "throng/base/result.h"
#include "throng/scene/scene_renderer.h"

struct BattleSettings {
  std::uint32_t far = 10000;
  std::uint64_t seed = 1;
  Tinting tinting = Tinting::automatic;
};

class Battle {
 public:
  // Adds its models to `scene`, which must have none. Metres, persons being 1.8 tall, whatever the models' units.
  // `make` makes what it is fought with. Refused: models that have no motion for near ones (baked with --no-near).
  static throng::Result<Battle> stage(Troupe troupe, const BattleSettings& settings, const MakePiece& make,
                                      throng::SceneRenderer& scene);
  Battle(Battle&&) noexcept;
  ~Battle();

  // Lets it happen up to that second, from the last on, in steps that are the same whatever was asked for in between;
  // then the scene shows it. `progress` hears of a long way there, as "play".
  throng::Result<void> advance_to(double seconds, throng::SceneRenderer& scene, const throng::Progress& progress = {});

  static throng::Camera camera();
  static throng::SceneLook look();

 private:
  struct State;
  explicit Battle(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};
