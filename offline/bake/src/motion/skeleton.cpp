// SPDX-License-Identifier: Apache-2.0
#include "motion/skeleton.h"

#include <algorithm>
#include <cmath>

#include "motion/bone_stillness.h"

namespace throng::detail::bake {
namespace {

// What a bone is to the links: model_from_bone = model_from_link · link_from_bone.
struct Base {
  std::optional<std::uint32_t> link;
  glm::dmat4 link_from_bone{1.0};
};

std::optional<BoneSample> as_sample(const glm::dmat4& m, std::string& why) {
  const auto rigid = to_rigid(m);
  if (rigid) return BoneSample{rigid->rotation, rigid->translation, rigid->scale};
  why = rigid.error().message;
  return std::nullopt;
}

class Builder {
 public:
  Builder(const Model& model, const std::vector<Column>& columns, const Stillness& still, Encoding encoding,
          Skeleton& out)
      : model_(model),
        columns_(columns),
        still_(still),
        channels_(is_channel_encoding(encoding)),
        out_(out),
        bases_(model.bones().size()) {}

  // An error names the bone that cannot be folded.
  std::optional<LocalMisfit> run() {
    for (std::uint32_t bone = 0; bone < model_.bones().size(); ++bone) {
      if (still_.needed[bone] == 0) continue;
      if (auto misfit = place(bone)) return misfit;
    }
    for (const Column& column : columns_) {
      if (auto misfit = attach(column)) return misfit;
    }
    // A frame has at least one slot, so that there is something to read.
    if (channels_) {
      number_channels();
    } else if (out_.rotation_slots + out_.translation_slots == 0) {
      out_.links[0].rotation_slot = out_.rotation_slots++;
    }
    return std::nullopt;
  }

 private:
  std::optional<LocalMisfit> place(std::uint32_t bone) {
    const auto& parent = model_.bones()[bone].parent;
    const Base above = parent ? bases_[*parent] : Base{};
    const glm::dmat4 parent_from_bone = to_matrix(still_.first[bone]);
    const bool shifts = still_.shifts[bone] != 0;
    const bool grows = still_.grows[bone] != 0;
    if (still_.turns[bone] == 0 && !shifts && !grows) {
      bases_[bone] = {above.link, above.link_from_bone * parent_from_bone};
      return std::nullopt;
    }
    std::string why;
    const auto fixed = as_sample(above.link_from_bone, why);
    if (!fixed) return LocalMisfit{bone, 0.0, "hangs on one that " + why};
    PoseLink link;
    link.parent = above.link;
    LinkSource source{bone, *fixed};
    if (channels_ && !is_nothing(*fixed)) {
      link.parent = still_link(above, *fixed);
      if (parent) bases_[*parent] = {link.parent, glm::dmat4(1.0)};
      source.above = {};
    } else if (channels_) {
      source.above = {};
    }
    link.rest = moved_link(source, still_.first[bone]);
    if (still_.turns[bone] != 0) link.rotation_slot = out_.rotation_slots++;
    if (channels_ ? shifts : shifts || grows) link.translation_slot = out_.translation_slots++;
    if (channels_ && grows) link.scale_slot = 0;
    if (channels_) link.bone = bone;
    out_.links.push_back(link);
    out_.sources.push_back(source);
    bases_[bone] = {static_cast<std::uint32_t>(out_.links.size() - 1), glm::dmat4(1.0)};
    return std::nullopt;
  }

  std::optional<LocalMisfit> attach(const Column& column) {
    const Base& base = bases_[column.bone];
    std::string why;
    const auto sample = as_sample(base.link_from_bone * column.bone_from_baked, why);
    if (!sample) return LocalMisfit{column.bone, 0.0, why};
    out_.column_link.push_back(base.link ? *base.link : ground());
    out_.link_from_mesh.push_back(*sample);
    return std::nullopt;
  }

  static bool is_nothing(const BoneSample& sample) {
    return std::abs(sample.rotation.w) == 1.0 && sample.position == glm::dvec3(0.0) && sample.scale == 1.0;
  }

  // One that stays where it is.
  std::uint32_t still_link(const Base& above, const BoneSample& fixed) {
    PoseLink link;
    link.parent = above.link;
    link.rest = fixed;
    out_.links.push_back(link);
    out_.sources.push_back({});
    return static_cast<std::uint32_t>(out_.links.size() - 1);
  }

  // Slots of localv: all rotations, then all translations, then all scales.
  void number_channels() {
    const auto number = [&](std::optional<std::uint32_t> PoseLink::*slot, SlotKind kind) {
      for (PoseLink& link : out_.links) {
        if (!(link.*slot)) continue;
        link.*slot = static_cast<std::uint32_t>(out_.slot_kinds.size());
        out_.slot_kinds.push_back(kind);
      }
    };
    number(&PoseLink::rotation_slot, SlotKind::rotation);
    number(&PoseLink::translation_slot, SlotKind::translation);
    number(&PoseLink::scale_slot, SlotKind::scale);
  }

  // The link of what no clip moves.
  std::uint32_t ground() {
    if (!ground_) {
      out_.links.push_back({});
      out_.sources.push_back({});
      ground_ = static_cast<std::uint32_t>(out_.links.size() - 1);
    }
    return *ground_;
  }

