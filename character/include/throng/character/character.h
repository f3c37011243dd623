#pragma once
// A model ready for the GPU: a mesh, an animation texture, and what a player must know of its clips. Made by the bake
// or read from a .throng.glb; either way its arrays are views into storage it shares, so copies are cheap and uploads
// need none.

#include <array>
#include <cstdint>
#include <filesystem>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/bytes.h"
#include "throng/base/result.h"
#include "throng/character/bone_codecs.h"
#include "throng/character/encoding.h"
#include "throng/character/layout.h"
#include "throng/character/records.h"
#include "throng/model/model.h"

namespace throng {

// Bones: a texel column a bone, vertices are skinned by weights. Vertices: every vertex of every frame is stored, so
// anything that deforms can be played.
enum class BakeMode : std::uint8_t { bones, vertices };

// As it lies in the file and in the vertex buffer.
struct BakedVertex {
  glm::vec3 position;  // in the baked mesh's space: model space at the bake's reference pose
  glm::vec3 normal;
  glm::vec2 uv;
  std::array<std::uint16_t, 4> bones;    // columns of the animation texture; vertex mode: 0
  std::array<std::uint16_t, 4> weights;  // UNORM16; they sum to 65535
  std::array<std::uint8_t, 4> colour;    // UNORM8, linear
};
static_assert(sizeof(BakedVertex) == 52 && std::is_trivially_copyable_v<BakedVertex>);

// All triangles of one material: one draw.
struct BakedPart {
  std::uint32_t material = 0;
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;
};

// A coarser mesh of the same vertices.
struct BakedLevel {
  double error = 0.0;              // how far its surface is from the full one at the reference pose, model units
  std::uint32_t vertex_count = 0;  // it uses no vertex past these; in bone mode they come first
  std::vector<BakedPart> parts;
};

// Which vertices came from which primitive of the source file. Numbers count in source order: see
// Character::baked_from_source.
struct BakedSource {
  std::uint32_t node = 0;
  std::uint32_t primitive = 0;
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
};

// A column of the animation texture: a bone as one mesh is bound to it. Bones that move alike share a column.
struct BakedBone {
  std::string name;
  // For local8: the link of the skeleton it follows, and how the baked mesh lies in that link (pivot at the origin).
  std::uint32_t link = 0;
  BoneSample link_from_mesh;
};

// A link of the chains that local8 composes: what a slot does not say is as at rest. Scale is uniform.
struct PoseLink {
  std::optional<std::uint32_t> parent;  // always a smaller index
  BoneSample rest;                      // parent_from_link
  std::optional<std::uint32_t> rotation_slot;
  std::optional<std::uint32_t> translation_slot;  // of translation and scale; slots are numbered each from 0
};

struct BakedEvent {
  double time = 0.0;  // seconds from the clip's first frame
  std::string name;
};

// Distances in millimetres on a character 1.8 m tall.
struct ErrorFigures {
  double max_mm = 0.0;
  double p999_mm = 0.0;
  double rms_mm = 0.0;
  double normal_max_degrees = 0.0;
};

// Of one clip. `worst`: where the larger of the two maxima is; the time is the source's.
struct ClipError {
  ErrorFigures at_frames;
  ErrorFigures between;
  std::string worst_bone;
  double worst_time = 0.0;
};

// Where the ground under a character has gone since the clip's first frame: model_from_ground is a turn by `yaw`
// (radians, about +Y) and then `translation`. Poses in the texture have it taken off.
struct RootSample {
  glm::dvec3 translation{0.0};
  double yaw = 0.0;
};

struct BakedClip {
  std::string name;
  double source_start = 0.0;  // the source's time of the first frame, seconds
  double length = 0.0;        // seconds; of one turn when it loops, of first to last frame when not
  bool loops = false;
  std::uint32_t frame_count = 0;
  std::uint32_t first_frame = 0;  // in its layer, counted in frames of its own layout; clips may share frames
  std::uint32_t layer = 0;
  Encoding encoding = Encoding::q16;
  std::uint32_t first_table_row = 0;  // table_rows() of them in Character::table
  ClipRange range;
  Bounds bounds;                        // of every vertex at and between frames, the encoding's error added
  std::vector<BakedEvent> events;       // by time
  std::vector<RootSample> root_motion;  // empty, or one a frame and, when it loops, one more for the whole turn
  ClipError error;
  std::string choice;  // why this rate and encoding, in words

  // Frames a second.
  double rate() const;
};

struct BakedSocket {
  std::string name;
  // Bone mode: the column that carries it. Vertex mode: the number of the first of its two items (items behind the
  // vertices: vertex count + 2 · socket); their position is the socket's, their normals are its +Z and +X axes.
  std::uint32_t bone = 0;
  Transform mesh_from_socket;  // in the baked mesh's space: moves with its bone like a vertex does
};

struct Atlas {
  Layout layout;
  std::uint32_t height = 0;  // texels
  std::uint32_t layer_count = 0;
  std::span<const std::uint32_t> words;  // layer by layer, row by row

