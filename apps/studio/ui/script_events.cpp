// SPDX-License-Identifier: Apache-2.0
// The commands of a script that go the way of a hand: events in SDL's queue, for the pointer and the keys.

#include <algorithm>
#include <cctype>
#include <cstring>

#include "ui/script_runner.h"

namespace throng::studio {
namespace {

ImVec2 centre(const Marks::Box& box) { return {(box.min.x + box.max.x) / 2.0f, (box.min.y + box.max.y) / 2.0f}; }

SDL_Event key_event(bool down, SDL_Keycode code, Uint16 modifiers, Uint32 window) {
  SDL_Event event{};
  event.type = down ? SDL_KEYDOWN : SDL_KEYUP;
  event.key.windowID = window;
  event.key.state = down ? SDL_PRESSED : SDL_RELEASED;
  event.key.keysym.sym = code;
  event.key.keysym.scancode = SDL_GetScancodeFromKey(code);
  event.key.keysym.mod = modifiers;
  return event;
}

}  // namespace

void ScriptRunner::push_motion(ImVec2 to) {
  SDL_Event event{};
  event.type = SDL_MOUSEMOTION;
  event.motion.windowID = SDL_GetWindowID(hands_.window);
  event.motion.x = static_cast<int>(to.x);
  event.motion.y = static_cast<int>(to.y);
  events_.push_back(event);
}

void ScriptRunner::push_button(bool down, ImVec2 at) {
  SDL_Event event{};
  event.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
  event.button.windowID = SDL_GetWindowID(hands_.window);
  event.button.button = SDL_BUTTON_LEFT;
  event.button.state = down ? SDL_PRESSED : SDL_RELEASED;
  event.button.x = static_cast<int>(at.x);
  event.button.y = static_cast<int>(at.y);
  events_.push_back(event);
}

ScriptRunner::Outcome ScriptRunner::click(PanelState& panels, const std::string& rest) {
  const auto box = panels.marks.find(rest);
  if (!box) return fail("nothing in the window is marked '{}'", rest);
  push_motion(centre(*box));
  push_button(true, centre(*box));
  push_button(false, centre(*box));
  return true;
}

// drag MARK DX DY: from the middle of a widget by so many pixels.
ScriptRunner::Outcome ScriptRunner::drag(PanelState& panels, const std::string& rest) {
  const auto [name, by] = split_first(rest);
  const auto box = panels.marks.find(name);
  float dx = 0.0f;
  float dy = 0.0f;
  if (!box) return fail("nothing in the window is marked '{}'", name);
  if (std::sscanf(by.c_str(), "%f %f", &dx, &dy) != 2) return fail("'{}' are not two numbers", by);
  const ImVec2 from = centre(*box);
  const ImVec2 to(from.x + dx, from.y + dy);
  push_motion(from);
  push_button(true, from);
  push_motion(to);
  push_button(false, to);
  return true;
}

// key ctrl+b
ScriptRunner::Outcome ScriptRunner::key(PanelState& /*panels*/, const std::string& rest) {
  std::string name = rest;
  Uint16 modifiers = KMOD_NONE;
  for (const auto& [prefix, flag] : {std::pair{"ctrl+", KMOD_LCTRL}, std::pair{"shift+", KMOD_LSHIFT}}) {
    if (!name.starts_with(prefix)) continue;
    name.erase(0, std::strlen(prefix));
    modifiers = static_cast<Uint16>(modifiers | flag);
  }
  const SDL_Keycode code = SDL_GetKeyFromName(name.c_str());
  if (code == SDLK_UNKNOWN) return fail("'{}' is no key", rest);
  const Uint32 window = SDL_GetWindowID(hands_.window);
  events_.push_back(key_event(true, code, modifiers, window));
  events_.push_back(key_event(false, code, KMOD_NONE, window));
  return true;
}

ScriptRunner::Outcome ScriptRunner::type(PanelState& /*panels*/, const std::string& rest) {
  // A letter an event; those of several bytes stay whole.
  for (std::size_t i = 0; i < rest.size();) {
    std::size_t end = i + 1;
    while (end < rest.size() && (static_cast<unsigned char>(rest[end]) & 0xC0u) == 0x80u) ++end;
    SDL_Event event{};
    event.type = SDL_TEXTINPUT;
    event.text.windowID = SDL_GetWindowID(hands_.window);
    std::memcpy(event.text.text, rest.data() + i, std::min<std::size_t>(end - i, sizeof event.text.text - 1));
    events_.push_back(event);
    i = end;
  }
  return true;
}

ScriptRunner::Outcome ScriptRunner::drop(PanelState& /*panels*/, const std::string& rest) {
  SDL_Event event{};
  event.type = SDL_DROPFILE;
  event.drop.windowID = SDL_GetWindowID(hands_.window);
  event.drop.file = SDL_strdup(rest.c_str());  // whoever handles the event frees it
  events_.push_back(event);
  return true;
}

}  // namespace throng::studio
