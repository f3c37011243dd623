// SPDX-License-Identifier: Apache-2.0
#pragma once
// What moves a character's mesh: the columns that its vertices follow, the links that parent-relative encodings
// compose, and the sockets that hang on them.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string>

#include "throng/character/codecs/bone_codecs.h"
#include "throng/character/ids.h"
#include "throng/math/transform.h"

namespace throng {

// A column of a frame: a bone as one mesh is bound to it. Bones that move alike share a column.
struct BakedBone {
  std::string name;
  // For local8 and localv: the link of the skeleton it follows, and how the baked mesh lies in that link (pivot at the
  // origin).
  std::uint32_t link = 0;
  BoneSample link_from_mesh;
};

// The origin of the link that a column follows, in the space of the baked mesh: what the column turns about, and what a
// cross-fade of local8 and localv blends about, so that limbs stay together.
inline glm::dvec3 link_origin(const BakedBone& bone) {
  const BoneSample& link_from_mesh = bone.link_from_mesh;
  if (link_from_mesh.scale == 0.0) return glm::dvec3(0.0);  // all of the mesh is there
  return glm::inverse(link_from_mesh.rotation) * -link_from_mesh.position / link_from_mesh.scale;
}

// A link of the chains that local8 and localv compose: what a slot does not say is as at rest. Scale is uniform. Slots
// of local8 are numbered each from 0; those of localv are CharacterDraft::channel_slots.
struct PoseLink {
  std::optional<std::uint32_t> parent;  // always a smaller index
  BoneSample rest;                      // parent_from_link
  std::optional<std::uint32_t> rotation_slot;
  std::optional<std::uint32_t> translation_slot;  // local8: of translation and scale
  std::optional<std::uint32_t> scale_slot;        // localv alone
  // localv: the bone of Character::motion() that it is; nothing: it stands for bones that no clip moves.
  std::optional<std::uint32_t> bone = {};
};

// A named place to hang things on, and the bone that carries it.
struct BakedSocket {
  std::string name;
  // Bone mode: the column that carries it. Vertex mode: the number of the first of its two items (items behind the
  // vertices: vertex count + 2 · socket); their position is the socket's, their normals are its +Z and +X axes.
  std::uint32_t bone = 0;
  Transform mesh_from_socket;  // in the baked mesh's space: moves with its bone like a vertex does
  // The part that it is on, where it hangs on a thing that may be taken off: who does not wear that has no such place.
  std::optional<PartId> part = {};
};

}  // namespace throng
