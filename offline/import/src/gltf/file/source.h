// SPDX-License-Identifier: Apache-2.0
#pragma once
// The objects of a glTF file as it has them, read from JSON that has passed the schema: every index names something,
// except a channel's sampler. Names that the model has too (Mesh, Material) are source::Mesh and source::Material here.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace throng::detail::gltf {

// Component types, as the file numbers them.
inline constexpr int kI8 = 5120;
inline constexpr int kU8 = 5121;
inline constexpr int kI16 = 5122;
inline constexpr int kU16 = 5123;
inline constexpr int kU32 = 5125;
inline constexpr int kF32 = 5126;

// What a buffer view says it is for.
inline constexpr int kVertexTarget = 34962;
inline constexpr int kIndexTarget = 34963;

// Modes of a primitive. Below the first are points and lines.
inline constexpr int kTriangles = 4;
inline constexpr int kTriangleStrip = 5;
inline constexpr int kTriangleFan = 6;

enum class ElementType : std::uint8_t { scalar, vec2, vec3, vec4, mat2, mat3, mat4 };

namespace source {

using Index = std::optional<std::size_t>;
using Attributes = std::map<std::string, std::size_t>;  // accessors by name

struct BufferView {
  std::size_t buffer = 0;
  std::size_t byte_offset = 0;
  std::size_t byte_length = 0;
  std::size_t byte_stride = 0;  // 0: packed
  int target = 0;               // 0: left out
};

struct Sparse {
  std::size_t count = 0;
  std::size_t index_view = 0;
  std::size_t index_offset = 0;
  int index_type = 0;
  std::size_t value_view = 0;
  std::size_t value_offset = 0;
};

struct Accessor {
  Index buffer_view;
  std::size_t byte_offset = 0;
  int component_type = kF32;
  ElementType type = ElementType::scalar;
  // Whether glTF 2.0 knows its type and component type. Where not, both are as above, and nothing may read it.
  bool understood = true;
  bool normalized = false;
  bool falsely_normalized = false;  // said of floats or 32-bit integers, which cannot be
  std::size_t count = 0;
  std::vector<double> min;
  std::vector<double> max;
  std::optional<Sparse> sparse;
};

struct Primitive {
  Attributes attributes;
  Index indices;
  Index material;
  int mode = kTriangles;
  std::vector<Attributes> targets;
};

struct Mesh {
  std::string name;
  std::vector<Primitive> primitives;
  std::vector<double> weights;

  // All primitives have as many; a mesh whose primitives were left out has none.
  std::size_t target_count() const { return primitives.empty() ? 0 : primitives.front().targets.size(); }
};

struct Node {
  std::string name;
  std::vector<std::size_t> children;
  Index mesh;
  Index skin;
  std::optional<glm::dmat4> matrix;
  std::optional<glm::dvec3> translation;
  std::optional<glm::dquat> rotation;
  std::optional<glm::dvec3> scale;
  std::vector<double> weights;
  std::optional<Attributes> instances;  // EXT_mesh_gpu_instancing: where the copies of its mesh are
  bool visible = true;                  // KHR_node_visibility: false hides what hangs on it and below
};

struct Scene {
  std::string name;
  std::vector<std::size_t> nodes;
};

struct Skin {
  std::vector<std::size_t> joints;
  Index inverse_bind_matrices;
  Index skeleton;
};

struct Channel {
  std::size_t sampler = 0;
  std::size_t node = 0;
  std::string path;
  Index target = {};  // of the weights, the only one that it moves; none: all
};

struct KeySampler {
  std::size_t input = 0;
  std::size_t output = 0;
  std::string interpolation;
};

struct Animation {
  std::string name;
  std::vector<Channel> channels;  // those that have a node
  std::vector<KeySampler> samplers;
};

struct TextureUse {
  std::size_t texture = 0;
  int texcoord = 0;  // which set of texture coordinates
  double scale = 1.0;
};

struct Material {
  std::string name;
  glm::dvec4 base_colour{1.0};
  std::optional<TextureUse> base_texture;
  bool specular_glossiness = false;  // colour and texture are those of KHR_materials_pbrSpecularGlossiness
  std::optional<TextureUse> normal_texture;
  std::string alpha_mode;
  double alpha_cutoff = 0.5;
  bool double_sided = false;
};

struct Texture {
  Index sampler;
  std::vector<std::size_t> sources;  // images, the one that every reader knows first, then those of extensions
};

struct TextureSampler {
  int wrap_s = 0;
  int wrap_t = 0;
  int mag_filter = 0;
};

// Without buffers, images and cameras: those are read where their bytes are.
struct Model {
  std::vector<BufferView> buffer_views;
  std::vector<Accessor> accessors;
  std::vector<Mesh> meshes;
  std::vector<Node> nodes;
  std::vector<Scene> scenes;
  Index default_scene;
  std::vector<Skin> skins;
  std::vector<Animation> animations;
  std::vector<Material> materials;
  std::vector<Texture> textures;
  std::vector<TextureSampler> samplers;
  std::size_t channels_without_node = 0;  // which glTF says to ignore
};

}  // namespace source

source::Model read_source(const nlohmann::json& document);

}  // namespace throng::detail::gltf
