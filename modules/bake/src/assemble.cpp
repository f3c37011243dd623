#include "assemble.h"

#include <algorithm>
#include <cmath>

#include "model_storage.h"

namespace throng {
namespace {

std::vector<BakedEvent> events_of(const ClipPlan& plan) {
  std::vector<BakedEvent> events;
  for (const Event& event : plan.clip.events) {
    events.push_back({std::clamp(event.time - plan.clip.start, 0.0, plan.frames.length), event.name});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const BakedEvent& a, const BakedEvent& b) { return a.time < b.time; });
  return events;
}

// The words of every clip where its frames belong; what no frame fills stays 0.
void write_words(const std::vector<EncodedClip>& clips, const Placement& placement, std::span<std::uint32_t> words) {
  const Layout& layout = placement.layout;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const EncodedClip& clip = clips[i];
    const AtlasPlace& place = placement.places[i];
    const FrameLayout frames = frame_layout(layout, clip.words_per_frame);
    for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
      const TexelCoordinate at = texel_of(layout, frames, place.first_frame + frame, 0);
      const std::size_t first = (std::size_t{place.layer} * placement.height + at.y) * layout.width + at.x;
      std::copy_n(clip.words.begin() + static_cast<std::ptrdiff_t>(frame * clip.words_per_frame), clip.words_per_frame,
                  words.begin() + static_cast<std::ptrdiff_t>(first * layout.texel_words));
    }
  }
}

}  // namespace

BakedClip clip_of(const Model& source, const ClipPlan& plan, Encoding encoding, const ClipRange& range,
                  const AtlasPlace& place) {
  BakedClip clip;
  clip.name = plan.clip.name;
  clip.source_start = plan.clip.start;
  clip.length = plan.frames.length;
  clip.loops = plan.frames.loops;
  clip.frame_count = plan.frames.frame_count;
  clip.first_frame = place.first_frame;
  clip.layer = place.layer;
  clip.encoding = encoding;
  clip.range = range;
  clip.events = events_of(plan);
  clip.root_motion = root_samples(source, plan);
  return clip;
}

std::uint64_t documents_bytes(const std::vector<ClipPlan>& plans, std::size_t items) {
  constexpr double kRate = 30.0;
  constexpr std::uint64_t kBytes = 16;
  std::uint64_t frames = 0;
  for (const ClipPlan& plan : plans) {
    frames += std::max<std::uint64_t>(1, static_cast<std::uint64_t>(plan.frames.length * kRate));
  }
  return frames * items * kBytes;
}

BakedModel assemble(const Model& source, const std::vector<ClipPlan>& plans, const Columns& columns, BakedMesh mesh,
                    const std::vector<EncodedClip>& clips, const Placement& placement) {
  BakedModel model;
  model.name = source.name();
  for (const Column& column : columns.all) model.bones.push_back({column.name, 0, {}});
  std::vector<glm::vec4> table;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    model.clips.push_back(clip_of(source, plans[i], clips[i].encoding, clips[i].range, placement.places[i]));
    model.clips.back().first_table_row = static_cast<std::uint32_t>(table.size());
    table.insert(table.end(), clips[i].table.begin(), clips[i].table.end());
  }
  model.sockets = columns.sockets;
  model.documents_bytes = documents_bytes(plans, columns.all.size());
  move_lists(mesh, model);
  model.atlas.layout = placement.layout;
  model.atlas.height = placement.height;
  model.atlas.layer_count = placement.layer_count;
  ModelStorage storage(mesh, table, placement.texels() * placement.layout.texel_words);
  write_words(clips, placement, storage.words());
  std::move(storage).move_into(model);
  return model;
}

}  // namespace throng
