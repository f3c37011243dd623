// SPDX-License-Identifier: Apache-2.0
// The atlas, the skeleton, the table, and what clips say of them.
#include <algorithm>

#include "check/draft.h"
#include "check/values.h"
#include "file/format.h"
#include "throng/base/try.h"

namespace throng::detail::character {
namespace {

bool is_channel(const BakedClip& clip) { return is_channel_encoding(clip.encoding); }

Result<void> check_sizes(const CharacterDraft& model) {
  const Atlas& a = model.atlas;
  // Nothing is asked of the atlas where no clip has frames there.
  if (a.words.empty() && a.layer_count == 0 && std::ranges::all_of(model.clips, is_channel)) return {};
  if (a.layout.width == 0 || a.layout.width > format::kMaxSize || a.height == 0 || a.height > format::kMaxSize) {
    return fail("an atlas of {} × {} texels; 1 to {} each way are possible", a.layout.width, a.height,
                format::kMaxSize);
  }
  if (a.layer_count == 0 || a.layer_count > format::kMaxLayers) {
    return fail("{} atlas layers; 1 to {} are possible", a.layer_count, format::kMaxLayers);
  }
  if (a.layout.texel_words != 1 && a.layout.texel_words != 2 && a.layout.texel_words != 4) {
    return fail("texels of {} words; 1, 2 and 4 are possible", a.layout.texel_words);
  }
  const std::uint64_t words = std::uint64_t{a.layout.width} * a.height * a.layer_count * a.layout.texel_words;
  if (a.words.size() != words) return fail("the atlas has {} words where {} belong", a.words.size(), words);
  return {};
}

Result<void> check_columns(const CharacterDraft& model) {
  const std::size_t bones = model.bones.size();
  if (bones == 0 || bones > format::kMaxColumns) {
    return fail("{} bones; 1 to {} are possible", bones, format::kMaxColumns);
  }
  if (model.mode == BakeMode::vertices && bones != 1) return fail("{} bones in vertex mode, which has one", bones);
  if (model.mode == BakeMode::bones && model.tangents_animated) return fail("animated tangents in bone mode");
  return {};
}

bool is_movement(const BoneSample& sample) {
  return fits_float(sample.position) && fits_float(sample.scale) && is_unit(sample.rotation);
}

// Numbers each from 0, each once.
bool slots_are_whole(const CharacterDraft& model, std::optional<std::uint32_t> PoseLink::*slot, std::uint32_t count) {
  std::vector<bool> used(count);
  for (const PoseLink& link : model.skeleton) {
    const auto number = link.*slot;
    if (!number) continue;
    if (*number >= count || used[*number]) return false;
    used[*number] = true;
  }
  return true;
}

// Slots of local8: numbered each from 0, each once.
Result<void> check_slots(const CharacterDraft& model) {
  const bool scaled =
      std::ranges::any_of(model.skeleton, [](const PoseLink& link) { return link.scale_slot.has_value(); });
  if (scaled || !slots_are_whole(model, &PoseLink::rotation_slot, rotation_slots(model)) ||
      !slots_are_whole(model, &PoseLink::translation_slot, translation_slots(model))) {
    return fail("the skeleton's slots are not numbered from 0, each once");
  }
  return {};
}

Result<void> check_skeleton(const CharacterDraft& model) {
  const auto any_of = [&model](ItemKind kind) {
    return std::ranges::any_of(model.clips,
                               [kind](const BakedClip& clip) { return info_of(clip.encoding).kind == kind; });
  };
  const bool slots = any_of(ItemKind::slot);
  const bool channels = any_of(ItemKind::channel);
  const bool local = slots || channels;
  if (slots && channels) return fail("some clips are local8 and some localv; a skeleton has slots for one of them");
  if (local && model.skeleton.empty())
    return fail("a clip is {}, but there is no skeleton", slots ? "local8" : "localv");
  if (!local && !model.skeleton.empty()) return fail("there is a skeleton, but no clip is local8 or localv");
  for (std::size_t i = 0; i < model.skeleton.size(); ++i) {
    const PoseLink& link = model.skeleton[i];
    if (link.parent && *link.parent >= i) return fail("link {} of the skeleton comes before its parent", i);
    if (!is_movement(link.rest)) return fail("link {} of the skeleton is not finite or not a rotation", i);
  }
  if (!channels) THRONG_CHECK(check_slots(model));  // those of localv: check_far_only
  for (const BakedBone& bone : model.bones) {
    if (local && (bone.link >= model.skeleton.size() || !is_movement(bone.link_from_mesh))) {
      return fail("bone '{}' follows link {} of {}, or not by a rotation", bone.name, bone.link, model.skeleton.size());
    }
  }
  return {};
}

Result<void> check_time(const BakedClip& clip) {
  if (clip.frame_count == 0) return fail("has no frames");
  if (!std::isfinite(clip.source_start)) return fail("has a start that is not finite");
  if (!is_amount(clip.length)) return fail("has a length of {} s", clip.length);
  if (clip.frame_count > 1 && clip.length <= 0.0) return fail("has {} frames and no length", clip.frame_count);
  const std::uint64_t roots = std::uint64_t{clip.frame_count} + (clip.loops ? 1 : 0);
  if (!clip.root_motion.empty() && clip.root_motion.size() != roots) {
    return fail("has {} steps of root motion where {} belong", clip.root_motion.size(), roots);
  }
  for (const RootSample& root : clip.root_motion) {
    if (!is_finite(root.translation) || !std::isfinite(root.yaw)) return fail("has root motion that is not finite");
  }
  return {};
}

Result<void> check_range(const ClipRange& range) {
  if (!fits_float(range.pivot_min) || !fits_float(range.pivot_size) ||
      !fits_float(range.pivot_min + range.pivot_size) || !fits_float(range.scale_max)) {
    return fail("has a range that is not finite");
  }
  if (glm::any(glm::lessThan(range.pivot_size, glm::dvec3(0.0))) || range.scale_max < 0.0) {
    return fail("has a negative range");
  }
  return {};
}

// `slots`: how many translation slots the skeleton has; `frames` is as long as the clip's encoding makes it.
Result<void> check_place(const CharacterDraft& model, const BakedClip& clip, const FrameLayout& frames,
                         std::uint32_t slots) {
  const Atlas& atlas = model.atlas;
  if (is_channel(clip)) {
    if (model.mode == BakeMode::vertices)
      return fail("is of encoding {}, which is of the other mode", name_of(clip.encoding));
    if (clip.first_frame != 0) return fail("begins at frame {} of its own", clip.first_frame);
    return {};  // its words: check_far_only
  }
  if (is_vertex_encoding(clip.encoding) != (model.mode == BakeMode::vertices)) {
    return fail("is of encoding {}, which is of the other mode", name_of(clip.encoding));
  }
  if (is_half(clip.encoding) && atlas.layout.texel_words != 2) {
    return fail("is of encoding {}, which needs texels of 2 words", name_of(clip.encoding));
  }
  if (atlas.layout.texel_words == 1 && info_of(clip.encoding).texel_words != 1) {
    return fail("is of encoding {}, which needs texels of more than one word", name_of(clip.encoding));
  }
  if (clip.layer >= atlas.layer_count) return fail("names layer {} of {}", clip.layer, atlas.layer_count);
  if (frames.texels_per_frame == 0) return fail("has frames that hold nothing");
  const std::uint64_t end = std::uint64_t{clip.first_frame} + clip.frame_count;
  const std::uint64_t most = std::uint64_t{frames_per_layer(frames, atlas.height)} * (atlas.layer_count - clip.layer);
  if (end > most)
    return fail("ends after frame {} from layer {} on, where there is room for {}", end, clip.layer, most);
  const std::uint64_t rows = table_rows(clip.encoding, static_cast<std::uint32_t>(model.bones.size()), slots);
  if (clip.first_table_row + rows > model.table.size()) {
    return fail("names rows {}+{} of a table of {}", clip.first_table_row, rows, model.table.size());
  }
  return {};
}

Result<void> check_clip(const CharacterDraft& model, const BakedClip& clip, const FrameLayout& frames,
                        std::uint32_t slots) {
  THRONG_CHECK(check_time(clip));
  THRONG_CHECK(check_place(model, clip, frames, slots));
  THRONG_CHECK(check_range(clip.range));
  if (!is_box(clip.bounds)) return fail("has bounds that are no box");
  if (!are_amounts(clip.error.at_frames) || !are_amounts(clip.error.between))
    return fail("has an error report with a number that is negative or not finite");
  if (!std::isfinite(clip.error.worst_time)) return fail("has a worst time that is not finite");
  return {};
}

// Marks rows of the table, every `stride`-th one of many runs. Runs of different clips may overlap, so they are counted
// in and out instead of walked.
class RowMarks {
 public:
  RowMarks(std::size_t rows, std::size_t stride) : stride_(stride), change_(rows + stride) {}

