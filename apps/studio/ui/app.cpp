// SPDX-License-Identifier: Apache-2.0
#include "ui/app.h"

#include <chrono>

#include "core/files/recent_files.h"
#include "gpu/window_device.h"
#include "throng/base/try.h"
#include "throng/character/image.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

constexpr int kLivelyImages = 4;  // that ImGui takes to settle after an event
constexpr int kPlayingMs = 15;
constexpr int kPlayingSoftlyMs = 40;
constexpr int kWorkingMs = 50;
constexpr int kIdleMs = 250;

bool is_unsaved(const Studio& studio) {
  return studio.result() && !studio.result()->from_file && studio.saved_as().empty();
}

}  // namespace

UiContext::UiContext() {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // the window remembers nothing between runs, and leaves no file behind
  io.BackendRendererName = "throng-studio";
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
}

UiContext::~UiContext() { ImGui::DestroyContext(); }

App::App(const AppSettings& settings, JobRunner& jobs, Window window)
    : studio_(jobs),
      window_(std::move(window)),
      input_(window_.get()),
      preview_({.device = settings.device, .validation = settings.validation}),
      batch_(jobs),
      panels_{jobs, studio_, preview_, wardrobe_, batch_, help_, marks_, window_.scale()},
      sources_(jobs),
      browser_(jobs),
      options_(jobs),
      preview_panel_(jobs),
      texture_panel_(jobs) {}

App::~App() = default;

Result<std::unique_ptr<App>> App::create(const AppSettings& settings, JobRunner& jobs) {
  THRONG_TRY(Window window, Window::create(settings.width, settings.height));
  std::unique_ptr<App> app(new App(settings, jobs, std::move(window)));
  THRONG_CHECK(app->set_up(settings));
  return app;
}

Result<void> App::set_up(const AppSettings& settings) {
  THRONG_TRY(device_, create_window_device(window_.get(), {.choice = settings.device,
                                                           .validation = settings.validation,
                                                           .on_validation_message = settings.on_validation_message}));
  THRONG_TRY(presenter_, Presenter::create(*device_, window_.pixels()));
  presenter_->pictures().put(Place::font, dress(panels_.scale));
  if (!settings.model.empty()) open(settings.model);
  if (settings.script.empty()) return {};
  script_.emplace(parse_script(settings.script),
                  ScriptHands{.open = [this](const std::string& model) { open(model); },
                              .take_picture = [this](const std::string& file) { picture_file_ = file; },
                              .quit = [this] { quit_ = true; },
                              .window = window_.get()});
  return {};
}

void App::open(const std::string& model) { sources_.open(panels_, model); }

void App::request_quit() {
  if (is_unsaved(studio_)) {
    ask_to_quit_ = true;
  } else {
    quit_ = true;
  }
}

// The window may close unless an asset is being written.
bool App::may_end() {
  if (quit_when_saved_ && studio_.activity() == Activity::idle) {
    quit_when_saved_ = false;
    quit_ = !studio_.saved_as().empty();
  }
  return quit_ && studio_.activity() != Activity::saving;
}

int App::rest_ms() const {
  if (lively_images_ > 0) return 0;
  // A processor that draws the window, too, has better to do than to draw it often.
  if (script_ || (preview_.has_model() && preview_.clock.playing))
    return device_->info().kind == DeviceKind::software ? kPlayingSoftlyMs : kPlayingMs;
  const bool staging = studio_.model() && !studio_.source() && studio_.source_problem().empty();
  const bool working = studio_.activity() != Activity::idle || staging || batch_.running() ||
                       (preview_.has_model() && !preview_.is_current());
  return working || ImGui::GetIO().WantTextInput ? kWorkingMs : kIdleMs;
}

