// SPDX-License-Identifier: Apache-2.0
#include "gltf/data/draco_primitives.h"

#include <algorithm>
#include <cstring>

#include "compressed/draco_decode.h"
#include "gltf/data/accessor.h"
#include "gltf/file/buffers.h"
#include "gltf/file/extensions.h"
#include "gltf/file/json.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

using Json = nlohmann::json;

// Values, and what their accessor says from now on.
struct Decoding {
  Decoded values;
  std::size_t count = 0;
  int component_type = 0;
};
using Decodings = std::map<std::size_t, Decoding>;

// All primitives together, counted as often as they are named.
constexpr std::uint64_t kMaxTriangles = std::uint64_t{1} << 24;
// What Draco takes while it finds out how triangles hang together, and their indices.
constexpr std::uint64_t kBytesOfTriangle = 64;

// What is decoded so far, in all primitives together.
struct Spending {
  std::uint64_t triangles = 0;
  import::Budget& budget;
};

std::vector<std::byte> as_component_type(const std::vector<std::uint32_t>& indices, int component_type) {
  const std::size_t size = component_size(component_type);
  std::vector<std::byte> bytes(indices.size() * size);
  // Little-endian: the first bytes of a number are its low ones.
  for (std::size_t i = 0; i < indices.size(); ++i) std::memcpy(bytes.data() + i * size, &indices[i], size);
  return bytes;
}

Result<Decoding> decode_indices(const DracoMesh& mesh, const source::Accessor& accessor, Mender& mender) {
  int type = accessor.component_type;
  const bool integer = type == kU32 || type == kU16 || type == kU8;
  if (!integer || accessor.type != ElementType::scalar)
    return fail("its indices cannot name {} vertices", mesh.vertices());
  if ((type == kU16 && mesh.vertices() > 0xFFFF) || (type == kU8 && mesh.vertices() > 0xFF)) {
    THRONG_CHECK(mender.forgive(Fault::draco_counts, "its indices cannot name {} vertices", mesh.vertices()));
    type = kU32;
  }
  const auto indices = mesh.indices();
  return Decoding{{SharedBytes(as_component_type(indices, type))}, indices.size(), type};
}

Result<Decoding> decode_attribute(const DracoMesh& mesh, const source::Accessor& accessor, std::uint32_t id,
                                  Spending& spending, Mender& mender) {
  const ElementLayout layout = element_layout(accessor);
  if (layout.columns != 1) return fail("it is a matrix");
  if (accessor.count != mesh.vertices()) {
    THRONG_CHECK(mender.forgive(Fault::draco_counts, "it has {} values where the Draco data has {} vertices",
                                accessor.count, mesh.vertices()));
  }
  THRONG_CHECK(spending.budget.spend(2 * layout.size(), mesh.vertices(), "compressed meshes"));
  THRONG_TRY(auto bytes, mesh.attribute(id, {accessor.component_type, layout.components()}));
  // Draco quantises floats and nothing else.
  return Decoding{
      {SharedBytes(std::move(bytes)), accessor.component_type == kF32}, mesh.vertices(), accessor.component_type};
}

Result<DracoMesh> decode_mesh(const Document& document, const source::Primitive& primitive, const Json& extension,
                              Spending& spending, Mender& mender) {
  if (primitive.mode != kTriangles) return fail("only lists of triangles can be; export it as such");
  if (!primitive.indices) return fail("it has no indices");
  const auto& indices = document.model.accessors[*primitive.indices];
  if (indices.count % 3 != 0) {
    THRONG_CHECK(mender.forgive(Fault::draco_counts, "its {} indices are no whole number of triangles", indices.count));
  }
  THRONG_TRY(auto bytes, view_bytes(document, extension["bufferView"].get<std::size_t>()));
  std::size_t count = indices.count / 3;
  if (spending.triangles + count > kMaxTriangles) {
    THRONG_CHECK(mender.pass_on("the file has more than {} compressed triangles", kMaxTriangles));
  }
  const std::size_t claimed = DracoMesh::claimed_triangles(bytes.span());
  if (claimed != 0 && claimed != count) {
    THRONG_CHECK(
        mender.forgive(Fault::draco_counts, "it has {} triangles where its indices promise {}", claimed, count));
    count = claimed;
  }
  spending.triangles += count;
  if (spending.triangles > kMaxTriangles) return fail("the file has more than {} compressed triangles", kMaxTriangles);
  THRONG_CHECK(spending.budget.spend(kBytesOfTriangle, count, "compressed meshes"));
  DracoLimits limits;
  limits.attribute_bytes = std::min(limits.attribute_bytes, spending.budget.left());
  return DracoMesh::decode(bytes.span(), count, limits);
}

