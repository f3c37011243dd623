// SPDX-License-Identifier: Apache-2.0
#pragma once
// The window itself, as the system has it.

#include <SDL.h>

#include <memory>

#include "throng/base/result.h"
#include "throng/gpu/device.h"

namespace throng::studio {

class Window {
 public:
  // Starts SDL; the error says what is missing, such as a display.
  static Result<Window> create(int width, int height);
  Window(Window&&) noexcept = default;
  Window& operator=(Window&&) = delete;

  SDL_Window* get() const { return window_.get(); }
  VkExtent2D pixels() const;  // none while it is minimised
  void set_title(const std::string& title);
  // How much larger than usual its display wants things: 1, 1.25, … 3.
  float scale() const;

 private:
  struct Quit {
    void operator()(bool* started) const;
  };
  struct Destroy {
    void operator()(SDL_Window* window) const { SDL_DestroyWindow(window); }
  };
  Window() = default;

  std::unique_ptr<bool, Quit> sdl_;  // goes after the window
  std::unique_ptr<SDL_Window, Destroy> window_;
  std::string title_;
};

}  // namespace throng::studio
