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

void ScriptRunner::push_button(bool down, ImVec2 at, Uint8 button) {
  SDL_Event event{};
  event.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
  event.button.windowID = SDL_GetWindowID(hands_.window);
  event.button.button = button;
  event.button.state = down ? SDL_PRESSED : SDL_RELEASED;
  event.button.x = static_cast<int>(at.x);
  event.button.y = static_cast<int>(at.y);
  events_.push_back(event);
}

ScriptRunner::Outcome ScriptRunner::click_with(PanelState& panels, const std::string& mark, Uint8 button) {
  const auto box = panels.marks.find(mark);
  if (!box) return fail("nothing in the window is marked '{}'", mark);
  push_motion(centre(*box));
  push_button(true, centre(*box), button);
  push_button(false, centre(*box), button);
  return true;
}

ScriptRunner::Outcome ScriptRunner::click(PanelState& panels, const std::string& rest) {
  return click_with(panels, rest, SDL_BUTTON_LEFT);
}

ScriptRunner::Outcome ScriptRunner::right_click(PanelState& panels, const std::string& rest) {
  return click_with(panels, rest, SDL_BUTTON_RIGHT);
}

// The same with the Ctrl key held, which adds to what is chosen.
ScriptRunner::Outcome ScriptRunner::ctrl_click(PanelState& panels, const std::string& rest) {
  const Uint32 window = SDL_GetWindowID(hands_.window);
  if (!panels.marks.find(rest)) return fail("nothing in the window is marked '{}'", rest);
  events_.push_back(key_event(true, SDLK_LCTRL, KMOD_LCTRL, window));
  auto clicked = click(panels, rest);
  events_.push_back(key_event(false, SDLK_LCTRL, KMOD_NONE, window));
  return clicked;
}

// drag MARK DX DY: from the middle of a widget by so many pixels. The mark may have spaces in it.
ScriptRunner::Outcome ScriptRunner::drag(PanelState& panels, const std::string& rest) {
  const std::size_t last = rest.rfind(' ');
  const std::size_t middle = last == std::string::npos ? last : rest.rfind(' ', last - 1);
  if (middle == std::string::npos) return fail("drag takes a mark and two numbers");
  const std::string name = rest.substr(0, middle);
  const auto box = panels.marks.find(name);
  float dx = 0.0f;
  float dy = 0.0f;
  if (!box) return fail("nothing in the window is marked '{}'", name);
  if (std::sscanf(rest.c_str() + middle, "%f %f", &dx, &dy) != 2)
    return fail("'{}' are not two numbers", rest.substr(middle + 1));
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
