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

#include "throng/asset/layout.h"
#include "throng/asset/q16.h"
#include "throng/asset/records.h"
#include "throng/base/bytes.h"
#include "throng/base/result.h"
#include "throng/model/model.h"

namespace throng {

// As it lies in the file and in the vertex buffer.
struct BakedVertex {
  glm::vec3 position;  // in the baked mesh's space: model space at the bake's reference pose
  glm::vec3 normal;
  glm::vec2 uv;
  std::array<std::uint16_t, 4> bones;    // columns of the animation texture
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

// Which vertices came from which primitive of the source file, in its own vertex order.
struct BakedSource {
  std::uint32_t node = 0;
  std::uint32_t primitive = 0;
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
};

// A column of the animation texture: a bone as one mesh is bound to it.
struct BakedBone {
  std::string name;
  glm::vec3 pivot{0.0f};
};

struct BakedEvent {
  double time = 0.0;  // seconds from the clip's first frame
  std::string name;
};

struct BakedClip {
  std::string name;
  double source_start = 0.0;  // the source's time of the first frame, seconds
  double length = 0.0;        // seconds; of one turn when it loops, of first to last frame when not
  bool loops = false;
  std::uint32_t frame_count = 0;
  std::uint32_t first_frame = 0;  // in its layer
  std::uint32_t layer = 0;
  Q16Range range;
  Bounds bounds;                   // of every vertex in every frame, the encoding's error added
  std::vector<BakedEvent> events;  // by time

  // Frames a second.
  double rate() const;
};

struct BakedSocket {
  std::string name;
  std::uint32_t bone = 0;      // column of the animation texture that carries it
  Transform mesh_from_socket;  // in the baked mesh's space: moves with its bone like a vertex does
};

struct Atlas {
  Layout layout;
  std::uint32_t height = 0;
  std::uint32_t layer_count = 0;
  std::span<const Texel> texels;  // layer by layer, row by row

  const Texel& at(std::uint32_t layer, std::uint32_t frame, std::uint32_t bone) const {
    const TexelCoordinate c = texel_of(layout, frame, bone);
    return texels[(std::size_t{layer} * height + c.y) * layout.width + c.x];
  }
};

// Distances in millimetres on a character 1.8 m tall.
struct ErrorFigures {
  double max_mm = 0.0;
  double p999_mm = 0.0;
  double rms_mm = 0.0;
  double normal_max_degrees = 0.0;
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

struct BakedModel {
  std::string name;
  std::vector<BakedBone> bones;
  std::vector<BakedPart> parts;
  std::vector<BakedSource> sources;
  std::vector<Material> materials;
  std::vector<ImageSource> images;
  std::vector<BakedClip> clips;
  std::vector<BakedSocket> sockets;
  Bounds bounds;
  ErrorReport error;
  std::vector<std::string> notes;  // repairs and drops, from import and bake

  std::span<const BakedVertex> vertices;
  std::span<const std::uint32_t> indices;
  Atlas atlas;
  SharedBytes storage;  // what the three views above look into

  // The clip of that name, or an error that lists the names there are.
  Result<std::uint32_t> find_clip(std::string_view clip_name) const;
};

// What the shader reads for a clip.
ClipRecord clip_record(const BakedClip& clip);

// Where every vertex is, decoded from the texels as the shader does it but in double: between two frames of one layer.
struct DecodedVertices {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;
};
DecodedVertices decode_pose(const BakedModel& model, const BakedClip& clip, const Cursor& cursor, double blend);

// The frames around a time in seconds from the clip's first frame (wrapped when it loops, clamped when not), and the
// exact blend between them, in double.
struct ExactCursor {
  Cursor cursor;
  double blend = 0.0;
};
ExactCursor cursor_at_time(const BakedClip& clip, double seconds);

// The .throng.glb file: see docs/asset-format.md. Writing replaces atomically. Reading maps the file and checks
// everything the page says a reader must refuse; a file with any byte changed is refused.
Result<std::vector<std::byte>> encode_asset(const BakedModel& model);
Result<void> write_asset(const BakedModel& model, const std::filesystem::path& path);
Result<BakedModel> decode_asset(SharedBytes bytes);
Result<BakedModel> read_asset(const std::filesystem::path& path);

// Whether the bytes are a GLB that uses our extension (and so are for decode_asset, not for the importer).
bool looks_like_asset(std::span<const std::byte> bytes);

}  // namespace throng
