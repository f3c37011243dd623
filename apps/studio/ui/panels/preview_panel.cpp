// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/preview_panel.h"

#include <algorithm>
#include <cmath>

#include "console.h"
#include "core/report/report_view.h"
#include "gpu/ui_renderer.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {
namespace {

constexpr int kLargestCrowd = 2000;
constexpr double kLeastHeatMm = 0.01;  // whose colours tell nothing any more

void centred(const std::string& text, ImVec2 min, ImVec2 max, const ImVec4& colour) {
  const float wrap = 0.8f * (max.x - min.x);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap);
  const ImVec2 at((min.x + max.x - size.x) / 2.0f, (min.y + max.y - size.y) / 2.0f);
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, ImGui::GetColorU32(colour),
                                      text.c_str(), nullptr, wrap);
}

std::string idle_text(const Studio& studio) {
  if (studio.activity() == Activity::opening) return "Reading the model …";
  if (studio.activity() == Activity::baking) return "Baking …";
  if (!studio.source_problem().empty()) return studio.source_problem();
  return studio.model() ? "Setting the stage …" : "Open a model: Ctrl+O, or drop a file here.";
}

}  // namespace

ImVec2 PreviewPanel::Pane::at(const glm::dvec2& uv) const {
  const float x = (static_cast<float>(uv.x) - uv_min.x) / (uv_max.x - uv_min.x);
  const float y = (static_cast<float>(uv.y) - uv_min.y) / (uv_max.y - uv_min.y);
  return {min.x + x * (max.x - min.x), min.y + y * (max.y - min.y)};
}

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
  Pane pane{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  ImDrawList& shapes = *ImGui::GetWindowDrawList();
  const DrawnPreview& drawn = panels.preview.drawn();
  const Image& image = drawn.picture.image;
  if (!panels.preview.has_model() || image.width == 0) {
    shapes.AddRectFilled(pane.min, pane.max, ImGui::GetColorU32(ImGuiCol_WindowBg), 4.0f);
    const bool failed = !panels.studio.source_problem().empty() && !panels.preview.has_model();
    if (drawn.error.empty())
      centred(idle_text(panels.studio), pane.min, pane.max, failed ? colour::kProblem : colour::kQuiet);
  } else {
    // While the pane changes its shape, the part of the last picture that fills it.
    const float picture = static_cast<float>(image.width) / static_cast<float>(image.height);
    const float shape = size.x / size.y;
    const float x = 0.5f * std::min(1.0f, shape / picture);
    const float y = 0.5f * std::min(1.0f, picture / shape);
    pane.uv_min = {0.5f - x, 0.5f - y};
    pane.uv_max = {0.5f + x, 0.5f + y};
    shapes.AddImageRounded(texture_id(Place::preview), pane.min, pane.max, pane.uv_min, pane.uv_max, IM_COL32_WHITE,
                           4.0f);
    shapes.PushClipRect(pane.min, pane.max, true);
    draw_names(panels, pane);
    if (shows_skeleton) draw_skeleton(panels, pane);
    if (shows_errors) draw_legend(panels, pane);
    shapes.PopClipRect();
  }
  if (!drawn.error.empty()) centred(drawn.error, pane.min, pane.max, colour::kProblem);
}

// Which of the two is which.
void PreviewPanel::draw_names(PanelState& panels, const Pane& pane) {
  const DrawnPreview& drawn = panels.preview.drawn();
  if (drawn.request.shows != Shows::both) return;
  const double aspect = static_cast<double>(drawn.picture.image.width) / drawn.picture.image.height;
  ImDrawList& shapes = *ImGui::GetWindowDrawList();
  const auto write = [&](const char* text, const glm::dvec3& place) {
    const auto seen = projected(drawn.picture.camera, aspect, place);
    if (!seen) return;
    constexpr float kPad = 4.0f;
    const ImVec2 at(pane.at(*seen).x - text_width(text) / 2.0f, pane.max.y - 1.6f * ImGui::GetTextLineHeight());
    shapes.AddRectFilled({at.x - kPad, at.y - kPad / 2.0f},
                         {at.x + text_width(text) + kPad, at.y + ImGui::GetTextLineHeight() + kPad / 2.0f},
                         IM_COL32(0, 0, 0, 150), 3.0f);
    shapes.AddText(at, IM_COL32_WHITE, text);
  };
  write("model", drawn.picture.source_at);
  write("bake", drawn.picture.bake_at);
}

