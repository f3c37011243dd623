// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "throng/base/names.h"
#include "throng/base/try.h"
#include "throng/math/directions.h"
#include "throng/model/model.h"

namespace throng {
namespace {

constexpr double kUnitQuaternionTolerance = 1e-3;
constexpr double kWeightSumTolerance = 1e-4;
constexpr std::size_t kMaxBindings = std::numeric_limits<std::uint16_t>::max();

bool unit(const glm::dquat& q) { return std::abs(glm::length(q) - 1.0) <= kUnitQuaternionTolerance; }

Result<void> check_bones(const ModelDraft& draft) {
  for (std::size_t i = 0; i < draft.bones.size(); ++i) {
    const Bone& bone = draft.bones[i];
    if (bone.parent && *bone.parent >= i) {
      return fail("bone '{}' (index {}) comes before its parent (index {})", bone.name, i, *bone.parent);
    }
    if (!is_finite(bone.rest)) return fail("bone '{}' has a rest transform that is not finite", bone.name);
    if (!unit(bone.rest.rotation)) return fail("bone '{}' has a rest rotation that is not of unit length", bone.name);
  }
  return {};
}

Result<void> check_bindings(const ModelDraft& draft) {
  if (draft.bindings.size() > kMaxBindings) {
    return fail("{} bone bindings; at most {} are supported", draft.bindings.size(), kMaxBindings);
  }
  for (const Binding& binding : draft.bindings) {
    if (binding.bone >= draft.bones.size())
      return fail("a binding names bone {} of {}", binding.bone, draft.bones.size());
    for (int column = 0; column < 4; ++column) {
      if (!is_finite(binding.bone_from_mesh[column])) {
        return fail("the inverse bind matrix of bone '{}' is not finite", draft.bones[binding.bone].name);
      }
    }
  }
  return {};
}

// `sum` and `smallest` go on from a vertex's first four to what follows them.
Result<void> check_weights(const ModelDraft& draft, std::size_t v, const Influences& influences, float& smallest,
                           double& sum) {
  for (std::size_t i = 0; i < kInfluences; ++i) {
    const float weight = influences.weights[i];
    if (influences.bindings[i] >= draft.bindings.size()) {
      return fail("vertex {} is bound to {} of {} bindings", v, influences.bindings[i], draft.bindings.size());
    }
    if (!(weight >= 0.0f)) return fail("vertex {} has a weight of {}; weights are zero or more", v, weight);
    if (weight > smallest) return fail("vertex {} has its weights out of order", v);
    smallest = weight;
    sum += static_cast<double>(weight);
  }
  return {};
}

Result<void> check_influences(const ModelDraft& draft, const Mesh& mesh) {
  for (std::size_t v = 0; v < mesh.influences.size(); ++v) {
    float smallest = std::numeric_limits<float>::infinity();
    double sum = 0.0;
    THRONG_CHECK(check_weights(draft, v, mesh.influences[v], smallest, sum));
    if (!mesh.extra_influences.empty()) {
      THRONG_CHECK(check_weights(draft, v, mesh.extra_influences[v], smallest, sum));
    }
    if (!(std::abs(sum - 1.0) <= kWeightSumTolerance)) return fail("vertex {} has weights that sum to {}", v, sum);
  }
  return {};
}

Result<void> check_morphs(const Mesh& mesh) {
  if (mesh.morph_weights.size() != mesh.morph_targets.size()) {
    return fail("{} morph weights for {} morph targets", mesh.morph_weights.size(), mesh.morph_targets.size());
  }
  if (!are_finite(mesh.morph_weights)) return fail("a morph weight is not finite");
  for (const MorphTarget& target : mesh.morph_targets) {
    const bool sized = (target.positions.empty() || target.positions.size() == mesh.positions.size()) &&
                       (target.normals.empty() || target.normals.size() == mesh.positions.size());
    if (!sized) return fail("morph target '{}' does not have one offset per vertex", target.name);
    if (!are_finite(target.positions) || !are_finite(target.normals)) {
      return fail("morph target '{}' has an offset that is not finite", target.name);
    }
  }
  return {};
}

Result<void> check_tangents(const Mesh& mesh) {
  if (mesh.tangents.empty()) return {};
  if (mesh.tangents.size() != mesh.positions.size()) {
    return fail("{} tangents for {} vertices", mesh.tangents.size(), mesh.positions.size());
  }
  for (std::size_t v = 0; v < mesh.tangents.size(); ++v) {
    if (!is_finite(mesh.tangents[v])) return fail("a tangent is not finite");
    if (std::abs(mesh.tangents[v].w) != 1.0f) {
      return fail("tangent {} has a side of {}; it is -1 or 1", v, mesh.tangents[v].w);
    }
  }
  return {};
}

Result<void> check_mesh(const ModelDraft& draft, const Mesh& mesh) {
  const std::size_t count = mesh.positions.size();
  if (mesh.material >= draft.materials.size())
    return fail("names material {} of {}", mesh.material, draft.materials.size());
  if (mesh.influences.size() != count) return fail("{} influences for {} vertices", mesh.influences.size(), count);
  if (!mesh.extra_influences.empty() && mesh.extra_influences.size() != count) {
    return fail("{} sets of more influences for {} vertices", mesh.extra_influences.size(), count);
  }
  const auto optional = [count](std::size_t size) { return size == 0 || size == count; };
  if (!optional(mesh.normals.size())) return fail("{} normals for {} vertices", mesh.normals.size(), count);
  if (!optional(mesh.uvs.size())) return fail("{} texture coordinates for {} vertices", mesh.uvs.size(), count);
  if (!optional(mesh.colours.size())) return fail("{} colours for {} vertices", mesh.colours.size(), count);
  if (!are_finite(mesh.positions)) return fail("a position is not finite");
  if (!are_finite(mesh.normals)) return fail("a normal is not finite");
  if (!are_finite(mesh.uvs)) return fail("a texture coordinate is not finite");
  if (!are_finite(mesh.colours)) return fail("a colour is not finite");
  if (mesh.indices.size() % 3 != 0) return fail("{} indices are no whole number of triangles", mesh.indices.size());
  for (const std::uint32_t index : mesh.indices) {
    if (index >= count) return fail("index {} is past the last of {} vertices", index, count);
  }
  THRONG_CHECK(check_tangents(mesh));
  THRONG_CHECK(check_influences(draft, mesh));
  return check_morphs(mesh);
}

Result<void> check_times(const std::vector<float>& times) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!is_finite(times[i]) || times[i] < 0.0f) return fail("has a key at {} s", times[i]);
    if (i > 0 && times[i] <= times[i - 1]) return fail("has keys out of order at {} s", times[i]);
  }
  return {};
}

