// SPDX-License-Identifier: Apache-2.0
#include "clouds.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "joints.h"
#include "rigid.h"
#include "throng/base/text.h"

namespace throng::detail::ragdoll {
namespace {

// Share of its length: how thick a bone is taken to be where no vertex says it.
constexpr float kThickness = 0.15f;
// Share of the model's size: the body of a bone that joins others and has no vertices of its own.
constexpr float kKnot = 0.04f;
// Share of the model's size: joints nearer than this are one.
constexpr float kSameJoint = 0.01f;
// Share of the model's size: a bone so near the lowest vertex lies on the floor.
constexpr float kOnFloor = 0.1f;

struct Box {
  glm::vec3 least{std::numeric_limits<float>::max()}, most{std::numeric_limits<float>::lowest()};
  void add(const glm::vec3& p) {
    least = glm::min(least, p);
    most = glm::max(most, p);
  }
  float diagonal() const { return least.x > most.x ? 0.0f : glm::distance(least, most); }
  bool touches(const Box& other, float gap) const {
    return glm::all(glm::lessThanEqual(least, other.most + gap)) &&
           glm::all(glm::lessThanEqual(other.least, most + gap));
  }
};

Box box_of(const std::vector<glm::vec3>& points) {
  Box box;
  for (const glm::vec3& p : points) box.add(p);
  return box;
}

// Every vertex goes to the bone that it follows most.
void add_vertices(const NearMesh& mesh, const Rig& rig, std::vector<std::vector<glm::vec3>>& points) {
  std::vector<glm::mat4> model_from_mesh;
  for (const MotionBinding& binding : rig.motion().bindings())
    model_from_mesh.push_back(to_matrix(rig.rest_models()[binding.bone]) * glm::mat4(binding.bone_from_mesh));
  for (const NearMesh::Anchor& anchor : mesh.anchors()) {
    const glm::vec3 p(model_from_mesh[anchor.binding] * glm::vec4(anchor.position, 1.0f));
    if (is_finite(p)) points[rig.bound_bones()[anchor.binding]].push_back(p);
  }
}

// A skeleton without vertices: every bone a rod to each of its children.
void add_rods(const Rig& rig, std::vector<std::vector<glm::vec3>>& points) {
  for (std::uint32_t bone = 0; bone < rig.bone_count(); ++bone) {
    const auto parent = rig.parent(bone);
    if (!parent) continue;
    const glm::vec3 from = position_of(rig.rest_models()[*parent]), to = position_of(rig.rest_models()[bone]);
    const float length = glm::distance(from, to);
    if (!(length > 0.0f)) continue;
    const glm::vec3 side = kThickness * length * perpendicular(to - from);
    const glm::vec3 other = glm::cross((to - from) / length, side);
    for (const float t : {0.0f, 0.5f, 1.0f}) {
      const glm::vec3 middle = glm::mix(from, to, t);
      for (const glm::vec3& off : {side, -side, other, -other}) points[*parent].push_back(middle + off);
    }
  }
}

void add_knot(const glm::vec3& at, std::uint32_t bone, Clouds& clouds) {
  const float reach = kKnot * clouds.size;
  for (int axis = 0; axis < 3; ++axis) {
    glm::vec3 off(0.0f);
    off[axis] = reach;
    clouds.points[bone].push_back(at + off);
    clouds.points[bone].push_back(at - off);
  }
}

// Bones that only share out a rotation, by the name tools give them.
bool is_twist(std::string_view name) {
  const std::string letters = lower(name);
  return letters.find("twist") != std::string::npos || letters.find("roll") != std::string::npos;
}

// A collar bone that an upper arm with a body hangs on: between a heavy chest and a long arm so small a body only
// chatters, and what it adds to how an arm moves is little.
bool is_collar(const Rig& rig, const Clouds& clouds, std::uint32_t bone) {
  if (guess_limb(rig.bone_name(bone), {}) != Limb::collar) return false;
  for (std::uint32_t child = bone + 1; child < rig.bone_count(); ++child) {
    if (rig.is_below(child, bone) && clouds.has_body[child] && guess_limb(rig.bone_name(child), {}) == Limb::upper_arm)
      return true;
  }
  return false;
}

// The only body that hangs on a bone, where it starts in the same place: two joints in one point would not hold still.
std::optional<std::uint32_t> same_joint_below(const Rig& rig, const Clouds& clouds, std::uint32_t bone) {
  std::optional<std::uint32_t> only;
  for (std::uint32_t child = bone + 1; child < rig.bone_count(); ++child) {
    if (rig.parent(child) != bone || !clouds.has_body[child]) continue;
    if (only) return std::nullopt;
    only = child;
  }
  const auto at = [&](std::uint32_t b) { return position_of(rig.rest_models()[b]); };
  if (!only || !rig.parent(bone) || glm::distance(at(bone), at(*only)) > kSameJoint * clouds.size) return std::nullopt;
  return only;
}

// A helmet on a head: no limb by its name, nothing hangs on it, and it begins where the bone above it begins, so there
// is no joint between them.
bool is_worn(const Rig& rig, const Clouds& clouds, std::uint32_t bone) {
  const auto above = rig.parent(bone);
  if (!above || guess_limb(rig.bone_name(bone), {}) != Limb::other) return false;
  for (std::uint32_t child = bone + 1; child < rig.bone_count(); ++child)
    if (clouds.has_body[child] && rig.is_below(child, bone)) return false;
  const auto at = [&](std::uint32_t b) { return position_of(rig.rest_models()[b]); };
  return glm::distance(at(bone), at(*above)) <= kSameJoint * clouds.size;
}

// Children first: what is too small to have a body gives its points to the bone above.
void merge_small(const Rig& rig, float least_size, const std::vector<BodyShape>& shapes, Clouds& clouds) {
  for (std::uint32_t bone = static_cast<std::uint32_t>(rig.bone_count()); bone-- > 0;) {
    auto& points = clouds.points[bone];
    const bool asked = shapes[bone] == BodyShape::capsule || shapes[bone] == BodyShape::box;
    const bool large = points.size() >= 4 && box_of(points).diagonal() >= least_size * clouds.size;
    const auto below = same_joint_below(rig, clouds, bone);
    const bool left_out = shapes[bone] == BodyShape::none || below || is_twist(rig.bone_name(bone)) ||
                          is_collar(rig, clouds, bone) || is_worn(rig, clouds, bone);
    if (asked || (large && !left_out)) {
      clouds.has_body[bone] = true;
      if (points.size() < 4) add_knot(position_of(rig.rest_models()[bone]), bone, clouds);
      continue;
    }
    if (const auto to = below ? below : rig.parent(bone); to && !points.empty()) {
      auto& others = clouds.points[*to];
      others.insert(others.end(), points.begin(), points.end());
    }
    points.clear();
  }
}

bool has_body_above(const Rig& rig, const Clouds& clouds, std::uint32_t bone) {
  for (auto up = rig.parent(bone); up; up = rig.parent(*up)) {
    if (clouds.has_body[*up]) return true;
  }
  return false;
}

std::vector<std::uint32_t> topmost(const Rig& rig, const Clouds& clouds) {
  std::vector<std::uint32_t> tops;
  for (std::uint32_t bone = 0; bone < rig.bone_count(); ++bone) {
    if (clouds.has_body[bone] && !has_body_above(rig, clouds, bone)) tops.push_back(bone);
  }
  return tops;
}

// Those of `tops` that the largest of them touches, or one that it touches does, and so on.
std::vector<std::uint32_t> in_one_piece(const Clouds& clouds, std::vector<std::uint32_t> tops) {
  const auto box = [&](std::uint32_t top) { return box_of(clouds.points[top]); };
  const auto largest = std::ranges::max_element(tops, {}, [&](std::uint32_t top) { return box(top).diagonal(); });
  std::vector<std::uint32_t> piece{*largest};
  tops.erase(largest);
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const auto apart = std::stable_partition(tops.begin(), tops.end(), [&](std::uint32_t top) {
      return box(top).touches(box(piece[i]), kSameJoint * clouds.size);
    });
    piece.insert(piece.end(), tops.begin(), apart);
    tops.erase(tops.begin(), apart);
  }
  return piece;
}

// Legs and a spine that hang on a pelvis without vertices would fall apart: the bone they meet in gets a body. One that
// lies on the floor may only keep things together: of what hangs there, the parts that touch are one body, whose middle
// is where they are joined, and the others (a dropped sword) fall on their own.
void tie_together(const Rig& rig, Clouds& clouds, const std::vector<BodyShape>& shapes, float floor) {
  const auto tops = topmost(rig, clouds);
  if (tops.size() < 2) return;
  std::optional<std::uint32_t> meeting = rig.parent(tops[0]);
  const auto holds_all = [&](std::uint32_t bone) {
    return std::all_of(tops.begin(), tops.end(), [&](std::uint32_t top) { return rig.is_below(top, bone); });
  };
  while (meeting && !holds_all(*meeting)) meeting = rig.parent(*meeting);
  if (!meeting || shapes[*meeting] == BodyShape::none) return;
  const auto at = [&](std::uint32_t bone) { return position_of(rig.rest_models()[bone]); };
  glm::vec3 middle = at(*meeting);
  if (middle.y < floor + kOnFloor * clouds.size) {
    const std::vector<std::uint32_t> piece = in_one_piece(clouds, tops);
    if (piece.size() < 2) return;
    for (const std::uint32_t top : tops) clouds.apart[top] = std::ranges::find(piece, top) == piece.end();
    middle = glm::vec3(0.0f);
    for (const std::uint32_t top : piece) middle += at(top) / static_cast<float>(piece.size());
  }
  clouds.has_body[*meeting] = true;
  add_knot(middle, *meeting, clouds);
}

}  // namespace

Clouds gather_clouds(const NearMesh* mesh, const Rig& rig, float least_size, const std::vector<BodyShape>& shapes) {
  Clouds clouds{.points = std::vector<std::vector<glm::vec3>>(rig.bone_count()),
                .has_body = std::vector<bool>(rig.bone_count(), false),
                .apart = std::vector<bool>(rig.bone_count(), false)};
  if (mesh != nullptr) add_vertices(*mesh, rig, clouds.points);
  const auto no_points = [](const auto& points) { return points.empty(); };
  if (std::all_of(clouds.points.begin(), clouds.points.end(), no_points)) add_rods(rig, clouds.points);
  Box box;
  for (const auto& points : clouds.points) {
    for (const glm::vec3& p : points) box.add(p);
  }
  clouds.size = box.diagonal() > 0.0f ? box.diagonal() : 1.0f;
  merge_small(rig, least_size, shapes, clouds);
  tie_together(rig, clouds, shapes, box.least.y);
  if (std::none_of(clouds.has_body.begin(), clouds.has_body.end(), [](bool has) { return has; })) {
    clouds.has_body[0] = true;
    add_knot(position_of(rig.rest_models()[0]), 0, clouds);
  }
  return clouds;
}

}  // namespace throng::detail::ragdoll
