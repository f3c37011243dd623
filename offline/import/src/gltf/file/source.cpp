// SPDX-License-Identifier: Apache-2.0
#include "gltf/file/source.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <glm/gtc/type_ptr.hpp>

#include "gltf/file/extensions.h"
#include "gltf/file/json.h"

namespace throng::detail::gltf {
namespace {

using Json = nlohmann::json;

source::Index index_of(const Json& owner, const char* name) {
  const auto found = owner.find(name);
  return found == owner.end() ? std::nullopt : source::Index(found->get<std::size_t>());
}

std::size_t size_of(const Json& owner, const char* name) { return owner.value(name, std::size_t{0}); }
std::string text_of(const Json& owner, const char* name) { return owner.value(name, std::string()); }

// A list of indices or numbers; empty when it is left out.
template <class T>
std::vector<T> list_of(const Json& owner, const char* name) {
  const auto found = owner.find(name);
  return found == owner.end() ? std::vector<T>{} : found->get<std::vector<T>>();
}

// The objects of a list, each by `read`.
template <class Read>
auto each(const Json& list, Read read) {
  std::vector<decltype(read(list))> out;
  out.reserve(list.size());
  for (const Json& entry : list) out.push_back(read(entry));
  return out;
}

source::BufferView read_view(const Json& json) {
  return {.buffer = size_of(json, "buffer"),
          .byte_offset = size_of(json, "byteOffset"),
          .byte_length = size_of(json, "byteLength"),
          .byte_stride = size_of(json, "byteStride"),
          .target = json.value("target", 0)};
}

source::Sparse read_sparse(const Json& json) {
  const Json& indices = json["indices"];
  const Json& values = json["values"];
  return {.count = size_of(json, "count"),
          .index_view = size_of(indices, "bufferView"),
          .index_offset = size_of(indices, "byteOffset"),
          .index_type = indices["componentType"].get<int>(),
          .value_view = size_of(values, "bufferView"),
          .value_offset = size_of(values, "byteOffset")};
}

std::optional<ElementType> element_type(const std::string& name) {
  constexpr std::array<std::string_view, 7> kNames = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<ElementType>(found - kNames.begin());
}

bool is_component_type(int type) {
  constexpr std::array<int, 6> kKnown = {kI8, kU8, kI16, kU16, kU32, kF32};
  return std::find(kKnown.begin(), kKnown.end(), type) != kKnown.end();
}

source::Accessor read_accessor(const Json& json) {
  source::Accessor accessor{.buffer_view = index_of(json, "bufferView"),
                            .byte_offset = size_of(json, "byteOffset"),
                            .count = size_of(json, "count"),
                            .min = list_of<double>(json, "min"),
                            .max = list_of<double>(json, "max"),
                            .sparse = {}};
  const auto type = element_type(json["type"].get_ref<const std::string&>());
  const int component = json["componentType"].get<int>();
  accessor.understood = type && is_component_type(component);
  if (type) accessor.type = *type;
  if (is_component_type(component)) accessor.component_type = component;
  const bool small = accessor.component_type != kF32 && accessor.component_type != kU32;
  const bool normalized = json.value("normalized", false);
  accessor.normalized = normalized && small;
  accessor.falsely_normalized = normalized && !small;
  if (const auto sparse = json.find("sparse"); sparse != json.end()) accessor.sparse = read_sparse(*sparse);
  return accessor;
}

source::Primitive read_primitive(const Json& json) {
  source::Primitive primitive{.attributes = json["attributes"].get<source::Attributes>(),
                              .indices = index_of(json, "indices"),
                              .material = index_of(json, "material"),
                              .mode = json.value("mode", kTriangles),
                              .targets = {}};
  if (const auto targets = json.find("targets"); targets != json.end())
    primitive.targets = targets->get<std::vector<source::Attributes>>();
  return primitive;
}

source::Mesh read_mesh(const Json& json) {
  return {.name = text_of(json, "name"),
          .primitives = each(json["primitives"], read_primitive),
          .weights = list_of<double>(json, "weights")};
}

// Extensions that the schema does not list may hold anything.
bool is_visible(const Json& node) {
  const Json* extension = extension_of(node, "KHR_node_visibility");
  return extension == nullptr || !extension->contains("visible") || (*extension)["visible"] != Json(false);
}

source::Node read_node(const Json& json) {
  source::Node node{.name = text_of(json, "name"),
                    .children = list_of<std::size_t>(json, "children"),
                    .mesh = index_of(json, "mesh"),
                    .skin = index_of(json, "skin"),
                    .matrix = {},
                    .translation = {},
                    .rotation = {},
                    .scale = {},
                    .weights = list_of<double>(json, "weights"),
                    .instances = {},
                    .visible = is_visible(json)};
  if (const Json* instancing = extension_of(json, kInstancing))
    node.instances = (*instancing)["attributes"].get<source::Attributes>();
  // The schema has seen to the number of values.
  if (json.contains("matrix")) node.matrix = glm::make_mat4(list_of<double>(json, "matrix").data());
  if (json.contains("translation")) node.translation = glm::make_vec3(list_of<double>(json, "translation").data());
  if (json.contains("scale")) node.scale = glm::make_vec3(list_of<double>(json, "scale").data());
  if (json.contains("rotation")) {
    const auto xyzw = list_of<double>(json, "rotation");
    node.rotation = glm::dquat(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
  }
  return node;
}

source::Scene read_scene(const Json& json) {
  return {.name = text_of(json, "name"), .nodes = list_of<std::size_t>(json, "nodes")};
}

source::Skin read_skin(const Json& json) {
  return {.joints = list_of<std::size_t>(json, "joints"),
          .inverse_bind_matrices = index_of(json, "inverseBindMatrices"),
          .skeleton = index_of(json, "skeleton")};
}

source::KeySampler read_key_sampler(const Json& json) {
  return {.input = size_of(json, "input"),
          .output = size_of(json, "output"),
          .interpolation = json.value("interpolation", std::string("LINEAR"))};
}

// The number that a text begins with, which is then taken off.
source::Index take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// What a channel of KHR_animation_pointer names where that is something a plain channel could animate:
// "/nodes/3/weights" is one node, "/meshes/1/weights" every node that shows the mesh. Behind weights there may be the
// number of one morph target: "/nodes/3/weights/2". None for all else.
std::vector<source::Channel> pointed_channels(const Json& target, std::size_t sampler, const source::Model& model) {
  const Json* extension = extension_of(target, kAnimationPointer);
  if (extension == nullptr || !extension->is_object() || !extension->contains("pointer")) return {};
  const Json& pointer = (*extension)["pointer"];
  if (!pointer.is_string()) return {};
  const std::string_view text = pointer.get_ref<const std::string&>();
  const bool of_nodes = text.starts_with("/nodes/");
  if (!of_nodes && !text.starts_with("/meshes/")) return {};
  std::string_view rest = text.substr(text.find('/', 1) + 1);
  const auto number = take_number(rest);
  if (!number || !rest.starts_with('/')) return {};
  source::Channel channel{.sampler = sampler, .path = std::string(rest.substr(1))};
  constexpr std::string_view kOneWeight = "/weights/";
  if (rest.starts_with(kOneWeight)) {
    rest.remove_prefix(kOneWeight.size());
    channel.target = take_number(rest);
    if (!channel.target || !rest.empty()) return {};
    channel.path = "weights";
  }
  std::vector<source::Channel> channels;
  const auto add = [&](std::size_t node) {
    const source::Index mesh = model.nodes[node].mesh;
    const std::size_t targets = mesh && *mesh < model.meshes.size() ? model.meshes[*mesh].target_count() : 0;
    if (channel.target && *channel.target >= targets) return;
    channel.node = node;
    channels.push_back(channel);
  };
  if (of_nodes && *number < model.nodes.size()) add(*number);
  for (std::size_t node = 0; !of_nodes && channel.path == "weights" && node < model.nodes.size(); ++node) {
    if (model.nodes[node].mesh == number) add(node);
  }
  return channels;
}

source::Animation read_animation(const Json& json, source::Model& model) {
  source::Animation animation{
      .name = text_of(json, "name"), .channels = {}, .samplers = each(json["samplers"], read_key_sampler)};
  for (const Json& channel : json["channels"]) {
    const Json& target = channel["target"];
    const std::size_t sampler = size_of(channel, "sampler");
    std::vector<source::Channel> channels = pointed_channels(target, sampler, model);
    if (const auto node = index_of(target, "node")) channels = {{sampler, *node, text_of(target, "path"), {}}};
    if (channels.empty()) ++model.channels_without_node;
    animation.channels.insert(animation.channels.end(), channels.begin(), channels.end());
  }
  return animation;
}

std::optional<source::TextureUse> read_texture_use(const Json& owner, const char* name) {
  const auto found = owner.find(name);
  if (found == owner.end()) return std::nullopt;
  return source::TextureUse{.texture = size_of(*found, "index"),
                            .texcoord = found->value("texCoord", 0),
                            .scale = found->value("scale", 1.0)};
}

void read_colours(const Json& owner, const char* factor, const char* texture, source::Material& material) {
  material.base_texture = read_texture_use(owner, texture);
  if (owner.contains(factor)) material.base_colour = glm::make_vec4(list_of<double>(owner, factor).data());
}

source::Material read_material(const Json& json) {
  source::Material material{.name = text_of(json, "name"),
                            .base_texture = {},
                            .specular_glossiness = extension_of(json, kSpecularGlossiness) != nullptr,
                            .normal_texture = read_texture_use(json, "normalTexture"),
                            .alpha_mode = text_of(json, "alphaMode"),
                            .alpha_cutoff = json.value("alphaCutoff", 0.5),
                            .double_sided = json.value("doubleSided", false)};
  if (material.specular_glossiness) {
    read_colours(*extension_of(json, kSpecularGlossiness), "diffuseFactor", "diffuseTexture", material);
  } else if (const auto pbr = json.find("pbrMetallicRoughness"); pbr != json.end()) {
    read_colours(*pbr, "baseColorFactor", "baseColorTexture", material);
  }
  return material;
}

// `images`: how many there are. Every extension that brings a picture in another format names its image so.
source::Texture read_texture(const Json& json, std::size_t images) {
  source::Texture texture{.sampler = index_of(json, "sampler"), .sources = {}};
  if (const auto own = index_of(json, "source")) texture.sources.push_back(*own);
  const auto extensions = json.find("extensions");
  if (extensions == json.end()) return texture;
  for (const auto& [name, extension] : extensions->items()) {
    const auto found = extension.find("source");
    if (found == extension.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() >= images) continue;
    texture.sources.push_back(found->get<std::size_t>());
  }
  return texture;
}

source::TextureSampler read_sampler(const Json& json) {
  return {.wrap_s = json.value("wrapS", 0), .wrap_t = json.value("wrapT", 0), .mag_filter = json.value("magFilter", 0)};
}

}  // namespace

source::Model read_source(const Json& document) {
  const auto all = [&document](std::string_view collection, auto read) {
    return each(collection_of(document, collection), read);
  };
  source::Model model;
  model.buffer_views = all("bufferViews", read_view);
  model.accessors = all("accessors", read_accessor);
  model.meshes = all("meshes", read_mesh);
  model.nodes = all("nodes", read_node);
  model.scenes = all("scenes", read_scene);
  model.default_scene = index_of(document, "scene");
  model.skins = all("skins", read_skin);
  // One without joints is none.
  for (source::Node& node : model.nodes) {
    if (node.skin && model.skins[*node.skin].joints.empty()) node.skin.reset();
  }
  model.animations = all("animations", [&](const Json& json) { return read_animation(json, model); });
  model.materials = all("materials", read_material);
  const std::size_t images = collection_of(document, "images").size();
  model.textures = all("textures", [images](const Json& json) { return read_texture(json, images); });
  model.samplers = all("samplers", read_sampler);
  return model;
}

}  // namespace throng::detail::gltf
