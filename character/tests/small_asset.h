// SPDX-License-Identifier: Apache-2.0
#pragma once
// Baked models of a few kilobytes: one made by hand with something in every field, and one of every kind of encoding.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "built_character.h"
#include "file/glb.h"
#include "made_model.h"
#include "small_near.h"
#include "throng/base/file.h"
#include "throng/base/keep.h"
#include "throng/character/character.h"
#include "throng/character/file.h"
#include "throng/character/image.h"

namespace throng {

using namespace detail::character;  // what is tested is private

// A folder of its own, gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "throng-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::vector<std::byte> small_png() {
  const TemporaryFolder folder;
  Image image{2, 2, {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 8, 7, 6}};
  EXPECT_TRUE(write_png(image, folder / "a.png").has_value());
  const auto bytes = map_file(folder / "a.png");
  return {bytes->span().begin(), bytes->span().end()};
}

inline std::vector<BakedVertex> small_vertices() {
  std::vector<BakedVertex> vertices(4);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const auto f = static_cast<float>(i);
    vertices[i].position = {f * 0.1f, 1.0f - 0.3f * f, 0.7f};
    vertices[i].normal = {0.0f, 0.0f, 1.0f};
    vertices[i].uv = {f * 0.25f, 0.5f};
    vertices[i].bones = {static_cast<std::uint16_t>(i % 2), static_cast<std::uint16_t>((i + 1) % 2), 0, 0};
    vertices[i].weights = {40000, 25535, 0, 0};
    vertices[i].colour = {255, 128, 64, 255};
  }
  return vertices;
}

inline BakedClip small_clip(std::string name, std::uint32_t first_frame, std::uint32_t layer, bool loops) {
  BakedClip clip;
  clip.name = std::move(name);
  clip.source_start = 1.0 / 24.0;
  clip.length = 0.3;
  clip.loops = loops;
  clip.frame_count = 3;
  clip.first_frame = first_frame;
  clip.layer = layer;
  clip.range = {{-0.1, 0.2, 0.30000000000000004}, {1.1, 2.2, 3.3}, 1.15};
  clip.bounds.min = {-1.0, -2.0, -3.0};
  clip.bounds.max = {1.0, 2.0, 3.3333333333333335};
  clip.events = {{0.1, "step \"left\""}, {0.2, "Schritt rechts – ü"}};
  clip.error = {{0.1, 0.05, 0.01, 0.2}, {3.0, 2.0, 1.0, 4.0}, "spine", 0.123};
  clip.choice = "the nearest to 30 frames a second";
  return clip;
}

// Four clips: q16; rows, folded; a pose in q12; two frames of the first over again.
inline std::vector<BakedClip> small_clips() {
  BakedClip walk = small_clip("walk", 0, 0, true);
  for (int i = 0; i < 4; ++i) walk.root_motion.push_back({{i / 3.0, 0.0, -i * 0.1}, i * 1e-3});
  BakedClip fall = small_clip("fall", 1, 1, false);
  fall.encoding = Encoding::rows;
  fall.first_table_row = 2;
  BakedClip pose = small_clip("pose", 4, 0, false);
  pose.encoding = Encoding::q12;
  pose.first_table_row = 4;
  pose.frame_count = 1;
  pose.length = 0.0;
  pose.events.clear();
  pose.error = {};
  BakedClip step = small_clip("step", 1, 0, false);
  step.frame_count = 2;
  return {walk, fall, pose, step};
}

// Eight rows of two columns and two layers; rotations differ from texel to texel.
inline std::vector<std::uint32_t> small_words() {
  std::vector<std::uint32_t> words(2 * 8 * 2 * 4);
  for (std::size_t i = 0; i < words.size() / 4; ++i) {
    BoneSample sample;
    sample.rotation = glm::angleAxis(0.3 * static_cast<double>(i), glm::normalize(glm::dvec3(1, 2, 3)));
    sample.position = {0.01 * static_cast<double>(i), 0.5, 1.0};
    encode_bone(Encoding::q16, sample, small_clip("", 0, 0, true).range, std::span(words).subspan(i * 4, 4));
  }
  return words;
}

