// SPDX-License-Identifier: Apache-2.0
#pragma once
// FBX files as text, made in a test: small, and known to the last number.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

#include "gltf/gltf_builder.h"
#include "throng/import/import.h"
#include "throng/pose/pose.h"

namespace throng::test {

using Numbers = std::vector<double>;
using Properties = std::vector<std::pair<std::string, Numbers>>;

inline constexpr double kTicks = 46186158000.0;
inline constexpr std::uint32_t kLinearKeys = 0x4;
inline constexpr std::uint32_t kConstantKeys = 0x2;

inline std::string joined(const Numbers& numbers) { return fmt::format("{:.17g}", fmt::join(numbers, ",")); }

template <class Whole>
std::string joined(const std::vector<Whole>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ","));
}

// `*3 { a: 1,2,3 }`
template <class List>
std::string array(const List& numbers) {
  return fmt::format("*{} {{\n a: {}\n}}", numbers.size(), joined(numbers));
}

inline std::string properties(const Properties& list) {
  std::string text = "Properties70: {\n";
  for (const auto& [name, values] : list)
    text += fmt::format("P: \"{}\", \"\", \"\", \"A\",{}\n", name, joined(values));
  return text + "}\n";
}

class FbxBuilder {
 public:
  Properties settings = {{"UpAxis", {1}},    {"UpAxisSign", {1}}, {"FrontAxis", {2}},     {"FrontAxisSign", {1}},
                         {"CoordAxis", {0}}, {"TimeMode", {6}},   {"CoordAxisSign", {1}}, {"UnitScaleFactor", {1}}};
  int version = 7400;
  std::string header;  // more of the header

  void object(const char* element, int id, const char* type, const std::string& name, const char* subtype,
              const std::string& content) {
    objects_ += fmt::format("{}: {}, \"{}::{}\", \"{}\" {{\n{}}}\n", element, id, type, name, subtype, content);
  }
  void connect(int source, int target) { connections_ += fmt::format("C: \"OO\",{},{}\n", source, target); }
  void connect(int source, int target, const char* property) {
    connections_ += fmt::format("C: \"OP\",{},{}, \"{}\"\n", source, target, property);
  }

  void model(int id, const std::string& name, int parent, const Properties& list = {}, const char* type = "Null") {
    Properties all = list;
    all.emplace_back("InheritType", Numbers{1});
    object("Model", id, "Model", name, type, properties(all));
    connect(id, parent);
  }

  // `more`: layer elements. Polygons end in −1 − index.
  void geometry(int id, int model_id, const Numbers& points, const std::vector<int>& corners,
                const std::string& more = {}) {
    object("Geometry", id, "Geometry", "", "Mesh",
           fmt::format("Vertices: {}\nPolygonVertexIndex: {}\n{}", array(points), array(corners), more));
    connect(id, model_id);
  }
  void triangle(int id, int model_id) { geometry(id, model_id, {0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, -3}); }

  void take(int id, const std::string& name, double start = 0.0, double stop = 0.0) {
    object("AnimationStack", id, "AnimStack", name, "",
           properties({{"LocalStart", {start * kTicks}}, {"LocalStop", {stop * kTicks}}}));
    object("AnimationLayer", id + 1, "AnimLayer", "BaseLayer", "", "");
    connect(id + 1, id);
  }

  // A curve of one component; ids from `id` on are used. `more` goes into the curve.
  void curve(int id, int take_id, int target, const char* property, const char* component, const Numbers& seconds,
             const Numbers& values, std::uint32_t flags = kLinearKeys, const Numbers& attributes = {0, 0, 0, 0},
             const std::string& more = {}) {
    object("AnimationCurveNode", id, "AnimCurveNode", "", "", "");
    std::vector<std::int64_t> ticks;
    for (const double second : seconds) ticks.push_back(static_cast<std::int64_t>(second * kTicks));
    object("AnimationCurve", id + 1, "AnimCurve", "", "",
           fmt::format("KeyTime: {}\nKeyValueFloat: {}\nKeyAttrFlags: *1 {{ a: {} }}\nKeyAttrDataFloat: {}\n"
                       "KeyAttrRefCount: *1 {{ a: {} }}\n{}",
                       array(ticks), array(values), flags, float_bits(attributes), seconds.size(), more));
    connect(id, take_id + 1);
    connect(id, target, property);
    connect(id + 1, id, component);
  }

  std::string text() const {
    return fmt::format(
        "; FBX {}.{}.0 project file\nFBXHeaderExtension: {{\nFBXVersion: {}\n{}}}\nGlobalSettings: {{\n{}}}\n"
        "Objects: {{\n{}}}\nConnections: {{\n{}}}\n",
        version / 1000, version / 100 % 10, version, header, properties(settings), objects_, connections_);
  }

  Result<Imported> import(const ImportSettings& how = {}) const {
    const ScratchFolder folder;
    return import_fbx(folder.write("made.fbx", text()), how);
  }

 private:
  // ASCII files hold the bits of these floats as integers.
  static std::string float_bits(const Numbers& numbers) {
    std::vector<int> bits;
    for (const double number : numbers) bits.push_back(std::bit_cast<int>(static_cast<float>(number)));
    return array(bits);
  }

  std::string objects_;
  std::string connections_;
};

inline glm::dmat4 model_from_bone(const Model& model, const Pose& pose, std::string_view name) {
  const auto matrices = model_from_bones(model, pose);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    if (model.bones()[i].name == name) return matrices[i];
  }
  ADD_FAILURE() << "no bone " << name;
  return glm::dmat4(1.0);
}

inline glm::dvec3 moved(const glm::dmat4& matrix, const glm::dvec3& point) { return matrix * glm::dvec4(point, 1.0); }

inline void expect_near(const glm::dvec3& found, const glm::dvec3& wanted, double tolerance, const std::string& what) {
  EXPECT_LE(glm::length(found - wanted), tolerance) << what << ": found " << found.x << " " << found.y << " " << found.z
                                                    << ", wanted " << wanted.x << " " << wanted.y << " " << wanted.z;
}

}  // namespace throng::test
