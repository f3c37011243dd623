// SPDX-License-Identifier: Apache-2.0
#pragma once
// A random model and its crowd as shaders of every language are given them, and what they make of it.

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "language_gles.h"
#include "test_models.h"
#include "throng/character/character.h"
#include "throng/character/records.h"
#include "throng/gpu/device.h"

namespace throng::test {

inline constexpr std::uint64_t kSceneNow = 0x3'1234'5678;
inline constexpr std::uint32_t kSceneInstances = 60;

// Of a quality, besides bones a vertex in its three low bits.
inline constexpr std::uint32_t kNearestFrame = 8;  // no interpolation
inline constexpr std::uint32_t kMorphTargets = 16;
inline constexpr std::uint32_t kLinksOnly = 32;  // links of the skeleton instead of vertices

struct SceneBatch {
  glm::uvec2 now{static_cast<std::uint32_t>(kSceneNow), static_cast<std::uint32_t>(kSceneNow >> 32)};
  std::uint32_t vertex_count = 0;
  std::uint32_t instance_count = kSceneInstances;
  std::uint32_t quality = 4;
};

// Of the model, as throng/shaders/sampling/sampling.glsl wants them, in the order of the shaders' constant_id.
struct SceneConstants {
  std::uint32_t atlas_width = 0;
  std::uint32_t texel_words = 0;
  std::uint32_t frame_shapes = 0;
  std::uint32_t encodings = 0;
  std::uint32_t columns = 0;
  std::uint32_t animated_tangents = 0;
};

struct LanguageScene {
  Character model;
  SceneBatch batch = {};
  SceneConstants constants = {};
  std::vector<InstanceRecord> instances = {};
  std::vector<PlayRecord> plays = {};
  std::vector<ClipRecord> clips = {};
  std::vector<std::uint32_t> vertices = {};
  std::vector<std::uint32_t> morphs = {};  // four at least: no buffer is empty

  // Whether a clip is in localv: its shaders are compiled with THRONG_CHAINS.
  bool has_chains() const;
};

LanguageScene make_scene(const ModelShape& shape, std::uint32_t instances = kSceneInstances);

// Looks at the links of its skeleton instead.
void look_at_links(LanguageScene& scene);

// Position and fade weight, normal, tangent of every vertex of every character: twelve numbers each. Of a link: its
// translation and scale, its rotation, and the frames, the blend and the clip that it is at.
using SceneNumbers = std::vector<std::uint32_t>;

// The animation texture as words; or, of rgbm alone, the same bytes as numbers.
enum class AtlasAs : std::uint8_t { words, unorm8 };

SceneNumbers run_compute(const VulkanContext& context, std::span<const std::uint32_t> code, const LanguageScene& scene,
                         AtlasAs as = AtlasAs::words);
SceneNumbers run_essl(Gles& gles, const LanguageScene& scene, AtlasAs as = AtlasAs::words);
// The same in two passes: a fragment shader finds what bones do, the vertex shader follows them.
SceneNumbers run_essl_in_passes(Gles& gles, const LanguageScene& scene);

// What numbers may differ by.
struct SceneBound {
  double position = 0.0;   // of the crowd's size
  double direction = 0.0;  // of normals and tangents
};

// The order in which a matrix is multiplied is a language's own, and so is how numbers are divided and mixed in OpenGL
// ES.
inline constexpr SceneBound kExactly;
inline constexpr SceneBound kEssl{1e-6, 4e-5};

void expect_same(const SceneNumbers& found, const SceneNumbers& expected, const LanguageScene& scene,
                 const SceneBound& bound);

// Positions against throng::deform, within `bound` in the model's units.
void expect_as_decoded(const SceneNumbers& found, const LanguageScene& scene, double bound);

}  // namespace throng::test
