// SPDX-License-Identifier: Apache-2.0
#include "render/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "throng/base/try.h"

using namespace throng;

namespace {

constexpr double kLeastTall = 26.0;  // pixels: a figure that can be made out
constexpr double kAround = 1.1;      // of a figure's width: its cell
constexpr double kAbove = 1.08;      // of a figure's height
// So long a lens that rows at different distances are of one size, from a little above: feet and their shadows show.
constexpr double kFov = 0.12;
constexpr double kPitch = 14.0;

double line_height(std::uint32_t dot) { return (kLetterHeight + 3.0) * dot; }
// A frame's number, and its time below.
double label_height(std::uint32_t dot) { return 2.0 * line_height(dot) + 4.0 * dot; }

// Plans a sheet with labels of that size that shows one of every `step` frames.
SheetPlan plan_with(std::uint32_t dot, std::uint32_t step, std::uint32_t frames, double wide, double tall,
                    const glm::dvec2& picture) {
  SheetPlan plan{.step = step, .shown = (frames + step - 1) / step, .dot = dot};
  plan.left = 0.7 * line_height(dot);
  plan.top = plan.left + 1.5 * line_height(dot);  // below the title
  const glm::dvec2 room = picture - glm::dvec2(2.0 * plan.left, plan.top + 0.5 * plan.left);
  plan.pixels = 0.0;
  for (std::uint32_t columns = 1; columns <= plan.shown; ++columns) {
    const std::uint32_t rows = (plan.shown + columns - 1) / columns;
    const double pixels =
        std::min(room.x / columns / (wide * kAround), (room.y / rows - label_height(dot)) / (tall * kAbove));
    if (pixels <= plan.pixels) continue;
    plan.pixels = pixels;
    plan.columns = columns;
    plan.rows = rows;
  }
  plan.cell_width = room.x / plan.columns;
  plan.cell_height = room.y / plan.rows;
  return plan;
}

}  // namespace

SheetPlan plan_sheet(std::uint32_t frames, double wide, double tall, std::uint32_t width, std::uint32_t height) {
  const auto largest = std::max(1u, static_cast<std::uint32_t>(std::lround(std::min(width, height * 2u) / 960.0)));
  SheetPlan plan;
  for (std::uint32_t step = 1; step <= frames; ++step)
    for (std::uint32_t dot = largest; dot >= 1; --dot) {
      plan = plan_with(dot, step, frames, wide, tall, {width, height});
      const double least_wide = text_width("0.00", dot) + 4.0 * dot;
      if (plan.pixels * tall >= kLeastTall && plan.cell_width >= least_wide) return plan;
    }
  // Nothing can be read in so small a picture: one frame, however small.
  plan.pixels = std::max(plan.pixels, 1e-3);
  return plan;
}

Result<Sheet> stage_sheet(const Troupe& troupe, ClipId clip, std::uint32_t width, std::uint32_t height) {
  const Player& player = troupe.players.front();
  const BakedClip& shown = player.character.clips()[clip.value];
  const ClipMeasures& measured = player.measures.clips[clip.value];
  const double ground = std::min(measured.lowest + measured.raised, troupe.ground);
  const double pitch = glm::radians(kPitch);
  // What is on its right, towards the camera, is seen lower than its feet: labels go below that.
  const double nearer_side = std::max(-measured.reach.least.x, 0.0) * std::sin(pitch);
  const double tall = std::max(measured.highest + measured.raised - ground, 1e-6) + nearer_side;
  const double wide = std::max(measured.reach.size().y, 0.3 * tall);
  const SheetPlan plan = plan_sheet(shown.frame_count, wide, tall, width, height);

  Sheet sheet;
  Staged& staged = sheet.staged;
  staged.look = stage_look(troupe, View::sheet, plan.shown);
  staged.look.paving = 0.0f;  // nothing beside the figures to look at
  // What it looks at is its picture's middle; a row farther down is nearer by this much a pixel.
  const double unit = 1.0 / plan.pixels;
  const double nearer = unit / std::sin(pitch);
  const double distance = 0.5 * height * unit / std::tan(glm::radians(0.5 * kFov));
  staged.camera.target = {0.0, troupe.ground, 0.0};
  staged.camera.eye = staged.camera.target + distance * glm::dvec3(0.0, std::sin(pitch), std::cos(pitch));
  staged.camera.vertical_fov_degrees = kFov;

  const ModelId model = staged.crowd.add(player.character);
  const glm::dvec2 forward = player.measures.forward;
  // Its forward goes to the right, along +X.
  const double turn = 0.5 * (std::atan2(1.0, 0.0) - std::atan2(forward.x, forward.y));
  for (std::uint32_t i = 0; i < plan.shown; ++i) {
    const std::uint32_t frame = i * plan.step;
    const double time = shown.rate() > 0.0 ? frame / shown.rate() : 0.0;
    const double centre = plan.left + (i % plan.columns + 0.5) * plan.cell_width;
    const std::uint32_t row = i / plan.columns;
    const double bottom = plan.top + (row + 1.0) * plan.cell_height - label_height(plan.dot);
    const double floor = bottom - nearer_side * plan.pixels;
    const double gone = measured.gait.in_poses && shown.length > 0.0 ? measured.gait.cycle * time / shown.length : 0.0;
    Spawn spawn{.model = model, .play = {clip, 0.0, time}};
    spawn.placement.position.x = static_cast<float>((centre - 0.5 * width) * unit - measured.reach.centre().y - gone);
    spawn.placement.position.y = static_cast<float>(troupe.floor_of(player, clip, 1.0));
    spawn.placement.position.z = static_cast<float>((floor - 0.5 * height) * nearer);
    spawn.placement.rotation = {static_cast<float>(std::cos(turn)), 0.0f, static_cast<float>(std::sin(turn)), 0.0f};
    THRONG_CHECK(staged.crowd.add(spawn, 0));
    const double below = bottom + 4.0 * plan.dot;
    sheet.captions.push_back({centre, below, plan.dot, std::to_string(frame)});
    sheet.captions.push_back({centre, below + line_height(plan.dot), plan.dot, fmt::format("{:.2f}", time)});
  }
  std::string title = fmt::format("{}: {} frames, {:.4g} a second, {:.2f} s", shown.name, shown.frame_count,
                                  shown.rate(), shown.length);
  if (plan.step > 1) {
    sheet.note = fmt::format("'{}' has {} frames: one of every {} is shown; a larger --size shows more", shown.name,
                             shown.frame_count, plan.step);
    title += fmt::format(", 1 of {} shown", plan.step);
  }
  while (!title.empty() && text_width(title, plan.dot) > width - 8.0 * plan.dot) title.pop_back();
  const double title_x = plan.left + 0.5 * text_width(title, plan.dot);
  sheet.captions.push_back({title_x, 0.5 * (plan.top - kLetterHeight * plan.dot), plan.dot, title});
  return sheet;
}
