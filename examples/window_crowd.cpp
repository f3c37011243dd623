// SPDX-License-Identifier: Apache-2.0
// A crowd in a window. The scene is drawn into memory and shown through SDL's own renderer, so it runs wherever SDL
// opens a window; own_engine.cpp shows how to draw into images of your own, without the way through memory.
//   window_crowd ASSET.throng.glb [--images N]        drag to look around; N: stop after that many

#include <SDL.h>
#include <fmt/format.h>
#include <throng/base/try.h>
#include <throng/character/file.h>
#include <throng/gpu/device.h>
#include <throng/playback/crowd.h>
#include <throng/scene/scene_renderer.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace {

constexpr int kWidth = 960;
constexpr int kHeight = 540;
constexpr int kNoWindow = 77;  // what test runners take for "skipped"

struct Window {
  Window() {
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return;
    window = SDL_CreateWindow("Throng", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, kWidth, kHeight, 0);
    if (window != nullptr) renderer = SDL_CreateRenderer(window, -1, 0);
    if (renderer != nullptr)
      picture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING, kWidth, kHeight);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() {
    if (picture != nullptr) SDL_DestroyTexture(picture);
    if (renderer != nullptr) SDL_DestroyRenderer(renderer);
    if (window != nullptr) SDL_DestroyWindow(window);
    SDL_Quit();
  }

  void show(const throng::Image& image) const {
    SDL_UpdateTexture(picture, nullptr, image.rgba.data(), kWidth * 4);
    SDL_RenderCopy(renderer, picture, nullptr, nullptr);
    SDL_RenderPresent(renderer);
  }

  SDL_Window* window = nullptr;
  SDL_Renderer* renderer = nullptr;
  SDL_Texture* picture = nullptr;
};

throng::Result<throng::Crowd> gather(const throng::Character& asset) {
  throng::Crowd crowd(asset);
  for (std::uint32_t i = 0; i < 400; ++i) {
    throng::Spawn spawn;
    spawn.placement.position = {1.1f * static_cast<float>(i % 20), 0.0f, -1.1f * static_cast<float>(i / 20)};
    spawn.play = {.clip = throng::ClipId(i * 7 % static_cast<std::uint32_t>(asset.clips().size())), .offset = 0.13 * i};
    spawn.look.variation = i;
    THRONG_CHECK(crowd.add(spawn, 0));
  }
  return crowd;
}

throng::Result<void> show(const char* asset_file, const Window& window, int images) {
  THRONG_TRY(const throng::Character asset, throng::read_character(asset_file));
  THRONG_TRY(const throng::Crowd crowd, gather(asset));
  // Compiled pipelines are kept for the next start.
  THRONG_TRY(const throng::Device device, throng::Device::create({.cache_folder = throng::default_cache_folder()}));
  throng::SceneSettings settings{.width = kWidth, .height = kHeight};
  settings.shadow_size = 1024;  // a software driver draws it too
  THRONG_TRY(throng::SceneRenderer scene, throng::SceneRenderer::create(device.context(), settings));
  THRONG_CHECK(scene.add(asset));
  THRONG_CHECK(scene.update(crowd));

  throng::Clock clock;
  double yaw = 28.0, pitch = 14.0;
  Uint64 before = SDL_GetTicks64();
  for (int shown = 0; images == 0 || shown < images; ++shown) {
    for (SDL_Event event; SDL_PollEvent(&event) != 0;) {
      if (event.type == SDL_QUIT) return {};
      if (event.type != SDL_MOUSEMOTION || (event.motion.state & SDL_BUTTON_LMASK) == 0) continue;
      yaw -= 0.3 * event.motion.xrel;
      pitch = std::clamp(pitch + 0.3 * event.motion.yrel, 2.0, 80.0);
    }
    const Uint64 now = SDL_GetTicks64();
    clock.advance(1e-3 * static_cast<double>(now - std::exchange(before, now)));
    const double aspect = static_cast<double>(kWidth) / kHeight;
    THRONG_TRY(const throng::Image image,
               scene.render(throng::frame_bounds(scene.bounds(), aspect, yaw, pitch), clock.now()));
    window.show(image);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const bool counted = argc == 4 && std::string_view(argv[2]) == "--images";
  if (argc != 2 && !counted) {
    fmt::print(stderr, "usage: window_crowd ASSET.throng.glb [--images N]\n");
    return 2;
  }
  const Window window;
  if (window.picture == nullptr) {
    fmt::print(stderr, "no window: {}\n", SDL_GetError());
    return kNoWindow;
  }
  if (const auto shown = show(argv[1], window, counted ? std::atoi(argv[3]) : 0); !shown) {
    fmt::print(stderr, "{}\n", shown.error().message);
    return 1;
  }
}
