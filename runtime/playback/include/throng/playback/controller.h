// SPDX-License-Identifier: Apache-2.0
#pragma once
// One character: what it plays, the events it meets, where its sockets are and how it moves over the ground. It behaves
// as a character of a Crowd does, word for word; see crowd.h for what the calls mean.

#include <memory>
#include <string_view>
#include <vector>

#include "throng/character/character.h"
#include "throng/math/ground.h"
#include "throng/playback/clock.h"
#include "throng/playback/deform.h"
#include "throng/playback/play.h"
#include "throng/playback/timing.h"

namespace throng {

class Controller {
 public:
  // Plays the model's first clip as it was baked; of a model without clips, nothing. Keeps what it needs of the model,
  // which shares its storage.
  explicit Controller(const Character& model);
  Controller(const Controller& other);
  Controller(Controller&& other) noexcept;
  Controller& operator=(const Controller& other);
  Controller& operator=(Controller&& other) noexcept;
  ~Controller();

  Result<void> play(const Play& play);
  Result<void> play(std::string_view clip, Play play = {});  // `play.clip` is ignored
  Result<void> queue(const Play& play);
  Result<void> queue(std::string_view clip, Play play = {});
  void clear_queue();
  Result<void> set_speed(double speed);
  Result<void> seek(double seconds);
  void pause();
  void resume();

  // A step of any size; one that is negative or not finite is none. Tells the events it meets, in order, and returns
  // its clips' root motion (none when the bake extracted none): model_from_ground, as seen from where it was before the
  // step.
  GroundMotion advance(double seconds, const OnEvent& on_event = {});

  Ticks now() const;
  PlayState state() const;
  // model_from_socket.
  Result<SocketPlace> socket(SocketId socket) const;
  // What the GPU would read, for deform() and Deformer.
  const PlayRecord& record() const;
  const Character& model() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
