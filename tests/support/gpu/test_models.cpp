// SPDX-License-Identifier: Apache-2.0
#include "test_models.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "channel_motion.h"
#include "dice.h"
#include "frame_writer.h"
#include "random_frames.h"
#include "throng/base/file.h"
#include "throng/character/codecs/vertex_codecs.h"
#include "throng/playback/pack_rotation.h"

namespace throng::test {
namespace {

void look_into(CharacterDraft& model, std::shared_ptr<ModelStorage> storage) {
  model.vertices = storage->vertices;
  model.tangents = storage->tangents;
  model.sources = {{.vertex_count = static_cast<std::uint32_t>(storage->vertices.size())}};
  model.indices = storage->indices;
  model.atlas.words = storage->words;
  model.table = storage->table;
  model.channel_words = storage->channel_words;
  model.storage = SharedBytes(storage, std::as_bytes(std::span(storage->words)));
}

const Bounds kRandomBounds{glm::dvec3(-8.0), glm::dvec3(8.0)};

BakedVertex random_vertex(Dice& dice, std::uint32_t bones) {
  BakedVertex vertex{};
  vertex.position = glm::vec3(dice.point(1.0));
  vertex.normal = glm::normalize(glm::vec3(dice.point(1.0)));
  vertex.colour = {255, 255, 255, 255};
  std::uint32_t left = 65535;
  const std::uint32_t influences = 1 + dice.below(4);
  for (std::uint32_t i = 0; i < influences; ++i) {
    vertex.bones[i] = static_cast<std::uint16_t>(dice.below(bones));
    const std::uint32_t weight = i + 1 == influences ? left : left / 2;
    vertex.weights[i] = static_cast<std::uint16_t>(weight);
    left -= weight;
  }
  return vertex;
}

BakedClip random_clip(const ModelShape& shape, std::size_t i) {
  BakedClip clip;
  clip.name = fmt::format("clip {}", i);
  clip.loops = shape.clip_loops[i % shape.clip_loops.size()];
  clip.frame_count = shape.clip_frames[i];
  clip.layer = static_cast<std::uint32_t>(i % shape.layers);
  clip.length = 1.0;
  clip.encoding = shape.encodings[i % shape.encodings.size()];
  clip.range = {{-1.0, -2.0, -3.0}, {3.0, 4.0, 5.0}, 1.5};
  clip.bounds = kRandomBounds;
  return clip;
}

// Clips in localv have no frames in the atlas.
bool add_outside(CharacterDraft& model, BakedClip& clip) {
  if (clip.encoding != Encoding::localv) return false;
  clip.layer = 0;
  model.clips.push_back(clip);
  return true;
}

// One clip under the other, each from a row's start, and folded ones from a multiple of their rows.
void add_clips(CharacterDraft& model, const ModelShape& shape, Dice& dice, std::vector<glm::vec4>& table) {
  std::vector<std::uint32_t> next_row(shape.layers, 0);
  for (std::size_t i = 0; i < shape.clip_frames.size(); ++i) {
    BakedClip clip = random_clip(shape, i);
    if (add_outside(model, clip)) continue;
    const FrameLayout frames = frame_layout(model, clip);
    std::uint32_t& row = next_row[clip.layer];
    row = ceil_divide(row, frames.rows_per_frame) * frames.rows_per_frame;
    clip.first_frame = frame_of_row(frames, row);
    row += static_cast<std::uint32_t>(rows_of(frames, clip.frame_count));
    add_table_rows(model, clip, dice, table);
    model.clips.push_back(clip);
  }
  for (const std::uint32_t used : next_row) model.atlas.height = std::max(model.atlas.height, used);
}

// One clip behind the other through layers of so many rows, whose frames stay whole.
void add_running_clips(CharacterDraft& model, const ModelShape& shape, Dice& dice, std::vector<glm::vec4>& table) {
  model.atlas.height = shape.layer_rows;
  std::uint32_t layer = 0, row = 0;
  for (std::size_t i = 0; i < shape.clip_frames.size(); ++i) {
    BakedClip clip = random_clip(shape, i);
    if (add_outside(model, clip)) continue;
    const FrameLayout frames = frame_layout(model, clip);
    row = ceil_divide(row, frames.rows_per_frame) * frames.rows_per_frame;
    if (row + frames.rows_per_frame > shape.layer_rows) {
      ++layer;
      row = 0;
    }
    clip.layer = layer;
    clip.first_frame = frame_of_row(frames, row);
    const LayerFrame last = layer_frame(frames, shape.layer_rows, layer, clip.first_frame + clip.frame_count - 1);
    layer = last.layer;
    row = static_cast<std::uint32_t>(rows_of(frames, last.frame + 1));
    add_table_rows(model, clip, dice, table);
    model.clips.push_back(clip);
  }
  model.atlas.layer_count = layer + 1;
}

}  // namespace

namespace {

// Two vertices of three are moved, by one target or several.
void add_morphs(CharacterDraft& model, std::uint32_t targets, ModelStorage& storage, Dice& dice) {
  for (std::uint32_t i = 0; i < targets; ++i) {
    model.morphs.targets.push_back({fmt::format("target {}", i), static_cast<float>(dice.between(-0.5, 0.0)),
                                    static_cast<float>(dice.between(0.5, 2.0) / 65535.0), 1.0f / 32767.0f,
                                    0.5f / 32767.0f});
  }
  std::uint32_t rows = 0;
  for (std::size_t i = 0; i < model.clips.size(); ++i) {
    BakedClip& clip = model.clips[i];
    clip.first_morph_row = rows;
    clip.morph_steps = static_cast<std::uint32_t>(i + 3) % 4;
    rows += static_cast<std::uint32_t>(morph_rows(clip));
  }
  for (std::uint32_t i = 0; i < rows * targets; ++i)
    storage.morph_weights.push_back(static_cast<std::uint16_t>(dice.below(65536)));
  const auto step = [&dice] { return static_cast<std::int16_t>(static_cast<int>(dice.below(65535)) - 32767); };
  for (std::uint32_t v = 0; v < model.vertices.size(); ++v) {
    if (dice.below(3) == 0) continue;
    storage.morphed_vertices.push_back({v, 1 + dice.below(targets)});
    for (std::uint32_t i = 0; i < storage.morphed_vertices.back().delta_count; ++i) {
      storage.deltas.push_back(
          {{step(), step(), step()}, {step(), step(), step()}, static_cast<std::uint16_t>((v + i) % targets), 0});
    }
  }
  model.morphs.weights = storage.morph_weights;
  model.morphs.vertices = storage.morphed_vertices;
  model.morphs.deltas = storage.deltas;
}

}  // namespace

CharacterDraft random_draft(const ModelShape& shape) {
  Dice dice(shape.seed);
  auto storage = std::make_shared<ModelStorage>();
  CharacterDraft model;
  model.name = "random";
  model.mode = is_vertex_encoding(shape.encodings[0]) ? BakeMode::vertices : BakeMode::bones;
  model.tangents_animated = shape.tangents && model.mode == BakeMode::vertices;
  // Vertex mode has one bone, without meaning.
  const std::uint32_t bones = model.mode == BakeMode::vertices ? 1 : shape.bones;
  for (std::uint32_t i = 0; i < bones; ++i) model.bones.push_back({.name = fmt::format("bone {}", i)});
  for (std::uint32_t i = 0; i < shape.vertices; ++i) {
    storage->vertices.push_back(random_vertex(dice, bones));
    storage->indices.push_back(i);
  }
  for (std::uint32_t i = 0; shape.tangents && i < shape.vertices; ++i) {
    const glm::dvec3 along = glm::normalize(glm::cross(glm::dvec3(storage->vertices[i].normal), dice.direction()));
    storage->tangents.emplace_back(glm::vec3(along), dice.below(2) == 0 ? -1.0f : 1.0f);
  }
  for (std::uint32_t i = 0; i < shape.sockets; ++i) {
    // Vertex mode: the first of its two items behind the vertices. Bone mode: a column.
    const std::uint32_t place = model.mode == BakeMode::vertices ? shape.vertices + 2 * i : i % bones;
    model.sockets.push_back({.name = fmt::format("socket {}", i), .bone = place, .mesh_from_socket = {}});
  }
  model.vertices = storage->vertices;  // as many as there are decides how long frames are
  model.materials.emplace_back();
  model.draws.push_back({0, 0, shape.vertices});
  model.atlas.layout = shape.layout;
  model.atlas.layer_count = shape.layers;
  model.bounds = kRandomBounds;
  const auto any_of = [&shape](Encoding encoding) {
    return std::ranges::find(shape.encodings, encoding) != shape.encodings.end();
  };
  if (any_of(Encoding::local8) || any_of(Encoding::localv)) add_skeleton(model, shape.links, dice);
  if (any_of(Encoding::localv)) add_channel_slots(model, dice);
  (shape.layer_rows > 0 ? add_running_clips : add_clips)(model, shape, dice, storage->table);
  if (model.atlas.height == 0) model.atlas = {};
  fill_channels(model, dice, storage->channel_words);
  fill_frames(model, storage->table, dice, storage->words);
  if (shape.morphs > 0) add_morphs(model, shape.morphs, *storage, dice);
  look_into(model, storage);
  return model;
}

namespace {

void add_card_mesh(CharacterDraft& model, ModelStorage& storage) {
  for (int i = 0; i < 4; ++i) {
    const float x = (i & 1) != 0 ? 1.0f : -1.0f;
    const float y = (i & 2) != 0 ? 2.0f : 0.0f;
    BakedVertex vertex{{x, y, 0.0f}, {0.0f, 0.0f, 1.0f},  {x * 0.5f + 0.5f, 1.0f - y * 0.5f}, {},
                       {65535},      {255, 255, 255, 255}};
    storage.vertices.push_back(vertex);
  }
  storage.indices = {0, 1, 3, 0, 3, 2};
  model.vertices = storage.vertices;
  model.draws.push_back({0, 0, 6});
  model.bounds.add(glm::dvec3(-1.0, 0.0, -0.01));
  model.bounds.add(glm::dvec3(1.0, 3.0, 0.01));
}

// The card's middle, `height` above the ground, in the words of one frame.
void write_card(const CharacterDraft& model, const BakedClip& clip, const FrameWriter& writer, std::uint32_t frame,
                double height) {
  const BoneSample sample{{1, 0, 0, 0}, {0, height, 0}, 1.0};
  const glm::dvec3 pivot = is_half(clip.encoding) ? glm::dvec3(0.0) : glm::dvec3(0, 1, 0);
  if (is_vertex_encoding(clip.encoding)) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      VertexSample vertex{glm::dvec3(model.vertices[i].position) + glm::dvec3(0, height - 1.0, 0), {0, 0, 1}, {}};
      encode_vertex(clip.encoding, vertex, clip.range, false, writer.item(frame, i));
    }
  } else if (clip.encoding == Encoding::rows || clip.encoding == Encoding::half_rows) {
    const AffineSample affine{glm::dmat3(1.0), sample.position - glm::dvec3(0, 1, 0) + pivot};
    encode_affine(clip.encoding, affine, clip.range, writer.item(frame, 0));
  } else if (clip.encoding == Encoding::local8) {
    const SlotRange slot{{-1.0, 0.0, -1.0, 1.0}, {2.0, 4.0, 2.0, 0.0}};
    encode_translation_slot(sample.position, 1.0, slot, writer.item(frame, 0).first<2>());
  } else {
    BoneSample moved = sample;
    moved.position += pivot - glm::dvec3(0, 1, 0);
    encode_bone(clip.encoding, moved, clip.range, writer.item(frame, 0));
  }
}

