// SPDX-License-Identifier: Apache-2.0
#pragma once
// The animation texture as a picture; the pointer tells what a texel is.

#include "core/latest_answer.h"
#include "core/report/texture_picture.h"
#include "gpu/pictures.h"
#include "ui/panel_state.h"

namespace throng::studio {

class TexturePanel {
 public:
  explicit TexturePanel(JobRunner& jobs) : picture_(jobs, find) {}

  void draw(PanelState& panels, Pictures& pictures);

 private:
  struct Question {
    std::shared_ptr<const BakeResult> result;
    std::uint32_t layer = 0;
    friend bool operator==(const Question&, const Question&) = default;
  };
  static Result<TexturePicture> find(const Question& question) {
    return texture_picture(question.result->model, question.layer);
  }

  void draw_picture(PanelState& panels, const Character& model, const TexturePicture& picture);
  void draw_clip_frame(const Character& model, std::uint32_t clip, ImVec2 origin, ImVec2 scale) const;
  void follow_pointer(PanelState& panels, const Character& model, ImVec2 origin, ImVec2 scale);

  LatestAnswer<Question, TexturePicture> picture_;
  Question uploaded_;
  int layer_ = 0;
  float zoom_ = 1.0f;
};

}  // namespace throng::studio
