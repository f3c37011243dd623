// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file's objects, how they are connected, and their properties, the same for all versions: files before 7000 get
// numbers for their objects' names, and geometries and shapes apart from the models that hold them.

#include <glm/glm.hpp>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fbx/file/container.h"
#include "throng/base/result.h"

namespace throng::detail::fbx {

using ObjectId = std::int64_t;
inline constexpr ObjectId kScene = 0;

enum class Kind : std::uint8_t {
  model,
  geometry,
  shape,  // the offsets of a blend shape
  other_geometry,
  skin,
  cluster,
  blend_shape,
  blend_channel,
  material,
  texture,
  layered_texture,
  video,
  pose,
  take,
  layer,
  curve_node,
  curve,
  constraint,
  other,
};

// By name: files may have very many, and share them among as many objects.
class Properties {
 public:
  explicit Properties(const Element& list);
  // The first of that name, or none.
  const Element* find(std::string_view name) const;

 private:
  std::vector<std::pair<std::string_view, const Element*>> by_name_;
};

struct Object {
  ObjectId id = 0;
  Kind kind = Kind::other;
  std::string name;  // valid UTF-8
  std::string type;  // "Mesh", "LimbNode", "BindPose", …
  const Element* element = nullptr;
  const Properties* own = nullptr;       // none where it has none
  const Properties* defaults = nullptr;  // those of its template
};

// What hangs on something: an object, by which of the other's properties (empty: by none).
struct Link {
  ObjectId object = 0;
  std::string property;
};

class Document {
 public:
  static Result<Document> from(File file);

  std::uint32_t version() const { return file_.version; }
  const Element& root() const { return file_.root; }
  const std::vector<Object>& objects() const { return objects_; }
  const Object* find(ObjectId id) const;
  // The object that files before 7000 name "Model::hips".
  const Object* find_named(std::string_view full_name) const;

  // In the file's order.
  const std::vector<Link>& sources_of(ObjectId id) const { return linked(sources_, id); }
  const std::vector<Link>& targets_of(ObjectId id) const { return linked(targets_, id); }
  // The sources of one kind, without those that hang on a property.
  std::vector<const Object*> sources_of(ObjectId id, Kind kind) const;

  // A property of the object, else of its template; nothing where both lack it or it is not finite.
  std::optional<double> real(const Object& object, std::string_view property) const;
  std::optional<glm::dvec3> vector(const Object& object, std::string_view property) const;
  std::int64_t integer(const Object& object, std::string_view property, std::int64_t otherwise) const;
  const Object& settings() const { return settings_; }
  // What times are counted in.
  double ticks_per_second() const;

  // What was left out or not understood, one line each.
  std::vector<std::string> notes;

 private:
  using Links = std::map<ObjectId, std::vector<Link>>;
  const std::vector<Link>& linked(const Links& links, ObjectId id) const;
  const Element* property(const Object& object, std::string_view name) const;
  std::optional<ObjectId> new_id(const Element& element, const std::string& name);
  const Properties* properties_of(const Element* element);
  void read_templates();
  void add_object(const Element& element);
  ObjectId add_part(Object part, ObjectId whole);
  void add_parts_of(const Object& model);
  void add_shapes_of(const Object& geometry);
  void read_objects();
  void read_connections();
  void connect(const Element& connection);
  std::optional<ObjectId> id_of(const Element& connection, std::size_t value) const;
  bool named() const { return file_.version < 7000; }

  File file_;
  std::list<Properties> properties_;
  std::map<std::string_view, const Properties*> templates_;  // by the kind of object
  std::vector<Object> objects_;
  std::map<ObjectId, std::size_t> by_id_;
  std::map<std::string, ObjectId, std::less<>> by_name_;
  ObjectId next_part_ = 1;
  std::map<ObjectId, ObjectId> geometry_of_;  // before 7000: what deforms a model deforms its geometry
  Links sources_;
  Links targets_;
  Object settings_;
  std::size_t duplicates_ = 0;
};

}  // namespace throng::detail::fbx