inline std::vector<Material> small_materials() {
  Material plain;
  plain.name = "plain";
  plain.base_colour = {0.1f, 0.2f, 0.3f, 1.0f};
  plain.double_sided = true;
  Material pictured;
  pictured.name = "pictured";
  pictured.base_image = 0;
  pictured.wrap_u = Wrap::clamp;
  pictured.wrap_v = Wrap::mirror;
  pictured.nearest_filter = true;
  pictured.alpha_mode = AlphaMode::mask;
  pictured.alpha_cutoff = 0.25f;
  return {plain, pictured};
}

struct SmallArrays {
  std::vector<std::uint32_t> words = small_words();
  std::vector<BakedVertex> vertices = small_vertices();
  std::vector<glm::vec4> tangents{{1, 0, 0, 1}, {0, 1, 0, -1}, {0.6f, 0.8f, 0, 1}, {0, -0.6f, 0.8f, -1}};
  std::vector<std::uint32_t> indices = {0, 1, 2, 2, 1, 3, 0, 1, 2};
  std::vector<std::uint8_t> vertex_parts = {1, 1, 1, 1};
  std::vector<std::uint32_t> baked_from_source = {3, 0, 1, 2, 1};
  std::vector<float> vertex_numbers = {0.0f, 1.0f, 2.0f, 3.0f};
  std::vector<glm::vec4> table = std::vector<glm::vec4>(6, {0.1f, -1.5f, 1e-7f, 0.0f});
};

inline CharacterDraft small_draft() {
  CharacterDraft model;
  model.name = "small";
  model.bones = {{"hips", 0, {}}, {"spine", 0, {}}};
  model.draws = {{0, 0, 3}, {1, 3, 3}};
  model.levels = {{0.025, 3, {{1, 6, 3}}, FewerBones{0.5, 0.1, 1.0 / 3.0}}, {1.0 / 3.0, 3, {{0, 6, 3}}}};
  model.fewer_bones = FewerBones{0.75, 0.25, 0.0};
  const Bounds thing{{0.0, 1.0, 0.0}, {1.0 / 3.0, 2.0, 0.5}};
  model.parts = {{"hat", thing}, {"body", thing}, {"hood", thing}};
  model.part_groups = {{"head", true, {PartId(2), PartId(0)}, 1}};
  model.sources = {{4, 0, 0, 3}, {5, 1, 3, 2}};
  model.materials = small_materials();
  model.images = {{"skin", "image/png", SharedBytes(small_png())}};
  model.clips = small_clips();
  Transform grip;
  grip.translation = {1.0 / 3.0, 0.2, 0.3};
  grip.rotation = glm::angleAxis(1.0, glm::normalize(glm::dvec3(3, 1, 2)));
  model.sockets = {{"grip", 1, grip, PartId(2)}};
  model.bounds = model.clips[0].bounds;
  model.error = {1000.0 / 3.0, {0.1, 0.05, 0.01, 0.2}, {3.0, 2.0, 1.0, 4.0}, "walk", "spine", 0.123};
  model.half_float_bytes = 123456789012345;
  model.repairs = {1, 2, 3, 0.25, 0.125, 4, 5, 6, 7};
  model.notes = {"from the import", "from the bake"};
  model.warnings = {"look at this"};
  const auto arrays = std::make_shared<const SmallArrays>();
  model.storage = SharedBytes(arrays, {});
  model.vertices = arrays->vertices;
  model.tangents = arrays->tangents;
  model.indices = arrays->indices;
  model.vertex_parts = arrays->vertex_parts;
  model.vertex_numbers = arrays->vertex_numbers;
  model.baked_from_source = arrays->baked_from_source;
  model.table = arrays->table;
  model.atlas = {{2, 4}, 8, 2, arrays->words};
  return model;
}

