// SPDX-License-Identifier: Apache-2.0
#include "motion/socket_choice.h"

#include <algorithm>
#include <cmath>

#include "motion/clip_selection.h"
#include "throng/bake/socket_bones.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/model/drawn.h"

namespace throng::detail::bake {
namespace {

constexpr double kSameValue = 1e-6;  // relative: keys and rest values are floats

bool near(const glm::dvec3& a, const glm::dvec3& b) {
  const double size = std::max(1e-3, std::max(glm::length(a), glm::length(b)));
  return glm::distance(a, b) <= kSameValue * size;
}

bool near(const glm::dquat& a, const glm::dquat& b) {
  return std::abs(glm::dot(glm::normalize(a), glm::normalize(b))) >= 1.0 - kSameValue * kSameValue;
}

// Whether every key of the curve is the rest value; the tangents of a spline (its first and third values) must be flat.
template <class T, class Rest>
bool stays(const Curve<T>& curve, const Rest& rest) {
  const std::size_t parts = curve.interpolation == Interpolation::cubic_spline ? 3 : 1;
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    const bool is_tangent = parts == 3 && i % 3 != 1;
    if (is_tangent ? curve.values[i] != T{} : !near(Rest(curve.values[i]), rest)) return false;
  }
  return true;
}

std::vector<bool> moving_bones(const Model& model, const std::vector<SelectedClip>& clips) {
  std::vector<bool> moving(model.bones().size(), false);
  for (const SelectedClip& one : clips) {
    for (const BoneTrack& track : one.clip.bones) {
      const Transform& rest = model.bones()[track.bone].rest;
      if (stays(track.translation, rest.translation) && stays(track.rotation, rest.rotation) &&
          stays(track.scale, rest.scale)) {
        continue;
      }
      moving[track.bone] = true;
    }
  }
  return moving;
}

// The position, rotation and scale of a matrix that is no more than that.
std::optional<Transform> as_transform(const glm::dmat4& m) {
  const Transform t = to_transform(m);
  if (t.scale.x == 0.0 || t.scale.y == 0.0 || t.scale.z == 0.0) return std::nullopt;
  const glm::dmat4 again = to_matrix(t);
  for (int i = 0; i < 3; ++i) {
    if (glm::distance(again[i], m[i]) > kSameValue * glm::length(m[i])) return std::nullopt;
  }
  return t;
}

struct Bones {
  const Model& model;
  std::vector<bool> drawn;
  std::vector<bool> moving;
};

Socket socket_on(const Bones& bones, std::uint32_t bone) {
  const std::string& name = bones.model.bones()[bone].name;
  glm::dmat4 above_from_socket(1.0);
  std::optional<std::uint32_t> above = bone;
  for (; above && !bones.drawn[*above]; above = bones.model.bones()[*above].parent) {
    if (bones.moving[*above]) return {name, bone, {}};
    above_from_socket = to_matrix(bones.model.bones()[*above].rest) * above_from_socket;
  }
  const auto transform = above ? as_transform(above_from_socket) : std::nullopt;
  return transform ? Socket{name, *above, *transform} : Socket{name, bone, {}};
}

std::vector<std::string> bone_names(const Model& model) {
  std::vector<std::string> names;
  for (const Bone& bone : model.bones()) names.push_back(bone.name);
  return names;
}

}  // namespace

Transform to_transform(const glm::dmat4& place) {
  Transform t;
  t.translation = glm::dvec3(place[3]);
  glm::dmat3 axes(place);
  for (int i = 0; i < 3; ++i) t.scale[i] = glm::length(axes[i]);
  if (glm::determinant(axes) < 0.0) t.scale.x = -t.scale.x;
  for (int i = 0; i < 3; ++i) axes[i] = t.scale[i] != 0.0 ? axes[i] / t.scale[i] : glm::dmat3(1.0)[i];
  t.rotation = glm::normalize(glm::quat_cast(axes));
  return t;
}

Result<std::vector<Socket>> chosen_sockets(const Model& model, const BakeSettings& settings) {
  std::vector<Socket> sockets = model.sockets();
  if (settings.sockets.empty()) return sockets;
  THRONG_TRY(const std::vector<std::uint32_t> matching, socket_bones(model, settings.sockets));
  if (matching.empty()) {
    return fail("sockets '{}': no bone of model '{}' has such a name; there are: {}", settings.sockets, model.name(),
                listed(bone_names(model)));
  }
  THRONG_TRY(const std::vector<SelectedClip> clips, selected_clips(model, settings));
  const Bones bones{model, drawn_bones(model), moving_bones(model, clips)};
  for (const std::uint32_t bone : matching) {
    const std::string& name = model.bones()[bone].name;
    const auto taken = [&](const Socket& socket) { return socket.name == name; };
    if (std::none_of(sockets.begin(), sockets.end(), taken)) sockets.push_back(socket_on(bones, bone));
  }
  return sockets;
}

}  // namespace throng::detail::bake
