#include "model_check.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace throng {
namespace {

Result<void> check_atlas(const Character& model, const VkPhysicalDeviceLimits& limits) {
  const Atlas& atlas = model.atlas;
  const std::uint32_t largest = limits.maxImageDimension2D;
  if (atlas.layout.width == 0 || atlas.height == 0 || atlas.layer_count == 0)
    return fail("the animation texture is empty; bake the model first");
  if (atlas.layout.texel_words != 2 && atlas.layout.texel_words != 4)
    return fail("the animation texture has texels of {} words; 2 and 4 can be drawn", atlas.layout.texel_words);
  if (atlas.layout.width > largest || atlas.height > largest)
    return fail("the animation texture is {} × {} but this device takes {} at most; bake with a smaller atlas size",
                atlas.layout.width, atlas.height, largest);
  if (atlas.layer_count > limits.maxImageArrayLayers)
    return fail("the animation texture has {} layers but this device takes {} at most; bake with a larger atlas size",
                atlas.layer_count, limits.maxImageArrayLayers);
  const std::uint64_t texels = std::uint64_t{atlas.layout.width} * atlas.height * atlas.layer_count;
  if (atlas.words.size() != texels * atlas.layout.texel_words)
    return fail("the animation texture has {} words, its size says {}", atlas.words.size(),
                texels * atlas.layout.texel_words);
  return {};
}

// What a buffer of `what` takes, against what a shader may be shown of it.
Result<void> check_range(std::string_view what, std::uint64_t bytes, const VkPhysicalDeviceLimits& limits) {
  if (bytes <= limits.maxStorageBufferRange) return {};
  return fail("its {} take {} bytes but this device binds {} at most", what, bytes, limits.maxStorageBufferRange);
}

// Slots are numbers of a frame's words and rows of the table: each below `count`, each once.
Result<void> check_slots(const Character& model, std::optional<std::uint32_t> PoseLink::*slot, std::uint32_t count,
                         std::string_view what) {
  std::vector<bool> used(count);
  for (const PoseLink& link : model.skeleton) {
    const auto number = link.*slot;
    if (!number) continue;
    if (*number >= count || used[*number])
      return fail("{} slot {} of {} is not there or is taken twice", what, *number, count);
    used[*number] = true;
  }
  return {};
}

Result<void> check_skeleton(const Character& model) {
  for (std::size_t i = 0; i < model.skeleton.size(); ++i)
    if (model.skeleton[i].parent.value_or(0) >= i && model.skeleton[i].parent)
      return fail("link {} of the skeleton hangs on link {}, which comes no earlier", i, *model.skeleton[i].parent);
  if (auto checked = check_slots(model, &PoseLink::rotation_slot, rotation_slots(model), "rotation"); !checked)
    return checked;
  if (auto checked = check_slots(model, &PoseLink::translation_slot, translation_slots(model), "translation"); !checked)
    return checked;
  for (const BakedBone& bone : model.bones)
    if (bone.link >= model.skeleton.size())
      return fail("bone '{}' follows link {} of a skeleton of {}", bone.name, bone.link, model.skeleton.size());
  return {};
}

Result<void> check_clip(const Character& model, const BakedClip& clip) {
  if (static_cast<std::size_t>(clip.encoding) >= kEncodings.size()) return fail("is of an encoding nobody knows");
  if (is_vertex_encoding(clip.encoding) != (model.mode == BakeMode::vertices))
    return fail("is of encoding {} in a model baked as {}", name_of(clip.encoding),
                model.mode == BakeMode::vertices ? "vertices" : "bones");
  if (clip.encoding == Encoding::local8 && model.skeleton.empty())
    return fail("is of encoding local8, but the model has no skeleton");
  const FrameLayout frames = frame_layout(model, clip);
  const std::uint32_t most = frames_per_layer(frames, model.atlas.height);
  if (clip.frame_count == 0 || clip.layer >= model.atlas.layer_count || clip.first_frame > most ||
      clip.frame_count > most - clip.first_frame)
    return fail("lies outside the animation texture");
  const std::uint64_t rows =
      table_rows(clip.encoding, static_cast<std::uint32_t>(model.bones.size()), translation_slots(model));
  if (clip.first_table_row + rows > model.table.size())
    return fail("has rows {} to {} of a table of {}", clip.first_table_row, clip.first_table_row + rows,
                model.table.size());
  return {};
}

Result<void> check_clips(const Character& model, const VkPhysicalDeviceLimits& limits) {
  if (model.clips.empty()) return fail("it has no clips");
  bool local = false;
  for (const BakedClip& clip : model.clips) {
    if (auto checked = check_clip(model, clip); !checked)
      return fail("clip '{}' {}", clip.name, checked.error().message);
    local |= clip.encoding == Encoding::local8;
  }
  if (local)
    if (auto checked = check_skeleton(model); !checked) return checked;
  if (auto checked = check_range("clips", model.clips.size() * sizeof(ClipRecord), limits); !checked) return checked;
  return check_range("pivots and boxes", model.table.size_bytes(), limits);
}

Result<void> check_mesh(const Character& model, const VkPhysicalDeviceLimits& limits) {
  if (model.vertices.empty() || model.indices.empty()) return fail("it has no triangles");
  if (model.bones.empty()) return fail("it has no bones");
  if (auto checked = check_range("vertices", model.vertices.size_bytes(), limits); !checked) return checked;
  for (const BakedVertex& vertex : model.vertices)
    for (const std::uint16_t bone : vertex.bones)
      if (bone >= model.bones.size()) return fail("a vertex is bound to bone {} of {}", bone, model.bones.size());
  const auto last = std::ranges::max_element(model.indices);
  if (*last >= model.vertices.size()) return fail("a triangle uses vertex {} of {}", *last, model.vertices.size());
  if (*last > limits.maxDrawIndexedIndexValue)
    return fail("a triangle uses vertex {} but this device draws vertices up to {}; split the model", *last,
                limits.maxDrawIndexedIndexValue);
  return {};
}

Result<void> check_parts(const Character& model) {
  std::vector<BakedPart> parts(model.parts);
  for (const BakedLevel& level : model.levels) {
    parts.insert(parts.end(), level.parts.begin(), level.parts.end());
    if (level.vertex_count > model.vertices.size())
      return fail("a level of detail uses {} vertices of {}", level.vertex_count, model.vertices.size());
    if (!std::isfinite(level.error) || level.error < 0.0)
      return fail("a level of detail is off by {}; that is no distance", level.error);
  }
  for (const BakedPart& part : parts) {
    if (part.material >= model.materials.size())
      return fail("a part uses material {} of {}", part.material, model.materials.size());
    if (part.first_index > model.indices.size() || part.index_count > model.indices.size() - part.first_index)
      return fail("a part's triangles lie outside the mesh");
  }
  for (const Material& material : model.materials)
    for (const auto& image : {material.base_image, material.normal_image})
      if (image && *image >= model.images.size())
        return fail("material '{}' uses image {} of {}", material.name, *image, model.images.size());
  return {};
}

// Each material has one part at each level, whose triangles use no vertex past the level's.
Result<void> check_level(const Character& model, std::span<const BakedPart> parts, std::size_t vertex_count) {
  std::vector<bool> used(model.materials.size());
  for (const BakedPart& part : parts) {
    if (part.index_count == 0) continue;
    if (used[part.material]) return fail("material {} has two parts at one level; join them", part.material);
    used[part.material] = true;
    for (const std::uint32_t index : model.indices.subspan(part.first_index, part.index_count))
      if (index >= vertex_count) return fail("a level of detail of {} vertices uses vertex {}", vertex_count, index);
  }
  return {};
}

Result<void> check_levels(const Character& model) {
  if (auto checked = check_level(model, model.parts, model.vertices.size()); !checked) return checked;
  for (const BakedLevel& level : model.levels)
    if (auto checked = check_level(model, level.parts, level.vertex_count); !checked) return checked;
  if (!model.tangents.empty() && model.tangents.size() != model.vertices.size())
    return fail("it has {} tangents and {} vertices", model.tangents.size(), model.vertices.size());
  const std::size_t items =
      model.mode == BakeMode::vertices ? model.vertices.size() + 2 * model.sockets.size() - 1 : model.bones.size();
  for (const BakedSocket& socket : model.sockets)
    if (socket.bone >= items) return fail("socket '{}' hangs on {} of {}", socket.name, socket.bone, items);
  return {};
}

Result<void> check_track(const TrackRecord& track, std::size_t i, std::size_t clip_count) {
  if (track.clip >= clip_count) return fail("instance {} plays clip {} of {}", i, track.clip, clip_count);
  if (track.wrap > gpu::kWrapPingPong) return fail("instance {} plays in mode {}; there are 0, 1 and 2", i, track.wrap);
  return {};
}

}  // namespace

