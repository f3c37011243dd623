// SPDX-License-Identifier: Apache-2.0
// How the window is divided: fields on the left, the preview and the report on the right, a line at the foot.

#include <filesystem>

#include "console.h"
#include "ui/app.h"
#include "ui/bake_bar.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

constexpr float kLeftWidth = 430.0f, kLeastLeft = 340.0f, kLeastRight = 480.0f;
constexpr float kPreviewShare = 0.62f, kLeastPane = 140.0f;

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
  if (left_width_ == 0.0f) left_width_ = kLeftWidth * panels_.scale;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float height = room.y - ImGui::GetTextLineHeightWithSpacing();
  draw_left(height);
  ImGui::SameLine(0.0f, 1.0f);
  splitter("##columns", Divides::columns, height, left_width_, kLeastLeft * panels_.scale,
           room.x - kLeastRight * panels_.scale);
  ImGui::SameLine(0.0f, 1.0f);
  draw_right({room.x - left_width_ - kSplitterThickness - 2.0f, height});
  draw_status();
  draw_quit_question();
  ImGui::End();
  draw_tip(panels_);
}

void App::draw_left(float height) {
  ImGui::BeginGroup();
  const float bar = bake_bar_height(panels_);
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  if (ImGui::BeginChild("fields", {left_width_, height - bar - gap}, true)) {
    sources_.draw(panels_);
    if (studio_.model()) {
      clips_.draw(panels_);
      options_.draw(panels_);
    }
  }
  ImGui::EndChild();
  if (ImGui::BeginChild("bake-bar", {left_width_, bar}, true)) draw_bake_bar(panels_);
  ImGui::EndChild();
  ImGui::EndGroup();
}

void App::draw_right(ImVec2 size) {
  ImGui::BeginGroup();
  if (preview_height_ == 0.0f) preview_height_ = kPreviewShare * size.y;
  constexpr ImGuiWindowFlags kStill = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  if (ImGui::BeginChild("pictures", {size.x, preview_height_}, true, kStill)) {
    if (ImGui::BeginTabBar("views")) {
      if (ImGui::BeginTabItem("Preview")) {
        preview_panel_.draw(panels_);
        ImGui::EndTabItem();
      }
      panels_.marks.add("preview-tab");
      if (ImGui::BeginTabItem("Animation texture")) {
        texture_panel_.draw(panels_, presenter_->pictures());
        ImGui::EndTabItem();
      }
      panels_.marks.add("texture-tab");
      ImGui::EndTabBar();
    }
  }
  ImGui::EndChild();
  splitter("##rows", Divides::rows, size.x, preview_height_, kLeastPane, size.y - kLeastPane);
  const float used = preview_height_ + kSplitterThickness + 2.0f * ImGui::GetStyle().ItemSpacing.y;
  if (ImGui::BeginChild("report", {size.x, size.y - used}, true)) report_panel_.draw(panels_);
  ImGui::EndChild();
  ImGui::EndGroup();
}

void App::draw_status() {
  std::string text = device_->info().name;
  const PreviewFrame& frame = preview_.frame();
  if (frame.image.width > 0) {
    text +=
        fmt::format("   preview {} × {} in {:.0f} ms", frame.image.width, frame.image.height, 1000.0 * frame.seconds);
  }
  ImGui::TextDisabled("%s", text.c_str());
  const char* keys = "Ctrl+O open   Ctrl+B bake   Ctrl+S save   Space play   ← → frame   F look from the start";
  const float width = ImGui::CalcTextSize(keys).x;
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
