// SPDX-License-Identifier: Apache-2.0
#include "throng/plan/clip_boxes.h"

#include <algorithm>
#include <cmath>

#include "throng/character/decode.h"
#include "throng/character/skeleton.h"

namespace throng {
namespace {

// What is moved by morph targets while its column turns is up to √2 of its distance off the straight way: it may be on
// opposite sides in the two clips.
constexpr double kMorphedReach = 1.4142136;

// Where morph targets may put vertices, each as far in as any clip has it.
void add_morphs(const Character& model, std::vector<Bounds>& boxes) {
  const BakedMorphs& morphs = model.morphs();
  std::size_t next = 0;
  for (const MorphedVertex& moved : morphs.vertices) {
    const BakedVertex& vertex = model.vertices().whole()[moved.vertex];
    Bounds box{glm::dvec3(vertex.position), glm::dvec3(vertex.position)};
    for (const BakedDelta& delta : morphs.deltas.subspan(next, moved.delta_count)) {
      const BakedTarget& target = morphs.targets[delta.target];
      const glm::dvec3 whole = static_cast<double>(target.position_step) *
                               glm::dvec3(delta.position[0], delta.position[1], delta.position[2]);
      const glm::dvec3 least = static_cast<double>(target.weight_min) * whole;
      const glm::dvec3 most = least + 65535.0 * static_cast<double>(target.weight_step) * whole;
      box.min += glm::min(least, most);
      box.max += glm::max(least, most);
    }
    next += moved.delta_count;
    for (std::size_t i = 0; i < 4; ++i)
      if (vertex.weights[i] != 0) boxes[vertex.bones[i]].add(box);
  }
}

// The vertices that follow each column, in the space of the mesh.
std::vector<Bounds> column_boxes(const Character& model) {
  std::vector<Bounds> boxes(model.bones().size());
  for (const BakedVertex& vertex : model.vertices().whole())
    for (std::size_t i = 0; i < 4; ++i)
      if (vertex.weights[i] != 0) boxes[vertex.bones[i]].add(glm::dvec3(vertex.position));
  add_morphs(model, boxes);
  return boxes;
}

// How large a link of local8 or localv is at most, beside its parent.
double link_scale(const Character& model, const BakedClip& clip, const PoseLink& link) {
  const double rest = std::abs(link.rest.scale);
  if (is_channel_encoding(clip.encoding)) {
    if (!link.scale_slot) return rest;
    const ChannelReader reader(model.channel_words(), clip.channels);
    double most = 0.0;
    for (std::uint32_t frame = 0; frame < clip.channels.stored_frames; ++frame) {
      const auto scale = reader.vector(*link.scale_slot, {frame, frame, 0.0});
      if (!scale) return rest;
      most = std::max(most, std::abs(scale->x));
    }
    return most;
  }
  if (!link.translation_slot) return rest;
  const auto box = table_of(model, clip).subspan(std::size_t{*link.translation_slot} * 2, 2);
  const double least = static_cast<double>(box[0].w);
  return std::max(std::abs(least), std::abs(least + static_cast<double>(box[1].w)));
}

// How large each column is at most in a clip.
std::vector<double> column_scales(const Character& model, const BakedClip& clip) {
  const EncodingInfo& info = info_of(clip.encoding);
  std::vector<double> scales(model.bones().size(), std::abs(clip.range.scale_max));
  if (info.kind == ItemKind::slot || info.kind == ItemKind::channel) {
    std::vector<double> links;
    for (const PoseLink& link : model.skeleton())
      links.push_back(link_scale(model, clip, link) * (link.parent ? links[*link.parent] : 1.0));
    for (std::size_t column = 0; column < scales.size(); ++column) {
      const BakedBone& bone = model.bones()[column];
      scales[column] = links[bone.link] * std::abs(bone.link_from_mesh.scale);
    }
  } else if (info.half) {
    // Half floats have no range to bound their scale, so every frame is decoded.
    std::ranges::fill(scales, 0.0);
    const FrameLayout frames = frame_layout(model, clip);
    for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
      const auto words = model.atlas().frame(frames, clip.layer, clip.first_frame + frame);
      for (std::size_t column = 0; column < scales.size(); ++column) {
        const BoneSample bone = decode_bone(clip.encoding, words.subspan(column * info.words, info.words), clip.range);
        scales[column] = std::max(scales[column], std::abs(bone.scale));
      }
    }
  }
  return scales;
}

// True for clips that blend as rotations do: matrices, and vertices, are mixed as they are and go straight.
bool turns(const BakedClip& clip) {
  const ItemKind kind = info_of(clip.encoding).kind;
  return kind == ItemKind::bone || kind == ItemKind::slot || kind == ItemKind::channel;
}

glm::dvec3 pivot_of(const Character& model, const BakedClip& clip, std::size_t column) {
  return info_of(clip.encoding).pivots ? glm::dvec3(table_of(model, clip)[column]) : link_origin(model.bones()[column]);
}

// How large a column is at most in any clip that turns.
double largest_scale(const Character& model, std::size_t column) {
  double most = 0.0;
  for (const BakedClip& clip : model.clips())
    if (turns(clip)) most = std::max(most, column_scales(model, clip)[column]);
  return most;
}

double farthest(const Bounds& box, const glm::dvec3& from) {
  return box.empty() ? 0.0 : glm::length(glm::max(glm::abs(box.min - from), glm::abs(box.max - from)));
}

}  // namespace

