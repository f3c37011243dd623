// SPDX-License-Identifier: Apache-2.0
#pragma once
// Does what a script says, one command an image, through the functions that buttons call, or with the pointer and keys
// as a hand would.

#include <SDL.h>

#include <chrono>
#include <deque>
#include <functional>
#include <map>

#include "core/script.h"
#include "ui/panel_state.h"

namespace throng::studio {

// What a script reaches besides the panels.
struct ScriptHands {
  std::function<void(const std::string& model)> open;
  std::function<void(const std::string& file)> take_picture;  // of the window, with this image
  std::function<void()> quit;
  SDL_Window* window = nullptr;
};

class ScriptRunner {
 public:
  ScriptRunner(std::vector<ScriptCommand> commands, ScriptHands hands);

  // Before each image. An error ends the script: it names the line.
  Result<void> step(PanelState& panels);
  bool finished() const { return next_ == commands_.size() && events_.empty(); }

 private:
  // Done, or to be asked again with the next image.
  using Outcome = Result<bool>;
  using Action = Outcome (ScriptRunner::*)(PanelState&, const std::string&);
  static const std::map<std::string, Action>& actions();

  Outcome open(PanelState& panels, const std::string& rest);
  Outcome only(PanelState& panels, const std::string& rest);
  Outcome loop(PanelState& panels, const std::string& rest);
  Outcome set(PanelState& panels, const std::string& rest);
  Outcome output(PanelState& panels, const std::string& rest);
  Outcome bake(PanelState& panels, const std::string& rest);
  Outcome cancel(PanelState& panels, const std::string& rest);
  Outcome save(PanelState& panels, const std::string& rest);
  Outcome clip(PanelState& panels, const std::string& rest);
  Outcome time(PanelState& panels, const std::string& rest);
  Outcome crowd(PanelState& panels, const std::string& rest);
  Outcome view(PanelState& panels, const std::string& rest);
  Outcome level(PanelState& panels, const std::string& rest);
  Outcome event(PanelState& panels, const std::string& rest);
  Outcome parts(PanelState& panels, const std::string& rest);
  Outcome undo(PanelState& panels, const std::string& rest);
  Outcome redo(PanelState& panels, const std::string& rest);
  Outcome wait(PanelState& panels, const std::string& rest);
  Outcome print(PanelState& panels, const std::string& rest);
  Outcome screenshot(PanelState& panels, const std::string& rest);
  Outcome click(PanelState& panels, const std::string& rest);
  Outcome ctrl_click(PanelState& panels, const std::string& rest);
  Outcome right_click(PanelState& panels, const std::string& rest);
  Outcome drag(PanelState& panels, const std::string& rest);
  Outcome key(PanelState& panels, const std::string& rest);
  Outcome type(PanelState& panels, const std::string& rest);
  Outcome drop(PanelState& panels, const std::string& rest);
  Outcome quit(PanelState& panels, const std::string& rest);

  void push_motion(ImVec2 to);
  void push_button(bool down, ImVec2 at, Uint8 button = SDL_BUTTON_LEFT);
  Outcome click_with(PanelState& panels, const std::string& mark, Uint8 button);

  std::vector<ScriptCommand> commands_;
  ScriptHands hands_;
  std::size_t next_ = 0;
  std::deque<SDL_Event> events_;  // one an image, as a quick hand would
  int images_to_rest_ = 2;  // so that what was done shows before the next command, the window itself to begin with
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace throng::studio
