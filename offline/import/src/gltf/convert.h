#pragma once
// A checked document becomes a ModelDraft, part by part. What is repaired or left out is counted and noted.

#include <map>
#include <vector>

#include "gltf/document.h"
#include "gltf/scene.h"
#include "throng/character/repairs.h"
#include "throng/model/model.h"

namespace throng::gltf {

// What happened to vertices on the way, over the whole file.
struct MeshTally {
  Repairs repairs;
  std::size_t zero_tangents = 0;
  std::size_t tangents_alone = 0;    // primitives with tangents but no normals
  std::size_t points_and_lines = 0;  // primitives
  std::size_t without_data = 0;      // primitives in a buffer that the file leaves open
  std::size_t without_position = 0;  // primitives
  std::size_t spare_indices = 0;     // after the last whole triangle
  std::size_t unskinned = 0;         // primitives with joints on a node without a skin, or the other way round
};

// What happened to animations.
struct ClipTally {
  std::size_t outside_scene = 0;  // channels
  std::size_t without_data = 0;   // channels
  std::size_t unknown_paths = 0;  // channels
  std::size_t unknown_interpolations = 0;
  std::size_t rotations = 0;  // keys made unit length
  std::size_t events_outside = 0;
  std::size_t events_not_understood = 0;
  std::size_t loops_not_understood = 0;
};

struct Conversion {
  Document& document;
  Skeleton skeleton;
  ModelDraft draft;
  std::vector<std::vector<std::uint32_t>> meshes_of_node;
  std::vector<std::vector<std::uint16_t>> bindings_of_bone;
  std::vector<std::vector<std::uint16_t>> bindings_of_skin;  // per skin, per joint; empty until a mesh uses it
  MeshTally tally;
  std::size_t most_influences = kInfluences;  // that a vertex keeps
};

// Reads materials and the images their base colours use. Broken images leave the factor alone, with a note.
void convert_materials(Conversion& conversion);

Result<void> convert_meshes(Conversion& conversion);
Result<void> convert_clips(Conversion& conversion);

// Vertices of one primitive on one node: positions, normals, tangents, texture coordinates, colours.
Result<void> read_vertices(Conversion& conversion, const tinygltf::Primitive& primitive, Mesh& mesh);
// Its morph targets and their weights at rest.
Result<void> read_morphs(const Document& document, std::size_t node, const tinygltf::Primitive& primitive, Mesh& mesh);

// Events and the loop flag from the extras of an animation, given as JSON.
void read_clip_extras(const nlohmann::json& animation, Clip& clip, ClipTally& tally);

// The binding of a bone with that matrix, shared with every earlier one that is the same.
Result<std::uint16_t> find_or_add_binding(Conversion& conversion, const Binding& binding);

// What every vertex of a skinned primitive follows; `bindings` of its skin's joints.
Result<void> read_influences(Conversion& conversion, const tinygltf::Primitive& primitive,
                             const std::vector<std::uint16_t>& bindings, Mesh& mesh);

// Three indices a triangle, from a list, a strip or a fan.
Result<std::vector<std::uint32_t>> read_triangles(const Document& document, const tinygltf::Primitive& primitive,
                                                  std::size_t vertices, MeshTally& tally);

// An image's encoded bytes and its type by content, or why there are none.
Result<ImageSource> load_image(const Document& document, std::size_t image);

void note_tally(Conversion& conversion);

}  // namespace throng::gltf