Result<Decodings> decode_primitive(const Document& document, const source::Primitive& primitive, const Json& extension,
                                   Spending& spending, Mender& mender) {
  THRONG_TRY(const auto mesh, decode_mesh(document, primitive, extension, spending, mender));
  Decodings decodings;
  const std::size_t index_accessor = *primitive.indices;
  THRONG_TRY(auto indices, decode_indices(mesh, document.model.accessors[index_accessor], mender));
  decodings[index_accessor] = std::move(indices);
  for (const auto& [name, id] : extension["attributes"].items()) {
    const auto found = primitive.attributes.find(name);
    if (found == primitive.attributes.end()) {
      THRONG_CHECK(mender.forgive(Fault::property, "its Draco data has {}, which the primitive has not", name));
      continue;
    }
    const std::size_t accessor = found->second;
    if (!document.model.accessors[accessor].understood) return fail("{}: its type is not known", name);
    auto values = decode_attribute(mesh, document.model.accessors[accessor], id.get<std::uint32_t>(), spending, mender);
    if (!values) return fail("{}: {}", name, values.error().message);
    if (!decodings.emplace(accessor, std::move(*values)).second) return fail("{} shares its accessor", name);
  }
  return decodings;
}

// The same accessors may be shared by primitives with the same Draco data, and by no others.
bool agrees(const Document& document, const Decodings& decodings) {
  return std::all_of(decodings.begin(), decodings.end(), [&document](const auto& entry) {
    const auto known = document.decoded_accessors.find(entry.first);
    return known == document.decoded_accessors.end() ||
           std::ranges::equal(known->second.bytes.span(), entry.second.values.bytes.span());
  });
}

bool has_own_data(const Document& document, const source::Primitive& primitive) {
  const auto plain = [&document](std::size_t accessor) {
    return document.model.accessors[accessor].buffer_view.has_value();
  };
  return (!primitive.indices || plain(*primitive.indices)) &&
         std::all_of(primitive.attributes.begin(), primitive.attributes.end(),
                     [&plain](const auto& entry) { return plain(entry.second); });
}

Result<void> decompress(Document& document, const source::Primitive& primitive, const Json& extension,
                        Spending& spending, Mender& mender) {
  THRONG_TRY(auto decodings, decode_primitive(document, primitive, extension, spending, mender));
  if (!agrees(document, decodings)) return fail("it shares accessors with a primitive of other Draco data");
  for (auto& [index, decoding] : decodings) {
    document.model.accessors[index].count = decoding.count;
    document.model.accessors[index].component_type = decoding.component_type;
    document.decoded_accessors.emplace(index, std::move(decoding.values));
  }
  return {};
}

}  // namespace

Result<void> decompress_primitives(Document& document, import::Budget& budget, Mender& mender) {
  Spending spending{.budget = budget};
  const Json& meshes = collection_of(*document.json, "meshes");
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    for (std::size_t p = 0; p < meshes[m]["primitives"].size(); ++p) {
      const Json* extension = extension_of(meshes[m]["primitives"][p], kDraco);
      if (extension == nullptr) continue;
      const source::Primitive& primitive = document.model.meshes[m].primitives[p];
      auto ok = decompress(document, primitive, *extension, spending, mender);
      if (ok) continue;
      const std::string& why = ok.error().message;
      if (!has_own_data(document, primitive)) return fail("meshes[{}].primitives[{}] ({}): {}", m, p, kDraco, why);
      document.note("meshes[{}].primitives[{}] ({}): {}; its uncompressed data is read", m, p, kDraco, why);
    }
  }
  return {};
}

}  // namespace throng::detail::gltf
