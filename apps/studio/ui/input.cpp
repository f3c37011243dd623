// SPDX-License-Identifier: Apache-2.0
#include "ui/input.h"

#include <algorithm>
#include <cfloat>
#include <cstdint>
#include <utility>

namespace throng::studio {
namespace {

constexpr std::pair<ImGuiKey, SDL_Scancode> kKeys[] = {{ImGuiKey_Tab, SDL_SCANCODE_TAB},
                                                       {ImGuiKey_LeftArrow, SDL_SCANCODE_LEFT},
                                                       {ImGuiKey_RightArrow, SDL_SCANCODE_RIGHT},
                                                       {ImGuiKey_UpArrow, SDL_SCANCODE_UP},
                                                       {ImGuiKey_DownArrow, SDL_SCANCODE_DOWN},
                                                       {ImGuiKey_PageUp, SDL_SCANCODE_PAGEUP},
                                                       {ImGuiKey_PageDown, SDL_SCANCODE_PAGEDOWN},
                                                       {ImGuiKey_Home, SDL_SCANCODE_HOME},
                                                       {ImGuiKey_End, SDL_SCANCODE_END},
                                                       {ImGuiKey_Insert, SDL_SCANCODE_INSERT},
                                                       {ImGuiKey_Delete, SDL_SCANCODE_DELETE},
                                                       {ImGuiKey_Backspace, SDL_SCANCODE_BACKSPACE},
                                                       {ImGuiKey_Space, SDL_SCANCODE_SPACE},
                                                       {ImGuiKey_Enter, SDL_SCANCODE_RETURN},
                                                       {ImGuiKey_Escape, SDL_SCANCODE_ESCAPE},
                                                       {ImGuiKey_KeyPadEnter, SDL_SCANCODE_KP_ENTER},
                                                       {ImGuiKey_A, SDL_SCANCODE_A},
                                                       {ImGuiKey_C, SDL_SCANCODE_C},
                                                       {ImGuiKey_V, SDL_SCANCODE_V},
                                                       {ImGuiKey_X, SDL_SCANCODE_X},
                                                       {ImGuiKey_Y, SDL_SCANCODE_Y},
                                                       {ImGuiKey_Z, SDL_SCANCODE_Z}};

constexpr std::pair<ImGuiMouseCursor, SDL_SystemCursor> kCursors[] = {
    {ImGuiMouseCursor_Arrow, SDL_SYSTEM_CURSOR_ARROW},       {ImGuiMouseCursor_TextInput, SDL_SYSTEM_CURSOR_IBEAM},
    {ImGuiMouseCursor_ResizeAll, SDL_SYSTEM_CURSOR_SIZEALL}, {ImGuiMouseCursor_ResizeNS, SDL_SYSTEM_CURSOR_SIZENS},
    {ImGuiMouseCursor_ResizeEW, SDL_SYSTEM_CURSOR_SIZEWE},   {ImGuiMouseCursor_Hand, SDL_SYSTEM_CURSOR_HAND},
    {ImGuiMouseCursor_NotAllowed, SDL_SYSTEM_CURSOR_NO}};

const char* clipboard_text(void* /*unused*/) {
  static char* text = nullptr;  // lives until the next call, as ImGui asks
  SDL_free(text);
  text = SDL_GetClipboardText();
  return text;
}

void set_clipboard_text(void* /*unused*/, const char* text) { SDL_SetClipboardText(text); }

// ImGui counts left, right, middle.
int button_index(std::uint8_t button) {
  if (button == SDL_BUTTON_LEFT) return 0;
  if (button == SDL_BUTTON_RIGHT) return 1;
  return button == SDL_BUTTON_MIDDLE ? 2 : -1;
}

}  // namespace

Input::Input(SDL_Window* window) : window_(window) {
  ImGuiIO& io = ImGui::GetIO();
  io.BackendPlatformName = "throng-studio";
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  for (const auto& [key, code] : kKeys) io.KeyMap[key] = code;
  for (const auto& [shape, system] : kCursors)
    cursors_[static_cast<std::size_t>(shape)] = SDL_CreateSystemCursor(system);
  io.GetClipboardTextFn = clipboard_text;
  io.SetClipboardTextFn = set_clipboard_text;
}

Input::~Input() {
  for (SDL_Cursor* cursor : cursors_) SDL_FreeCursor(cursor);
}

void Input::handle_key(const SDL_KeyboardEvent& event) {
  ImGuiIO& io = ImGui::GetIO();
  const int code = event.keysym.scancode;
  if (code >= 0 && code < IM_ARRAYSIZE(io.KeysDown)) io.KeysDown[code] = event.type == SDL_KEYDOWN;
  io.KeyShift = (event.keysym.mod & KMOD_SHIFT) != 0;
  io.KeyCtrl = (event.keysym.mod & KMOD_CTRL) != 0;
  io.KeyAlt = (event.keysym.mod & KMOD_ALT) != 0;
  io.KeySuper = (event.keysym.mod & KMOD_GUI) != 0;
}

void Input::handle_button(const SDL_MouseButtonEvent& event) {
  const int index = button_index(event.button);
  if (index < 0) return;
  const auto button = static_cast<std::size_t>(index);
  held_[button] = event.type == SDL_MOUSEBUTTONDOWN;
  clicked_[button] = clicked_[button] || held_[button];
  ImGui::GetIO().MousePos = {static_cast<float>(event.x), static_cast<float>(event.y)};
  // So that a drag that leaves the window ends where the button is let go.
  SDL_CaptureMouse(held_[0] || held_[1] || held_[2] ? SDL_TRUE : SDL_FALSE);
}

void Input::handle(const SDL_Event& event) {
  ImGuiIO& io = ImGui::GetIO();
  switch (event.type) {
    case SDL_MOUSEMOTION:
      io.MousePos = {static_cast<float>(event.motion.x), static_cast<float>(event.motion.y)};
      break;
    case SDL_MOUSEWHEEL:
      io.MouseWheel += event.wheel.preciseY;
      io.MouseWheelH += event.wheel.preciseX;
      break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      handle_button(event.button);
      break;
    case SDL_TEXTINPUT:
      io.AddInputCharactersUTF8(event.text.text);
      break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
      handle_key(event.key);
      break;
    case SDL_WINDOWEVENT:
      if (event.window.event == SDL_WINDOWEVENT_LEAVE && !held_[0]) io.MousePos = {-FLT_MAX, -FLT_MAX};
      if (event.window.event == SDL_WINDOWEVENT_FOCUS_GAINED) io.AddFocusEvent(true);
      if (event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) io.AddFocusEvent(false);
      break;
    default:
      break;
  }
}

void Input::begin_frame(double dt) {
  constexpr float kShortest = 1e-4f;
  ImGuiIO& io = ImGui::GetIO();
  int width = 0;
  int height = 0;
  int pixels_wide = 0;
  int pixels_high = 0;
  SDL_GetWindowSize(window_, &width, &height);
  SDL_GetWindowSizeInPixels(window_, &pixels_wide, &pixels_high);
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  if (width > 0 && height > 0) {
    io.DisplayFramebufferScale = {static_cast<float>(pixels_wide) / static_cast<float>(width),
                                  static_cast<float>(pixels_high) / static_cast<float>(height)};
  }
  io.DeltaTime = std::max(static_cast<float>(dt), kShortest);
  for (std::size_t i = 0; i < kButtons; ++i) io.MouseDown[i] = held_[i] || clicked_[i];
  clicked_ = {};
}

void Input::end_frame() {
  const ImGuiMouseCursor wanted = ImGui::GetMouseCursor();
  if (wanted == shown_cursor_ || wanted < 0) return;
  shown_cursor_ = wanted;
  SDL_Cursor* cursor = cursors_[static_cast<std::size_t>(wanted)];
  SDL_SetCursor(cursor == nullptr ? cursors_[0] : cursor);
}

}  // namespace throng::studio
