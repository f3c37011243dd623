// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/preview_panel.h"

#include <algorithm>
#include <cmath>

#include "console.h"
#include "gpu/ui_renderer.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

constexpr int kLargestCrowd = 2000;

void centred(const std::string& text, ImVec2 min, ImVec2 max, const ImVec4& colour) {
  const float wrap = 0.8f * (max.x - min.x);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap);
  const ImVec2 at((min.x + max.x - size.x) / 2.0f, (min.y + max.y - size.y) / 2.0f);
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, ImGui::GetColorU32(colour),
                                      text.c_str(), nullptr, wrap);
}

// The part of a picture that fills a box of another shape.
struct Crop {
  ImVec2 uv_min;
  ImVec2 uv_max;
};
Crop cover(const Image& image, ImVec2 box) {
  const float picture = static_cast<float>(image.width) / static_cast<float>(image.height);
  const float shape = box.x / box.y;
  const float x = std::min(1.0f, shape / picture);
  const float y = std::min(1.0f, picture / shape);
  return {{0.5f - 0.5f * x, 0.5f - 0.5f * y}, {0.5f + 0.5f * x, 0.5f + 0.5f * y}};
}

std::string idle_text(const Studio& studio) {
  if (studio.activity() == Activity::opening) return "Reading the model …";
  if (studio.activity() == Activity::baking) return "Baking …";
  return studio.model() ? "Bake (Ctrl+B) to see it here." : "Open a model.";
}

}  // namespace

void PreviewPanel::follow_pointer(PanelState& panels, float height) {
  Preview& preview = panels.preview;
  const ImGuiIO& io = ImGui::GetIO();
  const glm::dvec2 moved(io.MouseDelta.x / height, io.MouseDelta.y / height);
  if (ImGui::IsItemActive()) {
    const bool shifting = ImGui::IsMouseDown(1) || ImGui::IsMouseDown(2) || io.KeyShift;
    if (shifting) {
      preview.orbit.shift(moved);
    } else {
      preview.orbit.turn(moved);
    }
  }
  if (!ImGui::IsItemHovered()) return;
  if (io.MouseWheel != 0.0f) preview.orbit.approach(io.MouseWheel);
  if (ImGui::IsMouseDoubleClicked(0)) preview.look_from_start();
}

void PreviewPanel::draw_picture(PanelState& panels, ImVec2 size) {
  constexpr ImGuiButtonFlags kAnyButton =
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle;
  ImGui::InvisibleButton("##picture", size, kAnyButton);
  panels.marks.add("picture");
  follow_pointer(panels, size.y);
  const ImVec2 min = ImGui::GetItemRectMin();
  const ImVec2 max = ImGui::GetItemRectMax();
  ImDrawList& shapes = *ImGui::GetWindowDrawList();
  const PreviewFrame& frame = panels.preview.frame();
  if (!panels.preview.has_model()) {
    shapes.AddRectFilled(min, max, ImGui::GetColorU32(ImGuiCol_WindowBg), 4.0f);
    centred(idle_text(panels.studio), min, max, colour::kQuiet);
  } else if (frame.image.width == 0) {
    shapes.AddRectFilled(min, max, ImGui::GetColorU32(ImGuiCol_WindowBg), 4.0f);
    if (frame.error.empty()) centred("Setting the stage …", min, max, colour::kQuiet);
  } else {
    const Crop crop = cover(frame.image, size);
    shapes.AddImageRounded(texture_id(Place::preview), min, max, crop.uv_min, crop.uv_max, IM_COL32_WHITE, 4.0f);
  }
  if (!frame.error.empty()) centred(frame.error, min, max, colour::kProblem);
}

void PreviewPanel::draw_time(PanelState& panels) {
  Preview& preview = panels.preview;
  const BakedClip& clip = preview.baked_clip();
  if (ImGui::Button(preview.clock.playing ? "Pause" : "Play", {64.0f * panels.scale, 0.0f}))
    preview.clock.playing = !preview.clock.playing;
  panels.marks.add("play");
  tip(panels, "Space");
  ImGui::SameLine();
  ImGui::BeginDisabled(!preview.shows_one());
  if (ImGui::ArrowButton("##back", ImGuiDir_Left)) preview.step(-1);
  tip(panels, "One frame back. Left arrow");
  ImGui::SameLine(0.0f, 2.0f);
  if (ImGui::ArrowButton("##on", ImGuiDir_Right)) preview.step(1);
  tip(panels, "One frame on. Right arrow");
  ImGui::EndDisabled();
  ImGui::SameLine();
  auto seconds = static_cast<float>(preview.clock.seconds);
  const auto length = static_cast<float>(clip.length);
  const std::string text = preview.shows_one() ? fmt::format("%.3f s of {:.3f} s, frame {:.1f} of {}", length,
                                                             seconds * clip.rate(), clip.frame_count)
                                               : std::string("%.2f s");
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ImGui::SliderFloat("##time", &seconds, 0.0f, preview.shows_one() ? length : 30.0f, text.c_str(),
                         ImGuiSliderFlags_AlwaysClamp)) {
    preview.clock.seconds = seconds;
    preview.clock.playing = false;
  }
  panels.marks.add("time");
}

void PreviewPanel::draw_cast(PanelState& panels) {
  Preview& preview = panels.preview;
  const auto& clips = panels.studio.result()->model.clips();
  ImGui::SetNextItemWidth(220.0f * panels.scale);
  if (ImGui::BeginCombo("##clip", printable(preview.baked_clip().name).c_str())) {
    for (std::uint32_t i = 0; i < clips.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      if (ImGui::Selectable(printable(clips[i].name).c_str(), i == preview.clip())) preview.choose_clip(i);
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  panels.marks.add("preview-clip");
  tip(panels, "The clip that plays");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(150.0f * panels.scale);
  ImGui::SliderInt("##count", &preview.count, 1, kLargestCrowd, preview.count == 1 ? "one character" : "%d characters",
                   ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  panels.marks.add("count");
  tip(panels, "How many; Ctrl+click to type");
  ImGui::SameLine();
  ImGui::BeginDisabled(preview.count == 1);
  ImGui::Checkbox("each its own clip", &preview.every_clip);
  ImGui::EndDisabled();
  ImGui::SameLine();
  auto speed = static_cast<float>(preview.clock.speed);
  ImGui::SetNextItemWidth(110.0f * panels.scale);
  if (ImGui::SliderFloat("##speed", &speed, 0.05f, 4.0f, "speed %.2f",
                         ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
    preview.clock.speed = speed;
  tip(panels, "How fast time passes; right-click for 1");
  if (ImGui::IsItemClicked(1)) preview.clock.speed = 1.0;
}

void PreviewPanel::draw_controls(PanelState& panels) {
  if (panels.preview.has_model() && panels.studio.result() && !panels.studio.result()->model.clips().empty()) {
    draw_time(panels);
    draw_cast(panels);
    return;
  }
  quiet_text("Drag turns, right drag or Shift shifts, the wheel comes nearer, a double click looks from the start.");
}

void PreviewPanel::draw(PanelState& panels) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float controls = 2.0f * ImGui::GetFrameHeightWithSpacing();
  size_ = {std::max(room.x, 32.0f), std::max(room.y - controls, 32.0f)};
  draw_picture(panels, size_);
  draw_controls(panels);
}

}  // namespace throng::studio