// What the words are measured by, for both clips.
void add_card_table(CharacterDraft& model, Encoding encoding, std::vector<glm::vec4>& table) {
  if (encoding == Encoding::local8) {
    PoseLink link;
    link.translation_slot = 0;
    model.skeleton.push_back(link);
    model.bones[0].link_from_mesh.position = {0.0, -1.0, 0.0};
    table = {{-1.0f, 0.0f, -1.0f, 1.0f}, {2.0f, 4.0f, 2.0f, 0.0f}};
  } else if (encoding == Encoding::localv) {
    PoseLink link;
    link.translation_slot = 0;
    model.skeleton.push_back(link);
    model.channel_slots = {SlotKind::translation};
    model.bones[0].link_from_mesh.position = {0.0, -1.0, 0.0};
  } else if (!is_vertex_encoding(encoding)) {
    table = {is_half(encoding) ? glm::vec4(0.0f) : glm::vec4(0.0f, 1.0f, 0.0f, 0.0f)};
    if (encoding == Encoding::q8) table.insert(table.end(), {{-1.0f, 0.0f, -1.0f, 0.0f}, {2.0f, 4.0f, 2.0f, 0.0f}});
  }
}

// The card's middle, one metre above the ground and rising to two.
void add_card_channels(BakedClip& stand, BakedClip& rise, std::vector<std::uint32_t>& words) {
  constexpr double kStep = 1e-5;
  rise.first_frame = 0;
  const std::vector<SlotMotion> stands{vector_motion(SlotKind::translation, {{0, 1, 0}}, kStep)};
  const std::vector<SlotMotion> rises{vector_motion(SlotKind::translation, {{0, 1, 0}, {0, 2, 0}}, kStep)};
  add_channels(stands, every_frame(1), stand, words);
  add_channels(rises, every_frame(2), rise, words);
}

}  // namespace

