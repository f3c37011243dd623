// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program: a window, what is in it, and the loop that keeps it going.

#include <functional>
#include <memory>
#include <optional>

#include "core/batch.h"
#include "gpu/presenter.h"
#include "throng/gpu/device.h"
#include "ui/file_browser.h"
#include "ui/input.h"
#include "ui/panels/clip_panel.h"
#include "ui/panels/material_panel.h"
#include "ui/panels/options_panel.h"
#include "ui/panels/part_panel.h"
#include "ui/panels/preview_panel.h"
#include "ui/panels/report_panel.h"
#include "ui/panels/source_panel.h"
#include "ui/panels/texture_panel.h"
#include "ui/script_runner.h"
#include "ui/window.h"

namespace throng::studio {

struct AppSettings {
  std::string model = {};   // to open at once
  std::string script = {};  // the text of one; empty: a user
  std::string device = {};
  bool validation = false;
  // What the validation layer says of the window, also while it goes away; from any thread, one at a time.
  std::function<void(const std::string&)> on_validation_message = {};
  int width = 1600;
  int height = 960;
};

// An ImGui context that is current while it lives.
class UiContext {
 public:
  UiContext();
  UiContext(const UiContext&) = delete;
  UiContext& operator=(const UiContext&) = delete;
  ~UiContext();
};

class App {
 public:
  // The runner is the caller's: threads left to themselves may be at work when the window is gone.
  static Result<std::unique_ptr<App>> create(const AppSettings& settings, JobRunner& jobs);
  App(const App&) = delete;
  App& operator=(const App&) = delete;
  ~App();

  // Until the user quits, or the script ends.
  Result<void> run();
  // What the validation layer said about the preview; whole when run() has returned.
  std::vector<std::string> preview_messages() { return preview_.worker().validation_messages(); }

 private:
  App(const AppSettings& settings, JobRunner& jobs, Window window);
  Result<void> set_up(const AppSettings& settings);

  void handle_events(int wait_ms);
  void handle(SDL_Event& event);
  void handle_key(const SDL_KeyboardEvent& event);
  void handle_chord(SDL_Keycode key, bool shift);
  void request_quit();
  bool may_end();
  void open(const std::string& model);

  Result<void> show_image(double dt);
  void draw();
  void draw_left(float height);
  void draw_fields();
  void draw_clips() { clips_.draw(panels_); }
  void draw_parts() { parts_.draw(panels_); }
  void draw_quality() { options_.draw_quality(panels_); }
  void draw_contents() { options_.draw_contents(panels_); }
  void draw_sheets();
  void draw_browser();
  void draw_right(ImVec2 size);
  void draw_status();
  void draw_quit_question();
  // Milliseconds that nothing needs to be drawn for, unless something happens.
  int rest_ms() const;

  Studio studio_;
  OptionHelp help_;
  Marks marks_;
  Window window_;
  UiContext ui_;
  std::optional<Device> device_;
  std::unique_ptr<Presenter> presenter_;
  Input input_;
  Preview preview_;
  Wardrobe wardrobe_;
  Batch batch_;
  PanelState panels_;

  SourcePanel sources_;
  FileBrowser browser_;
  ClipPanel clips_;
  PartPanel parts_;
  OptionsPanel options_;
  PreviewPanel preview_panel_;
  TexturePanel texture_panel_;
  ReportPanel report_panel_;
  MaterialPanel material_panel_;
  std::optional<ScriptRunner> script_;

  float left_width_ = 0.0f;
  float preview_height_ = 0.0f;
  std::string picture_file_;  // that the next image is written to
  bool show_batch_ = false;
  std::string remembered_;  // the model that was put among the recent ones last
  bool quit_ = false;
  bool ask_to_quit_ = false;
  bool quit_when_saved_ = false;
  int lively_images_ = 0;  // to draw at once, since something has just happened
};

}  // namespace throng::studio