  // The words of one frame; they are contiguous. `frame` counts from the top of the layer.
  std::span<const std::uint32_t> frame(const FrameLayout& frames, std::uint32_t layer, std::uint32_t frame) const {
    const TexelCoordinate c = texel_of(layout, frames, frame, 0);
    const std::size_t first = (std::size_t{layer} * height + c.y) * layout.width + c.x;
    return words.subspan(first * layout.texel_words, std::size_t{frames.texels_per_frame} * layout.texel_words);
  }
};

// How far decoded poses are from the source's own curves, over every vertex: at the frames, and at seven points between
// each pair (normals: half-way). Normals are compared as both sides blend them, the sum of what each bone makes of the
// normal. What leads from the last key of an open loop (one that ends a step before its first pose) back to that pose
// has no curve in the source to compare with, so `between` leaves it out.
struct ErrorReport {
  double mm_per_unit = 1.0;  // what turns model units into the millimetres above
  ErrorFigures at_frames;
  ErrorFigures between;
  std::string worst_clip;
  std::string worst_bone;
  double worst_time = 0.0;  // in the source's time
};

struct Character {
  std::string name;
  BakeMode mode = BakeMode::bones;
  bool tangents_animated = false;  // vertex mode: the items hold tangents too
  std::vector<BakedBone> bones;    // the columns; one without meaning in vertex mode
  std::vector<PoseLink> skeleton;  // empty unless a clip is local8
  std::vector<BakedPart> parts;    // of the full mesh
  std::vector<BakedLevel> levels;  // coarser ones, finest first
  std::vector<BakedSource> sources;
  std::vector<Material> materials;
  std::vector<ImageSource> images;
  std::vector<BakedClip> clips;
  std::vector<BakedSocket> sockets;
  Bounds bounds;
  ErrorReport error;
  std::uint64_t documents_bytes = 0;  // what the source documents' layout would have taken for the same clips
  Repairs repairs;                    // what the importer mended
  std::vector<std::string> notes;     // repairs, guesses and drops in words, from import and bake

  std::span<const BakedVertex> vertices;
  std::span<const glm::vec4> tangents;     // one per vertex, w: −1 or 1; or none
  std::span<const std::uint32_t> indices;  // of the full mesh, then of the coarser levels
  // Which vertex each source vertex became, in the order of `sources`: reordered, or merged with others. Empty: the
  // same.
  std::span<const std::uint32_t> baked_from_source;
  std::span<const glm::vec4> table;  // pivots and boxes, clip by clip: see encoding.h
  Atlas atlas;
  SharedBytes storage;  // what the views above look into

  // The clip of that name, or an error that names those spelled like it, and all there are.
  Result<std::uint32_t> find_clip(std::string_view clip_name) const;
};

// How many items a frame of this encoding has: columns; local8: rotation slots, then translation slots (at least one
// slot in all); vertices and two for each socket.
std::uint32_t item_count(const Character& model, Encoding encoding);
std::uint32_t rotation_slots(const Character& model);
std::uint32_t translation_slots(const Character& model);
FrameLayout frame_layout(const Character& model, const BakedClip& clip);

// The clip's rows of the table.
std::span<const glm::vec4> table_of(const Character& model, const BakedClip& clip);

// What the shader reads for a clip.
ClipRecord clip_record(const Character& model, const BakedClip& clip);

// What one column does to the baked mesh: v' = linear · v + offset; normals turn by `normal` (inverse transpose up to a
// factor).
struct ColumnMove {
  glm::dmat3 linear{1.0};
  glm::dvec3 offset{0.0};
  glm::dmat3 normal{1.0};
};
// Every column of a bone-mode model between two frames of one layer, decoded as the shader does it but in double.
std::vector<ColumnMove> decode_columns(const Character& model, const BakedClip& clip, const Cursor& cursor,
                                       double blend);

// Where every vertex is, in either mode.
struct DecodedVertices {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;
};
DecodedVertices decode_pose(const Character& model, const BakedClip& clip, const Cursor& cursor, double blend);

// Where a socket is, in either mode: model_from_socket.
glm::dmat4 decode_socket(const Character& model, const BakedClip& clip, const BakedSocket& socket, const Cursor& cursor,
                         double blend);

// The frames around a time in seconds from the clip's first frame (wrapped when it loops, clamped when not), and the
// exact blend between them, in double.
struct ExactCursor {
  Cursor cursor;
  double blend = 0.0;
};
ExactCursor cursor_at_time(const BakedClip& clip, double seconds);

// The .throng.glb file: see docs/asset-format.md. Writing replaces atomically. Reading maps the file and checks
// everything the page says a reader must refuse; a file with any byte changed is refused. Images that are linked are
// read from the file's folder by read_character(), and have no bytes from decode_character().
Result<std::vector<std::byte>> encode_character(const Character& model);
Result<void> write_character(const Character& model, const std::filesystem::path& path);
Result<Character> decode_character(SharedBytes bytes);
Result<Character> read_character(const std::filesystem::path& path);

// Whether the bytes are a GLB that uses our extension (and so are for decode_character, not for the importer).
bool looks_like_character(std::span<const std::byte> bytes);

}  // namespace throng
