#include "check_baked_model.h"

#include <algorithm>
#include <cmath>

#include "format.h"

namespace throng {
namespace {

constexpr double kUnitTolerance = 0.01;  // far above q16's rounding, far below what would show

template <glm::length_t N, class T>
bool finite(const glm::vec<N, T>& v) {
  for (glm::length_t i = 0; i < N; ++i) {
    if (!std::isfinite(v[i])) return false;
  }
  return true;
}

// Shaders take it as a float.
bool fits_float(double value) { return std::isfinite(static_cast<float>(value)); }

bool fits_float(const glm::dvec3& v) { return fits_float(v.x) && fits_float(v.y) && fits_float(v.z); }

bool is_box(const Bounds& b) {
  return finite(b.min) && finite(b.max) && b.min.x <= b.max.x && b.min.y <= b.max.y && b.min.z <= b.max.z;
}

bool is_unit(const glm::dquat& q) { return std::abs(glm::length(q) - 1.0) <= kUnitTolerance; }

Result<void> check_atlas(const BakedModel& model) {
  const Atlas& a = model.atlas;
  const std::size_t bones = model.bones.size();
  if (bones == 0 || bones > format::kMaxColumns)
    return fail("{} bones; 1 to {} are possible", bones, format::kMaxColumns);
  if (a.layout.width == 0 || a.layout.width > format::kMaxSize || a.height == 0 || a.height > format::kMaxSize) {
    return fail("an atlas of {} × {} texels; 1 to {} each way are possible", a.layout.width, a.height,
                format::kMaxSize);
  }
  if (a.layer_count == 0 || a.layer_count > format::kMaxLayers) {
    return fail("{} atlas layers; 1 to {} are possible", a.layer_count, format::kMaxLayers);
  }
  if (a.layout.width > bones || a.layout.rows_per_frame != (bones + a.layout.width - 1) / a.layout.width) {
    return fail("{} rows a frame of {} texels do not fit {} bones", a.layout.rows_per_frame, a.layout.width, bones);
  }
  const std::uint64_t texels = std::uint64_t{a.layout.width} * a.height * a.layer_count;
  if (a.texels.size() != texels) return fail("the atlas has {} texels where {} belong", a.texels.size(), texels);
  for (const BakedBone& bone : model.bones) {
    if (!finite(bone.pivot)) return fail("bone '{}' has a pivot that is not finite", bone.name);
  }
  return {};
}

Result<void> check_events(const BakedClip& clip) {
  double last = 0.0;
  for (const BakedEvent& event : clip.events) {
    if (!(event.time >= last && event.time <= clip.length)) {
      return fail("event '{}' at {} s is out of order or outside the clip", event.name, event.time);
    }
    last = event.time;
  }
  return {};
}

Result<void> check_rotations(const Atlas& atlas, const BakedClip& clip, std::uint32_t bones) {
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    for (std::uint32_t bone = 0; bone < bones; ++bone) {
      const Texel& texel = atlas.at(clip.layer, clip.first_frame + frame, bone);
      if (!is_unit(decode_q16(texel, clip.range).rotation)) {
        return fail("frame {}, bone {}: a rotation is not of unit length", frame, bone);
      }
    }
  }
  return {};
}

Result<void> check_clip(const BakedModel& model, const BakedClip& clip) {
  const Atlas& atlas = model.atlas;
  if (clip.frame_count == 0) return fail("has no frames");
  if (clip.layer >= atlas.layer_count) return fail("names layer {} of {}", clip.layer, atlas.layer_count);
  const std::uint64_t end = (std::uint64_t{clip.first_frame} + clip.frame_count) * atlas.layout.rows_per_frame;
  if (end > atlas.height) return fail("ends in row {} of {}", end, atlas.height);
  if (!std::isfinite(clip.source_start)) return fail("has a start that is not finite");
  if (!std::isfinite(clip.length) || clip.length < 0.0) return fail("has a length of {} s", clip.length);
  if (clip.frame_count > 1 && clip.length <= 0.0) return fail("has {} frames and no length", clip.frame_count);
  const Q16Range& range = clip.range;
  if (!fits_float(range.pivot_min) || !fits_float(range.pivot_size) ||
      !fits_float(range.pivot_min + range.pivot_size) || !fits_float(range.scale_max)) {
    return fail("has a range that is not finite");
  }
  if (glm::any(glm::lessThan(range.pivot_size, glm::dvec3(0.0))) || range.scale_max < 0.0) {
    return fail("has a negative range");
  }
  if (!is_box(clip.bounds)) return fail("has bounds that are no box");
  if (auto ok = check_events(clip); !ok) return ok;
  return check_rotations(atlas, clip, static_cast<std::uint32_t>(model.bones.size()));
}

Result<void> check_vertices(const BakedModel& model) {
  if (model.vertices.empty()) return fail("there are no vertices");
  for (std::size_t v = 0; v < model.vertices.size(); ++v) {
    const BakedVertex& vertex = model.vertices[v];
    if (!finite(vertex.position) || !finite(vertex.normal) || !finite(vertex.uv))
      return fail("vertex {} is not finite", v);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < vertex.bones.size(); ++i) {
      sum += vertex.weights[i];
      if (vertex.bones[i] >= model.bones.size()) {
        return fail("vertex {} names bone {} of {}", v, vertex.bones[i], model.bones.size());
      }
    }
    if (sum != 65535) return fail("vertex {} has weights that sum to {} instead of 65535", v, sum);
  }
  const std::uint64_t count = model.vertices.size();
  for (const std::uint32_t index : model.indices) {
    if (index >= count) return fail("index {} is past the last of {} vertices", index, count);
  }
  for (const BakedSource& source : model.sources) {
    if (std::uint64_t{source.first_vertex} + source.vertex_count > count) {
      return fail("a source's vertices {}+{} are past the last of {}", source.first_vertex, source.vertex_count, count);
    }
  }
  return {};
}