// Bones as points with lines to their parents. A click on one makes a socket of it, or takes it back.
void PreviewPanel::draw_skeleton(PanelState& panels, const Pane& pane) {
  const DrawnPreview& drawn = panels.preview.drawn();
  if (drawn.picture.bones.empty() || !drawn.request.source || drawn.request.source != panels.studio.source()) return;
  const std::shared_ptr<const Imported>& imported = panels.studio.model();
  const auto& bones = imported->model.bones();
  std::string& expression = panels.studio.form().settings.sockets;
  const SocketQuestion question{imported, expression};
  sockets_.ask(question);
  const auto is_socket = [&](const std::string& name) {
    const auto& answer = sockets_.answer();
    return sockets_.is_current(question) && *answer && std::ranges::find(**answer, name) != (*answer)->end();
  };

  const double aspect = static_cast<double>(drawn.picture.image.width) / drawn.picture.image.height;
  std::vector<std::optional<ImVec2>> places;
  for (const BonePlace& bone : drawn.picture.bones) {
    const auto seen = projected(drawn.picture.camera, aspect, bone.position);
    places.push_back(seen ? std::optional(pane.at(*seen)) : std::nullopt);
  }
  ImDrawList& shapes = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto parent = drawn.picture.bones[i].parent;
    if (places[i] && parent && places[*parent]) {
      shapes.AddLine(*places[*parent], *places[i], IM_COL32(0, 0, 0, 160), 3.5f);
      shapes.AddLine(*places[*parent], *places[i], IM_COL32(255, 255, 255, 220), 1.5f);
    }
  }
  constexpr float kGrasp = 9.0f;
  const ImVec2 pointer = ImGui::GetMousePos();
  std::optional<std::size_t> nearest;
  float least = kGrasp * kGrasp;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i]) continue;
    const bool socket = is_socket(bones[i].name);
    shapes.AddCircleFilled(*places[i], socket ? 5.5f : 3.5f, IM_COL32(0, 0, 0, 190));
    shapes.AddCircleFilled(*places[i], socket ? 4.5f : 2.5f,
                           socket ? ImGui::GetColorU32(colour::kAccent) : IM_COL32_WHITE);
    panels.marks.add("bone " + bones[i].name, *places[i], *places[i]);
    const float dx = places[i]->x - pointer.x;
    const float dy = places[i]->y - pointer.y;
    if (dx * dx + dy * dy > least) continue;
    least = dx * dx + dy * dy;
    nearest = i;
  }
  if (!nearest || !ImGui::IsItemHovered()) return;
  shapes.AddCircle(*places[*nearest], 8.0f, ImGui::GetColorU32(colour::kAccent), 0, 2.0f);
  const std::string& name = bones[*nearest].name;
  panels.tip = fmt::format("{}\n{}", printable(name),
                           is_socket(name) ? "A socket: a click takes it back." : "A click makes it a socket.");
  const float moved = ImGui::GetIO().MouseDragMaxDistanceSqr[0];
  if (ImGui::IsMouseReleased(0) && moved < 9.0f) expression = with_bone_toggled(expression, name);
}

