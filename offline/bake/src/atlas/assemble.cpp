// SPDX-License-Identifier: Apache-2.0
#include "atlas/assemble.h"

#include <algorithm>
#include <cmath>

#include "atlas/model_storage.h"

namespace throng::detail::bake {
namespace {

// The words of every run where its frames belong; what no frame fills stays 0.
void write_words(const std::vector<EncodedClip>& runs, const AtlasPlacement& placement,
                 std::span<std::uint32_t> words) {
  const Layout& layout = placement.layout;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const EncodedClip& clip = runs[i];
    const AtlasPlace& place = placement.places[i];
    const FrameLayout frames = frame_layout(layout, clip.words_per_frame);
    for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
      const std::size_t first = first_word(layout, placement.height, frames, place.layer, place.first_frame + frame);
      std::copy_n(clip.words.begin() + static_cast<std::ptrdiff_t>(frame * clip.words_per_frame), clip.words_per_frame,
                  words.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }
}

bool uses_local8(const std::vector<EncodedClip>& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const EncodedClip& run) { return run.encoding == Encoding::local8; });
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
  for (const ClipEvent& event : plan.facts.events) clip.events.push_back({event.time, event.name});
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

CharacterDraft assemble(const Model& source, const Columns& columns, const Skeleton* skeleton, BakedMesh mesh,
                        const std::vector<PlacedClip>& clips, const std::vector<EncodedClip>& runs,
                        const AtlasPlacement& placement) {
  CharacterDraft model;
  model.name = source.name();
  add_bones(columns, uses_local8(runs) ? skeleton : nullptr, model);
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
    clip.first_table_row = first_rows[shown.run];
    clip.choice = shown.choice;
    model.clips.push_back(std::move(clip));
  }
  model.sockets = columns.sockets;
  move_lists(mesh, model);
  model.atlas.layout = placement.layout;
  model.atlas.height = placement.height;
  model.atlas.layer_count = placement.layer_count;
  ModelStorage storage(BakeMode::bones, mesh, table, placement.texels() * placement.layout.texel_words);
  write_words(runs, placement, storage.words());
  std::move(storage).move_into(model);
  return model;
}

}  // namespace throng::detail::bake