std::vector<ClipBox> clip_boxes(const Character& model) {
  std::vector<ClipBox> clips;
  for (const BakedClip& clip : model.clips()) clips.push_back({clip.bounds, 0.0});
  if (model.mode() == BakeMode::vertices) return clips;
  const std::vector<Bounds> boxes = column_boxes(model);
  std::vector<double> scales(boxes.size(), 0.0);
  for (const BakedClip& clip : model.clips()) {
    if (!turns(clip)) continue;
    const std::vector<double> of_clip = column_scales(model, clip);
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = std::max(scales[i], of_clip[i]);
  }
  const double more = model.morphs().empty() ? 1.0 : kMorphedReach;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const BakedClip& clip = model.clips()[i];
    for (std::size_t column = 0; turns(clip) && column < boxes.size(); ++column) {
      const double reach = more * scales[column] * farthest(boxes[column], pivot_of(model, clip, column));
      clips[i].fade_reach = std::max(clips[i].fade_reach, reach);
    }
  }
  return clips;
}

double carried_reach(const Character& model, SocketId socket, double size) {
  constexpr int kLooks = 4;  // from each frame to the next
  const BakedSocket& baked = model.sockets()[socket.value];
  const glm::dvec3 at = baked.mesh_from_socket.translation;
  double beyond = 0.0;
  double scale = 0.0;
  for (const BakedClip& clip : model.clips())
    for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
      const std::uint32_t next = frame + 1 < clip.frame_count ? frame + 1 : clip.loops ? 0 : frame;
      const Cursor cursor{clip.first_frame + frame, clip.first_frame + next, 0.0f};
      for (int look = 0; look < kLooks; ++look) {
        const glm::dmat4 place = decode_socket(model, clip, baked, cursor, static_cast<double>(look) / kLooks);
        const glm::dvec3 there(place[3]);
        const glm::dvec3 past = glm::max(clip.bounds.min - there, there - clip.bounds.max);
        beyond = std::max(beyond, glm::length(glm::max(past, glm::dvec3(0.0))));
        for (int axis = 0; axis < 3; ++axis) scale = std::max(scale, glm::length(glm::dvec3(place[axis])));
      }
    }
  // A fade swings it about the pivot of its column, as it does vertices.
  const std::vector<ClipBox> boxes = clip_boxes(model);
  for (std::size_t i = 0; i < boxes.size() && model.mode() == BakeMode::bones; ++i) {
    if (!turns(model.clips()[i])) continue;
    const double swing = glm::distance(at, pivot_of(model, model.clips()[i], baked.bone));
    beyond = std::max(beyond, largest_scale(model, baked.bone) * swing - boxes[i].fade_reach);
  }
  return beyond + scale * size;
}

Bounds reached(std::span<const ClipBox> clips, std::uint32_t clip, std::uint32_t previous) {
  Bounds box = clips[clip].bounds;
  if (previous == gpu::kNoClip) return box;
  box.add(clips[previous].bounds);
  if (box.empty()) return box;
  box.min -= clips[clip].fade_reach;
  box.max += clips[clip].fade_reach;
  return box;
}

Bounds bounds_of(std::span<const InstanceRecord> instances, std::span<const ClipBox> clips) {
  Bounds all;
  for (const InstanceRecord& instance : instances) {
    const Bounds box = reached(clips, instance.clips & 0xFFFFu, instance.clips >> 16);
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
