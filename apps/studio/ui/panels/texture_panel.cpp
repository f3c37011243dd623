// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/texture_panel.h"

#include <algorithm>
#include <cmath>

#include "console.h"
#include "gpu/ui_renderer.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace throng::studio {

namespace {

// Screen pixels a texel takes. Whole numbers when it is magnified, so that all texels look alike; a narrow texture is
// stretched, within reason.
ImVec2 pixels_per_texel(const TexturePicture& picture, ImVec2 room, float zoom) {
  constexpr float kMostStretch = 4.0f;
  const auto fit = [](float space, std::uint32_t count) {
    const float scale = (space - 4.0f) / static_cast<float>(count);
    return scale >= 1.0f ? std::floor(scale) : scale;
  };
  const float x = fit(room.x, picture.image.width);
  const float y = fit(room.y, picture.image.height);
  const float step = zoom / static_cast<float>(picture.step);
  return {std::min(x, kMostStretch * y) * step, std::min(y, kMostStretch * x) * step};
}

std::string texel_text(const Character& model, const std::optional<TexelOwner>& owner, TexelCoordinate at) {
  if (!owner) return fmt::format("texel {}, {}\nunused", at.x, at.y);
  const BakedClip& clip = model.clips()[owner->clip];
  return fmt::format("texel {}, {}\nclip '{}', frame {} of {}\n{}", at.x, at.y, printable(clip.name), owner->frame,
                     clip.frame_count, printable(owner->item));
}

}  // namespace

// Around the rows of the clip that the preview plays.
void TexturePanel::draw_clip_frame(const Character& model, std::uint32_t clip, ImVec2 origin, ImVec2 scale) const {
  if (clip >= model.clips().size()) return;
  const RowRange rows = rows_of_clip(model, model.clips()[clip], static_cast<std::uint32_t>(layer_));
  if (rows.first == rows.end) return;
  const float width = static_cast<float>(model.atlas().layout.width) * scale.x;
  const ImVec2 min(origin.x - 1.0f, origin.y + static_cast<float>(rows.first) * scale.y - 1.0f);
  const ImVec2 max(origin.x + width + 1.0f, origin.y + static_cast<float>(rows.end) * scale.y + 1.0f);
  ImGui::GetWindowDrawList()->AddRect(min, max, ImGui::GetColorU32(colour::kAccent), 0.0f, 0, 2.0f);
}

void TexturePanel::follow_pointer(PanelState& panels, const Character& model, ImVec2 origin, ImVec2 scale) {
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 pointer = ImGui::GetMousePos();
  const TexelCoordinate at{static_cast<std::uint32_t>((pointer.x - origin.x) / scale.x),
                           static_cast<std::uint32_t>((pointer.y - origin.y) / scale.y)};
  const auto owner = owner_of_texel(model, static_cast<std::uint32_t>(layer_), at);
  panels.tip = texel_text(model, owner, at);
  if (owner && ImGui::IsMouseClicked(0)) {
    panels.preview.choose_baked(owner->clip, owner->frame / model.clips()[owner->clip].rate());
    panels.preview.clock.playing = false;
  }
  zoom_ = std::clamp(zoom_ * std::pow(1.15f, ImGui::GetIO().MouseWheel), 1.0f, 32.0f);
}

void TexturePanel::draw_picture(PanelState& panels, const Character& model, const TexturePicture& picture) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 scale = pixels_per_texel(picture, room, zoom_);
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  if (ImGui::BeginChild("##texture-view", room, false, kFlags)) {
    ImGui::Image(texture_id(Place::texture), {static_cast<float>(model.atlas().layout.width) * scale.x,
                                              static_cast<float>(model.atlas().height) * scale.y});
    panels.marks.add("texture");
    const ImVec2 origin = ImGui::GetItemRectMin();
    follow_pointer(panels, model, origin, scale);
    if (panels.preview.has_model() && panels.preview.shown_clip().baked)
      draw_clip_frame(model, *panels.preview.shown_clip().baked, origin, scale);
  }
  ImGui::EndChild();
}

void TexturePanel::draw(PanelState& panels, Pictures& pictures) {
  const auto& result = panels.studio.result();
  if (!result) {
    quiet_text("The animation texture is shown here when there is a bake.");
    return;
  }
  if (result->model.atlas().layer_count == 0) {
    quiet_text(
        "There is no animation texture: the motion is in localv, whose bits lie in no texels. Another encoding has "
        "one.");
    return;
  }
  const Character& model = result->model;
  const int last = static_cast<int>(model.atlas().layer_count) - 1;
  layer_ = std::clamp(layer_, 0, last);
  const Question question{result, static_cast<std::uint32_t>(layer_)};
  picture_.ask(question);
  quiet_text(
      fmt::format("{} × {} texels, layer {} of {}. The pointer tells what a texel is, a click shows its frame, the "
                  "wheel magnifies.",
                  model.atlas().layout.width, model.atlas().height, layer_ + 1, last + 1));
  if (last > 0) ImGui::SliderInt("layer", &layer_, 0, last, "%d", ImGuiSliderFlags_AlwaysClamp);
  if (!picture_.is_current(question) || !*picture_.answer()) {
    quiet_text("drawing …");
    return;
  }
  const TexturePicture& picture = **picture_.answer();
  if (uploaded_ != question) {
    pictures.put(Place::texture, picture.image);
    uploaded_ = question;
  }
  draw_picture(panels, model, picture);
}

}  // namespace throng::studio