// What the colours of errors mean.
void PreviewPanel::draw_legend(PanelState& panels, const Pane& pane) {
  ImDrawList& shapes = *ImGui::GetWindowDrawList();
  const float line = ImGui::GetTextLineHeight();
  const float left = pane.min.x + 10.0f;
  const float top = pane.max.y - 2.0f * line - 18.0f;
  const HeatMap* heat = panels.preview.heat.get();
  std::string text = heat_problem_.empty() ? "comparing with the model …" : heat_problem_;
  if (heat != nullptr)
    text = fmt::format("largest error in this clip: {:.3f} mm at {:.3f} s", heat->worst_mm, heat->worst_seconds);
  const float width = std::max(180.0f * panels.scale, text_width(text));
  shapes.AddRectFilled({left - 6.0f, top - 6.0f}, {left + width + 6.0f, top + 2.0f * line + 14.0f},
                       IM_COL32(0, 0, 0, 170), 4.0f);
  shapes.AddText({left, top + line + 6.0f}, IM_COL32_WHITE, text.c_str());
  const double full = panels.preview.full_heat_mm;
  constexpr int kSteps = 24;
  const float bar = 120.0f * panels.scale;
  for (int i = 0; i < kSteps; ++i) {
    const glm::vec3 c = heat_colour(full * (i + 0.5) / kSteps, full);
    const auto display = [](float linear) { return std::pow(linear, 1.0f / 2.2f); };
    shapes.AddRectFilled({left + bar * static_cast<float>(i) / kSteps, top},
                         {left + bar * static_cast<float>(i + 1) / kSteps, top + line},
                         ImGui::GetColorU32({display(c.x), display(c.y), display(c.z), 1.0f}));
  }
  const std::string most = fmt::format("{:.3g} mm", full);
  shapes.AddText({left + bar + 8.0f, top}, IM_COL32_WHITE, most.c_str());
}

// Asks for the errors of the clip that plays, and hands them to the preview when they are there.
void PreviewPanel::follow_errors(PanelState& panels) {
  Preview& preview = panels.preview;
  const auto& result = panels.studio.result();
  const bool possible = result && !result->from_file && panels.studio.model() && preview.has_model() &&
                        preview.shows() != Shows::source && preview.shown_clip().baked;
  if (!shows_errors || !possible) {
    preview.heat.reset();
    painted_ = {};
    return;
  }
  const HeatQuestion question{result, panels.studio.model(), *preview.shown_clip().baked};
  heat_.ask(question);
  if (!heat_.is_current(question) || painted_ == question) return;
  painted_ = question;
  const auto& answer = *heat_.answer();
  heat_problem_ = answer ? "" : answer.error().message;
  preview.heat = answer ? std::make_shared<const HeatMap>(*answer) : nullptr;
  // Red is the largest there is, so that one sees where even a good bake is off.
  if (answer) preview.full_heat_mm = std::max(answer->worst_mm, kLeastHeatMm);
}

void PreviewPanel::draw_levels(PanelState& panels) {
  Preview& preview = panels.preview;
  const std::vector<std::string> labels = level_labels(panels.studio.result()->model);
  ImGui::SetNextItemWidth(std::clamp(ImGui::GetContentRegionAvail().x, 90.0f * panels.scale, 260.0f * panels.scale));
  const std::string shown = preview.level ? labels[std::min<std::size_t>(*preview.level, labels.size() - 1)]
                                          : std::string("detail by distance");
  if (ImGui::BeginCombo("##level", shown.c_str())) {
    if (ImGui::Selectable("detail by distance", !preview.level)) preview.level.reset();
    for (std::uint32_t i = 0; i < labels.size(); ++i)
      if (ImGui::Selectable(labels[i].c_str(), preview.level == i)) preview.level = i;
    ImGui::EndCombo();
  }
  panels.marks.add("level");
  tip(panels, "The level of detail that is drawn: its triangles, and how far its surface is from the full mesh");
}

void PreviewPanel::draw_views(PanelState& panels) {
  Preview& preview = panels.preview;
  const auto& result = panels.studio.result();
  const bool baked = result && !result->from_file;
  struct View {
    const char* label;
    const char* mark;
    Shows shows;
    const char* tip;
  };
  constexpr View kViews[] = {{"Model", "view-source", Shows::source, "As the artist made it, from its own curves"},
                             {"Bake", "view-bake", Shows::bake, "What the game will play"},
                             {"Both", "view-both", Shows::both, "The model on the left, its bake on the right"}};
  for (const View& view : kViews) {
    const bool possible = view.shows == Shows::source ? panels.studio.source() != nullptr : result != nullptr;
    ImGui::BeginDisabled(!possible || (view.shows == Shows::both && !baked));
    if (toggle_button(view.label, preview.has_model() && preview.shows() == view.shows)) preview.view = view.shows;
    ImGui::EndDisabled();
    panels.marks.add(view.mark);
    tip(panels, view.tip);
    ImGui::SameLine(0.0f, 2.0f);
  }
  ImGui::SameLine(0.0f, 12.0f);
  ImGui::BeginDisabled(!panels.studio.source());
  ImGui::Checkbox("Skeleton", &shows_skeleton);
  ImGui::EndDisabled();
  panels.marks.add("skeleton");
  tip(panels, "The model's bones; a click on a bone makes it a socket");
  ImGui::SameLine();
  ImGui::BeginDisabled(!baked);
  ImGui::Checkbox("Errors", &shows_errors);
  ImGui::EndDisabled();
  panels.marks.add("errors");
  tip(panels, "The bake in colours: how far each vertex is off, at most, in the clip that plays");
  if (!result) return;
  ImGui::SameLine();
  draw_levels(panels);
}

