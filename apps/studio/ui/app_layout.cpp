// SPDX-License-Identifier: Apache-2.0
// How the window is divided: fields on the left, the preview and the report on the right, a line at the foot.

#include <algorithm>
#include <filesystem>

#include "console.h"
#include "ui/app.h"
#include "ui/bake_bar.h"
#include "ui/panels/batch_panel.h"
#include "ui/panels/event_panel.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

constexpr float kLeftShare = 0.29f, kLeastLeft = 350.0f, kMostLeftAtFirst = 470.0f, kLeastRight = 480.0f;
constexpr float kPreviewShare = 0.72f, kLeastPane = 110.0f;

std::string title_of(const Studio& studio) {
  if (studio.sources().model.empty()) return "Throng Studio";
  return std::filesystem::path(studio.sources().model).filename().string() + " – Throng Studio";
}

}  // namespace

void App::draw() {
  window_.set_title(title_of(studio_));
  marks_.clear();
  panels_.tip.clear();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.0f, 0.0f});
  ImGui::SetNextWindowSize(size);
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;
  ImGui::Begin("studio", nullptr, kFlags);
  if (left_width_ == 0.0f)
    left_width_ = std::clamp(kLeftShare * size.x, kLeastLeft * panels_.scale, kMostLeftAtFirst * panels_.scale);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float height = room.y - ImGui::GetTextLineHeightWithSpacing();
  draw_left(height);
  ImGui::SameLine(0.0f, 1.0f);
  splitter(panels_, "##columns", Divides::columns, height, left_width_, kLeastLeft * panels_.scale,
           room.x - kLeastRight * panels_.scale);
  ImGui::SameLine(0.0f, 1.0f);
  draw_right({room.x - left_width_ - kSplitterThickness - 2.0f, height});
  draw_status();
  draw_quit_question();
  draw_browser();
  ImGui::End();
  draw_tip(panels_);
}

void App::draw_fields() {
  if (!studio_.model() || !ImGui::BeginTabBar("fields")) return;
  struct Tab {
    const char* label;
    const char* mark;
    void (App::*draw)();
  };
  constexpr Tab kTabs[] = {{"Clips", "clips-tab", &App::draw_clips},
                           {"Parts", "parts-tab", &App::draw_parts},
                           {"Quality", "quality-tab", &App::draw_quality},
                           {"Contents", "contents-tab", &App::draw_contents}};
  for (const Tab& tab : kTabs) {
    const bool shown = ImGui::BeginTabItem(tab.label);
    marks_.add(tab.mark);
    if (!shown) continue;
    if (ImGui::BeginChild("tab", {0.0f, 0.0f})) (this->*tab.draw)();
    ImGui::EndChild();
    ImGui::EndTabItem();
  }
  ImGui::EndTabBar();
}

void App::draw_left(float height) {
  ImGui::BeginGroup();
  const float bar = bake_bar_height(panels_, left_width_);
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  if (ImGui::BeginChild("fields", {left_width_, height - bar - gap}, true)) {
    sources_.draw(panels_);
    draw_fields();
  }
  ImGui::EndChild();
  if (ImGui::BeginChild("bake-bar", {left_width_, bar}, true)) draw_bake_bar(panels_);
  ImGui::EndChild();
  ImGui::EndGroup();
}

// Beneath the picture: what there is to read about the model and its bake.
void App::draw_sheets() {
  if (!ImGui::BeginTabBar("sheets")) return;
  const auto sheet = [this](const char* label, const char* mark, ImGuiTabItemFlags flags, const auto& draw) {
    const bool shown = ImGui::BeginTabItem(label, nullptr, flags);
    marks_.add(mark);
    if (!shown) return;
    if (ImGui::BeginChild("sheet", {0.0f, 0.0f})) draw();
    ImGui::EndChild();
    ImGui::EndTabItem();
  };
  sheet("Report", "report-tab", 0, [this] { report_panel_.draw(panels_); });
  sheet("Events", "events-tab", 0, [this] { draw_events(panels_); });
  sheet("Materials", "materials-tab", 0, [this] { material_panel_.draw(panels_); });
  sheet("Animation texture", "texture-tab", 0, [this] { texture_panel_.draw(panels_, presenter_->pictures()); });
  const ImGuiTabItemFlags come_forward = std::exchange(show_batch_, false) ? ImGuiTabItemFlags_SetSelected : 0;
  if (!batch_.items().empty() || !batch_.problem().empty())
    sheet("Batch", "batch-tab", come_forward, [this] { draw_batch(panels_); });
  ImGui::EndTabBar();
}

void App::draw_right(ImVec2 size) {
  ImGui::BeginGroup();
  if (preview_height_ == 0.0f) preview_height_ = kPreviewShare * size.y;
  constexpr ImGuiWindowFlags kStill = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  if (ImGui::BeginChild("pictures", {size.x, preview_height_}, true, kStill)) preview_panel_.draw(panels_);
  ImGui::EndChild();
  splitter(panels_, "##rows", Divides::rows, size.x, preview_height_, kLeastPane, size.y - kLeastPane);
  const float used = preview_height_ + kSplitterThickness + 2.0f * ImGui::GetStyle().ItemSpacing.y;
  if (ImGui::BeginChild("sheets", {size.x, size.y - used}, true, kStill)) draw_sheets();
  ImGui::EndChild();
  ImGui::EndGroup();
}

void App::draw_browser() {
  if (sources_.take_browse()) browser_.open(studio_.sources().model);
  const auto choice = browser_.draw(panels_);
  if (!choice) return;
  if (!choice->batch) return open(choice->files.front());
  batch_.start(choice->files, studio_.form(), "");
  show_batch_ = true;
}

void App::draw_status() {
  std::string text = device_->info().name;
  const DrawnPreview& drawn = preview_.drawn();
  const Image& image = drawn.picture.image;
  if (image.width > 0)
    text += fmt::format("   preview {} × {} in {:.0f} ms", image.width, image.height, 1000.0 * drawn.seconds);
  const char* keys =
      "Ctrl+O open   Ctrl+B bake   Ctrl+S save   Ctrl+Z undo   Space play   ← → frame   F look from the start";
  const float width = text_width(keys);
  const float room = ImGui::GetContentRegionAvail().x - width - 2.0f * ImGui::GetStyle().ItemSpacing.x;
  ImGui::TextDisabled("%s", fitting_name(text, room).c_str());
  ImGui::SameLine(ImGui::GetWindowWidth() - width - ImGui::GetStyle().WindowPadding.x);
  ImGui::TextDisabled("%s", keys);
}

void App::draw_quit_question() {
  constexpr const char* kTitle = "The bake is not written";
  if (std::exchange(ask_to_quit_, false)) ImGui::OpenPopup(kTitle);
  if (!ImGui::BeginPopupModal(kTitle, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings))
    return;
  ImGui::TextUnformatted(fmt::format("Write it to {} first?", printable(studio_.output())).c_str());
  if (main_button("Save and quit", {0.0f, 0.0f})) {
    studio_.save();
    quit_when_saved_ = true;
    ImGui::CloseCurrentPopup();
  }
  marks_.add("save-and-quit");
  ImGui::SameLine();
  if (ImGui::Button("Quit")) quit_ = true;
  marks_.add("quit");
  ImGui::SameLine();
  if (ImGui::Button("Stay") || ImGui::IsKeyPressed(SDL_SCANCODE_ESCAPE, false)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace throng::studio