  // The last row of the run must be one of the table.
  void add(std::size_t first, std::size_t count) {
    if (count == 0) return;
    change_[first] += 1;
    change_[first + stride_ * count] -= 1;
  }

  // Ends the adding: how often each row was marked.
  std::vector<std::int32_t> counted() && {
    for (std::size_t row = stride_; row < change_.size(); ++row) change_[row] += change_[row - stride_];
    return std::move(change_);
  }

 private:
  std::size_t stride_;
  std::vector<std::int32_t> change_;
};

Result<void> check_table(const CharacterDraft& model) {
  const std::size_t rows = model.table.size();
  const std::size_t columns = model.bones.size();
  const std::size_t slots = translation_slots(model);
  RowMarks sizes(rows, 2);
  RowMarks zeros(rows, 1);
  for (const BakedClip& clip : model.clips) {
    const EncodingInfo& info = info_of(clip.encoding);
    if (info.column_boxes) sizes.add(clip.first_table_row + columns + 1, columns);
    if (info.slot_boxes) sizes.add(std::size_t{clip.first_table_row} + 1, slots);
    if (info.half && info.pivots) zeros.add(clip.first_table_row, columns);
  }
  const std::vector<std::int32_t> is_size = std::move(sizes).counted();
  const std::vector<std::int32_t> is_zero = std::move(zeros).counted();
  for (std::size_t row = 0; row < rows; ++row) {
    const glm::vec4& value = model.table[row];
    if (!glm::all(glm::lessThanEqual(glm::abs(value), glm::vec4(kFarthest)))) {
      return fail("row {} of the table is not finite", row);
    }
    if (is_size[row] > 0 && glm::any(glm::lessThan(value, glm::vec4(0.0f)))) {
      return fail("row {} of the table is a negative size", row);
    }
    if (is_zero[row] > 0 && glm::vec3(value) != glm::vec3(0.0f)) {
      return fail("row {} of the table is a pivot of half floats, which have none", row);
    }
  }
  return {};
}

}  // namespace

Result<void> check_encodings(const CharacterDraft& model) {
  for (const BakedClip& clip : model.clips) {
    if (static_cast<std::size_t>(clip.encoding) >= kEncodings.size()) {
      return fail("clip '{}' is of an encoding nobody knows", clip.name);
    }
  }
  return {};
}

Result<void> check_atlas(const CharacterDraft& model) {
  THRONG_CHECK(check_sizes(model));
  THRONG_CHECK(check_columns(model));
  return check_skeleton(model);
}

Result<void> check_clips(const CharacterDraft& model) {
  if (model.clips.empty()) return fail("there are no clips");
  const std::uint32_t slots = translation_slots(model);
  std::array<FrameLayout, kEncodings.size()> layouts;
  for (const Encoding encoding : kEncodings) {
    layouts[static_cast<std::size_t>(encoding)] = frame_layout(
        model.atlas.layout, words_per_frame(encoding, item_count(model, encoding), model.tangents_animated));
  }
  for (const BakedClip& clip : model.clips) {
    const FrameLayout& frames = layouts[static_cast<std::size_t>(clip.encoding)];
    if (auto ok = check_clip(model, clip, frames, slots); !ok) {
      return fail("clip '{}' {}", clip.name, ok.error().message);
    }
  }
  return check_table(model);
}

}  // namespace throng::detail::character