void PreviewPanel::draw_time(PanelState& panels) {
  Preview& preview = panels.preview;
  const float down = (TimeLine::height() - ImGui::GetFrameHeight()) / 2.0f + 2.0f;
  const float top = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(top + down);
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
  ImGui::SetCursorPosY(top);
  time_line_.draw(panels);
}

void PreviewPanel::draw_cast(PanelState& panels) {
  Preview& preview = panels.preview;
  ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x * 0.28f, 130.0f * panels.scale));
  const std::string name = printable(preview.shown_clip().name);
  if (ImGui::BeginCombo("##clip", fitting_name(name, ImGui::CalcItemWidth() - 40.0f).c_str())) {
    for (std::size_t i = 0; i < preview.clips().size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      if (ImGui::Selectable(printable(preview.clips()[i].name).c_str(), i == preview.clip())) preview.choose_clip(i);
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  panels.marks.add("preview-clip");
  tip(panels, name);
  ImGui::SameLine();
  ImGui::BeginDisabled(!panels.studio.model());
  if (ImGui::Button("+ Event")) time_line_.add_here(panels);
  ImGui::EndDisabled();
  panels.marks.add("add-event");
  tip(panels, "An event at the moment that is shown. They are on the line above: drag, double click, right click.");
  ImGui::SameLine();
  ImGui::BeginDisabled(preview.shows() != Shows::bake);
  ImGui::SetNextItemWidth(84.0f * panels.scale);
  ImGui::SliderInt("##count", &preview.count, 1, kLargestCrowd, "",
                   ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  panels.marks.add("count");
  tip(panels, "How many characters of the bake; Ctrl+click to type");
  ImGui::SameLine(0.0f, 4.0f);
  ImGui::AlignTextToFramePadding();
  const float words = ImGui::GetCursorPosX() + text_width("2000 characters");
  ImGui::TextUnformatted(preview.shows_one() ? "one" : fmt::format("{} characters", preview.count).c_str());
  ImGui::SameLine(words);
  ImGui::BeginDisabled(preview.shows_one());
  ImGui::Checkbox("own clips", &preview.every_clip);
  ImGui::EndDisabled();
  tip(panels, "Each of them plays a clip of its own");
  ImGui::EndDisabled();
  ImGui::SameLine();
  auto speed = static_cast<float>(preview.clock.speed);
  ImGui::SetNextItemWidth(70.0f * panels.scale);
  if (ImGui::SliderFloat("##speed", &speed, 0.05f, 4.0f, "",
                         ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
    preview.clock.speed = speed;
  if (ImGui::IsItemClicked(1)) preview.clock.speed = 1.0;
  tip(panels, "How fast time passes; right-click for 1");
  ImGui::SameLine(0.0f, 4.0f);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fmt::format("× {:.2f}", preview.clock.speed).c_str());
}

void PreviewPanel::draw_controls(PanelState& panels) {
  if (panels.preview.has_model()) {
    draw_time(panels);
    draw_cast(panels);
    return;
  }
  quiet_text("Drag turns, right drag or Shift shifts, the wheel comes nearer, a double click looks from the start.");
}

void PreviewPanel::draw(PanelState& panels) {
  follow_errors(panels);
  draw_views(panels);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  const float controls = ImGui::GetFrameHeightWithSpacing() + TimeLine::height() + 2.0f * spacing;
  size_ = {std::max(room.x, 32.0f), std::max(room.y - controls, 32.0f)};
  draw_picture(panels, size_);
  draw_controls(panels);
}

}  // namespace throng::studio
