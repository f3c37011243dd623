// SPDX-License-Identifier: Apache-2.0
#include "compressed/draco_decode.h"

#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/mesh/mesh.h>

#include <cstring>
#include <type_traits>

#include "gltf/file/source.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

struct Claims {
  std::uint64_t triangles = 0;
  std::uint64_t vertices = 0;  // of sequential meshes; others have three a triangle at most
  std::uint64_t tables = 1;
};

// The counts at the head of the connectivity, read from a copy of the buffer: the decoder reads them again itself.
bool read_claims(draco::DecoderBuffer buffer, bool sequential, Claims& claims) {
  std::uint32_t first = 0, second = 0;
  if (!draco::DecodeVarint(&first, &buffer) || !draco::DecodeVarint(&second, &buffer)) return false;
  claims.triangles = sequential ? first : second;
  claims.vertices = sequential ? second : first;
  if (sequential) return true;
  std::uint8_t tables = 0;
  if (!buffer.Decode(&tables)) return false;
  claims.tables += tables;
  return true;
}

// What a decoder is told about the mesh it is to decode.
struct Promise {
  std::size_t triangles;
  std::size_t bytes;
  DracoLimits limits;
  Claims* claims = nullptr;  // where these are all that is asked for: where to put them
};

std::string why_not(const Claims& claims, const Promise& promise) {
  const DracoLimits& limits = promise.limits;
  if (claims.triangles != promise.triangles)
    return fmt::format("it has {} triangles where its indices promise {}", claims.triangles, promise.triangles);
  if (claims.triangles > limits.triangles_per_byte * promise.bytes ||
      claims.triangles > limits.table_triangles / claims.tables)
    return fmt::format("{} triangles in {} bytes, with {} tables, are too many", claims.triangles, promise.bytes,
                       claims.tables);
  if (claims.vertices > 3 * claims.triangles)
    return fmt::format("it has {} vertices for {} triangles", claims.vertices, claims.triangles);
  return {};
}

// What the attributes will take, once their types are known and before their values are read.
std::string why_not(const draco::PointCloud& attributes, const Promise& promise) {
  std::uint64_t bytes = 0;
  for (int i = 0; i < attributes.num_attributes(); ++i) {
    const draco::PointAttribute& attribute = *attributes.attribute(i);
    const int size = draco::DataTypeLength(attribute.data_type());
    if (size <= 0) return "it has an attribute of an unknown type";
    bytes += static_cast<std::uint64_t>(size) * attribute.num_components();
  }
  const std::uint64_t vertices = attributes.num_points();
  if (vertices == 0) return "it has no vertices";
  if (bytes <= promise.limits.attribute_bytes / vertices) return {};
  return fmt::format("{} vertices of {} bytes are too many", vertices, bytes);
}

// A decoder that looks at what is claimed before it believes it.
template <class Decoder>
class Wary final : public Decoder {
 public:
  explicit Wary(const Promise& promise) : promise_(promise) {}

  const std::string& objection() const { return objection_; }

 protected:
  bool DecodeConnectivity() override {
    constexpr bool kSequential = std::is_same_v<Decoder, draco::MeshSequentialDecoder>;
    Claims claims;
    if (!read_claims(*this->buffer(), kSequential, claims)) return false;
    if (promise_.claims != nullptr) {
      *promise_.claims = claims;
      return false;
    }
    objection_ = why_not(claims, promise_);
    return objection_.empty() && Decoder::DecodeConnectivity();
  }
  bool DecodeAllAttributes() override {
    objection_ = why_not(*this->point_cloud(), promise_);
    return objection_.empty() && Decoder::DecodeAllAttributes();
  }

 private:
  Promise promise_;
  std::string objection_;
};

template <class Decoder>
Result<void> decode_with(std::span<const std::byte> bytes, const Promise& promise, draco::Mesh& mesh) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Wary<Decoder> decoder(promise);
  const draco::DecoderOptions options;
  const draco::Status status = decoder.Decode(options, &buffer, &mesh);
  if (!decoder.objection().empty()) return fail("{}", decoder.objection());
  if (!status.ok()) return fail("its Draco data is damaged");
  return {};
}

Result<void> decode_mesh(std::span<const std::byte> bytes, const Promise& promise, draco::Mesh& mesh) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  draco::DracoHeader header{};
  if (!draco::PointCloudDecoder::DecodeHeader(&buffer, &header).ok()) return fail("its bytes are not Draco's");
  if (header.version_major != 2 || header.version_minor != 2) {
    return fail("it is of Draco's version {}.{}; glTF has 2.2, so compress it anew", header.version_major,
                header.version_minor);
  }
  if (header.encoder_type != draco::TRIANGULAR_MESH) return fail("it holds no triangles");
  switch (header.encoder_method) {
    case draco::MESH_SEQUENTIAL_ENCODING:
      return decode_with<draco::MeshSequentialDecoder>(bytes, promise, mesh);
    case draco::MESH_EDGEBREAKER_ENCODING:
      return decode_with<draco::MeshEdgebreakerDecoder>(bytes, promise, mesh);
    default:
      return fail("its Draco method {} is not known", header.encoder_method);
  }
}

