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

  Result<void> play(const Play& play);                       // plays from now on: forgets the queue, ends a pause
  Result<void> play(std::string_view clip, Play play = {});  // `play.clip` is ignored
  Result<void> queue(const Play& play);  // plays after what is being played, and after what is queued already
  Result<void> queue(std::string_view clip, Play play = {});
  void clear_queue();                    // forgets what is queued; what is being played goes on
  Result<void> set_speed(double speed);  // goes on from where it is at another speed; negative: backwards
  Result<void> seek(double seconds);     // to that many seconds into the clip; events that are jumped over do not fire
  void pause();                          // its clips stand still until it is resumed
  void resume();                         // goes on after a pause

  // A step of any size; one that is negative or not finite is none. Tells the events it meets, in order, and returns
  // its clips' root motion (none when the bake extracted none): model_from_ground, as seen from where it was before the
  // step.
  GroundMotion advance(double seconds, const OnEvent& on_event = {});

  Ticks now() const;        // ticks that its steps have added up to
  PlayState state() const;  // what it plays, and where in its clips it is
  // model_from_socket.
  Result<SocketPlace> socket(SocketId socket) const;
  // What the GPU would read, for deform() and Deformer.
  const PlayRecord& record() const;
  const Character& model() const;  // the character that it plays

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