Result<void> check_model(const Character& model, const VkPhysicalDeviceLimits& limits) {
  for (auto checked : {check_atlas(model, limits), check_mesh(model, limits), check_parts(model)})
    if (!checked) return fail(with_context(model.name, std::move(checked).error()));
  if (auto checked = check_levels(model); !checked) return fail(with_context(model.name, std::move(checked).error()));
  if (auto checked = check_clips(model, limits); !checked)
    return fail(with_context(model.name, std::move(checked).error()));
  return {};
}

Result<void> check_character(const InstanceRecord& instance, const PlayRecord& play, std::size_t i,
                             std::size_t clip_count) {
  const glm::vec3& p = instance.position;
  if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
    return fail("instance {} is at a place that is not a finite number", i);
  if (!std::isfinite(instance.scale) || instance.scale == 0.0f)
    return fail("instance {} has scale {}; a scale is a finite number above 0, or below it for one that is hidden", i,
                instance.scale);
  const std::uint32_t clip = instance.clips & 0xFFFFu;
  const std::uint32_t previous = instance.clips >> 16;
  if (clip != play.track.clip)
    return fail("instance {} is culled by clip {} but plays clip {}; set both", i, clip, play.track.clip);
  if (auto checked = check_track(play.track, i, clip_count); !checked) return checked;
  if (previous != gpu::kNoClip && previous >= clip_count)
    return fail("instance {} fades out clip {} of {}", i, previous, clip_count);
  if (play.fade_ticks == 0) return {};
  if (auto checked = check_track(play.previous, i, clip_count); !checked) return checked;
  if (previous != play.previous.clip && previous != gpu::kNoClip)
    return fail("instance {} is culled by clip {} but fades out clip {}; set both", i, previous, play.previous.clip);
  return {};
}

Bounds bounds_of(std::span<const InstanceRecord> instances, std::span<const Bounds> clip_bounds) {
  Bounds all;
  for (const InstanceRecord& instance : instances) {
    Bounds box = clip_bounds[instance.clips & 0xFFFFu];
    if (instance.clips >> 16 != gpu::kNoClip) box.add(clip_bounds[instance.clips >> 16]);
    if (box.empty()) continue;
    const glm::vec4 q = gpu::unpack_rotation(instance.rotation);
    const glm::dmat3 axes = glm::mat3_cast(glm::dquat(q.w, q.x, q.y, q.z));
    const double scale = std::abs(static_cast<double>(instance.scale));
    const glm::dvec3 centre = axes * (box.centre() * scale) + glm::dvec3(instance.position);
    const glm::dvec3 half = 0.5 * scale * box.size();
    const glm::dvec3 reach = glm::abs(axes[0]) * half.x + glm::abs(axes[1]) * half.y + glm::abs(axes[2]) * half.z;
    all.add(centre - reach);
    all.add(centre + reach);
  }
  return all;
}

}  // namespace throng
