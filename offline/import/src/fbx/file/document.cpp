// SPDX-License-Identifier: Apache-2.0
#include "fbx/file/document.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "fbx/file/utf8.h"
#include "throng/base/text.h"

namespace throng::detail::fbx {
namespace {

struct KindName {
  std::string_view element;
  std::string_view type;  // empty: any
  Kind kind;
};

constexpr KindName kKinds[] = {
    {"Model", "", Kind::model},
    {"Geometry", "Mesh", Kind::geometry},
    {"Geometry", "Shape", Kind::shape},
    {"Geometry", "", Kind::other_geometry},
    {"Deformer", "Skin", Kind::skin},
    {"Deformer", "Cluster", Kind::cluster},
    {"Deformer", "BlendShape", Kind::blend_shape},
    {"Deformer", "BlendShapeChannel", Kind::blend_channel},
    {"Material", "", Kind::material},
    {"Texture", "", Kind::texture},
    {"LayeredTexture", "", Kind::layered_texture},
    {"Video", "", Kind::video},
    {"Pose", "", Kind::pose},
    {"AnimationStack", "", Kind::take},
    {"AnimationLayer", "", Kind::layer},
    {"AnimationCurveNode", "", Kind::curve_node},
    {"AnimationCurve", "", Kind::curve},
    {"Constraint", "", Kind::constraint},
};

Kind kind_of(std::string_view element, std::string_view type) {
  for (const KindName& entry : kKinds) {
    if (entry.element == element && (entry.type.empty() || entry.type == type)) return entry.kind;
  }
  return Kind::other;
}

// "Model::hips" in ASCII, "hips", 0, 1, "Model" in binary: the class and the name.
struct FullName {
  std::string_view type;
  std::string_view name;
};

FullName split_name(std::string_view text) {
  constexpr std::string_view kBinarySeparator("\0\1", 2);
  if (const std::size_t at = text.find(kBinarySeparator); at != std::string_view::npos) {
    return {text.substr(at + 2), text.substr(0, at)};
  }
  if (const std::size_t at = text.find("::"); at != std::string_view::npos) {
    return {text.substr(0, at), text.substr(at + 2)};
  }
  return {"", text};
}

std::string name_key(std::string_view text) {
  const FullName full = split_name(text);
  return std::string(full.type) + "::" + std::string(full.name);
}

// Values come after name, type, label and flags; before version 7000 there is no label.
std::size_t first_value(const Element& property) { return property.name == "P" ? 4 : 3; }

std::optional<double> finite_at(const Element* property, std::size_t index) {
  const auto value = property ? real_at(property, first_value(*property) + index) : std::nullopt;
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

Properties::Properties(const Element& list) {
  for (const Element& entry : list.children) {
    if (const std::string* text = text_at(&entry, 0)) by_name_.emplace_back(*text, &entry);
  }
  std::ranges::stable_sort(by_name_, {}, [](const auto& entry) { return entry.first; });
}

const Element* Properties::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(by_name_, name, {}, [](const auto& entry) { return entry.first; });
  return found != by_name_.end() && found->first == name ? found->second : nullptr;
}

Result<Document> Document::from(File file) {
  Document document;
  document.file_ = std::move(file);
  document.read_objects();
  if (document.objects_.empty()) return fail("has no objects");
  const Element* connections = document.root().child("Connections");
  if (!connections || connections->children.empty()) {
    return fail("has no connections between its objects; it may be cut short");
  }
  document.read_connections();
  if (document.duplicates_ > 0) {
    document.notes.push_back(
        in_number(document.duplicates_, "[object that shares its|objects that share their] id with another left out"));
  }
  return document;
}

void Document::read_objects() {
  const Element* objects = root().child("Objects");
  settings_.element = root().child("GlobalSettings");
  if (!settings_.element && objects) settings_.element = objects->child("GlobalSettings");
  settings_.own = properties_of(settings_.element);
  read_templates();
  if (!objects) return;
  for (const Element& element : objects->children) add_object(element);
  const std::size_t count = objects_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Object object = objects_[i];
    named() ? add_parts_of(object) : add_shapes_of(object);
  }
}

const Properties* Document::properties_of(const Element* element) {
  if (!element) return nullptr;
  const Element* list = element->child("Properties70");
  if (!list) list = element->child("Properties60");
  return list ? &properties_.emplace_back(*list) : nullptr;
}

void Document::read_templates() {
  const Element* definitions = root().child("Definitions");
  if (!definitions) return;
  for (const Element& entry : definitions->children) {
    const std::string* name = text_at(&entry, 0);
    if (entry.name != "ObjectType" || !name || templates_.contains(*name)) continue;
    templates_.emplace(*name, properties_of(entry.child("PropertyTemplate")));
  }
}

// Before 7000 an object is known by its name and gets the next number.
std::optional<ObjectId> Document::new_id(const Element& element, const std::string& name) {
  if (!named()) {
    const auto id = integer_at(&element, 0);
    if (!id) return std::nullopt;
    const bool taken = *id == kScene || by_id_.contains(*id);
    duplicates_ += taken ? 1 : 0;
    return taken ? std::nullopt : id;
  }
  const auto id = static_cast<ObjectId>(objects_.size()) + 1;
  if (by_name_.emplace(name_key(name), id).second) return id;
  ++duplicates_;
  return std::nullopt;
}

void Document::add_object(const Element& element) {
  const std::string* name = text_at(&element, named() ? 0 : 1);
  const std::string* type = text_at(&element, named() ? 1 : 2);
  if (!name) return;
  const auto id = new_id(element, *name);
  if (!id) return;
  by_id_.emplace(*id, objects_.size());
  const auto defaults = templates_.find(element.name);
  objects_.push_back({.id = *id,
                      .kind = kind_of(element.name, type ? std::string_view(*type) : std::string_view()),
                      .name = valid_utf8(split_name(*name).name),
                      .type = type ? *type : std::string(),
                      .element = &element,
                      .own = properties_of(&element),
                      .defaults = defaults != templates_.end() ? defaults->second : nullptr});
}

ObjectId Document::add_part(Object part, ObjectId whole) {
  while (by_id_.contains(next_part_)) ++next_part_;
  part.id = next_part_;
  part.defaults = nullptr;
  by_id_.emplace(part.id, objects_.size());
  sources_[whole].push_back({part.id, ""});
  targets_[part.id].push_back({whole, ""});
  objects_.push_back(std::move(part));
  return objects_.back().id;
}

// Before 7000 a model holds its mesh and the mesh's shapes.
void Document::add_parts_of(const Object& model) {
  if (model.kind != Kind::model || !model.element->child("Vertices")) return;
  Object geometry = model;
  geometry.kind = Kind::geometry;
  geometry.id = add_part(geometry, model.id);
  geometry_of_.emplace(model.id, geometry.id);
  add_shapes_of(geometry);
}

// Up to 7100 a geometry may hold its shapes itself; each is its own channel.
void Document::add_shapes_of(const Object& geometry) {
  if (geometry.kind != Kind::geometry) return;
  for (const Element& shape : geometry.element->children) {
    const std::string* name = text_at(&shape, 0);
    if (shape.name != "Shape" || !name) continue;
    add_part({.id = 0, .kind = Kind::blend_channel, .name = valid_utf8(*name), .type = {}, .element = &shape},
             geometry.id);
  }
}

std::optional<ObjectId> Document::id_of(const Element& connection, std::size_t value) const {
  if (!named()) return integer_at(&connection, value);
  const std::string* name = text_at(&connection, value);
  if (!name) return std::nullopt;
  const std::string key = name_key(*name);
  if (key == "Model::Scene") return kScene;
  const auto found = by_name_.find(key);
  return found != by_name_.end() ? std::optional(found->second) : std::nullopt;
}

void Document::connect(const Element& connection) {
  const std::string* type = text_at(&connection, 0);
  if (!type || (*type != "OO" && *type != "OP")) return;
  const auto source = id_of(connection, 1);
  auto target = id_of(connection, 2);
  if (!source || !target || *source == *target) return;
  const Object* object = find(*source);
  if (!object || (*target != kScene && !find(*target))) return;
  if (object->kind == Kind::skin || object->kind == Kind::blend_shape) {
    if (const auto geometry = geometry_of_.find(*target); geometry != geometry_of_.end()) target = geometry->second;
  }
  const std::string* property = *type == "OP" ? text_at(&connection, 3) : nullptr;
  const std::string by = property ? *property : std::string();
  sources_[*target].push_back({*source, by});
  targets_[*source].push_back({*target, by});
}

void Document::read_connections() {
  const Element* connections = root().child("Connections");
  if (!connections) return;
  for (const Element& connection : connections->children) connect(connection);
}

const Object* Document::find(ObjectId id) const {
  const auto found = by_id_.find(id);
  return found != by_id_.end() ? &objects_[found->second] : nullptr;
}

const Object* Document::find_named(std::string_view full_name) const {
  const auto found = by_name_.find(name_key(full_name));
  return found != by_name_.end() ? find(found->second) : nullptr;
}

const std::vector<Link>& Document::linked(const Links& links, ObjectId id) const {
  static const std::vector<Link> kNone;
  const auto found = links.find(id);
  return found != links.end() ? found->second : kNone;
}

std::vector<const Object*> Document::sources_of(ObjectId id, Kind kind) const {
  std::vector<const Object*> found;
  std::set<const Object*> seen;
  for (const Link& link : sources_of(id)) {
    const Object* object = find(link.object);
    if (!object || object->kind != kind || !link.property.empty()) continue;
    if (seen.insert(object).second) found.push_back(object);
  }
  return found;
}

const Element* Document::property(const Object& object, std::string_view name) const {
  const Element* own = object.own ? object.own->find(name) : nullptr;
  return own || !object.defaults ? own : object.defaults->find(name);
}

std::optional<double> Document::real(const Object& object, std::string_view name) const {
  return finite_at(property(object, name), 0);
}

std::optional<glm::dvec3> Document::vector(const Object& object, std::string_view name) const {
  const Element* found = property(object, name);
  const auto x = finite_at(found, 0);
  const auto y = finite_at(found, 1);
  const auto z = finite_at(found, 2);
  if (!x || !y || !z) return std::nullopt;
  return glm::dvec3(*x, *y, *z);
}

// Since version 1004 of the header a file of any version may count in the units of FBX 8; 127 says that it does not.
double Document::ticks_per_second() const {
  constexpr double kUsual = 46186158000.0;
  constexpr double kLater = 141120000.0;
  constexpr std::int64_t kToldSince = 1004;
  constexpr std::int64_t kStillUsual = 127;
  const Element* header = root().child("FBXHeaderExtension");
  const auto header_version = integer_at(header ? header->child("FBXHeaderVersion") : nullptr, 0);
  if (!header_version || *header_version < kToldSince) return kUsual;
  const Element* flags = header->child("OtherFlags");
  const auto definition = integer_at(flags ? flags->child("TCDefinition") : nullptr, 0);
  return definition && *definition != kStillUsual ? kLater : kUsual;
}

std::int64_t Document::integer(const Object& object, std::string_view name, std::int64_t otherwise) const {
  const Element* found = property(object, name);
  return found ? integer_at(found, first_value(*found)).value_or(otherwise) : otherwise;
}

}  // namespace throng::detail::fbx