CharacterDraft card_draft(const Material& material, Encoding encoding) {
  auto storage = std::make_shared<ModelStorage>();
  CharacterDraft model;
  model.name = "card";
  model.mode = is_vertex_encoding(encoding) ? BakeMode::vertices : BakeMode::bones;
  model.bones.push_back({.name = "root"});
  model.materials.push_back(material);
  add_card_mesh(model, *storage);
  add_card_table(model, encoding, storage->table);
  const ClipRange range{{-1.0, 0.0, -1.0}, {2.0, 4.0, 2.0}, 1.0};
  BakedClip stand{.name = "stand", .length = 1.0, .loops = true, .frame_count = 1, .encoding = encoding};
  BakedClip rise{.name = "rise", .length = 1.0, .frame_count = 2, .first_frame = 1, .encoding = encoding};
  stand.range = rise.range = range;
  stand.bounds = rise.bounds = model.bounds;
  if (encoding == Encoding::localv) {
    add_card_channels(stand, rise, storage->channel_words);
    model.clips = {stand, rise};
    look_into(model, storage);
    return model;
  }
  model.clips = {stand, rise};
  model.atlas.layout = {1, is_half(encoding) ? 2u : 4u};
  model.atlas.layer_count = 1;
  model.atlas.height = static_cast<std::uint32_t>(rows_of(frame_layout(model, stand), 3));
  storage->words.resize(std::size_t{model.atlas.height} * model.atlas.layout.texel_words);
  write_card(model, stand, FrameWriter(model, stand, storage->words), 0, 1.0);
  write_card(model, rise, FrameWriter(model, rise, storage->words), 0, 1.0);
  write_card(model, rise, FrameWriter(model, rise, storage->words), 1, 2.0);
  look_into(model, storage);
  return model;
}