// Two targets; of the clips the first two have a row a frame and two, the others one for all.
inline void add_small_morphs(CharacterDraft& model) {
  std::vector<std::uint16_t> weights;
  const std::vector<MorphedVertex> vertices{{1, 2}, {3, 1}};
  const std::vector<BakedDelta> deltas{
      {{100, -200, 300}, {0, 0, 0}, 0, 0}, {{0, 32767, 0}, {-32767, 0, 50}, 1, 0}, {{1, 2, 3}, {4, 5, 6}, 1, 0}};
  for (std::uint16_t i = 0; i < 9; ++i) {
    weights.insert(weights.end(),
                   {static_cast<std::uint16_t>(1000 * i), static_cast<std::uint16_t>(65535 - 7 * i * i)});
  }
  model.morphs = {{{"blink", -0.25f, 1.0f / 65536.0f, 1e-3f, 0.0f}, {"smile", 0.0f, 1.0f / 32768.0f, 1e-4f, 2e-5f}},
                  keep(model.storage, weights),
                  keep(model.storage, vertices),
                  keep(model.storage, deltas)};
  model.clips[0].morph_steps = 1;  // loops: three rows
  model.clips[1].first_morph_row = 3;
  model.clips[1].morph_steps = 2;  // ends: five rows
  model.clips[2].first_morph_row = 8;
}

inline Character small_model() { return test::built(small_draft()); }

// One of every kind of frame, in every width of texels.
inline std::vector<Character> small_models() {
  CharacterDraft near = small_draft();
  add_small_near(near);
  add_small_morphs(near);
  std::vector<Character> models{test::built(std::move(near))};
  for (const Encoding encoding : {Encoding::q8, Encoding::local8, Encoding::localv, Encoding::half_quaternion,
                                  Encoding::v8, Encoding::half_vertex, Encoding::rgbm}) {
    const std::uint32_t classic = info_of(encoding).texel_words;
    CharacterDraft draft = made_draft(encoding, {16, classic == 0 ? 2 : classic, classic != 0});
    draft.name = name_of(encoding);
    models.push_back(test::built(std::move(draft)));
  }
  models.push_back(test::built(made_draft(Encoding::localv, {}, {0, 1, 3})));
  CharacterDraft words = made_draft(Encoding::localv, {}, {0, 2, 3});
  add_small_near(words);
  models.push_back(test::built(std::move(words)));
  return models;
}

inline std::vector<std::byte> file_of(const Character& model) {
  auto bytes = encode_character(model);
  EXPECT_TRUE(bytes.has_value()) << (bytes ? "" : bytes.error().message);
  return *std::move(bytes);
}

inline std::vector<std::byte> small_file() { return file_of(small_model()); }

// The two halves of a file, to be changed and put together with a hash that is right.
struct Halves {
  nlohmann::ordered_json json;
  std::vector<std::byte> bin;

  nlohmann::ordered_json extension_copy() const { return json["extensions"]["THRONG_animation_textures"]; }
  nlohmann::ordered_json& extension() { return json["extensions"]["THRONG_animation_textures"]; }
};

inline Halves taken_apart(const std::vector<std::byte>& file) {
  const auto parts = open_glb(file);
  EXPECT_TRUE(parts.has_value());
  return {nlohmann::ordered_json::parse(parts->json), {parts->bin.begin(), parts->bin.end()}};
}

// Nothing when the hash's own place is gone.
inline std::optional<std::vector<std::byte>> try_put_together(const Halves& halves) {
  const auto pieces = make_glb(halves.json.dump(), {std::span<const std::byte>(halves.bin)});
  if (!pieces) return std::nullopt;
  return joined(*pieces);
}

inline std::vector<std::byte> put_together(const Halves& halves) { return try_put_together(halves).value(); }

// What reading these bytes says, or nothing when it is accepted.
inline std::string refusal(std::vector<std::byte> bytes) {
  const auto model = decode_character(SharedBytes(std::move(bytes)));
  return model ? "" : model.error().message;
}

}  // namespace throng
