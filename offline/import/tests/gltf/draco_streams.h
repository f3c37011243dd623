// SPDX-License-Identifier: Apache-2.0
#pragma once
// Meshes compressed by Draco's own encoder, and glTF files around them.

#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gltf_builder.h"

namespace throng::test {

// A bent strip of quads: two rows of vertices with normals, texture coordinates and two joints each.
struct Strip {
  std::vector<float> positions, normals, uvs, weights;
  std::vector<std::uint16_t> joints;
  std::vector<std::uint32_t> indices;
  std::size_t vertices() const { return positions.size() / 3; }
};

inline Strip make_strip(std::size_t length) {
  Strip s;
  for (std::size_t i = 0; i < length; ++i) {
    const float along = static_cast<float>(i) / static_cast<float>(length - 1);
    for (const float side : {0.0f, 1.0f}) {
      const float angle = 2.0f * along;
      s.positions.insert(s.positions.end(), {std::cos(angle), std::sin(angle), side});
      s.normals.insert(s.normals.end(), {std::cos(angle), std::sin(angle), 0.0f});
      s.uvs.insert(s.uvs.end(), {along, side});
      s.weights.insert(s.weights.end(), {1.0f - 0.5f * along, 0.5f * along, 0.0f, 0.0f});
      s.joints.insert(s.joints.end(), {0, 1, 0, 0});
    }
    const auto first = static_cast<std::uint32_t>(2 * i);
    if (i + 1 < length)
      s.indices.insert(s.indices.end(), {first, first + 2, first + 1, first + 1, first + 2, first + 3});
  }
  return s;
}

template <class T>
std::uint32_t add(draco::Mesh& mesh, draco::GeometryAttribute::Type type, draco::DataType data, int components,
                  const std::vector<T>& values) {
  draco::GeometryAttribute attribute;
  attribute.Init(type, nullptr, static_cast<std::uint8_t>(components), data, false,
                 static_cast<std::int64_t>(sizeof(T)) * components, 0);
  const int id = mesh.AddAttribute(attribute, true, mesh.num_points());
  for (std::uint32_t v = 0; v < mesh.num_points(); ++v) {
    mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(v),
                                          values.data() + v * static_cast<std::uint32_t>(components));
  }
  return mesh.attribute(id)->unique_id();
}

struct Encoded {
  std::vector<std::uint8_t> bytes;
  Json attributes;
};

inline Encoded encode(const Strip& s, int method, int position_bits) {
  using Attribute = draco::GeometryAttribute;
  draco::Mesh mesh;
  mesh.set_num_points(static_cast<std::uint32_t>(s.vertices()));
  for (std::size_t i = 0; i < s.indices.size(); i += 3) {
    mesh.AddFace(
        {draco::PointIndex(s.indices[i]), draco::PointIndex(s.indices[i + 1]), draco::PointIndex(s.indices[i + 2])});
  }
  Encoded encoded;
  encoded.attributes["POSITION"] = add(mesh, Attribute::POSITION, draco::DT_FLOAT32, 3, s.positions);
  encoded.attributes["NORMAL"] = add(mesh, Attribute::NORMAL, draco::DT_FLOAT32, 3, s.normals);
  encoded.attributes["TEXCOORD_0"] = add(mesh, Attribute::TEX_COORD, draco::DT_FLOAT32, 2, s.uvs);
  encoded.attributes["JOINTS_0"] = add(mesh, Attribute::GENERIC, draco::DT_UINT16, 4, s.joints);
  encoded.attributes["WEIGHTS_0"] = add(mesh, Attribute::GENERIC, draco::DT_FLOAT32, 4, s.weights);
  draco::Encoder encoder;
  encoder.SetEncodingMethod(method);
  if (position_bits > 0) {
    encoder.SetAttributeQuantization(Attribute::POSITION, position_bits);
    encoder.SetAttributeQuantization(Attribute::NORMAL, 10);
    encoder.SetAttributeQuantization(Attribute::TEX_COORD, 12);
  }
  draco::EncoderBuffer buffer;
  EXPECT_TRUE(encoder.EncodeMeshToBuffer(mesh, &buffer).ok());
  encoded.bytes.assign(buffer.data(), buffer.data() + buffer.size());
  return encoded;
}

inline int bare_accessor(GltfBuilder& b, const std::string& type, int component_type, std::size_t count) {
  return b.append("accessors", {{"componentType", component_type}, {"count", count}, {"type", type}});
}

inline GltfBuilder draco_file(const Strip& s, const Encoded& encoded) {
  GltfBuilder b;
  const std::size_t count = s.vertices();
  const int position = bare_accessor(b, "VEC3", kF32, count);
  b.json["accessors"][0]["min"] = {-2, -2, -2};
  b.json["accessors"][0]["max"] = {2, 2, 2};
  Json primitive = {{"attributes",
                     {{"POSITION", position},
                      {"NORMAL", bare_accessor(b, "VEC3", kF32, count)},
                      {"TEXCOORD_0", bare_accessor(b, "VEC2", kF32, count)},
                      {"JOINTS_0", bare_accessor(b, "VEC4", kU16, count)},
                      {"WEIGHTS_0", bare_accessor(b, "VEC4", kF32, count)}}},
                    {"indices", bare_accessor(b, "SCALAR", kU16, s.indices.size())}};
  primitive["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", b.view(encoded.bytes)},
                                                           {"attributes", encoded.attributes}};
  b.append("meshes", {{"primitives", {primitive}}});
  b.json["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"children", {2}}}, {{"translation", {0, 1, 0}}}};
  b.json["skins"] = {{{"joints", {1, 2}}}};
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  return b;
}

}  // namespace throng::test