// `width`: values a key.
template <class T>
Result<void> check_curve(const Curve<T>& curve, std::size_t width) {
  THRONG_CHECK(check_times(curve.times));
  const std::size_t parts = curve.interpolation == Interpolation::cubic_spline ? 3 : 1;
  if (curve.values.size() != curve.times.size() * parts * width) {
    return fail("has {} values for {} keys", curve.values.size(), curve.times.size());
  }
  if (!are_finite(curve.values)) return fail("has a value that is not finite");
  return {};
}

Result<void> check_rotations(const Curve<glm::quat>& curve) {
  const bool cubic = curve.interpolation == Interpolation::cubic_spline;
  for (std::size_t i = cubic ? 1 : 0; i < curve.values.size(); i += cubic ? 3 : 1) {
    if (!unit(glm::dquat(curve.values[i]))) return fail("has a rotation that is not of unit length");
  }
  return {};
}

Result<void> check_track(const ModelDraft& draft, const BoneTrack& track) {
  if (track.bone >= draft.bones.size()) return fail("moves bone {} of {}", track.bone, draft.bones.size());
  const auto named = [&](const Result<void>& result, std::string_view what) -> Result<void> {
    if (result) return {};
    return fail("the {} curve of bone '{}' {}", what, draft.bones[track.bone].name, result.error().message);
  };
  THRONG_CHECK(named(check_curve(track.translation, 1), "translation"));
  THRONG_CHECK(named(check_curve(track.rotation, 1), "rotation"));
  THRONG_CHECK(named(check_curve(track.scale, 1), "scale"));
  return named(check_rotations(track.rotation), "rotation");
}