Result<void> check_looks(const BakedModel& model) {
  if (model.parts.empty()) return fail("there are no triangles");
  for (const BakedPart& part : model.parts) {
    const std::uint64_t end = std::uint64_t{part.first_index} + part.index_count;
    if (part.index_count == 0 || part.index_count % 3 != 0 || end > model.indices.size()) {
      return fail("a part of indices {}+{} is no whole number of the {} there are", part.first_index, part.index_count,
                  model.indices.size());
    }
    if (part.material >= model.materials.size()) {
      return fail("a part names material {} of {}", part.material, model.materials.size());
    }
  }
  for (const Material& material : model.materials) {
    const glm::vec4& c = material.base_colour;
    if (!glm::all(glm::greaterThanEqual(c, glm::vec4(0.0f))) || !glm::all(glm::lessThanEqual(c, glm::vec4(1.0f)))) {
      return fail("material '{}' has a colour outside 0 to 1", material.name);
    }
    if (!std::isfinite(material.alpha_cutoff) || material.alpha_cutoff < 0.0f) {
      return fail("material '{}' has an alpha cut-off of {}", material.name, material.alpha_cutoff);
    }
    if (material.base_image && *material.base_image >= model.images.size()) {
      return fail("material '{}' names image {} of {}", material.name, *material.base_image, model.images.size());
    }
  }
  for (const ImageSource& image : model.images) {
    const bool known = image.mime_type == "image/png" || image.mime_type == "image/jpeg";
    if (!known || image.bytes.size() == 0) return fail("image '{}' is neither PNG nor JPEG, or is empty", image.name);
  }
  return {};
}

Result<void> check_sockets(const BakedModel& model) {
  for (const BakedSocket& socket : model.sockets) {
    const Transform& t = socket.mesh_from_socket;
    if (socket.bone >= model.bones.size()) {
      return fail("socket '{}' names bone {} of {}", socket.name, socket.bone, model.bones.size());
    }
    if (!finite(t.translation) || !finite(t.scale) || !is_unit(t.rotation)) {
      return fail("socket '{}' has a transform that is not finite or not a rotation", socket.name);
    }
  }
  return {};
}

Result<void> check_error(const ErrorReport& error) {
  const auto bad = [](double value) { return !std::isfinite(value) || value < 0.0; };
  for (const ErrorFigures& f : {error.at_frames, error.between}) {
    if (bad(f.max_mm) || bad(f.p999_mm) || bad(f.rms_mm) || bad(f.normal_max_degrees)) {
      return fail("the error report holds a number that is negative or not finite");
    }
  }
  if (bad(error.mm_per_unit) || !std::isfinite(error.worst_time)) return fail("the error report is not finite");
  return {};
}

}  // namespace

Result<void> check_baked_model(const BakedModel& model) {
  if (auto ok = check_atlas(model); !ok) return ok;
  if (model.clips.empty()) return fail("there are no clips");
  for (const BakedClip& clip : model.clips) {
    if (auto ok = check_clip(model, clip); !ok) return fail("clip '{}' {}", clip.name, ok.error().message);
  }
  if (!is_box(model.bounds)) return fail("its bounds are no box");
  if (auto ok = check_vertices(model); !ok) return ok;
  if (auto ok = check_looks(model); !ok) return ok;
  if (auto ok = check_sockets(model); !ok) return ok;
  return check_error(model.error);
}

}  // namespace throng
