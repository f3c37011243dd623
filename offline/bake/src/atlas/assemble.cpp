// SPDX-License-Identifier: Apache-2.0
#include "atlas/assemble.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "atlas/model_storage.h"

namespace throng::detail::bake {
namespace {

// The words of every run where its frames belong; what no frame fills stays 0.
void write_words(const std::vector<EncodedClip>& runs, const AtlasPlacement& placement,
                 std::span<std::uint32_t> words) {
  const Layout& layout = placement.layout;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const EncodedClip& clip = runs[i];
    if (!clip.in_atlas()) continue;
    const AtlasPlace& place = placement.places[i];
    const FrameLayout frames = frame_layout(layout, clip.words_per_frame);
    for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
      const std::size_t first = first_word(layout, placement.height, frames, place.layer, place.first_frame + frame);
      std::copy_n(clip.words.begin() + static_cast<std::ptrdiff_t>(frame * clip.words_per_frame), clip.words_per_frame,
                  words.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }
}

bool uses(const std::vector<EncodedClip>& runs, ItemKind kind) {
  return std::ranges::any_of(runs, [kind](const EncodedClip& run) { return info_of(run.encoding).kind == kind; });
}

// The words of all runs in localv; of each its first. Runs of the same words share them.
std::vector<std::uint32_t> channel_words(const std::vector<EncodedClip>& runs, std::vector<std::uint32_t>& firsts) {
  std::vector<std::uint32_t> words;
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (const EncodedClip& run : runs) {
    firsts.push_back(0);
    if (run.in_atlas()) continue;
    const auto [found, added] = known.try_emplace(run.words, static_cast<std::uint32_t>(words.size()));
    if (added) words.insert(words.end(), run.words.begin(), run.words.end());
    firsts.back() = found->second;
  }
  if (!known.empty()) words.resize(words.size() + kChannelPadding, 0);
  return words;
}

void add_bones(const Columns& columns, const Skeleton* skeleton, CharacterDraft& model) {
  for (std::size_t i = 0; i < columns.all.size(); ++i) {
    BakedBone bone;
    bone.name = columns.all[i].name;
    if (skeleton != nullptr) {
      bone.link = skeleton->column_link[i];
      bone.link_from_mesh = skeleton->link_from_mesh[i];
    }
    model.bones.push_back(std::move(bone));
  }
  if (skeleton != nullptr) model.skeleton = skeleton->links;
}

}  // namespace

BakedClip clip_of(const Model& source, const ClipPlan& plan, Encoding encoding, const ClipRange& range,
                  const AtlasPlace& place) {
  BakedClip clip;
  clip.name = plan.facts.name;
  clip.source_start = plan.facts.source_start;
  clip.length = plan.facts.length;
  clip.loops = plan.facts.loops;
  clip.frame_count = plan.frames.frame_count;
  clip.first_frame = place.first_frame;
  clip.layer = place.layer;
  clip.encoding = encoding;
  clip.range = range;
  clip.events = plan.facts.events;
  for (const GroundMotion& ground : root_samples(source, plan))
    clip.root_motion.push_back({ground.translation, ground.yaw});
  return clip;
}

std::uint64_t half_float_bytes(const std::vector<ClipPlan>& plans, std::size_t items) {
  constexpr double kRate = 30.0;
  constexpr std::uint64_t kBytes = 16;
  std::uint64_t frames = 0;
  for (const ClipPlan& plan : plans) {
    frames += std::max<std::uint64_t>(1, static_cast<std::uint64_t>(plan.frames.length * kRate));
  }
  return frames * items * kBytes;
}

std::uint64_t key_bytes(const std::vector<ClipPlan>& plans) {
  std::uint64_t numbers = 0;
  const auto add = [&numbers](const auto& curve, std::uint64_t components) {
    numbers += curve.times.size() + components * curve.values.size();
  };
  for (const ClipPlan& plan : plans) {
    for (const BoneTrack& track : plan.clip.bones) {
      add(track.translation, 3);
      add(track.rotation, 4);
      add(track.scale, 3);
    }
    for (const MorphTrack& track : plan.clip.morphs) add(track.weights, 1);
  }
  return numbers * sizeof(float);
}

CharacterDraft assemble(const Model& source, const Columns& columns, const Skeleton* skeleton, BakedMesh mesh,
                        const std::vector<PlacedClip>& clips, const std::vector<EncodedClip>& runs,
                        const AtlasPlacement& placement) {
  CharacterDraft model;
  model.name = source.name();
  const bool channels = uses(runs, ItemKind::channel);
  add_bones(columns, channels || uses(runs, ItemKind::slot) ? skeleton : nullptr, model);
  if (channels) model.channel_slots = skeleton->slot_kinds;
  std::vector<std::uint32_t> first_words;
  const std::vector<std::uint32_t> words = channel_words(runs, first_words);
  std::vector<glm::vec4> table;
  std::vector<std::uint32_t> first_rows;
  for (const EncodedClip& run : runs) {
    first_rows.push_back(static_cast<std::uint32_t>(table.size()));
    table.insert(table.end(), run.table.begin(), run.table.end());
  }
  for (const PlacedClip& shown : clips) {
    const EncodedClip& run = runs[shown.run];
    BakedClip clip = clip_of(source, shown.plan, run.encoding, run.range, placement.places[shown.run]);
    clip.first_frame += shown.offset;
    clip.channels = run.channels;
    clip.channels.first_word = first_words[shown.run];
    clip.first_table_row = first_rows[shown.run];
    clip.choice = shown.choice;
    model.clips.push_back(std::move(clip));
  }
  model.sockets = columns.sockets;
  move_lists(mesh, model);
  model.atlas.layout = placement.layout;
  model.atlas.height = placement.height;
  model.atlas.layer_count = placement.layer_count;
  ModelStorage storage(BakeMode::bones, mesh, table, words, placement.texels() * placement.layout.texel_words);
  write_words(runs, placement, storage.words());
  std::move(storage).move_into(model);
  return model;
}

}  // namespace throng::detail::bake