Result<void> check_faces(const draco::Mesh& mesh, std::size_t triangles) {
  if (mesh.num_faces() != triangles) return fail("its Draco data is damaged");
  for (draco::FaceIndex f(0); f < mesh.num_faces(); ++f) {
    for (const draco::PointIndex& corner : mesh.face(f)) {
      if (corner.value() >= mesh.num_points())
        return fail("its triangle {} names vertex {} of {}", f.value(), corner.value(), mesh.num_points());
    }
  }
  return {};
}

bool is_integer(draco::DataType type) { return type >= draco::DT_INT8 && type <= draco::DT_UINT32; }

// Every vertex has a value inside the attribute's own bytes.
bool is_whole(const draco::Mesh& mesh, const draco::PointAttribute& attribute) {
  const std::int64_t stride = attribute.byte_stride();
  const std::int64_t width = std::int64_t{draco::DataTypeLength(attribute.data_type())} * attribute.num_components();
  if (attribute.buffer() == nullptr || stride < width || attribute.byte_offset() != 0) return false;
  if (attribute.buffer()->data_size() / static_cast<std::size_t>(stride) < attribute.size()) return false;
  if (!attribute.is_mapping_identity() && attribute.indices_map_size() < mesh.num_points()) return false;
  for (draco::PointIndex p(0); p < mesh.num_points(); ++p) {
    if (attribute.mapped_index(p).value() >= attribute.size()) return false;
  }
  return true;
}

template <class T>
Result<std::vector<std::byte>> packed(const draco::Mesh& mesh, const draco::PointAttribute& attribute) {
  const auto components = static_cast<std::int8_t>(attribute.num_components());
  const std::size_t width = sizeof(T) * attribute.num_components();
  std::vector<std::byte> out(width * mesh.num_points());
  T value[4] = {};
  for (draco::PointIndex p(0); p < mesh.num_points(); ++p) {
    if (!attribute.ConvertValue<T>(attribute.mapped_index(p), components, value))
      return fail("a value of vertex {} does not fit its accessor", p.value());
    std::memcpy(out.data() + p.value() * width, value, width);
  }
  return out;
}

Result<std::vector<std::byte>> converted(const draco::Mesh& mesh, const draco::PointAttribute& attribute, int type) {
  switch (type) {
    case kI8:
      return packed<std::int8_t>(mesh, attribute);
    case kU8:
      return packed<std::uint8_t>(mesh, attribute);
    case kI16:
      return packed<std::int16_t>(mesh, attribute);
    case kU16:
      return packed<std::uint16_t>(mesh, attribute);
    case kU32:
      return packed<std::uint32_t>(mesh, attribute);
    default:
      return packed<float>(mesh, attribute);
  }
}

}  // namespace

std::size_t DracoMesh::claimed_triangles(std::span<const std::byte> bytes) {
  try {
    draco::Mesh mesh;
    Claims claims;
    static_cast<void>(decode_mesh(bytes, {0, bytes.size(), {}, &claims}, mesh));
    return claims.triangles;
  } catch (const std::exception&) {
    return 0;
  }
}

Result<DracoMesh> DracoMesh::decode(std::span<const std::byte> bytes, std::size_t triangles,
                                    const DracoLimits& limits) {
  try {
    auto mesh = std::make_shared<draco::Mesh>();
    THRONG_CHECK(decode_mesh(bytes, {triangles, bytes.size(), limits, nullptr}, *mesh));
    THRONG_CHECK(check_faces(*mesh, triangles));
    return DracoMesh(std::move(mesh));
  } catch (const std::exception& exception) {
    return fail("Draco cannot read it: {}", exception.what());
  }
}

std::size_t DracoMesh::vertices() const { return mesh_->num_points(); }

std::vector<std::uint32_t> DracoMesh::indices() const {
  std::vector<std::uint32_t> indices;
  indices.reserve(std::size_t{mesh_->num_faces()} * 3);
  for (draco::FaceIndex f(0); f < mesh_->num_faces(); ++f) {
    for (const draco::PointIndex& corner : mesh_->face(f)) indices.push_back(corner.value());
  }
  return indices;
}

Result<std::vector<std::byte>> DracoMesh::attribute(std::uint32_t id, const DracoFormat& format) const {
  const draco::PointAttribute* attribute = mesh_->GetAttributeByUniqueId(id);
  if (attribute == nullptr) return fail("its Draco data has no attribute {}", id);
  if (attribute->num_components() != format.components) {
    return fail("attribute {} has {} components where its accessor has {}", id, attribute->num_components(),
                format.components);
  }
  const bool floats = format.component_type == kF32;
  const bool same = floats ? attribute->data_type() == draco::DT_FLOAT32 : is_integer(attribute->data_type());
  if (!same) return fail("attribute {} is not of its accessor's component type", id);
  if (!is_whole(*mesh_, *attribute)) return fail("attribute {} is damaged", id);
  return converted(*mesh_, *attribute, format.component_type);
}

}  // namespace throng::detail::gltf
