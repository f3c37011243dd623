// The document that assimp reads: one model per mesh, and the materials they use.

#include <map>

#include "fbx/assimp.h"
#include "fbx/materials.h"
#include "fbx/writer.h"

namespace throng::fbx {
namespace {

struct Connection {
  ObjectId source;
  ObjectId target;
};

// "name", 0, 1, "Model": names and classes in binary files.
std::string full_name(std::string_view name, std::string_view type) {
  std::string text(name);
  text += std::string_view("\0\1", 2);
  text += type;
  return text;
}

void begin_object(Writer& writer, const char* element, ObjectId id, std::string_view name, std::string_view type,
                  const char* subtype) {
  writer.begin(element);
  writer.id(id);
  writer.text(full_name(name, type));
  writer.text(subtype);
}

void write_layer(Writer& writer, const char* element, const char* values, const char* indices,
                 const std::optional<MeshLayer>& layer) {
  if (!layer) return;
  writer.begin(element);
  writer.integer(0);
  writer.element("Version", 101);
  writer.element("Name", "");
  writer.element("MappingInformationType", layer->mapping);
  writer.element("ReferenceInformationType", layer->indices ? "IndexToDirect" : "Direct");
  writer.element(values, std::span<const double>(layer->values));
  if (layer->indices) writer.element(indices, std::span<const std::int32_t>(*layer->indices));
  writer.end();
}

void write_layer_list(Writer& writer, const MeshSource& mesh) {
  const std::pair<const char*, bool> layers[] = {{"LayerElementNormal", mesh.normals.has_value()},
                                                 {"LayerElementUV", mesh.uvs.has_value()},
                                                 {"LayerElementColor", mesh.colours.has_value()},
                                                 {"LayerElementMaterial", true}};
  writer.begin("Layer");
  writer.integer(0);
  writer.element("Version", 100);
  for (const auto& [name, present] : layers) {
    if (!present) continue;
    writer.begin("LayerElement");
    writer.element("Type", name);
    writer.element("TypedIndex", 0);
    writer.end();
  }
  writer.end();
}

void write_geometry(Writer& writer, ObjectId id, const MeshSource& mesh) {
  begin_object(writer, "Geometry", id, "", "Geometry", "Mesh");
  writer.element("Vertices", std::span<const double>(mesh.points));
  writer.element("PolygonVertexIndex", std::span<const std::int32_t>(mesh.corners));
  write_layer(writer, "LayerElementNormal", "Normals", "NormalsIndex", mesh.normals);
  write_layer(writer, "LayerElementUV", "UV", "UVIndex", mesh.uvs);
  write_layer(writer, "LayerElementColor", "Colors", "ColorIndex", mesh.colours);
  writer.begin("LayerElementMaterial");
  writer.integer(0);
  writer.element("Version", 101);
  writer.element("Name", "");
  writer.element("MappingInformationType", "ByPolygon");
  writer.element("ReferenceInformationType", "IndexToDirect");
  writer.element("Materials", std::span<const std::int32_t>(mesh.material_slots));
  writer.end();
  write_layer_list(writer, mesh);
  writer.end();
}

void write_property(Writer& writer, const MaterialProperty& property) {
  writer.begin("P");
  writer.text(property.name);
  writer.text(property.values.size() == 3 ? "Color" : "Number");
  writer.text("");
  writer.text("A");
  for (const double value : property.values) writer.real(value);
  writer.end();
}

void write_material(Writer& writer, ObjectId id, const Document& document, const Object& material) {
  begin_object(writer, "Material", id, fmt::to_string(material.id), "Material", "");
  writer.element("Version", 102);
  writer.element("ShadingModel", "phong");
  writer.begin("Properties70");
  for (const MaterialProperty& property : material_properties(document, material)) write_property(writer, property);
  writer.end();
  writer.end();
}

void write_model(Writer& writer, ObjectId id, std::size_t index) {
  begin_object(writer, "Model", id, fmt::to_string(index), "Model", "Mesh");
  writer.element("Version", 232);
  writer.begin("Properties70");
  writer.end();
  writer.end();
}

void write_head(Writer& writer) {
  writer.begin("FBXHeaderExtension");
  writer.element("FBXHeaderVersion", 1003);
  writer.element("FBXVersion", 7400);
  writer.end();
  writer.begin("GlobalSettings");
  writer.element("Version", 1000);
  writer.begin("Properties70");
  writer.end();
  writer.end();
  writer.begin("Definitions");
  writer.element("Version", 100);
  writer.end();
}

void write_connections(Writer& writer, const std::vector<Connection>& connections) {
  writer.begin("Connections");
  for (const Connection& connection : connections) {
    writer.begin("C");
    writer.text("OO");
    writer.id(connection.source);
    writer.id(connection.target);
    writer.end();
  }
  writer.end();
}

}  // namespace

std::vector<char> document_for_assimp(const Conversion& c, const std::vector<MeshSource>& meshes) {
  Writer writer;
  write_head(writer);
  writer.begin("Objects");
  ObjectId last = 0;
  std::map<const Object*, ObjectId> materials;
  std::vector<Connection> connections;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const ObjectId model = ++last;
    const ObjectId geometry = ++last;
    write_model(writer, model, i);
    write_geometry(writer, geometry, meshes[i]);
    connections.push_back({model, kScene});
    connections.push_back({geometry, model});
    for (const Object* material : meshes[i].materials) {
      const auto [place, is_new] = materials.emplace(material, last + 1);
      if (is_new) write_material(writer, ++last, c.document, *material);
      connections.push_back({place->second, model});
    }
  }
  writer.end();
  write_connections(writer, connections);
  return writer.finish();
}

}  // namespace throng::fbx