ModelShape folding_shape(std::vector<Encoding> encodings, bool tangents) {
  ModelShape shape{.bones = 20, .layout = {37, 2}, .vertices = 90, .clip_frames = {6, 9, 4, 2, 3}};
  while (shape.clip_frames.size() < encodings.size()) shape.clip_frames.push_back(5);  // each has a clip
  shape.encodings = std::move(encodings);
  shape.tangents = tangents;
  return shape;
}

Character random_model(const ModelShape& shape) { return built(random_draft(shape)); }

Character card_model(const Material& material, Encoding encoding) { return built(card_draft(material, encoding)); }

ImageSource png(const std::array<std::array<std::uint8_t, 4>, 4>& pixels) {
  Image image{2, 2, {}};
  for (const auto& pixel : pixels) image.rgba.insert(image.rgba.end(), pixel.begin(), pixel.end());
  const auto path = std::filesystem::temp_directory_path() / fmt::format("throng_{}.png", ::getpid());
  EXPECT_TRUE(write_png(image, path));
  const auto text = read_text_file(path);
  std::filesystem::remove(path);
  const auto bytes = std::as_bytes(std::span(*text));
  return {"squares", "image/png", SharedBytes(std::vector<std::byte>(bytes.begin(), bytes.end()))};
}

TestCharacter standing(std::uint32_t clip, const glm::vec3& position) {
  TestCharacter character;
  character.instance.position = position;
  character.instance.scale = 1.0f;
  character.instance.rotation = pack_rotation({1.0f, 0.0f, 0.0f, 0.0f});
  character.instance.clips = clip | gpu::kNoClip << 16;
  character.instance.tint = 0xFFFFFFFFu;
  character.play.track.clip = clip;
  return character;
}

namespace {

TrackRecord random_track(const Character& model, std::size_t clip, Dice& dice) {
  TrackRecord track{};
  track.clip = static_cast<std::uint32_t>(clip % model.clips().size());
  track.wrap = dice.below(4) == 0 ? dice.below(3) : model.clips()[track.clip].loops ? gpu::kWrapLoop : gpu::kWrapClamp;
  track.phase = {dice.bits(), dice.bits()};
  // Slow, fast, backwards, still: the top bits decide, so shift them about.
  const std::uint32_t shift = dice.below(32);
  track.rate = {dice.bits(), static_cast<std::uint32_t>(static_cast<std::int32_t>(dice.bits()) >> shift)};
  if (dice.below(8) == 0) track.rate = {0, 0};
  track.start = {dice.bits(), dice.bits() >> (4 + dice.below(28))};
  return track;
}

}  // namespace

Cast random_cast(const Character& model, std::size_t count, unsigned seed, bool fades) {
  Dice dice(seed);
  Cast cast;
  for (std::size_t i = 0; i < count; ++i) {
    TestCharacter character;
    character.instance.position = glm::vec3(dice.point(50.0));
    character.instance.scale = static_cast<float>(dice.between(0.5, 2.0));
    character.instance.rotation = pack_rotation(glm::quat(dice.turn()));
    character.instance.tint = dice.bits();
    character.play.track = random_track(model, i, dice);
    character.instance.clips = character.play.track.clip | gpu::kNoClip << 16;
    character.play.variation = dice.bits();
    if (fades && i % 3 == 0) {
      character.play.previous = random_track(model, i / 3 + dice.below(7), dice);
      character.play.fade_ticks = 1000;
      // At tick 777 some are over, and some have just begun.
      const std::uint64_t start = std::uint64_t{777} - dice.below(1200);
      character.play.fade_start = {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(start >> 32)};
      character.instance.clips = character.play.track.clip | character.play.previous.clip << 16;
    }
    cast.add(character);
  }
  return cast;
}

}  // namespace throng::test
