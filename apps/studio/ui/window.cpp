// SPDX-License-Identifier: Apache-2.0
#include "ui/window.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "throng/base/try.h"

namespace throng::studio {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value != nullptr && *value != '\0';
}

// Asked before SDL: without a display it takes a driver that shows nothing, and complains of what that cannot do.
Result<void> check_display() {
  for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "SDL_VIDEODRIVER"})
    if (is_set(variable)) return {};
  return fail(
      "the window cannot be opened: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set); 'throng bake' "
      "needs none, and 'xvfb-run throng-studio' makes a virtual one");
}

}  // namespace

void Window::Quit::operator()(bool* started) const {
  SDL_Quit();
  delete started;
}

Result<Window> Window::create(int width, int height) {
  THRONG_CHECK(check_display());
  SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");  // the click that brings it to the front counts too
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");        // Ctrl+C in the terminal ends it as it ends any program
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return fail("the window cannot be opened: {}", SDL_GetError());
  Window made;
  made.sdl_.reset(new bool(true));
  constexpr Uint32 kFlags = SDL_WINDOW_VULKAN | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
  made.window_.reset(
      SDL_CreateWindow("Throng Studio", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height, kFlags));
  if (!made.window_) return fail("the window cannot be opened: {}", SDL_GetError());
  SDL_SetWindowMinimumSize(made.get(), 900, 600);
  SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
  SDL_StartTextInput();
  return made;
}

VkExtent2D Window::pixels() const {
  if ((SDL_GetWindowFlags(get()) & SDL_WINDOW_MINIMIZED) != 0) return {0, 0};
  int width = 0;
  int height = 0;
  SDL_GetWindowSizeInPixels(get(), &width, &height);
  return {static_cast<std::uint32_t>(std::max(width, 0)), static_cast<std::uint32_t>(std::max(height, 0))};
}

void Window::set_title(const std::string& title) {
  if (title == title_) return;
  title_ = title;
  SDL_SetWindowTitle(get(), title.c_str());
}

float Window::scale() const {
  constexpr float kUsual = 96.0f;  // dots an inch
  float dots = kUsual;
  if (SDL_GetDisplayDPI(std::max(SDL_GetWindowDisplayIndex(get()), 0), nullptr, &dots, nullptr) != 0) return 1.0f;
  return std::clamp(std::round(dots / kUsual * 4.0f) / 4.0f, 1.0f, 3.0f);
}

}  // namespace throng::studio
