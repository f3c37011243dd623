// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the user does, from SDL's events to Dear ImGui. Goes by events alone, never by the state of the devices, so that
// events that are pushed (by tests, by scripts) count as much as those of a hand.

#include <SDL.h>
#include <imgui.h>

#include <array>

namespace throng::studio {

class Input {
 public:
  // For the current ImGui context, which must outlive it.
  explicit Input(SDL_Window* window);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  void handle(const SDL_Event& event);
  // Before ImGui::NewFrame: sizes, the time that passed, buttons.
  void begin_frame(double dt);
  // After it: the pointer's shape.
  void end_frame();

 private:
  void handle_key(const SDL_KeyboardEvent& event);
  void handle_button(const SDL_MouseButtonEvent& event);

  static constexpr std::size_t kButtons = 3;

  SDL_Window* window_;
  std::array<bool, kButtons> held_{};
  std::array<bool, kButtons> clicked_{};  // since the last image: a click shorter than that counts as well
  std::array<SDL_Cursor*, ImGuiMouseCursor_COUNT> cursors_{};
  ImGuiMouseCursor shown_cursor_ = ImGuiMouseCursor_Arrow;
};

}  // namespace throng::studio