Result<void> App::run() {
  using Clock = std::chrono::steady_clock;
  auto last = Clock::now();
  while (!may_end()) {
    handle_events(rest_ms());
    if (script_) {
      if (auto done = script_->step(panels_); !done) return done;
      if (script_->finished() && !quit_) quit_ = true;
    }
    const auto now = Clock::now();
    const double dt = std::chrono::duration<double>(now - last).count();
    last = now;
    if (auto shown = show_image(dt); !shown) return shown;
  }
  preview_.worker().stop();
  return {};
}

Result<void> App::show_image(double dt) {
  studio_.poll();
  batch_.poll();
  wardrobe_.follow(studio_.source());
  preview_.hidden = wardrobe_.hidden(studio_.form());
  if (!studio_.sources().model.empty() && remembered_ != studio_.sources().model) {
    remembered_ = studio_.sources().model;
    remember_file(recent_files_path(), remembered_);
  }
  const ImVec2 picture = preview_panel_.take_size();
  const ImVec2 pixels = ImGui::GetIO().DisplayFramebufferScale;
  const bool fresh =
      preview_.update({studio_.result(), studio_.source()}, dt, static_cast<std::uint32_t>(picture.x * pixels.x),
                      static_cast<std::uint32_t>(picture.y * pixels.y));
  if (fresh) presenter_->pictures().put(Place::preview, preview_.take_image());
  input_.begin_frame(dt);
  ImGui::NewFrame();
  draw();
  studio_.note_edits(ImGui::IsAnyItemActive());
  ImGui::Render();
  input_.end_frame();
  if (lively_images_ > 0) --lively_images_;
  if (picture_file_.empty()) return presenter_->show(*ImGui::GetDrawData(), window_.pixels());
  THRONG_TRY(const auto image, presenter_->show_and_read(*ImGui::GetDrawData(), window_.pixels()));
  if (!image) return {};  // not shown this time: with the next image
  return write_png(*image, std::exchange(picture_file_, ""));
}

void App::handle_events(int wait_ms) {
  SDL_Event event{};
  if (wait_ms > 0 && SDL_WaitEventTimeout(&event, wait_ms) == 1) handle(event);
  while (SDL_PollEvent(&event) == 1) handle(event);
}

void App::handle(SDL_Event& event) {
  lively_images_ = kLivelyImages;
  input_.handle(event);
  if (event.type == SDL_QUIT) request_quit();
  if (event.type == SDL_KEYDOWN) handle_key(event.key);
  if (event.type == SDL_DROPFILE) {
    open(event.drop.file);
    SDL_free(event.drop.file);
  }
}

void App::handle_chord(SDL_Keycode key, bool shift) {
  if (key == SDLK_b) studio_.bake();
  if (key == SDLK_s) studio_.save();
  if (key == SDLK_q) request_quit();
  if (key == SDLK_o) browser_.open(studio_.sources().model);
  if (ImGui::GetIO().WantTextInput) return;  // a line that is being typed has an undo of its own
  if (key == SDLK_z && !shift) studio_.undo();
  if (key == SDLK_y || (key == SDLK_z && shift)) studio_.redo();
}

void App::handle_key(const SDL_KeyboardEvent& event) {
  const SDL_Keycode key = event.keysym.sym;
  if ((event.keysym.mod & (KMOD_CTRL | KMOD_GUI)) != 0) {
    if (event.repeat == 0) handle_chord(key, (event.keysym.mod & KMOD_SHIFT) != 0);
    return;
  }
  if (ImGui::GetIO().WantTextInput) return;
  if (key == SDLK_SPACE && event.repeat == 0) preview_.clock.playing = !preview_.clock.playing;
  if (key == SDLK_ESCAPE) studio_.cancel();
  if (key == SDLK_LEFT) preview_.step(-1);
  if (key == SDLK_RIGHT) preview_.step(1);
  if (key == SDLK_f) preview_.look_from_start();
  if (key == SDLK_DELETE) preview_panel_.remove_selected_event(panels_);
}

}  // namespace throng::studio
