#include "assemble.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr std::size_t kAlignment = 16;  // as the asset's buffer views have it

std::vector<BakedEvent> events_of(const ClipPlan& plan) {
  std::vector<BakedEvent> events;
  for (const Event& event : plan.clip.events) {
    events.push_back({std::clamp(event.time - plan.clip.start, 0.0, plan.frames.length), event.name});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const BakedEvent& a, const BakedEvent& b) { return a.time < b.time; });
  return events;
}

BakedClip clip_of(const Model& source, const ClipPlan& plan, const EncodedClip& encoded, const AtlasPlace& place) {
  BakedClip clip;
  clip.name = plan.clip.name;
  clip.source_start = plan.clip.start;
  clip.length = plan.frames.length;
  clip.loops = plan.frames.loops;
  clip.frame_count = plan.frames.frame_count;
  clip.first_frame = place.first_frame;
  clip.layer = place.layer;
  clip.encoding = encoded.encoding;
  clip.range = encoded.range;
  clip.events = events_of(plan);
  clip.root_motion = root_samples(source, plan);
  return clip;
}

// The words of every clip where its frames belong; what no frame fills is 0.
std::vector<std::uint32_t> atlas_words(const std::vector<EncodedClip>& clips, const Placement& placement) {
  const Layout& layout = placement.layout;
  std::vector<std::uint32_t> words(placement.texels() * layout.texel_words, 0);
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
  return words;
}

// Arrays in one block, each aligned as the asset's buffer views are.
class Block {
 public:
  template <class T>
  std::size_t add(const std::vector<T>& values) {
    const std::size_t at = bytes_.size();
    const auto source = as_bytes(values);
    bytes_.insert(bytes_.end(), source.begin(), source.end());
    bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment);
    return at;
  }
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  SharedBytes share() && { return SharedBytes(std::move(bytes_)); }

 private:
  std::vector<std::byte> bytes_;
};

template <class T>
std::span<const T> view(const SharedBytes& bytes, std::size_t at, const std::vector<T>& values) {
  return {reinterpret_cast<const T*>(bytes.data() + at), values.size()};
}

void store(const BakedMesh& mesh, const std::vector<std::uint32_t>& words, const std::vector<glm::vec4>& table,
           BakedModel& model) {
  Block block;
  block.reserve(words.size() * sizeof(words[0]) + mesh.vertices.size() * sizeof(BakedVertex) +
                mesh.indices.size() * sizeof(mesh.indices[0]) + 8 * kAlignment);
  const std::size_t words_at = block.add(words);
  const std::size_t vertices_at = block.add(mesh.vertices);
  const std::size_t tangents_at = block.add(mesh.tangents);
  const std::size_t indices_at = block.add(mesh.indices);
  const std::size_t order_at = block.add(mesh.baked_from_source);
  const std::size_t table_at = block.add(table);
  model.storage = std::move(block).share();
  model.atlas.words = view(model.storage, words_at, words);
  model.vertices = view(model.storage, vertices_at, mesh.vertices);
  model.tangents = view(model.storage, tangents_at, mesh.tangents);
  model.indices = view(model.storage, indices_at, mesh.indices);
  model.baked_from_source = view(model.storage, order_at, mesh.baked_from_source);
  model.table = view(model.storage, table_at, table);
}

}  // namespace

std::uint64_t documents_bytes(const std::vector<ClipPlan>& plans, std::size_t columns) {
  constexpr double kRate = 30.0;
  constexpr std::uint64_t kBytes = 16;
  std::uint64_t frames = 0;
  for (const ClipPlan& plan : plans) {
    frames += std::max<std::uint64_t>(1, static_cast<std::uint64_t>(plan.frames.length * kRate));
  }
  return frames * columns * kBytes;
}

BakedModel assemble(const Model& source, const std::vector<ClipPlan>& plans, const Columns& columns, BakedMesh mesh,
                    const std::vector<EncodedClip>& clips, const Placement& placement) {
  BakedModel model;
  model.name = source.name();
  for (const Column& column : columns.all) model.bones.push_back({column.name, 0, {}});
  std::vector<glm::vec4> table;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    model.clips.push_back(clip_of(source, plans[i], clips[i], placement.places[i]));
    model.clips.back().first_table_row = static_cast<std::uint32_t>(table.size());
    table.insert(table.end(), clips[i].table.begin(), clips[i].table.end());
  }
  model.sockets = columns.sockets;
  model.documents_bytes = documents_bytes(plans, columns.all.size());
  model.parts = std::move(mesh.parts);
  model.levels = std::move(mesh.levels);
  model.sources = std::move(mesh.sources);
  model.materials = std::move(mesh.materials);
  model.images = std::move(mesh.images);
  model.atlas.layout = placement.layout;
  model.atlas.height = placement.height;
  model.atlas.layer_count = placement.layer_count;
  store(mesh, atlas_words(clips, placement), table, model);
  return model;
}

}  // namespace throng