  const Model& model_;
  const std::vector<Column>& columns_;
  const Stillness& still_;
  bool channels_;
  Skeleton& out_;
  std::vector<Base> bases_;
  std::optional<std::uint32_t> ground_;
};

// The first place of a clip that scales a moving bone by more than one number.
std::optional<LocalMisfit> misfit_in(const Stillness& still, const ClipStillness& clip) {
  for (std::uint32_t bone = 0; bone < still.needed.size(); ++bone) {
    const bool moves = still.turns[bone] != 0 || still.shifts[bone] != 0 || still.grows[bone] != 0;
    if (!clip.uneven[bone] || !moves) continue;
    return LocalMisfit{bone, *clip.uneven[bone], "scales non-uniformly or is mirrored against its parent"};
  }
  return std::nullopt;
}

// What the slots of one clip hold, by frame: rotations, then translations with their scale.
struct SlotValues {
  std::vector<glm::dquat> rotations;
  std::vector<glm::dvec4> translations;
};

SlotValues slot_values(const Model& model, const ClipPlan& plan, const Skeleton& skeleton) {
  SlotValues out;
  for (std::uint32_t frame = 0; frame < plan.frames.frame_count; ++frame) {
    const Pose pose = sample_planned(model, plan, plan.source_time(frame, 0.0));
    for (std::size_t i = 0; i < skeleton.links.size(); ++i) {
      const PoseLink& link = skeleton.links[i];
      if (!link.rotation_slot && !link.translation_slot) continue;
      const BoneSample sample = moved_link(skeleton.sources[i], pose.bones[skeleton.sources[i].bone]);
      if (link.rotation_slot) out.rotations.push_back(sample.rotation);
      if (link.translation_slot) out.translations.emplace_back(sample.position, sample.scale);
    }
  }
  return out;
}

// Neighbours in one hemisphere, for readers that mix without looking.
void make_continuous(std::vector<glm::dquat>& rotations, std::size_t slots) {
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    const glm::dquat before = i < slots ? glm::dquat(1.0, 0.0, 0.0, 0.0) : rotations[i - slots];
    if (glm::dot(before, rotations[i]) < 0.0) rotations[i] = -rotations[i];
  }
}

std::vector<SlotRange> ranges_of(const std::vector<glm::dvec4>& translations, std::size_t slots) {
  std::vector<SlotRange> ranges(slots);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    glm::dvec4 least = translations[slot];
    glm::dvec4 most = least;
    for (std::size_t i = slot; i < translations.size(); i += slots) {
      least = glm::min(least, translations[i]);
      most = glm::max(most, translations[i]);
    }
    for (int axis = 0; axis < 4; ++axis) {
      ranges[slot].min[axis] = static_cast<double>(float_below(least[axis]));
      ranges[slot].size[axis] = static_cast<double>(float_above(most[axis] - ranges[slot].min[axis]));
    }
  }
  return ranges;
}

}  // namespace

Skeleton make_skeleton(const Model& model, const std::vector<ClipPlan>& plans, const std::vector<Column>& columns,
                       double size, Encoding encoding, Executor& executor) {
  Skeleton out;
  const Stillness still = find_stillness(model, plans, columns, size, executor);
  for (const ClipStillness& clip : still.clips) out.misfits.push_back(misfit_in(still, clip));
  if (const auto misfit = Builder(model, columns, still, encoding, out).run()) {
    for (std::size_t i = 0; i < out.misfits.size(); ++i) {
      if (!out.misfits[i]) out.misfits[i] = LocalMisfit{misfit->bone, plans[i].clip.start, misfit->what};
    }
  }
  return out;
}

EncodedClip encode_local(const Model& model, const ClipPlan& plan, const Skeleton& skeleton) {
  SlotValues values = slot_values(model, plan, skeleton);
  make_continuous(values.rotations, skeleton.rotation_slots);
  const std::vector<SlotRange> ranges = ranges_of(values.translations, skeleton.translation_slots);
  EncodedClip clip;
  clip.encoding = Encoding::local8;
  clip.frame_count = plan.frames.frame_count;
  clip.words_per_frame = words_per_frame(Encoding::local8, skeleton.rotation_slots + skeleton.translation_slots, false);
  for (const SlotRange& range : ranges) {
    clip.table.emplace_back(range.min);
    clip.table.emplace_back(range.size);
  }
  clip.words.assign(clip.words_per_frame * clip.frame_count, 0);
  const std::span words(clip.words);
  for (std::size_t i = 0; i < values.rotations.size(); ++i) {
    const std::size_t first = i / skeleton.rotation_slots * clip.words_per_frame + 2 * (i % skeleton.rotation_slots);
    encode_rotation_slot(values.rotations[i], words.subspan(first).first<2>());
  }
  for (std::size_t i = 0; i < values.translations.size(); ++i) {
    const std::size_t slot = i % skeleton.translation_slots;
    const std::size_t first =
        i / skeleton.translation_slots * clip.words_per_frame + 2 * (skeleton.rotation_slots + slot);
    encode_translation_slot(glm::dvec3(values.translations[i]), values.translations[i].w, ranges[slot],
                            words.subspan(first).first<2>());
  }
  return clip;
}

}  // namespace throng::detail::bake
