#pragma once
// Does what a script says, one command an image, through the functions that buttons call, or with the pointer and keys
// as a hand would.

#include <SDL.h>

#include <chrono>
#include <deque>
#include <functional>
#include <map>

#include "core/script.h"
#include "ui/desk.h"

namespace throng::studio {

// What a script reaches besides the desk.
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
  Result<void> step(Desk& desk);
  bool finished() const { return next_ == commands_.size() && events_.empty(); }

 private:
  // Done, or to be asked again with the next image.
  using Outcome = Result<bool>;
  using Action = Outcome (ScriptRunner::*)(Desk&, const std::string&);
  static const std::map<std::string, Action>& actions();

  Outcome open(Desk& desk, const std::string& rest);
  Outcome only(Desk& desk, const std::string& rest);
  Outcome loop(Desk& desk, const std::string& rest);
  Outcome set(Desk& desk, const std::string& rest);
  Outcome output(Desk& desk, const std::string& rest);
  Outcome bake(Desk& desk, const std::string& rest);
  Outcome cancel(Desk& desk, const std::string& rest);
  Outcome save(Desk& desk, const std::string& rest);
  Outcome clip(Desk& desk, const std::string& rest);
  Outcome time(Desk& desk, const std::string& rest);
  Outcome crowd(Desk& desk, const std::string& rest);
  Outcome wait(Desk& desk, const std::string& rest);
  Outcome print(Desk& desk, const std::string& rest);
  Outcome screenshot(Desk& desk, const std::string& rest);
  Outcome click(Desk& desk, const std::string& rest);
  Outcome drag(Desk& desk, const std::string& rest);
  Outcome key(Desk& desk, const std::string& rest);
  Outcome type(Desk& desk, const std::string& rest);
  Outcome drop(Desk& desk, const std::string& rest);
  Outcome quit(Desk& desk, const std::string& rest);

  void push_motion(ImVec2 to);
  void push_button(bool down, ImVec2 at);

  std::vector<ScriptCommand> commands_;
  ScriptHands hands_;
  std::size_t next_ = 0;
  std::deque<SDL_Event> events_;  // one an image, as a quick hand would
  int images_to_rest_ = 2;  // so that what was done shows before the next command, the window itself to begin with
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace throng::studio
