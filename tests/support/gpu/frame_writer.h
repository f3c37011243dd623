// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the words of a clip's frames are to be written.

#include "throng/character/character.h"

namespace throng::test {

class FrameWriter {
 public:
  // `words`: of the whole atlas. The model's clips, vertices and bones decide how long a frame is.
  FrameWriter(const CharacterDraft& model, const BakedClip& clip, std::vector<std::uint32_t>& words)
      : model_(model), clip_(clip), frames_(frame_layout(model, clip)), words_(words) {}

  std::span<std::uint32_t> item(std::uint32_t frame, std::uint32_t index) const {
    const std::uint32_t size = words_per_item(clip_.encoding, model_.tangents_animated);
    return whole(frame).subspan(header_words(clip_.encoding) + std::size_t{index} * size, size);
  }

  std::span<std::uint32_t> whole(std::uint32_t frame) const {
    const Layout& layout = model_.atlas.layout;
    return std::span(words_).subspan(
        first_word(layout, model_.atlas.height, frames_, clip_.layer, clip_.first_frame + frame),
        std::size_t{frames_.texels_per_frame} * layout.texel_words);
  }

 private:
  const CharacterDraft& model_;
  const BakedClip& clip_;
  FrameLayout frames_;
  std::vector<std::uint32_t>& words_;
};

}  // namespace throng::test
