#pragma once
// The animation texture as a picture; the pointer tells what a texel is.

#include "core/lookup.h"
#include "core/texture_picture.h"
#include "gpu/pictures.h"
#include "ui/desk.h"

namespace throng::studio {

class TexturePanel {
 public:
  explicit TexturePanel(Workshop& workshop) : picture_(workshop, find) {}

  void draw(Desk& desk, Pictures& pictures);

 private:
  struct Question {
    std::shared_ptr<const BakeResult> result;
    std::uint32_t layer = 0;
    friend bool operator==(const Question&, const Question&) = default;
  };
  static Result<TexturePicture> find(const Question& question) {
    return texture_picture(question.result->model, question.layer);
  }

  void draw_picture(Desk& desk, const Character& model, const TexturePicture& picture);
  void draw_clip_frame(const Character& model, std::uint32_t clip, ImVec2 origin, ImVec2 scale) const;
  void follow_pointer(Desk& desk, const Character& model, ImVec2 origin, ImVec2 scale);

  Lookup<Question, TexturePicture> picture_;
  Question uploaded_;
  int layer_ = 0;
  float zoom_ = 1.0f;
};

}  // namespace throng::studio