Result<void> check_clip(const ModelDraft& draft, const Clip& clip) {
  if (!is_finite(clip.start) || !is_finite(clip.end) || clip.end < clip.start) {
    return fail("runs from {} s to {} s", clip.start, clip.end);
  }
  for (const BoneTrack& track : clip.bones) {
    THRONG_CHECK(check_track(draft, track));
  }
  for (const MorphTrack& track : clip.morphs) {
    if (track.mesh >= draft.meshes.size()) return fail("moves mesh {} of {}", track.mesh, draft.meshes.size());
    if (auto ok = check_curve(track.weights, draft.meshes[track.mesh].morph_targets.size()); !ok) {
      return fail("the weights curve of mesh '{}' {}", draft.meshes[track.mesh].name, ok.error().message);
    }
  }
  for (const Event& event : clip.events) {
    if (!(event.time >= clip.start && event.time <= clip.end)) {
      return fail("has the event '{}' at {} s, outside its {} to {} s", event.name, event.time, clip.start, clip.end);
    }
  }
  return {};
}

Result<void> check_looks(const ModelDraft& draft) {
  for (const Material& material : draft.materials) {
    if (!is_finite(material.base_colour))
      return fail("material '{}' has a base colour that is not finite", material.name);
    if (material.base_image && *material.base_image >= draft.images.size()) {
      return fail("material '{}' names image {} of {}", material.name, *material.base_image, draft.images.size());
    }
    if (material.normal_image && *material.normal_image >= draft.images.size()) {
      return fail("material '{}' names image {} of {}", material.name, *material.normal_image, draft.images.size());
    }
    if (!is_finite(material.normal_scale))
      return fail("material '{}' has a normal scale that is not finite", material.name);
  }
  for (const Socket& socket : draft.sockets) {
    if (socket.bone >= draft.bones.size())
      return fail("socket '{}' names bone {} of {}", socket.name, socket.bone, draft.bones.size());
    if (!is_finite(socket.bone_from_socket)) return fail("socket '{}' has a transform that is not finite", socket.name);
  }
  return {};
}

}  // namespace

Result<Model> build_model(ModelDraft draft) {
  THRONG_CHECK(check_bones(draft));
  THRONG_CHECK(check_bindings(draft));
  THRONG_CHECK(check_looks(draft));
  for (const Mesh& mesh : draft.meshes) {
    if (auto ok = check_mesh(draft, mesh); !ok)
      return fail(with_context(fmt::format("mesh '{}'", mesh.name), std::move(ok).error()));
  }
  for (const Clip& clip : draft.clips) {
    if (auto ok = check_clip(draft, clip); !ok) return fail("clip '{}' {}", clip.name, ok.error().message);
  }
  return Model(std::move(draft));
}

Result<std::uint32_t> Model::find_clip(std::string_view name) const {
  std::vector<std::string> names;
  for (const Clip& clip : clips()) names.push_back(clip.name);
  return find_name("clip", name, names).map([](std::size_t i) { return static_cast<std::uint32_t>(i); });
}

Influences strongest_four(const Mesh& mesh, std::size_t vertex) {
  Influences kept = mesh.influences[vertex];
  if (mesh.extra_influences.empty() || !(mesh.extra_influences[vertex].weights[0] > 0.0f)) return kept;
  double sum = 0.0;
  for (const float weight : kept.weights) sum += static_cast<double>(weight);
  for (float& weight : kept.weights) weight = static_cast<float>(static_cast<double>(weight) / sum);
  return kept;
}

std::vector<Influences> strongest_four(const Mesh& mesh) {
  if (mesh.extra_influences.empty()) return mesh.influences;
  std::vector<Influences> kept;
  kept.reserve(mesh.influences.size());
  for (std::size_t v = 0; v < mesh.influences.size(); ++v) kept.push_back(strongest_four(mesh, v));
  return kept;
}

}  // namespace throng
