// SPDX-License-Identifier: Apache-2.0
#include "made_model.h"

#include <bit>
#include <cmath>
#include <memory>

#include "built_character.h"
#include "channel_motion.h"
#include "throng/character/codecs/vertex_codecs.h"

namespace throng {
namespace {

constexpr std::uint32_t kColumns = 3;
constexpr double kMaxScale = 1.5;

struct Arrays {
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> channel_words;
  std::vector<glm::vec4> table;
  std::vector<BakedVertex> vertices;
  std::vector<std::uint32_t> indices = {0, 1, 2, 2, 1, 3};
};

// Far enough round that neighbours are in different hemispheres when signs are taken as they come.
glm::dquat turn(std::uint32_t column, std::uint32_t frame) {
  const glm::dvec3 axis = glm::normalize(glm::dvec3(1.0 + column, 2.0, 3.0 - 2.0 * column));
  const glm::dquat q = glm::angleAxis(0.9 + 0.8 * frame + 0.7 * column, axis);
  return frame % 2 == 0 ? q : -q;
}

// model_from_mesh, its pivot at the origin.
BoneSample move_of(Encoding encoding, std::uint32_t column, std::uint32_t frame) {
  BoneSample sample;
  sample.rotation = turn(column, frame);
  sample.position = {0.4 * column + 0.05 * frame, 1.0 - 0.1 * frame * column, 0.2 * frame - 0.1};
  sample.scale = info_of(encoding).one_scale ? 1.25 : 1.0 + 0.1 * column + 0.05 * frame;
  return sample;
}

// Scaled differently each way and from column to column, and mirrored.
glm::dmat3 affine_of(std::uint32_t column, std::uint32_t frame) {
  const glm::dmat3 shape(0.9, 0.0, 0.2, 0.1, -0.7 - 0.05 * frame, 0.0, 0.0, 0.3, 1.1);
  return glm::mat3_cast(turn(column, 0)) * shape * (1.0 - 0.3 * column);
}

glm::dvec3 pivot_of(Encoding encoding, std::uint32_t column) {
  if (is_half(encoding)) return glm::dvec3(0.0);
  return {0.25 + 0.5 * column, -0.5, 0.125 * column};
}

glm::dmat4 matrix(const glm::dmat3& linear, const glm::dvec3& offset) {
  glm::dmat4 m(linear);
  m[3] = glm::dvec4(offset, 1.0);
  return m;
}

// local8 and localv: two of the links move as the frame says, two stay at rest.
BoneSample link_at(const PoseLink& link, std::uint32_t index, std::uint32_t frame) {
  BoneSample sample = link.rest;
  if (link.rotation_slot) sample.rotation = turn(index, frame);
  if (link.translation_slot) sample.position = {0.1 * index, 0.3 * frame, -0.2};
  if (link.translation_slot) sample.scale = 1.0 + 0.1 * frame;
  return sample;
}

// The slots of localv: rotations as local8 numbers them, then translations, then scales.
constexpr std::uint32_t kRotations = 3;
constexpr std::uint32_t kTranslations = 2;

std::vector<PoseLink> made_skeleton(Encoding encoding) {
  std::vector<PoseLink> links(4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    links[i].rest.rotation = glm::angleAxis(0.3 * (i + 1.0), glm::normalize(glm::dvec3(1.0, i, 1.0)));
    links[i].rest.position = {0.1, 0.5, 0.05 * i};
    if (i != 0) links[i].parent = i == 3 ? 1 : i - 1;
  }
  links[1].rest.scale = 0.75;
  links[0].rotation_slot = 1;
  links[2].rotation_slot = 0;
  links[3].rotation_slot = 2;
  links[0].translation_slot = 0;
  links[3].translation_slot = 1;
  if (encoding == Encoding::local8) return links;
  for (PoseLink& link : links) {
    if (!link.translation_slot) continue;
    link.scale_slot = kRotations + kTranslations + *link.translation_slot;
    *link.translation_slot += kRotations;
  }
  return links;
}

void encode_channels(const CharacterDraft& model, std::span<const std::uint32_t> stored, BakedClip& clip,
                     std::vector<std::uint32_t>& words) {
  constexpr double kStep = 1e-5;
  std::vector<SlotMotion> slots(model.channel_slots.size());
  for (std::uint32_t i = 0; i < model.skeleton.size(); ++i) {
    const PoseLink& link = model.skeleton[i];
    std::vector<glm::dquat> rotations;
    std::vector<glm::dvec3> positions, scales;
    for (const std::uint32_t frame : stored) {
      const BoneSample sample = link_at(link, i, frame);
      rotations.push_back(sample.rotation);
      positions.push_back(sample.position);
      scales.emplace_back(sample.scale);
    }
    if (link.rotation_slot) slots[*link.rotation_slot] = test::rotation_motion(rotations, kStep);
    if (link.translation_slot)
      slots[*link.translation_slot] = test::vector_motion(SlotKind::translation, positions, kStep);
    if (link.scale_slot) slots[*link.scale_slot] = test::vector_motion(SlotKind::scale, scales, kStep);
  }
  test::add_channels(slots, stored, clip, words);
}

SlotRange slot_range(std::uint32_t slot) {
  return {{-0.5 - slot, -0.25, -0.5, 0.5}, {1.0 + 2.0 * slot, 2.0, 0.5, 1.0}};
}

void encode_local(const CharacterDraft& model, std::uint32_t frame, std::span<std::uint32_t> words) {
  for (std::uint32_t i = 0; i < model.skeleton.size(); ++i) {
    const PoseLink& link = model.skeleton[i];
    const BoneSample sample = link_at(link, i, frame);
    if (link.rotation_slot) encode_rotation_slot(sample.rotation, words.subspan(*link.rotation_slot * 2).first<2>());
    if (!link.translation_slot) continue;
    const std::size_t first = (rotation_slots(model) + *link.translation_slot) * 2;
    encode_translation_slot(sample.position, sample.scale, slot_range(*link.translation_slot),
                            words.subspan(first).first<2>());
  }
}

// q8: what positions of a frame count from, and the box of a column, each as large as it must be.
glm::vec3 origin_of(std::uint32_t frame) { return {0.5f * static_cast<float>(frame), -4.0f, 16.0f}; }

ClipRange column_range(const ClipRange& clip, Encoding encoding, std::uint32_t column) {
  if (encoding != Encoding::q8) return clip;
  return {{-7.0 + column, 1.0, -19.0 - column}, {8.0, 8.0 + column, 6.0 + column}, clip.scale_max};
}

void encode_columns(const BakedClip& clip, std::uint32_t frame, std::span<std::uint32_t> words) {
  const Encoding encoding = clip.encoding;
  glm::dvec3 origin(0.0);
  if (encoding == Encoding::q8) {
    origin = origin_of(frame);
    for (int i = 0; i < 3; ++i) words[static_cast<std::size_t>(i)] = std::bit_cast<std::uint32_t>(origin_of(frame)[i]);
  }
  const std::size_t count = words_per_item(encoding, false);
  for (std::uint32_t column = 0; column < kColumns; ++column) {
    const auto item = words.subspan(header_words(encoding) + column * count, count);
    const glm::dvec3 pivot = pivot_of(encoding, column);
    BoneSample sample = move_of(encoding, column, frame);
    if (is_affine_encoding(encoding)) {
      const glm::dmat3 linear = affine_of(column, frame);
      encode_affine(encoding, {linear, sample.position + linear * pivot}, clip.range, item);
      continue;
    }
    sample.position += sample.scale * (sample.rotation * pivot) - origin;
    encode_bone(encoding, sample, column_range(clip.range, encoding, column), item);
  }
}

void encode_vertices(const CharacterDraft& model, const BakedClip& clip, std::uint32_t frame,
                     std::span<std::uint32_t> words) {
  const std::size_t count = words_per_item(clip.encoding, model.tangents_animated);
  for (std::uint32_t item = 0; item < item_count(model, clip.encoding); ++item) {
    VertexSample sample;
    sample.position = made_position(item, frame);
    sample.normal = made_normal(item, frame);
    sample.tangent = {glm::normalize(glm::cross(sample.normal, glm::dvec3(0.3, 0.2, -1.0))),
                      item % 2 == 0 ? 1.0 : -1.0};
    encode_vertex(clip.encoding, sample, clip.range, model.tangents_animated, words.subspan(item * count, count));
  }
}

std::vector<glm::vec4> made_table(const CharacterDraft& model, Encoding encoding) {
  if (encoding == Encoding::localv) return {};
  std::vector<glm::vec4> table(2, glm::vec4(9.0f));  // rows of nobody
  if (encoding == Encoding::local8) {
    for (std::uint32_t slot = 0; slot < translation_slots(model); ++slot) {
      table.emplace_back(slot_range(slot).min);
      table.emplace_back(slot_range(slot).size);
    }
    return table;
  }
  for (std::uint32_t c = 0; c < kColumns; ++c) table.emplace_back(glm::vec3(pivot_of(encoding, c)), 0.0f);
  for (std::uint32_t c = 0; c < kColumns && encoding == Encoding::q8; ++c) {
    const ClipRange range = column_range({}, encoding, c);
    table.emplace_back(glm::vec3(range.pivot_min), 0.0f);
    table.emplace_back(glm::vec3(range.pivot_size), 0.0f);
  }
  return table;
}

std::vector<BakedVertex> made_vertices(bool bones) {
  std::vector<BakedVertex> vertices(4);
  for (std::uint16_t i = 0; i < 4; ++i) {
    const auto f = static_cast<float>(i);
    const auto column = static_cast<std::uint16_t>(bones ? i % 3 : 0);
    const auto other = static_cast<std::uint16_t>(bones ? (i + 1) % 3 : 0);
    vertices[i].position = {f * 0.1f, 1.0f - 0.3f * f, 0.7f};
    vertices[i].normal = glm::normalize(glm::vec3(f, 1.0f, 2.0f - f));
    vertices[i].uv = {f * 0.25f, 0.5f};
    vertices[i].bones = {column, other, column, column};
    vertices[i].weights = {65535, 0, 0, 0};
    if (bones) vertices[i].weights = {40000, 25535, 0, 0};
    vertices[i].colour = {255, 128, 64, 255};
  }
  return vertices;
}

BakedClip made_clip(Encoding encoding) {
  BakedClip clip;
  clip.name = "moves";
  clip.length = 0.5;
  clip.loops = true;
  clip.frame_count = kMadeFrames;
  clip.layer = encoding == Encoding::localv ? 0 : 1;
  clip.encoding = encoding;
  clip.first_table_row = is_vertex_encoding(encoding) || encoding == Encoding::localv ? 0 : 2;
  clip.range = {{-6.0, -4.0, -5.0}, {10.0, 9.0, 8.0}, info_of(encoding).one_scale ? 1.25 : kMaxScale};
  clip.bounds = {glm::dvec3(-8.0), glm::dvec3(8.0)};
  clip.choice = "made by hand";
  return clip;
}

void fill_words(CharacterDraft& model, Arrays& arrays) {
  BakedClip& clip = model.clips[0];
  const FrameLayout frames = frame_layout(model, clip);
  const auto rows = static_cast<std::uint32_t>(rows_of(frames, kMadeFrames));
  clip.first_frame = frame_of_row(frames, frames.rows_per_frame);
  model.atlas.height = frames.rows_per_frame + rows;
  model.atlas.layer_count = 2;
  const Layout& layout = model.atlas.layout;
  arrays.words.resize(std::size_t{2} * model.atlas.height * layout.width * layout.texel_words);
  const std::size_t count = words_per_frame(clip.encoding, item_count(model, clip.encoding), model.tangents_animated);
  for (std::uint32_t frame = 0; frame < kMadeFrames; ++frame) {
    const TexelCoordinate at = texel_of(layout, frames, clip.first_frame + frame, 0);
    const std::size_t first = ((std::size_t{model.atlas.height} + at.y) * layout.width + at.x) * layout.texel_words;
    const auto words = std::span(arrays.words).subspan(first, count);
    if (is_vertex_encoding(clip.encoding)) {
      encode_vertices(model, clip, frame, words);
    } else if (clip.encoding == Encoding::local8) {
      encode_local(model, frame, words);
    } else {
      encode_columns(clip, frame, words);
    }
  }
}

glm::dmat4 link_matrix(const CharacterDraft& model, std::uint32_t index, std::uint32_t frame, std::uint32_t next,
                       double blend) {
  const PoseLink& link = model.skeleton[index];
  const BoneSample a = link_at(link, index, frame);
  const BoneSample b = link_at(link, index, next);
  const double side = glm::dot(a.rotation, b.rotation) < 0.0 ? -1.0 : 1.0;
  const bool evenly = model.clips[0].encoding == Encoding::localv;
  const glm::dquat mixed = evenly ? glm::slerp(a.rotation, b.rotation, blend)
                                  : glm::normalize(a.rotation * (1.0 - blend) + b.rotation * (side * blend));
  const glm::dmat4 local =
      matrix(glm::mat3_cast(mixed) * glm::mix(a.scale, b.scale, blend), glm::mix(a.position, b.position, blend));
  return link.parent ? link_matrix(model, *link.parent, frame, next, blend) * local : local;
}

}  // namespace

CharacterDraft made_draft(Encoding encoding, const Layout& layout, const std::vector<std::uint32_t>& stored) {
  const auto arrays = std::make_shared<Arrays>();
  const bool bones = !is_vertex_encoding(encoding);
  arrays->vertices = made_vertices(bones);
  CharacterDraft model;
  model.name = "made";
  model.mode = bones ? BakeMode::bones : BakeMode::vertices;
  model.tangents_animated = !bones;
  model.bones.resize(bones ? kColumns : 1);
  for (std::size_t i = 0; i < model.bones.size(); ++i) model.bones[i].name = fmt::format("bone {}", i);
  if (encoding == Encoding::localv) {
    model.channel_slots.assign(kRotations, SlotKind::rotation);
    model.channel_slots.insert(model.channel_slots.end(), kTranslations, SlotKind::translation);
    model.channel_slots.insert(model.channel_slots.end(), kTranslations, SlotKind::scale);
  }
  if (is_linked_encoding(encoding)) {
    model.skeleton = made_skeleton(encoding);
    for (std::uint32_t i = 0; i < kColumns; ++i) {
      model.bones[i].link = 3 - i;
      model.bones[i].link_from_mesh = {turn(i + 1, 0), {0.1, -0.3, 0.2 * i}, 1.0 + 0.25 * i};
    }
  }
  model.draws = {{0, 0, 6}};
  model.sources = {{0, 0, 0, 4}};
  model.materials.resize(1);
  model.clips = {made_clip(encoding)};
  Transform socket;
  socket.translation = {0.1, 0.2, 0.3};
  socket.rotation = turn(2, 0);
  socket.scale = {1.0, 2.0, 0.5};
  model.sockets = {{"grip", bones ? 2u : 4u, socket}};
  model.bounds = model.clips[0].bounds;
  model.vertices = arrays->vertices;
  model.indices = arrays->indices;
  if (encoding == Encoding::localv) {
    encode_channels(model, stored.empty() ? test::every_frame(kMadeFrames) : stored, model.clips[0],
                    arrays->channel_words);
    model.channel_words = arrays->channel_words;
  } else {
    model.atlas.layout = layout;
    fill_words(model, *arrays);
  }
  if (bones) arrays->table = made_table(model, encoding);
  model.table = arrays->table;
  model.atlas.words = arrays->words;
  model.storage = SharedBytes(arrays, {});
  return model;
}

Character made_model(Encoding encoding, const Layout& layout) { return test::built(made_draft(encoding, layout)); }

// A few steps of the coarsest field, at the distances above.
double made_tolerance(Encoding encoding) {
  switch (encoding) {
    case Encoding::x16:
      return 5e-4;  // its scale has 12 bits
    case Encoding::q8:
      return 0.03;
    case Encoding::half_quaternion:
    case Encoding::half_rows:
    case Encoding::half_vertex:
      return 3e-3;
    case Encoding::v8:
      return 1e-3;
    case Encoding::rgbm:
      return 0.06;
    default:
      return 5e-4;
  }
}

glm::dmat4 made_column(const Character& model, std::uint32_t column, std::uint32_t frame, std::uint32_t next,
                       double blend) {
  const Encoding encoding = model.clips()[0].encoding;
  if (is_linked_encoding(encoding)) {
    const BoneSample& l = model.bones()[column].link_from_mesh;
    return link_matrix(model.draft(), model.bones()[column].link, frame, next, blend) *
           matrix(glm::mat3_cast(l.rotation) * l.scale, l.position);
  }
  const BoneSample a = move_of(encoding, column, frame);
  const BoneSample b = move_of(encoding, column, next);
  const glm::dvec3 pivot = pivot_of(encoding, column);
  glm::dmat3 from = glm::mat3_cast(a.rotation) * a.scale;
  glm::dmat3 to = glm::mat3_cast(b.rotation) * b.scale;
  const double side = glm::dot(a.rotation, b.rotation) < 0.0 ? -1.0 : 1.0;
  glm::dmat3 linear = glm::mat3_cast(glm::normalize(a.rotation * (1.0 - blend) + b.rotation * (side * blend))) *
                      glm::mix(a.scale, b.scale, blend);
  if (is_affine_encoding(encoding)) {
    from = affine_of(column, frame);
    to = affine_of(column, next);
    linear = from * (1.0 - blend) + to * blend;
  }
  const glm::dvec3 moved = glm::mix(a.position + from * pivot, b.position + to * pivot, blend);
  return matrix(linear, moved - linear * pivot);
}

glm::dvec3 made_position(std::uint32_t item, std::uint32_t frame) {
  if (item == 5) item = 4;  // the two items of the socket are in one place
  return {0.3 * item - 1.0, 0.5 * frame, 2.0 - 0.2 * item * frame};
}

glm::dvec3 made_normal(std::uint32_t item, std::uint32_t frame) {
  if (item < 4) return glm::normalize(glm::dvec3(1.0 - item, 0.3 + 0.4 * frame, item - 2.5));
  const glm::dmat3 axes = glm::mat3_cast(turn(1, frame));
  return item == 4 ? axes[2] : axes[0];
}

}  // namespace throng
